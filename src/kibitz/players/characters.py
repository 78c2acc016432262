"""The players that come with a game as people meet them: by name, with one line of character, the strongest last.

character   a built-in player's name, what it is like in one line, and how it plays
"""

from __future__ import annotations

from inspect import getdoc
from typing import NamedTuple

from kibitz.engine.game import Game, Strategy
from kibitz.players.built_in import strategies


class Character(NamedTuple):
    """One built-in player."""

    name: str
    line: str
    strategy: Strategy


def cast(game: Game) -> tuple[Character, ...]:
    """The built-in players of a game, the strongest last; those that think ahead by how much they think.

    >>> import kibitz
    >>> [character.name for character in cast(kibitz.game("bo"))]
    ['random', 'first', 'quick', 'greedy', 'marshal', 'best']
    >>> cast(kibitz.game("bo"))[0].line
    'Any legal action, each as likely as the others.'
    """
    return tuple(Character(name, line_of(strategy), strategy) for name, strategy in strategies(game).items())


def line_of(strategy: Strategy) -> str:
    """What a strategy is like, in one line: its ``line``, or the first of its documentation."""
    said = getattr(strategy, "line", "") or getdoc(strategy) or "Nobody has said how it plays"
    line = str(said).partition("\n")[0].strip()
    return line if line.endswith((".", "!")) else f"{line}."
