"""COMP10001-Bo: be the first to empty your stockpile (``kibitz rules bo``)."""

from kibitz.engine.assembly import make_game, mini_of
from kibitz.engine.game import Strategy
from kibitz.engine.kernels.policies import Policy
from kibitz.games.bo import policies

SUMMARY = "Be the first to empty your stockpile onto four shared build piles, in at most 20 turns."
STRATEGIES: dict[str, Strategy] = {
    "first": policies.first,
    "quick": Policy("quick"),
    "greedy": policies.greedy,
    "marshal": Policy("marshal"),
}

BO = make_game(__name__, "Bo", "bo", SUMMARY, strategies=STRATEGIES)
GAMES = (
    BO,
    mini_of(BO, "Bo for two with eight cards, stockpiles of two and hands of two: small enough to list every deal."),
)
