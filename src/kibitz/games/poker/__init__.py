"""Poker: hand ranking, and the poker games (``kibitz rules holdem``, ``draw``, ``kuhn``, ``leduc``)."""

from kibitz.cards import parse_cards
from kibitz.engine.assembly import make_game
from kibitz.engine.game import Game, Strategy
from kibitz.games.poker import headsup, policies
from kibitz.games.poker.betting import FIXED_LIMIT
from kibitz.games.poker.hands import equity
from kibitz.games.poker.rules import MAX_STACK, OPTIONS, SEATS

FIVE_CARD_DRAW = {"players": 4, "hole": 5, "streets": 2, "flop": 0, "turn": 0, "river": 0, "draw": 1}
MINI = {"players": 2, "hands": 1, "small": 0, "big": 0, "ante": 1, "limit": FIXED_LIMIT}
MINI |= {"hole": 1, "flop": 0, "turn": 0, "river": 0}


def pack(cards: str) -> int:
    """The set of cards of a short pack, from their codes."""
    return sum(1 << card for card in parse_cards(cards))


def poker(name: str, title: str, summary: str, options: dict[str, int], seats: int = 0, variant: str = "") -> Game:
    """Assemble a poker game for 2 to ``seats`` players; 0 for two players, who choose only the hands and the stack."""
    strategies: dict[str, Strategy] = {"caller": policies.caller, "greedy": policies.greedy}
    if name == "holdem":
        strategies["best"] = headsup.best
    if name in policies.SOLVED_STRATEGIES:
        strategies["solved"] = policies.SOLVED_STRATEGIES[name]
    option_ranges = {option.name: option.range for option in OPTIONS if option.range} | {"players": (2, seats)}
    if not seats:
        option_ranges = {"hands": option_ranges["hands"], "stack": (options["stack"], MAX_STACK)}
    text = f"{name.partition('-')[0]}.md"
    machine_code = (equity.compile_kernels,) if name == "holdem" else ()
    return make_game(
        __name__, title, name, summary, options, strategies, option_ranges, variant, machine_code, text, by_score=True
    )


GAMES = (
    poker("holdem", "Texas hold'em", "Two cards each and five shared: bet on the best five of the seven.", {}, SEATS),
    poker(
        "draw",
        "Five-card draw",
        "Five cards each: bet, exchange any of them, bet again.",
        FIVE_CARD_DRAW,
        6,
    ),
    poker(
        "draw-mini",
        "Five-card draw",
        "Draw poker for two with two cards each from a pack of six: small enough to solve.",
        MINI
        | {"pack": pack("JD JC QD QC KD KC"), "hole": 2, "streets": 2, "draw": 1, "bet_size": 1, "cap": 1, "stack": 4},
    ),
    poker(
        "kuhn",
        "Kuhn poker",
        "One card each from a pack of three, and one bet: the smallest poker game.",
        MINI | {"pack": pack("JS QS KS"), "streets": 1, "bet_size": 1, "cap": 1, "stack": 2},
        variant="mini",
    ),
    poker(
        "leduc",
        "Leduc poker",
        "One card each and one shared, from a pack of six; two betting rounds.",
        MINI | {"pack": pack("JH JS QH QS KH KS"), "streets": 2, "flop": 1, "bet_size": 2, "cap": 2, "stack": 13},
        variant="mini",
    ),
)
