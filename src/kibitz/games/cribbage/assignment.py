"""The functions of APS106 lab 6, which deals two hands of cribbage and scores them (``rules.md``)."""

from kibitz.engine.views.assignment_interface import Function

COURSE = "aps106"
RANDOM_RESULTS = ("shuffle", "generate_deck", "deal_card")
"""Functions whose examples show no answer: it is random, long, or None."""
DECK = [["spades", 3], ["hearts", 10], ["hearts", 2], ["hearts", 3], ["clubs", 6]]
FIVE_CARDS = [["hearts", 10], ["hearts", 2], ["hearts", 3], ["clubs", 6], ["diamonds", 5]]
TEN_CARDS = [[suit, value] for value in range(1, 6) for suit in ("spades", "hearts")]

PUBLISHED = (
    Function("generate_deck", "makes a pack", (), "52 cards, each a list [suit, value]", ()),
    Function("shuffle", "shuffles", (("deck", "cards"),), "a new list of the same cards in random order", (DECK,)),
    Function(
        "deal_card",
        "moves the top card of the deck to the end of the hand",
        (("deck", "cards, the first on top"), ("hand", "cards dealt so far")),
        "None: both lists are changed in place",
        (DECK, []),
    ),
    Function("score_hand", "scores a hand", (("hand", "five cards"),), "the score, an int", (FIVE_CARDS,)),
    Function(
        "play",
        "deals five cards each to dealer and player in turn, and compares; the dealer wins a tie",
        (("shuffled_deck", "at least ten cards, the first on top"),),
        "a list: 'player wins' or 'dealer wins', the player's score, the dealer's score",
        (TEN_CARDS,),
    ),
)
"""Every function of the lab."""
