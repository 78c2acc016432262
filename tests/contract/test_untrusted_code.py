"""Whatever a game's code does, a check of the contract ends and reports the fault and its place."""

import dataclasses
import subprocess
import sys
import types

import pytest

from kibitz.cli.games import new_game
from kibitz.engine.contract import CHECKS, Violation, checking, consistency, kernel_checks, knowledge
from kibitz.engine.contract.checking import check
from kibitz.engine.kernels import hooks
from kibitz.engine.kernels.compilation import NUMBA
from kibitz.engine.registry import game
from kibitz.games.eights import rules
from kibitz.kernel import kernel_kind

EIGHTS = game("eights-mini")
HOOKS = sorted(name for name, value in vars(hooks).items() if kernel_kind(value) == "hook" and hasattr(rules, name))
IN_PLAIN_PYTHON = (
    *(
        kernel_checks.legal_and_refusal_agree,
        kernel_checks.substitutes_are_legal,
        consistency.results_follow_from_scores,
    ),
    knowledge.imagination_fits_the_view,
)
"""Checks that call every kernel and need no machine code."""


def with_broken_kernel(name):
    """Crazy Eights in which one kernel divides by zero."""

    def wrong(*given):
        return 1 // 0

    wrong.__kernel__, wrong.__module__ = "kernel", rules.__name__
    return dataclasses.replace(EIGHTS, rules=types.SimpleNamespace(**{**vars(rules), name: wrong}))


def broken(each, played):
    """The fault that a check finds, or None."""
    try:
        each(played)
    except Violation as found:
        return found
    return None


@pytest.mark.parametrize("name", HOOKS)
def test_a_kernel_that_raises_is_reported_as_broken(name):
    found = next(filter(None, (broken(each, with_broken_kernel(name)) for each in IN_PLAIN_PYTHON)))
    assert "raised ZeroDivisionError" in found.sentence
    assert found.field.startswith("wrong, line ")


def test_checks_report_exceptions_of_a_game():
    results = {each.__name__: broken(each, with_broken_kernel("deal")) for each in CHECKS}
    caught = {name: found.check for name, found in results.items() if found}
    assert all(name == check for name, check in caught.items())
    assert len(caught) > 0.8 * len(CHECKS), "nearly every check deals cards"


def test_missing_numba_is_not_reported_as_a_fault_of_the_game():
    @check
    def compiling(game, thorough=1, seed=None):
        raise ImportError("There is no Numba.", name=NUMBA)

    @check
    def importing(game, thorough=1, seed=None):
        raise ImportError("There is no module of that name.", name="whist")

    with pytest.raises(ImportError, match=r"There is no Numba\."):
        compiling(EIGHTS)
    with pytest.raises(Violation, match="raised ImportError"):
        importing(EIGHTS)


def test_a_kernel_that_never_ends_is_stopped_and_reported(tmp_path):
    new_game("follow", output=tmp_path)
    source = tmp_path / "follow" / "src" / "follow" / "rules.py"
    head, found, tail = source.read_text().partition('    """Carry out a legal action."""\n')
    assert found
    source.write_text(f"{head}{found}    while a == 3:\n        s.passes = 0\n{tail}")
    quick = (
        "import sys; from kibitz.engine.contract import checking; "
        "checking.MAX_CALL_SECONDS = 0.5; sys.argv[0] = 'kibitz'; "
    )
    command = [sys.executable, "-c", quick + "from kibitz.cli import main; sys.exit(main())", "check-game", "./follow"]
    ended = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=300)
    assert ended.returncode == 2, ended.stderr
    assert "BROKEN  legal_and_refusal_agree: follow: the game does not end" in ended.stdout
    assert "found: apply, line " in ended.stdout
    assert "to repeat: kibitz check-game" in ended.stdout
    assert ended.stdout.count("BROKEN") == 1, "the other checks would wait for it as well"


def test_a_long_check_is_not_mistaken_for_an_endless_call(monkeypatch):
    monkeypatch.setattr(checking, "MAX_CALL_SECONDS", 0.01)

    @check
    def long(game, thorough=1, seed=None):
        state = game.deal(1)
        for _ in range(3000):
            game.legal(state)
            sum(range(2000))

    long(EIGHTS)
