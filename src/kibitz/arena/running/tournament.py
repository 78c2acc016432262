"""A tournament among a list of players, played from beginning to end in one go, with one ranking.

    absent      players who can't play, with the reason; the ranking lists them last
    filler      a built-in player that fills empty seats; it is ranked like any other player
    unranked    a player that was excluded at the end of a round for failing too often; the ranking lists it last,
                without a rank
    store       temporary, or a file from which a stopped tournament can be resumed

The same seed gives the same ranking on any number of workers, however often the tournament was stopped and resumed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import replace
from math import inf
from pathlib import Path

import msgspec

from kibitz.arena import csv_files
from kibitz.arena.model import REGULAR, EndCondition, Submission, Threshold, Tournament
from kibitz.arena.rating.standings import Result, SeatForfeit, Standing, standings
from kibitz.arena.running import blocks
from kibitz.arena.running.next_round import TournamentScheduler
from kibitz.arena.running.pool import InProcessPool, WorkerPool
from kibitz.arena.running.runner import Runner, RunStatus, check_rules, pool_of
from kibitz.arena.schedule import DEFAULT_DEALS, FILLER_OWNER, choose_filler
from kibitz.arena.store import Store, open_store, temporary_store
from kibitz.engine.game import Game, seed_words
from kibitz.engine.player_names import clean_name, distinct_names
from kibitz.errors import MachineError, NotationError, StoreError
from kibitz.executors import Executor, executor_of
from kibitz.executors.executor import LOCAL
from kibitz.executors.local import can_start
from kibitz.executors.worker import Work, cores
from kibitz.players.limits import STANDARD, Limits
from kibitz.players.specs import PlayerSpec, find_player
from kibitz.sandbox import tier

# Entering all players at once, without checks or cool-downs.
#
# A tournament that has begun can only be resumed with exactly the same players, seed, goal, threshold and limits; if
# entering its players was interrupted, the others are entered now.


EMPTY_FILE = b"\n"
"""The content stored for an empty player file, since a submission without bytes is a built-in player."""
MAX_FILE_NAME = 255
"""The maximum number of characters of a file's name that are stored: the last ones."""


class TournamentSetup(msgspec.Struct, frozen=True):
    """The description of a tournament.

    If one of the players is also the filler, ``filler_plays`` is True; otherwise the filler is the last of ``specs``.
    ``absent`` are the names of players who cannot play, each with a sentence that says why.
    """

    game: Game
    specs: list[PlayerSpec]
    filler_plays: bool
    absent: tuple[tuple[str, str], ...]
    seed: int | None
    goal: EndCondition
    threshold: Threshold

    @property
    def limits(self) -> Limits:
        """The limits of the player files. Raises NotationError if they differ."""
        limits = {spec.limits for spec in self.specs if spec.is_file}
        if len(limits) > 1:
            raise NotationError("all player files of a tournament need the same limits.")
        return limits.pop() if limits else STANDARD


class EnteredPlayer(msgspec.Struct, frozen=True):
    """A player in the form of a submission; ``why`` says why it can't play, and is empty if it can."""

    player: str
    owner: str
    file: str
    content: bytes
    why: str = ""

    def matches(self, submission: Submission) -> bool:
        """Whether a submission in the store is this player with this file."""
        from kibitz.database.damage import digest

        return (self.player, self.file, digest(self.content)) == (submission.player, submission.file, submission.sha256)


def entered_tournament(store: Store, setup: TournamentSetup) -> Tournament:
    """The tournament with all its players entered, new or resumed.

    Raises StoreError (refused) if the store has another.
    """
    name = setup.game.name
    tournament = next((stored for stored in store.tournaments() if stored.name == name), None)
    if tournament is None:
        tournament = store.add_tournament(
            name,
            name,
            "custom",
            seed=setup.seed,
            threshold=setup.threshold,
            limits=setup.limits,
            goal=setup.goal,
        )
    check_same(store, tournament, setup)
    players, submitted = list(players_of(setup)), store.submissions(name)
    # If entering was interrupted, the store has fewer players, and the tournament is still open.
    right_number = len(submitted) == len(players) or (tournament.phase == "open" and len(submitted) < len(players))
    if not right_number or not all(
        player.matches(submission) for player, submission in zip(players, submitted, strict=False)
    ):
        raise different_tournament(store, name, "its players differ")
    if tournament.phase == "open":
        for player in players[len(submitted) :]:
            store.submit(name, player.player, player.owner, player.file, player.content)
        for player, submission in zip(players, store.submissions(name), strict=True):
            if submission.state == "waiting":
                store.record_check(submission.id, passed=not player.why, reason=player.why, report="")
        tournament = store.enter_phase(name, "frozen")
    return tournament


