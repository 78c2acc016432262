"""President: be first to get rid of your cards, round after round (``kibitz rules president``)."""

from kibitz.engine.assembly import make_game, mini_of, variant_of
from kibitz.games.president import policies
from kibitz.games.president.rounds import BLIND_REQUEST, REPEATED_REQUEST

SUMMARY = "Be first to get rid of your cards: you become President, and the last player, the Bum, gives you cards."
ASKING = "President in two rounds; the President and Vice-President ask for the cards that they are given."
MINI = "President for three with two cards each from a pack of six, in two rounds: small enough to list every deal."
OPEN = "President in two rounds; the upper players ask for cards until they are given one, and all see the trades."
OPEN_MINI = (
    "President for three with two cards each from a pack of six, traded on request: small enough to list every deal."
)

STRATEGIES = {"lowest": policies.lowest_move, "report": policies.report, "greedy": policies.greedy}
PRESIDENT = make_game(__name__, "President", "president", SUMMARY, strategies=STRATEGIES)
HOUSE_RULES = {
    name: PRESIDENT.option_ranges[name] for name in ("fives", "pass_locks", "upper_names", "points", "leftovers")
}
REQUESTS = variant_of(PRESIDENT, "open", OPEN, HOUSE_RULES, rounds=2, upper_names=REPEATED_REQUEST)
GAMES = (
    PRESIDENT,
    variant_of(PRESIDENT, "asking", ASKING, HOUSE_RULES, rounds=2, upper_names=BLIND_REQUEST),
    mini_of(PRESIDENT, MINI),
    REQUESTS,
    mini_of(REQUESTS, OPEN_MINI),
)
