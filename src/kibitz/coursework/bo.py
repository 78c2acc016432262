"""The functions of the COMP10001-Bo project (the assignment's statement, "Functions").

For a wrong card or a wrong type, the functions that check a play return False or 0. ``comp10001bo_play`` raises
NotationError, also if the table shows a card more often than two packs have it. Arguments have the published types
(``kibitz.games.signatures``); lists and tuples are interchangeable, except in a play.
"""

from collections import Counter
from itertools import takewhile
from typing import Any, TypeAlias

from msgspec.structs import replace

from kibitz.cards import PACK_STEP, Card, code, short_repr
from kibitz.coursework.arguments import PLAYERS, read_card, read_cards, read_list, read_player
from kibitz.errors import NotationError
from kibitz.games.bo import BO, GAMES, rules, turn_search
from kibitz.games.bo.assignment import NO_PLAY_FORM, play_form, reply
from kibitz.games.bo.lookahead import state_of_view
from kibitz.games.bo.piles import NO_PLAY, SOURCE, ending_piles, ends_turn, matches, source_card
from kibitz.games.bo.turn_search import best_play
from kibitz.games.bo.view import BoView

Play: TypeAlias = tuple[int, Any, Any]
Pile: TypeAlias = list[str]
Piles: TypeAlias = tuple[Pile, Pile, Pile, Pile]
Stockpile: TypeAlias = tuple[str | None, int]
Stockpiles: TypeAlias = tuple[Stockpile, Stockpile, Stockpile, Stockpile]
DiscardPiles: TypeAlias = tuple[Piles, Piles, Piles, Piles]
INVALID, VALID, ENDS_TURN, NOTHING_POSSIBLE = range(4)

STOCK_SIZE, HAND_SIZE = BO.options["stock_size"], BO.options["hand_size"]
PLAYS_A_TURN = BO.options["plays_a_turn"]
NO_PILES: Piles = ([], [], [], [])
NO_STOCKPILES: Stockpiles = ((None, 0),) * 4


def empty_table() -> BoView:
    """The view of seat 0 at a table without any cards."""
    state = GAMES[0].blank()
    rules.clear(state)
    view = GAMES[0].view(state, 0)
    assert isinstance(view, BoView)
    return view


EMPTY_TABLE = empty_table()


def comp10001bo_match_build(play_card: str, build_pile: Pile) -> bool:
    """Whether the card may be put on the build pile.

    >>> comp10001bo_match_build("3C", ["2C"])
    True
    """
    try:
        card = read_card(play_card)
        view = view_from(0, [], NO_STOCKPILES, [NO_PILES] * PLAYERS, [build_pile, *NO_PILES[1:]])
    except NotationError:
        return False
    return bool(matches(state_of_view(view), card) & 1)


def comp10001bo_match_discard(
    play_card: str, discard_pile: Pile, player_no: int, to_player_no: int, from_hand: bool = True
) -> int:
    """0 if the card may not be put on the discard pile, 1 if it may, 2 if that ends the turn."""
    try:
        card = read_card(play_card)
        piles = [NO_PILES] * PLAYERS
        piles[read_player(to_player_no)] = (discard_pile, [], [], [])
        s = state_of_view(view_from(read_player(player_no), [], NO_STOCKPILES, piles, NO_PILES))
    except NotationError:
        return INVALID
    pile = 4 + 4 * to_player_no
    if matches(s, card) >> pile & 1:
        return VALID
    return ENDS_TURN if from_hand and ending_piles(s, card) >> pile & 1 else INVALID


def comp10001bo_is_valid_play(
    play: Play,
    player_no: int,
    hand: list[str],
    stockpiles: Stockpiles,
    discard_piles: DiscardPiles,
    build_piles: Piles,
) -> int:
    """0 if the play is invalid, 1 if it is valid, 2 if it also ends the turn, 3 for NO_PLAY if no play is possible."""
    if not is_plain(play):
        return INVALID
    try:
        view = check_not_over(view_from(read_player(player_no), hand, stockpiles, discard_piles, build_piles))
        (action,) = reply(view, play)
    except NotationError:
        return INVALID
    s = state_of_view(view)
    if rules.refusal(s, action):
        return INVALID
    if action == NO_PLAY:
        return NOTHING_POSSIBLE
    return ENDS_TURN if ends_turn(s, action) else VALID


