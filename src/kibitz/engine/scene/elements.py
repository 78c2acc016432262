"""What a scene consists of: zones, spots and facts, the parts of actions, and summaries.  All have a JSON form.

spot        something that can be selected: a card, or the place of a face-down card
zone        an area with spots: a hand, a pile, a group; it can be selected itself, as the destination of a card
fact        a value in words: a score, chips, a role
part        one step in composing an action: a card, a place, a button or an amount
form        how the cards of a zone lie: ``hand``; ``row``; ``pile``, with only its top card visible; ``group`` of cards
            that belong together; ``backs``, face-down cards
summary     the result of a hand or round, once it is over
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import Any, Literal

from msgspec import Struct

from kibitz.cards import Card, code, face, symbol
from kibitz.engine.sentences import YOU, Names
from kibitz.engine.views.events import Event

Form = Literal["hand", "row", "pile", "group", "backs"]
Kind = Literal["card", "place", "button", "amount"]


class Spot(Struct, frozen=True):
    """Something that can be selected.

    key     unique in the scene, and unchanged while the card stays there: ``hand0:KS``
    card    its card as people type it, ``KS``, ``0D``, jokers as the game writes them; empty for a face-down card
    label   in words, for screen readers and line mode: ``K♠ in your hand``
    note    small text on it: ``stands for 4``
    """

    key: str
    card: str
    label: str
    note: str = ""


class Zone(Struct, frozen=True):
    """An area with spots.

    key     unique in the scene: ``hand0``, ``build1``
    title   in words: ``Your hand``, ``Build pile 1``, ``Ann's discards``
    seat    its owner, or -1
    form    how its cards lie
    hidden  how many more cards are there, face down or below others
    note    small text on it
    """

    key: str
    title: str
    seat: int
    form: Form
    spots: tuple[Spot, ...] = ()
    hidden: int = 0
    note: str = ""


class Fact(Struct, frozen=True):
    """A value in words; ``seat`` is the seat that it belongs to, or -1."""

    label: str
    value: str
    seat: int = -1


class Scene(Struct, frozen=True):
    """Everything on a table.

    prompt    the question, or a line that says whose turn it is
    together  how many of this seat's next choices belong together, such as the three cards that are passed in Hearts;
              any of them must be legal in any order, so that the browser can collect them before it sends the first
    """

    zones: tuple[Zone, ...]
    facts: tuple[Fact, ...] = ()
    prompt: str = ""
    together: int = 1

    @property
    def spots(self) -> dict[str, Spot]:
        """Every spot by its key."""
        return {spot.key: spot for zone in self.zones for spot in zone.spots}

    @property
    def labels(self) -> dict[str, str]:
        """The labels of every spot and zone, by key."""
        labels = {zone.key: zone.title for zone in self.zones}
        return labels | {spot.key: spot.label for zone in self.zones for spot in zone.spots}


class Item(Struct, frozen=True):
    """One thing that scores: its name, its cards in words, its points."""

    name: str
    cards: str
    points: int


class Row(Struct, frozen=True):
    """One line of a summary: a hand, or a seat.

    title   whose it is: ``Ann's crib``, ``Ann``
    spots   the cards that were shown
    note    what they are, in words: ``a pair of kings``
    items   the combinations that score
    result  the result: ``8 points``, ``wins the pot of 240``
    total   what its owner has now: ``45 of 121``
    """

    title: str
    spots: tuple[Spot, ...] = ()
    note: str = ""
    items: tuple[Item, ...] = ()
    result: str = ""
    total: str = ""


class Summary(Struct, frozen=True):
    """The result of a hand or round: ``table`` has the cards open to all, and each row is a hand or a seat."""

    title: str
    rows: tuple[Row, ...] = ()
    table: tuple[Zone, ...] = ()


class Part(Struct, frozen=True):
    """One part of an action: a card, a place, a button or an amount.

    key     for a card or a place, the key of its spot or zone in the scene; for a button its own, such as ``pass``;
            for an amount ``amount:40``
    label   in words; cards and places have the labels of the scene
    kind    ``card``, ``place``, ``button`` or ``amount``
    note    the effect of the action that it completes, if it has one to mention: ``ends the turn``
    least   for an amount, the lowest whole number that can be chosen instead
    most    for an amount, the highest
    """

    key: str
    label: str
    kind: Kind
    note: str = ""
    least: int = 0
    most: int = 0


def card(key: str) -> Part:
    """The card at a spot."""
    return Part(key, "", "card")


def place(key: str) -> Part:
    """A zone as the destination of a card."""
    return Part(key, "", "place")


def button(key: str, label: str = "") -> Part:
    """A button; its label is its key unless another is given."""
    return Part(key, label or key, "button")


def amount(number: int, least: int, most: int) -> Part:
    """An amount from a range."""
    return Part(f"amount:{number}", str(number), "amount", "", least, most)


@dataclass(frozen=True)
class Scenes:
    """The functions of a game's ``scene.py``; None if the default is good enough.

    scene       ``scene(view, names)``: the zones and facts; an empty prompt stands for the prompt of the game's words
    parts       ``parts(view, action)``: the parts of an action, in the natural order
    action_from_keys
                ``action_from_keys(view, keys)``: the action, legal or not, that consists of the parts with these keys,
                so that its refusal can be explained; None if there is none
    summary     ``summary(events, seat, names)``: the result of a hand or round, from those events of its last step that
                ``seat`` sees
    """

    scene: Callable[[Any, Names], Scene] | None = None
    parts: Callable[[Any, int], Sequence[Part]] | None = None
    action_from_keys: Callable[[Any, frozenset[str]], int | None] | None = None
    summary: Callable[[Sequence[Event], int, Names], Summary] | None = None

    @classmethod
    def of(cls, module: ModuleType) -> Scenes:
        """The scene functions of a module."""
        return cls(*(getattr(module, name, None) for name in ("scene", "parts", "action_from_keys", "summary")))


# Functions that make zones with their keys, titles and labels.
#
# names       what the reader calls each seat, "You" for the reader's own, so that titles say "Your hand"
# identical   cards that look the same in one place: each after the first has its number in its key, ``hand0:KS.2``


NOTE = re.compile(r" {2}\((.+)\)$")
"""The effect of an action, in brackets at the end of its label."""
ORDINALS = ("", "", "the second", "the third", "the fourth")


def owner(seat: int, names: Names) -> str:
    """The owner at the beginning of a title: "Your", "Ann's"."""
    return "Your" if names[seat] == YOU else f"{names[seat]}'s"


def title_in_sentence(title: str) -> str:
    """A title inside a sentence: "your hand", "Ann's hand", "build pile 1"; names stay as they are."""
    has_owner = title.partition(" ")[0].endswith("'s")
    return title if has_owner else title[:1].lower() + title[1:]


def spots(zone: str, cards: Iterable[Card], where: str) -> tuple[Spot, ...]:
    """Spots for the cards of a zone, with ``where`` in words, "in your hand"; identical cards get numbers."""
    result: list[Spot] = []
    counts: Counter[int] = Counter()
    for card in cards:
        card_face = face(card)
        counts[card_face] += 1
        copy_number = counts[card_face]
        key = f"{zone}:{code(card_face)}" + (f".{copy_number}" if copy_number > 1 else "")
        label = f"{symbol(card_face)} {where}" + (
            f", {ORDINALS[copy_number] if copy_number < 5 else copy_number}" if copy_number > 1 else ""
        )
        result.append(Spot(key, code(card_face), label))
    return tuple(result)


def face_up(
    key: str,
    title: str,
    cards: Iterable[Card],
    seat: int = -1,
    form: Form = "row",
    *,
    hidden: int = 0,
    note: str = "",
    where: str = "in",
) -> Zone:
    """Cards face up side by side; ``where`` is the preposition between a card and the place."""
    return Zone(key, title, seat, form, spots(key, cards, f"{where} {title_in_sentence(title)}"), hidden, note)


def pile(
    key: str, title: str, top: Card | None, count: int, seat: int = -1, *, note: str = "", face_down: bool = False
) -> Zone:
    """A pile of ``count`` cards with the top one face up; ``top`` is None for an empty pile.

    What lies below is known to all unless it is ``face_down``; only its number is shown.
    """
    if top is None:
        return Zone(key, title, seat, "backs" if face_down else "pile", (), count, note)
    card_face = face(top)
    spot = Spot(f"{key}:top", code(card_face), f"{symbol(card_face)} on {title_in_sentence(title)}")
    return Zone(key, title, seat, "pile", (spot,), count - 1, note)


def hand(seat: int, cards: Sequence[Card] | None, count: int, names: Names, note: str = "") -> Zone:
    """A hand, open or, where the cards are None, face down."""
    key, title = f"hand{seat}", f"{owner(seat, names)} hand"
    if cards is None:
        return Zone(key, title, seat, "backs", (), count, note)
    return face_up(key, title, cards, seat, "hand", note=note)


def hands(
    seat: int, cards: Sequence[Card], counts: Sequence[int], names: Names, open_hands: Sequence[Sequence[Card]] = ()
) -> list[Zone]:
    """The hands of all seats: the hand of ``seat`` open, the others face down; or all hands open, if they are given."""
    own_hand = {seat: cards}
    return [hand(p, open_hands[p] if open_hands else own_hand.get(p), count, names) for p, count in enumerate(counts)]


def by_seat(label: str, values: Iterable[object], unless: object = None) -> list[Fact]:
    """A fact for each seat, except those whose value is ``unless``."""
    return [Fact(label, str(value), p) for p, value in enumerate(values) if value != unless]


def bare_label(label: str) -> str:
    """The label of an action without its effect.

    >>> bare_label("call 40  (all in)")
    'call 40'
    """
    return NOTE.sub("", label)
