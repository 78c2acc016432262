from collections import Counter
from itertools import permutations, product
from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kibitz.cards import chance
from kibitz.engine.kernels import compilation
from kibitz.engine.layout import CHANCE, Layout

WORDS = 1 << 32
PI = (0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344, 0xA4093822, 0x299F31D0)
KNOWN_ANSWERS = [  # kat_vectors of the Random123 distribution, philox4x32 with 10 rounds
    ((0,) * 6, (0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8)),
    ((0xFFFFFFFF,) * 6, (0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD)),
    (PI, (0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1)),
]
LAYOUT = Layout("ChanceState", *CHANCE)

word32 = st.integers(0, WORDS - 1)
keys = st.tuples(word32, word32, word32, word32)
TARGETS = {"plain": lambda: (compilation.plain(chance), LAYOUT.plain)}
TARGETS["compiled"] = lambda: (compilation.compiled(chance), lambda: np.zeros(1, LAYOUT.dtype).view(np.recarray)[0])


@pytest.fixture(scope="module", params=TARGETS)
def target(request):
    """The generator's kernels, plain or compiled, and a function that makes a state for them."""
    return TARGETS[request.param]()


def keyed(target, key):
    """The kernels and a fresh state with this key."""
    kernels, state = target
    s = state()
    kernels.rekey(s, *key)
    return kernels, s


@pytest.mark.parametrize(("given", "expected"), KNOWN_ANSWERS)
def test_philox_gives_the_published_known_answers(target, given, expected):
    kernels, _ = target
    assert tuple(kernels.philox(*given)) == expected


@given(key=keys)
def test_word_i_is_a_pure_function_of_the_key_and_i(target, key):
    kernels, s = keyed(target, key)
    words = [kernels.word(s) for _ in range(11)]
    k0, k1, k2, k3 = key
    assert words == [chance.philox(i >> 2, 0, k2, k3, k0, k1)[i & 3] for i in range(11)]
    assert s.draws == 11


@pytest.mark.parametrize("block", [1, 1000, WORDS - 1, WORDS, WORDS + 5, 1 << 40])
def test_generator_continues_from_any_block(target, block):
    kernels, s = keyed(target, (1, 2, 3, 4))
    s.draws = 4 * block
    expected = chance.philox(block % WORDS, block // WORDS, 3, 4, 1, 2)
    assert [kernels.word(s) for _ in range(4)] == list(expected)


@given(key=keys, used=st.integers(0, 9))
def test_rekey_restarts_the_generator_from_any_state(target, key, used):
    kernels, fresh = keyed(target, key)
    _, s = keyed(target, (9, 8, 7, 6))
    for _ in range(used):
        kernels.word(s)
    kernels.rekey(s, *key)
    assert s.draws == 0
    assert [kernels.word(s) for _ in range(6)] == [kernels.word(fresh) for _ in range(6)]


def test_each_key_word_changes_the_stream(target):
    streams = []
    for changed in range(5):
        kernels, s = keyed(target, tuple(int(i == changed) for i in range(4)))
        streams.append(tuple(kernels.word(s) for _ in range(4)))
    assert len(set(streams)) == 5


@given(key=keys, bounds=st.lists(st.integers(1, (1 << 31) - 1), max_size=20))
def test_compiled_draws_match_python(key, bounds):
    drawn = []
    for make in TARGETS.values():
        kernels, s = keyed(make(), key)
        drawn.append(([int(kernels.randbelow(s, n)) for n in bounds], int(s.draws)))
    assert drawn[0] == drawn[1]


@given(key=keys, first=st.integers(0, 10), last=st.integers(0, 10))
def test_compiled_shuffle_matches_python_and_stays_in_bounds(key, first, last):
    orders = []
    for make, row in zip(TARGETS.values(), (list, np.array), strict=True):
        kernels, s = keyed(make(), key)
        cards = row(range(10))
        kernels.shuffle(s, cards, first, last)
        orders.append([int(c) for c in cards])
    assert orders[0] == orders[1]
    assert orders[0][:first] == list(range(10))[:first]
    assert sorted(orders[0]) == list(range(10))
    if first <= last:
        assert orders[0][last:] == list(range(10))[last:]


def scripted(*words):
    """``randbelow`` reading these words instead of drawing them, and the list of words not used yet."""
    left = list(words)
    return compilation.plain(chance, word=lambda s: left.pop(0)).randbelow, left


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5, 6, 7, 13, 52, 104, 106, 1000, 3 << 29, (1 << 31) - 1])
def test_below_accepts_equally_many_words_for_every_outcome(n):
    """Exact: the words of an outcome are an interval, and only its first word can be rejected.

    A rejected word's product is below the floor 2**32 mod n < n, and products in an interval rise by n.  So
    the accepted words of an outcome are its interval, less its first word if that is rejected.
    """
    outcomes = range(n) if n <= 1000 else [0, 1, 2, n // 3, n // 2, n - 2, n - 1]
    for outcome in outcomes:
        first, after = -(-outcome * WORDS // n), -(-(outcome + 1) * WORDS // n)
        filler = WORDS - 1  # its product has the highest low half, so it is never rejected
        randbelow, left = scripted(first, filler)
        drawn = randbelow(None, n)
        rejected = len(left) == 0
        assert drawn == (n - 1 if rejected else outcome)
        for word in {first + 1, (first + after) // 2, after - 1} - {first}:
            if first < word < after:
                randbelow, left = scripted(word, filler)
                assert (randbelow(None, n), len(left)) == (outcome, 1)
        assert after - first - rejected == WORDS // n


def test_below_rejects_words_until_one_is_fair():
    randbelow, left = scripted(0, 0, 0, WORDS - 1, 5)
    assert (randbelow(None, 3), left) == (2, [5])


def test_below_a_power_of_two_uses_every_word():
    randbelow, left = scripted(0, 5)
    assert (randbelow(None, 4), left) == (0, [5])


def test_draws_below_13_pass_a_chi_square_test(target):
    kernels, s = keyed(target, (2024, 0, 0, 0))
    n, draws = 13, 13_000
    seen = Counter(int(kernels.randbelow(s, n)) for _ in range(draws))
    expected = draws / n
    assert sum((seen[i] - expected) ** 2 / expected for i in range(n)) < 32.9  # 12 degrees, p = 0.001


def test_shuffle_gives_every_permutation_of_four_once():
    seen = Counter()
    for script in product(range(4), range(3), range(2)):
        left, bounds = list(script), []

        def randbelow(s, n, left=left, bounds=bounds):
            bounds.append(n)
            return left.pop(0)

        cards = list("abcd")
        compilation.plain(chance, randbelow=randbelow).shuffle(None, cards, 0, 4)
        assert bounds == [4, 3, 2]
        seen[tuple(cards)] += 1
    assert seen == dict.fromkeys(permutations("abcd"), 1)


def test_partial_shuffle_selects_every_subset_equally_often():
    seen = Counter()
    for script in product(range(5), range(4), range(3), range(2)):
        left = list(script)
        cards = list(range(7))
        compilation.plain(chance, randbelow=lambda s, n, left=left: left.pop(0)).shuffle(None, cards, 1, 6)
        assert (cards[0], cards[6]) == (0, 6)
        seen[frozenset(cards[1:3])] += 1
    assert set(seen.values()) == {120 // comb(5, 2)}
    assert len(seen) == comb(5, 2)
