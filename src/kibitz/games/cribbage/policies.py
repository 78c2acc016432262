"""A strategy for cribbage as a kernel: keeps what counts at once, and plays the card that scores most now."""

from kibitz.cards.sets import at_places, lowest, size
from kibitz.games.cribbage.counting import MOST, play_points, rank_points, value_of
from kibitz.games.cribbage.dealing import LAYING
from kibitz.games.cribbage.playing import fitting
from kibitz.games.cribbage.rules import ACTIONS, GO, LAY, legal
from kibitz.kernel import kernel

POLICIES = {"quick": "Keeps the four cards that count most as they lie, and plays the card that scores most now."}
FIVES = 15 << 16
FIFTEEN = 15


@kernel
def choose(s, policy, rng, scratch):
    """The discards that leave and bring the most; the card that scores most, or spoils least."""
    if s.phase == LAYING:
        return laid(s, scratch)
    cards = fitting(s, s.player)
    return best_card(s, cards, scratch) if cards else GO


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
def best_card(s, cards, scratch):
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