def players_of(setup: TournamentSetup) -> Iterator[EnteredPlayer]:
    """All players in the order in which they are entered, with names that are all different."""
    names = names_of(setup.specs, setup.absent)
    last = len(setup.specs) - 1
    for number, (name, spec) in enumerate(zip(names, setup.specs, strict=False)):
        fills = spec.built_in and number == last and not setup.filler_plays
        file, content = spec.stored_file(name)
        content = content if spec.built_in else content or EMPTY_FILE
        yield EnteredPlayer(name, FILLER_OWNER if fills else name, file[-MAX_FILE_NAME:], content)
    for name, (_, why) in zip(names[last + 1 :], setup.absent, strict=True):
        yield EnteredPlayer(name, name, name, b"", why)


def check_same(store: Store, stored: Tournament, setup: TournamentSetup) -> None:
    """Raise StoreError (refused) unless the store's tournament is the requested one."""
    if stored.goal is None:
        raise StoreError(
            "refused", f"{store.where} holds a season of {stored.name}; keep a tournament in a store of its own."
        )
    if setup.seed is not None and setup.seed != store.seed(stored.name, REGULAR):
        raise different_tournament(store, stored.name, "its seed differs")
    for difference, stored_value, requested in (
        (
            "its number of deals or its interval differs",
            stored.goal,
            msgspec.structs.replace(setup.goal, fills_last_seats=stored.goal.fills_last_seats),
        ),
        ("its rule for exclusion differs", stored.threshold, setup.threshold),
        ("its limits for player files differ", stored.limits, setup.limits),
    ):
        if stored_value != requested:
            raise different_tournament(store, stored.name, difference)


def different_tournament(store: Store, name: str, difference: str) -> StoreError:
    """The error about a tournament that differs from the one in the store."""
    return StoreError(
        "refused",
        f"{store.where} holds another tournament of {name}: {difference}. Give the same options to resume it, or "
        "another store to begin a new one.",
    )


# The tournament.


__all__ = ["PlayedTournament", "Result", "SeatForfeit", "Standing", "run"]

Progress = Callable[[int, int], None]
Note = Callable[[str], object]
STANDARD_THRESHOLD = Threshold()
GAME_COLUMNS = ("deal", "rotation", "seed", "seat", "player", "score", "win_share", "forfeit", "reason")
RANKING_COLUMNS = (
    *("rank", "player", "games", "wins", "win_share", "win_margin", "mean_score", "score_margin", "forfeits"),
    *("reasons", "status", "unknown"),
)


class PlayedTournament(msgspec.Struct, frozen=True):
    """The outcome of a tournament: the ranking and every game; ``complete`` is False if the tournament was stopped.

    ``filler`` is the name of the built-in player that filled seats, "" if no seat had to be filled. ``machine_error``
    says in a sentence how this machine failed, and is empty if it didn't.
    """

    game: str
    rules: int
    seed: int
    goal: EndCondition
    threshold: Threshold
    players: tuple[str, ...]
    filler: str
    complete: bool
    standings: tuple[Standing, ...]
    results: tuple[Result, ...]
    machine_error: str = ""

    def to_json(self) -> str:
        """Everything, as JSON."""
        return msgspec.json.format(msgspec.json.encode(self)).decode()

    def to_csv(self) -> str:
        """One line for every seat of every game: enough to compute the ranking again."""
        rows: list[tuple[csv_files.Cell, ...]] = [GAME_COLUMNS]
        for result in self.results:
            forfeits = {forfeit.seat: (forfeit.kind, forfeit.sentence) for forfeit in result.forfeits}
            for seat, player in enumerate(result.players):
                game_columns = result.deal, result.rotation, result.seed, seat
                score_columns = result.scores[seat], result.win_share(seat)
                rows.append((*game_columns, self.players[player], *score_columns, *forfeits.get(seat, ("", ""))))
        return csv_files.as_text(rows)

    def ranking_csv(self) -> str:
        """The ranking as CSV, with all reasons for forfeits; an unknown rank or margin is empty."""
        rows: list[tuple[csv_files.Cell, ...]] = [RANKING_COLUMNS]
        for line in self.standings:
            margins = ["" if margin is None else margin for margin in (line.win_margin, line.score_margin)]
            figures = line.games, line.wins, line.win_share, margins[0], line.mean_score, margins[1]
            notes = sum(line.forfeits.values()), " ".join(line.reasons), line.status, line.unknown
            rows.append((line.rank or "", line.name, *figures, *notes))
        return csv_files.as_text(rows)


