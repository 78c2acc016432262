"""The commands of the pages on seasons and for lecturers print what the pages show; most of them run in small."""

import csv
import re
import runpy
import shlex
import subprocess
from io import StringIO

import pytest

from kibitz.arena import open as open_arena
from kibitz.cli import main
from tests.strategies.seats import FILES

HOME = FILES.parents[1]
SEASON, CLASS = (runpy.run_path(str(HOME / "docs" / f"{name}.py")) for name in ("season", "lecturers"))
SEASON_PAGE, CLASS_PAGE = ((HOME / "docs" / f"{name}.md").read_text("utf-8") for name in ("season", "lecturers"))


@pytest.fixture
def run_command(tmp_path, monkeypatch, capfd):
    """Run commands of a page in this process, in a temporary folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("KIBITZ_STORE", "season.sqlite")
    monkeypatch.delenv("COLUMNS", raising=False)

    def run(command):
        words, _, output = command.partition(" > ")
        if not words.startswith("kibitz "):
            return subprocess.run(["sh", "-c", command], capture_output=True, text=True).stdout
        capfd.readouterr()
        monkeypatch.setattr("sys.stdin", StringIO())
        main(shlex.split(words)[1:])
        told = capfd.readouterr()
        if output:
            (tmp_path / output).write_text(told.out)
            return ""
        return told.err + told.out

    return run


@pytest.mark.long
def test_the_season_page_runs_as_written_in_small(run_command, tmp_path):
    (tmp_path / "examples").symlink_to(HOME / "examples")
    told = list(SEASON["season"](SEASON_PAGE, run_command, small=True))
    said = dict(told)
    assert [command for command, _ in told] == SEASON["commands"](SEASON_PAGE)
    submitted = [output for command, output in told if " submit " in command]
    assert sum("\nAccepted: version 1 of " in output for output in submitted) == 8
    assert sum("\nRefused: version 1 of " in output for output in submitted) == 2
    assert sum("minutes after the last accepted one" in output for output in submitted) == 1
    assert sum("already version 1" in output for output in submitted) == 1
    assert sum("go takes no more submissions" in output for output in submitted) == 1
    assert "2 regular rounds, 64 matches" in next(output for command, output in told if " run " in command)
    assert "is identical" in next(output for command, output in told if " replay " in command)
    assert "broken_illegal has forfeited" not in "".join(said.values())
    final = next(output for command, output in told if " final " in command)
    assert "go (finished): " in final
    assert final.count("The seed was ") == 2
    proof = next(output for command, output in told if " verify " in command)
    assert "go is verified." in proof
    assert "2 of 2 replayed matches are identical to their records" in proof
    assert told[-1][1] == "The rankings are the same.\n"
    with open("season.csv", newline="") as file:
        players = {row["player"] for row in csv.DictReader(file)}
    assert players == {"Ada", "Ben", "Chloe", "Dan", "Eve", "Finn", "Grace", "Hugo"}
    with open_arena(tmp_path / "season.sqlite") as arena:
        assert [(one.name, one.kind) for one in arena.tournaments()] == [("custom-1", "custom"), ("go", "standard")]


def stable(page):
    """A page without values that depend on machine and time: hashes of the log are numbered."""
    for number, head in enumerate(dict.fromkeys(re.findall(r"(?:latest hash|entries\)): ([0-9a-f]{64})", page))):
        page = page.replace(head, f"head {number}")
    page = re.sub(r"[\d.]+ ms of CPU time", "? ms of CPU time", page)
    page = re.sub(r"wait another .*", "wait another ?", page)
    return re.sub(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d", "?", page)


@pytest.mark.long
def test_the_season_page_matches_its_commands(tmp_path):
    (tmp_path / "examples").symlink_to(HOME / "examples")
    played = SEASON["season"](SEASON_PAGE, lambda command: SEASON["said"](command, tmp_path))
    assert stable(SEASON["rewritten"](SEASON_PAGE, played)) == stable(SEASON_PAGE)


@pytest.mark.long
def test_the_lecturers_page_runs_as_written(run_command, tmp_path):
    CLASS["lay"](tmp_path)
    shorter = CLASS["SEASON"]["SMALL"] | {r"--games \d+": "--games 2"}
    shorter.pop(r"(arena submit .*)")
    CLASS["SEASON"]["season"].__globals__["SMALL"] = shorter
    told = list(CLASS["SEASON"]["season"](CLASS_PAGE, run_command, small=True))
    assert [command for command, _ in told] == CLASS["SEASON"]["commands"](CLASS_PAGE)
    said = dict(told)
    first, again, bonus = (output for command, output in told if " submit " in command)
    for output in (first, bonus):
        assert "a Moodle export with 10 submissions, 8 of them with exactly one player" in output
        assert output.count("\naccepted ") == 6
        assert output.count("\nrefused ") == 2
        assert output.count("\nleft out ") == 2
        assert "Page Pia_1111_assignsubmission_file: 'report.pdf' isn't a Python file: submit a .py file." in output
        assert "\nno file     Jo Noble" in output
    assert again.count("\nunchanged ") == 6
    assert "0 of them new" in again
    assert {"Eve Loudon.txt", "Gus Bauer.txt", "Ida Twomey.txt"} <= set(said["ls feedback"].splitlines())
    assert "I hold ['" in said['cat "feedback/Eve Loudon.txt"']
    assert "kibitz call go player.py" in said['cat "feedback/Gus Bauer.txt"']
    table = next(output for command, output in told if command.startswith("kibitz tournament"))
    assert "a Moodle export with 10 submissions, 8 of them with exactly one player" in table
    assert "Olds Dan" in table
    assert "Page Pia did not play: 'report.pdf' isn't a Python file: submit a .py file." in table
    marks = next(output for command, output in told if command.startswith("kibitz mark"))
    assert "without a submission: Jo Noble." in marks
    assert "moodle-worksheet.csv" in marks
    assert said['cat "go-marks/feedback/Bauer Gus.txt" | head -20'].startswith("COMP10001-Go: feedback for Bauer Gus")
    final = next(output for command, output in told if " final " in command)
    assert "go (finished): 2 final rounds" in final
    assert "Cem Oz" not in final
    assert "go is verified." in said["kibitz arena verify go"]
