"""The contract of a game, as checks that every registered game must pass.

    positions   the positions that the checks look at, chosen so that everything in a game is met
    branches    which ways a game's code has gone; ``code``: what of it must have run
    cover       every reason, event and branch is met, or named with why it cannot be
    kernels     legal and refusal agree, plain and compiled agree, seeds decide, games end; ``source``: kernel rules
    numbers     no number of a kernel leaves its machine word, no index its array
    knowledge   views, events; nothing hidden reaches a seat
    players     words for every position; strategies are legal and know nothing hidden
    scenes      every position can be drawn, and every action put together from what is drawn
    policies    strategies that are kernels: legal, blind, the same in both faces
    sights      searches let imagined seats remember of an action what events tell of it
    exact       on a mini variant, imagination has exactly the right distribution
    watchdog    no call of the game's goes on for ever
    walks       what is broken and where; games played at random

Each check is a function of a game that raises ``Broken``: a sentence, the game, seat, seed, step and action, the field
and the values, and the command that shows it again.  The tests run all of them on every game; whoever writes a game
runs ``check_game`` or ``kibitz check-game`` while writing it.
"""

from collections.abc import Iterator

from kibitz.engine.contract import (
    again,
    cover,
    exact,
    kernels,
    knowledge,
    numbers,
    odds,
    players,
    policy_checks,
    questions,
    saying,
    scenes,
    sights,
)
from kibitz.engine.contract.walks import Broken, Check, Stuck
from kibitz.engine.game import Game

__all__ = ["CHECKS", "Broken", "Stuck", "check_game", "promises"]

CHECKS: tuple[Check, ...] = (
    *kernels.CHECKS,
    *numbers.CHECKS,
    *knowledge.CHECKS,
    *questions.CHECKS,
    *players.CHECKS,
    *saying.CHECKS,
    *scenes.CHECKS,
    *policy_checks.CHECKS,
    *sights.CHECKS,
    *again.CHECKS,
    *cover.CHECKS,
    *odds.CHECKS,
    *exact.CHECKS,
)
"""Every check, a function of a game, of how thorough to be (1: seconds), and of the one seed to look at, if any."""


def promises(game: Game) -> Iterator[tuple[Check, Game]]:
    """Every check with the game that it is to look at: ``game``, and its mini variant where only that shows anything.

    The tests of all registered games take CHECKS, as mini variants have their own turn there.
    """
    for check in CHECKS:
        yield check, game
    if game.variant != "mini":
        for mini in exact.minis(game):
            yield exact.imagination_is_exact, mini


def check_game(game: Game, thorough: int = 1) -> None:
    """Run every check; Broken names the first promise that does not hold."""
    for check, of in promises(game):
        check(of, thorough)
