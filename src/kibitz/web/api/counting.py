"""A cribbage hand counted for whoever asks, item by item: the hand scorer of the lab, for people."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from kibitz.cards import code
from kibitz.web.api.operation import Call, Operation


class AskedCount(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Four cards, such as ``5H 5D 5C JS``, and the starter; a crib counts a flush only with the starter."""

    hand: Annotated[str, Meta(max_length=40)] = ""
    starter: Annotated[str, Meta(max_length=8)] = ""
    crib: bool = False


class CountedItem(msgspec.Struct, frozen=True):
    """One thing that scores, as it is said, with its cards."""

    name: str
    cards: tuple[str, ...]
    points: int


class CountedHand(msgspec.Struct, frozen=True):
    """What a hand scores; ``counting`` is said aloud."""

    points: int
    counting: str
    items: tuple[CountedItem, ...]


async def counted(call: Call) -> CountedHand:
    """What four cards and a starter score."""
    from kibitz.games.cribbage.show import show

    asked: AskedCount = call.asked
    if not asked.hand and not asked.starter:
        return CountedHand(0, "", ())
    found = show(asked.hand, asked.starter, crib=asked.crib)
    items = tuple(CountedItem(item.name, tuple(map(code, item.cards)), item.points) for item in found.items)
    return CountedHand(found.points, found.counting, items)


OPERATIONS = (
    Operation(
        "GET",
        "/api/cribbage/count",
        counted,
        "What a cribbage hand scores, item by item.",
        CountedHand,
        asks=AskedCount,
    ),
)
