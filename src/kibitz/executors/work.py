"""What goes to a worker and what comes back: bytes, whose meaning only the two ends know.

task        a function ``f(block, parts, sign)`` of a module, by its name ``module:function``
block       a piece of work: the same block gives the same result wherever and however often it is done
part        what many blocks need, such as a player's file; a worker gets it once, and knows it by its name
sign        tells that the worker is alive, and what should outlive it; nothing else comes of it
need        what a worker must be or have for a block: a function that says what it lacks, and a word for it
ticket      the number under which a block was sent; it comes back with whatever is heard of the block
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any

import msgspec

from kibitz import errors
from kibitz.errors import KibitzError

Sign = Callable[[bytes], None]
"""Is given what should outlive the worker; with nothing it says only that the worker is alive."""
Task = Callable[[bytes, Sequence[bytes], Sign], bytes]
Need = tuple[str, str]
"""``module:function``, which is given the word and answers with a sentence, or with nothing where all is well."""
ANY: Need = ("", "")
"""Stands for the need of having this Kibitz at all."""


class Work(msgspec.Struct, frozen=True):
    """A block with what is to be done with it.

    ``parts`` are names (``named_part``); who is silent for ``patience`` seconds over it is taken for dead, unless that
    is 0.
    """

    task: str
    block: bytes
    parts: tuple[str, ...] = ()
    needs: tuple[Need, ...] = ()
    patience: float = 0.0


# what is heard of a worker and its block


class Ready(msgspec.Struct, frozen=True, tag=True):
    """The worker has begun."""


class Signed(msgspec.Struct, frozen=True, tag=True):
    """What should outlive the worker of a block that is not done yet."""

    ticket: int
    data: bytes


class Done(msgspec.Struct, frozen=True, tag=True):
    """A block is done."""

    ticket: int
    result: bytes


class Trouble(msgspec.Struct, frozen=True):
    """An error of Kibitz's as it is sent: its class, what it is made of, and notes such as a traceback."""

    kind: str
    given: tuple[str | int, ...]
    notes: tuple[str, ...] = ()

    @classmethod
    def of(cls, error: KibitzError) -> Trouble:
        """An error, to be sent."""
        made = error.__reduce__()
        assert isinstance(made, tuple)
        return cls(type(error).__name__, tuple(made[1]), tuple(getattr(error, "__notes__", ())))

    def error(self) -> KibitzError:
        """The error, to be raised here."""
        made: KibitzError = getattr(errors, self.kind)(*self.given)
        for note in self.notes:
            made.add_note(note)
        return made


class Failed(msgspec.Struct, frozen=True, tag=True):
    """A block cannot be done, on no worker: the task has said why."""

    ticket: int
    trouble: Trouble


class Refused(msgspec.Struct, frozen=True, tag=True):
    """A worker lacks what a block needs: the need, and a sentence."""

    ticket: int
    need: Need
    sentence: str


class Lost(msgspec.Struct, frozen=True, tag=True):
    """The worker of a block is gone; ``alone`` if only its process died, so that it may be the block's fault."""

    ticket: int
    cause: str
    alone: bool = True


class Note(msgspec.Struct, frozen=True, tag=True):
    """What people should know of a place."""

    sentence: str


Report = Ready | Signed | Done | Failed | Refused
"""What a worker process says."""
Heard = Signed | Done | Failed | Lost | Note


def part_name(content: bytes) -> str:
    """What a part is called: equal ones alike."""
    return hashlib.sha256(content).hexdigest()


def found(name: str) -> Callable[..., Any]:
    """The function called ``module:function``."""
    module, _, function = name.partition(":")
    made: Callable[..., Any] = getattr(import_module(module), function)
    return made
