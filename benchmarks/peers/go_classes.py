"""COMP10001-Go as a plain class, with the assignment's own brute force for the best partitions.

    card        two characters, value and suit: ``"0H"`` is the ten of hearts
    hand        the cards a player may still choose from; it goes on to the left after every choice
    discards    the cards that a player has chosen, visible to all
    group       a list of cards: an orphan, N of a kind or a run; anything else is invalid
    partition   a list of groups that uses every card once

Surprising rule: an invalid group costs as much as its cards would as orphans.  So the best partitions are searched
among the valid ones only; otherwise an invalid run would count as a second way to hold orphans.

Written from the rules alone, as the oracle for ``kibitz.games.go``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import factorial
from typing import TypeAlias

Card: TypeAlias = str
Group: TypeAlias = list[Card]
Partition: TypeAlias = list[Group]
Below: TypeAlias = Callable[[int], int]
"""``below(n)`` gives a uniformly random integer in 0..n-1."""

VALUES, SUITS = "A234567890JQK", "DCHS"
PLAYERS, HAND_SIZE = 4, 10
ACE_AS_ORPHAN = 20


def value(card: Card) -> int:
    """2 to 13, and 20 for an Ace, the value that it has unless it fills a gap of a run."""
    return ACE_AS_ORPHAN if card[0] == "A" else VALUES.index(card[0]) + 1


def is_black(card: Card) -> bool:
    """Whether the card is a club or a spade."""
    return card[1] in "CS"


def is_of_a_kind(group: Sequence[Card]) -> bool:
    """Whether the cards are two or more different cards of one value, no Aces."""
    values = {card[0] for card in group}
    return len(group) >= 2 and len(values) == 1 and values != {"A"} and len(set(group)) == len(group)


def is_run(group: Sequence[Card]) -> bool:
    """Whether the cards, Aces in the gaps, are consecutive values of alternating colours.

    >>> is_run(["AH", "AS", "QS", "9H", "7H", "AC"])
    True
    """
    aces = [card for card in group if card[0] == "A"]
    others = sorted((card for card in group if card[0] != "A"), key=value)
    if len(group) < 3 or len(others) < 2 or len(set(group)) < len(group):
        return False
    last_value, last_black = value(others[0]), is_black(others[0])
    for card in others[1:]:
        while last_value + 1 < value(card):  # a gap, for an Ace of the other colour
            fitting = [ace for ace in aces if is_black(ace) != last_black]
            if not fitting:
                return False
            aces.remove(fitting[0])
            last_value, last_black = last_value + 1, not last_black
        if value(card) != last_value + 1 or is_black(card) == last_black:
            return False
        last_value, last_black = value(card), is_black(card)
    return not aces


def score_group(group: Sequence[Card]) -> int:
    """The score of a group; minus the sum of its cards' values if it is an orphan or invalid.

    >>> (
    ...     score_group(["AH", "AS", "QS", "9H", "7H", "AC"]),
    ...     score_group(["KC", "KH", "KS"]),
    ...     score_group(["AD"]),
    ... )
    (57, 78, -20)
    """
    if is_of_a_kind(group):
        return factorial(len(group)) * value(group[0])
    if is_run(group):
        lowest = min(value(card) for card in group)
        return sum(range(lowest, lowest + len(group)))
    return -sum(value(card) for card in group)


def is_valid_group(group: Sequence[Card]) -> bool:
    """Whether the cards are an orphan, N of a kind or a run."""
    return len(group) == 1 or is_of_a_kind(group) or is_run(group)


def partitions(cards: Sequence[Card]) -> Iterator[Partition]:
    """Every way to divide the cards into groups: Bell(n) of them, 115 975 for ten cards.

    >>> list(partitions(["2H", "3S"]))
    [[['2H', '3S']], [['2H'], ['3S']]]
    """
    if not cards:
        yield []
        return
    first, rest = cards[0], cards[1:]
    for partition in partitions(rest):
        for i, group in enumerate(partition):
            yield [*partition[:i], [first, *group], *partition[i + 1 :]]
        yield [[first], *partition]


def score(partition: Partition) -> int:
    """The sum of the scores of the groups."""
    return sum(score_group(group) for group in partition)


def best_partitions(cards: Sequence[Card]) -> list[Partition]:
    """All partitions into valid groups with the highest score, by trying every partition."""
    best: list[Partition] = []
    highest: int | None = None
    for partition in partitions(cards):
        total = score(partition)
        if (highest is None or total >= highest) and all(map(is_valid_group, partition)):
            if total != highest:
                best, highest = [], total
            best.append(partition)
    return best


class Go:
    """One game, from the deal to the final scores."""

    def __init__(self, hands: Sequence[Sequence[Card]]) -> None:
        self.hands = [list(hand) for hand in hands]
        self.discards: list[list[Card]] = [[] for _ in hands]
        self.groupings: list[Partition] = []

    @classmethod
    def dealt(cls, below: Below) -> Go:
        """A game with hands dealt at random; twelve cards stay aside."""
        pack = [value + suit for value in VALUES for suit in SUITS]
        return cls([[pack.pop(below(len(pack))) for _ in range(HAND_SIZE)] for _ in range(PLAYERS)])

    @property
    def discard_history(self) -> list[list[Card]]:
        """One list of four cards for every turn played, the form that the assignment's functions receive."""
        return [list(turn) for turn in zip(*self.discards, strict=True)]

    def may_discard(self, player: int, card: object) -> bool:
        """Whether the card is in the player's hand."""
        return card in self.hands[player]

    def turn(self, chosen: Sequence[Card]) -> None:
        """All discard at once, then pass their hands to the left. Raises ValueError if a card is not held."""
        for player, card in enumerate(chosen):
            if not self.may_discard(player, card):
                raise ValueError(f"player {player} does not hold {card!r}")
        for hand, discards, card in zip(self.hands, self.discards, chosen, strict=True):
            hand.remove(card)
            discards.append(card)
        self.hands = self.hands[-1:] + self.hands[:-1]

    @property
    def drafted(self) -> bool:
        """Whether all cards are chosen, so that players group their cards next."""
        return not any(self.hands)

    def may_group(self, player: int, grouping: Partition) -> bool:
        """Whether the grouping uses each of the player's discards once, in valid groups only."""
        cards = sorted(card for group in grouping for card in group)
        return cards == sorted(self.discards[player]) and all(map(is_valid_group, grouping))

    def group(self, grouping: Partition) -> None:
        """Accept the next player's grouping; if it is not allowed, all cards of that player become orphans."""
        player = len(self.groupings)
        if not self.may_group(player, grouping):
            grouping = [[card] for card in self.discards[player]]
        self.groupings.append(grouping)

    @property
    def scores(self) -> list[int]:
        """The total of every player who has grouped."""
        return [score(grouping) for grouping in self.groupings]

    @property
    def winners(self) -> list[int]:
        """The players with the highest total."""
        return [player for player, total in enumerate(self.scores) if total == max(self.scores)]


def random_game(below: Below) -> Go:
    """A game in which everybody discards at random and groups in the best way."""
    game = Go.dealt(below)
    while not game.drafted:
        game.turn([hand[below(len(hand))] for hand in game.hands])
    for discards in game.discards:
        game.group(best_partitions(discards)[0])
    return game
