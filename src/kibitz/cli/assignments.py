"""``kibitz mark``, ``assignment`` and ``similar``: marks, handouts, and submissions that share code."""

from __future__ import annotations

import secrets
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from kibitz.cli.files import check_writable, make_folder, write, write_files
from kibitz.cli.options import Count, Force, Overrides, Quiet, Seed, Workers, real_number
from kibitz.cli.screen import BOLD, DIM, Screen, progress_bar, warn
from kibitz.engine.sentences import counted, listed, printable
from kibitz.errors import ConfinementError, KibitzError, NotationError, cause

if TYPE_CHECKING:
    from kibitz.marking.assignments import Assignment, Plan
    from kibitz.marking.cases.case import Case
    from kibitz.marking.class_marking import ClassMarking, MarkingFolder
    from kibitz.marking.feedback import FeedbackSheet
    from kibitz.players.files.entries import Entries

STOPPED = 130
"""The exit status after an interruption."""


def mark(
    assignment: Annotated[str, Parameter(help="An assignment: go, bo, huxxy, cribbage-lab or poker.")],
    file: Annotated[
        Path, Parameter(help="One student's file, folder or archive, or the folder, archive or export of a class.")
    ],
    /,
    *,
    output: Annotated[
        Path | None,
        Parameter(
            name=["--output", "-o"], help="The folder for a class's marks and feedback. Default: ASSIGNMENT-marks."
        ),
    ] = None,
    only: Annotated[tuple[str, ...], Parameter(help="Mark only this function; can be repeated.")] = (),
    marks: Annotated[Path | None, Parameter(help="The marking scheme (TOML): weights, cases, limits.")] = None,
    hidden: Annotated[Count | None, Parameter(help="Number of hidden cases per function. Default: 100.")] = None,
    seconds: Annotated[
        float | None,
        Parameter(
            converter=real_number(lambda value: 0.01 <= value <= 60, "from 0.01 to 60 seconds"),
            help="CPU-time limit for each call, in seconds. Default: 4 for most functions.",
        ),
    ] = None,
    seed: Seed = None,
    workers: Workers = None,
    worksheet: Annotated[
        Path | None, Parameter(help="Moodle's grading worksheet or Canvas's gradebook to fill in.")
    ] = None,
    column: Annotated[str | None, Parameter(help="The title of the assignment's column in Canvas's gradebook.")] = None,
    overrides: Overrides = None,
    ranking: Annotated[
        Path | None,
        Parameter(help="A tournament's ranking as CSV, used by the [tournament] rule in the --marks file."),
    ] = None,
    call: Annotated[
        str | None, Parameter(help="Make only this call to one student's file, and show what happens.")
    ] = None,
    again: Annotated[
        tuple[str, ...],
        Parameter(help="Mark this student again, even if nothing has changed; can be repeated."),
    ] = (),
    quiet: Quiet = False,
) -> int:
    """Mark the functions of an assignment with published and hidden test cases. All files run in the sandbox.

    To resume after an interruption, run the same command again. It marks only what is new or has changed, and lists the
    marks that have changed since the last run.
    """
    from kibitz.marking.adjustments import OVERRIDES, adjustment_notes, choices_of, read_overrides
    from kibitz.marking.assignments import assignment as find_assignment
    from kibitz.marking.assignments import read_plan
    from kibitz.marking.case_runner import parse_call
    from kibitz.marking.class_marking import ClassMarking, MarkingFolder, check_worksheet
    from kibitz.marking.marker import key_of, submissions
    from kibitz.marking.platforms import gradebook_names
    from kibitz.marking.rubric import RUBRIC
    from kibitz.players.files.entries import PLATFORMS

    found_assignment = find_assignment(assignment)
    single_call = parse_call(found_assignment, call) if call is not None else None
    plan = read_plan(found_assignment, marks, hidden, (single_call.function,) if single_call else only, seconds)
    output_folder = output or Path(f"{found_assignment.name}-marks")
    own_table = output_folder / OVERRIDES
    override_rows = read_overrides(overrides or (own_table if own_table.exists() else None))
    submitted = submissions(found_assignment, file, choices_of(override_rows), gradebook_names(worksheet))
    check_worksheet(submitted.layout, worksheet, column)
    require_confinement()
    if submitted.note:
        warn(submitted.note)
    if single_call is not None:
        return try_call(found_assignment, plan, submitted, single_call)
    if submitted.layout == "player" and output is None:
        return mark_one(plan, submitted, file, seed)
    if submitted.layout not in PLATFORMS and file.resolve() == Path.cwd():
        warn(f"This folder is marked as a class. To mark only your own file: kibitz mark {plan.assignment} FILE")
    class_marking = ClassMarking.read(
        plan,
        submitted,
        file,
        overrides=override_rows,
        rubric=output_folder / RUBRIC,
        marks=marks,
        worksheet=worksheet,
        column=column,
        standings=ranking,
    )
    to_mark_again = [class_marking.submission_of(student) for student in again]
    option_paths = {"--marks": marks, "--worksheet": worksheet, "--overrides": overrides}
    folder = MarkingFolder(
        output_folder, plan.assignment, seed, [option for option, path in option_paths.items() if path]
    )
    for note in adjustment_notes(submitted, class_marking.adjustments, marks):
        warn(note)
    for entry in to_mark_again:
        folder.kept.forget(key_of(entry, plan, folder.seed))
    return mark_class(class_marking, folder, workers, quiet=quiet)


