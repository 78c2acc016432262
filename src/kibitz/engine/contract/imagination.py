"""Compares imagined positions with the truth: on a mini variant both distributions are exact and must be equal.

    belief      every position that agrees with what a seat saw, each with its exact probability: a history has the
                probability of its chance events, as if the other seats' choices had been certain
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

from kibitz.engine.chance_tree import EnumeratedGame, Path
from kibitz.engine.contract.checking import Place, check, demand, observers, raising_nothing, seeds
from kibitz.engine.contract.completeness import package_games
from kibitz.engine.contract.coverage import package
from kibitz.engine.game import Game
from kibitz.engine.infoset_states import key_fields, position_key
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
    """``resample`` has rejected more draws than ``ScriptedGame.allowed_rejections``."""


class ScriptedGame(EnumeratedGame):
    """A game whose random numbers follow a script, also in ``imagine``; so distributions are found exactly."""

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.rules.resample = self.resample
        self.redraw = self.kernels.resample
        self.rejections = self.allowed_rejections = 0
        changed: dict[str, Any] = {"rules": self.rules, "advance": self.advance}
        self.game = replace(game, **changed)
        self.positions_compared = self.positions_uncertain = 0

    def resample(self, s: PlainState, seat: int) -> bool:
        """The game's own ``resample``, with a limit on rejections."""
        if self.redraw(s, seat):
            return True
        self.rejections += 1
        if self.rejections > self.allowed_rejections:
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
        """The distribution of ``Game.imagine`` over paths without a rejection, and the paths that end in one."""
        distribution: dict[Key, Fraction] = {}
        rejected: list[Path] = []
        self.allowed_rejections = 0
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
        """The distribution of ``Game.imagine`` after the path ``rejected``, without further rejections."""
        result: dict[Key, Fraction] = {}
        self.allowed_rejections = 1
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
    """On a mini variant: in every position of random games, what a seat imagines has the distribution of its belief.

    For any other game, this only checks that a mini variant with its rules exists: ``kibitz.engine.contract.checks_of``
    adds the mini variant itself.
    """
    place = Place(game)
    if game.variant != "mini":
        sentence = "without a mini variant of the same rules, nothing shows that imagined positions are right"
        demand(mini_variants(game), f"{sentence}: {games_location(game)} needs one among its GAMES", place)
        return
    scripted = ScriptedGame(game)
    deals = list(scripted.every_deal())
    demand(len(deals) > 1, "the mini variant has only one deal", place)
    openings = opening_events(scripted, deals)
    for number in seeds(8 * thorough, seed):
        for seat in observers(game):
            follow_game(scripted, deals, openings[seat], number, seat)
    is_enough = scripted.positions_compared > 20 and scripted.positions_uncertain > 5
    summary = f"{scripted.positions_compared} positions, {scripted.positions_uncertain} of them with something hidden"
    demand(is_enough or seed is not None, "the mini variant shows too little", place, "compared", (summary,))


def mini_variants(game: Game) -> list[Game]:
    """The mini variants that represent a game, because they have the same rules."""
    return [other for other in package_games(game) if other.variant == "mini" and same_rules(game, other)]


def same_rules(game: Game, mini: Game) -> bool:
    """Whether a mini variant represents a game's imagination: the same rules, view and ``imagine``."""
    parts = ("rules", "view", "opening", "advance", "restore", "infoset_states")
    return type(mini) is type(game) and all(
        unchecked(getattr(mini, part)) == unchecked(getattr(game, part)) for part in parts
    )


def opening_events(scripted: ScriptedGame, deals: list[tuple[Fraction, PlainState]]) -> dict[int, list[bytes]]:
    """By seat, the events of each deal that it sees, encoded."""
    openings = [scripted.game.opening(state) for _, state in deals]
    return {seat: [encoded(to_seat(notices, seat)) for notices in openings] for seat in observers(scripted.game)}


