"""The COMP10001-Bo project (``rules.md``): its functions, how a game calls them, and published results.

    comp10001bo_play(player_no, hand, stockpiles, discard_piles, build_piles, play_history) -> play

A play is ``(play_type, source, destination)``:

    play_type       0 from the hand, 1 from a discard pile, 2 from the player's own stockpile, 3 no play
    source          a card; for a discard pile ``(card, (owner, pile))``; None for no play
    destination     ``(0, k)`` for build pile k, ``(1, (owner, pile))`` for a discard pile, ``(None, None)`` for no play

The arguments have the published types (``kibitz.games.signatures``): a tuple where there is an item for each player or
pile.

Each example has its own arguments, so that a function that changes its arguments can't affect another example.
"""

from collections.abc import Mapping
from typing import Any

from kibitz.cards import code
from kibitz.engine.views.assignment_interface import HISTORY, Call, Example, Function, exactly, quoted
from kibitz.engine.views.events import Event
from kibitz.errors import NotationError
from kibitz.games.bo.piles import FROM_PILE, NO_PLAY, SOURCE, STOCK
from kibitz.games.bo.rules import IDS
from kibitz.games.bo.view import BoView, Passed, Played

# The functions


COURSE = "comp10001"
HAND_PARAMETER = ("hand", "your cards")
STOCKPILES = ("stockpiles", "for each player, the top card and the size of the stockpile")
DISCARDS = ("discard_piles", "for each player, four piles of cards, the last card of each on top")
BUILDS = ("build_piles", "the four piles that all players share, the last card of each on top")
PLAYER_PARAMETER = ("player_no", "your number, 0 to 3")
PLAY_RETURNS = (
    "(play_type, source, destination): (0, card, where) from the hand, (1, (card, (owner, pile)), where) from a discard"
    " pile, (2, card, where) from your stockpile, where (0, pile) is a build pile and (1, (owner, pile)) a discard"
    " pile, piles numbered 0 to 3; (3, None, (None, None)) if nothing else is possible"
)

PUBLISHED = (
    Function(
        "comp10001bo_match_build",
        "checks whether a card may be put on a build pile",
        (("play_card", "the card"), ("build_pile", "the cards of the pile, the last on top")),
        "True or False",
    ),
    Function(
        "comp10001bo_match_discard",
        "checks whether a card may be put on a discard pile",
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
        "checks a play",
        (
            ("play", "a play, as comp10001bo_play returns it"),
            PLAYER_PARAMETER,
            HAND_PARAMETER,
            STOCKPILES,
            DISCARDS,
            BUILDS,
        ),
        "0 if it is invalid, 1 if valid, 2 if valid and it ends the turn, 3 if it passes and no play is possible",
    ),
    Function(
        "comp10001bo_play",
        "makes one play; called up to five times a turn",
        (
            PLAYER_PARAMETER,
            HAND_PARAMETER,
            STOCKPILES,
            DISCARDS,
            BUILDS,
            ("play_history", "all plays so far as (player_no, play)"),
        ),
        PLAY_RETURNS,
    ),
)
"""Every function of the assignment."""


# Calls and answers


FUNCTIONS = ("comp10001bo_play",)
(PLAY,) = FUNCTIONS


def called_functions(options: Mapping[str, int]) -> tuple[str, ...]:
    """The functions that a game with these options calls."""
    return FUNCTIONS


CODES = tuple(code(card & 63) if card & 63 < 52 else "" for card in range(IDS))
"""By card id, the card in the assignment's notation; a table, because one match looks up thousands."""
NO_PLAY_FORM = (3, None, (None, None))
FROM_HAND, FROM_DISCARD, FROM_STOCK, NOTHING = range(4)
"""The types of plays."""


def history_item(event: Event) -> tuple[int, Any] | None:
    """The item that an event adds to ``play_history``."""
    if isinstance(event, Passed):
        return event.seat, NO_PLAY_FORM
    if isinstance(event, Played):
        return event.seat, play_form(event.source, event.card, event.pile)
    return None


def play_form(source: int, card: int, pile: int) -> tuple[int, Any, Any]:
    """A play in the assignment's form."""
    destination = (0, pile) if pile < 4 else (1, divmod(pile - 4, 4))
    text = CODES[card]
    if source < STOCK:
        return FROM_HAND, text, destination
    if source == STOCK:
        return FROM_STOCK, text, destination
    return FROM_DISCARD, (text, divmod(source - FROM_PILE, 4)), destination


