"""Cards as text and back.

    code        value and suit as COMP10001 writes them, ten as 0: ``0H``
    poker code  the same with ten as T, as Norvig's CS212 writes it: ``TH``
    symbol      for people's eyes: ``10♥``
    pair        a list of suit name and value, as APS106 lab 6 writes it: ``['hearts', 10]``
    joker       ``XX`` in COMP10001; ``?B`` (black) and ``?R`` (red) in CS212; it has no pair

``parse`` reads the first three, in upper or lower case, also with white suits (``♡``) or the suit first (``♥10``).
Functions that write take a card, or an id from a game with two packs; both packs are written alike (see ``card``).

Functions that read take any object. They return cards or raise NotationError, and run none of the object's own code, so
the return value of an untrusted player can be passed in unchecked.
"""

import sys
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import TypeVar, cast

from kibitz.cards.card import (
    JOKER,
    JOKERS,
    PACK_STEP,
    SUIT_NAMES,
    SUIT_SYMBOLS,
    SUITS,
    VALUES,
    Card,
)
from kibitz.errors import NotationError

T = TypeVar("T")

JOKER_CODES = ("XX", "?B", "?R")
POKER_VALUES = VALUES.replace("0", "T")
WHITE_SYMBOLS = "♢♧♡♤"
PRESENTATIONS = ("", "\ufe0e", "\ufe0f")
"""Variation selectors that may follow a copied suit symbol: none, "as text" or "as emoji"."""

MAX_REPR = 24
"""The maximum number of characters of an invalid text that an error message repeats."""

_type_name = type.__dict__["__name__"].__get__  # doesn't run code of an untrusted object's metaclass


def _by_id(names: Iterable[T]) -> dict[int, T]:
    """A dict from each card, and from its id in a second pack, to its name; ``names`` are in the order of cards."""
    first = dict(enumerate(names))
    return first | {PACK_STEP + card: name for card, name in first.items()}


_VALUE_TEXTS = [{v, v.lower()} | ({"T", "t", "10"} if v == "0" else set()) for v in VALUES]
_LETTERS = [{letter, letter.lower()} for letter in SUITS]
_SUIT_TEXTS = [
    {mark + presentation for mark in marks for presentation in PRESENTATIONS}
    for marks in zip(SUIT_SYMBOLS, WHITE_SYMBOLS, strict=True)
]


def _spellings() -> dict[str, Card]:
    """Every text that ``parse`` reads, with its card."""
    cards = {text: joker for joker, xx in zip(JOKERS, JOKER_CODES, strict=True) for text in (xx, xx.lower())}
    for card in range(JOKER):
        values, suit = _VALUE_TEXTS[card >> 2], card & 3
        cards |= {v + s: card for v in values for s in _LETTERS[suit] | _SUIT_TEXTS[suit]}
        cards |= {s + v: card for v in values for s in _SUIT_TEXTS[suit]}
    return cards


_CARDS = _spellings()
# Interned, so that equal codes are one object in a player's process, too: unmarshalling and compiling intern strings.
_CODES = _by_id([sys.intern(v + s) for v in VALUES for s in SUITS] + list(JOKER_CODES))
_POKER_CODES = _by_id([sys.intern(v + s) for v in POKER_VALUES for s in SUITS] + list(JOKER_CODES))
_SYMBOLS = _by_id([v.replace("0", "10") + s for v in VALUES for s in SUIT_SYMBOLS] + list(JOKER_CODES))
_PAIRS = _by_id([(name, value + 1) for value in range(len(VALUES)) for name in SUIT_NAMES])
_CARDS_BY_PAIR = {pair: card for card, pair in _PAIRS.items() if card < PACK_STEP}


def code(card: Card) -> str:
    """The card as COMP10001 writes it: ``0H``. Raises NotationError for an int that is not a card."""
    return _lookup(_CODES, card)


def poker_code(card: Card) -> str:
    """The card as poker programs write it: ``TH``. Raises NotationError for an int that is not a card."""
    return _lookup(_POKER_CODES, card)


def symbol(card: Card) -> str:
    """The card as a symbol: ``10♥``, jokers as in codes. Raises NotationError for an int that is not a card."""
    return _lookup(_SYMBOLS, card)


def symbols(cards: Iterable[Card]) -> str:
    """Cards as symbols, in the order given: ``10♥ K♠``."""
    return " ".join(map(symbol, cards))


def pair(card: Card) -> list[str | int]:
    """The card as APS106 writes it, as a new list; NotationError also for jokers, which that lab doesn't have.

    >>> pair(parse("0H"))
    ['hearts', 10]
    """
    if code(card) in JOKER_CODES:
        raise NotationError(f"{code(card)} has no suit and value: only the 52 cards are written as pairs")
    return list(_lookup(_PAIRS, card))


