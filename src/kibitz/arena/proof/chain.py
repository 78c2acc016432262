"""Checks of the log: its chain of hashes is unbroken, and its entries agree with the store.

head        the hash after an entry (see ``kibitz.arena.store.log``); a published head proves everything before it
derived     the texts of the entries that follow from the rows as they are now, with how often each must be logged
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import msgspec

from kibitz.arena.model import REGULAR, Entrant
from kibitz.arena.proof.checks import Mismatch, RoundData, TournamentData, Verbatim, check, differences
from kibitz.arena.schedule import is_filler, round_entrants
from kibitz.arena.store import log
from kibitz.arena.store.log import FIRST_HEAD, next_head

NOT_DERIVED = ("moved", "deadline", "roster")
"""Kinds of entries that do not follow from the rows."""


def tournament_entries(data: TournamentData) -> Iterator[log.LogEntry]:
    """The entries that follow from the tournament's rows, except those of rounds."""
    commitments = {stage: row.commitment for stage, row in data.seeds.items()}
    yield log.tournament_begun(data.row, commitments.get(REGULAR, ""))
    for row in data.submissions.values():
        yield log.version_submitted(row)
        if row.state != "waiting":
            yield log.version_settled(row)
    yield from map(log.version_checked, data.qualifications)
    yield from map(log.file_refused, data.refusals)
    yield from map(log.player_withdrawn, data.withdrawals)
    numbers = {row.id: row.number for row in data.rounds}
    yield from (log.submission_excluded(row, numbers[row.round_id]) for row in data.disqualifications)
    if "final" in commitments:
        yield log.FinalBegun(commitments["final"])


def round_entries(round_data: RoundData) -> Iterator[log.LogEntry]:
    """The entries that follow from a round's rows."""
    yield log.round_scheduled(round_data.row, round_data.blocks)
    if round_data.row.closed_at is not None:
        seat_rows = [seat for seats in round_data.seats.values() for seat in seats]
        yield log.round_closed(round_data.row.number, round_data.blocks, round_data.matches.values(), seat_rows)


@check("log")
def check_heads(data: TournamentData, derived: Counter[str]) -> Iterator[Mismatch]:
    """Every head is the hash of the previous head and its own entry."""
    previous_head = FIRST_HEAD
    for row in data.log:
        expected = next_head(previous_head, row.entry)
        yield from differences("log", f"entry {row.number}", ("head", row.head, expected))
        previous_head = row.head


@check("log")
def check_numbers(data: TournamentData, derived: Counter[str]) -> Iterator[Mismatch]:
    """Entries are numbered from 1 without gaps."""
    for expected, row in enumerate(data.log, 1):
        yield from differences("log", f"entry {row.number}", ("number", row.number, expected))


@check("log")
def check_kinds(data: TournamentData, derived: Counter[str]) -> Iterator[Mismatch]:
    """An entry is of the kind recorded with it."""
    for row in data.log:
        try:
            expected = log.entry_kind(log.parse_entry(row.entry))
        except msgspec.MsgspecError:
            yield Mismatch("log", f"entry {row.number}", "entry", row.entry, Verbatim("an entry"))
            continue
        yield from differences("log", f"entry {row.number}", ("kind", row.kind, expected))


@check("log")
def check_matches_store(data: TournamentData, derived: Counter[str]) -> Iterator[Mismatch]:
    """The log has each entry that follows from the rows exactly once, and no others."""
    logged = Counter(row.entry for row in data.log if row.kind not in NOT_DERIVED)
    for row in data.log:
        if row.kind not in NOT_DERIVED and logged[row.entry] > derived[row.entry]:
            logged[row.entry] -= 1
            yield Mismatch(
                "log", f"entry {row.number}", f"entry ({row.kind})", row.entry, Verbatim("what the store says")
            )
    for entry in derived - logged:
        yield Mismatch("log", "of the tournament", "entry", Verbatim("missing"), entry)


@check("log")
def check_order(data: TournamentData, derived: Counter[str]) -> Iterator[Mismatch]:
    """Entries come in a possible order: phase after phase, round after round, submissions while these are open."""
    order = LogOrder(data)
    for row in data.log:
        try:
            right_place = order.step(log.parse_entry(row.entry))
        except msgspec.MsgspecError:
            continue
        if right_place:
            actual_place = Verbatim(f"entry {row.number}")
            yield Mismatch("log", f"{actual_place} ({row.kind})", "position in the log", actual_place, right_place)
    yield from differences("tournaments", data.row.name, ("phase", data.row.phase, order.phase))


@check("log")
def check_roster(data: TournamentData, derived: Counter[str]) -> Iterator[Mismatch]:
    """The current roster is the latest one in the log, unless the tournament is closed or custom."""
    logged = next((row.entry for row in reversed(data.log) if row.kind == "roster"), None)
    actual = log.entry_text(log.roster_replaced(data.roster))
    if log.roster_applies(data.row) and logged != actual and (logged is not None or data.roster):
        yield Mismatch("roster", "all of it", "content", actual, logged if logged is not None else Verbatim("none"))


