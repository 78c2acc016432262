"""Hostile player files, each with a description of its attack, and how its game may end.

    NAME.attack     a docstring, then Python code; the docstring says what the file tries, after "Ends:" the kinds of
                    forfeit that may end its game ("plays" if it may play to the end), and perhaps "Seats: 2" for an
                    accomplice
    attack          a function of the file, called in the first turn with the player's number and its hand; it returns
                    the card to play
    breach          a function for the file to call if something works that must fail
    channel         a file that defines ``send`` and ``hear`` instead of ``attack``: in every turn, one seat tries to
                    pass a random card to the other; "Open:" marks a channel that can't be closed, and says why

The files aren't modules, and their suffix keeps programs from importing or collecting them by accident. Run them only
in a sandbox.
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
CHANNEL_PLAYER = """
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
    def docstring_lines(self) -> list[str]:
        """The lines of the file's docstring."""
        return self.text.split('"""')[1].splitlines()

    @property
    def what(self) -> str:
        """What the file tries, in a sentence."""
        return self.docstring_lines[0]

    def words_after(self, word: str) -> list[str]:
        """The words after a label in the docstring."""
        return next((line.split()[1:] for line in self.docstring_lines if line.startswith(f"{word}:")), [])

    @property
    def ends(self) -> list[str]:
        """The kinds of forfeit that may end its game, and "plays" if it may play to the end."""
        return self.words_after("Ends")

    @property
    def seats(self) -> int:
        """How many seats play this file."""
        return int((*self.words_after("Seats"), "1")[0])

    def source(self, target: dict[str, object]) -> str:
        """The text of the whole player file; ``target`` describes its surroundings: pids, folders, a port."""
        return f"TARGET = {target!r}\n{PRELUDE}\n{self.text}\n{CHANNEL_PLAYER if self.is_channel else PLAYER}"

    @property
    def is_channel(self) -> bool:
        """Whether the file tries to pass cards to an accomplice."""
        return "\ndef send(" in self.text

    @property
    def is_open(self) -> bool:
        """Whether it is a channel that is known to work; docs/sandbox.md says how well."""
        return bool(self.words_after("Open"))


def attacks() -> list[Attack]:
    """All attacks that must achieve nothing, by name."""
    return [attack for attack in all_attacks() if not attack.is_open]


def all_attacks() -> list[Attack]:
    """All attacks by name, including the channels that are known to be open."""
    attack_files = [file for file in files(__name__).iterdir() if file.name.endswith(".attack")]
    return [
        Attack(file.name.removesuffix(".attack"), file.read_text("utf-8"))
        for file in sorted(attack_files, key=lambda file: file.name)
    ]
