"""The things of a scene, as frozen structs that have a JSON form.

spot        one thing on the table that can be pointed at: a card, or where one lies face down
zone        a place with spots: a hand, a pile, a group; it can be pointed at itself, as the goal of a card
fact        a value in words: a score, chips, a role
part        one thing that is taken in making up an action
forms       how a zone lies: ``hand``; ``row`` of cards; ``pile``, of which only the top counts; ``group`` of cards
            that belong together; ``backs``, of which only the number is known
summary     what a hand or round came to, once it is over
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import Any, Literal

from msgspec import Struct

from kibitz.engine.events import Event
from kibitz.engine.sentences import Names

Form = Literal["hand", "row", "pile", "group", "backs"]
Kind = Literal["card", "place", "button", "amount"]


class Spot(Struct, frozen=True):
    """One thing that can be pointed at.

    key     unique in the scene, and the same as long as the thing lies there: ``hand0:KS``
    card    its card as people type it, ``KS``, ``0D``, jokers as the game writes them; empty if there is none to see
    label   in words, for screen readers and line mode: ``K♠ in your hand``
    note    small text on it: ``stands for 4``
    """

    key: str
    card: str
    label: str
    note: str = ""


class Zone(Struct, frozen=True):
    """A place with spots.

    key     unique in the scene: ``hand0``, ``build1``
    title   in words: ``Your hand``, ``Build pile 1``, ``Ann's discards``
    seat    whose it is, -1 for nobody's
    form    how it lies
    hidden  so many further cards lie there, face down or below
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
    """A value in words; ``seat`` is whose it is, -1 for nobody's."""

    label: str
    value: str
    seat: int = -1


class Scene(Struct, frozen=True):
    """What is on the table; ``prompt`` says in a line what is asked or going on."""

    zones: tuple[Zone, ...]
    facts: tuple[Fact, ...] = ()
    prompt: str = ""

    @property
    def spots(self) -> dict[str, Spot]:
        """Every spot by its key."""
        return {spot.key: spot for zone in self.zones for spot in zone.spots}

    @property
    def labels(self) -> dict[str, str]:
        """In words, every spot and every zone, by key."""
        found = {zone.key: zone.title for zone in self.zones}
        return found | {spot.key: spot.label for zone in self.zones for spot in zone.spots}


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
    items   what scores, one by one
    result  what came of it: ``8 points``, ``wins the pot of 240``
    total   what its owner has now: ``45 of 121``
    """

    title: str
    spots: tuple[Spot, ...] = ()
    note: str = ""
    items: tuple[Item, ...] = ()
    result: str = ""
    total: str = ""


class Summary(Struct, frozen=True):
    """What a hand or round came to: ``table`` is what lay open for all, and a row is a hand or a seat."""

    title: str
    rows: tuple[Row, ...] = ()
    table: tuple[Zone, ...] = ()


class Part(Struct, frozen=True):
    """One thing that is taken in making up an action.

    key     that of a spot (``card``) or of a zone (``place``) of the scene; of a button its own: ``pass``; of an
            amount ``amount:40``
    label   in words; cards and places are called what they are called in the scene
    kind    what it is
    note    what comes of the action that it completes, if anything is to be said of that: ``ends the turn``
    least   of an amount: any whole number from here on ...
    most    ... to here may be taken instead
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
    """A zone as the goal of a card."""
    return Part(key, "", "place")


def button(key: str, label: str = "") -> Part:
    """A word to be said; its key if nothing else is."""
    return Part(key, label or key, "button")


def amount(number: int, least: int, most: int) -> Part:
    """An amount, one of a range."""
    return Part(f"amount:{number}", str(number), "amount", "", least, most)


@dataclass(frozen=True)
class Scenes:
    """What a game's ``scene.py`` says; None where the default is good enough.

    scene       ``scene(view, names)``: the zones and facts; the prompt is the game's own, where it is left empty
    parts       ``parts(view, action)``: what an action is made up of, in the natural order
    made_of     ``made_of(view, keys)``: the action, allowed or not, that is made up of such parts, for the reason why
                it cannot be; None if there is none
    summary     ``summary(events, seat, names)``: what a hand or round came to, from what a seat is told of its last
                step
    """

    scene: Callable[[Any, Names], Scene] | None = None
    parts: Callable[[Any, int], Sequence[Part]] | None = None
    made_of: Callable[[Any, frozenset[str]], int | None] | None = None
    summary: Callable[[Sequence[Event], int, Names], Summary] | None = None

    @classmethod
    def of(cls, module: ModuleType) -> Scenes:
        """What a module says."""
        return cls(*(getattr(module, name, None) for name in ("scene", "parts", "made_of", "summary")))
