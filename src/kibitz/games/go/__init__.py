"""COMP10001-Go: a draft-and-collect game for four (``kibitz rules go``)."""

from kibitz.cards import parse_cards
from kibitz.cards.sets import FULL_PACK
from kibitz.engine.assembly import assembled
from kibitz.engine.game import Game
from kibitz.games.go import policies


def variant(name: str, summary: str, **options: int) -> Game:
    """Go with options that differ from the standard game."""
    chosen = {"players": 4, "hand_size": 10, "pack": FULL_PACK, "auto": 0} | options
    strategies = {"first": policies.first, "greedy": policies.greedy}
    adjustable = {} if "pack" in options else {"players": (2, 4), "hand_size": (1, 10)}
    return assembled(__name__, "COMP10001-Go", name, summary, chosen, strategies, adjustable)


MINI_PACK = sum(1 << card for card in parse_cards("2D 2C 3D 3C 4D 4C AC"))

GAMES = (
    variant("go", "Draft ten cards in ten turns, then partition them for the highest total."),
    variant("go-auto", "Go with every seat's cards grouped optimally at the end.", auto=1),
    variant(
        "go-mini",
        "Go for two with three cards each from a pack of seven: small enough to solve.",
        players=2,
        hand_size=3,
        pack=MINI_PACK,
    ),
)
