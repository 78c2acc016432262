"""The plays of one turn of Bo, looked ahead by kernels: which first play leads to the best place to stop.

    spot        a position reached by plays that do not end the turn, as the play that led there and the spot before it
    way         the plays from the start to a spot
    prospect    where the look-ahead stops: a stockpile card (the next one is unknown), a card that ends the turn, the
                last play of the turn, the last card of the hand (five new ones are drawn), or nothing left to play
    number      a position's cards on top and in hand as a number, by which spots are told apart

Spots are met breadth first, each once.  The way to a spot is played on the position itself and taken back again, so a
look-ahead changes nothing.  What prospects are worth is said by ``prospects``, and what the constants say lies in
``scratch``.  ``lookahead`` is the same idea in plain Python: easier to read, and the opponent by whom strength has been
measured from the start.
"""

from kibitz.cards.sets import lowest
from kibitz.games.bo.endings import note_endings
from kibitz.games.bo.hands import hand_is_empty
from kibitz.games.bo.piles import NONE, completes, matches, turn_up
from kibitz.games.bo.plays import FROM_PILE, NO_PLAY, SOURCE, STOCK, source_card
from kibitz.games.bo.prospects import (
    KEPT,
    NOTED,
    NOTES,
    PROSPECTS,
    WIN,
    at_rest,
    is_enough,
    lay_out_worths,
    look_at_rivals,
    offer,
    refilled,
    stock_card_played,
)
from kibitz.kernel import kernel

TRIED = 1000
"""No more plays are tried from spots: in plain Python that takes a tenth of a second at most."""
MARKS = 2048
"""Places of the table of spots that have been met: more than twice as many as there are spots."""
FEW, SOME = 60, 128
"""Where no more than a few plays are tried some of the places do: all that are used must be emptied every time."""
WAYS = 5
"""No turn has more plays."""
TRIES = PROSPECTS
"""Behind what ``prospects`` needs, ``scratch`` has how many plays are tried, TRIED at most;"""
HASTE = PROSPECTS + 1
"""what is left out to save time;"""
SPENT = PROSPECTS + 2
"""to which is added how many spots were looked at, twice where more was weighed there than stockpile cards;"""
MARKED, MET = PROSPECTS + 3, PROSPECTS + 4
"""how many places are used for what has been met, and that, as numbers;"""
BEFORE, PLAYED, LENGTH, NUMBER = (MET + MARKS + k * (TRIED + 1) for k in range(4))
"""for every spot the one before it, the play between them, how many plays lead to it, and its number;"""
WAY = NUMBER + TRIED + 1
"""the way that has been played,"""
WANTED = WAY + WAYS
"""the way to the spot that is looked at,"""
UNDO = WANTED + WAYS
"""and what each play of it has changed: six numbers."""
SCRATCH = UNDO + 6 * WAYS
NOTHING, LONGER, OTHERS = range(3)
"""What may be left out: longer ways than the shortest to a stockpile card, and whatever plays no stockpile card too."""
LOW = (1 << 48) - 1
ENDS, ON = range(2)
"""Where a turn stops at a spot: with a card that ends it, or with a stockpile card."""
HAND = 20
"""Behind the piles come the places of the hand."""


@kernel
def planned(s, scratch):
    """The first play on the way to the best prospect; the only legal action where nothing can be played."""
    lay_out_worths(s, scratch)
    scratch[KEPT] = 1
    scratch[TRIES] = TRIED
    scratch[HASTE] = NOTHING
    look_ahead(s, scratch)
    return first_play(scratch, 0)


@kernel
def look_ahead(s, scratch):
    """Note the best prospects of the turn, by worths that are in ``scratch``; how many, one at least."""
    scratch[MARKED] = MARKS if scratch[TRIES] > FEW else SOME
    for i in range(scratch[MARKED]):
        scratch[MET + i] = 0
    own = s.stock[8 * s.player + s.stocked[s.player] - 1]
    look_at_rivals(s, scratch)
    scratch[NOTED] = 0
    scratch[BEFORE] = NONE
    scratch[LENGTH] = 0
    scratch[NUMBER] = number_of(s)
    is_new(scratch, scratch[NUMBER])
    spots = 1
    tried = 0
    gone = 0
    i = 0
    longest = WAYS
    while i < spots and (scratch[NOTED] == 0 or scratch[NOTES] < scratch[WIN]):
        length = scratch[LENGTH + i]
        if length > longest:
            break
        go(s, scratch, i, gone)
        gone = length
        left = s.plays_a_turn - s.plays - length
        stops = note_stops(s, scratch, own, i, left)
        if stops == ON and scratch[HASTE]:
            longest = length
        elif tried < scratch[TRIES] and (left > 1 or (left and not is_enough(scratch))):
            met = spots
            for source in range(FROM_PILE + 4 * s.players):
                card = source_card(s, source)
                piles = matches(s, card) if card != NONE and source != STOCK else 0
                while piles and tried < scratch[TRIES]:
                    pile = lowest(piles)
                    piles &= piles - 1
                    tried += 1
                    number = number_after(s, scratch[NUMBER + i], source, card, pile)
                    if is_new(scratch, number):
                        scratch[BEFORE + spots] = i
                        scratch[PLAYED + spots] = SOURCE * source + pile
                        scratch[LENGTH + spots] = length + 1
                        scratch[NUMBER + spots] = number
                        spots += 1
            if met == spots and stops == NONE and i:
                offer(scratch, at_rest(s, scratch, own), i, NONE)
        i += 1
    for step in range(gone):
        leave(s, scratch, gone - 1 - step)
    scratch[SPENT] += i if scratch[HASTE] == OTHERS else 2 * i
    if scratch[NOTED] == 0:
        offer(scratch, 0, 0, scratch[PLAYED + 1] if spots > 1 else NO_PLAY)
    return scratch[NOTED]


