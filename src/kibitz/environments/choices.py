"""Actions as a learner knows them: the numbers of one small space, each legal one marked.

    choice      what a learner picks: a number from 0 to ``n - 1``
    slot        a choice that stands for an amount: slot k is the k-th amount that ``legal`` lists now

In games without amounts a choice is the action's own number.  Where actions from ``amounts`` on are amounts (poker's
bets, of which there are a thousand million), the standard ones that ``legal`` lists have a slot each.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from kibitz.cards import shown
from kibitz.engine.game import Game
from kibitz.engine.registry import game_of
from kibitz.engine.validation import check_number
from kibitz.errors import NotationError, RuleError

if TYPE_CHECKING:
    import numpy as np


class Choices:
    """The choices of a game: ``n`` of them, those from ``amounts`` on slots for amounts.

    >>> poker = Choices("holdem")
    >>> legal = poker.game.legal(poker.game.deal(1))
    >>> [poker.choice(action, legal) for action in legal]
    [0, 1, 34, 35, 36, 37]
    >>> poker.action(37, legal) == legal[-1]
    True
    """

    def __init__(self, game: Game | str) -> None:
        self.game = game_of(game)
        self.amounts = self.game.amounts
        slots = self.game.choices if self.amounts < self.game.actions else 0
        self.n = self.amounts + slots

    def __repr__(self) -> str:
        return f"Choices({self.game.name!r})"

    def mask(self, legal: Sequence[int]) -> np.ndarray[Any, Any]:
        """Of every choice 1 if it is legal, else 0: shape (``n``,), int8."""
        import numpy as np

        found = np.zeros(self.n, np.int8)
        found[self.of(legal)] = 1
        return found

    def of(self, legal: Sequence[int]) -> list[int]:
        """The choices that some legal actions are, in their order."""
        if self.amounts == self.n:
            return list(legal)
        found, slot = [], self.amounts
        for action in legal:
            if action < self.amounts:
                found.append(action)
            else:
                found.append(slot)
                slot += 1
        return found

    def choice(self, action: int, legal: Sequence[int]) -> int:
        """The choice that a listed action is; RuleError if ``legal`` does not list it."""
        if action not in legal:
            raise RuleError(f"{self.game.name}: action {shown(action)} is none of the {len(legal)} that are listed.")
        return self.of(legal)[list(legal).index(action)]

    def action(self, choice: int, legal: Sequence[int]) -> int:
        """The action that a choice means now.

        NotationError if there is no such choice; RuleError for a slot without an amount.  Whether an action that is no
        amount is legal is for the game to say.
        """
        number = check_number("choice", choice)
        if not 0 <= number < self.n:
            raise NotationError(f"{self.game.name} has the choices 0 to {self.n - 1}, not {shown(choice)}.")
        if number < self.amounts:
            return number
        listed = [action for action in legal if action >= self.amounts]
        if number - self.amounts >= len(listed):
            there_are = f"{len(listed)} amounts" if len(listed) != 1 else "one amount"
            raise RuleError(
                f"Choice {number} is amount number {number - self.amounts + 1}, and {there_are} can be bet."
            )
        return listed[number - self.amounts]
