"""Cards drawn at random: every set is equally likely, and compiled code draws the same cards as Python."""

from collections import Counter
from itertools import combinations
from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kibitz.cards import drawing
from kibitz.engine.kernels import compilation
from kibitz.engine.layout import CHANCE, Field, Layout

LAYOUT = Layout("DrawingState", *CHANCE, Field("pool", 52, "i8", True))
ODD = 0x5_5555_5555_5555


def scripted(*numbers):
    """The kernels drawing these numbers, and the list of bounds passed to ``randbelow``."""
    left, bounds = list(numbers), []

    def randbelow(s, n):
        bounds.append(n)
        return left.pop(0)

    return compilation.plain(drawing, randbelow=randbelow), bounds


def sets_of(cards, k):
    """All sets of ``k`` of these cards."""
    return {sum(1 << card for card in chosen) for chosen in combinations([c for c in range(52) if cards >> c & 1], k)}


@pytest.mark.parametrize("k", range(1, drawing.MAX_HANDFUL + 1))
def test_every_number_gives_a_different_set(k):
    cards = 0b1011011101 << 20
    found = set()
    for number in range(comb(7, k)):
        kernels, bounds = scripted(number)
        found.add(kernels.handful(LAYOUT.plain(), cards, k))
        assert bounds == [comb(7, k)]
    assert found == sets_of(cards, k)


def test_draw_of_more_than_a_handful_gives_every_set_equally_often():
    cards, n = ODD & (1 << 16) - 1, 7
    seen = Counter()
    for first in range(comb(8, 5)):
        for second in range(comb(3, 2)):
            kernels, bounds = scripted(first, second)
            seen[kernels.draw(LAYOUT.plain(), cards, n)] += 1
            assert bounds == [comb(8, 5), comb(3, 2)]
    assert set(seen) == sets_of(cards, n)
    assert set(seen.values()) == {comb(7, 5)}


def test_all_cards_need_no_random_number_and_one_of_counts_from_the_lowest():
    kernels, bounds = scripted()
    assert kernels.draw(LAYOUT.plain(), ODD, 26) == ODD
    assert bounds == []
    assert [scripted(i)[0].random_card(None, 0b1011000) for i in range(3)] == [3, 4, 6]


@given(seed=st.integers(0, 1 << 31), cards=st.integers(1, (1 << 52) - 1), part=st.floats(0, 1))
def test_compiled_draws_match_python(seed, cards, part):
    n = round(part * cards.bit_count())
    drawn = []
    for kernels, s in (
        (compilation.plain(drawing), LAYOUT.plain()),
        (compilation.compiled(drawing), np.zeros(1, LAYOUT.dtype).view(np.recarray)[0]),
    ):
        s.key[0] = seed
        values = (
            kernels.draw(s, cards, n),
            kernels.handful(s, cards, min(n, drawing.MAX_HANDFUL)),
            kernels.random_card(s, cards),
        )
        drawn.append((*map(int, values), int(s.draws)))
    assert drawn[0] == drawn[1]
    assert drawn[0][0] & ~cards == 0
    assert drawn[0][0].bit_count() == n