def call(view: BoView) -> Call:
    """The call for the seat to move."""
    hand = [CODES[card] for card in view.hand if card is not None]
    stockpiles = [
        (CODES[top] if top is not None else None, count)
        for top, count in zip(view.stock_tops, view.stock_counts, strict=True)
    ]
    piles = [[CODES[card] for card in pile] for pile in view.discards]
    discards = [tuple(piles[4 * p : 4 * p + 4]) for p in range(view.players)]
    builds = [[CODES[card] for card in pile] for pile in view.builds]
    return Call(PLAY, (view.seat, hand, tuple(stockpiles), tuple(discards), tuple(builds), HISTORY))


def reply(view: BoView, value: Any) -> list[int]:
    """The action that a returned value means.

    Raises NotationError if it means none. The rules decide whether it is legal.
    """
    if type(value) is tuple and len(value) == 3 and type(value[0]) is int:
        kind, source, destination = value
        if kind == NOTHING and source is None and destination == (None, None):
            return [NO_PLAY]
        if kind in (FROM_HAND, FROM_DISCARD, FROM_STOCK):
            return [SOURCE * source_number(view, kind, source) + pile_number(view, destination)]
    raise NotationError(f"{PLAY} must return a tuple (play_type, source, destination), not {quoted(value)}.")


def source_number(view: BoView, kind: int, source: Any) -> int:
    """The source of a play, as in actions. Raises NotationError if the card isn't there."""
    if kind == FROM_HAND:
        for place, card in enumerate(view.hand):
            if card is not None and CODES[card] == source:
                return place
        raise NotationError(f"{PLAY} plays {quoted(source)} from the hand, which does not hold it.")
    if kind == FROM_STOCK:
        top = view.stock_tops[view.seat]
        if top is not None and CODES[top] == source:
            return STOCK
        raise NotationError(f"{PLAY} plays {quoted(source)} from the stockpile, whose top is another card.")
    if is_pair(source) and is_place(source[1], view.players):
        card_text, (owner, k) = source
        pile = view.discards[4 * owner + k]
        if pile and CODES[pile[-1]] == card_text:
            return int(FROM_PILE + 4 * owner + k)
        raise NotationError(f"{PLAY} plays {quoted(card_text)} from discard pile {(owner, k)}, which does not show it.")
    raise NotationError(f"{PLAY} must name a discard pile as source by (card, (owner, pile)), not {quoted(source)}.")


def pile_number(view: BoView, destination: Any) -> int:
    """The pile that a destination names, as in actions. Raises NotationError if it names none."""
    if is_pair(destination):
        kind, place = destination
        if type(kind) is int and kind == 0 and type(place) is int and 0 <= place < 4:
            return place
        if type(kind) is int and kind == 1 and is_place(place, view.players):
            return 4 + 4 * int(place[0]) + int(place[1])
    raise NotationError(
        f"{PLAY} must name a destination (0, build pile 0 to 3) or (1, (owner, pile)), not {quoted(destination)}."
    )


def is_pair(value: Any) -> bool:
    """Whether a value is a tuple of two items."""
    return type(value) is tuple and len(value) == 2


def is_place(value: Any, players: int) -> bool:
    """Whether a value names a discard pile: ``(owner, pile)``."""
    return is_pair(value) and all(type(n) is int for n in value) and 0 <= value[0] < players and 0 <= value[1] < 4


# Published results


Pile = list[str]
Piles = tuple[Pile, Pile, Pile, Pile]
Table = tuple[Piles, Piles, Piles, Piles]


def four_piles(first: Pile | None = None, second: Pile | None = None) -> Piles:
    """Four piles, of which the last two are empty."""
    return (first or [], second or [], [], [])


def discards(owner: int | None = None, pile: tuple[str, ...] = ()) -> Table:
    """Everybody's discard piles: all empty, except for the first pile of ``owner``."""
    first, second, third, fourth = (four_piles(list(pile) if p == owner else None) for p in range(4))
    return first, second, third, fourth


def validity_example(
    expected: int,
    play: Any,
    hand: str,
    top: str,
    discard_piles: Table,
    build_piles: Piles,
    next_top: str = "0D",
) -> Example:
    """A call for player 0, whose stockpile shows ``top``, while the stockpile of player 1 shows ``next_top``."""
    stockpiles = ((top, 8), (next_top, 8), ("3H", 8), ("KD", 8))
    arguments = (play, 0, hand.split(), stockpiles, discard_piles, build_piles)
    return Example("comp10001bo_is_valid_play", arguments, exactly(expected))


def play_example(
    expected: Any, player: int, top: tuple[str, int], pile: str, history: list[tuple[int, Any]]
) -> Example:
    """A call for a player without hand cards; player 1's stockpile is ``top``, and one build pile has cards."""
    stockpiles = (("7H", 7), top, ("3H", 8), ("KD", 8))
    arguments: tuple[Any, ...] = (player, [], stockpiles, discards(0, ("7H",)), four_piles(pile.split()), history)
    return Example("comp10001bo_play", arguments, exactly(expected))


