"""The options of Bo in words."""

from kibitz.engine.settings import count

OPTIONS = (
    count("players", "How many players?", "{} play."),
    count("suits", "How many suits have the cards?", "There are cards of {} suits.", "All cards are of one suit."),
    count("rounds", "How many turns has everyone?", "Everyone has at most {} turns.", "Everyone has one turn."),
    count(
        "stock_size",
        "How many cards are in a stockpile?",
        "Everyone begins with a stockpile of {} cards.",
        "Everyone begins with a stockpile of one card.",
    ),
)
