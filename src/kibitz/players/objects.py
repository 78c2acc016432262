"""What a player file in Kibitz's own form is given: objects with attributes, whose text can be read and pasted back.

    View        what a seat sees, with a view inside it where the game keeps a part together; how the game ended
    Event       something that the seat has seen happen; ``kind`` is its name

Only the standard library is needed here, because the player's process loads it.
"""

from types import SimpleNamespace
from typing import Any


class View(SimpleNamespace):
    """What a seat sees of a position."""


class Event(SimpleNamespace):
    """Something that a seat has seen happen."""


def as_object(made: type[SimpleNamespace], value: Any) -> Any:
    """A plain value with its dictionaries as objects, those inside as views."""
    kind = type(value)
    if kind is dict:
        return made(**{name: as_object(View, part) for name, part in value.items()})
    if (kind is list or kind is tuple) and dict in map(type, value):
        return kind([as_object(View, part) for part in value])
    return value
