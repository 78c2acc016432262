"""Any number of games played into a file: ``kibitz.simulate``.

    journal     the games already played, in ``FILE.part`` beside the file: a line with the plan, then a line for every
                chunk of finished games, each with a checksum; a chunk torn by a crash is played again
    chunk       games that are finished together; memory holds a few chunks, however many games are played

Game ``i`` follows from game, players and seed alone, so a simulation may be stopped, resumed, and asked for more games
than at first; and on any number of workers the file is the same to the last byte.
"""

from __future__ import annotations

import os
from binascii import crc32
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from itertools import islice
from pathlib import Path

import msgspec

from kibitz import __version__
from kibitz.arena.chunks import GameResult, ScheduledGame
from kibitz.arena.games import Progress, check_progress, checked_counts, executor_for, play_in_order, scheduled_games
from kibitz.arena.running.blocks import renamed_player
from kibitz.cards import shown
from kibitz.data.rows import FOLDER, FinishedGame, format_to_write, write_games
from kibitz.engine.file_io import can_be_file
from kibitz.engine.game import Game, fresh_seed, seed_words
from kibitz.engine.record import text
from kibitz.engine.registry import game_of
from kibitz.engine.validation import check_number
from kibitz.errors import KibitzError, NotationError, cause
from kibitz.executors import Executor
from kibitz.executors.mapping import Log, no_log
from kibitz.players.specs import AnyPlayer, AnySpec, PlayerSpec, names_of, specs_of
from kibitz.table.saved import Lock

BUSY_SENTENCE = "is being written by another simulation: wait for it, or name another file."


class SimulationPlan(msgspec.Struct, frozen=True):
    """The plan of a simulation; the same plan always gives the same games, in any number.

    players     names, and for player files the SHA-256 of their content
    records     whether the records of the games are kept
    """

    game: str
    rules: int
    players: tuple[str, ...]
    files: tuple[str, ...]
    limits: str
    seed: int
    records: bool
    version: str

    def difference(self, other: SimulationPlan) -> str:
        """What differs in another plan; empty if they are equal."""
        differing = {"files": "player files", "version": "version of Kibitz", "rules": "rules"}
        fields = (field for field in self.__struct_fields__ if getattr(self, field) != getattr(other, field))
        return ", ".join(differing.get(field, field) for field in fields)


class Journal:
    """A journal open for appending; it already holds ``done`` games."""

    def __init__(self, target: Path) -> None:
        self.path = journal_path(target)
        self.lock = Lock(self.path, BUSY_SENTENCE)
        self.done = 0
        self.plan: SimulationPlan | None = None

    def begin(self, plan: SimulationPlan) -> None:
        """Write the plan; OSError if that fails."""
        self.path.unlink(missing_ok=True)
        self.plan, self.done = plan, 0
        self.append(msgspec.json.encode(msgspec.structs.asdict(plan) | {"seed": str(plan.seed)}))

    def read_existing(self) -> SimulationPlan | None:
        """The plan in the existing journal, or None; an incomplete last line is cut off."""
        if not os.path.isfile(self.path):
            return None
        good = self.done = 0
        self.plan = None
        for content, end in checked_lines(self.path):
            if self.plan is None:
                self.plan = plan_of(content)
                if self.plan is None:
                    break
            else:
                self.done += len(msgspec.json.decode(content, type=list[msgspec.Raw]))
            good = end
        if self.plan is not None and good < self.path.stat().st_size:
            os.truncate(self.path, good)
        return self.plan

    def add(self, played: Sequence[FinishedGame]) -> None:
        """Append some more games."""
        self.append(msgspec.json.encode(played))
        self.done += len(played)

    def append(self, content: bytes) -> None:
        """Append a line with its checksum."""
        with self.path.open("ab") as file:
            file.write(b"%08x %s\n" % (crc32(content), content))

    def games(self, most: int) -> Iterator[list[FinishedGame]]:
        """The first ``most`` games, chunk by chunk."""
        lines = checked_lines(self.path)
        next(lines)
        for content, _ in lines:
            played = msgspec.json.decode(content, type=list[FinishedGame])[:most]
            most -= len(played)
            yield played
            if not most:
                return

    def delete(self) -> None:
        """Delete the journal: the games are in their file."""
        self.path.unlink(missing_ok=True)

    def close(self) -> None:
        """Close the journal, so that others can use it."""
        self.lock.release()


