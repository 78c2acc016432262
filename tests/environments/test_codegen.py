"""Kernels generated from the Python of views; unsupported code is reported with its place."""

from random import Random
from types import SimpleNamespace

import pytest

from kibitz.cards import cards_of
from kibitz.engine.layout import TURN, Field, Layout
from kibitz.environments.compiled.codegen import expression
from kibitz.environments.compiled.codegen_values import Constant, State, Unsupported
from kibitz.environments.compiled.observe_kernel import ObserveKernelWriter
from kibitz.tensors.cells import CardMap, CardSet, Coding, Deck, Number, SeatSet
from kibitz.tensors.composite_cells import BySeat, Listed, Maybe, Parts

LAYOUT = Layout("OneState", *TURN, Field("players"), Field("a", 6), Field("b", 6), Field("n"), Field("cards"))
OPTIONS = {"players": 3}
DECK = Deck.of({"pack": (1 << 20) - 1})
NUMBER = Number(-100, 100)
NUMBERS = Listed(NUMBER, 8, True)
PAIRS = Listed(Parts((NUMBER, NUMBER)), 8, True)
ORDERED, SORTED = CardSet(DECK, True), CardSet(DECK, False)


def filled(s):
    found = []
    left = s.cards
    while left:
        bit = left & -left
        if bit > 4:
            found.append(bit.bit_length() - 1)
        left ^= bit
    return tuple(found)


def from_the_end(s):
    found = []
    for x in s.a[: s.n]:
        if x > 0:
            found.append(x)
    return tuple(found[::-1])


def taken_away(s, cards=None):
    found = []
    at = 0
    while at < s.n:
        if at % 2:
            found.append(s.b[at])
        else:
            found.append(-s.b[at])
        at += 1
    return found


def remembered(s):
    found = []
    at = last = 0
    while at < s.n:
        before = at
        at += 1
        if s.a[before] > 0:
            last = s.a[before]
        found.append(last + before)
    return found


def counted(s):
    total = best = 0
    for x in s.a:
        total += x
        best = max(best, x)
    return (total, best, s.n)


def placed(s):
    found = [None] * s.players
    for p in range(s.players):
        if s.a[p] > s.b[p]:
            found[p] = s.a[p] - s.b[p]
    return tuple(found)


def early(s):
    if not s.n:
        return ()
    m = max(1, s.n - 1)
    return tuple([x + m for x in s.a[:m]])


def helped(s):
    return tuple([both(s, p, add=p > 1) for p in range(s.players)])


def both(s, p, *, add=False):
    return s.a[p] + s.b[p] if add or p in (0, s.n) else -s.a[p]


def sliced(s):
    odd = [x * 2 + 1 for x in s.a]
    return tuple(odd[2:5])


def pairs(s):
    return tuple(zip(s.a[: s.n], s.b[: s.n], strict=True))


def numbered(s):
    return tuple([(i, x) for i, x in enumerate(s.a) if (x > 0 and i != s.n) or x == -3])


def sizes(s):
    return tuple(map(len, [filled(s), s.a[: s.n], from_the_end(s)]))


def joined(s):
    return tuple(sorted([(x, 7) for x in s.a[:1] + s.b[:1] if 0 <= x < 20]))


def seats_in(s):
    return tuple([p for p in range(10) if s.n >> p & 1])


CASES = [
    (filled, SORTED),
    (lambda s: tuple(cards_of(s.cards)), SORTED),
    (filled, ORDERED),
    (from_the_end, NUMBERS),
    (taken_away, NUMBERS),
    (remembered, NUMBERS),
    (counted, Parts((NUMBER, NUMBER, NUMBER))),
    (early, NUMBERS),
    (helped, NUMBERS),
    (sliced, NUMBERS),
    (pairs, PAIRS),
    (numbered, PAIRS),
    (sizes, NUMBERS),
    (lambda s: None if s.n == 0 else s.a[s.n - 1], Maybe(NUMBER, True)),
    (lambda s: tuple([x if x > 0 else -x for x in s.a]), NUMBERS),
    (joined, CardMap(DECK, NUMBER)),
    (seats_in, SeatSet(3)),
    (lambda s: tuple([p for p in range(1, 3) if s.n >> p & 1]), SeatSet(3)),
]


