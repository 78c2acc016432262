"""Kernels that a game may leave out: they follow from its others, at the price of going through all actions.

    legal       every action that ``refusal`` allows, in the order of their numbers
    substitute  the first of them

``provide`` gives a game's ``rules`` those that it lacks, as if they had been written there.
"""

from types import FunctionType, ModuleType
from typing import TYPE_CHECKING

from kibitz.engine.hooks import refusal
from kibitz.kernel import kernel

if TYPE_CHECKING:
    ACTIONS = 0


@kernel
def legal(s, out):
    """List the legal actions."""
    n = 0
    for a in range(ACTIONS):
        if refusal(s, a) == 0:
            out[n] = a
            n += 1
    return n


@kernel
def substitute(s):
    """What a forfeited seat does: its first legal action."""
    a = 0
    while refusal(s, a) != 0:
        a += 1
    return a


def provide(rules: ModuleType) -> None:
    """Give a game's rules the kernels that they lack."""
    for default in (legal, substitute):
        name = default.__name__
        if not hasattr(rules, name):
            made = FunctionType(default.__code__, vars(rules), name)
            made.__module__, made.__doc__ = rules.__name__, default.__doc__
            setattr(rules, name, kernel(made))