def require_confinement() -> None:
    """Raise ConfinementError if files would run without the sandbox."""
    from kibitz.sandbox import tier
    from kibitz.sandbox.tiers import after_colon

    sandbox_tier = tier()
    if not sandbox_tier.confines:
        raise ConfinementError(f"Files are marked only in the sandbox: {after_colon(sandbox_tier.reason)}")


def try_call(assignment: Assignment, plan: Plan, submitted: Entries, single_call: Case) -> int:
    """Make one call and print its result; returns the exit status."""
    from kibitz.marking.case_runner import make_call
    from kibitz.marking.feedback import labelled

    if len(submitted.entries) != 1 or submitted.entries[0].sources is None:
        why = submitted.entries[0].why if len(submitted.entries) == 1 else "several submissions found: name one."
        raise NotationError(why)
    screen = Screen()
    call_result = make_call(assignment, submitted.entries[0].sources, plan, single_call)
    arguments_after = f"It left its arguments as {call_result.after}." if call_result.after else ""
    for label, answer_text in (
        ("got", call_result.got),
        ("after", arguments_after),
        ("printed", call_result.prints),
        ("where", call_result.detail),
    ):
        for line in labelled(label, printable(answer_text)):
            screen.line(line)
    return 0 if call_result.ok else 2


MARKING = "Marking ... A function that never ends can take three minutes."


def mark_one(plan: Plan, submitted: Entries, path: Path, seed: int | None) -> int:
    """Mark one submission and show its page of feedback; nothing is written. Returns the exit status."""
    from kibitz.arena.signals import stopped_by_signals
    from kibitz.marking.feedback import FeedbackSheet, text_page
    from kibitz.marking.marker import KeptResults, mark_all, shown_names

    seed = secrets.randbits(32) if seed is None else seed
    screen = Screen()
    with stopped_by_signals() as stopped, screen.waiting(MARKING):
        (result,) = mark_all(submitted.entries, plan, seed, KeptResults(None), stopped=stopped)
    if result is None:
        return STOPPED
    (name,) = shown_names(submitted.entries)
    sheet = FeedbackSheet(name, submitted.entries[0], plan, result, path=str(path))
    for line in text_page(sheet).splitlines():
        screen.line(line, indent=" " * 14)
    screen.line(f"To repeat these hidden cases, add --seed {seed}.", DIM)
    return 0


