"""Rounds and what is in them: numbers, entrants, deals, lineups, the states of blocks, and who is out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from kibitz.arena.entry.customs import lineups as custom_lineups
from kibitz.arena.model import Count, Lineup, MatchResult, NextRound, Threshold, stage
from kibitz.arena.pairing.schedule import seed_of_block, seed_text
from kibitz.arena.proof.book import Book, Chapter, lineup_of
from kibitz.arena.proof.checks import Words, Wrong, check
from kibitz.arena.rating.ranking import disqualified
from kibitz.arena.running.series import Field, course_of
from kibitz.arena.store import sums
from kibitz.arena.store.entering import as_submission
from kibitz.arena.store.playing import MOST_VOIDS

SECRET = Words("the one that its stage's seed gives")


@check("schedule")
def numbers(book: Book, chapter: Chapter, next_round: NextRound) -> Iterator[Wrong]:
    """Rounds are numbered from 1 without a gap."""
    wanted = book.rounds.index(chapter.row) + 1
    if chapter.row.number != wanted:
        yield Wrong("rounds", f"round {chapter.row.number}", "number", chapter.row.number, wanted)


@check("schedule")
def first_blocks(book: Book, chapter: Chapter, next_round: NextRound) -> Iterator[Wrong]:
    """A round's blocks are numbered on from the round before, and are as many as it says."""
    before = book.rounds[: book.rounds.index(chapter.row)]
    wanted = 1 + sum(row.blocks for row in before)
    if chapter.row.first_block != wanted:
        yield Wrong("rounds", f"round {chapter.row.number}", "first_block", chapter.row.first_block, wanted)
    stands = [block.number for block in chapter.blocks]
    if not sums.counts_on(stands, chapter.row.first_block, chapter.row.blocks):
        should = Words(f"{chapter.row.blocks} on from {chapter.row.first_block}")
        yield Wrong("blocks", f"round {chapter.row.number}", "number (of all)", stands, should)


@check("schedule")
def closings(book: Book, chapter: Chapter, next_round: NextRound) -> Iterator[Wrong]:
    """A round is closed before the next one, unless there is a goal; never before its blocks are played or given up."""
    left = sum(block.state not in ("played", "given-up") for block in chapter.blocks)
    if chapter.row.closed_at is None and chapter.row is not book.rounds[-1] and book.value.goal is None:
        yield Wrong("rounds", f"round {chapter.row.number}", "closed_at", None, Words("a moment"))
    if chapter.row.closed_at is not None and left:
        words = Words(f"nothing while {left} of its blocks are not played")
        yield Wrong("rounds", f"round {chapter.row.number}", "closed_at", chapter.row.closed_at, words)


@check("schedule")
def entrants(book: Book, chapter: Chapter, next_round: NextRound) -> Iterator[Wrong]:
    """The entrants of a round are accepted submissions under their players' names, in order, who are not out."""
    numbers = {row.id: row.number for row in book.rounds}
    out = {row.submission_id for row in book.out if numbers[row.round_id] < chapter.row.number}
    where = f"round {chapter.row.number}"
    for one in chapter.entrants:
        if one.player != book.player(one.submission):
            yield Wrong("rounds", where, "entrants", one.player, book.player(one.submission))
        elif one.fills != book.fills(one.submission):
            wanted = Words("one that fills no seats" if one.fills else "one that only fills seats")
            yield Wrong("rounds", where, "entrants", one.player, wanted)
        elif book.submissions[one.submission].state != "accepted" or one.submission in out:
            yield Wrong("rounds", where, "entrants", one.player, Words("left out: it may not play"))
    players = [one.player for one in chapter.entrants]
    if players != sorted(set(players)):
        yield Wrong("rounds", where, "entrants", players, sorted(set(players)))


@check("schedule")
def lineups(book: Book, chapter: Chapter, next_round: NextRound) -> Iterator[Wrong]:
    """A round's lineups follow from its stage's seed, its number, its entrants and the results before it."""
    seed, seats = book.seed(chapter.row), book.row.seats
    if book.value.goal is not None:
        wanted = of_course(book, chapter)
    elif book.row.kind == "custom":
        wanted = custom_lineups(sorted(one.submission for one in chapter.entrants), seats, len(chapter.blocks), seed)
    else:
        wanted = list(next_round(seed, chapter.row.number, seats, chapter.entrants, before(book, chapter)))
    if len(wanted) != chapter.row.blocks:
        yield Wrong("rounds", f"round {chapter.row.number}", "blocks", chapter.row.blocks, len(wanted))
    for block, lineup in zip(chapter.blocks, wanted, strict=False):
        if lineup_of(block) != tuple(lineup):
            yield Wrong("blocks", f"block {block.number}", "lineup", list(lineup_of(block)), list(lineup))


def of_course(book: Book, chapter: Chapter) -> list[Lineup]:
    """The lineups of a round of a tournament that has a goal, from all that was played before it."""
    field = Field(book.row.game, [as_submission(row, book.row.name) for row in book.submissions.values()])
    course = course_of(book.value, field, book.seed(chapter.row))
    for number in range(1, 1 + book.rounds.index(chapter.row)):
        course.next_round()
        course.count(number, counted(course.rounds[-1], field, [one for one in book.results if one.round == number]))
        course.results = [field.result(one, {}) for one in book.results if one.round <= number]
    return [tuple(field.submissions[player] for player in lineup) for lineup in course.next_round()]


