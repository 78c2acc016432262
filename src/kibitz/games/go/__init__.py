"""COMP10001-Go: draft ten cards, then group them (``kibitz rules go``)."""

from kibitz.engine.assembly import make_game, mini_of, variant_of
from kibitz.games.go import policies

SUMMARY = "Draft ten cards in ten turns, then group them for the highest total."
STRATEGIES = {"first": policies.first, "greedy": policies.greedy}

GO = make_game(__name__, "Go", "go", SUMMARY, strategies=STRATEGIES)
GAMES = (
    GO,
    variant_of(GO, "auto", "Go with every seat's cards grouped optimally at the end.", GO.option_ranges, auto=1),
    mini_of(GO, "Go for two with three cards each from a pack of seven: small enough to solve."),
)
