"""Cribbage: fifteens, pairs and runs, pegged to 121 (``kibitz rules cribbage``)."""

from kibitz.cards import parse_cards
from kibitz.cards.sets import FULL_PACK
from kibitz.engine.assembly import assembled
from kibitz.engine.game import Game
from kibitz.games.cribbage import policies
from kibitz.games.cribbage.show import Item, Show, show

__all__ = ["GAMES", "Item", "Show", "show"]

STANDARD = {
    "players": 2,
    "pack": FULL_PACK,
    "games": 1,
    "target": 121,
    "hand_size": 6,
    "discards": 2,
    "skunks": 1,
    "cut_first": 1,
}


def variant(name: str, summary: str, **options: int) -> Game:
    """Cribbage with options that differ from the standard game."""
    adjustable = {"games": (1, 100), "target": (1, 121), "skunks": (0, 1), "cut_first": (0, 1)}
    strategies = {"greedy": policies.greedy}
    if (options.get("pack"), options.get("hand_size")) == (None, None):
        strategies["best"] = policies.best
    return assembled(__name__, "Cribbage", name, summary, STANDARD | options, strategies, adjustable)


MINI_PACK = sum(1 << card for card in parse_cards("4D 5D 5C 6D 6C JD JC"))

GAMES = (
    variant("cribbage", "Lay two of six cards away, peg in the play, count in the show: first to 121."),
    variant(
        "cribbage-mini",
        "Two games to 7 with three cards each from a pack of seven, one laid away: small enough to enumerate.",
        pack=MINI_PACK,
        games=2,
        target=7,
        hand_size=3,
        discards=1,
        cut_first=0,
    ),
)