def counted(playing: Mapping[int, Count], field: Field, results: Sequence[MatchResult]) -> dict[int, Count]:
    """The counts of a round in which so much was to be played, once these results are in."""
    found = dict(playing)
    for seat in (seat for one in results for seat in one.seats):
        player, lost = field.numbers[seat.submission], seat.forfeit is not None
        one = found[player]
        found[player] = Count(one.games + 1, one.failures + lost, one.playing - 1)
    return found


def before(book: Book, chapter: Chapter) -> list[MatchResult]:
    """The results that a round's pairing has seen: those of its stage's rounds before."""
    this = stage(chapter.row.phase)
    return [one for one in book.results if stage(one.phase) == this and one.round < chapter.row.number]


@check("deals")
def deals(book: Book, chapter: Chapter, public: bool) -> Iterator[Wrong]:
    """Every deal comes from its stage's seed; what it should be is told once the seed is ``public``."""
    seed = book.seed(chapter.row)
    for block in chapter.blocks:
        wanted = seed_text(seed_of_block(seed, block.number, book.value.goal))
        if block.deal_seed != wanted:
            stands = block.deal_seed if public else Words("another")
            yield Wrong("blocks", f"block {block.number}", "deal_seed", stands, wanted if public else SECRET)


@check("blocks")
def owned(book: Book, chapter: Chapter) -> Iterator[Wrong]:
    """A block is of the tournament that its round is of."""
    for block in chapter.blocks:
        if block.tournament_id != book.row.id:
            yield Wrong("blocks", f"block {block.number}", "tournament_id", block.tournament_id, book.row.id)


@check("blocks")
def all_or_nothing(book: Book, chapter: Chapter) -> Iterator[Wrong]:
    """A block that is played has all its matches, every other none."""
    for block in chapter.blocks:
        wanted = book.row.seats if block.state == "played" else 0
        stands = [match.rotation for match in chapter.matches_of(block)]
        if not sums.counts_on(stands, 0, wanted):
            should = Words(f"{wanted} on from 0")
            yield Wrong("matches", f"block {block.number} ({block.state})", "rotation (of all)", stands, should)


@check("blocks")
def full_tables(book: Book, chapter: Chapter) -> Iterator[Wrong]:
    """A match has all its seats, and there are no seats without a match."""
    number = {block.id: block.number for block in chapter.blocks}
    for key in sorted({*chapter.matches, *chapter.seats}):
        stands = [seat.seat for seat in chapter.seats.get(key, [])]
        wanted = book.row.seats if key in chapter.matches else 0
        if not sums.counts_on(stands, 0, wanted):
            where = f"block {number[key[0]]}, rotation {key[1]}"
            yield Wrong("seats", where, "seat (of all)", stands, Words(f"{wanted} on from 0"))


@check("blocks")
def void_attempts(book: Book, chapter: Chapter) -> Iterator[Wrong]:
    """A block has as many voids as it says, for attempts that are numbered from 1."""
    for block in chapter.blocks:
        stands = [row.attempt for row in chapter.voids.get(block.id, [])]
        if not sums.counts_on(stands, 1, block.voids):
            wanted = Words(f"1 to {block.voids}, as many as the block says")
            yield Wrong("voids", f"block {block.number}", "attempt (of all)", stands, wanted)


@check("blocks")
def given_up(book: Book, chapter: Chapter) -> Iterator[Wrong]:
    """A block is given up after so many voids, and never before."""
    for block in chapter.blocks:
        if (block.state == "given-up") != (block.voids >= MOST_VOIDS):
            wanted = Words("given-up" if block.voids >= MOST_VOIDS else "another")
            yield Wrong("blocks", f"block {block.number} ({block.voids} voids)", "state", block.state, wanted)


@check("out")
def disqualifications(book: Book) -> Iterator[Wrong]:
    """Who is out is who has lost too many games by failing at the end of a round, then and no later."""
    numbers = {row.id: row.number for row in book.rounds}
    wanted = derived(book)
    stands = {row.submission_id: (numbers[row.round_id], row.games, row.failures, row.reason) for row in book.out}
    for submission in sorted({*wanted, *stands}):
        theirs = f"{book.player(submission)} (id {submission})"
        should, found = wanted.get(submission), stands.get(submission)
        if should is None or found is None:
            there = (Words("missing"), Words("there")) if found is None else (Words("there"), Words("missing"))
            yield Wrong("disqualifications", theirs, "the row", *there)
            continue
        for column, one, other in zip(("round_id", "games", "failures", "reason"), found, should, strict=True):
            if one != other:
                yield Wrong("disqualifications", theirs, column, one, other)


def derived(book: Book) -> dict[int, tuple[int, int, int, str]]:
    """Who must be out: the round, games, failures and the reason."""
    found: dict[int, tuple[int, int, int, str]] = {}
    if book.row.kind == "custom" and book.value.goal is None:
        return found
    threshold = Threshold(book.row.threshold_games, book.row.threshold_share)
    games: Counter[int] = Counter()
    failures: Counter[int] = Counter()
    closed = [row.number for row in book.rounds if row.closed_at is not None]
    for number in closed:
        for seat in (seat for result in book.results if result.round == number for seat in result.seats):
            games[seat.submission] += 1
            failures[seat.submission] += seat.forfeit is not None
        for submission, lost in failures.items():
            if submission not in found and threshold.passed(lost, games[submission]):
                row = book.submissions[submission]
                reason = disqualified(row.player, row.version, lost, games[submission], threshold)
                found[submission] = (number, games[submission], lost, reason)
    return found
