"""Compares imagined positions with the truth: on a mini variant both distributions are exact and must be equal.

    belief      every position that agrees with what a seat saw, each with its exact probability: histories count with
                the probability of their chance events, and other seats' choices have no weight
    paths       chance is scripted, and every path through it is played in turn: see ``kibitz.engine.chance_tree``

Nothing is sampled and nothing is rounded: probabilities are fractions.
"""

from __future__ import annotations

import inspect
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from random import Random
from typing import Any, TypeVar

from kibitz.engine.chance_tree import Enumerated, Path
from kibitz.engine.contract.checking import Place, check, demand, observers, raising_nothing, seeds
from kibitz.engine.contract.completeness import package_games
from kibitz.engine.contract.coverage import package
from kibitz.engine.game import Game
from kibitz.engine.infoset_states import fields, position_key
from kibitz.engine.layout import PlainState
from kibitz.engine.validation import unchecked
from kibitz.engine.views.events import View, encoded, to_seat

Key = tuple[object, ...]
Belief = dict[Key, tuple[Fraction, PlainState]]
T = TypeVar("T")
MAX_PATHS = 100_000
"""A variant with more deals than this doesn't count as a mini variant."""
DRAWS, CHI_LIMIT = 300, 6
"""How many positions are imagined to count frequencies, and the deviation, in standard deviations, that is a fault."""


def limit_paths(paths: Iterator[T], place: Place) -> Iterator[T]:
    """The paths of chance, unchanged; Broken if there are too many to visit."""
    for number, path in enumerate(paths):
        demand(number < MAX_PATHS, f"over {MAX_PATHS} paths of chance: too many for a mini variant", place)
        yield path


class Rejected(Exception):
    """``resample`` has rejected more draws than ``Exact.allowed``."""


class Exact(Enumerated):
    """A game whose chance is scripted, its ``imagine`` included."""

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.rules.resample = self.resample
        self.redraw = self.kernels.resample
        self.rejections = self.allowed = 0
        changed: dict[str, Any] = {"rules": self.rules, "advance": self.advance}
        self.game = replace(game, **changed)
        self.compared = self.uncertain = 0

    def resample(self, s: PlainState, seat: int) -> bool:
        """The game's own ``resample``, with a limit on rejections."""
        if self.redraw(s, seat):
            return True
        self.rejections += 1
        if self.rejections > self.allowed:
            raise Rejected
        return False

    def paths(self, place: Place) -> Iterator[None]:
        """Every path of chance; Broken if there are too many to visit."""
        yield from limit_paths(self.script.paths(), place)

    def every_deal(self) -> Iterator[tuple[Fraction, PlainState]]:
        """Every deal with its probability; Broken if there are too many to visit."""
        yield from limit_paths(self.deals(), Place(self.original))

    def observed_outcomes(
        self, state: PlainState, action: int, seat: int
    ) -> Iterator[tuple[Fraction, PlainState, bytes]]:
        """Every outcome of an action: its probability, the position and the events that ``seat`` sees."""
        for weight, after, notices in self.outcomes(state, action):
            yield weight, after, encoded(to_seat(notices, seat))

    def imagined(self, view: View, place: Place) -> tuple[dict[Key, Fraction], list[Path]]:
        """The distribution of ``Game.imagine`` where nothing is rejected, and the paths that end in a rejection."""
        distribution: dict[Key, Fraction] = {}
        rejected: list[Path] = []
        self.allowed = 0
        for _ in self.paths(place):
            self.rejections = 0
            try:
                key = self.game.infoset_states.key(self.game.imagine(view, 0))
            except Rejected:
                rejected.append(self.script.path[:])
                continue
            distribution[key] = distribution.get(key, Fraction(0)) + self.script.weight
        return normalised(distribution), rejected

    def imagined_after(self, view: View, rejected: Path, place: Place) -> dict[Key, Fraction]:
        """The distribution of ``Game.imagine`` after a path that ends in a rejection, if nothing more is rejected."""
        result: dict[Key, Fraction] = {}
        self.allowed = 1
        prefix = [(choice, choice + 1) for choice, _ in rejected]
        for _ in self.script.paths_after(prefix):
            self.rejections = 0
            try:
                key = self.game.infoset_states.key(self.game.imagine(view, 0))
            except Rejected:
                continue
            result[key] = result.get(key, Fraction(0)) + self.script.weight
        return normalised(result)


