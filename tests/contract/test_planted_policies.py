"""The checks of policies catch peeking, changed positions, illegal choices and numbers out of range."""

from dataclasses import replace
from types import ModuleType

import pytest

import kibitz
from kibitz.engine.contract import Violation, policy_checks
from kibitz.games.eights import policies
from kibitz.games.eights.rules import DRAW, PASS, legal
from kibitz.kernel import kernel
from tests.tiers import first_fast

EIGHTS = kibitz.game("eights")


@kernel
def peeking(s, policy, rng, scratch):
    """Looks at the hand of the next seat."""
    n = legal(s, scratch)
    return scratch[n - 1] if s.hand[(s.player + 1) % s.players] & 1 else scratch[0]


@kernel
def stock_peeking(s, policy, rng, scratch):
    """Looks at the stock."""
    n = legal(s, scratch)
    return scratch[n - 1] if s.stock >> 26 & 3 else scratch[0]


@kernel
def leaving_a_trace(s, policy, rng, scratch):
    """Changes the position."""
    legal(s, scratch)
    s.drawn += 1
    return scratch[0]


@kernel
def disturbing_chance(s, policy, rng, scratch):
    """Draws from the generator of the deal."""
    n = legal(s, scratch)
    s.draws += 1
    return scratch[n - 1]


@kernel
def illegal(s, policy, rng, scratch):
    """Passes whenever it can draw."""
    legal(s, scratch)
    return PASS if s.stock else DRAW


@kernel
def overflowing(s, policy, rng, scratch):
    """Computes with numbers too large for machine words."""
    legal(s, scratch)
    return scratch[0] + 0 * ((s.hand[s.player] + 1 << 20) * (1 << 40))


@kernel
def outside(s, policy, rng, scratch):
    """Reads before the start of its scratch array."""
    legal(s, scratch)
    return scratch[0] + 0 * scratch[s.drawn - 1]


@kernel
def trusting(s, policy, rng, scratch):
    """Depends on old content of its scratch array."""
    left = scratch[0]
    n = legal(s, scratch)
    return scratch[n - 1] if left else scratch[0]


@kernel
def plain(s, policy, rng, scratch):
    """Makes the first legal play."""
    legal(s, scratch)
    return scratch[0]


def planted(choose, **names):
    """Crazy Eights with another policy."""
    module = ModuleType("planted")
    module.__dict__.update(vars(policies), choose=choose, **names)
    return replace(EIGHTS, policies=module)


@pytest.mark.parametrize(
    ("choose", "sentence"),
    first_fast(
        [
            (peeking, "knows something hidden"),
            (stock_peeking, "knows something hidden"),
            (leaving_a_trace, "changes the position"),
            (disturbing_chance, "changes the position"),
            (illegal, "chooses an illegal action"),
            (overflowing, "raised OverflowError"),
            (outside, "raised IndexError"),
            (trusting, "knows something hidden"),
        ],
        2,
    ),
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_a_faulty_policy_is_caught(choose, sentence, monkeypatch):
    game = planted(choose)
    monkeypatch.setattr(policy_checks, "kernels_of", lambda game: [choose])
    with pytest.raises(Violation, match=sentence):
        policy_checks.policies_are_legal_and_blind(game)


def test_a_policy_that_differs_from_its_strategy_is_caught(monkeypatch):
    game = planted(plain, POLICIES={**policies.POLICIES, "greedy": "The first that goes."})
    game = replace(game, strategies={**game.strategies, "greedy": lambda view, legal, random: legal[-1]})
    monkeypatch.setattr(policy_checks, "kernels_of", lambda game: [plain])
    with pytest.raises(Violation, match="the policy greedy doesn't choose as the strategy of the same name does"):
        policy_checks.policies_are_legal_and_blind(game)


def test_an_unknown_policy_is_refused():
    with pytest.raises(TypeError, match="eights has no policy 'slow': see POLICIES"):
        replace(EIGHTS, strategies={"slow": policy_checks.Policy("slow")})
