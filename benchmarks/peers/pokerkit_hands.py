"""PokerKit (Python) playing random hands of heads-up no-limit hold'em, if ``pokerkit`` is installed.

Cards come from its own shuffled pack; fold, call, the least raise and the all-in are equally likely where legal.
"""

from __future__ import annotations

from functools import partial
from importlib.util import find_spec
from random import Random

from benchmarks.harness import Probe, cpu_rate

STACK, SMALL, BIG = 1000, 5, 10


def random_hands() -> Probe | None:
    """A probe: hands a second, or None where PokerKit is not installed."""
    if find_spec("pokerkit") is None:
        return None
    from pokerkit import Automation, NoLimitTexasHoldem

    random = Random(1)
    new_hand = NoLimitTexasHoldem(tuple(Automation), True, 0, (SMALL, BIG), BIG)

    def play() -> int:
        state = new_hand((STACK, STACK), 2)
        while state.status:
            acts = [state.check_or_call]
            if state.can_fold():
                acts.append(state.fold)
            if state.can_complete_bet_or_raise_to():
                most = state.max_completion_betting_or_raising_to_amount
                acts += [state.complete_bet_or_raise_to, partial(state.complete_bet_or_raise_to, most)]
            random.choice(acts)()
        return 1

    return cpu_rate(play)
