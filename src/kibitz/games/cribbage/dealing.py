"""Dealing a hand of cribbage, and what stays known of the hand before.

pegs        the score of this game, never above ``target``; ``points`` what the games so far count in the match
trail       the cards played in this deal, in order, ``by`` whom, and ``plays`` how many
past_...    how the deal before this one went, as far as it was shown
"""

from kibitz.cards.drawing import handful
from kibitz.kernel import kernel

NONE = -1
TRAIL = 8
"""No more cards are played in one deal."""
LAYING, PLAYING = 0, 1
"""The phases; the show needs no decision."""


@kernel
def deal_hands(s):
    """Keep what was seen of the last deal, and deal both seats their hands."""
    keep_past(s)
    for p in range(2):
        s.pegs[p] = s.pegs[p] if s.deals else 0
        s.away[p] = 0
        s.floor[p] = 1
    s.deals += 1
    s.phase = LAYING
    s.starter = NONE
    s.plays = 0
    s.crib_shown = 0
    start_count(s)
    leader = 1 - s.dealer
    s.hand[leader] = handful(s, s.pack, s.hand_size)
    s.hand[s.dealer] = handful(s, s.pack & ~s.hand[leader], s.hand_size)
    for i in range(TRAIL):
        s.trail[i] = NONE
        s.by[i] = NONE
    s.player = leader


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
