"""Which games are meant: by game and options, players and seats, what came of it, and when.

game        ``go`` is Go with any options, ``bo:players=3`` Bo with that option, whatever the others
outcome     won (alone or with others), lost, forfeit; or unfinished, for records alone
a seat      a game is meant if one seat is the player's, is the seat named, and has that outcome, all at once; of
            several players each must have such a seat
date        the day on which the file was last changed, by its system; records hold none
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime

import msgspec
import numpy as np
from numpy.typing import NDArray

from kibitz.cards import shown
from kibitz.data.rows import split
from kibitz.data.tables import Names, Rows
from kibitz.engine.record import AnyRecord, Record
from kibitz.engine.registry import game as find_game
from kibitz.engine.validation import check_number
from kibitz.errors import NotationError

OUTCOMES = ("won", "lost", "forfeit", "unfinished")


class Filter(msgspec.Struct, frozen=True):
    """What is wanted; an empty one wants every finished game."""

    game: str = ""
    players: tuple[str, ...] = ()
    seat: int | None = None
    outcome: str = ""
    since: date | None = None
    until: date | None = None

    def wants_game(self, name: str) -> bool:
        """Whether games of this name are meant."""
        if not self.game:
            return True
        (base, options), (wanted, needed) = split(name), split(self.game)
        return base == wanted and set(filter(None, needed.split(","))) <= set(options.split(","))

    def wants_day(self, when: datetime) -> bool:
        """Whether what was written then is meant."""
        day = when.date()
        return (self.since is None or self.since <= day) and (self.until is None or day <= self.until)

    def wants_seats(self, seats: Sequence[str]) -> bool:
        """Whether those who sat in these seats are meant, whatever came of it."""
        if self.seat is not None and self.seat >= len(seats):
            return False
        there = seats if self.seat is None else seats[self.seat : self.seat + 1]
        return all(player in there for player in self.players)

    def wants(self, record: AnyRecord) -> bool:
        """Whether a record is meant, of which game, day and seats are."""
        if not isinstance(record, Record):
            return self.outcome == "unfinished"
        if self.outcome == "unfinished":
            return False
        seats = [
            record.seats[seat]
            for seat in range(len(record.seats))
            if (self.seat is None or seat == self.seat) and self.fits(record, seat)
        ]
        return all(player in seats for player in self.players) and bool(seats)

    def fits(self, record: Record, seat: int) -> bool:
        """Whether a seat has the outcome that is meant."""
        if self.outcome == "forfeit":
            return any(forfeit.seat == seat for forfeit in record.forfeits)
        return not self.outcome or (seat in record.outcome.winners) == (self.outcome == "won")

    def chosen(self, rows: Rows, games: Names, players: Names) -> Rows:
        """The rows of the games that are meant."""
        if not len(rows) or not (self.game or self.players or self.seat is not None or self.outcome):
            return rows
        wanted = np.array([self.wants_game(str(name)) for name in games.texts()], bool)
        kept = wanted[rows.game]
        right = np.ones(len(rows), bool) if self.seat is None else rows.seat == self.seat
        if self.outcome:
            right &= self.outcome_mask(rows)
        codes = [players.codes.get(name, -1) for name in self.players]
        for mask in [right & (rows.player == code) for code in codes] or [right]:
            kept &= of_whole_games(mask, rows)
        return rows.where(kept)

    def outcome_mask(self, rows: Rows) -> NDArray[np.bool_]:
        """The rows of seats that have the outcome that is meant."""
        if self.outcome == "forfeit":
            return np.asarray(rows.forfeit > 0)
        if self.outcome == "unfinished":
            return np.zeros(len(rows), bool)
        return np.asarray((rows.share > 0) == (self.outcome == "won"))


def of_whole_games(mask: NDArray[np.bool_], rows: Rows) -> NDArray[np.bool_]:
    """The rows of all games in which the mask holds for one seat."""
    first = int(rows.match.min())
    found = np.zeros(int(rows.match.max()) - first + 1, bool)
    found[rows.match[mask] - first] = True
    return np.asarray(found[rows.match - first])


def filter_of(
    game: str | None = None,
    player: str | Sequence[str] | None = None,
    seat: int | None = None,
    outcome: str | None = None,
    since: date | str | None = None,
    until: date | str | None = None,
) -> Filter:
    """A filter from what a caller says; NotationError for what cannot be meant."""
    if game is not None:
        game = called(game)
    players = () if player is None else (player,) if isinstance(player, str) else player
    if not isinstance(players, Sequence) or not all(isinstance(one, str) for one in players):
        raise NotationError(f"player must be a name or a list of names, not {shown(players)}.")
    if seat is not None and not 0 <= check_number("seat", seat) < 1000:
        raise NotationError(f"seat must be from 0, not {shown(seat)}.")
    if outcome is not None and (not isinstance(outcome, str) or outcome not in OUTCOMES):
        raise NotationError(f"outcome must be {', '.join(OUTCOMES[:-1])} or {OUTCOMES[-1]}, not {shown(outcome)}.")
    return Filter(game or "", tuple(players), seat, outcome or "", day("since", since), day("until", until))


def called(game: str) -> str:
    """The name of a game as its records have it; NotationError if there is none."""
    if not isinstance(game, str):
        game = getattr(game, "name", game)
    base, options = split(game) if isinstance(game, str) else (game, "")
    find_game(base)
    if options and not all("=" in option for option in options.split(",")):
        raise NotationError(f"options are written as in bo:players=3, not {shown(options)}.")
    return game


def day(name: str, value: date | str | None) -> date | None:
    """A day from text such as 2026-03-01."""
    if isinstance(value, datetime):
        return value.date()
    if value is None or isinstance(value, date):
        return value
    try:
        return date.fromisoformat(value)
    except (TypeError, ValueError):
        raise NotationError(f"{name} must be a day such as 2026-03-01, not {shown(value)}.") from None
