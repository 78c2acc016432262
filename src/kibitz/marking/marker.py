"""Marks a class: one submission for each student; each result is saved at once, so that nothing is marked twice.

    submission  an entry of ``players.files.entries``, with the files to run or the reason why there are none
    kept        the result of a submission is kept in a file, whose name is a hash of what the result depends on: the
                submission's files, the functions with their cases and limits, the seed and the version of Kibitz
    workers     processes, each with its own fork server; the results don't depend on their number

Marking can be stopped at any time; the same call resumes it, and marks only what has changed.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing import get_context
from multiprocessing.context import SpawnContext
from multiprocessing.synchronize import Event
from pathlib import Path

import msgspec

from kibitz import __version__
from kibitz.engine.file_io import write_atomically
from kibitz.engine.player_names import lookalike_keys
from kibitz.errors import MachineError
from kibitz.executors.worker import die_with_parent
from kibitz.marking.assignments import Assignment, Plan, assignment
from kibitz.marking.case_runner import StoppedError, bytes_to_hash, mark_submission
from kibitz.marking.results import SubmissionResult
from kibitz.players.files.entries import NO_CHOICES, NO_NAMES, Choices, Entries, FolderEntry, Names, players_in
from kibitz.players.files.sources import Sources
from kibitz.sandbox import Tier, adopt, tier


def submissions(assignment: Assignment, path: Path, choices: Choices = NO_CHOICES, names: Names = NO_NAMES) -> Entries:
    """All submissions in a file, a folder or an archive, in order of their paths.

    ``names`` are the students' names in a platform's own table, by number. Raises NotationError if there are no
    submissions.
    """
    return players_in(path, assignment.functions, choices, names)


def shown_names(entries: Sequence[FolderEntry]) -> list[str]:
    """The name of every submission in reports and tables.

    Names that are equal or look alike get the student's number on the platform, or the path in the class's folder.
    """
    plain, lookalike_pairs = plain_names(entries), earlier_lookalikes(entries)
    ambiguous = {*lookalike_pairs, *lookalike_pairs.values()}
    top = os.path.commonpath([os.path.dirname(entry.path) for entry in entries]) if entries else ""
    names = []
    for name, entry in zip(plain, entries, strict=True):
        path = os.path.relpath(entry.path, top or ".")
        if plain.count(name) > 1:
            name = f"{name} ({entry.id or path})"
        elif name in ambiguous:
            name = f"{name} ({entry.id or ascii(path)[1:-1]})"
        names.append(name)
    return names


def lookalikes(entries: Sequence[FolderEntry]) -> list[str]:
    """A warning for each name that looks like another student's."""
    lookalike_pairs = earlier_lookalikes(entries).items()
    return [
        f"{name!r} ({ascii(name)[1:-1]}) looks like {other!r}: these are two submissions."
        for name, other in lookalike_pairs
    ]


def earlier_lookalikes(entries: Sequence[FolderEntry]) -> dict[str, str]:
    """For each name that looks like an earlier name, the earlier name."""
    first_name: dict[str, str] = {}
    earlier = {}
    for name in plain_names(entries):
        earlier_name = next((first_name[key] for key in lookalike_keys(name) if key in first_name), name)
        if earlier_name != name:
            earlier[name] = earlier_name
        first_name |= {key: name for key in lookalike_keys(name) if key not in first_name}
    return earlier


def plain_names(entries: Sequence[FolderEntry]) -> list[str]:
    """The names of the entries, with ``?`` for unprintable characters."""
    return ["".join(c if c.isprintable() else "?" for c in entry.name).strip() or "?" for entry in entries]


MARKING_VERSION = 7
"""Increase this number whenever cases or judges change, so that old results are not reused."""
POLL_SECONDS = 0.2
"""Seconds between checks whether the marking must stop."""

Progress = Callable[[int, int], object]
ByKey = Mapping[str, FolderEntry]
"""Submissions by the key of their result (``key_of``)."""


class KeptResults:
    """Results in a folder, one file each; without a folder, in memory only."""

    def __init__(self, folder: Path | None) -> None:
        self.folder = folder
        self.results: dict[str, SubmissionResult] = {}

    def get(self, key: str) -> SubmissionResult | None:
        """A saved result, if there is a readable one."""
        if key not in self.results and self.folder is not None:
            try:
                self.results[key] = msgspec.json.decode(
                    (self.folder / f"{key}.json").read_bytes(), type=SubmissionResult
                )
            except (OSError, msgspec.DecodeError):
                return None
        return self.results.get(key)

    def forget(self, key: str) -> None:
        """Delete a saved result, if there is one."""
        self.results.pop(key, None)
        if self.folder is not None:
            (self.folder / f"{key}.json").unlink(missing_ok=True)

    def save(self, key: str, result: SubmissionResult) -> None:
        """Save a result, completely or not at all."""
        self.results[key] = result
        if self.folder is not None:
            self.folder.mkdir(parents=True, exist_ok=True)
            write_atomically(self.folder / f"{key}.json", msgspec.json.encode(result), force=True)