def mark_class(class_marking: ClassMarking, folder: MarkingFolder, workers: int | None, *, quiet: bool) -> int:
    """Mark a class, write the results into a folder and report them; returns the exit status."""
    from kibitz.arena.signals import stopped_by_signals
    from kibitz.marking.assignments import TITLES
    from kibitz.marking.marker import mark_all
    from kibitz.marking.rubric import RUBRIC
    from kibitz.players.files.entries import PLATFORMS

    submitted = class_marking.submitted
    screen = Screen()
    kind = f"a {PLATFORMS[submitted.layout]} export" if submitted.layout in PLATFORMS else "a folder"
    title = TITLES[class_marking.plan.assignment]
    screen.line(f"{kind[:1].upper()}{kind[1:]} with {counted(len(class_marking.names), 'submission')} of {title}.")
    with (
        stopped_by_signals() as stopped,
        progress_bar("marked {} of {} submissions", "marking", quiet=quiet) as progress,
    ):
        results = mark_all(submitted.entries, class_marking.plan, folder.seed, folder.kept, workers, progress, stopped)
    marked = [result for result in results if result is not None]
    if len(marked) < len(results):
        screen.line(f"Stopped: {len(marked)} of {len(results)} are marked and kept; the same command resumes.", BOLD)
        return STOPPED
    sheets, files, table = class_marking.write(folder, marked)
    print_marks(screen, sheets)
    if folder.state.changes:
        screen.line("Changed since the last run:", BOLD)
    for change in folder.state.changes:
        screen.line(change)
    for note in class_marking.notes(table):
        screen.line(note)
    print_files(screen, folder.path, files)
    if class_marking.unassessed:
        words = f"Points are missing for {counted(class_marking.unassessed, 'submission')}"
        what_to_do = f"fill in {folder.path / RUBRIC}, and run the command again; until then they count as 0."
        screen.line(f"{words}: {what_to_do}", BOLD)
    return 0


def print_marks(screen: Screen, sheets: Sequence[FeedbackSheet]) -> None:
    """Print the table of marks, and the notes on submissions as a whole."""
    from kibitz.marking.feedback import mark_text

    names = [mark.name for mark in sheets[0].marks]
    prefix = names[0].partition("_")[0] + "_"
    prefix = prefix if all(name.startswith(prefix) for name in names) else ""
    out_of = mark_text(sheets[0].out_of)
    rows = [("#", "student", f"mark (of {out_of})", *(name.removeprefix(prefix) for name in names))]
    for number, sheet in enumerate(sheets, start=1):
        scores = [f"{mark.right}/{mark.cases}" for mark in sheet.marks]
        rows.append((str(number), sheet.name, f"{sheet.mark:.2f}", *scores))
    screen.line()
    screen.table(rows)
    screen.line()
    for sheet in sheets:
        if sheet.lecturer_notes:
            screen.line(f"{sheet.name}: {sheet.lecturer_notes}")


def print_files(screen: Screen, output: Path, files: Collection[str]) -> None:
    """Report the files that were written."""
    pages = sum(name.endswith(".html") for name in files)
    results = sum(name.startswith("results/") for name in files)
    written = [name for name in files if "/" not in name]
    written.append(f"feedback/ ({counted(pages, 'page')}, as text and as HTML)")
    if results:
        written.append(f"results/ ({results} results.json)")
    screen.line(f"Written to {output}: {', '.join(written)}.")


# ---------------------------------------------------------------- assignment

STATEMENT, TESTS, AUTOGRADER = "statement.md", "test_public.py", "autograder.zip"
WORKFLOW = ".github/workflows/public-tests.yml"
MORE_INFO = f"{STATEMENT} has the rules, and {TESTS} the published calls."


def assignment(
    assignment: Annotated[str, Parameter(help="An assignment: go, bo, huxxy, cribbage-lab or poker.")],
    /,
    *,
    output: Annotated[
        Path | None,
        Parameter(name=["--output", "-o"], help="The folder to write to. Default: only print the instructions."),
    ] = None,
    marks: Annotated[Path | None, Parameter(help="The TOML file of 'kibitz mark', for weights and limits.")] = None,
    gradescope: Annotated[
        bool, Parameter(help="Write autograder.zip instead, which marks submissions on Gradescope.")
    ] = False,
    github: Annotated[
        bool,
        Parameter(help="Add a workflow for GitHub Actions, so that the folder is a repository for GitHub Classroom."),
    ] = False,
    notebook: Annotated[bool, Parameter(help="Write the starter file as a notebook.")] = False,
    seed: Seed = None,
    force: Force = False,
) -> None:
    """Print an assignment's instructions, or write its handout: instructions, a starter file and public tests.

    With --gradescope, write an autograder instead, which shows published cases at once and hidden cases after the due
    date. With --github, the folder is also a repository whose public tests run at each push.
    """
    from kibitz.cli.games import show_rules
    from kibitz.cli.template import starter_file
    from kibitz.marking.assignments import assignment as find_assignment
    from kibitz.marking.assignments import read_plan
    from kibitz.marking.handout import public_tests, statement, workflow
    from kibitz.players.files.notebooks import file_text

    if gradescope and github:
        raise KibitzError("--gradescope and --github write different folders: give one of them.")
    found_assignment = find_assignment(assignment)
    plan = read_plan(found_assignment, marks)
    file = f"my_{found_assignment.name.replace('-', '_')}{'.ipynb' if notebook else '.py'}"
    instructions = statement(found_assignment, plan, file, TESTS)
    if output is None:
        if gradescope or github:
            raise KibitzError("--gradescope and --github need a folder: add --output FOLDER.")
        show_rules(instructions, Screen())
        warn(f"\n'kibitz assignment {found_assignment.name} -o FOLDER' writes this, {file} and {TESTS}.")
        return
    if gradescope:
        write_autograder(found_assignment, output, marks, seed, force)
        return
    contents = {
        STATEMENT: instructions,
        file: file_text(file, starter_file(found_assignment, MORE_INFO)),
        TESTS: public_tests(found_assignment, plan, file, TESTS),
    }
    if github:
        contents[WORKFLOW] = workflow(file, TESTS)
    write_files(output, contents, force)
    Screen().line(f"Written to {output}: {', '.join(contents)}.")


