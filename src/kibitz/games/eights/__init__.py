"""Crazy Eights: follow suit or value, eights are wild (``kibitz rules eights``)."""

from kibitz.engine.assembly import assembled, mini_of

SUMMARY = "Be the first to run out of cards: follow suit or value; eights are wild."
EIGHTS = assembled(__name__, "Crazy Eights", "eights", SUMMARY)
GAMES = (EIGHTS, mini_of(EIGHTS, "For two, with a pack of seven cards: small enough to list every deal."))