def from_stock(card: str) -> Any:
    """The play of a stockpile card to the first build pile."""
    return 2, card, (0, 0)


MATCH_BUILD: tuple[tuple[str, list[str], bool], ...] = (
    ("2S", [], True),
    ("3C", ["2C"], True),
    ("AH", ["2D", "3H"], True),
    ("3H", ["2D", "3H"], False),
    ("4C", ["2D", "3H"], False),
)
"""A card, a build pile, and whether they match."""

MATCH_DISCARD: tuple[tuple[tuple[Any, ...], int], ...] = (
    (("4S", [], 2, 2), 2),
    (("4S", [], 2, 0), 0),
    (("4S", [], 2, 2, False), 0),
    (("4S", ["3H"], 2, 2), 1),
    (("4S", ["3H"], 2, 3), 1),
    (("4S", ["3H"], 2, 3, False), 1),
    (("AH", ["KS"], 2, 3), 0),
    (("2H", ["KS"], 2, 3), 1),
)
"""The arguments of ``comp10001bo_match_discard``, and what it returns."""

WITH_2, WITH_3 = "2C AS 9D 0D 0S", "3C AS 9D 0D 0S"
"""The hands of player 0 in most calls."""

VALIDITY = (
    validity_example(1, (0, "2C", (0, 0)), WITH_2, "9C", discards(), four_piles()),
    validity_example(0, (0, "2C", (0, 0)), WITH_3, "9C", discards(), four_piles()),
    validity_example(0, (0, "3C", (0, 0)), WITH_3, "9C", discards(), four_piles()),
    validity_example(1, (0, "3C", (0, 0)), WITH_3, "9C", discards(), four_piles(["2S"])),
    validity_example(1, (2, "2C", (0, 1)), WITH_3, "2C", discards(), four_piles(["2S"])),
    validity_example(0, (2, "2H", (0, 1)), WITH_3, "2C", discards(), four_piles(["2S"])),
    validity_example(0, (2, "2H", (0, 1)), WITH_3, "2C", discards(), four_piles(["2S"]), next_top="2H"),
    validity_example(1, (2, "QC", (0, 1)), WITH_3, "QC", discards(), four_piles([], ["KS"])),
    validity_example(1, (2, "KC", (0, 1)), WITH_3, "KC", discards(), four_piles()),
    validity_example(1, (1, ("2C", (1, 0)), (0, 1)), WITH_3, "2C", discards(1, ("3C", "2C")), four_piles(["2S"])),
    validity_example(0, (1, ("3C", (1, 0)), (0, 1)), WITH_3, "2C", discards(1, ("3C", "2C")), four_piles(["2S"])),
    validity_example(0, (1, ("2C", (1, 0)), (0, 0)), WITH_3, "2C", discards(1, ("3C", "2C")), four_piles(["2S"])),
    validity_example(2, (0, "9D", (1, (0, 0))), "AS 9D 0D 0S", "9C", discards(0, ("5S",)), four_piles()),
    validity_example(0, NO_PLAY_FORM, "AS 9D 0S", "9C", discards(0, ("5S",)), four_piles()),
    validity_example(3, NO_PLAY_FORM, "", "9C", discards(0, ("5S",)), four_piles()),
    validity_example(0, (1, ("2C", (1, 0)), (1, (1, 0))), WITH_3, "2C", discards(1, ("3C", "2C")), four_piles(["2S"])),
)
"""Calls of ``comp10001bo_is_valid_play``."""

OPENING = [(0, from_stock("2C"))]
TURN_OF_1 = [*OPENING, (0, NO_PLAY_FORM), (1, from_stock("3C"))]
PLAYS = (
    play_example(NO_PLAY_FORM, 0, ("3C", 8), "2C", OPENING),
    play_example(from_stock("3C"), 1, ("3C", 8), "2C", TURN_OF_1),
    play_example(from_stock("4S"), 1, ("4S", 7), "2C 3C", TURN_OF_1),
    play_example(from_stock("3S"), 1, ("3S", 6), "2C 3C 4S", [*TURN_OF_1, (1, from_stock("4S"))]),
    play_example(NO_PLAY_FORM, 1, ("0D", 5), "2C 3C 4S 3S", [*TURN_OF_1, (1, from_stock("4S")), (1, from_stock("3S"))]),
)
"""Calls of ``comp10001bo_play``, each with a single legal answer."""

EXAMPLES: tuple[Example, ...] = (
    *(Example("comp10001bo_match_build", (card, pile), exactly(right)) for card, pile, right in MATCH_BUILD),
    *(Example("comp10001bo_match_discard", arguments, exactly(verdict)) for arguments, verdict in MATCH_DISCARD),
    *VALIDITY,
    *PLAYS,
)
"""Every published result."""
