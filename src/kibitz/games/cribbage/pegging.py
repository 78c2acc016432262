"""Which card to play: points at once, and what experience says of the position that the card leaves.

    weights     experience: numbers in units of 1 / POINT, of which each position that a card leaves names TUPLES; their
                sum is how much more its player pegs from then on than the other seat, the card's own points left out
    rest        the group of the cards that the player has left;  ``theirs`` the group that the other seat has played
    out         whether the other seat plays no more in this count;  ``left`` how many cards it holds

Experience comes from games of such players among themselves (``study``).
"""

from kibitz.cards.sets import lowest, size
from kibitz.games.cribbage.counting import FIFTEEN, MOST, play_points, value_of
from kibitz.games.cribbage.playing import fitting
from kibitz.games.cribbage.sums import GROUPS, OF_FOUR, RANKS, group_of
from kibitz.kernel import kernel

POINT = 64
COUNTS = MOST + 1
SMALL = OF_FOUR
"""Groups of at most three cards."""
PAST = RANKS + 1
"""A card before, or none."""
LIVE = 17

REST_COUNT = 0
LAST_TWO = REST_COUNT + 10 * SMALL * COUNTS
REST_LAST = LAST_TWO + 10 * COUNTS * RANKS * PAST
LAST_THREE = REST_LAST + 5 * SMALL * RANKS
THEIRS_LAST = LAST_THREE + 5 * RANKS * PAST * PAST
THEIRS_COUNT = THEIRS_LAST + GROUPS * RANKS
LAST_SEEN = THEIRS_COUNT + GROUPS * COUNTS
COUNT_LIVE = LAST_SEEN + 10 * 4 * RANKS
WEIGHTS = COUNT_LIVE + 10 * COUNTS * LIVE
TUPLES = 8


@kernel
def name_weights(s, seat, card, out):
    """Write the places of the weights that the position names once ``seat`` has played ``card``."""
    rest = s.hand[seat] ^ 1 << card
    other = 1 - seat
    left = size(s.hand[other])
    turn = 2 * left + (1 if left == 0 or s.went >> other & 1 else 0)
    count = s.count + value_of(card)
    last = card >> 2
    before = s.trail[s.plays - 1] >> 2 if s.plays > s.first else RANKS
    third = s.trail[s.plays - 2] >> 2 if s.plays > s.first + 1 else RANKS
    theirs = 0
    seen = s.hand[seat] | s.away[seat] | 1 << s.starter
    for i in range(s.plays):
        seen |= 1 << s.trail[i]
        if s.by[i] == other:
            theirs |= 1 << s.trail[i]
    mine = group_of(rest)
    group = group_of(theirs)
    out[0] = REST_COUNT + (turn * SMALL + mine) * COUNTS + count
    out[1] = LAST_TWO + ((turn * COUNTS + count) * RANKS + last) * PAST + before
    out[2] = REST_LAST + (left * SMALL + mine) * RANKS + last
    out[3] = LAST_THREE + ((left * RANKS + last) * PAST + before) * PAST + third
    out[4] = THEIRS_LAST + group * RANKS + last
    out[5] = THEIRS_COUNT + group * COUNTS + count
    out[6] = LAST_SEEN + (turn * 4 + size(seen >> 4 * last & 15) - 1) * RANKS + last
    out[7] = COUNT_LIVE + (turn * COUNTS + count) * LIVE + live(seen, count)


@kernel
def live(seen, count):
    """How many cards that are not seen would bring a count to fifteen or to 31 at once."""
    value = FIFTEEN - count if count < FIFTEEN else MOST - count
    if value < 1 or value > 10:
        return 0
    if value == 10:
        return 16 - size(seen >> 36)
    return 4 - size(seen >> 4 * (value - 1) & 15)


@kernel
def scored_at_once(s, card):
    """The points for playing a card now."""
    held = s.trail[s.plays]
    s.trail[s.plays] = card
    points = play_points(s.trail, s.first, s.plays + 1, s.count + value_of(card))
    s.trail[s.plays] = held
    return points


@kernel
def play_value(s, seat, card, weights, out):
    """What ``seat`` pegs from now on above the other if it plays ``card``, in units of 1 / POINT."""
    name_weights(s, seat, card, out)
    value = scored_at_once(s, card) * POINT
    for i in range(TUPLES):
        value += weights[out[i]]
    return value


@kernel
def best_card(s, seat, weights, out):
    """The card to play; one of them must fit.  Of equal ranks and equal values the lowest card is played."""
    cards = fitting(s, seat)
    best = lowest(cards)
    cards &= cards - 1
    if not cards:
        return best
    highest = play_value(s, seat, best, weights, out)
    rank = best >> 2
    while cards:
        card = lowest(cards)
        cards &= cards - 1
        if card >> 2 == rank:
            continue
        rank = card >> 2
        value = play_value(s, seat, card, weights, out)
        if value > highest:
            highest = value
            best = card
    return best
