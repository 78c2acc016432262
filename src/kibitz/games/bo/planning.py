"""The plays of one turn of Bo, looked ahead by kernels: which first play leads to the best place to stop.

    spot        a position reached by plays that do not end the turn, as the play that led there and the spot before it
    way         the plays from the start to a spot
    prospect    where the look-ahead stops: a stockpile card (the next one is unknown), a card that ends the turn, the
                last play of the turn, the last card of the hand (five new ones are drawn), or nothing left to play

Spots are met breadth first, each once.  The way to a spot is played on the position itself and taken back again, so a
look-ahead changes nothing.  What prospects are worth is said by ``prospects``; ``lookahead`` is the same idea in plain
Python, with other worths.  What the constants say lies in ``room``.
"""

from kibitz.cards.sets import lowest
from kibitz.games.bo.hands import hand_is_empty
from kibitz.games.bo.piles import NONE, completes, matches, turn_up
from kibitz.games.bo.plays import FROM_PILE, NO_PLAY, SOURCE, STOCK, source_card
from kibitz.games.bo.prospects import (
    ENDED_BY,
    PROSPECTS,
    at_rest,
    best_ending,
    look_at_rivals,
    refilled,
    stock_card_played,
)
from kibitz.kernel import kernel

TRIED = 250
"""So many plays are tried from spots before the look-ahead makes do with what it has met."""
MARKS = 1024
"""Places of the table of spots that have been met: more than twice as many as there are spots."""
WAYS = 5
"""No turn has more plays."""
MET = PROSPECTS
"""Behind what ``prospects`` needs, ``room`` has what has been met, as numbers,"""
BEFORE, PLAYED, LENGTH = MET + MARKS, MET + MARKS + TRIED + 1, MET + MARKS + 2 * (TRIED + 1)
"""then for every spot the one before it, the play between them and how many plays lead to it,"""
WAY = MET + MARKS + 3 * (TRIED + 1)
"""the way to the spot that is looked at,"""
UNDO = WAY + WAYS
"""and what each play of it has changed: six numbers."""
ROOM = UNDO + 6 * WAYS
LOW = (1 << 48) - 1
WORST = -(1 << 40)


@kernel
def planned(s, room):
    """The first play on the way to the best prospect; the only legal action where nothing can be played."""
    for i in range(MARKS):
        room[MET + i] = 0
    own = s.stock[8 * s.player + s.stocked[s.player] - 1]
    look_at_rivals(s, room)
    is_new(s, room)
    room[BEFORE] = NONE
    room[LENGTH] = 0
    spots = 1
    tried = 0
    best = WORST
    chosen = NO_PLAY
    i = 0
    while i < spots:
        length = room[LENGTH + i]
        go(s, room, i)
        left = s.plays_a_turn - s.plays - length
        worth = standing(s, room, own, i, left)
        if worth > best:
            best = worth
            chosen = room[WAY]
        if left:
            worth = stopping(s, room, own, left)
            if worth > best:
                best = worth
                chosen = room[WAY] if length else room[ENDED_BY]
            if tried < TRIED:
                met = spots
                for source in range(FROM_PILE + 4 * s.players):
                    card = source_card(s, source)
                    piles = matches(s, card) if card != NONE and source != STOCK else 0
                    while piles and tried < TRIED:
                        pile = lowest(piles)
                        piles &= piles - 1
                        tried += 1
                        enter(s, room, SOURCE * source + pile, length)
                        if is_new(s, room):
                            room[BEFORE + spots] = i
                            room[PLAYED + spots] = SOURCE * source + pile
                            room[LENGTH + spots] = length + 1
                            spots += 1
                        leave(s, room, length)
                if met == spots and worth == WORST and i:
                    worth = at_rest(s, room, own)
                    if worth > best:
                        best = worth
                        chosen = room[WAY]
        for step in range(length):
            leave(s, room, length - 1 - step)
        i += 1
    return room[PLAYED + 1] if chosen == NO_PLAY and spots > 1 else chosen


@kernel
def standing(s, room, own, i, left):
    """What it is worth to have come to a spot, where the turn is over with it or five new cards are drawn."""
    if i and left == 0:
        return at_rest(s, room, own)
    if i and hand_is_empty(s):
        return refilled(s, room, own, left)
    return WORST


@kernel
def stopping(s, room, own, left):
    """The best of the stockpile card, and of a card that ends the turn; ``room[ENDED_BY]`` is the play."""
    best = best_ending(s, room, own)
    piles = matches(s, own)
    while piles:
        pile = lowest(piles)
        piles &= piles - 1
        worth = stock_card_played(s, room, own, pile, left)
        if worth > best:
            best = worth
            room[ENDED_BY] = SOURCE * STOCK + pile
    return best


@kernel
def go(s, room, i):
    """Play the way to a spot, which is noted in ``room[WAY:]``."""
    length = room[LENGTH + i]
    for step in range(length):
        room[WAY + length - 1 - step] = room[PLAYED + i]
        i = room[BEFORE + i]
    for step in range(length):
        enter(s, room, room[WAY + step], step)


@kernel
def enter(s, room, a, step):
    """Put a card where a play puts it; what that changes is noted, to be taken back by ``leave``."""
    source = a // SOURCE
    pile = a % SOURCE
    card = source_card(s, source)
    at = UNDO + 6 * step
    room[at] = source
    room[at + 1] = pile
    room[at + 2] = card
    room[at + 3] = s.top[pile]
    room[at + 4] = s.under[card]
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
def leave(s, room, step):
    """Take back a play."""
    at = UNDO + 6 * step
    source = room[at]
    card = room[at + 2]
    turn_up(s, room[at + 1], room[at + 3])
    s.under[card] = room[at + 4]
    if source < STOCK:
        s.hand[5 * s.player + source] = card
    else:
        turn_up(s, source - FROM_PILE + 4, card)


@kernel
def is_new(s, room):
    """Whether no spot with these cards on top and in hand has been met; it is now."""
    number = 0
    for pile in range(4 + 4 * s.players):
        number = (number * 131 + s.top[pile] + 2) & LOW
    for place in range(5 * s.player, 5 * s.player + s.hand_size):
        number = (number * 131 + s.hand[place] + 2) & LOW
    number += 1
    i = ((number & 0xFFFFFFFF) * 40503 >> 16) % MARKS
    while room[MET + i]:
        if room[MET + i] == number:
            return False
        i = (i + 1) % MARKS
    room[MET + i] = number
    return True
