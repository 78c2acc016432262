"""An autograder for Gradescope: a ZIP archive that marks a submission there as ``kibitz mark`` does here.

    archive     setup.sh, run_autograder, and beside them Kibitz itself, marks.toml and settings.json; a Dockerfile
                makes a container of the same, for elsewhere
    harness     Gradescope runs setup.sh once, and run_autograder for each submission, in a container with the folders
                /autograder/source, /autograder/submission and /autograder/results
    tests       two for each function: the published cases at once, the hidden ones after the due date

results.json has the form that Gradescope documents; it has not been tried on Gradescope itself.  Gradescope applies
deadlines, so a deadline in ``marks.toml`` is not used there.

    python -m kibitz.marking.autograder ROOT    what run_autograder calls
"""

from __future__ import annotations

import io
import sys
import zipfile
from collections.abc import Iterator
from importlib.metadata import requires
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

import msgspec

from kibitz.errors import ConfinementError
from kibitz.marking.asking import mark_submission
from kibitz.marking.assignments import Assignment, assignment, read_plan
from kibitz.marking.feedback import Sheet, mark_text, visible
from kibitz.marking.platforms import function_output
from kibitz.marking.results import FunctionOutcome, Mark, Marked
from kibitz.players.files.entries import submission_in
from kibitz.players.files.sources import EPOCH
from kibitz.sandbox import tier

SETUP = """#!/usr/bin/env bash
# Gradescope runs this once, when the autograder's image is built.
set -e
apt-get update
apt-get install -y python3.11 python3.11-venv
python3.11 -m venv /autograder/venv
/autograder/venv/bin/pip install -r /autograder/source/requirements.txt
"""
RUN = """#!/usr/bin/env bash
# Gradescope runs this for every submission; the two variables are for other places.
set -e
root="${KIBITZ_AUTOGRADER:-/autograder}"
python="${KIBITZ_PYTHON:-$root/venv/bin/python}"
cd "$root/source"
PYTHONPATH="$root/source" "$python" -m kibitz.marking.autograder "$root"
"""
DOCKERFILE = """# Marks a submission as Gradescope does, in a container of your own.  In this folder:
#   docker build -t marker .
#   docker run --rm -v SUBMISSION:/autograder/submission:ro -v RESULTS:/autograder/results marker
# SUBMISSION and RESULTS are absolute paths of folders; results.json is written to RESULTS.
# The image holds the seed of the hidden cases: keep it to yourself.
FROM python:3.12-slim
COPY . /autograder/source
RUN pip install --no-cache-dir -r /autograder/source/requirements.txt
ENV KIBITZ_PYTHON=python
CMD ["bash", "/autograder/source/run_autograder"]
"""
SETTINGS, MARKS = "settings.json", "marks.toml"
LEFT_OUT = ("__pycache__", "static")


class Settings(msgspec.Struct, frozen=True):
    """The settings; the seed of the hidden cases is text, because it may be too large for a JSON number."""

    assignment: str
    seed: str


def archive(found: Assignment, marks: bytes, seed: int) -> bytes:
    """The ZIP archive to upload; ``marks`` is the TOML file, which may be empty."""
    needed = [one for one in requires("kibitz") or [] if "extra ==" not in one]
    contents = {
        "setup.sh": SETUP.encode(),
        "run_autograder": RUN.encode(),
        "Dockerfile": DOCKERFILE.encode(),
        SETTINGS: msgspec.json.encode(Settings(found.name, str(seed))),
        MARKS: marks,
        "requirements.txt": "".join(f"{one}\n" for one in needed).encode(),
        **dict(package("kibitz", files("kibitz"))),
    }
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as made:
        for name, content in contents.items():
            member = zipfile.ZipInfo(name, EPOCH)
            member.compress_type, member.create_system = zipfile.ZIP_DEFLATED, 3
            member.external_attr = (0o100755 if name in ("setup.sh", "run_autograder") else 0o100644) << 16
            made.writestr(member, content)
    return out.getvalue()


def package(path: str, folder: Traversable) -> Iterator[tuple[str, bytes]]:
    """Every file of Kibitz by its path, except the browser's."""
    for one in sorted(folder.iterdir(), key=lambda one: one.name):
        if one.is_dir() and one.name not in LEFT_OUT:
            yield from package(f"{path}/{one.name}", one)
        elif one.is_file():
            yield f"{path}/{one.name}", one.read_bytes()


def grade(root: Path) -> dict[str, Any]:
    """The content of results.json for the submission in a folder as Gradescope lays it out."""
    settings = msgspec.json.decode((root / "source" / SETTINGS).read_bytes(), type=Settings)
    found = assignment(settings.assignment)
    plan = read_plan(found, root / "source" / MARKS)
    place = root / "submission"
    confined = tier()
    if not confined.rated:
        raise ConfinementError(f"Files are marked only in the sandbox: {confined.reason}")
    entry = submission_in(place, found.functions)
    if entry.sources is None:
        return results(Sheet("", entry, plan, Marked((), entry.why)))
    return results(Sheet("", entry, plan, mark_submission(found, entry.sources, plan, int(settings.seed))))


def results(sheet: Sheet) -> dict[str, Any]:
    """A marked submission as Gradescope's results.json."""
    outcomes = {outcome.name: outcome for outcome in sheet.marked.outcomes}
    tests = [
        test
        for number, mark in enumerate(sheet.marks, start=1)
        for test in tests_of(number, mark, outcomes.get(mark.name), sheet)
    ]
    right = sum(mark.right for mark in sheet.marks)
    return {
        "execution_time": round(sheet.marked.seconds, 2),
        "output": visible("\n".join(filter(None, (sheet.note, *sheet.about_files, sheet.marked.detail)))),
        "visibility": "visible",
        "stdout_visibility": "hidden",
        "tests": tests,
        "leaderboard": [{"name": "Hidden cases right", "value": right}],
    }


def tests_of(number: int, mark: Mark, outcome: FunctionOutcome | None, sheet: Sheet) -> Iterator[dict[str, Any]]:
    """The two tests of a function: published cases, which earn nothing, and hidden ones."""
    if outcome is not None and outcome.shown:
        shown = msgspec.structs.replace(
            outcome, failings=tuple(one for one in outcome.failings if one.published), more=()
        )
        yield {
            "name": f"{mark.name}: published cases",
            "number": f"{number}.1",
            "status": "passed" if outcome.shown_right == outcome.shown else "failed",
            "output": f"{outcome.shown_right} of {outcome.shown} right.\n{function_output(shown, sheet)}",
            "visibility": "visible",
        }
    hidden = "" if outcome is None else function_output(outcome, sheet)
    yield {
        "name": f"{mark.name}: hidden cases",
        "number": f"{number}.2",
        "score": round(mark.earned, 4),  # Gradescope adds these: with two digits, thirteen thirteenths gave 99.97
        "max_score": round(mark.worth, 4),
        "output": visible(sheet.marked.why) or f"{mark_text(mark.right)} of {mark.cases} right.\n{hidden}",
        "visibility": "after_due_date",
    }


def main(root: Path) -> None:
    """Mark the submission below ``root`` and write results.json; without that file Gradescope reports a failure."""
    found = msgspec.json.format(msgspec.json.encode(grade(root)))
    (root / "results").mkdir(exist_ok=True)
    (root / "results" / "results.json").write_bytes(found)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
