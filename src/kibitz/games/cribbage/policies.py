"""Strategies for cribbage: some are functions of a view, and one is a kernel.

    greedy      discards for the highest mean of hand and crib; plays the card that nets the most points, looking one
                card ahead
    best        discards for the best chance to win the game; plays its last cards, and near the end of the game all
                cards, for that too (``lookahead``); plays other cards by the learned weights (``evaluation``)
    quick       the kernel: keeps the cards that score most without a starter, and plays the card that scores most at
                once

``greedy`` computes the means exactly, with every unseen card equally likely to be the starter or in the crib. It
assumes that the other seat discards at random, not to help or hurt the crib, so it overestimates its own crib by half a
point.  That is good enough for ``greedy``; people are shown the figures of ``discards``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import combinations_with_replacement
from math import comb, prod
from random import Random

from kibitz.cards import Card
from kibitz.cards.sets import at_places, size
from kibitz.games.cribbage import discards, lookahead
from kibitz.games.cribbage.evaluation import FEATURES, best_card, load_table
from kibitz.games.cribbage.rules import ACTIONS, DISCARD, GO, LAYOUT
from kibitz.games.cribbage.scoring import FIFTEEN, FLUSH, JACK, MAX_COUNT, play_points, rank_points, value_of
from kibitz.games.cribbage.stages import NONE
from kibitz.games.cribbage.view import CribbageView, restore
from kibitz.games.cribbage.words import action_cards
from kibitz.kernel import kernel

# Discards


RANK_DIGIT = tuple(5**rank for rank in range(13))
"""By rank, the number that one card adds: the base-five digits of a sum count the cards of each rank, at most four."""


@cache
def rank_score(number: int) -> int:
    """The points for fifteens, pairs and runs of cards with this ``rank_number``."""
    cards = 0
    for rank in range(13):
        number, times = divmod(number, 5)
        cards |= ((1 << times) - 1) << 4 * rank
    return int(rank_points(cards))


def rank_number(cards: Iterable[Card]) -> int:
    """The ranks of some cards as one number, the sum of their RANK_DIGIT."""
    return sum(RANK_DIGIT[card >> 2] for card in cards)


class UnseenCards:
    """The cards that a seat has not seen, counted by rank and suit."""

    def __init__(self, cards: Sequence[Card]) -> None:
        self.size = len(cards)
        self.ranks = Counter(card >> 2 for card in cards)
        self.suits = Counter(card & 3 for card in cards)
        self.jacks = [card & 3 for card in cards if card >> 2 == JACK]
        self._rank_numbers: dict[int, list[tuple[int, int]]] = {}

    def mean_hand(self, kept: Sequence[Card]) -> float:
        """The mean score of the cards kept in the show, over all starters."""
        number = rank_number(kept)
        total = sum(times * rank_score(number + RANK_DIGIT[rank]) for rank, times in self.ranks.items())
        total += sum(self.suits[card & 3] for card in kept if card >> 2 == JACK)
        if len(kept) >= FLUSH and len({card & 3 for card in kept}) == 1:
            total += len(kept) * self.size + self.suits[kept[0] & 3]
        return total / self.size

    def mean_crib(self, discarded: Sequence[Card]) -> float:
        """The mean score of the crib, over all discards of the other seat and all starters.

        The terms are the ranks, nob for a Jack of this seat, nob for a Jack of the other seat, and the flush.
        """
        n = len(discarded)
        number = rank_number(discarded)
        ways = comb(self.size, n + 1)
        total = sum(times * rank_score(number + others) for others, times in self.rank_numbers(n + 1)) / ways
        total += sum(self.suits[card & 3] for card in discarded if card >> 2 == JACK) / self.size
        total += sum(n * (self.suits[suit] - 1) for suit in self.jacks) / (self.size * (self.size - 1))
        if 2 * n >= FLUSH and len({card & 3 for card in discarded}) == 1:
            total += (2 * n + 1) * comb(self.suits[discarded[0] & 3], n + 1) / ways
        return total

    def rank_numbers(self, n: int) -> list[tuple[int, int]]:
        """Every ``rank_number`` that ``n`` unseen cards can have, and how many sets of cards have it."""
        if n not in self._rank_numbers:
            result = []
            for chosen_ranks in combinations_with_replacement(sorted(self.ranks), n):
                times = prod(comb(self.ranks[rank], count) for rank, count in Counter(chosen_ranks).items())
                if times:
                    result.append((sum(RANK_DIGIT[rank] for rank in chosen_ranks), times))
            self._rank_numbers[n] = result
        return self._rank_numbers[n]


# Strategies as functions of a view


NEAR_THE_END = 30
"""A seat that needs this many points or fewer may win in this deal."""


def greedy(view: CribbageView, legal: list[int], random: Random) -> int:
    """Discards for the highest mean of hand and crib; in the play looks one card ahead, high cards first."""
    if len(legal) == 1:
        return legal[0]
    if view.discarding:
        cards = UnseenCards([card for card in view.pack if card not in view.hand])
        return max(legal, key=lambda action: expected_points(view, cards, action_cards(view, action)))
    s = LAYOUT.plain()
    restore(s, view)
    # Imported here, since policy kernels must not use floats (see ``greedy_play``).
    from kibitz.games.cribbage.greedy_play import SCORES, greedy_card

    return int(greedy_card(s, view.seat, [0] * SCORES))


def best(view: CribbageView, legal: list[int], random: Random) -> int:
    """Plays for the best chance to win the game."""
    if len(legal) == 1:
        return legal[0]
    pegs = view.pegs[view.seat], view.pegs[1 - view.seat]
    if view.discarding:
        ranked = discards.choices(view.hand, pegs, dealer=view.dealer == view.seat, target=view.target)
        return DISCARD + sum(1 << view.hand.index(card) for card in ranked[0].discarded)
    s = LAYOUT.plain()
    restore(s, view)
    near_the_end = view.target - max(pegs) <= NEAR_THE_END
    if near_the_end or view.counts[1 - view.seat] <= lookahead.MAX_ENUMERATED:
        return lookahead.choose_card(s, random)
    return int(best_card(s, view.seat, load_table("weights"), [0] * FEATURES))


def expected_points(view: CribbageView, cards: UnseenCards, discarded: tuple[Card, ...]) -> float:
    """The mean of hand and crib together if ``discarded`` goes into the crib, which counts for the dealer."""
    kept = [card for card in view.hand if card not in discarded]
    crib = cards.mean_crib(discarded)
    return cards.mean_hand(kept) + (crib if view.dealer == view.seat else -crib)


# Strategies as kernels


POLICIES = {
    "quick": "Keeps the four cards that score most without a starter, and plays the card that scores most at once."
}
FIVES = 15 << 16
"""The four fives as a set."""


@kernel
def worth(s, policy, a):
    """How good an action is: the points of the cards kept, or of the card played; go is the only choice if it is one.

    The cards kept count a little more than the discards, which count for or against the seat.
    """
    if a == GO:
        return 0
    if a < DISCARD:
        return card_worth(s, a)
    hand = s.hand[s.player]
    discarded = at_places(hand, a - DISCARD)
    crib_worth = 3 * rank_points(discarded) + 4 * size(discarded & FIVES)  # fives are good in any crib
    return 4 * rank_points(hand & ~discarded) + (crib_worth if s.player == s.dealer else -crib_worth)


@kernel
def card_worth(s, card):
    """The points for playing a card; less if it leaves an easy fifteen or thirty-one; of equal cards the highest.

    A point counts 64, more than any card number, so that the card decides only between equal scores.
    """
    count = s.count + value_of(card)
    s.played[s.plays] = card
    result = 64 * play_points(s.played, s.first, s.plays + 1, count) + card
    s.played[s.plays] = NONE
    if count == 5 or count == 21:  # any of the sixteen cards worth ten would score
        result -= 70
    if (count < FIFTEEN and count > 5) or (count > 21 and count < MAX_COUNT):
        result -= 20
    return result


@kernel
def observe_action(s, seat, a):
    """The other seat sees that cards are discarded, but not which."""
    return ACTIONS if a >= DISCARD and seat != s.player else a
