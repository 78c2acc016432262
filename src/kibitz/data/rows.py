"""The rows of a table of results: one for every seat of every game.

    game, options   the game's name up to its colon, and what follows that; together they name it
    rules           the version of its rules
    match           the number of the game in this file, from 0; its rows stand together, by seat
    deal            the number of the deal; the games of one deal have the same cards
    rotation        how far the lineup of the deal is turned
    seed            fixes the cards: ``game.deal(seed)``; up to 39 digits, so it is text where programs would round it
    seat, player    who sat where; seats count from 0
    score           what the seat scored
    win_share       1 for a win, 1/n for each of n who share it, else 0
    length          how many actions the game had
    forfeit, reason the kind of the seat's failure and the sentence that says why; both empty where it did not fail

Of a table that others have made ``NEEDED`` must be there; the rest says more, and other columns are ignored.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from kibitz.engine.record import Record

COLUMNS: dict[str, type] = {
    "game": str,
    "options": str,
    "rules": int,
    "match": int,
    "deal": int,
    "rotation": int,
    "seed": str,
    "seat": int,
    "player": str,
    "score": float,
    "win_share": float,
    "length": int,
    "forfeit": str,
    "reason": str,
}
"""Every column with what it holds, in order."""
NEEDED = ("deal", "seat", "player", "score", "win_share")
GREATEST = 10**15
"""Whole numbers of a table are smaller."""


class Row(msgspec.Struct, frozen=True, kw_only=True):
    """One seat of one game; None where a table does not say it."""

    game: str = ""
    options: str = ""
    rules: int | None = None
    match: int | None = None
    deal: int
    rotation: int | None = None
    seed: str = ""
    seat: int
    player: str
    score: float
    win_share: float
    length: int | None = None
    forfeit: str = ""
    reason: str = ""


class Played(msgspec.Struct, frozen=True, array_like=True):
    """One finished game, as it is kept while others are still played.

    ``forfeits`` are seat, kind and sentence; ``record`` is empty where records were not asked for.
    """

    match: int
    deal: int
    rotation: int
    seed: str
    players: tuple[str, ...]
    scores: tuple[float, ...]
    winners: tuple[int, ...]
    length: int
    forfeits: tuple[tuple[int, str, str], ...] = ()
    record: str = ""


def split(name: str) -> tuple[str, str]:
    """A game's name as the columns ``game`` and ``options``.

    >>> split("bo:players=3"), joined("bo", "players=3"), joined("go", "")
    (('bo', 'players=3'), 'bo:players=3', 'go')
    """
    game, _, options = name.partition(":")
    return game, options


def joined(game: str, options: str) -> str:
    """The name of a game from its columns."""
    return f"{game}:{options}" if options else game


def rows_of(game: str, rules: int, played: Played) -> Iterator[Row]:
    """The rows of a game, by seat."""
    failed = {seat: (kind, sentence) for seat, kind, sentence in played.forfeits}
    name, options = split(game)
    for seat, player in enumerate(played.players):
        forfeit, reason = failed.get(seat, ("", ""))
        yield Row(
            game=name,
            options=options,
            rules=rules,
            match=played.match,
            deal=played.deal,
            rotation=played.rotation,
            seed=played.seed,
            seat=seat,
            player=player,
            score=played.scores[seat],
            win_share=1 / len(played.winners) if seat in played.winners else 0.0,
            length=played.length,
            forfeit=forfeit,
            reason=reason,
        )


def of_record(record: Record, match: int = 0, deal: int = 0, rotation: int = 0) -> Played:
    """A record as a game of a table; its text is not kept."""
    return Played(
        match=match,
        deal=deal,
        rotation=rotation,
        seed=str(record.seed),
        players=record.seats,
        scores=record.outcome.scores,
        winners=record.outcome.winners,
        length=len(record.actions),
        forfeits=tuple((one.seat, one.kind, one.sentence) for one in record.forfeits),
    )


def record_rows(record: Record, match: int = 0, deal: int = 0, rotation: int = 0) -> Sequence[Row]:
    """The rows that tell what a record tells."""
    return list(rows_of(record.game, record.rules, of_record(record, match, deal, rotation)))