def journal_path(target: Path) -> Path:
    """The path of a file's journal."""
    return target.with_name(f"{target.name}.part")


def checked_lines(path: Path) -> Iterator[tuple[bytes, int]]:
    """The intact lines at the beginning of a journal, each with its end."""
    with path.open("rb") as file:
        while line := file.readline():
            content = line[9:-1]
            if not line.endswith(b"\n") or line[:9] != b"%08x " % crc32(content):
                return
            yield content, file.tell()


def plan_of(content: bytes) -> SimulationPlan | None:
    """The plan in the first line; None if it isn't one."""
    try:
        found = msgspec.json.decode(content)
        return msgspec.convert(found | {"seed": int(found["seed"])}, SimulationPlan)
    except (msgspec.MsgspecError, TypeError, KeyError, ValueError):
        return None


def check_same_plan(found: SimulationPlan, wanted: SimulationPlan, path: Path) -> None:
    """Raise KibitzError unless the plan begun is the plan requested."""
    if differ := found.difference(wanted):
        raise KibitzError(
            f"{path} holds games of another simulation ({differ}): use the same options, name another file, or add"
            " --force to start again."
        )


ProgressContext = Callable[[], AbstractContextManager[Progress | None]]

MAX_GAMES = 1_000_000_000
"""The most games of one file."""
NO_FUNCTIONS = "simulate needs names or player files; play_games takes functions."


class Simulated(msgspec.Struct, frozen=True):
    """The state of a simulation: the path, how many games of how many, and the seed.

    ``path`` is the file; while ``complete`` is False it is the journal beside it, and the same call resumes.
    """

    path: Path
    games: int
    wanted: int
    seed: int
    complete: bool = True


def simulate(
    game: Game | str,
    players: Sequence[AnyPlayer],
    n: int,
    output: str | Path,
    seed: int = 0,
    workers: int | None = None,
    *,
    records: bool = False,
    force: bool = False,
    progress: Progress | None = None,
    on: str | None = None,
) -> Simulated:
    """Play ``n`` games as ``play_games`` does, into a file, however many they are.

    ``output`` ends in .csv, .jsonl or .parquet for a table of results, one row for every seat (docs/data.md has its
    columns), or for records in .zip or, for a folder, without an ending; with ``records``, .jsonl and .parquet hold
    records too. The file appears once all games are played; until then they are kept beside it, in ``OUTPUT.part``, and
    the same call resumes after a stop, also with more games. Players are names of built-in players or paths of player
    files. ``progress(done, n)`` is called as games end. ``on`` is another executor than this machine
    (docs/machines.md).

    KibitzError if the file exists (without ``force``), cannot be written, or was begun as another simulation; otherwise
    it raises what ``play_games`` raises.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     simulate("go-mini", ["greedy", "random"], 10, folder + "/games.csv", seed=1, workers=1).complete
    True
    """
    found = game_of(game)
    check_progress(progress)
    return run_plan(
        found,
        specs_of(found, players),
        n,
        path_of(output),
        seed,
        workers,
        records=records,
        force=force,
        playing=lambda: nullcontext(progress),
        on=on,
    )


def path_of(output: object) -> Path:
    """The path of a file to be written."""
    if isinstance(output, str | Path) and can_be_file(output):
        return Path(output)
    raise NotationError(f"output must be the path of a file, such as 'games.csv', not {shown(output)}.")


def run_plan(
    game: Game,
    specs: Sequence[AnySpec],
    n: int,
    output: Path,
    seed: int | None,
    workers: int | None,
    *,
    records: bool,
    force: bool,
    playing: ProgressContext,
    writing: ProgressContext = lambda: nullcontext(None),
    keep_on_interrupt: bool = False,
    on: str | None = None,
    log: Log = no_log,
) -> Simulated:
    """What ``simulate`` does, with players already found; the default seed is that of the journal, else random.

    ``playing`` and ``writing`` show the progress of playing and writing. With ``keep_on_interrupt``, Ctrl-C ends it
    early and keeps the games played so far.
    """
    if not all(isinstance(spec, PlayerSpec) for spec in specs):
        raise NotationError(NO_FUNCTIONS)
    count = check_number("n", n)
    if not 0 < count <= MAX_GAMES:
        raise NotationError(f"n must be from 1 to {MAX_GAMES:,} games, not {shown(n)}.")
    _, processes = checked_counts(min(count, 1000), seed or 0, workers)
    kind, records = format_to_write(output, records=records)
    check_target(output, kind, force=force)
    journal = Journal(output)
    try:
        plan = journalled_plan(journal, game, specs, seed, records=records, force=force)
        with playing() as report, executor_for(on, workers, processes) as executor:
            for played in remaining_games(game, specs, plan, journal.done, count, processes, executor, log):
                journal.add(played)
                if report:
                    report(min(journal.done, count), count)
        with writing() as report:
            chunks = with_progress(journal.games(count), count, report)
            write_games(output, kind, chunks, game.name, plan.rules, records=records, force=force)
        journal.delete()
    except KeyboardInterrupt:
        if not keep_on_interrupt or journal.plan is None:
            raise
        return Simulated(journal.path, min(journal.done, count), count, journal.plan.seed, complete=False)
    except OSError as error:
        where = f"{output} cannot be written: {cause(error)}"
        raise KibitzError(
            f"{where}; what is played is kept in {journal.path}." if journal.done else f"{where}."
        ) from error
    finally:
        journal.close()
    return Simulated(output, count, count, plan.seed)