def run(
    game: Game,
    specs: Sequence[PlayerSpec],
    deals: int | None,
    seed: int | None,
    workers: int | None = None,
    progress: Progress | None = None,
    *,
    max_margin: float | None = None,
    threshold: Threshold = STANDARD_THRESHOLD,
    absent: Sequence[tuple[str, str]] = (),
    in_process: bool = False,
    where: str | Path | None = None,
    on: str | None = None,
    note: Note = lambda sentence: None,
) -> PlayedTournament:
    """Play ``deals`` deals for everybody, or until no margin is above ``max_margin``.

    A margin is a share of the wins or, in games that rank by scores, a number of points of the mean score. With both
    ``deals`` and ``max_margin``, whichever is reached first ends the tournament; with neither, everybody plays 25
    deals. ``progress`` is called with (games played, expected games). ``absent`` are players who cannot play, each with
    a sentence that says why; the ranking lists them. ``where`` is a store that keeps the tournament: blocks in it are
    not played again, and the default ``seed`` is the store's.

    ``in_process`` plays in this process, for debugging; systems without worker processes (Windows) always do. ``on`` is
    an executor (``kibitz.executors``) other than this machine's cores, with workers of its own; ``note`` is called with
    sentences about it.

    Ctrl-C, SIGTERM and a closed terminal end the tournament early: the ranking then covers the complete blocks. Raises
    NotationError for numbers out of range, StoreError if the store cannot be used or holds something else, MachineError
    if this machine cannot run the players at all. Games played before a failure of the machine are kept.
    """
    check_numbers(specs, deals, max_margin, workers)
    if on is not None and in_process:
        raise NotationError("players that run in this process can't be sent elsewhere: leave out --trusted or --on.")
    if seed is not None:
        seed_words(seed)
    deals_each = DEFAULT_DEALS if deals is None and max_margin is None else deals
    goal = EndCondition(None, max_margin, deals_each, fills_last_seats=deals_each is not None)
    everybody, filler = with_filler(game, specs)
    in_this_process = in_process or (on is None and not can_start())
    with ExitStack() as stack:
        store = stack.enter_context(opened_store(where))
        max_workers = len(specs) * goal.deals_each if goal.deals_each else inf
        executor = None if in_this_process else executor_for(on, workers, max_workers)
        if executor is not None and executor.is_local:
            stack.callback(executor.end)
            start_workers(executor, game, specs)
        setup = TournamentSetup(game, everybody, filler < len(specs), tuple(absent), seed, goal, threshold)
        scheduler = TournamentScheduler(store, check_rules(entered_tournament(store, setup)))
        pool = pool_for(store, game, scheduler, everybody, executor)
        complete, machine_error = play(scheduler, pool, progress, note)
        return outcome(setup, scheduler, specs, filler, complete=complete, machine_error=machine_error)


def outcome(
    setup: TournamentSetup,
    scheduler: TournamentScheduler,
    specs: Sequence[PlayerSpec],
    filler: int,
    *,
    complete: bool,
    machine_error: str,
) -> PlayedTournament:
    """The outcome of the games in the store; it includes the filler only if the filler took an empty seat."""
    game, results = setup.game, scheduler.results()
    filler_used = any(result.players.count(filler) > (filler < len(specs)) for result in results)
    names = names_of(setup.specs if filler_used else specs, setup.absent)
    unranked = {
        number: disqualification_sentence(names[number], number, results, setup.threshold)
        for number in scheduler.progress.excluded
    }
    absent_players = enumerate(setup.absent, len(names) - len(setup.absent))
    unranked |= {number: f"{names[number]} did not play: {why}" for number, (_, why) in absent_players}
    return PlayedTournament(
        game=game.name,
        rules=game.rules.VERSION,
        seed=scheduler.store.seed(scheduler.name, REGULAR),
        goal=setup.goal,
        threshold=setup.threshold,
        players=names,
        filler=names[filler] if filler_used else "",
        complete=complete,
        standings=standings(names, results, by_score=game.by_score, unranked=unranked),
        results=results,
        machine_error=machine_error,
    )


