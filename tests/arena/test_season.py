"""The season of ``docs/season.md`` on the command line, in small here and in full in the long tests."""

import csv
import re
import runpy
import subprocess

import pytest

from kibitz.arena import open as open_arena
from kibitz.cli import main
from tests.strategies.seats import FILES

HOME = FILES.parents[1]
DOCS = runpy.run_path(str(HOME / "docs" / "season.py"))
PAGE = (HOME / "docs" / "season.md").read_text(encoding="utf-8")


@pytest.fixture
def run_command(tmp_path, monkeypatch, capfd):
    """Run commands of the page in this process, in a temporary folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("KIBITZ_STORE", "season.sqlite")
    monkeypatch.delenv("COLUMNS", raising=False)
    (tmp_path / "examples").symlink_to(HOME / "examples")

    def run(command):
        words, _, output = command.partition(" > ")
        if not words.startswith("kibitz "):
            return subprocess.run(["sh", "-c", command], capture_output=True, text=True).stdout
        capfd.readouterr()
        main(words.split()[1:])
        told = capfd.readouterr()
        if output:
            (tmp_path / output).write_text(told.out)
            return ""
        return told.err + told.out

    return run


@pytest.mark.long
def test_the_season_page_runs_as_written_in_small(run_command, tmp_path):
    told = list(DOCS["season"](PAGE, run_command, small=True))
    said = dict(told)
    assert [command for command, _ in told] == DOCS["commands"](PAGE)
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
    played = DOCS["season"](PAGE, lambda command: DOCS["said"](command, tmp_path))
    assert stable(DOCS["rewritten"](PAGE, played)) == stable(PAGE)
