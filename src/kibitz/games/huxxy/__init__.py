"""COMP10001-Huxxy: a rummy with groups that all share, a game for four (``kibitz rules huxxy``)."""

from kibitz.cards import as_set, parse_cards
from kibitz.cards.sets import FULL_PACK
from kibitz.engine.assembly import assembled
from kibitz.engine.game import Game
from kibitz.games.huxxy import best, policies
from kibitz.games.huxxy.groups import JOKER_BIT

STANDARD = {
    "players": 4,
    "pack": FULL_PACK,
    "again": FULL_PACK,
    "hand_size": 12,
    "plays_a_turn": 6,
    "opening": 24,
}


def variant(name: str, summary: str, **options: int) -> Game:
    """Huxxy with options that differ from the standard game."""
    mini = options.get("hand_size", 12) < 12
    strategies = {"first": policies.first, "hand": policies.hand, "greedy": policies.greedy}
    adjustable = {"players": (2, 4), "hand_size": (1, 20), "opening": (0, 60)}
    if mini:
        adjustable = {"hand_size": (2, 3)}
    chosen, which = STANDARD | options, "mini" if mini else ""
    return assembled(
        __name__, "COMP10001-Huxxy", name, summary, chosen, strategies, adjustable, which, warm=(best.warm,)
    )


GAMES = (
    variant("huxxy", "Rummy with groups that all share: empty your hand, at most six plays a turn."),
    variant(
        "huxxy-bonus",
        "Huxxy with two Jokers, which stand for any card and cost 48 in hand.",
        pack=FULL_PACK | JOKER_BIT,
        again=FULL_PACK | JOKER_BIT,
    ),
    variant(
        "huxxy-mini",
        "Huxxy for two with eight cards, one of them a Joker, and hands of two: small enough to enumerate.",
        pack=as_set(parse_cards("2D 2C 2H 2S 3C XX")),
        again=as_set(parse_cards("2D 3C")),
        players=2,
        hand_size=2,
        plays_a_turn=3,
        opening=4,
    ),
)
