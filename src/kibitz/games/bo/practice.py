"""Games of Bo played by ``planning``, one after another, with what is learned from: every place where it stopped.

tables      experience one after the other, NUMBERS each with a 0 after it; a seat plays by one of them
parts       the numbers that name what a place is worth (``standing``), PARTS for each place
who         for each place, ``4 * game + seat``
"""

from kibitz.cards.chance import rekey
from kibitz.games.bo.planning import BITS, WAY, plan
from kibitz.games.bo.plays import SOURCE, STOCK
from kibitz.games.bo.rules import apply, deal, legal
from kibitz.games.bo.standing import NUMBERS, PARTS, name_parts
from kibitz.kernel import kernel


@kernel
def games(states, tables, seated, room, parts, who, winners, key, first, last, limit, daring):
    """Play games ``first`` to ``last - 1`` in ``states[0]``; the number of places.  ``states[1]`` is for lots.

    Seat ``p`` of game ``i`` plays by table ``seated[4 * i + p]``.  The winners go to ``winners``, -1 for nobody.
    """
    s = states[0]
    n = 0
    for i in range(first, last):
        deal(s, i & 0xFFFFFFFF, i >> 32, key, 0)
        rekey(states[1], i & 0xFFFFFFFF, i >> 32, key, 1)
        while not s.over:
            n = advance(s, tables, seated, room, parts, who, i, n, limit, states[1], daring)
        winners[i] = s.winner
    return n


@kernel
def advance(s, tables, seated, room, parts, who, i, n, limit, lots, daring):
    """Play up to the next place to stop, and note it; the number of places."""
    p = s.player
    plays = s.plays
    if legal(s, room) == 1:
        apply(s, room[0])
        return n
    at = (NUMBERS + 1) * seated[4 * i + p]
    length = plan(s, tables[at : at + NUMBERS], room, limit, lots, daring)
    way = room[WAY]
    if length == 0:
        legal(s, room)
        apply(s, room[0])
        return n
    for j in range(length):
        a = way >> BITS * j & (1 << BITS) - 1
        apply(s, a)
    if not s.over and n < len(who):
        name_parts(s, p, int(a // SOURCE == STOCK), s.plays_a_turn - plays - length, parts, PARTS * n)
        who[n] = 4 * i + p
        n += 1
    return n
