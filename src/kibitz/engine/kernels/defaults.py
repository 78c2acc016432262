"""Kernels that a game may leave out, because its others determine them.

    legal       every legal action, in the order of their numbers
    substitute  the first of them

A game with at most 62 actions may have a kernel ``legal_mask(s)``: the legal actions as the bits of one integer.  Then
these two follow from it.  Without it ``refusal`` is called for all actions, which is many times slower in plain Python.
``provide`` adds what a game's ``rules`` lack, as if it had been written there.
"""

from types import FunctionType, ModuleType
from typing import TYPE_CHECKING

from kibitz.engine.kernels.hooks import legal_mask, refusal
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
    """The substitute for a forfeited seat: its first legal action."""
    a = 0
    while refusal(s, a) != 0:
        a += 1
    return a


@kernel
def legal_in_mask(s, out):
    """List the legal actions."""
    actions = legal_mask(s)
    n = 0
    while actions:
        low = actions & -actions
        out[n] = low.bit_length() - 1
        actions ^= low
        n += 1
    return n


@kernel
def first_in_mask(s):
    """The substitute for a forfeited seat: its first legal action."""
    actions = legal_mask(s)
    low = actions & -actions
    return low.bit_length() - 1


ASKED = {"legal": legal, "substitute": substitute}
MASKED = {"legal": legal_in_mask, "substitute": first_in_mask}


def provide(rules: ModuleType) -> None:
    """Give a game's rules the kernels that they lack."""
    for name, default in (MASKED if hasattr(rules, "legal_mask") else ASKED).items():
        if not hasattr(rules, name):
            made = FunctionType(default.__code__, vars(rules), name)
            made.__module__, made.__doc__ = rules.__name__, default.__doc__
            setattr(rules, name, kernel(made))
