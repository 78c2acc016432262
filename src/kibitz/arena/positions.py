"""Positions of games that given players have played, with what they chose there: ``kibitz.positions``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from kibitz.arena.chunks import play_one
from kibitz.arena.games import asked_for, seating
from kibitz.engine.events import View
from kibitz.engine.game import Game
from kibitz.engine.record import Record
from kibitz.engine.registry import game_of
from kibitz.players.functions import AnyPlayer, specs_of
from kibitz.table import Table


class Position(NamedTuple):
    """One decision of a player.

    game, step      the number of the game, and of the actions before this one
    seat            whose decision it is
    view, legal     what that seat knew, and its legal actions
    action          what it chose
    score           what it had scored when the game was over
    """

    game: int
    step: int
    seat: int
    view: View
    legal: list[int]
    action: int
    score: float


def positions(game: Game | str, players: Sequence[AnyPlayer], n: int = 1, seed: int = 0) -> Iterator[Position]:
    """Every decision of ``n`` games, those that ``play_games`` plays with the same arguments, in order.

    Games are played here, one when its first position is asked for.  What the rules play for a seat that has forfeited
    is no decision and left out.  Errors as of ``play_games``.

    >>> first = next(positions("go-mini", ["greedy"], seed=1))
    >>> first.seat, first.step, first.action in first.legal
    (0, 0, True)
    """
    found = game_of(game)
    specs = specs_of(found, players)
    count, _ = asked_for(n, seed, 1)
    return (
        position
        for seated in islice(seating(len(specs), found.seats, seed), count)
        for position in decisions(play_one(found, specs, seated, records=True).record, seated.number)
    )


def decisions(record: Record | None, number: int) -> Iterator[Position]:
    """The decisions in a game."""
    assert record is not None
    for past in Table.resume(record).again():
        if past.over or past.player in past.out:
            continue
        seat, step = past.player, past.step
        score = record.outcome.scores[seat]
        yield Position(number, step, seat, past.view(seat), past.legal(seat), record.actions[step], score)