def normalised(weights: dict[Key, Fraction]) -> dict[Key, Fraction]:
    """Weights scaled to probabilities."""
    total = sum(weights.values())
    return {key: weight / total for key, weight in weights.items()}


def games_location(game: Game) -> str:
    """The file of a game's package, and the line in which its GAMES begins."""
    module = sys.modules[package(game)]
    lines = inspect.getsource(module).splitlines()
    at = next((number for number, line in enumerate(lines, 1) if line.startswith("GAMES")), 1)
    return f"{module.__file__}, line {at},"


@check
def imagination_is_exact(game: Game, thorough: int = 1, seed: int | None = None) -> None:
    """On a mini variant: in every position of random games, for every seat, imagined and true beliefs are equal.

    For a game that is not a mini variant, this only checks that one with its rules exists:
    ``kibitz.engine.contract.checks_of`` adds the mini variant itself.
    """
    place = Place(game)
    if game.variant != "mini":
        sentence = "without a mini variant of the same rules, nothing shows that imagined positions are right"
        demand(mini_variants(game), f"{sentence}: {games_location(game)} needs one among its GAMES", place)
        return
    exact = Exact(game)
    deals = list(exact.every_deal())
    demand(len(deals) > 1, "the mini variant has only one deal", place)
    openings = opening_events(exact, deals)
    for number in seeds(8 * thorough, seed):
        for seat in observers(game):
            follow_game(exact, deals, openings[seat], number, seat)
    shown = exact.compared > 20 and exact.uncertain > 5
    found = f"{exact.compared} positions, {exact.uncertain} of them with something hidden"
    demand(shown or seed is not None, "the mini variant shows too little", place, "compared", (found,))


def mini_variants(game: Game) -> list[Game]:
    """The mini variants that represent a game: those with the same rules."""
    return [other for other in package_games(game) if other.variant == "mini" and same_rules(game, other)]


def same_rules(game: Game, mini: Game) -> bool:
    """Whether a mini variant represents a game's imagination: the same rules, view and ``imagine``."""
    parts = ("rules", "view", "opening", "advance", "restore", "infoset_states")
    return type(mini) is type(game) and all(
        unchecked(getattr(mini, part)) == unchecked(getattr(game, part)) for part in parts
    )


def opening_events(exact: Exact, deals: list[tuple[Fraction, PlainState]]) -> dict[int, list[bytes]]:
    """The events of each deal, as each seat sees them."""
    openings = [exact.game.opening(state) for _, state in deals]
    return {seat: [encoded(to_seat(notices, seat)) for notices in openings] for seat in observers(exact.game)}


def follow_game(
    exact: Exact, deals: list[tuple[Fraction, PlainState]], opening_by_deal: list[bytes], seed: int, seat: int
) -> None:
    """One random game as ``seat`` sees it: its belief after every action, compared with what it imagines.

    ``opening_by_deal`` has the events it sees of each deal.
    """
    game = exact.game
    random = Random(seed)
    truth = random.choice(deals)[1].copy()
    observed = encoded(to_seat(game.opening(truth), seat))
    belief: Belief = {}
    for (weight, state), opening in zip(deals, opening_by_deal, strict=True):
        if opening == observed:
            add_history(game, belief, weight, state)
    place = Place(game, seed, 0, seat)
    compare_with_belief(exact, belief, truth, place)
    step = 0
    while not truth.over:
        step += 1
        mover, action = truth.player, random.choice(game.legal(truth))
        _, truth, observed = random.choice(list(exact.observed_outcomes(truth, action, seat)))
        belief = updated_belief(exact, belief, observed, action if mover == seat else None, seat)
        compare_with_belief(exact, belief, truth, place.at(step=step, action=action))


