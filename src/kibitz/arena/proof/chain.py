"""The log: a chain of hashes that can't be changed in the middle, and that agrees with the store.

head        the hash of the last entry; a published head proves everything before it
derived     the entries as they follow from the present rows
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import msgspec

from kibitz.arena.model import Entrant
from kibitz.arena.proof.checks import Book, Chapter, Words, Wrong, check
from kibitz.arena.schedule import is_filler, seated
from kibitz.arena.store import log
from kibitz.arena.store.log import NOTHING, next_head


def taken_over(book: Book) -> int:
    """The number of the entry up to which the log was made when its store was brought up to date; 0 otherwise."""
    return max((row.number for row in book.log if row.kind == "taken-over"), default=0)


def of_book(book: Book) -> Iterator[log.Entry]:
    """The entries that the rows give, without the rounds'."""
    seals = {part: row.commitment for part, row in book.seeds.items()}
    yield log.begun(book.row, seals.get("season", ""))
    for row in book.submissions.values():
        yield log.submitted(row)
        if row.state != "waiting":
            yield log.settled(row)
    yield from map(log.tried, book.qualifications)
    yield from map(log.refused, book.refusals)
    yield from map(log.withdrawn, book.gone)
    numbers = {row.id: row.number for row in book.rounds}
    yield from (log.out(row, numbers[row.round_id]) for row in book.out)
    if "final" in seals:
        yield log.Final(seals["final"])


def of_chapter(chapter: Chapter) -> Iterator[log.Entry]:
    """The entries that a round's rows give."""
    yield log.scheduled(chapter.row, chapter.blocks)
    if chapter.row.closed_at is not None:
        taken = [seat for seats in chapter.seats.values() for seat in seats]
        yield log.closed(chapter.row.number, chapter.blocks, chapter.matches.values(), taken)


@check("log")
def chained(book: Book, derived: Counter[str]) -> Iterator[Wrong]:
    """Every head is the hash of the one before and its entry."""
    before = NOTHING
    for row in book.log:
        wanted = next_head(before, row.entry)
        if row.head != wanted:
            yield Wrong("log", f"entry {row.number}", "head", row.head, wanted)
        before = row.head


@check("log")
def numbered(book: Book, derived: Counter[str]) -> Iterator[Wrong]:
    """Entries are numbered from 1 without a gap."""
    for wanted, row in enumerate(book.log, 1):
        if row.number != wanted:
            yield Wrong("log", f"entry {row.number}", "number", row.number, wanted)


@check("log")
def kinds(book: Book, derived: Counter[str]) -> Iterator[Wrong]:
    """An entry is of the kind that stands beside it."""
    for row in book.log:
        try:
            wanted = log.kind(log.entry(row.entry))
        except msgspec.MsgspecError:
            yield Wrong("log", f"entry {row.number}", "entry", row.entry, Words("an entry"))
            continue
        if row.kind != wanted:
            yield Wrong("log", f"entry {row.number}", "kind", row.kind, wanted)


@check("log")
def about_the_store(book: Book, derived: Counter[str]) -> Iterator[Wrong]:
    """The log tells just what the rows say, each thing once."""
    free = ("moved", "taken-over", "roster")
    told = Counter(row.entry for row in book.log if row.kind not in free)
    for row in book.log:
        if row.kind not in free and told[row.entry] > derived[row.entry]:
            told[row.entry] -= 1
            yield Wrong("log", f"entry {row.number}", f"entry ({row.kind})", row.entry, Words("what the store says"))
    for entry in derived - told:
        yield Wrong("log", "of the tournament", "entry", Words("missing"), entry)


@check("log")
def in_order(book: Book, derived: Counter[str]) -> Iterator[Wrong]:
    """Things were decided in an order in which they can be: the phases, submissions while open, round after round."""
    walk = Walk(book, taken_over(book))
    for row in book.log:
        try:
            sentence = walk.step(row.number, log.entry(row.entry))
        except msgspec.MsgspecError:
            continue
        if sentence:
            yield Wrong("log", f"entry {row.number} ({row.kind})", "its place in the log", Words("here"), sentence)
    if walk.phase != book.row.phase:
        yield Wrong("tournaments", book.row.name, "phase", book.row.phase, walk.phase)


