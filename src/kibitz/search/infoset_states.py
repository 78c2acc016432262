"""The positions that matter to a decision: all that a seat can't tell apart, enumerated with their odds.

    weighed_states  all positions that a seat can't tell apart, each with its probability: every path of ``resample``
    common      the worlds that matter: those that the asking seat considers possible, then those that the other
                seats to move consider possible in each of them, and so on

A seat's earlier choices reveal nothing about its cards here, as in all imagined games (decision 6).
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from msgspec.structs import replace

from kibitz.engine.chance_tree import Enumerated
from kibitz.engine.game import Game
from kibitz.engine.layout import PlainState
from kibitz.engine.views.events import View, encoded

WORLDS = 64
"""The most worlds that are enumerated."""
MAX_DRAWS = 4 * WORLDS
"""The most paths of ``resample``, several of which may lead to one world; four times more for all seats together."""

Weighed = tuple[Fraction, PlainState]
_known: dict[object, Enumerated] = {}


def scripted(game: Game) -> Enumerated:
    """The game with its chance scripted, cached; one thread at a time may use it."""
    name = game.name, id(game.rules), tuple(sorted(game.options.items()))
    if name not in _known:
        if len(_known) > 32:
            _known.clear()
        _known[name] = Enumerated(game)
    return _known[name]


def view_before_choices(game: Game, view: View) -> View:
    """The view before the current simultaneous choices began; the view itself if there are none."""
    simultaneous = getattr(game.rules, "simultaneous", None)
    if simultaneous is None or not view.player:
        return view
    state = game.blank()
    game.restore(state, view)
    return replace(view, player=0) if simultaneous(state) else view


def weighed_states(exact: Enumerated, view: View) -> list[Weighed] | None:
    """All worlds that a seat cannot tell apart, by its view; None if there are too many."""
    game, found = exact.original, []
    exact.script.path.clear()
    base = game.blank()
    game.restore(base, view)
    for number, _ in enumerate(exact.script.paths()):
        world = base.copy()
        accepted = exact.kernels.resample(world, view.seat)
        if number >= MAX_DRAWS or (number == 0 and exact.script.weight * MAX_DRAWS < 1):
            return None
        if accepted:
            found.append((exact.script.weight, world))
    return merged(game, found)


def merged(game: Game, found: list[Weighed]) -> list[Weighed] | None:
    """Equal positions merged, with probabilities that add up to 1; None if they are too many."""
    weights: dict[object, Fraction] = {}
    states: dict[object, PlainState] = {}
    for weight, state in found:
        key = game.infoset_states.key(state)
        weights[key] = weights.get(key, Fraction(0)) + weight
        states.setdefault(key, state)
    total = sum(weights.values())
    return [(weight / total, states[key]) for key, weight in weights.items()] if len(weights) <= WORLDS else None


def common(exact: Enumerated, view: View, seat: int, others: Iterable[int]) -> list[Weighed] | None:
    """The worlds that matter to a seat and others, starting with its own; None if they are too many.

    If one seat finds a world twice as likely as another, all seats do: the odds are passed on from world to world.
    """
    game = exact.original
    own = weighed_states(exact, view)
    if own is None:
        return None
    found = {game.infoset_states.key(state): (weight, state) for weight, state in own}
    left = 4 * MAX_DRAWS
    asked = {(seat, encoded(view))}
    waiting = [state for _, state in own]
    while waiting:
        here = waiting.pop()
        weight = found[game.infoset_states.key(here)][0]
        for other in others:
            seen = game.view(here, other)
            if (other, encoded(seen)) in asked:
                continue
            asked.add((other, encoded(seen)))
            there = weighed_states(exact, seen)
            left -= len(there or ())
            if there is None or left < 0:
                return None
            scale = weight / next(
                part for part, state in there if game.infoset_states.key(state) == game.infoset_states.key(here)
            )
            for part, state in there:
                if game.infoset_states.key(state) not in found:
                    found[game.infoset_states.key(state)] = part * scale, state
                    waiting.append(state)
            if len(found) > WORLDS:
                return None
    return list(found.values())
