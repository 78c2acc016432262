"""The options of Huxxy in words."""

from kibitz.engine.settings import count

OPTIONS = (
    count("players", "How many players?", "{} play."),
    count(
        "hand_size", "How many cards are dealt to each?", "Everyone is dealt {} cards.", "Everyone is dealt one card."
    ),
    count(
        "opening",
        "How many points must a player's first turn on the table bring?",
        "A player's first turn on the table must bring {} points from the hand.",
        "A player's first turn on the table must bring a point from the hand.",
        none="A player's first turn on the table may bring any points.",
    ),
)
