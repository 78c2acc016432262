"""A season as a library: the operations of the command line and of the server.

    arena       an open store with all operations that people need
    season      files are submitted and checked, rounds are played, and there is a ranking after each round
    names       tournaments are named after their games: ``go``, ``huxxy``, ``huxxy-bonus``, ``bo:players=3``; other
                tournaments of a game have names of their own; custom games are ``custom-1``, ``custom-2`` ...

>>> import kibitz.arena
>>> from pathlib import Path
>>> from tempfile import TemporaryDirectory
>>> with TemporaryDirectory() as folder, kibitz.arena.open(Path(folder) / "season.sqlite") as arena:
...     arena.begin("huxxy-bonus").kind
'bonus'

``ranking`` rates only the results of complete rounds, so it doesn't change while a round is being played.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Self, TextIO

from kibitz.arena import season_reports
from kibitz.arena.csv_files import Cell, as_text
from kibitz.arena.entry import custom_games
from kibitz.arena.entry.class_submission import ClassResult, submit_class
from kibitz.arena.entry.qualification import DEFAULT_GAMES, Report, qualify
from kibitz.arena.entry.submissions import (
    SubmissionOutcome,
    get_or_begin_tournament,
    keep_refusal,
    submit,
    withdrawn_players,
)
from kibitz.arena.model import (
    KINDS,
    Entrant,
    Failure,
    Lineup,
    MatchResult,
    Refusal,
    RosterEntry,
    Stage,
    Threshold,
    Tournament,
    Withdrawal,
)
from kibitz.arena.pairing import next_round
from kibitz.arena.proof import proving
from kibitz.arena.proof.proving import Proof, ReplayedMatch, StageSeed
from kibitz.arena.rating.export import write_csv
from kibitz.arena.running.next_round import StopCondition
from kibitz.arena.running.runner import RunResult, RunStatus, run
from kibitz.arena.season_reports import Ranking, Version, latest_stage, ranking_of, versions_of
from kibitz.arena.store import Store, open_store
from kibitz.arena.store.log import LoggedEntry
from kibitz.cards import short_repr
from kibitz.database.opening import make_folder
from kibitz.engine.game import Game
from kibitz.engine.registry import game as find_game
from kibitz.errors import KibitzError, NotationError, StoreError
from kibitz.players.files.entries import FolderEntry
from kibitz.players.files.sources import Sources
from kibitz.players.findings import Finding
from kibitz.players.limits import Limits
from kibitz.sandbox import require_confinement

STORE_VARIABLE = "KIBITZ_STORE"
"""The environment variable that names the season's store."""
DEFAULT_FILE = "arena.sqlite"
"""The name of the default store's file."""

STANDINGS_COLUMNS = (
    *("rank", "player", "owner", "identifier", "rating", "margin", "games", "win_share", "failures", "status"),
)

MAX_NAMES = 20
"""The maximum number of names that an error about an unknown player lists."""

Progress = Callable[[int, int], object]


