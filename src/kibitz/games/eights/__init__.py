"""Crazy Eights: follow suit or value, eights are wild (``kibitz rules eights``)."""

from kibitz.engine.assembly import make_game, mini_of

SUMMARY = "Be the first to run out of cards: follow suit or value; eights are wild."
EIGHTS = make_game(__name__, "Crazy Eights", "eights", SUMMARY)
GAMES = (EIGHTS, mini_of(EIGHTS, "For two, with a pack of seven cards: small enough to list every deal."))
