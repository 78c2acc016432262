"""The functions of the COMP10001-Bo project (rule sheet "bo", Functions)."""

from kibitz.engine.form import Function

COURSE = "comp10001"
HAND = ("hand", "your cards")
STOCKPILES = ("stockpiles", "for each player the top card of the stockpile and how many cards it has")
DISCARDS = ("discard_piles", "for each player four piles of cards, the last card of each on top")
BUILDS = ("build_piles", "the four piles that all build on, the last card of each on top")
PLAYER = ("player_no", "your number, 0 to 3")
PLAY = (
    "(play_type, source, destination): (0, card, where) from the hand, (1, (card, (owner, pile)), where) from a discard"
    " pile, (2, card, where) from your stockpile, where (0, pile) is a build pile and (1, (owner, pile)) a discard"
    " pile, piles numbered 0 to 3; (3, None, (None, None)) where nothing else is possible"
)

PUBLISHED = (
    Function(
        "comp10001bo_match_build",
        "says whether a card may be put on a build pile",
        (("play_card", "the card"), ("build_pile", "the cards of the pile, the last on top")),
        "True or False",
    ),
    Function(
        "comp10001bo_match_discard",
        "says whether a card may be put on a discard pile",
        (
            ("play_card", "the card"),
            ("discard_pile", "the cards of the pile, the last on top"),
            ("player_no", "who plays, 0 to 3"),
            ("to_player_no", "whose pile it is, 0 to 3"),
            ("from_hand", "whether the card comes from the hand"),
        ),
        "0 if it may not, 1 if it may, 2 if it may and that ends the turn",
        optional=(("from_hand", True),),
    ),
    Function(
        "comp10001bo_is_valid_play",
        "judges a play",
        (("play", "a play, as comp10001bo_play returns it"), PLAYER, HAND, STOCKPILES, DISCARDS, BUILDS),
        "0 if it is invalid, 1 if valid, 2 if valid and it ends the turn, 3 for no play where none is possible",
    ),
    Function(
        "comp10001bo_play",
        "makes one play; called up to five times a turn",
        (PLAYER, HAND, STOCKPILES, DISCARDS, BUILDS, ("play_history", "all plays so far as (player_no, play)")),
        PLAY,
    ),
)
"""Every function of the assignment."""
