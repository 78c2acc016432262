"""The functions of the COMP10001-Huxxy project and its bonus game (rule sheet "huxxy", Functions)."""

from kibitz.engine.form import Function

COURSE = "comp10001"
HISTORY = ("play_history", "all plays so far")
ACTIVE = ("active_player", "your number, 0 to 3")
HAND = ("hand", "your cards")
TABLE = ("table", "the groups on the table, each a list of cards")
OPENED = [(0, 1, ("KC", 0)), (0, 1, ("XX", 0)), (0, 1, ("KH", 0))]
WITH_JOKER = OPENED, 0, ["3S", "8S", "4H"], [["KC", "XX", "KH"]]
PLAY = (
    "(active_player, play_type, details): (you, 0, None) picks up a card, (you, 1, (card, to_group)) plays one from the"
    " hand, (you, 2, (card, from_group, to_group)) moves one on the table, (you, 3, None) ends the turn; groups are"
    " numbered from 0, and len(table) is a new one"
)

PUBLISHED = (
    Function("comp10001huxxy_score", "adds up cards left in hand", (("cards", "the cards"),), "their value, an int"),
    Function(
        "comp10001huxxy_valid_table",
        "says whether every group is a run or N of a kind",
        (("groups", "the groups, each a list of cards"),),
        "True or False",
    ),
    Function(
        "comp10001huxxy_valid_play",
        "judges a play",
        (("play", "a play, as comp10001huxxy_play returns it"), HISTORY, ACTIVE, HAND, TABLE),
        "True or False",
    ),
    Function(
        "comp10001huxxy_play",
        "makes one play; called up to seven times a turn",
        (HISTORY, ACTIVE, HAND, TABLE),
        PLAY,
    ),
    Function(
        "comp10001huxxy_bonus_play",
        "the same in the bonus game, which has Jokers (XX)",
        (HISTORY, ACTIVE, HAND, TABLE),
        PLAY,
        WITH_JOKER,
    ),
)
"""Every function of the assignment."""
