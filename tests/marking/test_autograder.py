"""The Gradescope autograder, run in a temporary folder in the way that the platform documents."""

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from kibitz.coursework.aps106 import generate_deck
from kibitz.marking.assignments import assignment
from kibitz.marking.autograder import archive
from tests.players.class_of import write_files
from tests.players.test_notebooks import notebook

MARKS = b"out_of = 10\nhidden = 3\n[functions.play]\nweight = 0\n[functions.shuffle]\nweight = 2.3\n"
RIGHT = f"def generate_deck():\n    return {generate_deck()}\n"
VISIBILITY = {"hidden", "after_due_date", "after_published", "visible"}
TOP = {
    "score": (int, float),
    "execution_time": (int, float),
    "output": str,
    "visibility": str,
    "stdout_visibility": str,
    "tests": list,
    "leaderboard": list,
    "extra_data": dict,
}
TEST = {
    "score": (int, float),
    "max_score": (int, float),
    "status": str,
    "name": str,
    "number": str,
    "output": str,
    "tags": list,
    "visibility": str,
    "extra_data": dict,
}
"""The fields that Gradescope documents, with their types."""


def run(folder, files):
    """The status of run_autograder for a submission of these files, and results.json if there is one."""
    with zipfile.ZipFile(folder / "autograder.zip") as archive_file:
        archive_file.extractall(folder / "source")
        modes = {one.filename: one.external_attr >> 16 & 0o777 for one in archive_file.infolist()}
    assert modes["run_autograder"] == modes["setup.sh"] == 0o755
    (folder / "submission").mkdir()
    write_files(folder / "submission", files)
    environment = {"KIBITZ_AUTOGRADER": str(folder), "KIBITZ_PYTHON": sys.executable}
    done = subprocess.run(["bash", folder / "source" / "run_autograder"], env=os.environ | environment, check=False)
    written = folder / "results" / "results.json"
    return done.returncode, json.loads(written.read_text()) if written.exists() else None


def check_form(found):
    """Assert that results.json has the documented form."""
    assert found.keys() <= TOP.keys()
    assert all(isinstance(value, TOP[name]) for name, value in found.items())
    for test in found["tests"]:
        assert test.keys() <= TEST.keys()
        assert all(isinstance(value, TEST[name]) for name, value in test.items())
        assert test.get("status", "passed") in {"passed", "failed"}
        assert test["visibility"] in VISIBILITY
    for one in found["leaderboard"]:
        assert one.keys() <= {"name", "value", "order"}


@pytest.mark.long
@pytest.mark.parametrize(
    ("files", "score", "note"),
    [
        ({"mine.py": RIGHT}, 10 / 5.3, ""),
        ({"mine.ipynb": notebook("%cd ..", RIGHT)}, 10 / 5.3, "The code cells of mine.ipynb were used"),
        ({"report.txt": "x"}, 0, "'report.txt' isn't a Python file: submit a .py file."),
        ({"mine.py": "print 'x'\ndef generate_deck(): pass\n"}, 0, "The file isn't valid Python"),
    ],
)
def test_autograder_marks_a_submission_as_gradescope_runs_it(tmp_path, files, score, note):
    (tmp_path / "autograder.zip").write_bytes(archive(assignment("cribbage-lab"), MARKS, 7))
    status, found = run(tmp_path, files)
    assert status == 0
    check_form(found)
    assert sum(test.get("score", 0) for test in found["tests"]) == pytest.approx(score, abs=0.005)
    assert sum(test.get("max_score", 0) for test in found["tests"]) == pytest.approx(10, abs=0.001)
    assert note.lower() in found["output"].lower()
    shown = [test for test in found["tests"] if test["visibility"] == "visible"]
    assert all("score" not in test and "hidden cases" not in test["output"] for test in shown)


@pytest.mark.long
def test_dockerfile_installs_and_starts_the_files_beside_it(tmp_path):
    (tmp_path / "autograder.zip").write_bytes(archive(assignment("cribbage-lab"), MARKS, 7))
    with zipfile.ZipFile(tmp_path / "autograder.zip") as archive_file:
        archive_file.extractall(tmp_path / "source")
    steps = [line.split(" ", 1) for line in (tmp_path / "source" / "Dockerfile").read_text().splitlines()]
    steps = [step for step in steps if step[0] != "#"]
    assert [word for word, _ in steps] == ["FROM", "COPY", "RUN", "ENV", "CMD"]
    instructions = dict(steps)
    assert instructions["COPY"] == ". /autograder/source"
    assert instructions["RUN"].endswith(" -r /autograder/source/requirements.txt")
    command = json.loads(instructions["CMD"].replace("/autograder", str(tmp_path)))
    (tmp_path / "submission").mkdir()
    (tmp_path / "submission" / "mine.py").write_text(RIGHT)
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    environment = dict([instructions["ENV"].split("=")], KIBITZ_AUTOGRADER=str(tmp_path), PATH=path)
    subprocess.run(command, env=os.environ | environment, check=True)
    check_form(json.loads((tmp_path / "results" / "results.json").read_text()))
