"""What all environments share: the action space, rewards, and the packages they need.

choice          a number from 0 to ``n - 1`` with which a learner chooses an action; a mask says which are legal
slot            a choice that stands for an amount: slot k is the k-th amount that ``legal`` lists now
payoff          the reward at the end of a game. ``"zero_sum"``: chips won or lost, or in games without chips
                (``Game.by_score`` is false) the share of the win minus 1 / (number of seats). ``"scores"``: the score
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from kibitz.cards import short_repr
from kibitz.engine.game import Game
from kibitz.engine.layout import PlainState
from kibitz.engine.registry import game_of
from kibitz.engine.sentences import counted
from kibitz.engine.validation import check_number
from kibitz.errors import NotationError, RuleError

if TYPE_CHECKING:
    import numpy as np

PACKAGE = "kibitz"


@contextmanager
def require_packages(what: str, extra: str = "environments") -> Iterator[None]:
    """Import packages inside this block. Raises ImportError, which says what to install, if one is missing."""
    try:
        yield
    except ModuleNotFoundError as error:
        missing = (error.name or "").partition(".")[0]
        if missing == PACKAGE:
            raise
        sentence = f"kibitz.environments.{what} needs {missing}: pip install 'kibitz[{extra}]'."
        raise ImportError(sentence, name=error.name) from None


# Rewards. A seat that has forfeited cannot win, and gets the reward of a loser.


PAYOFFS = ("zero_sum", "scores")


def payoffs_of(
    game: Game, state: PlainState, kind: str = "zero_sum", forfeited: Collection[int] = ()
) -> tuple[float, ...]:
    """The payoffs at the end of a game, by seat; a seat that has forfeited cannot win.

    >>> from kibitz.engine.registry import game
    >>> go = game("go-mini")
    >>> state = go.deal(2)
    >>> while not state.over:
    ...     _ = go.play(state, go.legal(state)[-1])
    >>> payoffs_of(go, state), payoffs_of(go, state, "scores")
    ((0.5, -0.5), (0.0, -27.0))
    """
    outcome = game.result(state, frozenset(forfeited))
    if kind == "scores" or game.by_score:
        return outcome.scores
    if not outcome.winners:
        return (0.0,) * game.seats
    share, equal_share = 1 / len(outcome.winners), 1 / game.seats
    return tuple((share if seat in outcome.winners else 0.0) - equal_share for seat in range(game.seats))


def payoff_bounds(game: Game) -> tuple[float, float]:
    """The least and the greatest payoff (``"zero_sum"``) of a seat; infinite if the chips are unlimited."""
    if not game.by_score:
        return -1 / game.seats, 1 - 1 / game.seats
    stacks = [value for name, value in game.options.items() if name.startswith("stack")]
    most = float(max(stacks, default=0)) or float("inf")
    return -most, most * (game.seats - 1)


def check_payoff(kind: str) -> str:
    """A kind of payoff. Raises NotationError if none has that name."""
    if kind not in PAYOFFS:
        raise NotationError(f"reward must be one of {', '.join(PAYOFFS)}, not {short_repr(kind)}.")
    return kind


# Actions. In most games a choice is the action's own number. In games with amounts (poker has a billion possible bets),
# the actions from ``first_amount`` on are amounts, and each standard amount that ``legal`` lists has a slot.


class Choices:
    """The ``n`` choices of a game; the choices from ``first_slot`` on are slots for amounts.

    >>> poker = Choices("holdem")
    >>> legal = poker.game.legal(poker.game.deal(1))
    >>> [poker.choice(action, legal) for action in legal]
    [0, 1, 34, 35, 36, 37]
    >>> poker.action(37, legal) == legal[-1]
    True
    """

    def __init__(self, game: Game | str) -> None:
        self.game = game_of(game)
        self.first_slot = self.game.first_amount
        slots = self.game.max_legal if self.first_slot < self.game.actions else 0
        self.n = self.first_slot + slots

    def __repr__(self) -> str:
        return f"Choices({self.game.name!r})"

    def mask(self, legal: Sequence[int]) -> np.ndarray[Any, Any]:
        """1 for every legal choice, else 0: shape (``n``,), int8."""
        import numpy as np

        result = np.zeros(self.n, np.int8)
        result[self.for_actions(legal)] = 1
        return result

    def for_actions(self, legal: Sequence[int]) -> list[int]:
        """The choices for some legal actions, in their order."""
        if self.first_slot == self.n:
            return list(legal)
        result, slot = [], self.first_slot
        for action in legal:
            if action < self.first_slot:
                result.append(action)
            else:
                result.append(slot)
                slot += 1
        return result

    def choice(self, action: int, legal: Sequence[int]) -> int:
        """The choice for an action. Raises RuleError if ``legal`` does not list it."""
        if action not in legal:
            raise RuleError(f"{self.game.name}: action {short_repr(action)} isn't one of the {len(legal)} legal ones.")
        return self.for_actions(legal)[list(legal).index(action)]

    def action(self, choice: int, legal: Sequence[int]) -> int:
        """The action that a choice means now.

        Raises NotationError for an unknown choice, and RuleError for a slot without an amount. The caller checks
        whether the action is legal.
        """
        number = check_number("choice", choice)
        if not 0 <= number < self.n:
            raise NotationError(f"{self.game.name} has the choices 0 to {self.n - 1}, not {short_repr(choice)}.")
        if number < self.first_slot:
            return number
        amounts = [action for action in legal if action >= self.first_slot]
        if number - self.first_slot >= len(amounts):
            raise RuleError(
                f"Choice {number} means bet amount number {number - self.first_slot + 1}, but 'legal' lists only"
                f" {counted(len(amounts), 'amount')}."
            )
        return amounts[number - self.first_slot]
