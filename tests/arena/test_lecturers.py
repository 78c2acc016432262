"""The commands on the page for lecturers, run on a small class, print what the page shows."""

import runpy
import shlex
import subprocess
from io import StringIO

import pytest

from kibitz.cli import main
from tests.strategies.seats import FILES

HOME = FILES.parents[1]
DOCS = runpy.run_path(str(HOME / "docs" / "lecturers.py"))
PAGE = (HOME / "docs" / "lecturers.md").read_text(encoding="utf-8")


@pytest.fixture
def run_command(tmp_path, monkeypatch, capfd):
    """Run commands of the page in this process, in the folder of the class."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("KIBITZ_STORE", "season.sqlite")
    monkeypatch.delenv("COLUMNS", raising=False)
    DOCS["lay"](tmp_path)

    def run(command):
        if not command.startswith("kibitz "):
            return subprocess.run(["sh", "-c", command], capture_output=True, text=True).stdout
        capfd.readouterr()
        monkeypatch.setattr("sys.stdin", StringIO())
        main(shlex.split(command)[1:])
        output = capfd.readouterr()
        return output.err + output.out

    return run


@pytest.mark.long
def test_the_lecturers_page_runs_as_written(run_command, tmp_path):
    shorter = DOCS["SEASON"]["SMALL"] | {r"--games \d+": "--games 2"}
    shorter.pop(r"(arena submit .*)")
    DOCS["SEASON"]["season"].__globals__["SMALL"] = shorter
    told = list(DOCS["SEASON"]["season"](PAGE, run_command, small=True))
    assert [command for command, _ in told] == DOCS["SEASON"]["commands"](PAGE)
    said = dict(told)
    first, again, bonus = (output for command, output in told if " submit " in command)
    for output in (first, bonus):
        assert "a Moodle export with 10 submissions, 8 of them with exactly one player" in output
        assert output.count("\naccepted ") == 6
        assert output.count("\nrefused ") == 2
        assert output.count("\nleft out ") == 2
        assert "Page Pia_1111_assignsubmission_file: 'report.pdf' isn't a Python file: submit a .py file." in output
        assert "\nno file     Jo None" in output
    assert again.count("\nunchanged ") == 6
    assert "0 of them new" in again
    assert {"Eve Loud.txt", "Gus Bad.txt", "Ida Two.txt"} <= set(said["ls feedback"].splitlines())
    assert "I hold ['" in said['cat "feedback/Eve Loud.txt"']
    assert "kibitz call go player.py" in said['cat "feedback/Gus Bad.txt"']
    table = next(output for command, output in told if command.startswith("kibitz tournament"))
    assert "a Moodle export with 10 submissions, 8 of them with exactly one player" in table
    assert "Old Dan" in table
    assert "Page Pia did not play: 'report.pdf' isn't a Python file: submit a .py file." in table
    marks = next(output for command, output in told if command.startswith("kibitz mark"))
    assert "without a submission: Jo None." in marks
    assert "moodle-worksheet.csv" in marks
    assert said['cat "go-marks/feedback/Bad Gus.txt" | head -20'].startswith("COMP10001-Go: feedback for Bad Gus")
    final = next(output for command, output in told if " final " in command)
    assert "go (finished): 2 final rounds" in final
    assert "Cem Oz" not in final
    assert "go is verified." in said["kibitz arena verify go"]