def with_progress(
    chunks: Iterator[list[FinishedGame]], count: int, progress: Progress | None
) -> Iterator[list[FinishedGame]]:
    """The same chunks, reporting progress."""
    done = 0
    for played in chunks:
        yield played
        done += len(played)
        if progress:
            progress(done, count)


def check_target(output: Path, kind: str, *, force: bool) -> None:
    """Raise KibitzError for a file that couldn't be written at the end, before any game is played."""
    if not os.path.isdir(output.absolute().parent):
        raise KibitzError(f"{output} cannot be written: there is no folder {output.absolute().parent}.")
    if kind == FOLDER and os.path.isdir(output) and (force or not any(output.iterdir())):
        return
    if kind != FOLDER and os.path.isfile(output) and force:
        return
    if os.path.lexists(output):
        raise KibitzError(f"{output} already exists: name another file, or add --force to overwrite it.")


def journalled_plan(
    journal: Journal, game: Game, specs: Sequence[AnySpec], seed: int | None, *, records: bool, force: bool
) -> SimulationPlan:
    """The plan with its journal: the one already begun, if it is the same, or a new one."""
    found = journal.read_existing()
    drawn = fresh_seed() if seed is None else seed
    seed_words(drawn)
    plan = SimulationPlan(
        game=game.name,
        rules=game.rules.VERSION,
        players=names_of(specs),
        files=tuple(spec.source_hash for spec in specs if isinstance(spec, PlayerSpec)),
        limits="; ".join(repr(spec.limits) for spec in specs if spec.is_file),
        seed=found.seed if found and seed is None else drawn,
        records=records,
        version=__version__,
    )
    if os.path.exists(journal.path) and not force:
        if found is None:
            raise KibitzError(f"{journal.path} isn't a simulation that can be resumed: add --force to start again.")
        check_same_plan(found, plan, journal.path)
        return plan
    if force and found == plan:
        return plan
    journal.begin(msgspec.structs.replace(plan, seed=drawn))
    return msgspec.structs.replace(plan, seed=drawn)


def remaining_games(
    game: Game,
    specs: Sequence[AnySpec],
    plan: SimulationPlan,
    done: int,
    count: int,
    processes: int,
    executor: Executor | None,
    log: Log,
) -> Iterator[list[FinishedGame]]:
    """The remaining games, chunk by chunk, in order."""
    differing = [
        renamed_player(spec, name) if isinstance(spec, PlayerSpec) else replace(spec, name=name)
        for spec, name in zip(specs, plan.players, strict=True)
    ]
    seats = islice(scheduled_games(len(specs), game.seats, plan.seed), done, count)
    for chunk in play_in_order(
        game, differing, seats, max(0, count - done), processes, executor, records=plan.records, log=log
    ):
        yield [finished_game(scheduled, result, plan) for scheduled, result in chunk]


def finished_game(scheduled: ScheduledGame, result: GameResult, plan: SimulationPlan) -> FinishedGame:
    """The data kept of a game."""
    return FinishedGame(
        match=scheduled.number,
        deal=scheduled.deal,
        rotation=scheduled.rotation,
        seed=str(scheduled.seed),
        players=tuple(plan.players[player] for player in scheduled.players),
        scores=result.scores,
        winners=result.winners,
        length=result.length,
        forfeits=tuple((forfeit.seat, forfeit.kind, forfeit.sentence) for forfeit in result.forfeits),
        record=text(result.record) if result.record else "",
    )