def key_of(entry: FolderEntry, plan: Plan, seed: int) -> str:
    """A hash of everything that the result of a submission depends on."""
    digest = bytes_to_hash(assignment(plan.assignment), plan, seed, f"{__version__} {MARKING_VERSION}")
    content = f"none: {entry.why}"
    if entry.sources is not None:
        # The key includes the file's name, because results quote it: equal files with different names need separate
        # results.
        content = f"{entry.sources.main} {entry.sources.sha256}"
    return hashlib.sha256(digest + content.encode()).hexdigest()


def mark_all(
    entries: Sequence[FolderEntry],
    plan: Plan,
    seed: int,
    kept: KeptResults,
    workers: int | None = None,
    progress: Progress = lambda done, total: None,
    stopped: Callable[[], bool] = lambda: False,
) -> list[SubmissionResult | None]:
    """The result of every submission; None for submissions not marked before ``stopped`` returned True.

    Raises MachineError if this machine cannot run them; the results so far are kept.
    """
    keys = [key_of(entry, plan, seed) for entry in entries]
    to_mark = {key: entry for key, entry in zip(keys, entries, strict=True) if kept.get(key) is None}
    for key, entry in list(to_mark.items()):
        if entry.sources is None:
            kept.save(key, SubmissionResult((), entry.why))
            del to_mark[key]
    done = len(entries) - sum(key in to_mark for key in keys)
    progress(done, len(entries))
    count = min(workers or os.cpu_count() or 1, len(to_mark))
    results = (
        mark_in_process(to_mark, plan, seed, stopped)
        if count < 2
        else mark_on_workers(to_mark, plan, seed, count, stopped)
    )
    for key, result in results:
        kept.save(key, result)
        done += keys.count(key)
        progress(done, len(entries))
    return [kept.get(key) for key in keys]


def mark_in_process(
    to_mark: ByKey, plan: Plan, seed: int, stopped: Callable[[], bool]
) -> Iterator[tuple[str, SubmissionResult]]:
    """Mark submissions in this process; yields each key with its result."""
    for key, entry in to_mark.items():
        assert entry.sources is not None
        try:
            yield key, mark_submission(assignment(plan.assignment), entry.sources, plan, seed, stopped)
        except StoppedError:
            return


def mark_on_workers(
    to_mark: ByKey, plan: Plan, seed: int, workers: int, stopped: Callable[[], bool]
) -> Iterator[tuple[str, SubmissionResult]]:
    """Mark submissions in worker processes; yields each key with its result, in the order in which they finish."""
    context = get_context("spawn")
    stop, slots = context.Event(), CaseSlots(context, workers)
    pool = ProcessPoolExecutor(workers, context, start_worker, (plan, seed, tier(), os.getpid(), stop, slots))
    waiting: dict[Future[SubmissionResult | None], str] = {}
    try:
        waiting = {pool.submit(mark_in_worker, entry.sources): key for key, entry in to_mark.items() if entry.sources}
        while waiting:
            if stopped():
                stop.set()
                for future in [future for future in waiting if future.cancel()]:  # ``wait`` would never return these
                    del waiting[future]
            ended, _ = wait(waiting, POLL_SECONDS, "FIRST_COMPLETED")
            for future in ended:
                key = waiting.pop(future)
                result = future.result()
                if result is not None:
                    yield key, result
    except BrokenProcessPool as error:
        raise MachineError(
            "A worker process died. The same command resumes; --workers 1 needs least memory."
        ) from error
    finally:
        stop.set()
        pool.shutdown(wait=True, cancel_futures=True)


class CaseSlots:
    """Each worker runs one case in a slot, and a case that must run alone takes all slots.

    While such a case waits for all slots, no other case starts.
    """

    def __init__(self, context: SpawnContext, workers: int) -> None:
        self.gate, self.slots, self.workers = context.Lock(), context.Semaphore(workers), workers

    @contextmanager
    def hold(self, alone: bool) -> Iterator[None]:
        """Hold a slot, or all of them."""
        slots = self.workers if alone else 1
        with self.gate:
            for _ in range(slots):
                self.slots.acquire()
        try:
            yield
        finally:
            for _ in range(slots):
                self.slots.release()


class WorkerState:
    """The state of a worker process between submissions."""

    plan: Plan
    seed: int
    stop: Event
    slots: CaseSlots


def start_worker(plan: Plan, seed: int, sandbox_tier: Tier, parent: int, stop: Event, slots: CaseSlots) -> None:
    """Prepare a worker process; it leaves Ctrl-C to the process that started it."""
    import signal

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    die_with_parent(parent)
    WorkerState.plan, WorkerState.seed, WorkerState.stop, WorkerState.slots = plan, seed, stop, slots
    adopt(sandbox_tier)


def mark_in_worker(sources: Sources) -> SubmissionResult | None:
    """Mark a submission in this worker process; None if the marking was stopped."""
    marked_assignment = assignment(WorkerState.plan.assignment)
    try:
        return mark_submission(
            marked_assignment,
            sources,
            WorkerState.plan,
            WorkerState.seed,
            WorkerState.stop.is_set,
            WorkerState.slots.hold,
        )
    except StoppedError:
        return None
