"""The functions of the COMP10001-Go project (the assignment's statement, "Functions").

For a wrong card, a card that appears twice or a wrong type, ``comp10001go_valid_groups`` returns False, and the other
functions raise NotationError. Only ``comp10001go_score_group`` accepts a card twice: the group is then invalid
(ambiguity 1).
"""

from random import Random
from typing import Any

from kibitz.cards import FULL_PACK, Card, as_set, cards_of, code, short_repr
from kibitz.coursework.arguments import CARD_BY_CODE, PLAYERS, read_cards, read_distinct_cards, read_list, read_player
from kibitz.engine.sentences import counted
from kibitz.errors import NotationError
from kibitz.games.go import groups as go_groups
from kibitz.games.go.policies import greedy
from kibitz.games.go.view import GoView

TURNS = 10
"""The number of turns of a game, and of cards that each player collects."""
PACK = tuple(cards_of(FULL_PACK))


def comp10001go_score_group(cards: list[str]) -> int:
    """The score of a group, negative if it is invalid; the empty list scores 0."""
    group = read_cards(cards, "a group")
    card_set = as_set(group)
    if len(group) > card_set.bit_count():  # a card appears twice
        return -sum(int(go_groups.penalty(1 << card)) for card in group)
    return int(go_groups.score(card_set))


def comp10001go_valid_groups(groups: list[list[str]]) -> bool:
    """Whether every group is a single card, N of a kind or a run.

    >>> comp10001go_valid_groups([["KC", "KH", "KS", "KD"], ["2C"]])
    True
    """
    try:
        card_groups = [read_distinct_cards(group, "a group") for group in read_list(groups, "groups")]
    except NotationError:
        return False
    cards = [card for group in card_groups for card in group]
    if len(cards) > TURNS or len(set(cards)) < len(cards):
        return False
    return all(group and go_groups.is_valid(as_set(group)) for group in card_groups)


def comp10001go_play(discard_history: list[list[str]], player_no: int, hand: list[str]) -> str:
    """The card of the hand that the strategy ``greedy`` plays here."""
    turns = read_history(discard_history)
    player = read_player(player_no)
    cards = read_distinct_cards(hand, "the hand")
    if not cards or len(turns) + len(cards) > TURNS:
        raise NotationError(f"after {counted(len(turns), 'turn')} the hand cannot hold {counted(len(cards), 'card')}.")
    if repeated := set(cards) & {card for turn in turns for card in turn}:
        raise NotationError(f"{code(min(repeated))} is in the hand and among the discards, but there is one pack.")
    return code(greedy(view_from(turns, player, cards), cards, Random(0)))


def comp10001go_group(discard_history: list[list[str]], player_no: int) -> list[list[str]]:
    """A grouping of the player's discards with the highest score."""
    turns = read_history(discard_history)
    player = read_player(player_no)
    return best_partitions(sorted(turn[player] for turn in turns))[0]


def comp10001go_best_partitions(cards: list[str]) -> list[list[list[str]]]:
    """Every partition of up to ten cards into groups that has the highest score, in lists that the caller may change.

    >>> comp10001go_best_partitions(["2C", "KH", "KS"])
    [[['2C'], ['KH', 'KS']]]
    """
    try:
        hand = sorted([CARD_BY_CODE[card] for card in read_list(cards, "the cards")])
    except (KeyError, TypeError):
        hand = read_distinct_cards(cards, "the list of cards")
    if len(hand) > TURNS or len(set(hand)) < len(hand):
        raise NotationError(f"only up to {TURNS} different cards can be partitioned, not {short_repr(cards)}.")
    return best_partitions(hand)


def best_partitions(hand: list[Card]) -> list[list[list[str]]]:
    """All best partitions of a sorted hand into groups, as new lists of codes."""
    codes = [code(card) for card in hand]
    partitions = go_groups.best_partitions(hand)[1]  # a part has a bit for each position in the hand
    codes_of = {
        part: [text for position, text in enumerate(codes) if part >> position & 1]
        for partition in partitions
        for part in partition
    }
    return [[codes_of[part][:] for part in partition] for partition in partitions]


def read_history(discard_history: object) -> list[list[Card]]:
    """For every completed turn, the four cards by player."""
    turns = [read_cards(turn, "a turn of the discard history") for turn in read_list(discard_history, "the history")]
    if len(turns) > TURNS or any(len(turn) != PLAYERS for turn in turns):
        raise NotationError("the discard history must be a list of up to 10 turns, each a list of 4 cards.")
    read_distinct_cards([code(card) for turn in turns for card in turn], "the discard history")
    return turns


def view_from(turns: list[list[Card]], player: int, hand: list[Card]) -> GoView:
    """The player's view, with all discards and its own hand, but without the hands that it passed on."""
    hands: list[Any] = [None] * PLAYERS
    hands[player] = tuple(hand)
    return GoView(
        seat=player,
        player=player,
        over=False,
        players=PLAYERS,
        hand_size=len(turns) + len(hand),
        pack=PACK,
        auto=False,
        turn=len(turns),
        grouping=False,
        chosen=None,
        hands=tuple(hands),
        discards=tuple(tuple(turn[p] for turn in turns) for p in range(PLAYERS)),
        groups=((),) * PLAYERS,
        scores=(0,) * PLAYERS,
    )
