"""Every match: its record must tell a true game of its deal and its players, and its result must follow from that.

What a record alone cannot prove, that the players did act so, is proved by playing the match again
(``kibitz.arena.proof.replays``).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from kibitz.arena.pairing.schedule import seed_from
from kibitz.arena.proof.book import AnyRow, Book, Chapter, lineup_of
from kibitz.arena.proof.checks import Words, Wrong, check
from kibitz.arena.running.blocks import places
from kibitz.arena.store import reading
from kibitz.arena.store.playing import plain
from kibitz.engine import record
from kibitz.errors import KibitzError
from kibitz.table.player import clean_name


@dataclass
class Game:
    """A match with its record: ``lineup`` are the submissions that should have played it, by seat."""

    row: AnyRow
    block: AnyRow
    seats: list[AnyRow]
    lineup: tuple[int, ...]
    match: int
    played: record.Record

    @property
    def called(self) -> str:
        """What people call it."""
        return f"match {self.match} (block {self.block.number}, rotation {self.row.rotation})"

    def wrong(self, column: str, seat: int, stands: object, should: object) -> Wrong:
        """Something that is wrong with a seat."""
        return Wrong("seats", f"{self.called}, seat {seat}", column, stands, should)


def games(book: Book, chapter: Chapter) -> Iterator[Game | Wrong]:
    """The matches of a round with their records; what is wrong instead, where a record does not tell a true game."""
    for block in chapter.blocks:
        lineup = lineup_of(block)
        for row in chapter.matches_of(block):
            rotation = row.rotation
            match = (block.number - 1) * book.row.seats + rotation + 1
            try:
                played = record.parse(reading.record_of(row))
            except KibitzError as error:
                where = f"match {match} (block {block.number}, rotation {rotation})"
                wanted = Words(f"the record of a true game: {error}".rstrip("."))
                yield Wrong("matches", where, "record", Words("no record"), wanted, "true_games")
                continue
            taken = chapter.seats.get((block.id, rotation), [])
            yield Game(row, block, taken, lineup[rotation:] + lineup[:rotation], match, played)


@check("matches")
def same_game(book: Book, game: Game) -> Iterator[Wrong]:
    """The record is of the tournament's game."""
    if game.played.game != book.row.game:
        yield Wrong("matches", game.called, "record (game)", game.played.game, book.row.game)


@check("matches")
def same_deal(book: Book, game: Game) -> Iterator[Wrong]:
    """The record is of its block's deal, and not another one's."""
    if game.played.seed != seed_from(game.block.deal_seed):
        wanted = seed_from(game.block.deal_seed)
        yield Wrong("matches", game.called, "record (seed)", game.played.seed, wanted)


@check("matches")
def same_players(book: Book, game: Game) -> Iterator[Wrong]:
    """The record names the players of the lineup, by seat."""
    wanted = tuple(clean_name(book.player(submission)) for submission in game.lineup)
    if game.played.seats != wanted:
        yield Wrong("matches", game.called, "record (seats)", list(game.played.seats), list(wanted))


@check("matches")
def unremarked(book: Book, game: Game) -> Iterator[Wrong]:
    """Nobody looks on who could put a note into the record."""
    if game.played.notes:
        yield Wrong("matches", game.called, "record (note)", game.played.notes[0], Words("none"))


@check("matches")
def seated(book: Book, game: Game) -> Iterator[Wrong]:
    """The seats are those of the lineup in this rotation."""
    for seat, (row, wanted) in enumerate(zip(game.seats, game.lineup, strict=False)):
        if row.submission_id != wanted:
            yield game.wrong("submission_id", seat, row.submission_id, wanted)


@check("matches")
def scores(book: Book, game: Game) -> Iterator[Wrong]:
    """The scores are the record's."""
    for seat, (row, wanted) in enumerate(zip(game.seats, game.played.outcome.scores, strict=False)):
        if row.score != wanted:
            yield game.wrong("score", seat, row.score, wanted)


@check("matches")
def placings(book: Book, game: Game) -> Iterator[Wrong]:
    """The places follow from the record's scores, winners and forfeits."""
    wanted = places(game.played.outcome, game.played.forfeits)
    for seat, (row, place) in enumerate(zip(game.seats, wanted, strict=False)):
        if row.place != place:
            yield game.wrong("place", seat, row.place, place)


@check("matches")
def shares(book: Book, game: Game) -> Iterator[Wrong]:
    """The winners share the win, and nobody else has a part of it."""
    winners = game.played.outcome.winners
    for seat, row in enumerate(game.seats):
        wanted = 1 / len(winners) if seat in winners else 0.0
        if row.win_share != wanted:
            yield game.wrong("win_share", seat, row.win_share, wanted)


@check("matches")
def failures(book: Book, game: Game) -> Iterator[Wrong]:
    """Kind, rule and moment of every failure are the record's."""
    failed = {forfeit.seat: forfeit for forfeit in game.played.forfeits}
    for seat, row in enumerate(game.seats):
        found = failed.get(seat)
        wanted = (found.kind, plain(found.sentence), found.moves) if found else (None, None, None)
        stands = (row.forfeit, row.rule, row.moves)
        for column, one, other in zip(("forfeit", "rule", "moves"), stands, wanted, strict=True):
            if one != other:
                yield game.wrong(column, seat, one, other)


@check("matches")
def endings(book: Book, game: Game) -> Iterator[Wrong]:
    """The match ended as its record says."""
    if game.row.reason != game.played.outcome.reason:
        yield Wrong("matches", game.called, "reason", game.row.reason, game.played.outcome.reason)