@kernel
def note_stops(s, scratch, own, i, left):
    """Note what it is worth to stop at a spot; ON if a stockpile card goes there, ENDS if a card ends the turn."""
    enough = is_enough(scratch) or scratch[HASTE] == OTHERS
    if i and left == 0 and not enough:
        offer(scratch, at_rest(s, scratch, own), i, NONE)
    if left == 0:
        return NONE
    if i and hand_is_empty(s) and not enough:
        offer(scratch, refilled(s, scratch, own, left), i, NONE)
    stops = ENDS if enough or note_endings(s, scratch, own, i) else NONE
    piles = matches(s, own)
    while piles:
        pile = lowest(piles)
        piles &= piles - 1
        offer(scratch, stock_card_played(s, scratch, own, pile, left), i, SOURCE * STOCK + pile)
        stops = ON
    return stops


@kernel
def first_play(scratch, j):
    """The first play on the way to a prospect."""
    i = scratch[NOTES + 3 * j + 1]
    play = scratch[NOTES + 3 * j + 2]
    while scratch[LENGTH + i]:
        play = scratch[PLAYED + i]
        i = scratch[BEFORE + i]
    return play


@kernel
def plays_to(scratch, j, out, at):
    """Write all plays of a prospect into ``out[at:]``; how many."""
    i = scratch[NOTES + 3 * j + 1]
    n = scratch[LENGTH + i]
    out[at + n] = scratch[NOTES + 3 * j + 2]
    last = n + (out[at + n] != NONE)
    while n:
        n -= 1
        out[at + n] = scratch[PLAYED + i]
        i = scratch[BEFORE + i]
    return last


@kernel
def go(s, scratch, i, gone):
    """Play the way to a spot instead of the way of so many plays that leads to where the last one was."""
    length = scratch[LENGTH + i]
    for step in range(length):
        scratch[WANTED + length - 1 - step] = scratch[PLAYED + i]
        i = scratch[BEFORE + i]
    same = 0
    while same < gone and same < length and scratch[WAY + same] == scratch[WANTED + same]:
        same += 1
    for step in range(gone - same):
        leave(s, scratch, gone - 1 - step)
    for step in range(same, length):
        scratch[WAY + step] = scratch[WANTED + step]
        enter(s, scratch, scratch[WAY + step], step)


@kernel
def enter(s, scratch, a, step):
    """Put a card where a play puts it; what that changes is noted, to be taken back by ``leave``."""
    source = a // SOURCE
    pile = a % SOURCE
    card = source_card(s, source)
    at = UNDO + 6 * step
    scratch[at] = source
    scratch[at + 1] = pile
    scratch[at + 2] = card
    scratch[at + 3] = s.top[pile]
    scratch[at + 4] = s.under[card]
    if source < STOCK:
        s.hand[5 * s.player + source] = NONE
    else:
        turn_up(s, source - FROM_PILE + 4, s.under[card])
    if completes(s, card, pile):
        turn_up(s, pile, NONE)
    else:
        s.under[card] = s.top[pile]
        turn_up(s, pile, card)


@kernel
def leave(s, scratch, step):
    """Take back a play."""
    at = UNDO + 6 * step
    source = scratch[at]
    card = scratch[at + 2]
    turn_up(s, scratch[at + 1], scratch[at + 3])
    s.under[card] = scratch[at + 4]
    if source < STOCK:
        s.hand[5 * s.player + source] = card
    else:
        turn_up(s, source - FROM_PILE + 4, card)


@kernel
def code(place, card):
    """A card at a place, or NONE, as a number that tells it from others; places are piles, and then the hand's."""
    x = 128 * place + card + 2
    return (x * x * 0x2545F491 ^ x * 0x9E3779B1) & LOW


@kernel
def number_of(s):
    """The number of a position."""
    number = 0
    for pile in range(4 + 4 * s.players):
        number += code(pile, s.top[pile])
    for place in range(s.hand_size):
        number += code(HAND + place, s.hand[5 * s.player + place])
    return number


@kernel
def number_after(s, number, source, card, pile):
    """The number of the position that a play of a card leads to."""
    if source < STOCK:
        number += code(HAND + source, NONE) - code(HAND + source, card)
    else:
        origin = source - FROM_PILE + 4
        number += code(origin, s.under[card]) - code(origin, card)
    return number - code(pile, s.top[pile]) + code(pile, NONE if completes(s, card, pile) else card)


@kernel
def is_new(scratch, number):
    """Whether no spot with this number has been met; it is now."""
    last = scratch[MARKED] - 1
    i = (number ^ number >> 24) & last
    while scratch[MET + i]:
        if scratch[MET + i] == number:
            return False
        i = (i + 1) & last
    scratch[MET + i] = number
    return True