def comp10001bo_play(
    player_no: int,
    hand: list[str],
    stockpiles: Stockpiles,
    discard_piles: DiscardPiles,
    build_piles: Piles,
    play_history: list[tuple[int, Play]],
) -> Play:
    """The play that the strategy ``marshal`` chooses here."""
    table = view_from(read_player(player_no), hand, stockpiles, discard_piles, build_piles)
    view = with_history(with_distinct_ids(check_not_over(table)), play_history)
    s = state_of_view(view)
    action = best_play(s, [0] * turn_search.SCRATCH)
    if action == NO_PLAY:
        return NO_PLAY_FORM
    source, pile = divmod(action, SOURCE)
    return play_form(source, source_card(s, source), pile)


def is_plain(value: object) -> bool:
    """Whether a value consists only of tuples, ints, strings and None, as plays do."""
    if type(value) is tuple:
        return all(map(is_plain, value))
    return value is None or type(value) in (int, str)


def view_from(player: int, hand: object, stockpiles: object, discard_piles: object, build_piles: object) -> BoView:
    """The player's view at the beginning of a turn; equal cards have the same id."""
    cards = sorted(read_cards(hand, "the hand"))
    if len(cards) > HAND_SIZE:
        raise NotationError(f"the hand must hold up to {HAND_SIZE} cards, not {len(cards)}.")
    by_player = [
        read_piles(piles, "the discard piles of a player") for piles in read_four(discard_piles, "the discard piles")
    ]
    stocks = [read_stockpile(entry) for entry in read_four(stockpiles, "the stockpiles")]
    return replace(
        EMPTY_TABLE,
        seat=player,
        player=player,
        hand=(*cards, *[None] * (HAND_SIZE - len(cards))),
        stock_tops=tuple(top for top, _ in stocks),
        stock_counts=tuple(count for _, count in stocks),
        builds=read_piles(build_piles, "the build piles"),
        discards=tuple(pile for piles in by_player for pile in piles),
    )


def read_four(value: object, what: str) -> list[Any] | tuple[Any, ...]:
    """Return the value, if it is a list or tuple of four entries."""
    entries = read_list(value, what)
    if len(entries) != 4:
        raise NotationError(f"{what} must be a list of 4, not of {len(entries)}.")
    return entries


def read_piles(piles: object, what: str) -> tuple[tuple[Card, ...], ...]:
    """Four piles of cards; the last card of a pile is its top."""
    return tuple(tuple(read_cards(pile, "a pile")) for pile in read_four(piles, what))


def read_stockpile(entry: object) -> tuple[Card | None, int]:
    """The top card and the size of a stockpile; the top of an empty stockpile is None."""
    match entry:
        case (None, 0) | [None, 0]:
            return None, 0
        case (top, count) | [top, count] if type(count) is int and 1 <= count <= STOCK_SIZE:
            return read_card(top), count
    raise NotationError(f"a stockpile must be its top card and its size, such as ('9C', 8), not {short_repr(entry)}.")


def check_not_over(view: BoView) -> BoView:
    """Return the view. Raises NotationError if the game is over."""
    if 0 in view.stock_counts:
        raise NotationError("the game is over once a stockpile is empty.")
    return view


def with_distinct_ids(view: BoView) -> BoView:
    """The view with different ids for equal cards of the two packs."""
    counts: Counter[Card] = Counter()

    def as_id(card: Card | None) -> Card | None:
        if card is None:
            return None
        counts[card] += 1
        if counts[card] > BO.options["packs"]:
            raise NotationError(f"{code(card)} is on the table {counts[card]} times, and there are two packs.")
        return card + PACK_STEP * (counts[card] - 1)

    def as_ids(cards: Any) -> Any:
        return tuple([as_id(card) for card in cards])

    builds = tuple([as_ids(pile) for pile in view.builds])
    discards = tuple([as_ids(pile) for pile in view.discards])
    tops, hand = as_ids(view.stock_tops), as_ids(view.hand)
    return replace(view, builds=builds, discards=discards, stock_tops=tops, hand=hand)


def with_history(view: BoView, play_history: object) -> BoView:
    """The view with the number of plays in this turn, from the history; the strategy doesn't need the number of turns.

    Every turn has an entry in the history, so the seat's own entries at the end are the plays of this turn.
    """
    players = [read_entry(entry) for entry in read_list(play_history, "the play history")]
    plays = sum(1 for _ in takewhile(lambda player: player == view.seat, reversed(players)))
    return replace(view, plays=min(plays, PLAYS_A_TURN - 1))


def read_entry(entry: object) -> int:
    """The player of an entry of the history."""
    match entry:
        case (player, (_, _, _)):
            return read_player(player)
    raise NotationError(f"an entry of the play history must be (player, play), not {short_repr(entry)}.")
