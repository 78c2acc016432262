"""President: get rid of your cards first, round after round (``kibitz rules president``)."""

from kibitz.cards import parse_cards
from kibitz.cards.sets import FULL_PACK
from kibitz.engine.assembly import assembled
from kibitz.engine.game import NO_LIMIT, Game
from kibitz.games.president import policies
from kibitz.games.president.moves import ALL_FIVES
from kibitz.games.president.rounds import NAMED, REQUESTED

STANDARD = {
    "players": 4,
    "rounds": 3,
    "pack": FULL_PACK,
    "traded": 2,
    "pass_locks": 0,
    "upper_names": 0,
    "points": 1,
    "leftovers": 0,
    "fives": ALL_FIVES,
}


def variant(name: str, summary: str, **options: int) -> Game:
    """President with options that differ from the standard game."""
    switches = dict.fromkeys(("pass_locks", "points", "leftovers"), (0, 1))
    switches |= {"upper_names": (0, REQUESTED), "fives": (0, ALL_FIVES)}
    strategies = {"lowest": policies.lowest_move, "report": policies.report, "greedy": policies.greedy}
    which = "mini" if name.endswith("-mini") else ""
    adjustable = switches
    if which:
        adjustable = {"rounds": (1, MINI["rounds"]), **switches}
    elif not options:
        adjustable = {"players": (2, 8), "rounds": (1, NO_LIMIT), "traded": (1, 2), **switches}
    return assembled(__name__, "President", name, summary, STANDARD | options, strategies, adjustable, which)


MINI = {
    "players": 3,
    "rounds": 2,
    "pack": sum(1 << card for card in parse_cards("3D 3C 4D AD 2D 2C")),
    "traded": 1,
}

GAMES = (
    variant("president", "Get rid of your cards first; the President is served by the Bum in the next round."),
    variant(
        "president-asking",
        "President in two rounds; who was President or Vice-President asks for the cards to be given.",
        rounds=2,
        upper_names=NAMED,
    ),
    variant(
        "president-mini",
        "President for three with two cards each of six, in two rounds: small enough to enumerate.",
        **MINI,
    ),
    variant(
        "president-open",
        "President in two rounds; the upper players ask for cards until they are given one, and all see the trades.",
        rounds=2,
        upper_names=REQUESTED,
    ),
    variant(
        "president-open-mini",
        "President for three with two cards each of six, traded on request: small enough to enumerate.",
        **MINI,
        upper_names=REQUESTED,
    ),
)
