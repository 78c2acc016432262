"""Games with a fault planted in them, checked at the covering positions of the original."""

import dataclasses
import types
import zlib

from kibitz.engine.contract import positions
from kibitz.engine.views.events import View
from kibitz.kernel import kernel


class LeakyView(View, frozen=True):
    """A true view and a secret that it must not hold."""

    true: View
    secret: int | str


def bit(played, state):
    """One bit that depends on what is hidden."""
    return zlib.crc32(repr(played.infoset_states.key(state)).encode()) & 1


def planted(played, **changes):
    """A game with some of its fields replaced."""
    return positions.share_positions(dataclasses.replace(played, **changes), played)


def with_rules(played, **kernels):
    """A game with some kernels replaced by functions that aren't marked."""
    return planted(played, rules=types.SimpleNamespace(**{**vars(played.rules), **kernels}))


def with_kernels(played, **functions):
    """A game with some kernels replaced by functions that are marked as kernels of its rules."""
    for function in functions.values():
        function.__module__ = played.rules.__name__
    return with_rules(played, **{name: kernel(function) for name, function in functions.items()})


def with_words(played, **words):
    """A game with some of its words replaced."""
    return planted(played, words=types.SimpleNamespace(**{**vars(played.words), **words}))
