"""The check that imagination has the right odds in every game, not only on its mini variant: truth against imagined.

    sample      a deal, some random actions, one seat, and what that seat imagines from its view
    weight      imagination counts histories by chance alone; random actions do not, and the weight makes up for them
    part        a bit of a number in a position's key, or that it is more than another: it comes up as often in truth as
                in what is imagined

Truth and what is imagined from its view change places without anybody noticing, if the odds are right, wherever a
game is.  Exact odds are the mini variant's (``exact``); this finds what only larger games have, such as a third player.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from kibitz.engine.contract.walks import Place, check, demand, observers, raising_nothing
from kibitz.engine.game import Game
from kibitz.engine.layout import PlainState

SAMPLES = 1000
DEEP = 4
"""Every other sample is a deal; the rest have so many actions at most."""
LIMIT, FEWEST = 5.5, 32
"""So many standard deviations are too many, of a part that was seen to differ so often."""


@check
def truth_is_one_of_the_imagined(game: Game, thorough: int = 1, seed: int | None = None) -> None:
    """Every part of a position comes up as often in truth as in what a seat imagines, as far as chance explains it."""
    sums: dict[tuple[bool, int | None, object], list[float]] = {}
    place = Place(game)
    with raising_nothing("imagine", place):
        for deep, seat, weight, truth, imagined in samples(game, SAMPLES * thorough if seed is None else 1, seed or 0):
            for part, more in differing(game.infoset_states.key(truth), game.infoset_states.key(imagined)):
                for who in (seat, None):
                    found = sums.setdefault((deep, who, part), [0.0, 0.0, 0])
                    found[0] += weight * more
                    found[1] += weight * weight
                    found[2] += 1
    for (_, who, part), (excess, spread, times) in sums.items():
        far = abs(excess) / spread**0.5
        sentence = "a seat imagines something with a wrong frequency: in truth it comes up more or less often"
        values = f"{far:.1f} standard deviations", f"{times} differences"
        demand(times < FEWEST or far <= LIMIT, sentence, place.at(seat=who), f"{part} of the key", values)


def samples(game: Game, number: int, first: int) -> Iterator[tuple[bool, int, float, PlainState, PlainState]]:
    """Positions, whether they are no deals, who looks, their weights, and what that seat imagines of each."""
    everybody = observers(game)
    for n in range(first, first + number):
        random = Random(n)
        seat, weight, truth = everybody[n % len(everybody)], 1.0, game.deal(random.getrandbits(128))
        deep = random.randrange(1, DEEP + 1) if n // len(everybody) % 2 else 0
        for _ in range(deep):
            if truth.over:
                break
            legal = game.legal(truth)
            weight *= 1.0 if truth.player == seat else len(legal)
            game.rules.apply(truth, random.choice(legal))
        if not truth.over:
            yield deep > 0, seat, weight, truth, game.imagine(game.view(truth, seat), random.getrandbits(128))


def differing(one: Any, other: Any, path: tuple[int, ...] = ()) -> Iterator[tuple[object, int]]:
    """What is different in two keys, each with its path: which number is more, and the bits that only one has.

    1 where it is the first, else -1.
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


CHECKS = (truth_is_one_of_the_imagined,)
