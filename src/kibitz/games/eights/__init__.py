"""Crazy Eights: follow suit or value, eights are wild (``kibitz rules eights``)."""

from kibitz.cards import as_set, parse_cards
from kibitz.cards.sets import FULL_PACK
from kibitz.engine.assembly import assembled
from kibitz.engine.game import Game
from kibitz.games.eights.strategy import greedy


def variant(name: str, summary: str, **options: int) -> Game:
    """Crazy Eights with options that differ from the standard game."""
    chosen = {"players": 4, "pack": FULL_PACK, "hand_size": 5, "limit": 3} | options
    adjustable = {} if options else {"players": (2, 5), "hand_size": (1, 8), "limit": (1, 40)}
    return assembled(__name__, "Crazy Eights", name, summary, chosen, {"greedy": greedy}, adjustable)


MINI_PACK = as_set(parse_cards("5D 5C 6D 6C 7D 8C 8H"))

GAMES = (
    variant("eights", "Be the first without cards: follow suit or value, eights are wild."),
    variant(
        "eights-mini",
        "Crazy Eights for two with seven cards and hands of two: small enough to solve.",
        players=2,
        pack=MINI_PACK,
        hand_size=2,
        limit=1,
    ),
)