def add_history(game: Game, belief: Belief, weight: Fraction, state: PlainState) -> None:
    """Add a history that ends in ``state``."""
    key = game.infoset_states.key(state)
    so_far = belief[key][0] if key in belief else Fraction(0)
    belief[key] = so_far + weight, state


def updated_belief(exact: Exact, belief: Belief, observed: bytes, own: int | None, seat: int) -> Belief:
    """The belief after ``seat`` has ``observed`` events; ``own`` is its own action, None for another seat's."""
    after: Belief = {}
    for weight, state in belief.values():
        for action in exact.game.legal(state) if own is None else [own]:
            for chance, outcome, events in exact.observed_outcomes(state, action, seat):
                if events == observed:
                    add_history(exact.game, after, weight * chance, outcome)
    return after


def compare_with_belief(exact: Exact, belief: Belief, truth: PlainState, place: Place) -> None:
    """What a seat imagines has the support and the frequencies of its belief, after a rejection too."""
    key, seat = exact.game.infoset_states.key, place.seat
    assert seat is not None
    right = normalised({known: weight for known, (weight, _) in belief.items()})
    demand(key(truth) in right, "the truth is not among the beliefs", place)
    view = exact.game.view(truth, seat)
    found, rejected = exact.imagined(view, place)
    demand_same_distribution(right, found, "", place, truth)
    if rejected:
        found = exact.imagined_after(view, rejected[(place.step or 0) % len(rejected)], place)
        demand_same_distribution(right, found, ", after a rejection", place, truth)
    exact.compared += 1
    exact.uncertain += len(right) > 1
    if len(right) > 1 and exact.uncertain % 16 == 1:
        frequencies(exact.original, right, view, place)


def demand_same_distribution(
    right: dict[Key, Fraction], found: dict[Key, Fraction], when: str, place: Place, truth: PlainState
) -> None:
    """Two distributions are equal; the error shows how a position that isn't in both differs from the truth."""
    missing, surplus = list(right.keys() - found.keys()), list(found.keys() - right.keys())
    one = f"a seat never imagines {len(missing)} of {len(right)} positions{when}"
    demand(not missing, one, place, "one of them", difference_text(place.game, missing, truth))
    other = f"a seat imagines {len(surplus)} impossible positions{when}"
    demand(not surplus, other, place, "one of them", difference_text(place.game, surplus, truth))
    wrong = [key for key in right if right[key] != found[key]]
    odds = (str(right[wrong[0]]), str(found[wrong[0]])) if wrong else ()
    sentence = f"a seat imagines {len(wrong)} positions with a wrong frequency{when}"
    demand(not wrong, sentence, place, "right and found", odds)


def difference_text(game: Game, keys: list[Key], truth: PlainState) -> tuple[object, ...]:
    """The first of some positions: its fields that differ from the truth, or its key if the game defines one."""
    if not keys or game.infoset_states.key is not position_key:
        return tuple(keys[:1])
    both = zip(fields(truth.layout), keys[0], position_key(truth), strict=True)
    return (", ".join(f"{name} {value} and not {real}" for name, value, real in both if value != real),)


def frequencies(game: Game, right: dict[Key, Fraction], view: View, place: Place) -> None:
    """Positions imagined with different seeds come up with the right frequencies (a chi-squared test)."""
    counts: Counter[Key] = Counter(game.infoset_states.key(game.imagine(view, seed << 64 | 7)) for seed in range(DRAWS))
    surplus = list(counts.keys() - right.keys())
    demand(not surplus, "a seat imagines impossible positions, by some seeds", place, "one of them", tuple(surplus[:1]))
    spread = sum(float((counts[key] - DRAWS * p) ** 2 / (DRAWS * p)) for key, p in right.items())
    free = len(right) - 1
    shape = sum(1 / float(DRAWS * p) for p in right.values())
    most = free + CHI_LIMIT * (2 * free + shape) ** 0.5 + CHI_LIMIT
    sentence = "a seat imagines positions with a wrong frequency, by their seeds"
    demand(spread <= most, sentence, place, "chi-squared, and its limit", (spread, most))


