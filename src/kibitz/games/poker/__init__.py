"""Poker: what a hand is worth, and the games played for it (``kibitz rules holdem``, ``draw``, ``kuhn``, ``leduc``)."""

from kibitz.cards import parse_cards
from kibitz.cards.sets import FULL_PACK
from kibitz.engine.assembly import assembled
from kibitz.engine.game import Game, Strategy
from kibitz.games.poker import headsup, policies
from kibitz.games.poker.betting import FIXED_LIMIT
from kibitz.games.poker.hands import bulk
from kibitz.games.poker.rules import ANTES, MOST, PACKS, SEATS, STACKS

CHIPS = MOST // SEATS
"""The most chips a player may begin with."""

NOTHING = dict.fromkeys((*STACKS, *ANTES, *PACKS, "small", "big", "ante", "straddle", "bet_size", "limit"), 0)
NOTHING |= {"dead_antes": 0, "reopen": 0, "mucks": 0, "scale": 1}
HOLDEM = NOTHING | {
    "players": 6,
    "hands": 10,
    "small": 5,
    "big": 10,
    "stack": 1000,
    "cap": 4,
    "pack": FULL_PACK,
    "hole": 2,
    "streets": 4,
    "flop": 3,
    "turn": 1,
    "river": 1,
    "draw": 0,
}
FIVE_CARD_DRAW = HOLDEM | {"players": 4, "hole": 5, "streets": 2, "flop": 0, "turn": 0, "river": 0, "draw": 1}
MINI = HOLDEM | {"players": 2, "hands": 1, "small": 0, "big": 0, "ante": 1, "limit": FIXED_LIMIT}
MINI |= {"hole": 1, "flop": 0, "turn": 0, "river": 0}

STAKES = {
    "limit": (0, 2),
    "cap": (1, 100),
    "hands": (1, 1000),
    "stack": (1, CHIPS),
    "straddle": (0, 1),
    **dict.fromkeys(("small", "big", "ante", *ANTES), (0, CHIPS)),
    **dict.fromkeys(("bet_size", *STACKS), (1, CHIPS)),
    "dead_antes": (0, 1),
    "reopen": (0, 1),
    "mucks": (0, (1 << SEATS) - 1),
    "scale": (1, 10**6),
    **dict.fromkeys(PACKS, (0, 525150494847464544)),
}
"""The options of the big games, with their ranges."""


def pack(cards: str) -> int:
    """A short pack."""
    return sum(1 << card for card in parse_cards(cards))


def poker(name: str, title: str, summary: str, options: dict[str, int], seats: int = 0, variant: str = "") -> Game:
    """One of the games; ``seats`` is the most players it may have, 0 where its options are fixed."""
    strategies: dict[str, Strategy] = {"caller": policies.caller, "greedy": policies.greedy}
    if name == "holdem":
        strategies["best"] = headsup.best
    if name in policies.STRATEGIES:
        strategies["solved"] = policies.STRATEGIES[name]
    adjustable = (
        {"players": (2, seats), **STAKES} if seats else {"hands": (1, 1000), "stack": (options["stack"], CHIPS)}
    )
    text = f"{name.partition('-')[0]}.md"
    machine_code = (bulk.warm,) if name == "holdem" else ()
    return assembled(
        __name__, title, name, summary, options, strategies, adjustable, variant, machine_code, text, by_score=True
    )


GAMES = (
    poker("holdem", "Texas hold'em", "Two cards each, five for all; bet on the best five of seven.", HOLDEM, SEATS),
    poker("draw", "Five-card draw", "Five cards each; bet, exchange as many as you like, bet.", FIVE_CARD_DRAW, 6),
    poker(
        "draw-mini",
        "Five-card draw",
        "Draw poker for two with two cards each of six: small enough to solve.",
        MINI
        | {"pack": pack("JD JC QD QC KD KC"), "hole": 2, "streets": 2, "draw": 1, "bet_size": 1, "cap": 1, "stack": 4},
    ),
    poker(
        "kuhn",
        "Kuhn poker",
        "One card each of three and one bet: the smallest poker game.",
        MINI | {"pack": pack("JS QS KS"), "streets": 1, "bet_size": 1, "cap": 1, "stack": 2},
        variant="mini",
    ),
    poker(
        "leduc",
        "Leduc poker",
        "One card each and one for both, of six; two rounds of bets.",
        MINI | {"pack": pack("JH JS QH QS KH KS"), "streets": 2, "flop": 1, "bet_size": 2, "cap": 2, "stack": 13},
        variant="mini",
    ),
)
