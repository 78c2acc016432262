"""Other worlds in Crazy Eights, from the rules: a seat sees its own hand and the discards."""

from collections.abc import Iterator
from random import Random

from kibitz.engine.infoset_states import exchanged
from kibitz.engine.layout import PlainState


def determinizations(s: PlainState, seat: int, random: Random) -> Iterator[PlainState]:
    """An endless series of worlds: in each, two hidden cards have changed places; in the end all hands are shown."""
    hands = [] if s.over else [("hand", p) for p in range(s.players) if p != seat]
    return exchanged(s, random, [("stock", None), *hands])
