"""The functions of the COMP10001-Go project (rule sheet "go", Functions)."""

from kibitz.engine.form import Function

COURSE = "comp10001"
HISTORY = ("discard_history", "one list for each completed turn: the card that each of the players 0 to 3 discarded")
PLAYER = ("player_no", "your number, 0 to 3: the place of your card in each turn of the history")

PUBLISHED = (
    Function(
        "comp10001go_score_group",
        "scores one group",
        (("cards", "the cards of the group, in any order"),),
        "the score, an int: minus the values of the cards where the group is invalid, 0 for no cards",
    ),
    Function(
        "comp10001go_valid_groups",
        "says whether every group is valid",
        (("groups", "lists of cards, ten cards in all at most"),),
        "True if every group is a single card, N of a kind or a run, else False; True for no groups",
    ),
    Function(
        "comp10001go_play",
        "chooses the card to keep and lay before you; called once a turn, ten times a game",
        (HISTORY, PLAYER, ("hand", "the cards that you may choose from; the rest is passed on")),
        "one card of the hand, as it is written there",
    ),
    Function(
        "comp10001go_group",
        "groups your ten discards at the end; called once a game",
        (HISTORY, PLAYER),
        "a list of lists of cards: every one of your discards once, and every group valid",
    ),
    Function(
        "comp10001go_best_partitions",
        "finds all groupings with the highest score",
        (("cards", "up to ten different cards"),),
        "a list of all best partitions, each a list of groups, each a list of cards; all in any order",
    ),
)
"""Every function of the assignment."""
