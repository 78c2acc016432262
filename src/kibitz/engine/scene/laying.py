"""What scenes are laid with: cards in hands, rows, groups and piles, with their keys, titles and labels.

names       what each seat is called by the reader, "You" for the reader's own seat: so titles say "Your hand"
twin        of cards that look alike in one place, every one after the first: ``hand0:KS.2``
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from kibitz.cards import Card, code, face, symbol
from kibitz.engine.scene.things import Fact, Form, Spot, Zone
from kibitz.engine.sentences import YOU, Names

NOTE = re.compile(r" {2}\((.+)\)$")
"""What the label of an action says in brackets at its end: what comes of it."""
ORDINALS = ("", "", "the second", "the third", "the fourth")


def whose(seat: int, names: Names) -> str:
    """A seat as an owner, at the beginning of a title: "Your", "Ann's"."""
    return "Your" if names[seat] == YOU else f"{names[seat]}'s"


def within(title: str) -> str:
    """A title inside a sentence: "your hand", "Ann's hand", "build pile 1"; names stay as they are."""
    owned = title.partition(" ")[0].endswith("'s")
    return title if owned else title[:1].lower() + title[1:]


def spots(zone: str, cards: Iterable[Card], where: str) -> tuple[Spot, ...]:
    """Cards that lie somewhere, ``where`` in words: "in your hand"; of such as look alike all but one are twins."""
    found: list[Spot] = []
    seen: Counter[int] = Counter()
    for one in cards:
        shown = face(one)
        seen[shown] += 1
        again = seen[shown]
        key = f"{zone}:{code(shown)}" + (f".{again}" if again > 1 else "")
        label = f"{symbol(shown)} {where}" + (f", {ORDINALS[again] if again < 5 else again}" if again > 1 else "")
        found.append(Spot(key, code(shown), label))
    return tuple(found)


def laid(
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
    """Cards that lie open side by side; ``where`` is the word between a card and the place."""
    return Zone(key, title, seat, form, spots(key, cards, f"{where} {within(title)}"), hidden, note)


def pile(
    key: str, title: str, top: Card | None, count: int, seat: int = -1, *, note: str = "", face_down: bool = False
) -> Zone:
    """A pile of so many cards, of which the top one is turned up; None where there is none.

    What lies below is known to all unless it is ``face_down``; only its number is shown.
    """
    if top is None:
        return Zone(key, title, seat, "backs" if face_down else "pile", (), count, note)
    shown = face(top)
    spot = Spot(f"{key}:top", code(shown), f"{symbol(shown)} on {within(title)}")
    return Zone(key, title, seat, "pile", (spot,), count - 1, note)


def hand(seat: int, cards: Sequence[Card] | None, count: int, names: Names, note: str = "") -> Zone:
    """A hand, open or, where the cards are None, face down."""
    key, title = f"hand{seat}", f"{whose(seat, names)} hand"
    if cards is None:
        return Zone(key, title, seat, "backs", (), count, note)
    return laid(key, title, cards, seat, "hand", note=note)


def hands(mine: int, cards: Sequence[Card], counts: Sequence[int], names: Names) -> list[Zone]:
    """The hands of all seats: open where ``mine`` is, face down elsewhere."""
    return [hand(p, cards if p == mine else None, count, names) for p, count in enumerate(counts)]


def by_seat(label: str, values: Iterable[object], unless: object = None) -> list[Fact]:
    """A fact for each seat, but for those whose value is ``unless``."""
    return [Fact(label, str(value), p) for p, value in enumerate(values) if value != unless]


def bare_label(label: str) -> str:
    """The label of an action without what comes of it.

    >>> bare_label("call 40  (all in)")
    'call 40'
    """
    return NOTE.sub("", label)
