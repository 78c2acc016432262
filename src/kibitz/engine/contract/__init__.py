"""The contract of a game, as checks that every registered game must pass.

    positions       the positions that the checks look at, chosen to cover the game
    coverage        which branches of a game's code have run; ``completeness``: a branch that never ran must be excused
    kernel_checks   ``legal`` and ``refusal`` agree, so do plain Python and machine code; seeds determine games; games
                    end; the kernel rules
    numbers         in kernels, every number fits into its machine word, and every index lies within its array
    knowledge       views and events; nothing hidden reaches a seat
    consistency     asking changes nothing; another process gives the same answers
    wording         words for every position, in lines that can be printed and read back
    scenes          every position can be drawn, and every action put together from what is drawn
    policy_checks   strategies as kernels: legal, dependent on the view alone, the same in plain Python and machine code
    imagination     imagined positions have the right distribution, exactly so on a mini variant
    checking        what the checks share: where a check failed and why, random games, and the watchdog

Each check is a function of a game that raises ``Violation`` where the game breaks a promise.  The error has a sentence,
the game, seat, seed, step and action, the field and the values, and the command that repeats the check.  The tests run
all checks on every game; authors of a game run ``check_game`` or ``kibitz check-game`` while writing it.
"""

from collections.abc import Iterator

from kibitz.engine.contract import (
    completeness,
    consistency,
    imagination,
    kernel_checks,
    knowledge,
    numbers,
    policy_checks,
    scenes,
    wording,
)
from kibitz.engine.contract.checking import Check, Hang, Violation
from kibitz.engine.game import Game

__all__ = ["CHECKS", "Hang", "Violation", "check_game", "checks_of"]

CHECKS: tuple[Check, ...] = (
    *kernel_checks.CHECKS,
    *numbers.CHECKS,
    *knowledge.CHECKS,
    *consistency.CHECKS,
    *wording.CHECKS,
    *scenes.CHECKS,
    *policy_checks.CHECKS,
    *completeness.CHECKS,
    *imagination.CHECKS,
)
"""Every check: a function of a game, a degree of thoroughness (1 takes seconds), and the only seed to use, if given."""


def checks_of(game: Game) -> Iterator[tuple[Check, Game]]:
    """Every check with the game to call it with: ``game``, or its mini variant for a check that needs a small game.

    The tests run CHECKS on all registered games instead, which include the mini variants.
    """
    for check in CHECKS:
        yield check, game
    if game.variant != "mini":
        for mini in imagination.mini_variants(game):
            yield imagination.imagination_is_exact, mini


def check_game(game: Game, thorough: int = 1) -> None:
    """Run every check; raise Violation for the first promise that doesn't hold."""
    for check, checked_game in checks_of(game):
        check(checked_game, thorough)