class LogOrder:
    """The state of a tournament while its log is read from the first entry on, to find entries out of order."""

    def __init__(self, data: TournamentData) -> None:
        self.goal = data.tournament.goal
        numbers = {row.id: row.number for row in data.rounds}
        self.excluded_after = {row.submission_id: numbers[row.round_id] for row in data.disqualifications}
        self.players = {row.id: row.player for row in data.submissions.values()}
        self.fillers = {row.id for row in data.submissions.values() if is_filler(row.owner, row.sha256)}
        self.seats = data.row.seats
        self.phase, self.round, self.closed = "", 0, 0
        """The phase (empty before the first entry), and the numbers of the last round scheduled and closed."""
        self.states: dict[int, str] = {}
        """The state of each submission so far."""
        self.playing: dict[str, int] = {}
        """By player, the latest accepted submission."""
        self.excluded: set[int] = set()
        self.withdrawals: dict[str, int] = {}
        """By player, its newest submission when it withdrew."""

    def step(self, entry: log.LogEntry) -> Verbatim:
        """Process an entry; returns in words where it should have been, empty if it may be here."""
        right_place = self.right_place(entry)
        match entry:
            case log.TournamentBegun():
                self.phase = "open"
            case log.PhaseEntered(phase):
                self.phase = phase
            case log.FinalBegun():
                self.phase = "final"
            case log.VersionSubmitted(submission=submission):
                self.states[submission] = "waiting"
            case log.VersionSettled(submission=submission, state=state):
                self.states[submission] = state
                if state == "accepted":
                    player = self.players.get(submission, "")
                    self.playing[player] = max(submission, self.playing.get(player, 0))
            case log.PlayerWithdrawn(submission=submission):
                self.withdrawals[self.players.get(submission, "")] = submission
            case log.RoundScheduled(round=number):
                self.round = number
            case log.RoundClosed(round=number):
                self.closed = number
            case log.SubmissionExcluded(submission=submission):
                self.excluded.add(submission)
            case _:
                pass
        return Verbatim(right_place)

    def right_place(self, entry: log.LogEntry) -> str:
        """Where an entry should have been, in words; empty if it may be here."""
        if isinstance(entry, log.TournamentBegun) == bool(self.phase):
            return "the first entry" if self.phase else "after the tournament has begun"
        match entry:
            case log.PhaseEntered(phase):
                after = {"frozen": ("open",), "open": ("frozen",), "closed": ("open", "frozen", "final")}
                return "" if self.phase in after.get(phase, ()) else f"where the tournament can become {phase}"
            case log.DeadlineSet():
                return "" if self.phase in ("open", "frozen") else "before the final has begun"
            case log.FinalBegun():
                return "" if self.phase in ("open", "frozen") else "before the final has begun"
            case log.VersionSubmitted(submission=submission):
                open_to_it = self.phase == "open" or (submission in self.fillers and self.phase != "closed")
                return "" if open_to_it and submission not in self.states else "while submissions are open"
            case log.VersionChecked(submission=submission):
                return "" if submission in self.states else "after its submission"
            case log.VersionSettled(submission=submission):
                return "" if self.states.get(submission) == "waiting" else "after its submission, once"
            case log.FileRefused():
                return "" if self.phase != "closed" else "before the tournament was closed"
            case log.PlayerWithdrawn(submission=submission):
                may_withdraw = submission in self.states and self.phase != "closed"
                return "" if may_withdraw else "after its submission, and before the tournament was closed"
            case log.RoundScheduled():
                return self.right_place_of_round(entry)
            case log.RoundClosed(round=number):
                return "" if self.closed + 1 == number <= self.round else "at the end of its round"
            case log.SubmissionExcluded(round=number):
                last = self.goal is not None or self.closed == self.round
                return "" if last and number == self.closed else "after the end of its round"
        return ""

    def right_place_of_round(self, entry: log.RoundScheduled) -> str:
        """Where a round should have been scheduled, in words; empty if it may be here.

        In a tournament with an end condition, rounds overlap: a submission that was excluded after an earlier round
        doesn't take part, even if its exclusion comes later in the log.
        """
        running = self.closed < self.round
        if (running and self.goal is None) or entry.round != self.round + 1 or entry.phase != self.phase:
            return "after the round before, in its phase"
        current = {
            player: submission
            for player, submission in self.playing.items()
            if submission > self.withdrawals.get(player, 0)
        }
        excluded = self.excluded | {
            submission for submission, number in self.excluded_after.items() if running and number < entry.round
        }
        remaining = [
            Entrant(submission, player, submission in self.fillers)
            for player, submission in current.items()
            if submission not in excluded
        ]
        expected = sorted(round_entrants(remaining, self.seats, self.goal), key=lambda entrant: entrant.player)
        if msgspec.json.decode(entry.entrants, type=list[Entrant]) == expected:
            return ""
        names = ", ".join(entrant.player for entrant in expected)
        return f"where the players that take part, each with its current version, are {names}"