# Distributions in games of any size, by sampling: truth against imagination.
#
#     sample      a deal, some random actions, one seat, and what that seat imagines from its view
#     weight      imagination counts histories by chance alone; random actions do not, and the weight makes up for it
#     part        a bit of a number in a position's key, or that the number is the larger of the two: it must be as
#                 frequent in truth as in imagination
#
# If the odds are right, the truth and an imagined position can change places unnoticed. The mini variant is checked
# exactly above; this finds what only larger games have, such as a third player.


SAMPLES = 1000
MAX_DEPTH = 4
"""Every other sample is a deal; the others have at most this many actions."""
ODDS_LIMIT, FEWEST = 5.5, 32
"""A part's difference is a fault beyond this many standard deviations, if the part differed at least this often."""


@check
def imagination_has_true_frequencies(game: Game, thorough: int = 1, seed: int | None = None) -> None:
    """Every part of a position is as frequent in truth as in what a seat imagines, up to chance."""
    sums: dict[tuple[bool, int | None, object], list[float]] = {}
    place = Place(game)
    with raising_nothing("imagine", place):
        for deep, seat, weight, truth, imagined in samples(game, SAMPLES * thorough if seed is None else 1, seed or 0):
            for part, more in differing(game.infoset_states.key(truth), game.infoset_states.key(imagined)):
                for who in (seat, None):
                    sums_of_part = sums.setdefault((deep, who, part), [0.0, 0.0, 0])
                    sums_of_part[0] += weight * more
                    sums_of_part[1] += weight * weight
                    sums_of_part[2] += 1
    for (_, who, part), (excess, spread, times) in sums.items():
        far = abs(excess) / spread**0.5
        sentence = "a seat imagines something with a wrong frequency"
        values = f"{far:.1f} standard deviations", f"{times} differences"
        demand(times < FEWEST or far <= ODDS_LIMIT, sentence, place.at(seat=who), f"{part} of the key", values)


def samples(game: Game, number: int, first: int) -> Iterator[tuple[bool, int, float, PlainState, PlainState]]:
    """Random positions: whether actions followed the deal, the observer, the weight, the truth, and one imagined."""
    everybody = observers(game)
    for n in range(first, first + number):
        random = Random(n)
        seat, weight, truth = everybody[n % len(everybody)], 1.0, game.deal(random.getrandbits(128))
        deep = random.randrange(1, MAX_DEPTH + 1) if n // len(everybody) % 2 else 0
        for _ in range(deep):
            if truth.over:
                break
            legal = game.legal(truth)
            weight *= 1.0 if truth.player == seat else len(legal)
            game.rules.apply(truth, random.choice(legal))
        if not truth.over:
            yield deep > 0, seat, weight, truth, game.imagine(game.view(truth, seat), random.getrandbits(128))


def differing(one: Any, other: Any, path: tuple[int, ...] = ()) -> Iterator[tuple[object, int]]:
    """How two keys differ, by path: which number is larger, or which bits only one has.

    The second number is 1 for the first key, -1 for the second key.
    """
    if isinstance(one, tuple) and isinstance(other, tuple):
        for at, (here, there) in enumerate(zip(one, other, strict=False)):
            if here != there:
                yield from differing(here, there, (*path, at))
    elif isinstance(one, int) and isinstance(other, int):
        yield (*path, "more"), 1 if one > other else -1
        bits = (one ^ other) & (1 << 64) - 1
        while bits:
            low = bits & -bits
            yield (*path, low.bit_length() - 1), 1 if one & low else -1
            bits ^= low


CHECKS = (
    imagination_is_exact,
    imagination_has_true_frequencies,
)
