"""COMP10001-Bo: empty your stockpile first, a game for four (``kibitz rules bo``)."""

from kibitz.engine.assembly import assembled
from kibitz.engine.game import Game, Strategy
from kibitz.engine.policies import Policy
from kibitz.games.bo import policies

STANDARD = {
    "players": 4,
    "packs": 2,
    "suits": 4,
    "top_value": 13,
    "stock_size": 8,
    "hand_size": 5,
    "plays_a_turn": 5,
    "rounds": 20,
}


def variant(name: str, summary: str, **options: int) -> Game:
    """Bo with options that differ from the standard game."""
    strategies: dict[str, Strategy] = {
        "first": policies.first,
        "quick": Policy("quick"),
        "greedy": policies.greedy,
        "marshal": Policy("marshal"),
    }
    adjustable = {"players": (2, 4), "rounds": (1, 50), "stock_size": (1, 8)}
    if options:
        adjustable = {"suits": (1, 2), "rounds": (1, 3), "stock_size": (1, 2)}
    return assembled(__name__, "COMP10001-Bo", name, summary, STANDARD | options, strategies, adjustable)


GAMES = (
    variant("bo", "Empty your stockpile first over four shared build piles, in at most 20 turns."),
    variant(
        "bo-mini",
        "Bo for two with eight cards, stockpiles of two and hands of two: small enough to enumerate.",
        players=2,
        packs=1,
        suits=2,
        top_value=4,
        stock_size=2,
        hand_size=2,
        plays_a_turn=2,
        rounds=3,
    ),
)
