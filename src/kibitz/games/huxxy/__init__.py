"""COMP10001-Huxxy: rummy with shared groups (``kibitz rules huxxy``)."""

from kibitz.cards import FULL_PACK
from kibitz.engine.assembly import make_game, mini_of, variant_of
from kibitz.games.huxxy import best, policies
from kibitz.games.huxxy.groups import JOKER_BIT

SUMMARY = "Rummy with shared groups: empty your hand first, with up to six plays a turn."
STRATEGIES = {"first": policies.first, "greedy": policies.greedy}
JOKERS = "Huxxy with two Jokers, which stand for any card and cost 48 in hand."
WITH_JOKERS = {"pack": FULL_PACK | JOKER_BIT, "again": FULL_PACK | JOKER_BIT}

HUXXY = make_game(__name__, "Huxxy", "huxxy", SUMMARY, strategies=STRATEGIES, compile_more=(best.compile_search,))
GAMES = (
    HUXXY,
    variant_of(HUXXY, "bonus", JOKERS, HUXXY.option_ranges, **WITH_JOKERS),
    mini_of(
        HUXXY, "Huxxy for two with eight cards, one of them a Joker, and hands of two: small enough to list every deal."
    ),
)
