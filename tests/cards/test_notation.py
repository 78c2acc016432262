from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kibitz.cards import (
    JOKER,
    PACK_STEP,
    SUIT_NAMES,
    code,
    pair,
    parse,
    parse_cards,
    parse_hand,
    parse_pair,
    poker_code,
    short_repr,
    symbol,
)
from kibitz.errors import NotationError

every_card = st.integers(0, 54)
natural = st.integers(0, 51)
WRITERS = (code, poker_code, symbol)
READERS = (parse, parse_pair, parse_cards, parse_hand)

# Written out by hand, from the written rules and not from the module: value texts, then suits D C H S.
VALUE_TEXTS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "0 T 10", "J", "Q", "K"]
SUIT_TEXTS = [
    "D ♦ ♦\ufe0e ♦\ufe0f ♢ ♢\ufe0e ♢\ufe0f",
    "C ♣ ♣\ufe0e ♣\ufe0f ♧ ♧\ufe0e ♧\ufe0f",
    "H ♥ ♥\ufe0e ♥\ufe0f ♡ ♡\ufe0e ♡\ufe0f",
    "S ♠ ♠\ufe0e ♠\ufe0f ♤ ♤\ufe0e ♤\ufe0f",
]
"""Any symbol may be followed by a variation selector for text or for emoji."""


def every_spelling():
    """The slow oracle: all texts that are cards, each with its card."""
    yield from (("XX", 52), ("?B", 53), ("?R", 54), ("xx", 52), ("?b", 53), ("?r", 54))
    for value, value_texts in enumerate(VALUE_TEXTS):
        for suit, suit_texts in enumerate(SUIT_TEXTS):
            for v in value_texts.split() + value_texts.lower().split():
                for s in suit_texts.split() + suit_texts.lower().split():
                    yield v + s, 4 * value + suit
                    if not s.isascii():
                        yield s + v, 4 * value + suit


SPELLINGS = dict(every_spelling())


def refusal(reader, thing, **options):
    """The message of the error that ``reader`` raises for ``thing``."""
    with pytest.raises(NotationError) as caught:
        reader(thing, **options)
    return str(caught.value)


@pytest.mark.parametrize("write", WRITERS)
def test_every_card_round_trips_through_text(write):
    assert [parse(write(c)) for c in range(55)] == list(range(55))


def test_every_card_but_a_joker_round_trips_through_a_pair():
    assert [parse_pair(pair(c)) for c in range(52)] == list(range(52))
    assert [parse_pair(tuple(pair(c))) for c in range(52)] == list(range(52))


def test_every_spelling_parses_to_the_card_listed_by_hand():
    assert {text: parse(text) for text in SPELLINGS} == SPELLINGS


def test_symbol_takes_at_most_one_variation_selector():
    """Every value and symbol, followed by any two variation selectors, in either order."""
    selectors = ("", "\ufe0e", "\ufe0f")
    for value, mark, how, more in product(" ".join(VALUE_TEXTS).split(), "♦♣♥♠♢♧♡♤", selectors, selectors):
        for text in (value + mark + how + more, mark + how + more + value, value + how + mark + more):
            if text in SPELLINGS:
                assert parse(text) == SPELLINGS[text]
            else:
                refusal(parse, text)


@given(st.text("A0123456789TJQKXBR?DCHSatjqkdchsxbr♦♣♥♠♢♧♡♤\ufe0e\ufe0f ,", max_size=5))
def test_text_that_is_not_a_spelling_is_rejected(text):
    if text in SPELLINGS:
        assert parse(text) == SPELLINGS[text]
    else:
        refusal(parse, text)


def test_codes_match_those_of_the_assignments():
    assert [code(c) for c in (0, 38, 51, 52, 53, 54)] == ["AD", "0H", "KS", "XX", "?B", "?R"]
    assert [poker_code(c) for c in (0, 38, 51, 54)] == ["AD", "TH", "KS", "?R"]
    assert [symbol(c) for c in (0, 38, 51, 52)] == ["A♦", "10♥", "K♠", "XX"]
    assert [pair(c) for c in (0, 38, 49)] == [["diamonds", 1], ["hearts", 10], ["clubs", 13]]


