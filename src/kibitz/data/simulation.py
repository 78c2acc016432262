"""Any number of games played into a file: ``kibitz.simulate``.

    journal     the games already played, in ``FILE.part`` beside the file: a line with the plan, then a line for every
                chunk of finished games, each with a checksum; a chunk that a crash left incomplete is played again
    chunk       games that are finished together; memory holds a few chunks, however many games are played

Game number ``i`` depends only on the game, the players and the seed. So a simulation can be stopped, resumed and
extended by more games, and the file is the same, byte for byte, with any number of workers.
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
from kibitz.cards import short_repr
from kibitz.data.rows import FOLDER, FinishedGame, format_to_write, write_games
from kibitz.engine.file_io import can_be_file
from kibitz.engine.game import Game, fresh_seed, seed_words
from kibitz.engine.record import text
from kibitz.engine.registry import game_of
from kibitz.engine.validation import check_number
from kibitz.errors import KibitzError, NotationError, cause
from kibitz.executors import Executor
from kibitz.executors.mapping import Log, no_log
from kibitz.players.specs import AnyPlayer, AnySpec, PlayerSpec, distinct_names_of, specs_of
from kibitz.table.saved import Lock

BUSY_SENTENCE = "is being written by another simulation: wait for it, or name another file."


class SimulationPlan(msgspec.Struct, frozen=True):
    """The plan of a simulation. The same plan always gives the same games, however many are played.

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
        """The fields in which another plan differs, in words; empty if the plans are equal."""
        labels = {"files": "player files", "version": "version of Kibitz", "rules": "rules"}
        fields = (field for field in self.__struct_fields__ if getattr(self, field) != getattr(other, field))
        return ", ".join(labels.get(field, field) for field in fields)


class Journal:
    """A journal open for appending; it holds a plan (None until it is read or begun) and ``done`` games."""

    def __init__(self, target: Path) -> None:
        self.path = journal_path(target)
        self.lock = Lock(self.path, BUSY_SENTENCE)
        self.done = 0
        self.plan: SimulationPlan | None = None

    def begin(self, plan: SimulationPlan) -> None:
        """Write the plan. Raises OSError if that fails."""
        self.path.unlink(missing_ok=True)
        self.plan, self.done = plan, 0
        self.append(msgspec.json.encode(msgspec.structs.asdict(plan) | {"seed": str(plan.seed)}))

    def read_existing(self) -> SimulationPlan | None:
        """The plan in the existing journal, or None if there is none; an incomplete last line is cut off."""
        if not os.path.isfile(self.path):
            return None
        intact_end = self.done = 0
        self.plan = None
        for content, end in checked_lines(self.path):
            if self.plan is None:
                self.plan = plan_of(content)
                if self.plan is None:
                    break
            else:
                self.done += len(msgspec.json.decode(content, type=list[msgspec.Raw]))
            intact_end = end
        if self.plan is not None and intact_end < self.path.stat().st_size:
            os.truncate(self.path, intact_end)
        return self.plan

    def add(self, played: Sequence[FinishedGame]) -> None:
        """Append some more games."""
        self.append(msgspec.json.encode(played))
        self.done += len(played)

    def append(self, content: bytes) -> None:
        """Append a line with its checksum."""
        with self.path.open("ab") as file:
            file.write(b"%08x %s\n" % (crc32(content), content))

    def games(self, count: int) -> Iterator[list[FinishedGame]]:
        """The first ``count`` games, chunk by chunk."""
        lines = checked_lines(self.path)
        next(lines)
        for content, _ in lines:
            played = msgspec.json.decode(content, type=list[FinishedGame])[:count]
            count -= len(played)
            yield played
            if not count:
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
    """The intact lines at the beginning of a journal, each with the offset of its end."""
    with path.open("rb") as file:
        while line := file.readline():
            content = line[9:-1]  # after 8 hexadecimal digits and a space
            if not line.endswith(b"\n") or line[:9] != b"%08x " % crc32(content):
                return
            yield content, file.tell()


def plan_of(content: bytes) -> SimulationPlan | None:
    """The plan in a journal's first line; None if the line isn't a plan."""
    try:
        fields = msgspec.json.decode(content)
        return msgspec.convert(fields | {"seed": int(fields["seed"])}, SimulationPlan)
    except (msgspec.MsgspecError, TypeError, KeyError, ValueError):
        return None


ProgressContext = Callable[[], AbstractContextManager[Progress | None]]

MAX_GAMES = 1_000_000_000
"""The maximum number of games in one file."""
NO_FUNCTIONS = "simulate needs names or player files; play_games takes functions."


