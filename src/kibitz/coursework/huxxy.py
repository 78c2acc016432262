"""COMP10001-Huxxy's functions under their exact names (the assignment's statement, "Functions").

Hand, table and history are converted to a position, and the game's own ``refusal`` judges the play. The functions
that check a play or a table return False for invalid arguments; ``comp10001huxxy_score`` and the two functions that
choose a play raise NotationError. No argument is ever changed.
"""

from __future__ import annotations

from typing import Any

from kibitz.cards import JOKER, code, parse_cards
from kibitz.engine.layout import PlainState
from kibitz.errors import NotationError
from kibitz.games.huxxy import rules
from kibitz.games.huxxy.actions import END, MAX_GROUPS, PICK_UP
from kibitz.games.huxxy.assignment import ENDS, MOVES, PICKS_UP, PLAYS
from kibitz.games.huxxy.best import HAND, STEP_LIMIT, Play, best_turn, play_action
from kibitz.games.huxxy.groups import NONE, is_valid, points, worth
from kibitz.games.huxxy.view import bit_sets

SEATS = 4
MAX_TABLE_GROUPS = MAX_GROUPS - 7
"""The maximum number of groups of a table, so that numbers are left for six new groups and a further one."""
Turn = tuple[int, int, Any]


def comp10001huxxy_score(cards: list[str]) -> int:
    """The total value of cards left in hand: Ace 1 to king 13, a Joker 48.

    >>> comp10001huxxy_score(["4C", "2H", "KS"])
    19
    """
    return sum(int(worth(card)) for card in read_cards(cards))


def comp10001huxxy_valid_table(groups: list[list[str]]) -> bool:
    """Whether every group is empty, a run or N of a kind.

    >>> comp10001huxxy_valid_table([["3C", "AS", "2H"]]), comp10001huxxy_valid_table([["AC", "2S", "4H"]])
    (True, False)
    """
    try:
        return all(valid_group(cards) for cards in read_table(groups))
    except NotationError:
        return False


def comp10001huxxy_valid_play(
    play: Turn, play_history: list[Turn], active_player: int, hand: list[str], table: list[list[str]]
) -> bool:
    """Whether a single play is valid in the position that the history, the hand and the table describe."""
    try:
        cards, groups = read_cards(hand), read_table(table)
        reduced_play, reduced_table = only_named_groups(play, groups)
        state = position(read_history(play_history), active_player, cards, reduced_table)
        action = read_play(reduced_play, active_player, reduced_table)
    except NotationError:
        return False
    if action == END and not all(valid_group(group) for group in groups):
        return False
    return bool(state.player == active_player and rules.refusal(state, action) == 0)


def comp10001huxxy_play(play_history: list[Turn], active_player: int, hand: list[str], table: list[list[str]]) -> Turn:
    """The next play of a best turn: the most cards, then the highest, then the fewest plays (see ``best_turn``).

    Without machine code, it is the best turn found in STEP_LIMIT steps of the search, which seldom take over 0.2 s. If
    the arguments describe a turn that can't be completed any more, it is any play, and if none is possible (such as
    after six plays with an invalid table), a pick-up.
    """
    cards, groups = read_cards(hand), read_table(table)
    group_numbers = groups_to_search(groups)
    state = position(read_history(play_history), active_player, cards, [])
    min_points = 0 if state.opened[active_player] else max(0, state.opening - state.points)
    plays_left = state.plays_a_turn - state.plays
    min_cards = int(state.placed == 0)
    turn = best_turn(
        cards,
        [groups[g] for g in group_numbers],
        plays_left=plays_left,
        min_cards=min_cards,
        min_points=min_points,
        step_limit=STEP_LIMIT,
    )
    if turn is None:
        return any_play(active_player, cards, groups, may_play=bool(state.plays and plays_left))
    if not turn.plays:
        return active_player, ENDS, None
    card, source, goal = turn.plays[0]
    goal = group_numbers[goal] if goal < len(group_numbers) else len(groups)
    if source == HAND:
        return active_player, PLAYS, (code(card), goal)
    return active_player, MOVES, (code(card), group_numbers[source], goal)


def any_play(player: int, hand: list[int], table: list[list[int]], *, may_play: bool) -> Turn:
    """A play in a turn that can't be completed: if ``may_play``, a card into a new group; otherwise a pick-up."""
    if may_play and hand:
        return player, PLAYS, (code(hand[0]), len(table))
    for group, cards in enumerate(table):
        if may_play and cards:
            return player, MOVES, (code(cards[0]), group, len(table))
    return player, PICKS_UP, None


def comp10001huxxy_bonus_play(
    play_history: list[Turn], active_player: int, hand: list[str], table: list[list[str]]
) -> Turn:
    """The next play of a best turn in the game with Jokers, like ``comp10001huxxy_play``."""
    return comp10001huxxy_play(play_history, active_player, hand, table)


