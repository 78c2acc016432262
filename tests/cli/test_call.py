"""``kibitz call``: one call of a player file, in the sandbox; no printed text suggests another way to run one."""

import ast
import re
import shlex
from pathlib import Path

import pytest

from kibitz.games.signatures import FUNCTIONS
from kibitz.players.calls import call_command, parse_call
from kibitz.players.limits import limits_from
from kibitz.sandbox import linux, request_tier
from tests.tiers import first_fast

HOME = Path(__file__).parents[2]
PYTHON_RUNS_A_FILE = re.compile(r"\bpython[0-9.]*\s+(?:-\S+\s+)*(?:-c\b|\S*\.py\b)|\brunpy\b|\bpython[0-9.]*\s+-i\b")
HANDOUT = "python3 handout/test_public.py"
"""Allowed, since it is for a student's own file."""
FILE = """
print("loading")
def play(cards, number):
    print("thinking")
    return cards[number]
def valid(groups):
    return True
def secret():
    return open("/etc/passwd").read()
"""


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text(FILE)
    return path


def test_call_prints_output_and_result(kibitz, file):
    answer = kibitz("call", "go", file, "play(['AS', '2H'], 1)")
    assert (answer.status, answer.err) == (0, "")
    assert answer.lines == ["It printed:", "loading", "thinking", "It returned:", "'2H'"]


def test_failing_call_shows_the_line(kibitz, file):
    answer = kibitz("call", "go", file, "play(['AS'], 3)")
    assert answer.status == 2
    assert "It failed (exception): play raised IndexError: list index out of range." in answer.lines
    assert '  File "mine.py", line 5, in play' in answer.lines


@pytest.mark.parametrize("function", FUNCTIONS.values(), ids=lambda function: function.name)
def test_wrong_number_of_arguments_is_rejected(refused, file, function):
    for number in (function.least - 1, len(function.parameters) + 1):
        message = refused("call", "go", file, f"{function.name}({', '.join(['1'] * number)})")
        names = ", ".join(parameter.name for parameter in function.parameters)
        assert f"{function.name}({names}), and the call has {number} argument" in message


def test_call_without_arguments_shows_a_load_failure(kibitz, tmp_path):
    path = tmp_path / "broken.py"
    path.write_text("print('so far')\n1 / 0\n")
    answer = kibitz("call", "go", path)
    assert answer.status == 2
    assert answer.lines[:2] == ["It printed:", "so far"]
    assert "It failed (load): The file raised ZeroDivisionError: division by zero while it was loaded." in answer.lines


def test_call_runs_in_the_sandbox(kibitz, file):
    answer = kibitz("call", "go", file, "secret()")
    assert answer.status == 2
    assert "root:" not in answer.out
    assert "It can't start threads" in answer.out


def test_call_has_the_limits_of_a_game(kibitz, tmp_path):
    path = tmp_path / "slow.py"
    path.write_text("print('begun')\nwhile True: pass\n")
    answer = kibitz("call", "go", path, "--limits", "load=0.2")
    assert answer.lines == [
        "It printed:",
        "begun",
        "It failed (time): The file used more than 0.2 s of CPU time while it was loaded.",
        '  File "slow.py", line 2 in <module>',
    ]


def test_long_call_is_read_from_a_file_or_standard_input(kibitz, file, tmp_path):
    long = f"play({['AS'] * 50_000 + ['2H']!r}, 50_000)"
    (tmp_path / "long.txt").write_text(long)
    assert kibitz("call", "go", file, "--from", tmp_path / "long.txt").lines[-1] == "'2H'"
    assert kibitz("call", "go", file, "-", typed=long).lines[-1] == "'2H'"
    assert kibitz("call", "go", file, "-", typed=" ").status == 2


def test_function_may_return_true_as_in_the_published_examples(kibitz, file):
    assert kibitz("call", "go", file, "valid([])").lines[-1] == "True"


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["import os"], "'import os' isn't a call of a function with plain values"),
        (
            ["play(x)"],
            "isn't a call of a function with plain values: x is not a value; strings need quotes, as in play(",
        ),
        (["play([], 0, ['AS', 2H])"], "plain values: 2H is not a value; strings need quotes, as in play("),
        (["comp10001go_score_group"], "plain values: add its arguments, comp10001go_score_group(cards)."),
        (["play(cards=[])"], "isn't a call of a function with plain values"),
        (["play(" * 3000], "isn't a call of a function with plain values"),
        (["play([1.5], 0)"], "not something of type float"),
        (["play({1: 2}, 0)"], "not something of type dict"),
        (["play([], 0)", "--from", "x"], "the call is given twice"),
        (["--from", "/nowhere"], "'/nowhere' cannot be read"),
    ],
    ids=lambda given: given[0][:12] if isinstance(given, list) else "",
)
def test_invalid_call_is_rejected_with_the_reason(refused, file, words, sentence):
    assert sentence in refused("call", "go", file, *words)


def test_only_player_files_can_be_called(refused):
    assert "'first' is a built-in player" in refused("call", "go", "first", "play()")
    assert "no such file" in refused("call", "go", "nowhere.py")


def test_without_a_sandbox_only_trusted_files_are_called(refused, kibitz, file, monkeypatch):
    monkeypatch.setattr(linux, "kernel_abi", lambda: 0)
    request_tier()
    try:
        message = refused("call", "go", file, "play([1], 0)")
        assert "The sandbox doesn't work on this machine" in message
        assert "that you have written yourself can be called with --trusted" in message
        assert kibitz("call", "go", file, "play([1], 0)", "--trusted").lines[-1] == "1"
    finally:
        monkeypatch.undo()
        request_tier()


def test_the_printed_command_repeats_the_call(kibitz, file):
    for arguments in ("['it\\'s', '$HOME', '\"', '`'], 0", "['a b'], 0", "[None, (1, 'x')], 1"):
        call = f"play({arguments})"
        line = call_command("go", str(file), call, limits_from("call=1"))
        answer = kibitz(*shlex.split(line)[1:])
        cards, number = parse_call(call)[1]
        assert answer.lines[-1] == repr(cards[number]), line


@pytest.mark.parametrize("name", first_fast(["broken_type.py", "broken_import.py", "broken_illegal.py"]))
def test_every_command_printed_by_a_check_shows_the_failure(kibitz, name):
    path = HOME / "examples" / "players" / "go" / name
    answer = kibitz("check-player", "go", path, "--games", "2")
    printed = [line for line in answer.lines if line.startswith("kibitz ")]
    assert printed
    assert all(str(path) in line for line in printed)
    for line in printed:
        assert kibitz(*shlex.split(line)[1:]).out


def texts():
    """Everything Kibitz can print, with its file: every string of the sources, and all pages."""
    for path in sorted((HOME / "src").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                yield path, node.value
    pages = [*HOME.glob("*.md"), *(HOME / "docs").rglob("*.md"), *(HOME / "examples").rglob("*.md")]
    for path in [*pages, *(HOME / "src").rglob("*.md")]:
        yield path, path.read_text("utf-8")


@pytest.mark.long
def test_no_text_suggests_running_a_player_file_with_python():
    found = [
        (path.name, hit[0])
        for path, text in texts()
        for hit in PYTHON_RUNS_A_FILE.finditer(text)
        if hit[0] != HANDOUT and not our_own(hit[0])
    ]
    assert found == []


def our_own(command):
    """Whether a command runs one of Kibitz's own scripts."""
    script = command.removeprefix("python ")
    return script.startswith(("docs/", "examples/learning/")) and (HOME / script).is_file()