def follow_game(
    scripted: ScriptedGame, deals: list[tuple[Fraction, PlainState]], opening_by_deal: list[bytes], seed: int, seat: int
) -> None:
    """Play a random game, and compare ``seat``'s belief after every action with what it imagines.

    ``opening_by_deal`` has the events that the seat sees of each deal, encoded.
    """
    game = scripted.game
    random = Random(seed)
    truth = random.choice(deals)[1].copy()
    observed = encoded(to_seat(game.opening(truth), seat))
    belief: Belief = {}
    for (weight, state), opening in zip(deals, opening_by_deal, strict=True):
        if opening == observed:
            add_history(game, belief, weight, state)
    place = Place(game, seed, 0, seat)
    compare_with_belief(scripted, belief, truth, place)
    step = 0
    while not truth.over:
        step += 1
        mover, action = truth.player, random.choice(game.legal(truth))
        _, truth, observed = random.choice(list(scripted.observed_outcomes(truth, action, seat)))
        belief = updated_belief(scripted, belief, observed, action if mover == seat else None, seat)
        compare_with_belief(scripted, belief, truth, place.at(step=step, action=action))


def add_history(game: Game, belief: Belief, weight: Fraction, state: PlainState) -> None:
    """Add to a belief a history that ends in ``state`` and has the probability ``weight``."""
    key = game.infoset_states.key(state)
    so_far = belief[key][0] if key in belief else Fraction(0)
    belief[key] = so_far + weight, state


def updated_belief(
    scripted: ScriptedGame, belief: Belief, observed: bytes, own_action: int | None, seat: int
) -> Belief:
    """The belief after ``seat`` has ``observed`` these events of an action, ``own_action`` if the seat itself acted."""
    after: Belief = {}
    for weight, state in belief.values():
        for action in scripted.game.legal(state) if own_action is None else [own_action]:
            for chance, outcome, events in scripted.observed_outcomes(state, action, seat):
                if events == observed:
                    add_history(scripted.game, after, weight * chance, outcome)
    return after


def compare_with_belief(scripted: ScriptedGame, belief: Belief, truth: PlainState, place: Place) -> None:
    """Demand that a seat imagines the positions of its belief with their probabilities, after a rejection too."""
    key, seat = scripted.game.infoset_states.key, place.seat
    assert seat is not None
    expected = normalised({position: weight for position, (weight, _) in belief.items()})
    demand(key(truth) in expected, "the truth is not among the beliefs", place)
    view = scripted.game.view(truth, seat)
    imagined, rejected = scripted.imagined(view, place)
    demand_same_distribution(expected, imagined, "", place, truth)
    if rejected:
        imagined = scripted.imagined_after(view, rejected[(place.step or 0) % len(rejected)], place)
        demand_same_distribution(expected, imagined, ", after a rejection", place, truth)
    scripted.positions_compared += 1
    scripted.positions_uncertain += len(expected) > 1
    if len(expected) > 1 and scripted.positions_uncertain % 16 == 1:
        check_frequencies(scripted.original, expected, view, place)


def demand_same_distribution(
    expected: dict[Key, Fraction], imagined: dict[Key, Fraction], when: str, place: Place, truth: PlainState
) -> None:
    """Demand that two distributions are equal; Broken shows how a position in only one differs from the truth."""
    missing, surplus = list(expected.keys() - imagined.keys()), list(imagined.keys() - expected.keys())
    never_imagined = f"a seat never imagines {len(missing)} of {len(expected)} positions{when}"
    demand(not missing, never_imagined, place, "one of them", difference_text(place.game, missing, truth))
    impossible = f"a seat imagines {len(surplus)} impossible positions{when}"
    demand(not surplus, impossible, place, "one of them", difference_text(place.game, surplus, truth))
    wrong = [key for key in expected if expected[key] != imagined[key]]
    odds = (str(expected[wrong[0]]), str(imagined[wrong[0]])) if wrong else ()
    sentence = f"a seat imagines {len(wrong)} positions with a wrong frequency{when}"
    demand(not wrong, sentence, place, "right and found", odds)


def difference_text(game: Game, keys: list[Key], truth: PlainState) -> tuple[object, ...]:
    """The first of some positions: its fields that differ from the truth, or its key if the game defines one."""
    if not keys or game.infoset_states.key is not position_key:
        return tuple(keys[:1])
    triples = zip(key_fields(truth.layout), keys[0], position_key(truth), strict=True)
    return (", ".join(f"{name} {value} and not {real}" for name, value, real in triples if value != real),)


