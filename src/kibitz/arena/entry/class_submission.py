"""Submits a whole class: all players of a folder are checked on all cores, independently of each other.

    entry       one player of the folder, or the reason why it isn't one (``kibitz.players.files.entries``)
    number      the student's number on the learning platform, such as Moodle, if the entry comes from its export
    name        the name on the roster, found by the number or by the name; an entry that isn't on the roster keeps its
                own name, followed by the number if several entries have the same name
    owner       the player's present owner if it has one; else the owner on the roster; else the number; else the name
    to check    a player that has no version yet, whose latest version is a different file, or whose latest check didn't
                finish; only such players are checked

Workers check files and can't see the store; this process enters the files and the results of their checks.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Literal

import msgspec

from kibitz.arena.entry.qualification import TASK, CheckOrder, Report, encode
from kibitz.arena.entry.roster import normalised
from kibitz.arena.entry.submissions import (
    check_no_lookalike,
    checked_name,
    enter,
    interruption_reason,
    keep_refusal,
    last_withdrawn,
    normal_form,
    owner_of,
    was_interrupted,
)
from kibitz.arena.model import RosterEntry, Submission, Tournament
from kibitz.arena.signals import interrupted_by_signals
from kibitz.arena.store import Store
from kibitz.engine.game import Game
from kibitz.engine.player_names import clean_name
from kibitz.engine.registry import game as find_game
from kibitz.errors import KibitzError
from kibitz.executors.executor import LOCAL, Executor, executor_of
from kibitz.executors.worker import Done, ExecutorReport, Failed, Heartbeat, Note, Work
from kibitz.players.files.entries import FolderEntry
from kibitz.players.files.sources import Sources
from kibitz.sandbox import tier

State = Literal["accepted", "refused", "unchanged", "not entered", "interrupted"]
Progress = Callable[[int, int], object]
MAX_TRIES = 2
"""How many times a file is checked if its worker dies."""
POLL_SECONDS = 0.5
"""Seconds between checks for a stop."""


class PlayerOutcome(msgspec.Struct, frozen=True):
    """The outcome for one player of a class; ``why`` is a sentence on why it isn't accepted, empty if it is.

    For a player that was not entered, ``version`` is 0, and ``player`` is the name that it would have had.
    """

    player: str
    path: str
    state: State
    version: int = 0
    why: str = ""
    plays: bool = False
    """Whether a version of the player takes part in the next round."""

    @property
    def label(self) -> str:
        """The state in words."""
        return "left out" if self.state == "not entered" else self.state

    @property
    def reason(self) -> str:
        """``why``, and whether an earlier version still plays; empty if there is nothing to say."""
        still = self.plays and self.state not in ("accepted", "unchanged")
        return " ".join(filter(None, (self.why, "The previous version still plays." if still else "")))

    @property
    def sentence(self) -> str:
        """The outcome in a sentence."""
        version = f", version {self.version}" if self.version else ""
        return f"{self.player}: {self.label}{version}{f': {self.reason}' if self.reason else '.'}"


class ClassResult(msgspec.Struct, frozen=True):
    """The outcomes for a class, in the order of its folder; incomplete if it was interrupted."""

    tournament: Tournament
    outcomes: tuple[PlayerOutcome, ...]
    complete: bool
    absent: tuple[RosterEntry, ...] = ()
    """People on the roster without any submission, in the folder or before."""

    @property
    def all_play(self) -> bool:
        """Whether every player of the folder takes part, with the version in the folder."""
        return self.complete and all(
            outcome.plays and outcome.state in ("accepted", "unchanged") for outcome in self.outcomes
        )


class PlayerToCheck(msgspec.Struct, frozen=True):
    """A player to submit and check; ``index`` is its place in the folder, from 0."""

    index: int
    player: str
    owner: str | None
    path: str
    sources: Sources


def submit_class(
    store: Store,
    tournament: Tournament,
    entries: Sequence[FolderEntry],
    *,
    games: int,
    workers: int | None = None,
    progress: Progress | None = None,
) -> ClassResult:
    """Enter and check all players that have to be checked; ``progress`` is called with (players done, players).

    SIGINT, SIGTERM and a closed terminal end the submission; players whose checks were interrupted are checked again
    next time.
    """
    submission = ClassSubmission(store, tournament, games, len(entries), progress or (lambda done, players: None))
    try:
        with interrupted_by_signals():
            waiting = list(submission.players_to_check(entries))
            if waiting:
                submission.check_all(waiting, workers or os.cpu_count() or 1)
        complete = True
    except KeyboardInterrupt:
        complete = False
    finally:
        submission.abandon("it was stopped")
    playing = {entrant.player for entrant in store.entrants(tournament.name)}
    outcomes = [submission.outcomes[index] for index in sorted(submission.outcomes)]
    final_outcomes = tuple(msgspec.structs.replace(outcome, plays=outcome.player in playing) for outcome in outcomes)
    return ClassResult(
        tournament, final_outcomes, complete, without_submission(store, tournament, outcomes) if complete else ()
    )


def without_submission(
    store: Store, tournament: Tournament, outcomes: Sequence[PlayerOutcome]
) -> tuple[RosterEntry, ...]:
    """People on the roster who have no submission in a tournament, and whose owner has none under another name."""
    submitted = {outcome.player for outcome in outcomes} | {
        submission.player for submission in store.submissions(tournament.name)
    }
    roster = store.roster()
    owners = {person.owner for person in roster if person.player in submitted}
    return tuple(person for person in roster if person.player not in submitted and person.owner not in owners)


class ClassSubmission:
    """The entry of a class into a tournament."""

    def __init__(self, store: Store, tournament: Tournament, games: int, count: int, progress: Progress) -> None:
        self.store, self.tournament, self.games, self.count = store, tournament, games, count
        self.game: Game = find_game(tournament.game)
        self.progress = progress
        self.arrived_at = store.now()
        self.outcomes: dict[int, PlayerOutcome] = {}
        self.checking: dict[int, tuple[PlayerToCheck, Submission]] = {}
        """The players that workers are checking, and their versions, by their place in the folder."""
        self.deaths = Counter[int]()

    def record(self, index: int, outcome: PlayerOutcome) -> None:
        """Record a player's outcome."""
        self.outcomes[index] = outcome
        self.progress(len(self.outcomes), self.count)

    # which players are checked

    def players_to_check(self, entries: Sequence[FolderEntry]) -> Iterator[PlayerToCheck]:
        """The players to check; the outcomes of the other entries are recorded at once."""
        roster = self.store.roster()
        names_and_owners = names_and_owners_of(entries, roster, self.store.submissions(self.tournament.name))
        for index, (entry, (name, owner)) in enumerate(zip(entries, names_and_owners, strict=True)):
            try:
                if entry.sources is None:
                    raise KibitzError(entry.why)
                player, sources = normal_form(self.game, entry.path, name, entry.sources)
                earlier = self.unchanged(player, entry.path, sources)
            except KibitzError as error:
                self.refuse(index, name, owner, entry.path, error)
                continue
            if earlier is None:
                yield PlayerToCheck(index, player, owner, entry.path, sources)
            else:
                self.record(index, earlier)

    def refuse(self, index: int, name: str, owner: str | None, path: str, error: KibitzError) -> None:
        """Record that a player was not entered, with the reason."""
        keep_refusal(self.store, self.tournament, name, owner, path, error)
        self.record(index, PlayerOutcome(name, path, "not entered", 0, str(error)))

    def unchanged(self, player: str, path: str, sources: Sources) -> PlayerOutcome | None:
        """The outcome without a check, if this file is the player's newest version; None if it must be checked."""
        versions = self.store.submissions(self.tournament.name, player=player)
        last = versions[-1] if versions else None
        if last is None or last.sha256 != sources.sha256 or last.state == "waiting" or was_interrupted(last):
            return None
        if last.state == "refused":
            return PlayerOutcome(player, path, "refused", last.version, f"Unchanged, still refused. {last.reason}")
        reasons = {
            disqualification.submission: disqualification.reason
            for disqualification in self.store.disqualifications(self.tournament.name)
        }
        why = reasons.get(last.id, "")
        if last.id <= last_withdrawn(self.store, self.tournament.name, player):
            why = f"{player} was withdrawn; to bring it back, submit its file by itself, with --name."
        return PlayerOutcome(player, path, "unchanged", last.version, why)

    # checking

    def check_all(self, waiting: list[PlayerToCheck], workers: int) -> None:
        """Submit and check players, as many at a time as there are workers."""
        waiting.reverse()  # players are taken from the end
        executor = executor_of(LOCAL, min(workers, len(waiting)))
        try:
            while waiting or self.checking:
                executor.begin()
                while waiting and executor.free_slots():
                    self.start_check(executor, waiting.pop())
                for report in executor.listen(POLL_SECONDS):
                    self.handle_report(report, waiting)
        finally:
            executor.end()

    def start_check(self, executor: Executor, player: PlayerToCheck) -> None:
        """Enter a player's version and start its check, or record why it may not be submitted now."""
        try:
            name = checked_name(self.game, player.player)
            versions = self.store.submissions(self.tournament.name, player=name)
            if not versions:
                check_no_lookalike(self.store, self.tournament, name)
            roster = self.store.roster()
            on_roster = any(row.player == name for row in roster)
            owner = owner_of(name, versions, roster, None) if versions or on_roster else player.owner or name
            entered = enter(self.store, self.tournament, name, owner, player.sources, arrived_at=self.arrived_at)
        except KibitzError as error:
            self.refuse(player.index, player.player, player.owner, player.path, error)
            return
        order = CheckOrder(self.game.name, player.sources.files, self.tournament.limits, self.games, tier())
        self.checking[player.index] = player, entered
        executor.send(player.index, Work(TASK, encode(order)))

    def handle_report(self, report: ExecutorReport, waiting: list[PlayerToCheck]) -> None:
        """Accept or refuse a checked version; if its worker died, queue it again, but only ``MAX_TRIES`` times."""
        if isinstance(report, Note | Heartbeat):
            return
        player, entered = self.checking[report.ticket]
        if isinstance(report, Done):
            checked = Report.from_json(report.result)
            settled = self.store.record_check(
                entered.id, passed=checked.passed, reason=checked.reason, report=checked.to_json()
            )
            state: State = "accepted" if settled.state == "accepted" else "refused"
            self.record(player.index, PlayerOutcome(player.player, player.path, state, settled.version, settled.reason))
        elif isinstance(report, Failed):
            self.give_up(player, entered, str(report.error.exception()))
        else:
            self.deaths[player.index] += 1
            if self.deaths[player.index] < MAX_TRIES:
                waiting.append(player)
            else:
                self.give_up(player, entered, "the process that checked it died repeatedly")
        del self.checking[report.ticket]

    def give_up(self, player: PlayerToCheck, entered: Submission, why: str) -> None:
        """Settle a version whose check couldn't be completed."""
        settled = self.store.record_check(entered.id, passed=False, reason=interruption_reason(why), report="")
        self.record(
            player.index, PlayerOutcome(player.player, player.path, "interrupted", settled.version, settled.reason)
        )

    def abandon(self, why: str) -> None:
        """Settle all versions that are still being checked."""
        for player, entered in self.checking.values():
            self.give_up(player, entered, why)
        self.checking.clear()


