"""The functions that each assignment asks students to write, with the types of their parameters and results.

    go, bo, huxxy       the COMP10001 projects
    aps106              lab 6, a cribbage game of one hand
    cs212               the poker functions of Norvig's course

The types come from the sections "Functions" and "Encoding" of the assignments. They must be exact, because students'
files rely on them: they use values as dictionary keys, add them and compare them.
"""

from typing import NamedTuple

from kibitz.engine.views.value_types import (
    ANY,
    BOOL,
    CALLABLE,
    NOTHING,
    NUMBER,
    TEXT,
    Either,
    FixedList,
    ListOf,
    NamedType,
    Parameter,
    Signature,
    TupleOf,
    Type,
)


class WithDefault(NamedTuple):
    """The type of a parameter that has a default, and the default's source text."""

    type: Type
    default: str


def function(name: str, returns: Type, **parameters: Type | WithDefault) -> Signature:
    """A function with its result type and the types of its parameters, in their order."""
    listed = [
        Parameter(key, *value) if isinstance(value, WithDefault) else Parameter(key, value)
        for key, value in parameters.items()
    ]
    return Signature(name, tuple(listed), returns)


CARD = NamedType("card", TEXT, "value and suit, the ten as 0: '0H' is the ten of hearts")
CARDS = ListOf(CARD)
PLAYER = NamedType("player", NUMBER, "a player's number, 0 to 3")

GROUP = NamedType("group", CARDS, "cards that lie together, in any order")
GROUPS = ListOf(GROUP)
DISCARD_HISTORY = ListOf(NamedType("turn", CARDS, "the four cards of a turn, by player"))
GO = (
    function("comp10001go_score_group", NUMBER, cards=CARDS),
    function("comp10001go_valid_groups", BOOL, groups=GROUPS),
    function("comp10001go_play", CARD, discard_history=DISCARD_HISTORY, player_no=PLAYER, hand=CARDS),
    function("comp10001go_group", GROUPS, discard_history=DISCARD_HISTORY, player_no=PLAYER),
    function(
        "comp10001go_best_partitions",
        ListOf(NamedType("partition", GROUPS, "groups that hold every card once")),
        cards=CARDS,
    ),
)

PILE = NamedType("pile", CARDS, "a pile of cards, the last one on top")
PILES = TupleOf((PILE,) * 4)
PLACE = NamedType("place", TupleOf((PLAYER, NUMBER)), "a discard pile: its owner, and its number 0 to 3")
SOURCE = NamedType(
    "source",
    Either((CARD, TupleOf((CARD, PLACE)), NOTHING)),
    "the card; from a discard pile with its place; None for no play",
)
DESTINATION = NamedType(
    "destination",
    Either((TupleOf((NUMBER, NUMBER)), TupleOf((NUMBER, PLACE)), TupleOf((NOTHING, NOTHING)))),
    "(0, k) is build pile k, (1, place) a discard pile, (None, None) stands for no play",
)
BO_PLAY = NamedType(
    "play",
    TupleOf((NUMBER, SOURCE, DESTINATION)),
    "0 from the hand, 1 from a discard pile, 2 from your stockpile, (3, None, (None, None)) no play",
)
STOCKPILE = NamedType(
    "stockpile", TupleOf((Either((CARD, NOTHING)), NUMBER)), "the top card, and how many cards there are with it"
)
BO_PARAMETERS: dict[str, Type] = {
    "hand": CARDS,
    "stockpiles": TupleOf((STOCKPILE,) * 4),
    "discard_piles": TupleOf((NamedType("discard piles", PILES, "the four discard piles of a player"),) * 4),
    "build_piles": PILES,
}
BO = (
    function("comp10001bo_match_build", BOOL, play_card=CARD, build_pile=PILE),
    function(
        "comp10001bo_match_discard",
        NUMBER,
        play_card=CARD,
        discard_pile=PILE,
        player_no=PLAYER,
        to_player_no=PLAYER,
        from_hand=WithDefault(BOOL, "True"),
    ),
    function("comp10001bo_is_valid_play", NUMBER, play=BO_PLAY, player_no=PLAYER, **BO_PARAMETERS),
    function(
        "comp10001bo_play", BO_PLAY, player_no=PLAYER, **BO_PARAMETERS, play_history=ListOf(TupleOf((PLAYER, BO_PLAY)))
    ),
)

