"""Dealing a hand of cribbage, and what stays known of the hand before.

phase       what comes next: a decision in LAYING and PLAYING, in the others a step that follows by itself
trail       the cards played in this deal, in order, ``by`` whom, and ``plays`` how many
past_...    how the deal before this one went, as far as it was shown
"""

from kibitz.cards.drawing import handful
from kibitz.kernel import kernel

NONE = -1
TRAIL = 8
"""No more cards are played in one deal."""
LAYING, PLAYING, TURNING_UP, COUNT_OVER, NON_DEALER, DEALER, CRIB, DEALING, WON = range(9)
"""The phases; the show goes from one to the next: the hand of who did not deal, the dealer's, the crib, a new deal."""


@kernel
def clear(s):
    """Empty the table: nothing has been cut, dealt or scored."""
    s.over = 0
    s.game = 0
    s.deals = 0
    s.dealer = 0
    for p in range(2):
        s.cut[p] = NONE
        s.pegs[p] = 0
        s.points[p] = 0
    clear_deal(s)
    keep_past(s)


@kernel
def deal_hands(s):
    """Keep what was seen of the last deal, and deal both seats their hands."""
    keep_past(s)
    clear_deal(s)
    if s.deals == 0:
        s.pegs[0] = 0
        s.pegs[1] = 0
    s.deals += 1
    s.player = 1 - s.dealer
    s.hand[s.player] = handful(s, s.pack, s.hand_size)
    s.hand[s.dealer] = handful(s, s.pack & ~s.hand[s.player], s.hand_size)


@kernel
def clear_deal(s):
    """Nothing has been laid away, turned up or played."""
    s.phase = LAYING
    s.starter = NONE
    s.plays = 0
    s.crib_shown = 0
    start_count(s)
    for p in range(2):
        s.hand[p] = 0
        s.away[p] = 0
        s.floor[p] = 1
    for i in range(TRAIL):
        s.trail[i] = NONE
        s.by[i] = NONE


@kernel
def keep_past(s):
    """Note how the deal went that is over now."""
    for i in range(TRAIL):
        s.past_trail[i] = s.trail[i]
        s.past_by[i] = s.by[i]
    s.past_plays = s.plays
    s.past_starter = s.starter
    s.past_crib = s.away[0] | s.away[1] if s.crib_shown else 0
    for p in range(2):
        s.past_pegs[p] = s.pegs[p]


@kernel
def start_count(s):
    """The next card starts a count."""
    s.first = s.plays
    s.count = 0
    s.went = 0