def check_frequencies(game: Game, expected: dict[Key, Fraction], view: View, place: Place) -> None:
    """Demand that positions imagined with different seeds have the right frequencies (a chi-squared test)."""
    counts: Counter[Key] = Counter(game.infoset_states.key(game.imagine(view, seed << 64 | 7)) for seed in range(DRAWS))
    surplus = list(counts.keys() - expected.keys())
    demand(not surplus, "a seat imagines impossible positions, by some seeds", place, "one of them", tuple(surplus[:1]))
    chi_squared = sum(float((counts[key] - DRAWS * p) ** 2 / (DRAWS * p)) for key, p in expected.items())
    # The statistic has mean ``degrees`` and about the variance 2 * degrees + rare_positions.
    degrees = len(expected) - 1
    rare_positions = sum(1 / float(DRAWS * p) for p in expected.values())
    limit = degrees + CHI_LIMIT * (2 * degrees + rare_positions) ** 0.5 + CHI_LIMIT
    sentence = "a seat imagines positions with a wrong frequency, by their seeds"
    demand(chi_squared <= limit, sentence, place, "chi-squared, and its limit", (chi_squared, limit))


# Distributions in games of any size, by sampling: truth against imagination.
#
#     sample      a deal, some random actions, one seat, and what that seat imagines from its view
#     weight      ``imagine`` weighs histories by chance alone, but an action drawn at random is less likely where more
#                 are legal: the weight corrects for that
#     part        a way in which two keys can differ: in one bit of a number, or in which number is larger. The truth
#                 must have each part as often as the imagined position
#
# If the odds are right, exchanging the truth and an imagined position changes no frequency. The mini variant is checked
# exactly above; this finds faults that only larger games have, such as with a third player.


SAMPLES = 1000
MAX_DEPTH = 4
"""Every other sample is a deal; the others have at most this many actions."""
ODDS_LIMIT, FEWEST = 5.5, 32
"""A part is wrong beyond this many standard deviations, if it differed in at least this many samples."""


@check
def imagination_has_true_frequencies(game: Game, thorough: int = 1, seed: int | None = None) -> None:
    """Every part of a position is as frequent in truth as in what a seat imagines, within the limits of chance."""
    # For each part: the weighted excess in truth, its variance, and the number of samples that differ in it.
    sums: dict[tuple[bool, int | None, object], list[float]] = {}
    place = Place(game)
    with raising_nothing("imagine", place):
        for deep, seat, weight, truth, imagined in samples(game, SAMPLES * thorough if seed is None else 1, seed or 0):
            for part, sign in key_differences(game.infoset_states.key(truth), game.infoset_states.key(imagined)):
                for observer in (seat, None):
                    sums_of_part = sums.setdefault((deep, observer, part), [0.0, 0.0, 0])
                    sums_of_part[0] += weight * sign
                    sums_of_part[1] += weight * weight
                    sums_of_part[2] += 1
    for (_, observer, part), (excess, variance, count) in sums.items():
        deviation = abs(excess) / variance**0.5
        sentence = "a seat imagines something with a wrong frequency"
        values = f"{deviation:.1f} standard deviations", f"{count} differences"
        demand(
            count < FEWEST or deviation <= ODDS_LIMIT, sentence, place.at(seat=observer), f"{part} of the key", values
        )


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


def key_differences(first: Any, second: Any, path: tuple[int, ...] = ()) -> Iterator[tuple[object, int]]:
    """How two keys differ: pairs of a part and a sign, 1 if the first key has it, -1 if the second has.

    A part is the path to a number and then ``"more"`` (this number is larger) or a bit (it is set in this number).
    """
    if isinstance(first, tuple) and isinstance(second, tuple):
        for i, (in_first, in_second) in enumerate(zip(first, second, strict=False)):
            if in_first != in_second:
                yield from key_differences(in_first, in_second, (*path, i))
    elif isinstance(first, int) and isinstance(second, int):
        yield (*path, "more"), 1 if first > second else -1
        bits = (first ^ second) & (1 << 64) - 1
        while bits:
            low = bits & -bits
            yield (*path, low.bit_length() - 1), 1 if first & low else -1
            bits ^= low


CHECKS = (
    imagination_is_exact,
    imagination_has_true_frequencies,
)
