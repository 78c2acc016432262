"""The check of a player file: every failure is exact and can be repeated."""

import subprocess
import sys

import msgspec
import pytest

from kibitz.engine.views.assignment_interface import Example, exactly
from kibitz.games.signatures import CALL_SECONDS
from kibitz.players.calls import NO_RETURN
from kibitz.players.check import CheckPlan, check_player
from tests.players.conftest import BO, GO, HONEST, HONEST_BO, go_with

KIBITZ = f"{sys.executable} -c 'import sys; from kibitz.cli import main; sys.exit(main())'"

SCORED = (Example("comp10001go_score_group", (["KC", "KH"],), exactly(26)),)


@pytest.fixture
def checked(tmp_path, monkeypatch):
    for game in (GO, BO):
        monkeypatch.setattr(f"kibitz.games.{game.name}.assignment.EXAMPLES", ())

    def check(source, game=GO, games=4, seed=0, only=None, references=(), cpu_seconds=120.0, **more):
        path = tmp_path / "mine.py"
        path.write_text(source)
        return check_player(game, path, CheckPlan(games, seed, references, only, cpu_seconds), **more)

    return check


def test_honest_file_passes_and_progress_is_reported(checked):
    progress = []
    report = checked(HONEST, progress=lambda done, total: progress.append((done, total)))
    assert report.ok
    assert progress == [(1, 4), (2, 4), (3, 4), (4, 4)]
    assert "4 games were played to the end" in report.findings[-1].sentence
    assert checked(HONEST_BO, BO).ok


@pytest.mark.parametrize(
    ("source", "fragment"),
    [
        ("def f(:", "line 1"),
        ("import nothing_like_it\n", "nothing_like_it"),
        ("\n\n", "The file is empty: it should define comp10001go_play and comp10001go_group."),
        ("open('cards.txt')\n" + HONEST, "loaded. A player can't open files: put its data into a .py file."),
        ("from .common import x\n" + HONEST, "loaded. Leave out the dot, as in 'from common import ...'."),
        ("input()\n" + HONEST, "loaded. Nobody can answer input() here: put a value in its place."),
        (HONEST.replace("go_play", "_play"), "define comp10001go_play. Rename comp10001_play to comp10001go_play."),
        (
            HONEST.replace("10001go", "10001"),
            "view, legal). Rename comp10001_play to comp10001go_play and comp10001_group to comp10001go_group.",
        ),
    ],
)
def test_file_that_does_not_load_plays_no_game_and_gets_the_reason(checked, source, fragment):
    report = checked(source)
    assert [finding.ok for finding in report.findings] == [False]
    assert fragment in report.findings[0].sentence


@pytest.mark.parametrize("line", ["open('cards.txt')", "input()"])
def test_failure_to_read_input_or_a_file_comes_with_advice(checked, line):
    failed = [
        finding
        for finding in checked(go_with(f"return hand[0] if len(hand) > 9 else {line}")).findings
        if not finding.ok
    ]
    assert failed
    assert all(finding.why.endswith((" into a .py file.", " in its place.")) for finding in failed)


def test_unreadable_file_is_a_finding(tmp_path):
    report = check_player(GO, tmp_path / "none.py")
    assert not report.ok
    assert "no such file" in report.findings[0].sentence


def test_failure_comes_with_commands_that_repeat_it(checked):
    report = checked(go_with("return hand[99 if len(hand) < 8 else 0]"))
    (failed,) = (finding for finding in report.findings if not finding.ok)
    assert "Failure in game 1 (seed 0), seat 0, after 12 moves" in failed.what
    assert "IndexError" in failed.why
    assert "return hand[99" in failed.detail
    assert failed.position.splitlines()[0].startswith("You ")
    assert failed.position.splitlines()[-1].startswith("your hand")
    shown = run_in_shell(failed.alone.replace("kibitz", KIBITZ, 1))
    assert "IndexError: list index out of range" in shown.stdout
    shown = run_in_shell(failed.reproduce.replace("kibitz", KIBITZ, 1))
    assert failed.sentence in " ".join(shown.stdout.split())


RARE = """
kept = []

def comp10001go_play(history, player, hand):
    kept.append(hand[-1])
    return hand[-1]

def comp10001go_group(history, player):
    return [[card] for card in kept if kept[:2] != sorted(kept[:2]) or kept[0][0] != 'J']
"""


def test_printed_command_replays_the_failing_game(checked, tmp_path):
    report = checked(RARE, games=60, seed=7)
    failed = next(finding for finding in report.findings if not finding.ok)
    number = int(failed.what.split("game ")[1].split()[0])
    assert number > 1, "the failing game isn't the first"
    assert failed.reproduce.endswith(f"--game-number {number} --seed 7")
    again = checked(RARE, only=number, seed=7)
    assert again.findings[-1] == msgspec.structs.replace(failed, reproduce=again.findings[-1].reproduce)
    other = checked(RARE, only=number, seed=8)
    assert failed not in other.findings


def run_in_shell(command):
    return subprocess.run(["bash", "-c", command], capture_output=True, text=True)