def read_cards(cards: object) -> list[int]:
    """Cards as faces, from a list of strings. Raises NotationError for anything else."""
    if type(cards) not in (list, tuple):
        raise NotationError("write cards as a list of strings, such as ['2C', '3H']")
    faces = parse_cards(cards)
    if any(card > JOKER for card in faces):
        raise NotationError("the only Joker of Huxxy is XX")
    return faces


def read_table(table: object) -> list[list[int]]:
    """Groups as lists of faces; a table may have more groups than two packs could fill."""
    if type(table) not in (list, tuple):
        raise NotationError("write the table as a list of groups")
    return [read_cards(cards) for cards in table]  # type: ignore[attr-defined]


def only_named_groups(play: object, table: list[list[int]]) -> tuple[object, list[list[int]]]:
    """A table with only the groups that the play names, and the play with the groups' new numbers.

    Other groups don't matter for a play. They matter for the end of a turn, for which ``comp10001huxxy_valid_play``
    checks them itself.
    """
    match play:
        case (who, kind, (card, int(goal))) if 0 <= goal <= len(table):
            return (who, kind, (card, 0)), table[goal : goal + 1]
        case (who, kind, (card, int(source), int(goal))) if 0 <= source < len(table) and 0 <= goal <= len(table):
            named_groups = [table[source]] + table[goal : goal + 1] * (source != goal)
            return (who, kind, (card, 0, int(source != goal))), named_groups
        case (_, _, None):
            return play, []
    raise NotationError("a play is (player, type, details) with type 0 to 3 and groups that are there")


def groups_to_search(table: list[list[int]]) -> list[int]:
    """The numbers of the groups that the search may change: all, or if there are too many, invalid ones first."""
    if len(table) <= MAX_TABLE_GROUPS:
        return list(range(len(table)))
    ranked = sorted(range(len(table)), key=lambda g: (valid_group(table[g]), not table[g]))
    return sorted(ranked[:MAX_TABLE_GROUPS])


def valid_group(cards: list[int]) -> bool:
    """Whether a group is valid and no face appears three times in it."""
    return all(cards.count(card) < 3 for card in cards) and bool(is_valid(*bit_sets(cards)))


def read_history(history: object) -> list[Turn]:
    """The history as a list. Raises NotationError unless every item has the form of a play."""
    if type(history) not in (list, tuple):
        raise NotationError("write the history as a list of plays")
    for item in history:  # type: ignore[attr-defined]
        if type(item) not in (list, tuple) or len(item) != 3 or type(item[0]) is not int or type(item[1]) is not int:
            raise NotationError("every play of the history is a tuple (player, type, details)")
    return list(history)  # type: ignore[call-overload, no-any-return]


def position(history: list[Turn], player: object, hand: list[int], table: list[list[int]]) -> PlainState:
    """The position before a play of ``player``, as far as the play's validity depends on it.

    Raises NotationError if the history isn't a possible one. The player to move follows from the history.
    """
    if type(player) is not int or not 0 <= player < SEATS:
        raise NotationError("the active player is a number from 0 to 3")
    s = rules.LAYOUT.plain()
    s.players, s.plays_a_turn, s.opening = SEATS, 6, 24
    rules.clear(s)
    for who, kind, details in history:
        if who != s.player:
            raise NotationError("the history does not pass the turn from player to player")
        if kind in (PICKS_UP, ENDS):
            s.opened[who] |= kind == ENDS
            rules.next_turn(s)
        else:
            s.plays += 1
            if kind == PLAYS:
                s.placed += 1
                s.points += int(points(read_cards([played_card(details)])[0]))
    s.hand_once[player], s.hand_twice[player] = bit_sets(hand)
    s.groups = len(table)
    for g, cards in enumerate(table):
        s.group_once[g], s.group_twice[g] = bit_sets(cards)
    return s


def played_card(details: object) -> object:
    """The card of a play of type 1."""
    if type(details) in (list, tuple) and len(details) == 2:  # type: ignore[arg-type]
        return details[0]  # type: ignore[index]
    raise NotationError("a play from the hand has the details (card, to_group)")


def read_play(play: object, player: int, table: list[list[int]]) -> int:
    """The game's action that a play stands for."""
    match play:
        case (int(who), int(kind), None) if who == player and kind in (PICKS_UP, ENDS):
            return PICK_UP if kind == PICKS_UP else END
        case (int(who), int(kind), (card, int(goal))) if who == player and kind == PLAYS:
            return play_action(table, Play(read_cards([card])[0], NONE, in_range(goal)))
        case (int(who), int(kind), (card, int(source), int(goal))) if who == player and kind == MOVES:
            face = read_cards([card])[0]
            if 0 <= source < len(table) and face in table[source]:
                return play_action(table, Play(face, source, in_range(goal)))
    raise NotationError("a play is (player, type, details) with type 0 to 3")


def in_range(group: int) -> int:
    """Return the number of a group, if an action can name it."""
    if 0 <= group < MAX_GROUPS:
        return group
    raise NotationError("there is no such group")
