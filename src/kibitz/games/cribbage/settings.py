"""The options of cribbage in words."""

from kibitz.engine.settings import count, switch

OPTIONS = (
    count("games", "How many games?", "{} games are played, and the most games win.", "One game is played."),
    count("target", "How many points win a game?", "{} points win a game.", "The first point wins a game."),
    switch(
        "skunks",
        "Does a skunk count more?",
        "Every game counts one.",
        "A skunk counts two games in the match, and a double skunk three.",
    ),
    switch(
        "cut_first",
        "Who deals first?",
        "The first player deals first.",
        "The players cut for the first deal, and the lower card has it.",
    ),
)