@contextmanager
def opened_store(where: str | Path | None) -> Iterator[Store]:
    """A ``with`` block with the requested store, or a temporary one."""
    with temporary_store() if where is None else open_store(where) as store:
        yield store


def executor_for(on: str | None, workers: int | None, max_workers: float) -> Executor:
    """The executor to play on; on this machine it has at most as many workers as deals."""
    if on is None or on == LOCAL:
        count = workers or cores()
        return executor_of(LOCAL, int(min(count, max_workers)))
    return executor_of(on, workers)


def start_workers(executor: Executor, game: Game, specs: Sequence[PlayerSpec]) -> None:
    """Start the workers and their fork servers, which takes a while, before the players are entered.

    A MachineError is ignored here, since it is raised again when the tournament is played.
    """
    with suppress(MachineError):
        executor.begin()
        if any(spec.is_file for spec in specs):
            executor.prepare(Work(blocks.PREPARE_TASK, blocks.encode(blocks.Preparation(game.name, tier()))))


def pool_for(
    store: Store, game: Game, scheduler: TournamentScheduler, players: Sequence[PlayerSpec], executor: Executor | None
) -> WorkerPool | InProcessPool:
    """The pool that plays: an executor's workers if there is an executor, otherwise this process."""
    if executor is not None:
        return pool_of(store, scheduler.tournament, executor)
    entered = scheduler.players
    renamed = (replace(spec, shown_name=name) for spec, name in zip(players, entered.names, strict=True))
    return InProcessPool(game, dict(zip(entered.submissions, renamed, strict=True)), recorded=not store.temporary)


def with_filler(game: Game, specs: Sequence[PlayerSpec]) -> tuple[list[PlayerSpec], int]:
    """The players and the filler, and the filler's number; the filler is added unless it is one of the players."""
    name = choose_filler(game)
    assert name is not None
    for number, spec in enumerate(specs):
        if spec.built_in == name:
            return list(specs), number
    return [*specs, find_player(game, name)], len(specs)


def names_of(specs: Sequence[PlayerSpec], absent: Sequence[tuple[str, str]]) -> tuple[str, ...]:
    """The names of all players, made different where necessary; absent players come last."""
    return distinct_names(
        [clean_name(name) for name in (*(spec.name for spec in specs), *(name for name, _ in absent))]
    )


def play(
    scheduler: TournamentScheduler, pool: WorkerPool | InProcessPool, report: Progress | None, note: Note
) -> tuple[bool, str]:
    """Play the tournament; returns whether it is complete, and how the machine failed ("" if it didn't)."""
    played_before = scheduler.played()
    last_reported = (-1, -1)

    def report_status(status: RunStatus) -> None:
        nonlocal last_reported
        if status.note:
            note(status.note)
        counts = played_before + status.games, scheduler.progress.expected
        if report is not None and counts != last_reported:
            last_reported = counts
            report(*counts)

    runner = Runner(scheduler.store, scheduler.tournament, scheduler, pool, progress=report_status)
    try:
        return runner.run().why == "done", ""
    except KeyboardInterrupt:
        return False, ""
    except MachineError as error:
        if not scheduler.played():
            raise
        return False, str(error)


def disqualification_sentence(name: str, player: int, results: Sequence[Result], threshold: Threshold) -> str:
    """Why a player is excluded, in a sentence."""
    games = sum(result.players.count(player) for result in results)
    lost = sum(result.players[forfeit.seat] == player for result in results for forfeit in result.forfeits)
    return threshold.sentence(name, lost, games)


def check_numbers(
    specs: Sequence[PlayerSpec], deals: int | None, max_margin: float | None, workers: int | None
) -> None:
    """Raise NotationError for numbers with which no tournament can be played."""
    if not specs:
        raise NotationError("a tournament needs at least one player.")
    if deals is not None and deals < 1:
        raise NotationError(f"a tournament needs at least one deal, not {deals}.")
    if max_margin is not None and not max_margin > 0:
        raise NotationError(f"the margin to reach must be more than 0, not {max_margin:g}.")
    if workers is not None and workers < 1:
        raise NotationError(f"a tournament needs at least one worker, not {workers}.")
