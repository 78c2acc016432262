"""How somebody plays, as a policy for a whole tree: what is exploited, and what is shipped.

chooser     ``f(view, legal) -> action``, one way in which a player might play
odds        a strategy may tell how it mixes: ``strategy.odds(view, legal)``, a probability for each legal action,
            None where it does not know; then it need not be asked again and again
halves      what was chosen in the even and in the odd passes: two independent estimates of one policy
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from kibitz.errors import RuleError
from kibitz.search.game_tree import Tree
from kibitz.search.solving import Solution, judged, response, values

if TYPE_CHECKING:
    import numpy as np

    from kibitz.engine.events import View

Chooser = Callable[["View", list[int]], int]
Odds = Callable[["View", list[int]], "list[float] | None"]


@dataclass(frozen=True)
class Exploited:
    """How much a policy can lose: ``exploitability`` exactly where the policy is ``exact``.

    Else the policy was estimated from ``passes`` through all information sets.  A best response fits itself to what
    chance there was in the estimate too, so ``exploitability`` is rather too high; ``at_least`` is what a response to
    one half of the passes wins against the other half, and rather too low.
    """

    solution: Solution
    passes: int
    at_least: float

    @property
    def exact(self) -> bool:
        """Whether the policy is known and not estimated."""
        return self.passes == 0

    @property
    def exploitability(self) -> float:
        """What a best response wins more than the policy, on average over the seats."""
        return self.solution.exploitability


def mixed(tree: Tree, odds: Odds) -> np.ndarray[Any, Any] | None:
    """The policy that ``odds`` tell; None if there is an information set for which they do not."""
    import numpy as np

    policy = np.zeros(tree.choices)
    for number, known in enumerate(tree.sets):
        found = odds(known.view, list(known.legal))
        if found is None:
            return None
        policy[tree.start[number] : tree.start[number + 1]] = np.array(found) / sum(found)
    return policy


def counted(tree: Tree, chooser: Chooser) -> np.ndarray[Any, Any]:
    """By choice of the tree, 1 where ``chooser`` makes it and 0 elsewhere; RuleError where it is none of the legal."""
    import numpy as np

    policy = np.zeros(tree.choices)
    for number, known in enumerate(tree.sets):
        action = chooser(known.view, list(known.legal))
        if action not in known.legal:
            raise RuleError(f"seat {known.seat} answers with an illegal action, {action}, and not with a legal one.")
        policy[tree.start[number] + known.legal.index(action)] += 1
    return policy


def exploited(tree: Tree, choosers: Iterable[Chooser], told: Callable[[int], object] | None = None) -> Exploited:
    """How much a player can lose that is asked once, by each of two or more choosers, for every information set."""
    import numpy as np

    halves = [np.zeros(tree.choices) for _ in range(2)]
    passes = 0
    for chooser in choosers:
        halves[passes % 2] += counted(tree, chooser)
        passes += 1
        if told:
            told(passes)
    policies = [half / max(1, count) for half, count in zip(halves, ((passes + 1) // 2, passes // 2), strict=True)]
    whole = (halves[0] + halves[1]) / passes
    if (policies[0] == policies[1]).all() or passes < 2:
        return Exploited(judged(tree, whole), passes, judged(tree, whole).exploitability)
    crossed = [crosswise(tree, *policies), crosswise(tree, *reversed(policies))]
    return Exploited(judged(tree, whole), passes, sum(crossed) / 2)


def crosswise(tree: Tree, fitted: np.ndarray[Any, Any], met: np.ndarray[Any, Any]) -> float:
    """What the best responses to one policy win more against another than that wins against itself."""
    import numpy as np

    usual, gains = values(tree, met), 0.0
    mover = np.repeat([known.seat for known in tree.sets], np.diff(tree.start))
    for seat in range(tree.game.seats):
        best, _ = response(tree, fitted, seat)
        gains += values(tree, np.where(mover == seat, best, met))[seat] - usual[seat]
    return gains / tree.game.seats


def known(tree: Tree, policy: np.ndarray[Any, Any]) -> Exploited:
    """How much a policy can lose that is known exactly."""
    solution = judged(tree, policy)
    return Exploited(solution, 0, solution.exploitability)