HUXXY_PLAY = NamedType(
    "play",
    TupleOf((PLAYER, NUMBER, Either((NOTHING, TupleOf((CARD, NUMBER)), TupleOf((CARD, NUMBER, NUMBER)))))),
    "(player, 0, None) picks up, (player, 1, (card, to_group)) plays from the hand,"
    " (player, 2, (card, from_group, to_group)) moves a card, (player, 3, None) ends the turn",
)
HUXXY_PARAMETERS: dict[str, Type] = {
    "play_history": ListOf(HUXXY_PLAY),
    "active_player": PLAYER,
    "hand": CARDS,
    "table": GROUPS,
}
HUXXY = (
    function("comp10001huxxy_score", NUMBER, cards=CARDS),
    function("comp10001huxxy_valid_table", BOOL, groups=GROUPS),
    function("comp10001huxxy_valid_play", BOOL, play=HUXXY_PLAY, **HUXXY_PARAMETERS),
    function("comp10001huxxy_play", HUXXY_PLAY, **HUXXY_PARAMETERS),
    function("comp10001huxxy_bonus_play", HUXXY_PLAY, **HUXXY_PARAMETERS),
)

LAB_CARD = NamedType("card", FixedList((TEXT, NUMBER)), "suit and value, Ace 1 to King 13: ['hearts', 10]")
LAB_CARDS = ListOf(LAB_CARD)
APS106 = (
    function("generate_deck", LAB_CARDS),
    function("shuffle", LAB_CARDS, deck=LAB_CARDS),
    function("deal_card", NOTHING, deck=LAB_CARDS, hand=LAB_CARDS),
    function("score_hand", NUMBER, hand=LAB_CARDS),
    function("play", FixedList((TEXT, NUMBER, NUMBER)), shuffled_deck=LAB_CARDS),
)

POKER_CARD = NamedType("card", TEXT, "rank and suit, the ten as T: 'TH' is the ten of hearts; ?B and ?R are jokers")
HAND = NamedType("hand", ListOf(POKER_CARD), "cards of a player")
FIVE_CARDS = NamedType("five", TupleOf((POKER_CARD,) * 5), "the five cards that count")
RANKS = NamedType("ranks", ListOf(NUMBER), "the ranks of some cards, 2 to 14 for the Ace, in falling order")
PAIRS = TupleOf((NUMBER, NUMBER))
RANK = NamedType(
    "hand rank",
    Either(
        (
            TupleOf((NUMBER, NUMBER)),
            TupleOf((NUMBER, NUMBER, Either((NUMBER, NOTHING)))),
            TupleOf((NUMBER, RANKS)),
            TupleOf((NUMBER, Either((NUMBER, PAIRS)), RANKS)),
        )
    ),
    "the category, 0 for a high card to 8 for a straight flush, and the ranks that break ties",
)
CS212 = (
    function("deal", ListOf(HAND), numhands=NUMBER, n=WithDefault(NUMBER, "5"), deck=WithDefault(HAND, "mydeck")),
    function("poker", ListOf(HAND), hands=ListOf(HAND)),
    function("allmax", ListOf(ANY), iterable=ListOf(ANY), key=WithDefault(Either((NOTHING, CALLABLE)), "None")),
    function("hand_rank", RANK, hand=HAND),
    function("card_ranks", RANKS, hand=HAND),
    function("straight", BOOL, ranks=RANKS),
    function("flush", BOOL, hand=HAND),
    function("kind", Either((NUMBER, NOTHING)), n=NUMBER, ranks=RANKS),
    function("two_pair", Either((PAIRS, NOTHING)), ranks=RANKS),
    function("best_hand", FIVE_CARDS, hand=HAND),
    function("replacement", HAND, card=POKER_CARD),
    function("best_wild_hand", FIVE_CARDS, hand=HAND),
    function("best_wild_hand_peter", FIVE_CARDS, hand=HAND),
)

ASSIGNMENTS = {"go": GO, "bo": BO, "huxxy": HUXXY, "aps106": APS106, "cs212": CS212}
"""The functions of each assignment, in its order."""
CALL_SECONDS = {"comp10001go_best_partitions": 1.0}
"""Seconds of CPU time for a call of functions that must be fast; other functions have the limit of a game."""
FUNCTIONS = {function.name: function for functions in (GO, BO, HUXXY) for function in functions}
"""The functions of the COMP10001 projects, whose names are unique, by their names."""