@check("log")
def rosters(book: Book, derived: Counter[str]) -> Iterator[Wrong]:
    """The roster is the one that the log of a tournament that goes on tells of last."""
    told = next((row.entry for row in reversed(book.log) if row.kind == "roster"), None)
    wanted = log.text(log.listed(book.roster))
    if log.is_listed(book.row) and told != wanted and (told is not None or book.roster):
        yield Wrong("roster", "all of it", "entry in the log", wanted, told if told is not None else Words("none"))


class Walk:
    """Goes through a log from its first entry; up to ``found`` the order is not known, since all was found at once."""

    def __init__(self, book: Book, found: int) -> None:
        self.found, self.goal = found, book.value.goal
        numbers = {row.id: row.number for row in book.rounds}
        self.fated = {row.submission_id: numbers[row.round_id] for row in book.out}
        self.players = {row.id: row.player for row in book.submissions.values()}
        self.fillers = {row.id for row in book.submissions.values() if is_filler(row.owner, row.sha256)}
        self.seats = book.row.seats
        self.phase, self.round, self.closed = "", 0, 0
        self.known: dict[int, str] = {}
        self.playing: dict[str, int] = {}
        self.out: set[int] = set()
        self.gone: dict[str, int] = {}

    def step(self, number: int, entry: log.Entry) -> Words:
        """Take in an entry; where it should stand instead, in words, or nothing."""
        free = number <= self.found
        why = "" if free else self.misplaced(entry)
        match entry:
            case log.Begun():
                self.phase = "open"
            case log.Moved(phase):
                self.phase = phase
            case log.Final():
                self.phase = "final"
            case log.Submitted(submission=submission):
                self.known[submission] = "waiting"
            case log.Settled(submission=submission, state=state):
                self.known[submission] = state
                if state == "accepted":
                    player = self.players.get(submission, "")
                    self.playing[player] = max(submission, self.playing.get(player, 0))
            case log.Withdrawn(submission=submission):
                self.gone[self.players.get(submission, "")] = submission
            case log.Scheduled(round=one):
                self.round = one
            case log.Closed(round=one):
                self.closed = one
            case log.Out(submission=submission):
                self.out.add(submission)
            case _:
                pass
        return Words(why)

    def misplaced(self, entry: log.Entry) -> str:
        """Why an entry cannot stand here; empty if it can."""
        if isinstance(entry, log.Begun) == bool(self.phase):
            return "first of all" if self.phase else "after the tournament has begun"
        match entry:
            case log.Moved(phase):
                after = {"frozen": ("open",), "open": ("frozen",), "closed": ("open", "frozen", "final")}
                return "" if self.phase in after.get(phase, ()) else f"where the tournament can become {phase}"
            case log.Final():
                return "" if self.phase in ("open", "frozen") else "before the final has begun"
            case log.Submitted(submission=submission):
                open_to_it = self.phase == "open" or (submission in self.fillers and self.phase != "closed")
                return "" if open_to_it and submission not in self.known else "while submissions are taken"
            case log.Tried(submission=submission):
                return "" if submission in self.known else "after its submission"
            case log.Settled(submission=submission):
                return "" if self.known.get(submission) == "waiting" else "after its submission, once"
            case log.Refused():
                return "" if self.phase != "closed" else "before the tournament was closed"
            case log.Withdrawn(submission=submission):
                there = submission in self.known and self.phase != "closed"
                return "" if there else "after its submission, and before the tournament was closed"
            case log.Scheduled():
                return self.misplaced_round(entry)
            case log.Closed(round=one):
                return "" if self.closed + 1 == one <= self.round else "at the end of its round"
            case log.Out(round=one):
                last = self.goal is not None or self.closed == self.round
                return "" if last and one == self.closed else "after the end of its round"
        return ""

    def misplaced_round(self, entry: log.Scheduled) -> str:
        """Why a round cannot have been scheduled here; where there is a goal, those who will be out are not in it."""
        running = self.closed < self.round
        if (running and self.goal is None) or entry.round != self.round + 1 or entry.phase != self.phase:
            return "after the round before, in its phase"
        here = {player: one for player, one in self.playing.items() if one > self.gone.get(player, 0)}
        out = self.out | {one for one, number in self.fated.items() if running and number < entry.round}
        left = [Entrant(one, player, one in self.fillers) for player, one in here.items() if one not in out]
        wanted = sorted(seated(left, self.seats, self.goal), key=lambda one: one.player)
        names = ", ".join(one.player for one in wanted)
        stands = msgspec.json.decode(entry.entrants, type=list[Entrant])
        return "" if stands == wanted else f"where its entrants are {names} with these versions"
