"""Kernels stay within machine words and arrays: Python detects what would be undefined in machine code."""

import inspect

import pytest

from kibitz.engine.contract import Violation, kernel_checks, lockstep, numbers
from kibitz.engine.registry import all_games
from kibitz.kernel import kernel
from tests.contract.groups import by_tier
from tests.contract.test_rare_faults import on

TEN = tuple(range(10))
GAMES = pytest.mark.parametrize("played", by_tier(all_games()))


@kernel
def product(a, b):
    return a * b


@kernel
def grown(a, b):
    for _ in range(b):
        a *= 3
    return a


@kernel
def bits(a, b):
    return (a << b) & 1


@kernel
def lower(a, b):
    return a >> b


@kernel
def entry(a, b):
    return TEN[a - b]


@kernel
def added(a, b):
    s = a
    s[b] += 1
    return s[b]


@kernel
def stored(a, b):
    a[b] = 5
    return a[b]


RIGHT = [
    (product, 3, 1 << 60, 3 << 60),
    (product, -2, 1 << 62, -(1 << 63)),
    (grown, 1, 39, 3**39),
    (bits, 1, 62, 0),
    (lower, -1, 63, -1),
    (entry, 9, 0, 9),
    (added, [1, 2], 1, 3),
    (stored, [1, 2], 0, 5),
]
WRONG = [
    (product, 2, 1 << 62, OverflowError, "9223372036854775808 does not fit in 64 bits: product, line"),
    (product, 3, -(1 << 62), OverflowError, "does not fit"),
    (grown, 1, 40, OverflowError, "does not fit in 64 bits: grown"),
    (bits, 1, 63, OverflowError, "does not fit"),
    (bits, 0, 64, OverflowError, "shifted by 64 bits"),
    (lower, 5, 64, OverflowError, "shifted by 64 bits"),
    (lower, 5, -1, OverflowError, "shifted by -1 bits"),
    (entry, 3, 4, IndexError, "no entry -1 in an array of 10: entry, line"),
    (entry, 10, 0, IndexError, "no entry 10 in an array of 10"),
    (added, [1, 2], -1, IndexError, "no entry -1 in an array of 2"),
    (stored, [1, 2], -1, IndexError, "no entry -1 in an array of 2"),
]


@pytest.mark.parametrize(("function", "a", "b", "value"), RIGHT)
def test_valid_machine_arithmetic_passes(function, a, b, value):
    with numbers.numbers_checked([function]):
        assert function(a, b) == value


@pytest.mark.parametrize(("function", "a", "b", "error", "sentence"), WRONG)
def test_invalid_machine_arithmetic_raises_with_its_line(function, a, b, error, sentence):
    with numbers.numbers_checked([function]), pytest.raises(error, match=sentence) as raised:
        function(a, b)
    if ", line" in str(raised.value):
        first = function.__code__.co_firstlineno
        line = int(str(raised.value).split(", line ")[1].split()[0])
        assert first < line < first + len(inspect.getsourcelines(function)[0])


@GAMES
def test_every_kernel_of_every_game_can_be_instrumented(played):
    assert all(map(numbers.checked_code, [*kernel_checks.kernels_of(played.rules), lockstep.replay_traced]))


def returns(s, out):
    """Writes the returns one index too early."""
    for p in range(s.players):
        out[p - 1] = s.players


@on("an index")
def test_a_kernel_with_a_negative_index_is_caught(played, monkeypatch):
    monkeypatch.setattr(played.rules.returns, "__code__", returns.__code__)
    numbers.checked_code.cache_clear()
    with pytest.raises(Violation, match="a kernel raised IndexError"):
        numbers.numbers_fit_in_machine_words(played)
    numbers.checked_code.cache_clear()
