"""The check of ``observe_action``: a search lets seats remember of every action what events tell them of it.

    step        an action; where seats choose at once, one of each seat from the one to move on
    told        what a seat is told of a step, with what it does itself in it, which it knows anyway
    memory      what ``observe_action`` shows the seat of the actions of the step: that is what an imagined seat goes by

A game that fills no ``observe_action`` shows every action to all.  That is right where every action is told as it is;
where one is hidden, imagined opponents would answer what they could not have seen.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from random import Random

from kibitz.cards.chance import rekey
from kibitz.engine.contract.knowledge import ACTIONS, determinizations, looking
from kibitz.engine.contract.positions import Position, chosen
from kibitz.engine.contract.walks import Broken, Place, check, raising_nothing
from kibitz.engine.events import SPECTATOR, Event, encoded, to_seat
from kibitz.engine.game import Game
from kibitz.engine.layout import PlainState
from kibitz.engine.policies import observe_action_of
from kibitz.engine.together import choosing

MORE = (
    "a search lets a seat remember what no event tells it: of two actions it is told the same, and"
    " observe_action shows them as different"
)
LESS = (
    "a search lets a seat forget what events tell it: of two actions it is told different things, and"
    " observe_action shows them as the same"
)
ITSELF = (
    "observe_action shows an action as it is to a seat that is told the same of another: show neither, but a number of"
    " their own"
)
AGAIN = 3
"""With so many other generators it is looked whether chance decides what is told."""


class Step:
    """What is done from a position on, what one seat is told of it with what it did itself, and what it is shown."""

    def __init__(self, game: Game, start: PlainState, seat: int) -> None:
        self.game, self.start, self.seat = game, start, seat
        self.after, self.left = start.copy(), list(choosing(game, start))
        self.actions: list[int] = []
        self.own: list[int] = []
        self.events: list[Event] = []
        self.memory: list[int] = []

    @property
    def goes_on(self) -> bool:
        """Whether others choose at the same time."""
        return bool(self.left) and not self.after.over and self.after.player == self.left[0]

    @property
    def told(self) -> bytes:
        """All that the seat knows of it."""
        return encoded((self.own, self.events))

    def take(self, action: int) -> None:
        """Let the next seat do something."""
        with raising_nothing("observe_action", Place(self.game, seat=self.seat, action=action)):
            self.memory.append(int(observe_action_of(self.game)(self.after, self.seat, action)))
        self.own += [action] if self.left.pop(0) == self.seat else []
        self.actions.append(action)
        self.events += to_seat(self.game.advance(self.after, action), self.seat)


@check
def observe_action_matches_events(game: Game, thorough: int = 1, seed: int | None = None) -> None:
    """What ``observe_action`` shows a seat of an action tells it no more than the events do, and no less.

    No more: in any two positions that the seat cannot tell apart, and after any step in each, of which it is told the
    same, it is shown the same, and neither of two different actions as it is.  No less: of two actions in one position
    it is shown different things where it is told different things, whatever chance does.  What an action brings to
    light besides, such as a card that is drawn or a hand that is shown, is no part of it: a search may leave that out.
    """
    for position in chosen(game, thorough, seed):
        if position.action is None:
            continue
        own, state, number = position.game, position.state, len(position.actions)
        random = Random(f"{position.seed} {number}")
        for seat in looking(position, number):
            if seat == SPECTATOR:
                continue
            near, *_, far = determinizations(position, seat, random)
            here = list(steps(own, state, seat, position.action, random))
            there = [again for world in (near, far) for one in here if (again := repeated(own, world, seat, one))]
            no_more(position, seat, [*here, *there, *steps(own, far, seat, own.legal(far)[0], random)])
            no_less(position, seat, here)


def steps(game: Game, state: PlainState, seat: int, action: int, random: Random) -> Iterator[Step]:
    """Some steps from a position, as a seat meets them: ``action`` and others; where seats choose at once in two ways.

    In the same way the others choose the same.
    """
    legal = game.legal(state)
    for one in {action, *random.sample(legal, min(ACTIONS, len(legal)))}:
        for way in range(min(2, len(choosing(game, state)))):
            rng = Random(way)
            step = Step(game, state, seat)
            step.take(one)
            while step.goes_on:
                step.take(rng.choice(game.legal(step.after)))
            yield step


def repeated(game: Game, state: PlainState, seat: int, other: Step) -> Step | None:
    """The same step from another position; None where it is not legal there."""
    step = Step(game, state, seat)
    for action in other.actions:
        if action not in game.legal(step.after):
            return None
        step.take(action)
    return step


def no_more(position: Position, seat: int, found: list[Step]) -> None:
    """Where ``seat`` is told the same, it is shown the same."""
    known: dict[bytes, Step] = {}
    for one in found:
        before = known.setdefault(one.told, one)
        if before.memory != one.memory:
            raise Broken(MORE, place_of(position, seat, one), "observe_action", both(position, before, one))
        first = one.actions[0], before.actions[0]
        if first[0] != first[1] and one.memory[0] in first:
            raise Broken(ITSELF, place_of(position, seat, one), "observe_action", both(position, before, one))


def no_less(position: Position, seat: int, found: list[Step]) -> None:
    """Where the first of some actions decides what ``seat`` is told, it decides what it is shown."""
    for one, other in combinations(found, 2):
        same_rest = one.actions[0] != other.actions[0] and one.actions[1:] == other.actions[1:]
        if same_rest and one.told != other.told and one.memory == other.memory:
            if not any(is_by_chance(seat, each) for each in (one, other)):
                raise Broken(LESS, place_of(position, seat, other), "observe_action", both(position, one, other))


def is_by_chance(seat: int, found: Step) -> bool:
    """Whether a seat is told something else of the same step if the generator goes on otherwise."""
    for key in range(AGAIN):
        state = found.start.copy()
        rekey(state, key, key, key, key)
        again = repeated(found.game, state, seat, found)
        if again is None or again.told != found.told:
            return True
    return False


def place_of(position: Position, seat: int, found: Step) -> Place:
    """Where it is, for a message."""
    return position.place.at(seat=seat, action=found.actions[0])


def both(position: Position, *found: Step) -> tuple[str, ...]:
    """Two steps for a message: what is shown of each, and its first action in words."""
    game = position.game
    views = [game.view(one.start, one.start.player) for one in found]
    return tuple(
        f"{', '.join(map(str, one.memory))} for action {one.actions[0]} ({game.text(view, one.actions[0])})"
        for view, one in zip(views, found, strict=True)
    )


CHECKS = (observe_action_matches_events,)
