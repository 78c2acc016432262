"""Qualification: valid files pass, and each fault of a file is one sentence and a report to act on."""

import msgspec
import pytest

import kibitz
from kibitz.arena.entry.qualification import Report, qualify
from kibitz.errors import NotationError
from kibitz.players.check import CheckPlan, check_player
from tests.players.conftest import GO, HONEST, QUICK, go_with
from tests.strategies.seats import FILES

UNFIT = {
    "no Python": (b"def f(:\n", "isn't valid Python"),
    "a program in another language": (
        b"\x7fELF\x02\x01\x01\0\0",
        "The file holds binary data, not text: submit your Python file.",
    ),
    "not UTF-8": ("x = 'caf\xe9'\n".encode("latin-1"), "is not UTF-8 text: look at line 1, and save it as UTF-8."),
    "50 MB": (b"# padding\n" * 5_000_000, "is larger than 1 MiB, the limit for a player file."),
    "empty": (b"\xef\xbb\xbf\r\n", "The file is empty: it should define comp10001go_play and comp10001go_group."),
    "one function missing": (HONEST.split("def comp10001go_group")[0].encode(), "does not define comp10001go_group."),
    "a wrong signature": (
        HONEST.replace("player_no, hand", "hand").encode(),
        "comp10001go_play must take 3 arguments: comp10001go_play(discard_history, player_no, hand), "
        "and is defined as comp10001go_play(discard_history, hand).",
    ),
    "exits": (b"raise SystemExit\n", "called exit"),
    "waits for input": (b"input()\n", "EOFError"),
}


def content(name):
    return (FILES / f"{name}.py").read_bytes()


@pytest.mark.parametrize("what", UNFIT)
def test_an_unfit_file_is_refused_in_one_sentence(tmp_path, what):
    path = tmp_path / "mine.py"
    written, why = UNFIT[what]
    path.write_bytes(written)
    report = qualify(GO, path, games=2, limits=QUICK)
    assert not report.passed
    assert why in report.reason, report.reason
    assert "\n" not in report.reason
    assert report.reason.endswith(".")
    assert sum(not finding.ok for finding in report.findings) == 1


@pytest.mark.parametrize("name", ["mine.txt", "mine", "new\nline.py", "no\0path/x.py", "none.py", ".", "bell\a.py"])
def test_an_invalid_file_name_is_refused_in_one_sentence(tmp_path, name):
    report = qualify(GO, tmp_path / name)
    assert not report.passed
    assert report.sha256 == ""
    assert report.reason.isprintable()


def test_the_check_passes_what_the_local_check_passes(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text(HONEST)
    told = []
    report = qualify(GO, path, games=6, progress=lambda done, of: told.append((done, of)))
    assert report.passed
    assert report.reason == ""
    assert told[-1] == (6, 6)
    path.write_text(go_with("1 / 0"))
    at_home = check_player(GO, path, CheckPlan(6))
    assert qualify(GO, path, games=6).findings == at_home.findings
    assert at_home.findings[-1].kind == "exception"


def test_the_check_uses_the_given_bytes_instead_of_the_file(tmp_path):
    report = qualify(GO, tmp_path / "gone.py", HONEST.encode(), games=2)
    assert report.passed
    again = qualify(GO, tmp_path / "gone.py", b"\xef\xbb\xbf" + HONEST.encode(), games=2)
    assert again.passed
    assert report.sha256 != again.sha256


def test_a_report_reads_back_from_json(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text(go_with("return 3"))
    report = qualify(GO, path, games=2)
    assert not report.passed
    assert Report.from_json(report.to_json()) == report
    failed = report.findings[-1]
    assert failed.position
    assert "comp10001go_play([], 0, [" in failed.detail
    assert "returned 3" in failed.detail
    assert "must return one card" in failed.why
    with pytest.raises(NotationError, match="isn't a qualification report"):
        Report.from_json("{}")
    assert not msgspec.structs.replace(report, findings=(failed,)).passed


def test_games_without_an_assignment_take_the_generic_form():
    assert qualify(kibitz.game("kuhn"), "caller.py", content("poker/caller"), games=4).passed
    assert "does not define play(view, legal)" in qualify(kibitz.game("president"), "mine.py", b"x = 1").reason
    assert "is empty: it should define play(view, legal)" in qualify(kibitz.game("president"), "mine.py", b"").reason


def test_the_broken_examples_are_refused():
    for name, kind in (("broken_import", "load"), ("broken_type", "example"), ("broken_illegal", "invalid")):
        report = qualify(GO, f"{name}.py", content(f"go/{name}"))
        assert kind in [finding.kind for finding in report.findings if not finding.ok], report


@pytest.mark.long
def test_the_rarely_broken_example_passes():
    """A season asks for a hundred games: enough to find common mistakes, not all."""
    assert qualify(GO, "broken_rarely.py", content("go/broken_rarely")).passed