def test_illegal_play_comes_with_the_call_and_its_result(checked):
    source = "def comp10001bo_play(a, hand, c, d, e, f):\n    return 0, hand[0], (1, ((a + 1) % 4, 3))\n"
    failed = next(finding for finding in checked(source, BO).findings if not finding.ok)
    assert failed.kind == "illegal"
    assert failed.why == "Only its owner may start an empty discard pile."
    assert "comp10001bo_play(0, [" in failed.detail
    assert "returned (0, " in failed.detail


@pytest.mark.parametrize(
    ("wrong", "summary"),
    [(1, None), (2, "1 more call of a published example of {} fails."),
     (3, "2 more calls of published examples of {} fail.")],
)  # fmt: skip
def test_first_failing_example_of_a_function_is_shown_and_the_rest_counted(checked, monkeypatch, wrong, summary):
    name = "comp10001go_score_group"
    examples = tuple(Example(name, (["KC"] * n,), exactly(7 + (n <= wrong))) for n in range(1, 5))
    monkeypatch.setattr("kibitz.games.go.assignment.EXAMPLES", examples)
    report = checked(f"{HONEST}def {name}(cards): return 7\n")
    said = [finding.sentence for finding in report.findings if finding.warning]
    assert said[0].endswith("it returned 7; it should return 8.")
    assert said[1:] == ([summary.format(name)] if summary else [])


def test_published_example_must_keep_to_the_limit_of_its_function(checked, monkeypatch):
    monkeypatch.setitem(CALL_SECONDS, "comp10001go_score_group", 0.1)
    monkeypatch.setattr("kibitz.games.go.assignment.EXAMPLES", SCORED)
    report = checked(f"{HONEST}def comp10001go_score_group(cards):\n    while True: pass\n")
    (slow,) = (finding for finding in report.findings if finding.warning)
    assert slow.sentence.endswith("comp10001go_score_group used more than 0.1 s of CPU time.")
    assert slow.reproduce.endswith(" --limits call=0.1")
    assert report.ok


def test_none_comes_with_a_hint(checked, monkeypatch):
    monkeypatch.setattr("kibitz.games.go.assignment.EXAMPLES", SCORED)
    report = checked(f"{go_with('pass')}def comp10001go_score_group(cards): pass\n")
    wrong = [finding.detail for finding in report.findings if not finding.ok or finding.warning]
    assert len(wrong) == 2
    assert all(NO_RETURN in detail for detail in wrong)


def test_function_that_is_not_written_yet_is_only_named(checked, monkeypatch):
    monkeypatch.setattr("kibitz.games.go.assignment.EXAMPLES", SCORED)
    report = checked(f"{HONEST}def comp10001go_score_group(cards):\n    raise NotImplementedError\n")
    assert not [finding for finding in report.findings if finding.warning]
    said = [finding.sentence for finding in report.findings]
    assert "comp10001go_score_group is not written yet; no game calls it." in said


def test_a_finding_ends_in_one_full_stop(checked):
    report = checked(HONEST.replace("[[turn[player_no]] for turn in discard_history]", "[]"))
    wrong = [finding.sentence for finding in report.findings if not finding.ok]
    assert "are missing." in wrong[0]
    assert not [said for said in wrong if said.endswith("..")]


def test_published_examples_of_defined_functions_are_tried(checked, monkeypatch):
    examples = (
        Example("comp10001go_score_group", (["KC", "KH"],), exactly(26)),
        Example("comp10001go_valid_groups", ([["KC", "KH"]],), exactly(True)),
        Example("comp10001go_best", ([],), exactly(1)),
        Example("comp10001go_play", ([], 0, ["2C"]), exactly("2C")),
    )
    monkeypatch.setattr("kibitz.games.go.assignment.EXAMPLES", examples)
    more = "def comp10001go_score_group(cards): return 13 * len(cards)\ndef comp10001go_valid_groups(x): return 1\n"
    report = checked(HONEST + more)
    good, wrong, passed, games = report.findings
    assert (good.ok, wrong.ok, passed.ok, games.ok) == (True, True, True, True)
    assert [finding.warning for finding in report.findings] == [False, True, False, False]
    assert report.ok
    assert wrong.sentence.endswith("fails: it returned 1; it should return True.")
    assert wrong.detail == "comp10001go_valid_groups([['KC', 'KH']])"
    assert passed.sentence == "2 published examples give the right result."
    assert len(checked("\n").findings) == 1, "an empty file is reported once, not for each function"


@pytest.mark.parametrize(
    ("body", "warning"),
    [
        ("seen.append(cards); return 13 * len(sum(seen, []))", "is right when called first, but wrong after"),
        ("seen.append(cards); return 26 if len(seen) == 1 else seen.x", "is right when called first, but fails"),
        ("seen[:] = cards; return 13 * len(seen)", None),
    ],
)
def test_state_that_spoils_later_calls_is_a_warning(checked, monkeypatch, body, warning):
    examples = (Example("comp10001go_score_group", (["KC", "KH"],), exactly(26)),)
    monkeypatch.setattr("kibitz.games.go.assignment.EXAMPLES", examples)
    report = checked(f"{HONEST}seen = []\ndef comp10001go_score_group(cards): {body}\n")
    assert report.ok
    warnings = [finding.sentence for finding in report.findings if finding.warning]
    assert len(warnings) == bool(warning)
    assert not warning or warning in warnings[0]
