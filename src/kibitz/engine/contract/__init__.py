"""The contract of a game, as checks that every registered game must pass.

    walks       positions met in random play
    kernels     legal and refusal agree, plain and compiled agree, seeds decide, games end
    knowledge   views, events, imagination; nothing hidden reaches a seat
    exact       on a mini variant, imagination has exactly the right distribution

Each check is a function of a game that raises ``Broken`` with a sentence.  The tests run all of them on every
game; whoever writes a game runs ``check_game`` while writing it.
"""

from kibitz.engine.contract import exact, kernels, knowledge
from kibitz.engine.contract.walks import Broken
from kibitz.engine.game import Game

__all__ = ["CHECKS", "Broken", "check_game"]

CHECKS = (*kernels.CHECKS, *knowledge.CHECKS, *exact.CHECKS)
"""Every check, each a function of a game and a number that says how thorough to be (1: seconds)."""


def check_game(game: Game, thorough: int = 1) -> None:
    """Run every check; Broken names the first promise that does not hold."""
    for check in CHECKS:
        check(game, thorough)