@pytest.mark.parametrize("write", WRITERS)
def test_an_id_is_written_as_its_face(write):
    assert [write(PACK_STEP + c) for c in range(55)] == [write(c) for c in range(55)]
    assert pair(PACK_STEP + 38) == pair(38)


def test_changing_a_pair_does_not_change_the_next():
    pair(38).append("scribbled on")
    assert pair(38) == ["hearts", 10]


@pytest.mark.parametrize("write", [*WRITERS, pair])
def test_writing_a_non_card_is_rejected(write):
    for number in (-1, 55, 63, 119, 127, 128, 10**30, None, "0H", []):
        assert "is not a card: cards are the ints 0 to 54" in refusal(write, number)


def test_a_joker_has_no_pair():
    assert refusal(pair, JOKER) == "XX has no suit and value: only the 52 cards are written as pairs"


@given(st.lists(every_card), st.sampled_from([" ", ",", ", ", "\n", " ,\t"]), st.sampled_from(WRITERS))
def test_list_of_cards_round_trips_with_any_separator(held, between, write):
    texts = [write(c) for c in held]
    assert parse_cards(between.join(texts)) == held
    assert parse_cards(texts) == parse_cards(tuple(texts)) == held


@given(st.lists(every_card, max_size=12), st.sampled_from([1, 2]))
def test_hand_is_rejected_exactly_if_it_has_extra_copies(held, packs):
    texts = [code(c) for c in held]
    if all(held.count(c) <= packs for c in held):
        assert parse_hand(texts, packs=packs) == held
    else:
        assert "remove the extra copies" in refusal(parse_hand, texts, packs=packs)


def test_error_for_extra_copies_names_the_card_and_the_limit():
    assert refusal(parse_hand, "2C 0H TH") == ("0H appears 2 times, but a pack has only one: remove the extra copies")
    assert refusal(parse_hand, "2C 2C 2C", packs=2) == (
        "2C appears 3 times, but 2 packs have only 2: remove the extra copies"
    )


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("1H", "'1H' is not a card: '1' isn't a value: use A, 2 to 10, J, Q or K"),
        ("0X", "'0X' is not a card: 'X' isn't a suit: use D, C, H, S or ♦♣♥♠"),
        ("H0", "'H0' is not a card: write a value and a suit, such as 10H or KS"),
        ("", "a card is missing: '' should be text such as '10H'"),
        (None, "None is not a card: a card is text such as '10H'"),
        (38, "38 is not a card: a card is text such as '10H'"),
        (b"0H", "something of type 'bytes' is not a card: a card is text such as '10H'"),
        (["0H"], "something of type 'list' is not a card: a card is text such as '10H'"),
    ],
)
def test_error_for_a_card_says_what_is_wrong_and_what_is_valid(text, sentence):
    assert refusal(parse, text) == sentence


@pytest.mark.parametrize(
    ("thing", "sentence"),
    [
        (["heart", 10], "'heart' isn't a suit: write one of diamonds, clubs, hearts, spades"),
        (
            [["hearts"], 10],
            "something of type 'list' isn't a suit: write one of diamonds, clubs, hearts, spades",
        ),
        (["hearts", 14], "14 isn't a value: write an int from 1 (Ace) to 13 (King)"),
        (["hearts", True], "True isn't a value: write an int from 1 (Ace) to 13 (King)"),
        (["hearts", "10"], "'10' isn't a value: write an int from 1 (Ace) to 13 (King)"),
    ],
)
def test_error_for_a_pair_says_what_is_wrong_and_what_is_valid(thing, sentence):
    assert refusal(parse_pair, thing) == sentence


class Heard(BaseException):
    """Foreign code was run."""