class Arena:
    """An open season; a ``with`` statement closes it. Methods may be called from any thread."""

    def __init__(self, store: Store) -> None:
        self.store = store

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the store."""
        self.store.close()

    # tournaments

    def tournaments(self) -> tuple[Tournament, ...]:
        """All tournaments, by name."""
        return self.store.tournaments()

    def find(self, name: str) -> Tournament | None:
        """The tournament with exactly this name; None if there is none."""
        return next((tournament for tournament in self.store.tournaments() if tournament.name == name), None)

    def tournament(self, name: str) -> Tournament:
        """The tournament called ``name``, or else the tournament of the game called ``name``.

        Raises StoreError (missing) if the game has no tournament, NotationError if ``name`` is not a game either.
        """
        if found := self.find(name):
            return found
        try:
            return self.store.tournament(find_game(name).name)
        except NotationError as unknown:
            others = ", ".join(each.name for each in self.store.tournaments() if each.name != each.game)
            hint = f" There are also the tournaments {others}." if others else ""
            raise NotationError(f"{unknown}{hint}") from unknown

    def game_of(self, name: str) -> Game:
        """The game of the tournament ``name``, or the game called ``name``.

        Raises NotationError if there is neither.
        """
        tournament = self.find(name)
        return find_game(tournament.game if tournament else name)

    def begin(
        self,
        game: str,
        *,
        name: str | None = None,
        seed: int | None = None,
        threshold: Threshold | None = None,
        limits: Limits | None = None,
    ) -> Tournament:
        """Begin the tournament of a game, instead of with its first submission and a random secret seed.

        With a ``name`` it is another tournament, with its own ranking. ``limits`` apply to player files in their
        qualification and in every match. Raises StoreError (refused) for a seed, a threshold or limits if the
        tournament has already begun, and NotationError for an unknown game or an invalid name.
        """
        return get_or_begin_tournament(
            self.store, find_game(game), name=name, seed=seed, threshold=threshold, limits=limits
        )

    def submit(
        self,
        game: str,
        path: str | Path,
        name: str,
        *,
        owner: str | None = None,
        account: str | None = None,
        content: bytes | Sources | None = None,
        arrived_at: float | None = None,
        games: int = DEFAULT_GAMES,
        progress: Progress | None = None,
    ) -> SubmissionOutcome:
        """Submit a file, folder or archive as the next version of player ``name``, check it, and accept or refuse it.

        ``game`` is a game or a tournament; ``content`` is the file's bytes or all files of the player, if they have
        been read already; ``account`` is the id of the server's account that submits it; ``arrived_at`` is when the
        file arrived, if it had to wait since then; ``games`` is the number of games in the check; ``progress`` is
        called with (games played, games). Raises what ``submissions.submit`` raises, and ConfinementError if player
        files cannot be confined.
        """
        require_confinement()
        qualify_with = partial(qualify, games=games, progress=progress)
        tournament = self.tournament_to_enter(game)
        return submit(
            self.store,
            self.game_of(game),
            path,
            name,
            owner=owner,
            account=account,
            tournament=tournament,
            content=content,
            arrived_at=arrived_at,
            qualify_with=qualify_with,
        )

    def tournament_to_enter(self, name: str) -> Tournament:
        """The tournament that takes submissions for ``name``; begins it if ``name`` is a game without a tournament."""
        tournament = self.find(name)
        if tournament is not None and tournament.kind == "custom":
            raise StoreError("refused", f"{tournament.name} holds custom games, which take no submissions.")
        return tournament or get_or_begin_tournament(self.store, find_game(name))

    def submit_all(
        self,
        game: str,
        entries: Sequence[FolderEntry],
        *,
        games: int = DEFAULT_GAMES,
        workers: int | None = None,
        progress: Progress | None = None,
    ) -> ClassResult:
        """Submit all new players of a class, on all cores; ``progress`` is called with (players done, players).

        An error in one player doesn't stop the others. SIGINT, SIGTERM and a closed terminal end the submission early;
        players accepted or refused before stay so. Raises ConfinementError if player files cannot be confined.
        """
        require_confinement()
        return submit_class(
            self.store, self.tournament_to_enter(game), entries, games=games, workers=workers, progress=progress
        )

    def withdraw(self, player: str, name: str | None = None) -> tuple[Withdrawal, ...]:
        """Withdraw a player from one tournament, or from all unfinished ones, from the next round on.

        Its games still count, and a new submission brings it back. Raises StoreError (missing) for an unknown player,
        (refused) if it has already left.
        """
        tournaments = list(self.tournaments_of(player, name))
        if name is None:
            unfinished = [
                tournament for tournament in tournaments if tournament.kind != "custom" and tournament.phase != "closed"
            ]
            tournaments = [
                tournament for tournament in unfinished if player not in withdrawn_players(self.store, tournament.name)
            ]
        if not tournaments:
            raise StoreError("refused", f"{player} isn't in any open tournament.")
        return tuple(self.store.withdraw(tournament.name, player) for tournament in tournaments)

    def roster(self) -> tuple[RosterEntry, ...]:
        """The roster: players and their owners, the same for all tournaments."""
        return self.store.roster()

    def replace_roster(self, people: Sequence[RosterEntry]) -> None:
        """Replace the whole roster (``kibitz.arena.entry.roster``)."""
        self.store.replace_roster(people)

    def freeze(self, game: str) -> Tournament:
        """Stop taking submissions; ``thaw`` reopens them."""
        return self.store.enter_phase(self.rated_tournament(game).name, "frozen")

    def thaw(self, game: str) -> Tournament:
        """Reopen submissions, also after their deadline. Raises StoreError (refused) once the final has begun."""
        return self.store.enter_phase(self.rated_tournament(game).name, "open")

    def set_deadline(self, game: str, closes_at: float | None) -> Tournament:
        """Close submissions at a future time, in UTC seconds since 1970; None removes the deadline.

        Raises StoreError (refused) for a time that has passed, and if submissions are closed.
        """
        return self.store.set_deadline(self.rated_tournament(game).name, closes_at)

    def rated_tournament(self, name: str) -> Tournament:
        """The tournament called ``name``. Raises StoreError (refused) if it is a custom one, which isn't rated."""
        tournament = self.tournament(name)
        if tournament.kind == "custom":
            raise StoreError("refused", f"{tournament.name} holds custom games, which aren't rated.")
        return tournament

    # results

    def ranking(self, name: str, *, stage: Stage | None = None) -> Ranking:
        """The ranking of a tournament in a stage (default: the final once it has begun, else the regular rounds)."""
        tournament = self.tournament(name)
        return ranking_of(self.store, tournament, stage or latest_stage(tournament))

    def results(self, name: str, *, stage: Stage | None = None) -> tuple[MatchResult, ...]:
        """The results behind a tournament's ranking."""
        tournament = self.tournament(name)
        return self.store.results(tournament.name, stage=stage or latest_stage(tournament), closed=True)

    def history(self, player: str, name: str | None = None) -> tuple[Version, ...]:
        """Every version of a player, in one tournament or in all. Raises StoreError (missing) for an unknown player."""
        return tuple(
            version
            for tournament in self.tournaments_of(player, name)
            for version in versions_of(self.store, tournament, player)
        )

    def failures(self, player: str, name: str | None = None, *, newest: int | None = None) -> tuple[Failure, ...]:
        """Games that a player forfeited; with ``newest``, the latest ``newest`` per tournament."""
        by_tournament = (
            self.store.failures(tournament.name, player=player, newest=newest)
            for tournament in self.tournaments_of(player, name)
        )
        return tuple(failure for failures in by_tournament for failure in failures)

    def refusals(self, player: str, name: str | None = None) -> tuple[Refusal, ...]:
        """A player's files that were refused before they became versions, such as unreadable ones."""
        tournaments = self.tournaments_by_kind() if name is None else [self.tournament(name)]
        refusals = (refusal for tournament in tournaments for refusal in self.store.refusals(tournament.name))
        return tuple(refusal for refusal in refusals if refusal.player == player)

    def keep_refusal(self, game: str, name: str, owner: str | None, path: str | Path, error: KibitzError) -> None:
        """Record a file that was refused before it became a submission; does nothing if there is no tournament yet."""
        tournament = self.find(game) or self.find(self.game_of(game).name)
        if tournament is not None:
            keep_refusal(self.store, tournament, name, owner, str(path), error)

    def failure_report(self, failure: Failure) -> Finding:
        """A report on a failure: position, call, return value, rule, traceback, and a command that reproduces it."""
        return season_reports.failure_report(self.store, failure)

    def qualification(self, submission: int) -> Report | None:
        """The report of a submission's last check; None if no check was completed."""
        reports = [check.report for check in self.store.qualifications(submission) if check.report]
        return Report.from_json(reports[-1]) if reports else None

    def replay(self, match: str) -> ReplayedMatch:
        """Replay a match (``go/17``) from its files and its deal, and compare the records."""
        tournament, number = season_reports.parse_match_name(match)
        return proving.replay(self.store, self.tournament(tournament).name, number)

    # playing

    def run(
        self,
        name: str,
        *,
        rounds: int | None = None,
        games: int | None = None,
        max_margin: float | None = None,
        workers: int | None = None,
        wait: bool = False,
        join: bool = False,
        stop: Callable[[], bool] | None = None,
        progress: Callable[[RunStatus], object] | None = None,
        on: str = "local",
    ) -> RunResult:
        """Play until the stage has ``rounds`` rounds or ``games`` games, or no margin is above ``max_margin`` points.

        It stops earlier when ``stop`` returns True, or on SIGINT or SIGTERM. A custom tournament plays one round, or
        with an end condition as many as it needs. ``wait``: wait for players if there are too few. ``on``: another
        executor than this machine's cores, such as ``dask://HOST:PORT`` (``kibitz.executors``). ``join``: play together
        with other runners, instead of raising StoreError. Raises ConfinementError if player files cannot be confined,
        RuleError if the tournament began with another version of the rules.
        """
        tournament = self.tournament(name)
        custom = tournament.kind == "custom" and tournament.goal is None
        next_round = no_more_rounds if custom else None
        until = StopCondition(rounds=1) if custom else StopCondition(rounds, games, max_margin)
        return run(
            self.store,
            tournament.name,
            workers,
            stop=stop,
            progress=progress,
            until=until,
            next_round=next_round,
            join=join,
            wait=wait,
            on=on,
        )

    def rounds(self, name: str) -> int:
        """The number of complete rounds in the current stage."""
        tournament = self.tournament(name)
        return self.store.extent(tournament.name, latest_stage(tournament)).rounds

    def final(self, name: str, *, seed: int | None = None) -> Tournament:
        """Begin the final with the secret seed ``seed`` (default: random); play it with ``run``, close it with ``end``.

        A final that has begun doesn't change. Raises StoreError (refused) while submissions are open, and after the
        final.
        """
        tournament = self.rated_tournament(name)
        if tournament.phase_at(self.store.now()) == "open":
            still_open = f"{tournament.name} still takes submissions"
            raise StoreError("refused", f"{still_open}; close them first with 'kibitz arena freeze {tournament.name}'.")
        if tournament.phase == "closed":
            raise StoreError("refused", f"{tournament.name} is finished.")
        if not self.store.entrants(tournament.name):
            no_players = f"a final of {tournament.name} needs a player, but none can play"
            raise StoreError(
                "refused", f"{no_players}; reopen submissions with 'kibitz arena freeze {tournament.name} --undo'."
            )
        return self.store.enter_phase(tournament.name, "final", seed=None if tournament.phase == "final" else seed)

    def end(self, name: str) -> Tournament:
        """Close a tournament: it plays no more games, and its seeds are public."""
        return self.store.enter_phase(self.tournament(name).name, "closed")

    def export(self, name: str, out: TextIO, *, stage: Stage | None = None) -> int:
        """Write the results of complete rounds as CSV, from one stage or (default) both; returns the match count."""
        tournament = self.tournament(name)
        results = self.store.results(tournament.name, stage=stage, closed=True)
        hashes = {submission.id: submission.sha256 for submission in self.store.submissions(tournament.name)}
        return write_csv(out, results, hashes)

    def standings_csv(self, name: str, *, stage: Stage | None = None) -> str:
        """A ranking as CSV, with each player's owner and the number that the roster has for it."""
        ranking = self.ranking(name, stage=stage)
        numbers = {entry.player: entry.number for entry in self.roster()}
        rows: list[tuple[Cell, ...]] = [STANDINGS_COLUMNS]
        for row in ranking.rows:
            owner = "" if row.fills else self.history(row.player, ranking.tournament.name)[-1].submission.owner
            rating = ["" if value is None else round(value, 2) for value in (row.points, row.margin)]
            identity = row.rank or "", row.player, owner, numbers.get(row.player, "")
            rows.append((*identity, *rating, row.games, round(row.win_share, 4), row.failures, row.status))
        return as_text(rows)

    # custom games, published seeds and proofs

    def begin_custom(self, game: str, players: Sequence[str], *, deals: int = 1, seed: int | None = None) -> Tournament:
        """An unrated tournament of custom games between chosen players; play it with ``run``."""
        known_game = self.game_of(game)
        source = self.find(game) or self.find(known_game.name)
        return custom_games.begin_custom(self.store, known_game, players, deals, seed, source)

    def stage_seeds(self, name: str) -> tuple[StageSeed, ...]:
        """The commitments of a tournament's stages, with the published seeds."""
        return proving.stage_seeds(self.store, self.tournament(name))

    def proofs(self, name: str, progress: Progress | None = None, *, published: Sequence[str] = ()) -> Iterator[Proof]:
        """Recompute a tournament from its records, files, seeds and log, and compare.

        ``progress`` is called with (rows checked, rows). ``published`` are hashes of the log that were published: each
        must still be in the log.
        """
        return proving.proofs(self.store, self.tournament(name), next_round, progress, published)

    def log(self, name: str) -> tuple[LoggedEntry, ...]:
        """A tournament's log, oldest entry first, each with its hash."""
        return self.store.log(self.tournament(name).name)

    def replays(self, name: str, count: int, progress: Progress | None = None) -> Iterator[Proof]:
        """Replay up to ``count`` matches of a tournament, and compare them with their records.

        ``progress`` is called with (matches replayed, matches to replay).
        """
        report_progress = progress or (lambda replayed, matches: None)
        return proving.replay_sample(self.store, self.tournament(name), count, report_progress)

    def tournaments_of(self, player: str, name: str | None) -> tuple[Tournament, ...]:
        """The tournaments that a player has entered, or only the tournament ``name``.

        Raises StoreError (missing) if none.
        """
        known = set()
        entered = []
        for tournament in self.tournaments_by_kind() if name is None else (self.tournament(name),):
            players = {submission.player for submission in self.store.submissions(tournament.name)}
            known |= players
            entered += [tournament] if player in players else []
        if not entered:
            names = f"{', '.join(sorted(known)[:MAX_NAMES])}{' ...' * (len(known) > MAX_NAMES)}"
            hint = f"; known players: {names}." if known else ": nobody has entered yet."
            within = f" in {name}" if name else ""
            raise StoreError("missing", f"unknown player {short_repr(player)}{within}{hint}")
        return tuple(entered)

    def tournaments_by_kind(self) -> list[Tournament]:
        """All tournaments: standard, bonus and custom ones, each kind from the oldest to the newest."""
        return sorted(self.tournaments(), key=lambda tournament: (KINDS.index(tournament.kind), tournament.id))


def default_store() -> Path:
    """The path of a season's default store."""
    from platformdirs import user_data_path

    return user_data_path("kibitz") / DEFAULT_FILE


def open(where: str | Path | None = None, *, create: bool = True, clock: Callable[[], float] | None = None) -> Arena:
    """The season in a store: a file's path (SQLite), or a URL ``postgresql://user:password@host/database``.

    The default is the store that KIBITZ_STORE names, or else one in the user's data folder. ``clock`` replaces the
    store's clock; it returns UTC seconds since 1970. Raises StoreError if the store can't be used.
    """
    where = where or os.environ.get(STORE_VARIABLE) or default_store()
    if create and where == default_store():
        make_folder(default_store())
    return Arena(open_store(where, create=create, clock=clock))


def no_more_rounds(
    seed: int, number: int, seats: int, entrants: Sequence[Entrant], results: Sequence[MatchResult]
) -> Sequence[Lineup]:
    """The pairing of a custom tournament, whose only round was scheduled when it began: no further lineups."""
    return ()
