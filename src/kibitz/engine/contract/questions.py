"""Checks of what is asked of a game: asking changes nothing, views say whose they are, results follow from scores."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from math import isfinite
from random import Random
from typing import Any

from kibitz.engine.contract.knowledge import determinizations
from kibitz.engine.contract.positions import Position, chosen
from kibitz.engine.contract.walks import Place, check, demand, demand_equal, observers, raising_nothing
from kibitz.engine.events import Outcome, View
from kibitz.engine.game import Game
from kibitz.engine.layout import PlainState
from kibitz.engine.policies import observe_action_of


@check
def questions_change_nothing(game: Game, thorough: int = 1, seed: int | None = None) -> None:
    """Whatever is asked about a position leaves it as it was; what plays on plays on in a copy."""
    for number, position in enumerate(chosen(game, thorough, seed)):
        state, before = position.state.copy(), position.state.position()
        for name, ask in questions(position, number):
            with raising_nothing(name, position.place):
                ask(state)
            if state.position() != before:
                for field in state.layout.kept:
                    values = getattr(position.state, field), getattr(state, field)
                    demand(
                        values[0] == values[1], f"asking for {name} changes the position", position.place, field, values
                    )


def questions(position: Position, number: int) -> Iterator[tuple[str, Callable[[Any], object]]]:
    """All that can be asked about a position, each with its name."""
    game, rules, everybody = position.game, position.game.rules, observers(position.game)
    first, other = 0, number % len(everybody) - 1
    yield "legal", game.legal
    yield "refusal", lambda s: [rules.refusal(s, a) for a in (first, game.actions - 1, *position.legal[:2])]
    yield "least and most", lambda s: (rules.least(s), rules.most(s)) if game.amounts < game.actions else None
    for seat in {position.state.player, other} & set(everybody):
        yield "view", partial(view_of, game, seat)
    yield "views", game.views
    yield "returns", game.returns
    if position.state.over:
        yield "result", lambda s: game.result(s, frozenset({number % game.seats}))
        return
    yield "substitute", rules.substitute
    yield (
        "observe_action",
        lambda s: [observe_action_of(game)(s, seat, position.legal[0]) for seat in range(game.seats)],
    )
    if not position.actions:
        yield "opening", game.opening


def view_of(game: Game, seat: int, state: PlainState) -> View:
    """What a seat sees."""
    return game.view(state, seat)


@check
def views_say_whose_they_are(game: Game, thorough: int = 1, seed: int | None = None) -> None:
    """A view's own three fields are its seat, the seat to move and whether the game is over."""
    for position in chosen(game, thorough, seed):
        state = position.state
        for seat, view in zip(observers(position.game), position.game.views(state), strict=True):
            said, right = (view.seat, view.player, view.over), (seat, state.player, bool(state.over))
            here = position.place.at(seat=seat, action=None)
            demand_equal(right, said, "a view says another seat, mover or end than there is (seat, player, over)", here)


@check
def results_follow_from_scores(game: Game, thorough: int = 1, seed: int | None = None) -> None:
    """A result's scores are what ``returns`` says, and who has most shares the win.

    Nobody may win only where nobody has more than others.  Where some have forfeited, they do not share the win, and of
    the others at least those who have most do.  No result tells anything hidden, whoever has forfeited.
    """
    random = Random(8)
    for position in chosen(game, thorough, seed):
        if not position.state.over:
            continue
        own, state, place = position.game, position.state, position.place
        for number, out in enumerate(forfeits(own)):
            with raising_nothing(f"result with {sorted(out)} out", place):
                found = own.result(state, out)
            demand_sound(own, found, own.returns(state), out, place)
            seat = observers(own)[number % (own.seats + 1)]
            for world in determinizations(position, seat, random):
                by_result = "a seat can tell two positions apart by the result"
                demand_equal(found, own.result(world, out), by_result, place.at(seat=seat))


def forfeits(game: Game) -> Iterator[frozenset[int]]:
    """Sets of seats that may have forfeited: none, each one, all but each one, all."""
    everybody = frozenset(range(game.seats))
    yield frozenset()
    for seat in everybody if game.seats > 2 else ():
        yield everybody - {seat}
    for seat in everybody:
        yield frozenset({seat})
    yield everybody


def demand_sound(game: Game, found: Outcome, earned: tuple[float, ...], out: frozenset[int], place: Place) -> None:
    """What every result must be."""
    demand_equal(earned, found.scores, "the scores of a result are not what returns says", place)
    demand(all(map(isfinite, found.scores)), "a score is no number", place, "scores", (found.scores,))
    reason = found.reason
    demand(reason.isprintable() and reason.endswith((".", "!")), "this is no sentence", place, "reason", (reason,))
    standing = [seat for seat in range(game.seats) if seat not in out]
    most = max((earned[seat] for seat in standing), default=0.0)
    best = tuple(seat for seat in standing if earned[seat] == most)
    stands_out = most > min(earned) and most == max(earned)
    right = [seat for seat in standing if seat in (found.winners if out else best)]
    whole = list(found.winners) == right and set(best) <= set(right)
    sentence = f"with {sorted(out)} out, those who share the win are not those who have most"
    demand(whole or not (found.winners or stands_out), sentence, place, "", (best, found.winners))


CHECKS = (questions_change_nothing, views_say_whose_they_are, results_follow_from_scores)
