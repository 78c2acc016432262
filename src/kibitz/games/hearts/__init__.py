"""Hearts: take no hearts and not the queen of spades, or all of them (``kibitz rules hearts``)."""

from kibitz.cards import FULL_PACK, as_set, parse_cards
from kibitz.engine.assembly import assembled, variant_of
from kibitz.engine.policies import Policy

SUMMARY = "Win no hearts and not the queen of spades, or win them all."
STANDARD = {"players": 4, "pack": FULL_PACK, "passed": 3, "target": 100}
ADJUSTABLE = {"passed": (0, 4), "target": (1, 500)}
MINI = {"players": 3, "pack": as_set(parse_cards("2C AC 3H KH QS 4D")), "passed": 1, "target": 1}

HEARTS = assembled(__name__, "Hearts", "hearts", SUMMARY, STANDARD, {"greedy": Policy("greedy")}, ADJUSTABLE)
GAMES = (
    HEARTS,
    variant_of(HEARTS, "deal", "Hearts in one deal.", {"passed": (0, 4)}, target=1),
    variant_of(HEARTS, "mini", "For three, with two cards each: small enough to enumerate.", **MINI),
)
