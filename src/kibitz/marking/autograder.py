"""An autograder for Gradescope: a ZIP archive that marks a submission there as ``kibitz mark`` does elsewhere.

    archive     setup.sh, run_autograder, Kibitz itself, marks.toml and settings.json; with its Dockerfile, a container
                can mark submissions in the same way outside Gradescope
    harness     Gradescope runs setup.sh once, and run_autograder for each submission, in a container with the folders
                /autograder/source, /autograder/submission and /autograder/results
    tests       two for each function: students see the test of the published cases at once, and the test of the hidden
                cases after the due date

results.json has the form that Gradescope documents; it has not been tried on Gradescope itself.  Gradescope applies
its own deadlines, so a deadline in ``marks.toml`` has no effect there.

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

from kibitz.engine.sentences import printable
from kibitz.errors import ConfinementError
from kibitz.marking.assignments import Assignment, assignment, read_plan
from kibitz.marking.case_runner import mark_submission
from kibitz.marking.feedback import FeedbackSheet, mark_text
from kibitz.marking.platforms import function_output
from kibitz.marking.results import FunctionOutcome, Mark, SubmissionResult
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
# Gradescope runs this for every submission; the two variables are for use outside Gradescope.
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
OMITTED_FOLDERS = ("__pycache__", "static")
"""Folders of Kibitz that the archive leaves out."""


class Settings(msgspec.Struct, frozen=True):
    """The autograder's settings; the seed of hidden cases is text, because it may be too large for a JSON number."""

    assignment: str
    seed: str


def archive(assignment: Assignment, marks: bytes, seed: int) -> bytes:
    """The ZIP archive to upload; ``marks`` is the content of ``marks.toml``, which may be empty."""
    requirements = [requirement for requirement in requires("kibitz") or [] if "extra ==" not in requirement]
    contents = {
        "setup.sh": SETUP.encode(),
        "run_autograder": RUN.encode(),
        "Dockerfile": DOCKERFILE.encode(),
        SETTINGS: msgspec.json.encode(Settings(assignment.name, str(seed))),
        MARKS: marks,
        "requirements.txt": "".join(f"{requirement}\n" for requirement in requirements).encode(),
        **dict(package_files("kibitz", files("kibitz"))),
    }
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as zip_file:
        for name, content in contents.items():
            member = zipfile.ZipInfo(name, EPOCH)
            member.compress_type, member.create_system = zipfile.ZIP_DEFLATED, 3
            member.external_attr = (0o100755 if name in ("setup.sh", "run_autograder") else 0o100644) << 16
            zip_file.writestr(member, content)
    return out.getvalue()


def package_files(path: str, folder: Traversable) -> Iterator[tuple[str, bytes]]:
    """The path and content of every file in a folder of Kibitz, except what only the browser needs."""
    for item in sorted(folder.iterdir(), key=lambda item: item.name):
        if item.is_dir() and item.name not in OMITTED_FOLDERS:
            yield from package_files(f"{path}/{item.name}", item)
        elif item.is_file():
            yield f"{path}/{item.name}", item.read_bytes()


def grade(root: Path) -> dict[str, Any]:
    """The content of results.json for the submission in ``root``, a folder laid out as Gradescope's container is."""
    settings = msgspec.json.decode((root / "source" / SETTINGS).read_bytes(), type=Settings)
    marked_assignment = assignment(settings.assignment)
    plan = read_plan(marked_assignment, root / "source" / MARKS)
    folder = root / "submission"
    sandbox_tier = tier()
    if not sandbox_tier.confines:
        raise ConfinementError(f"Files are marked only in the sandbox: {sandbox_tier.reason}")
    entry = submission_in(folder, marked_assignment.functions)
    if entry.sources is None:
        return gradescope_results(FeedbackSheet("", entry, plan, SubmissionResult((), entry.why)))
    result = mark_submission(marked_assignment, entry.sources, plan, int(settings.seed))
    return gradescope_results(FeedbackSheet("", entry, plan, result))


def gradescope_results(sheet: FeedbackSheet) -> dict[str, Any]:
    """The content of Gradescope's results.json for a marked submission."""
    outcomes = {outcome.name: outcome for outcome in sheet.result.outcomes}
    tests = [
        test
        for number, mark in enumerate(sheet.marks, start=1)
        for test in tests_of(number, mark, outcomes.get(mark.name), sheet)
    ]
    right = sum(mark.right for mark in sheet.marks)
    return {
        "execution_time": round(sheet.result.seconds, 2),
        "output": printable("\n".join(filter(None, (sheet.note, *sheet.mark_notes, sheet.result.detail)))),
        "visibility": "visible",
        "stdout_visibility": "hidden",
        "tests": tests,
        "leaderboard": [{"name": "Hidden cases right", "value": right}],
    }


def tests_of(
    number: int, mark: Mark, outcome: FunctionOutcome | None, sheet: FeedbackSheet
) -> Iterator[dict[str, Any]]:
    """A function's tests: one of the published cases, which earns nothing, and one of the hidden cases."""
    if outcome is not None and outcome.published:
        right_text = f"{outcome.published_right} of {outcome.published} right."
        published_outcome = msgspec.structs.replace(
            outcome,
            failing_cases=tuple(case for case in outcome.failing_cases if case.published),
            unshown_edge_cases=(),
        )
        yield {
            "name": f"{mark.name}: published cases",
            "number": f"{number}.1",
            "status": "passed" if outcome.published_right == outcome.published else "failed",
            "output": f"{right_text}\n{function_output(published_outcome, sheet)}",
            "visibility": "visible",
        }
    hidden_feedback = "" if outcome is None else function_output(outcome, sheet)
    yield {
        "name": f"{mark.name}: hidden cases",
        "number": f"{number}.2",
        "score": mark.earned,
        "max_score": mark.worth,
        "output": printable(sheet.result.why) or f"{mark_text(mark.right)} of {mark.cases} right.\n{hidden_feedback}",
        "visibility": "after_due_date",
    }


def main(root: Path) -> None:
    """Mark the submission in ``root`` and write results.json; if it is missing, Gradescope reports a failure."""
    content = msgspec.json.format(msgspec.json.encode(grade(root)))
    (root / "results").mkdir(exist_ok=True)
    (root / "results" / "results.json").write_bytes(content)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
