"""Kuhn and Leduc poker played by a table: what a solver found, as a few hundred lines of text.

    situation   what counts of a view, suits left out: own rank, board, chips of both, seat, who bet last before
    odds        for each legal action its probability, in the order of the legal ones

A line of ``solutions/NAME.txt`` is a situation and the probabilities of fold, call and raise there.  The files are made
by ``python -m kibitz.search.shipping``; playing needs no compiler.  Where stacks are so short that the tables know no
such situation, which takes a session of several hands, ``greedy`` decides.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from random import Random

from kibitz.cards import code
from kibitz.games.poker.observation import PokerView
from kibitz.games.poker.policies import greedy
from kibitz.games.poker.rules import CALL, FOLD

NAMES = ("kuhn", "leduc")
"""The games that have a table."""


def kind(action: int) -> int:
    """0 for fold, 1 for call or check, 2 for a bet or raise, of which fixed limits know one."""
    return 0 if action == FOLD else 1 if action == CALL else 2


def situation(view: PokerView) -> str:
    """Everything that can matter to the seat that is to act, in one word.

    ``KQ5:9-1+`` is a king with a queen on the board, 5 chips paid against 9, second to act, and the last to bet or
    raise in the round before; ``-`` there is the other seat, ``.`` nobody.
    """
    me, other = view.seat, 1 - view.seat
    board = code(view.board[0])[0] if view.board else "_"
    second = int(view.button == me)
    before = view.turn.initiative
    led = "." if before is None else "+" if before == me else "-"
    return f"{code(view.hand[0])[0]}{board}{view.paid[me]}:{view.paid[other]}-{second}{led}"


@cache
def table(name: str) -> dict[str, tuple[float, ...]]:
    """The table of a game: by situation, the probabilities of fold, call and raise."""
    text = files(__package__).joinpath("solutions", f"{name}.txt").read_text(encoding="utf-8")
    found = {}
    for line in text.splitlines():
        if line and not line.startswith("#"):
            where, *odds = line.split()
            found[where] = tuple(map(float, odds))
    return found


class Solved:
    """The strategy of a table; ``odds`` tells how it mixes, for whoever wants to know exactly."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.__doc__ = f"What a solver found for {name}: nobody wins against it on average."

    def __call__(self, view: PokerView, legal: list[int], random: Random) -> int:
        """A choice drawn by the table's odds."""
        odds = self.odds(view, legal)
        if odds is None:
            return greedy(view, legal, random)
        return random.choices(legal, odds)[0]

    def odds(self, view: PokerView, legal: list[int]) -> list[float] | None:
        """The probability of each legal action, None where the table has no such situation."""
        found = table(self.name).get(situation(view))
        if found is None or view.setup.players != 2:
            return None
        odds = [found[kind(action)] for action in legal]
        return odds if sum(odds) > 0 else None


STRATEGIES = {name: Solved(name) for name in NAMES}
