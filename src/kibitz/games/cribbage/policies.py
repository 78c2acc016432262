"""Strategies for cribbage: those that are asked with a view, and one that is a kernel.

greedy      lays away what leaves the most to be expected of hand and crib; plays the card that nets the most at
once, looking one card ahead
best        lays away and plays its last cards for the chance to win, by the board; plays the first cards by experience,
or near the end of the game by the chance to win as well

The kernel keeps what counts at once, and plays the card that scores most now.
"""

from random import Random

from kibitz.cards import Card
from kibitz.cards.sets import at_places, lowest, size
from kibitz.games.cribbage import ahead, outlook
from kibitz.games.cribbage.counting import MOST, play_points, rank_points, value_of
from kibitz.games.cribbage.dealing import LAYING
from kibitz.games.cribbage.laying import Unseen
from kibitz.games.cribbage.pegging import TUPLES, best_card
from kibitz.games.cribbage.playing import fitting
from kibitz.games.cribbage.rules import ACTIONS, GO, LAY, LAYOUT, legal
from kibitz.games.cribbage.simple import SCORES, greedy_card
from kibitz.games.cribbage.stored import stored
from kibitz.games.cribbage.view import CribbageView, restore
from kibitz.games.cribbage.words import action_cards
from kibitz.kernel import kernel

# Strategies that are asked with a view


NEAR = 30
"""Whoever needs so many points or fewer may win in this deal."""


def greedy(view: CribbageView, legal: list[int], random: Random) -> int:
    """The best cards to lay away by exact expectation; in the play, one card ahead, high cards first."""
    if len(legal) == 1:
        return legal[0]
    if view.laying:
        cards = Unseen([card for card in view.pack if card not in view.hand])
        return max(legal, key=lambda action: expected(view, cards, action_cards(view, action)))
    s = LAYOUT.plain()
    restore(s, view)
    return int(greedy_card(s, view.seat, [0] * SCORES))


def best(view: CribbageView, legal: list[int], random: Random) -> int:
    """The action with the best chance to win."""
    if len(legal) == 1:
        return legal[0]
    pegs = view.pegs[view.seat], view.pegs[1 - view.seat]
    if view.laying:
        ranked = outlook.choices(view.hand, pegs, dealer=view.dealer == view.seat, target=view.target)
        return LAY + sum(1 << view.hand.index(card) for card in ranked[0].laid)
    s = LAYOUT.plain()
    restore(s, view)
    near = view.target - max(pegs) <= NEAR
    if near or view.counts[1 - view.seat] <= ahead.FEW:
        return ahead.best(s, random)
    return int(best_card(s, view.seat, stored("weights"), [0] * TUPLES))


def expected(view: CribbageView, cards: Unseen, laid: tuple[Card, ...]) -> float:
    """The mean of hand and crib together if ``laid`` goes into the crib, which counts for the dealer."""
    kept = [card for card in view.hand if card not in laid]
    crib = cards.crib(laid)
    return cards.hand(kept) + (crib if view.dealer == view.seat else -crib)


# Strategies that are kernels


POLICIES = {"quick": "Keeps the four cards that count most as they lie, and plays the card that scores most now."}
FIVES = 15 << 16
FIFTEEN = 15


@kernel
def choose(s, policy, rng, scratch):
    """The discards that leave and bring the most; the card that scores most, or spoils least."""
    if s.phase == LAYING:
        return laid(s, scratch)
    cards = fitting(s, s.player)
    return scoring_card(s, cards, scratch) if cards else GO


@kernel
def laid(s, scratch):
    """The cards to lay away: what stays counts double, what goes counts for or against."""
    n = legal(s, scratch)
    hand = s.hand[s.player]
    sign = 1 if s.player == s.dealer else -1
    chosen = scratch[0]
    best = -(1 << 20)
    for i in range(n):
        away = at_places(hand, scratch[i] - LAY)
        worth = 4 * rank_points(hand & ~away) + sign * (3 * rank_points(away) + 4 * size(away & FIVES))
        if worth > best:
            best = worth
            chosen = scratch[i]
    return chosen


@kernel
def scoring_card(s, cards, scratch):
    """The card that scores most now; of equals one that leaves no easy fifteen or thirty-one, and then the highest."""
    k = s.plays - s.first
    for i in range(k):
        scratch[i] = s.trail[s.first + i]
    chosen = 0
    best = -(1 << 20)
    while cards:
        card = lowest(cards)
        cards &= cards - 1
        scratch[k] = card
        count = s.count + value_of(card)
        worth = 64 * play_points(scratch, 0, k + 1, count) + card
        if count == 5 or count == 21:
            worth -= 70
        if (count < FIFTEEN and count > 5) or (count > 21 and count < MOST):
            worth -= 20
        if worth > best:
            best = worth
            chosen = card
    return chosen


@kernel
def observe_action(s, seat, a):
    """Of cards laid away the other seat sees nothing but that they are."""
    return ACTIONS if a >= LAY and seat != s.player else a
