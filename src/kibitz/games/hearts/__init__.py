"""Hearts: take no hearts and not the queen of spades, or all of them (``kibitz rules hearts``)."""

from kibitz.engine.assembly import make_game, mini_of, variant_of

SUMMARY = "Avoid winning hearts and the queen of spades, or win them all."
HEARTS = make_game(__name__, "Hearts", "hearts", SUMMARY)
GAMES = (
    HEARTS,
    variant_of(HEARTS, "deal", "A single deal of Hearts.", {"passed": (0, 4)}, target=1),
    mini_of(HEARTS, "For three, with two cards each: small enough to solve."),
)
