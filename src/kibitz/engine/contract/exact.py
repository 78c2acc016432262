"""Imagination held against the truth: on a mini variant both distributions are computed exactly and must be equal.

    belief      every position that agrees with what a seat was told, each with its exact probability: histories
                count with the probability of their chance events, other seats' choices with no weight of their own
    script      a path through chance: ``below`` answers from it, and all paths are gone through in turn

No sampling and no tolerance: probabilities are fractions.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from fractions import Fraction
from random import Random
from types import SimpleNamespace

from kibitz.engine import twins
from kibitz.engine.contract.walks import demand, observers
from kibitz.engine.events import encoded, to_seat
from kibitz.engine.game import Game
from kibitz.engine.layout import PlainState

Key = tuple[object, ...]
Belief = dict[Key, tuple[Fraction, PlainState]]


class Script:
    """Answers ``below`` along one path after another until all have been gone."""

    def __init__(self) -> None:
        self.path: list[tuple[int, int]] = []
        self.at = 0
        self.weight = Fraction(1)

    def below(self, s: object, n: int) -> int:
        """The next answer of the path, the lowest one where the path is new."""
        if self.at == len(self.path):
            self.path.append((0, n))
        choice, _ = self.path[self.at]
        self.at += 1
        self.weight /= n
        return choice

    def paths(self) -> Iterator[None]:
        """Once for every path; the weight of a path is known after it has been gone."""
        while True:
            self.at, self.weight = 0, Fraction(1)
            yield
            del self.path[self.at :]
            while self.path and self.path[-1][0] + 1 == self.path[-1][1]:
                self.path.pop()
            if not self.path:
                return
            choice, n = self.path.pop()
            self.path.append((choice + 1, n))


class Exact:
    """A game whose chance is scripted."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.script = Script()
        twin = twins.plain(game.rules, below=self.script.below)
        self.rules = SimpleNamespace(**{**vars(game.rules), **vars(twin)})
        home = twins.rebound(sys.modules[game.advance.__module__], rules=self.rules)
        self.advance = getattr(home, game.advance.__name__)

    def deals(self) -> Iterator[tuple[Fraction, PlainState]]:
        """Every deal with its probability."""
        for _ in self.script.paths():
            state = self.game.blank()
            self.rules.deal(state, 0, 0, 0, 0)
            yield self.script.weight, state

    def outcomes(self, state: PlainState, action: int, seat: int) -> Iterator[tuple[Fraction, PlainState, bytes]]:
        """Every outcome of an action: its probability, the position and what ``seat`` is told."""
        for _ in self.script.paths():
            after = state.copy()
            notices = self.advance(after, action)
            yield self.script.weight, after, encoded(to_seat(notices, seat))

    def imagined(self, state: PlainState, seat: int) -> dict[Key, Fraction]:
        """The distribution of ``imagine`` for what ``seat`` knows in ``state``."""
        view = self.game.view(state, seat)
        found: dict[Key, Fraction] = {}
        for _ in self.script.paths():
            world = self.game.blank()
            self.game.restore(world, view)
            if self.rules.resample(world, seat):
                key = self.game.worlds.key(world)
                found[key] = found.get(key, Fraction(0)) + self.script.weight
        return normal(found)


def normal(weights: dict[Key, Fraction]) -> dict[Key, Fraction]:
    """Weights scaled to probabilities."""
    total = sum(weights.values())
    return {key: weight / total for key, weight in weights.items()}


def imagination_is_exact(game: Game, thorough: int = 1) -> None:
    """On a mini variant: in every position of random games, for every seat, imagined and true beliefs are equal."""
    if game.variant != "mini":
        return
    exact = Exact(game)
    deals = list(exact.deals())
    for seed in range(8 * thorough):
        for seat in observers(game):
            follow(exact, deals, seed, seat)


def follow(exact: Exact, deals: list[tuple[Fraction, PlainState]], seed: int, seat: int) -> None:
    """One random game as ``seat`` sees it: its belief after every action, held against what it imagines."""
    game = exact.game
    random = Random(seed)
    truth = random.choice(deals)[1].copy()
    heard = encoded(to_seat(game.opening(truth), seat))
    belief: Belief = {}
    for weight, state in deals:
        if encoded(to_seat(game.opening(state), seat)) == heard:
            add(game, belief, weight, state)
    compare(exact, belief, truth, seat, seed)
    while not truth.over:
        mover, action = truth.player, random.choice(game.legal(truth))
        _, truth, heard = random.choice(list(exact.outcomes(truth, action, seat)))
        belief = updated(exact, belief, heard, action if mover == seat else None, seat)
        compare(exact, belief, truth, seat, seed)


def add(game: Game, belief: Belief, weight: Fraction, state: PlainState) -> None:
    """Add a history that ends in ``state``."""
    key = game.worlds.key(state)
    so_far = belief[key][0] if key in belief else Fraction(0)
    belief[key] = so_far + weight, state


def updated(exact: Exact, belief: Belief, heard: bytes, own: int | None, seat: int) -> Belief:
    """The belief once ``seat`` has been told ``heard``; ``own`` is its own action, None if another seat acted."""
    after: Belief = {}
    for weight, state in belief.values():
        for action in exact.game.legal(state) if own is None else [own]:
            for chance, outcome, told in exact.outcomes(state, action, seat):
                if told == heard:
                    add(exact.game, after, weight * chance, outcome)
    return after


def compare(exact: Exact, belief: Belief, truth: PlainState, seat: int, seed: int) -> None:
    """What ``seat`` imagines has the support and the frequencies of what it can believe."""
    name = exact.game.name
    right = normal({key: weight for key, (weight, _) in belief.items()})
    found = exact.imagined(truth, seat)
    demand(exact.game.worlds.key(truth) in right, f"{name}: the truth is not among the beliefs (seed {seed})")
    missing, surplus = right.keys() - found.keys(), found.keys() - right.keys()
    demand(not missing, f"{name}: seat {seat} never imagines {len(missing)} of {len(right)} positions (seed {seed})")
    demand(not surplus, f"{name}: seat {seat} imagines {len(surplus)} impossible positions (seed {seed})")
    wrong = [key for key in right if right[key] != found[key]]
    demand(not wrong, f"{name}: seat {seat} imagines {len(wrong)} positions with a wrong frequency (seed {seed})")


CHECKS = (imagination_is_exact,)
