"""Cribbage: fifteens, pairs and runs, pegged to 121 (``kibitz rules cribbage``)."""

from dataclasses import replace

from kibitz.engine.assembly import make_game, mini_of
from kibitz.games.cribbage import policies
from kibitz.games.cribbage.hands.show import Item, Show, show

__all__ = ["GAMES", "Item", "Show", "show"]

SUMMARY = "Discard two of six cards to the crib, peg in the play, count in the show: first to 121."
MINI = "Two games to 7 with three cards each from a pack of seven, one discarded: small enough to list every deal."

CRIBBAGE = make_game(__name__, "Cribbage", "cribbage", SUMMARY, strategies={"greedy": policies.greedy})
GAMES = (
    replace(CRIBBAGE, strategies={**CRIBBAGE.strategies, "best": policies.best}),
    mini_of(CRIBBAGE, MINI),
)