class LoudText(str):
    """A str that raises ``Heard`` on every operation."""

    def shout(self, *_):
        raise Heard

    __hash__ = __eq__ = __repr__ = __str__ = __len__ = __getitem__ = __iter__ = shout
    split = replace = strip = lower = upper = encode = shout


class LoudList(list):
    __iter__ = __len__ = __getitem__ = __repr__ = __eq__ = __bool__ = LoudText.shout


class LoudTuple(tuple):
    __iter__ = __len__ = __getitem__ = __repr__ = __eq__ = __hash__ = LoudText.shout


class LoudInt(int):
    __hash__ = __eq__ = __repr__ = __abs__ = __index__ = __int__ = __lt__ = LoudText.shout


class LoudKind(type):
    __name__ = property(LoudText.shout)
    __repr__ = __instancecheck__ = __subclasscheck__ = LoudText.shout


class Loud(metaclass=LoudKind):
    __class__ = property(LoudText.shout)
    __repr__ = __str__ = __iter__ = __hash__ = __eq__ = __getattribute__ = LoudText.shout


def test_subclass_instances_are_read_without_running_their_code():
    assert parse(LoudText("0H")) == 38
    assert parse_hand(LoudList([LoudText("0H"), "2C"])) == parse_cards(LoudText("0H 2C")) == [38, 5]
    assert parse_pair(LoudTuple((LoudText("hearts"), 10))) == 38


HOSTILE = [
    *(None, True, 3.5, float("nan"), b"0H", bytearray(b"0H"), object(), object, {}, {"0H"}, range(3)),
    *("\ud800", "\udfffH", "0\ud800", "\x00", "♥", "10", "\u202e0H", "0" * 10**6, "H" * 10**6),
    *(10**30, -(10**30), 1 << 10**6, [[]], [None], [["0H"]], iter(["0H"]), ["hearts"], ["hearts", 10.0]),
    *(Loud, Loud(), LoudText("no"), LoudList([1]), LoudTuple((1, 2)), LoudInt(3)),
    *(["hearts", LoudInt(3)], [LoudText("no"), 3], [Loud(), 3], [Loud()], ["hearts", 10, 10], ["hearts", 1 << 10**6]),
    type("N" * 10**5, (), {})(),
]


@pytest.mark.parametrize("read", READERS)
def test_non_cards_get_a_short_printable_error(read):
    for number, thing in enumerate(HOSTILE):
        try:
            sentence = refusal(read, thing)
        except Heard:  # without a traceback: it would show the loud things
            pytest.fail(f"{read.__name__} ran foreign code of number {number}", pytrace=False)
        assert len(sentence) < 220
        assert sentence.isprintable()
        sentence.encode()


junk = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.binary(),
    lambda inner: st.lists(inner) | st.tuples(inner, inner) | st.sets(st.text()) | st.dictionaries(st.text(), inner),
    max_leaves=6,
)


@pytest.mark.parametrize("read", READERS)
@given(thing=junk | st.tuples(st.sampled_from(SUIT_NAMES), junk).map(list))
def test_reader_returns_cards_or_raises_notation_error(read, thing):
    try:
        found = read(thing)
    except NotationError:
        return
    assert all(0 <= card <= 54 for card in (found if isinstance(found, list) else [found]))


def test_text_of_a_million_cards_is_read():
    assert parse_cards("0H " * 10**6) == [38] * 10**6


@pytest.mark.parametrize(
    ("thing", "called"),
    [
        ("0H", "'0H'"),
        ("0" * 24, f"'{'0' * 24}'"),
        ("0" * 25, f"'{'0' * 24}'…"),
        ("\ud800", "'\\ud800'"),
        (None, "None"),
        (10**23, "100000000000000000000000"),
        (10**24, "something of type 'int'"),
        ([1], "something of type 'list'"),
    ],
)
def test_error_shows_short_values_in_full_and_shortens_long_ones(thing, called):
    assert short_repr(thing) == called