class SimulationResult(msgspec.Struct, frozen=True):
    """A simulation that has ended or was stopped: ``games`` of ``requested`` games have been played.

    ``path`` is the file or, if ``complete`` is False, the journal beside it, from which the same call resumes.
    """

    path: Path
    games: int
    requested: int
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
) -> SimulationResult:
    """Play any number ``n`` of games into a file, as ``play_games`` plays them.

    ``output`` ends in .csv, .jsonl or .parquet for a table of results, one row for every seat (docs/data.md has its
    columns). For records, it ends in .zip, or it has no ending and is a folder. With ``records``, .jsonl and .parquet
    tables hold the records too. The file appears once all games are played. Until then they are kept beside it, in
    ``OUTPUT.part``, and the same call resumes after a stop, also with more games. Players are names of built-in players
    or paths of player files. ``progress(done, n)`` is called as games end. ``on`` names an executor other than
    this machine (docs/machines.md).

    Raises KibitzError if the file exists (without ``force``), cannot be written, or was begun as another simulation;
    otherwise it raises what ``play_games`` raises.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     simulate("go-mini", ["greedy", "random"], 10, folder + "/games.csv", seed=1, workers=1).complete
    True
    """
    found_game = game_of(game)
    check_progress(progress)
    return run_plan(
        found_game,
        specs_of(found_game, players),
        n,
        checked_output_path(output),
        seed,
        workers,
        records=records,
        force=force,
        playing=lambda: nullcontext(progress),
        on=on,
    )


def checked_output_path(output: object) -> Path:
    """An argument as the path of a file to write. Raises NotationError if it isn't one."""
    if isinstance(output, str | Path) and can_be_file(output):
        return Path(output)
    raise NotationError(f"output must be the path of a file, such as 'games.csv', not {short_repr(output)}.")


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
) -> SimulationResult:
    """Do what ``simulate`` does, for players that are already found; default seed: the journal's, or else a random one.

    ``playing`` and ``writing`` show the progress of playing and writing. With ``keep_on_interrupt``, Ctrl-C ends the
    simulation early and keeps the games played so far.
    """
    if not all(isinstance(spec, PlayerSpec) for spec in specs):
        raise NotationError(NO_FUNCTIONS)
    count = check_number("n", n)
    if not 0 < count <= MAX_GAMES:
        raise NotationError(f"n must be from 1 to {MAX_GAMES:,} games, not {short_repr(n)}.")
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
        return SimulationResult(journal.path, min(journal.done, count), count, journal.plan.seed, complete=False)
    except OSError as error:
        where = f"{output} cannot be written: {cause(error)}"
        raise KibitzError(
            f"{where}; the games played so far are kept in {journal.path}." if journal.done else f"{where}."
        ) from error
    finally:
        journal.close()
    return SimulationResult(output, count, count, plan.seed)


def with_progress(
    chunks: Iterator[list[FinishedGame]], count: int, progress: Progress | None
) -> Iterator[list[FinishedGame]]:
    """The same chunks; ``progress`` is called after each."""
    done = 0
    for played in chunks:
        yield played
        done += len(played)
        if progress:
            progress(done, count)


def check_target(output: Path, kind: str, *, force: bool) -> None:
    """Raise KibitzError, before any game is played, if the file couldn't be written at the end."""
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
    """The plan to carry out: the journal's, if the same plan was begun, or a new one, written to the journal."""
    begun_plan = journal.read_existing()
    new_seed = fresh_seed() if seed is None else seed
    seed_words(new_seed)
    plan = SimulationPlan(
        game=game.name,
        rules=game.rules.VERSION,
        players=distinct_names_of(specs),
        files=tuple(spec.source_hash for spec in specs if isinstance(spec, PlayerSpec)),
        limits="; ".join(repr(spec.limits) for spec in specs if spec.is_file),
        seed=begun_plan.seed if begun_plan and seed is None else new_seed,
        records=records,
        version=__version__,
    )
    if os.path.exists(journal.path) and not force:
        if begun_plan is None:
            raise KibitzError(f"{journal.path} isn't a simulation that can be resumed: add --force to start again.")
        if difference := begun_plan.difference(plan):
            raise KibitzError(
                f"{journal.path} holds games of another simulation ({difference}): use the same options, name another"
                " file, or add --force to start again."
            )
        return plan
    if force and begun_plan == plan:
        return plan
    journal.begin(msgspec.structs.replace(plan, seed=new_seed))
    return msgspec.structs.replace(plan, seed=new_seed)


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
    renamed_specs = [
        replace(spec, shown_name=name) if isinstance(spec, PlayerSpec) else replace(spec, name=name)
        for spec, name in zip(specs, plan.players, strict=True)
    ]
    seats = islice(scheduled_games(len(specs), game.seats, plan.seed), done, count)
    for chunk in play_in_order(
        game, renamed_specs, seats, max(0, count - done), processes, executor, records=plan.records, log=log
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