def parse(text: object) -> Card:
    """The card that ``text`` names in any notation except pairs. Raises NotationError if there is none.

    >>> parse("0H"), parse("th"), parse("10♥"), parse("♡10"), parse("XX")
    (38, 38, 38, 38, 52)
    """
    card = _CARDS.get(text) if type(text) is str else _CARDS.get(_text(text) or "")
    if card is None:
        raise NotationError(_why_no_card(text))
    return card


def parse_pair(pair: object) -> Card:
    """The card for a list or tuple of suit name and value.

    >>> code(parse_pair(["hearts", 10]))
    '0H'
    """
    items = _items(pair)
    if items is None or len(items) != 2:
        raise NotationError(
            f"{short_repr(pair)} is not a card: write a list of suit name and value, such as ['hearts', 10]"
        )
    suit, value = _text(items[0]), items[1]
    if suit not in SUIT_NAMES:
        raise NotationError(f"{short_repr(items[0])} isn't a suit: write one of {', '.join(SUIT_NAMES)}")
    if type(value) is not int or (suit, value) not in _CARDS_BY_PAIR:
        raise NotationError(f"{short_repr(value)} isn't a value: write an int from 1 (Ace) to 13 (King)")
    return _CARDS_BY_PAIR[suit, value]


def parse_cards(cards: object) -> list[Card]:
    """The cards of a text with spaces or commas between them, or of a list or tuple of such card texts.

    >>> parse_cards("2C 3H, XX") == parse_cards(["2C", "3H", "XX"])
    True
    """
    text = _text(cards)
    items = _items(cards) if text is None else text.replace(",", " ").split()
    if items is None:
        raise NotationError(f"{short_repr(cards)} isn't a list of cards: write them as '2C 3H' or ['2C', '3H']")
    return [parse(item) for item in items]


def parse_hand(cards: object, *, packs: int = 1) -> list[Card]:
    """Like ``parse_cards``, but raises NotationError for more copies of a card than there are ``packs``."""
    hand = parse_cards(cards)
    card, count = max(Counter(hand).items(), key=lambda item: item[1], default=(0, 0))
    if count > packs:
        limit = "a pack has only one" if packs == 1 else f"{packs} packs have only {packs}"
        raise NotationError(f"{code(card)} appears {count} times, but {limit}: remove the extra copies")
    return hand


def short_repr(thing: object) -> str:
    """The repr of ``thing`` for an error message, shortened; instead its type if the repr could be long or fail."""
    thing_type, text = type(thing), _text(thing)
    if text is not None:
        return repr(text) if len(text) <= MAX_REPR else f"{text[:MAX_REPR]!r}…"
    if thing is None or thing_type in (bool, float) or (thing_type is int and abs(cast("int", thing)) < 10**MAX_REPR):
        return repr(thing)
    return f"something of type {short_repr(_type_name(thing_type))}"


def _lookup(notation: Mapping[int, T], card: Card) -> T:
    """A card in a notation. Raises NotationError for an int that is not a card."""
    try:
        return notation[card]
    except (KeyError, TypeError):
        raise NotationError(
            f"{short_repr(card)} is not a card: cards are the ints 0 to 54, plus {PACK_STEP} in a second pack"
        ) from None


def _why_no_card(text: object) -> str:
    """The error message for a text that ``parse`` cannot read: what is wrong and what would be right."""
    card_text = _text(text)
    if card_text is None:
        return f"{short_repr(text)} is not a card: a card is text such as '10H'"
    if not card_text:
        return "a card is missing: '' should be text such as '10H'"
    value, suit, beginning = card_text[:-1], card_text[-1], f"{short_repr(card_text)} is not a card"
    if value and any(suit in texts for texts in _LETTERS + _SUIT_TEXTS):
        return f"{beginning}: {short_repr(value)} isn't a value: use A, 2 to 10, J, Q or K"
    if any(value in texts for texts in _VALUE_TEXTS):
        return f"{beginning}: {short_repr(suit)} isn't a suit: use D, C, H, S or {SUIT_SYMBOLS}"
    return f"{beginning}: write a value and a suit, such as 10H or KS"


# ``isinstance`` reads an object's ``__class__`` and may run its code; ``issubclass`` of its type does not.


def _text(thing: object) -> str | None:
    """The plain text of a str or of an instance of a subclass; None for anything else."""
    return str.__str__(cast("str", thing)) if issubclass(type(thing), str) else None


def _items(thing: object) -> list[object] | None:
    """The items of a list or tuple, or of an instance of a subclass; None for anything else."""
    if issubclass(type(thing), list):
        return list(list.__iter__(cast("list[object]", thing)))
    if issubclass(type(thing), tuple):
        return list(tuple.__iter__(cast("tuple[object, ...]", thing)))
    return None
