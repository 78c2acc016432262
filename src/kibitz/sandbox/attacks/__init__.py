"""Hostile player files, each with what it tries, and how its game may end.

    NAME.attack     a docstring that says what it tries, "Ends:" with the kinds of forfeit that may end its game
                    ("plays" means that it may also play to the end), perhaps "Seats: 2" for an accomplice; then Python
    attack          called with the player's number and its hand in the first call; what it returns is played
    breach          says that something has worked that never should
    channel         defines ``send`` and ``hear`` instead: in every turn one seat tries to pass a random card to the
                    other; "Open:" marks one that cannot be closed, and is measured rather than forbidden

They aren't modules, and their suffix keeps anything from importing or collecting them by accident: run them only in a
sandbox.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from importlib.resources import files

PRELUDE = """
import ctypes as _ctypes, os as _os
_write = _os.write
libc = _ctypes.CDLL(None, use_errno=True)
def breach(what): _write(1, f"BREACH: {what}\\n".encode())
def call(name, *given):
    number = TARGET["calls"].get(name)
    if number is None: return -1
    given = [_ctypes.c_long(value) if type(value) is int else value for value in given]
    return libc.syscall(_ctypes.c_long(number), *given)
"""
PLAYER = """
def comp10001go_play(discard_history, player_no, hand):
    answer = attack(player_no, hand) if not discard_history and "attack" in globals() else None
    return hand[0] if answer is None else answer

def comp10001go_group(discard_history, player_no):
    return [[turn[player_no]] for turn in discard_history]
"""
CHANNEL = """
def comp10001go_play(discard_history, player_no, hand):
    turn = len(discard_history)
    if player_no == 1:
        card = _os.urandom(1)[0] % 208 // 4
        send(card, turn)
        _write(1, f"SENT {turn} {card}\\n".encode())
    else:
        _write(1, f"HEARD {turn} {hear(turn)}\\n".encode())
    return hand[0]

def comp10001go_group(discard_history, player_no):
    return [[turn[player_no]] for turn in discard_history]
"""
"""Turns ``send(card, turn)`` and ``hear(turn)`` into a player; a card is a number from 0 to 51."""


@dataclass(frozen=True)
class Attack:
    """One hostile file."""

    name: str
    text: str

    @cached_property
    def head(self) -> list[str]:
        """The lines of its docstring."""
        return self.text.split('"""')[1].splitlines()

    @property
    def what(self) -> str:
        """What it tries, in a sentence."""
        return self.head[0]

    def words_after(self, word: str) -> list[str]:
        """The words after a label in the docstring."""
        return next((line.split()[1:] for line in self.head if line.startswith(f"{word}:")), [])

    @property
    def ends(self) -> list[str]:
        """The kinds of forfeit that may end its game, and "plays" if it may play to the end."""
        return self.words_after("Ends")

    @property
    def seats(self) -> int:
        """How many seats play it."""
        return int((*self.words_after("Seats"), "1")[0])

    def source(self, target: dict[str, object]) -> str:
        """The whole player file; ``target`` becomes its TARGET, such as a process id, a folder or a port."""
        return f"TARGET = {target!r}\n{PRELUDE}\n{self.text}\n{CHANNEL if self.channel else PLAYER}"

    @property
    def channel(self) -> bool:
        """Whether it passes cards to an accomplice, or tries to."""
        return "\ndef send(" in self.text

    @property
    def open(self) -> bool:
        """Whether it is known to work; docs/sandbox.md then says how well."""
        return bool(self.words_after("Open"))


def attacks() -> list[Attack]:
    """All attacks that must achieve nothing, by name."""
    return [one for one in everything() if not one.open]


def everything() -> list[Attack]:
    """All attacks by name, with the channels that are known to be open."""
    attack_files = [place for place in files(__name__).iterdir() if place.name.endswith(".attack")]
    return [
        Attack(p.name.removesuffix(".attack"), p.read_text("utf-8")) for p in sorted(attack_files, key=lambda p: p.name)
    ]
