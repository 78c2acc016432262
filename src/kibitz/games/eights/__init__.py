"""Crazy Eights: follow suit or value, eights are wild (``kibitz rules eights``)."""

from kibitz.cards import FULL_PACK, as_set, parse_cards
from kibitz.engine.assembly import assembled, variant_of
from kibitz.games.eights.policies import greedy

SUMMARY = "Be the first without cards: follow suit or value, eights are wild."
STANDARD = {"players": 4, "pack": FULL_PACK, "hand_size": 5, "limit": 3}
ADJUSTABLE = {"players": (2, 5), "hand_size": (1, 8), "limit": (1, 40)}
MINI = {"players": 2, "pack": as_set(parse_cards("5D 5C 6D 6C 7D 8C 8H")), "hand_size": 2, "limit": 1}

EIGHTS = assembled(__name__, "Crazy Eights", "eights", SUMMARY, STANDARD, {"greedy": greedy}, ADJUSTABLE)
FEW = {"hand_size": (2, 3)}
GAMES = (EIGHTS, variant_of(EIGHTS, "mini", "For two, with seven cards: small enough to enumerate.", FEW, **MINI))
