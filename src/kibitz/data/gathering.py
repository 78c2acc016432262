"""Many rows as arrays: what statistics are computed from, 72 bytes a row, and the names of deals while they come.

code        the number of a name: of a game, a player, a kind of forfeit
cluster     the deal a game was played on: the same game and seed wherever it stands, else the file's own deal
source      one file or collection, which is taken in whole or, where its rows contradict each other, not at all
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kibitz.data.rows import GREATEST, joined
from kibitz.data.tables import Batch
from kibitz.errors import RecordError

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
UNKNOWN = -1
"""Stands for a number that a table does not say."""
MOST_SEATS = 1000
SMALL = 1e-6


class Names:
    """Names and their codes, in the order in which they came."""

    def __init__(self) -> None:
        self.codes: dict[Hashable, int] = {}

    def coded(self, found: Iterable[Hashable]) -> list[int]:
        """The codes of some names."""
        codes = self.codes
        return [codes.setdefault(name, len(codes)) for name in found]

    def texts(self) -> list[Any]:
        """Every name, by its code."""
        return list(self.codes)


class Rows:
    """Rows as arrays of equal length; the rows of a game stand together, by seat.

    game, player, forfeit   codes; 0 stands for no forfeit
    match, deal             which rows are of one game, and which games are of one deal
    seat, length            ``length`` is UNKNOWN where nothing is said of it
    score, share            of the seat
    """

    FIELDS = ("game", "match", "deal", "seat", "player", "length", "forfeit", "score", "share")

    def __init__(self, arrays: dict[str, NDArray[Any]]) -> None:
        self.arrays = arrays

    def __getattr__(self, name: str) -> NDArray[Any]:
        try:
            return self.arrays[name]
        except KeyError:
            raise AttributeError(name) from None

    def __len__(self) -> int:
        return len(self.arrays["seat"])

    def where(self, chosen: NDArray[Any]) -> Rows:
        """Some of the rows, by a mask or by their places; the rows themselves where a mask leaves none out."""
        if chosen.dtype == np.bool_ and chosen.all():
            return self
        return Rows({name: array[chosen] for name, array in self.arrays.items()})

    def in_order(self) -> Rows:
        """The rows by match and seat; the rows themselves where they stand so already."""
        order = np.lexsort((self.seat, self.match))
        return self if (order[1:] > order[:-1]).all() else self.where(order)

    @classmethod
    def together(cls, parts: Sequence[Rows]) -> Rows:
        """All rows of several; of one alone its own, since some millions of rows have no room to be there twice."""
        parts = [part for part in parts if len(part)]
        if len(parts) == 1:
            return parts[0]
        kinds = dict.fromkeys(cls.FIELDS, np.int64) | {"score": np.float64, "share": np.float64}
        return cls(
            {
                name: np.concatenate([part.arrays[name] for part in parts]) if parts else np.empty(0, kinds[name])
                for name in cls.FIELDS
            }
        )


class Gathering:
    """Takes tables in, one source after the other."""

    def __init__(self) -> None:
        self.games, self.players, self.deals, self.forfeits = Names(), Names(), Names(), Names()
        self.forfeits.coded([""])
        self.parts: list[Rows] = []
        self.matches = self.sources = 0

    def take(self, batches: Iterable[Batch], source: str) -> Rows:
        """Take in a source; RecordError where its rows cannot be those of whole games, and nothing of it is kept."""
        self.sources += 1
        matches = Names()
        parts = [self.encoded(batch, matches, source) for batch in batches]
        rows = Rows.together(parts)
        rows = rows.in_order()
        check_whole_games(rows, [key[1] for key in matches.texts()], source)
        rows.arrays["match"] += self.matches
        self.matches += len(matches.codes)
        self.parts.append(rows)
        return rows

    def encoded(self, batch: Batch, matches: Names, source: str) -> Rows:
        """A batch as arrays."""
        names = [joined(game, options) for game, options in zip(batch["game"], batch["options"], strict=True)]
        own, deals, seeds = self.sources, batch["deal"], batch["seed"]
        whole(deals, "deal", source)
        numbers = [
            (name, match if match is not None else (deal, rotation))
            for name, match, deal, rotation in zip(names, batch["match"], deals, batch["rotation"], strict=True)
        ]
        clusters = [
            (name, seed) if seed else (name, own, deal) for name, seed, deal in zip(names, seeds, deals, strict=True)
        ]
        return Rows(
            {
                "game": whole(self.games.coded(names), "game", source),
                "match": whole(matches.coded(numbers), "match", source),
                "deal": whole(self.deals.coded(clusters), "deal", source),
                "seat": whole(batch["seat"], "seat", source),
                "player": whole(self.players.coded(batch["player"]), "player", source),
                "length": whole([UNKNOWN if n is None else n for n in batch["length"]], "length", source, UNKNOWN),
                "forfeit": whole(self.forfeits.coded(batch["forfeit"]), "forfeit", source),
                "score": number(batch["score"], "score", source),
                "share": number(batch["win_share"], "win_share", source),
            }
        )

    def all(self) -> Rows:
        """Everything that was taken in."""
        return Rows.together(self.parts)


def whole(values: Sequence[Any], column: str, source: str, least: int = 0) -> Ints:
    """Whole numbers as an array."""
    if None in values:
        raise RecordError(f"{column} must be there in every row.", source)
    try:
        found = np.array(values, np.int64)
    except (TypeError, ValueError, OverflowError) as error:
        raise RecordError(f"{column} must be a whole number.", source) from error
    if len(found) and (found.min() < least or found.max() > GREATEST):
        raise RecordError(f"{column} must be a whole number from {max(least, 0)}.", source)
    return found


def number(values: Sequence[Any], column: str, source: str) -> Floats:
    """Finite numbers as an array."""
    try:
        found = np.array(values, np.float64)
    except (TypeError, ValueError, OverflowError) as error:
        raise RecordError(f"{column} must be a number.", source) from error
    if not np.isfinite(found).all():
        raise RecordError(f"{column} must be a number in every row.", source)
    return found


def check_whole_games(rows: Rows, labels: Sequence[Any], source: str) -> None:
    """RecordError unless the rows, sorted by match and seat, are whole games."""
    if not len(rows):
        return
    starts = np.flatnonzero(np.diff(rows.match, prepend=-1))
    sizes = np.diff(np.append(starts, len(rows)))
    places = np.arange(len(rows)) - np.repeat(starts, sizes)

    def refuse(wrong: NDArray[Any], why: str) -> None:
        """Refuse the game of the first row that is wrong."""
        if wrong.any():
            label = labels[int(rows.match[int(np.argmax(wrong))])]
            called = f"rotation {label[1]} of deal {label[0]}" if isinstance(label, tuple) else f"match {label}"
            raise RecordError(f"{called}: {why}.", source)

    refuse(rows.seat != places, "its seats must be there once each, from 0 on")
    refuse(rows.seat >= MOST_SEATS, f"no game has {MOST_SEATS} seats")
    for column in ("deal", "length"):
        values = rows.arrays[column]
        refuse(values != np.repeat(values[starts], sizes), f"its seats differ in their {column}")
    refuse((rows.share < 0) | (rows.share > 1), "a share of a win is from 0 to 1")
    totals = np.add.reduceat(rows.share, starts)
    refuse(np.repeat(totals > 1 + SMALL, sizes), "the shares of its win are more than 1 together")
