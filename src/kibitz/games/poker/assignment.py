"""The poker functions of Norvig's course CS212."""

from kibitz.engine.views.assignment_interface import Function

COURSE = "cs212"
RANDOM_RESULTS = ("deal",)
"""Functions whose results are random, so that examples of them show no answer."""
FULL_HOUSE = ["TD", "TC", "TH", "7C", "7D"]
FOUR_OF_A_KIND = ["9D", "9H", "9S", "9C", "7D"]
STRAIGHT_FLUSH = ["6C", "7C", "8C", "9C", "TC"]
SEVEN_CARDS = ["6C", "7C", "8C", "9C", "TC", "5C", "JS"]
RANKS = ("ranks", "ranks from 2 to 14, highest first")

PUBLISHED = (
    Function(
        "deal",
        "deals hands",
        (("numhands", "how many hands"), ("n", "cards in a hand"), ("deck", "the cards to deal from")),
        "a list of numhands lists of n cards",
        (2,),
        (("n", 5), ("deck", ...)),
    ),
    Function(
        "poker",
        "finds the best hands",
        (("hands", "a list of hands of five cards"),),
        "a list of the best hands: one, or several if they tie",
        ([FULL_HOUSE, FOUR_OF_A_KIND],),
    ),
    Function(
        "allmax",
        "finds all items that tie for the maximum",
        (("iterable", "items"), ("key", "a function of an item; the items with its greatest value are returned")),
        "a list of these items, in their order",
        (["a", "bb", "cc"], len),
        (("key", None),),
    ),
    Function(
        "hand_rank",
        "ranks a hand",
        (("hand", "five cards"),),
        "a tuple that compares as the hands do: (8, high) for a straight flush, (7, four, kicker), (6, three, pair),"
        " (5, ranks), (4, high), (3, three, ranks), (2, pairs, ranks), (1, pair, ranks) or (0, ranks)",
        (STRAIGHT_FLUSH,),
    ),
    Function(
        "card_ranks",
        "lists the ranks of cards",
        (("hand", "cards"),),
        "a list of ranks, highest first; [5, 4, 3, 2, 1] for A-2-3-4-5",
        (FULL_HOUSE,),
    ),
    Function("straight", "checks whether the ranks form a straight", (RANKS,), "True or False", ([9, 8, 7, 6, 5],)),
    Function(
        "flush", "checks whether all cards have the same suit", (("hand", "cards"),), "True or False", (STRAIGHT_FLUSH,)
    ),
    Function(
        "kind",
        "finds N of a kind",
        (("n", "how many"), RANKS),
        "the highest rank that occurs exactly n times, or None",
        (3, [10, 10, 10, 7, 7]),
    ),
    Function("two_pair", "finds two pairs", (RANKS,), "(high, low), or None", ([10, 10, 7, 7, 2],)),
    Function(
        "best_hand", "finds the best five of seven", (("hand", "seven cards"),), "a tuple of five cards", (SEVEN_CARDS,)
    ),
    Function(
        "best_wild_hand",
        "finds the best five of seven, with jokers",
        (("hand", "seven cards, which may include a black joker, ?B, and a red one, ?R"),),
        "a tuple of five cards, none of them a joker",
        (["TD", "TC", "5H", "5C", "7C", "?R", "?B"],),
    ),
)
"""Every function of the course unit that Kibitz has."""
