"""What the end of a game pays each seat: the reward of every environment.

    worth       chips, where a game is played for them (``Game.by_score``); elsewhere a win is worth 1, shared by those
                who share it, less what each seat would have of it at random: so the seats' payoffs add up to 0
    scores      what each seat has scored, as the outcome tells it

Who has forfeited cannot win, and gets what a loser gets.
"""

from __future__ import annotations

from collections.abc import Collection

from kibitz.cards import shown
from kibitz.engine.game import Game
from kibitz.engine.layout import PlainState
from kibitz.errors import NotationError

PAYOFFS = ("worth", "scores")


def payoffs_of(
    game: Game, state: PlainState, kind: str = "worth", forfeited: Collection[int] = ()
) -> tuple[float, ...]:
    """By seat, what the end of a game pays; who has forfeited cannot win.

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
    share, even = 1 / len(outcome.winners), 1 / game.seats
    return tuple((share if seat in outcome.winners else 0.0) - even for seat in range(game.seats))


def bounds_of(game: Game) -> tuple[float, float]:
    """The least and the most ``worth`` that a seat can be paid; infinite where nothing bounds the chips."""
    if not game.by_score:
        return -1 / game.seats, 1 - 1 / game.seats
    stacks = [value for name, value in game.options.items() if name.startswith("stack")]
    most = float(max(stacks, default=0)) or float("inf")
    return -most, most * (game.seats - 1)


def check_payoff(kind: str) -> str:
    """A kind of payoff; NotationError if there is none such."""
    if kind not in PAYOFFS:
        raise NotationError(f"reward must be one of {', '.join(PAYOFFS)}, not {shown(kind)}.")
    return kind