def names_and_owners_of(
    entries: Sequence[FolderEntry], roster: Sequence[RosterEntry], submissions: Sequence[Submission]
) -> list[tuple[str, str | None]]:
    """The name and owner of each entry; the owner is None if unknown.

    If an owner has submitted exactly one player, the entry gets that player's name, whatever the platform calls it now.
    """
    by_number = {person.number: person for person in roster if person.number}
    by_reversed_name = {normalised(" ".join(reversed(person.player.split()))): person for person in roster}
    by_name = by_reversed_name | {normalised(person.player): person for person in roster}
    by_roster: list[tuple[str, str | None]] = []
    for entry in entries:
        row = by_number.get(entry.id) or by_name.get(normalised(entry.name))
        by_roster.append((row.player, row.owner) if row else (clean_name(entry.name), entry.id or None))
    players_by_owner: dict[str, set[str]] = {}
    for submission in submissions:
        players_by_owner.setdefault(submission.owner, set()).add(submission.player)
    result = []
    for entry, (name, owner) in zip(entries, with_numbers(by_roster, [entry.id for entry in entries]), strict=True):
        owned = players_by_owner.get(owner or "", set()) if entry.id else set()
        result.append((min(owned) if len(owned) == 1 else name, owner))
    return result


def with_numbers(names: Sequence[tuple[str, str | None]], numbers: Sequence[str]) -> list[tuple[str, str | None]]:
    """Names and owners, where a name that several entries share is followed by the entry's number."""
    counts: dict[str, int] = {}
    for name, _ in names:
        counts[normalised(name)] = counts.get(normalised(name), 0) + 1
    return [
        (clean_name(f"{name} {number}") if counts[normalised(name)] > 1 and number else name, owner)
        for (name, owner), number in zip(names, numbers, strict=True)
    ]