def test_a_seat_set_of_bits_is_written_by_one_call():
    game = SimpleNamespace(name="one", seats=3, options=OPTIONS, rules=SimpleNamespace(LAYOUT=LAYOUT))
    how = ObserveKernelWriter(SimpleNamespace(game=game, fields=(), builder=SimpleNamespace(kind=int)))
    value = how.translator.value(expression("f(s)"), {"f": Constant(seats_in), "s": State()})
    how.write(SeatSet(3), value, "0")
    assert [line.strip() for line in how.code.finished_lines()] == ["put_seats(out, 0, s.n, seat, 3)"]


def kernel(function, coding: Coding):
    """The kernel generated for a function, as Python."""
    game = SimpleNamespace(name="one", seats=3, options=OPTIONS, rules=SimpleNamespace(LAYOUT=LAYOUT))
    how = ObserveKernelWriter(SimpleNamespace(game=game, fields=(), builder=SimpleNamespace(kind=int)))
    value = how.translator.value(expression("f(s)"), {"f": Constant(function), "s": State()})
    how.write(coding, value, "0")
    names = {}
    exec("\n".join([*how.head(), *how.code.finished_lines(), "    return"]), names)
    return names["observe"]


@pytest.mark.parametrize(("function", "coding"), CASES)
def test_a_kernel_writes_what_the_function_returns(function, coding):
    write, random = kernel(function, coding), Random(4)
    for _ in range(60):
        s = LAYOUT.plain()
        s.players, s.n, s.cards = 3, random.randrange(6), random.getrandbits(20)
        s.a, s.b = ([random.randint(-9, 19) for _ in range(6)] for _ in "ab")
        if coding == CardMap(DECK, NUMBER):
            s.b[0] = s.a[0] + 1
        wanted, out = [0] * coding.size, [0] * coding.size
        coding.write(function(s), wanted, 0, 0)
        write(s, 0, out)
        assert out == wanted


def test_lists_by_seat_may_be_filled_in_any_order():
    write = kernel(placed, BySeat(Maybe(NUMBER, True), 3, 1, False))
    s = LAYOUT.plain()
    s.players, s.a = 3, [5, 0, 2, 0, 0, 0]
    wanted, out = [0] * 27, [0] * 27
    BySeat(Maybe(NUMBER, True), 3, 1, False).write(placed(s), wanted, 0, 0)
    write(s, 0, out)
    assert out == wanted
    with pytest.raises(Unsupported, match="a list that is filled in any order"):
        kernel(placed, NUMBERS)


def nested(s):
    return tuple([x for p in range(2) for x in s.a[p:]])


def tried(s):
    try:
        return s.a[:1]
    except IndexError:
        return ()


def looked_up(s):
    return {0: 1}[s.n]


def printed(s):
    print(s.n)
    return s.a[:1]


def stepped(s):
    return s.a[::2]


def swapped(s):
    found = []
    a, b = 0, 1
    while a < 5:
        a, b = b, a + b
        found.append(a)
    return found


def returned_early(s):
    found = []
    for x in s.a:
        found.append(x)
        if x == s.n:
            return found
    return ()


def changed_afterwards(s):
    found = []
    for x in s.a:
        found.append(x)
    return tuple(found[1:])


@pytest.mark.parametrize(
    "function", [nested, tried, looked_up, printed, stepped, swapped, returned_early, changed_afterwards]
)
def test_unsupported_code_is_reported_with_the_function(function):
    with pytest.raises(Unsupported, match=f"test_codegen.{function.__name__}"):
        kernel(function, NUMBERS)
