"""The options of Go in words."""

from kibitz.engine.settings import count

OPTIONS = (
    count("players", "How many players?", "{} play."),
    count(
        "hand_size",
        "How many cards does everyone draft?",
        "Everyone drafts {} cards in as many turns.",
        "Everyone drafts one card.",
    ),
)