def write_autograder(assignment: Assignment, output: Path, marks: Path | None, seed: int | None, force: bool) -> None:
    """Write the archive that Gradescope runs, and the seed of its hidden cases."""
    from kibitz.engine.file_io import write_atomically
    from kibitz.marking.autograder import archive

    seed = secrets.randbits(32) if seed is None else seed
    target = output / AUTOGRADER
    make_folder(output)
    check_writable(target, force)
    try:
        write_atomically(target, archive(assignment, marks.read_bytes() if marks else b"", seed), force)
    except OSError as error:
        raise KibitzError(f"{target} cannot be written: {cause(error)}.") from error
    Screen().line(f"Written to {target}. The seed of its hidden cases is {seed}: keep it to yourself.")


# ---------------------------------------------------------------- similar

MAX_SHOWN = 20
"""The maximum number of pairs that are listed."""


def similar(
    folder: Annotated[Path, Parameter(help="A class: a folder, an archive or an export, as for 'kibitz mark'.")],
    /,
    *,
    starter: Annotated[
        Path | None, Parameter(help="Starter code that everybody was given, which is ignored: a file or folder.")
    ] = None,
    output: Annotated[
        Path | None, Parameter(name=["--output", "-o"], help="Write an HTML page with the passages side by side.")
    ] = None,
    force: Force = False,
) -> None:
    """Show which submissions share code: identical files, and pairs that share passages.

    Names, comments and layout are ignored. Similar code has many causes: read the passages before you judge.
    """
    from kibitz.marking.similarity import similarity
    from kibitz.marking.similarity_page import CAUTION, similarity_page

    check_writable(output, force)
    screen = Screen()
    with screen.waiting("Comparing the submissions ..."):
        found = similarity(folder, starter)
    screen.line(f"{counted(len(found.submissions), 'submission')} compared.")
    for why in found.left_out:
        screen.line(f"Not compared: {why}", BOLD)
    for identical in found.identical:
        screen.line(f"Identical: {listed([f'{name} ({file})' for name, file in identical.copies])}.")
    for names in found.groups:
        screen.line(f"A group of {len(names)}: {listed(names)}.")
    if found.pairs:
        rows = [("#", "student", "shared", "student", "shared", "passages")]
        for number, pair in enumerate(found.pairs[:MAX_SHOWN], start=1):
            first, second = (f"{share:.0%}" for share in pair.shares)
            names = printable(pair.first.name), printable(pair.second.name)
            rows.append((str(number), names[0], first, names[1], second, str(len(pair.passages))))
        screen.line()
        screen.table(rows, (1, 3))
        screen.line()
        more = len(found.pairs) + found.more - MAX_SHOWN
        if more > 0:
            screen.line(f"{counted(more, 'pair')} more.")
        screen.line(CAUTION, DIM)
    else:
        screen.line("No two submissions share much of the code that was compared.")
    if output is not None:
        write(output, similarity_page(found, folder.resolve().name), force)
        screen.line(f"The passages of each pair are in {output}.")
