"""Whole turns of Huxxy in machine code: which there are to choose from, and what comes of them among ``greedy``.

    turn        WIDTH numbers: HELD, a set of faces that stay in hand; ALONE, groups that stay as they are, as bits;
                GROUPS, how many groups the table has then, and these as pairs of sets in ONCE and TWICE
    share       of the first place, in 12ths: ties of two, three and four divide it

Every turn is the best one that the search finds with some cards held back and some groups left alone.
"""

from kibitz.cards.chance import rekey
from kibitz.cards.sets import lowest
from kibitz.games.huxxy import work
from kibitz.games.huxxy.plays import PICK_UP, write
from kibitz.games.huxxy.rules import apply, finish, next_turn, returns, tidy
from kibitz.games.huxxy.turns import solve
from kibitz.kernel import kernel

HELD, ALONE, GROUPS, ONCE, TWICE = 0, 1, 2, 3, 3 + work.SLOTS
WIDTH = TWICE + work.SLOTS
WHOLE = 12
LOT = 77
"""The third word of keys by which stocks are drawn."""


@kernel
def list_turns(s, w, turns, most):
    """Write up to ``most`` turns of the mover into ``turns``, the best one first; how many.

    From each of them others are found: without one of the cards that it lays, or of the groups that it changes.
    """
    n = add_turn(s, w, turns, 0, 0, 0)
    i = 0
    while i < n:
        cards = laid(s, turns, i)
        while cards and n < most:
            n = add_turn(s, w, turns, n, turns[i][HELD] | cards & -cards, turns[i][ALONE])
            cards &= cards - 1
        for g in range(s.groups):
            before = turns[i][ONCE + g] == s.group_once[g] and turns[i][TWICE + g] == s.group_twice[g]
            if n < most and not before:
                n = add_turn(s, w, turns, n, turns[i][HELD], turns[i][ALONE] | 1 << g)
        i += 1
    return n


@kernel
def add_turn(s, w, turns, n, held, alone):
    """Write the best turn that holds some cards and leaves some groups alone into ``turns[n]``, if it is a new one."""
    if not find_turn(s, w, held, alone, 0):
        return n
    turns[n][HELD] = held
    turns[n][ALONE] = alone
    turns[n][GROUPS] = w[work.BEST_GROUPS]
    for g in range(work.SLOTS):
        there = g < w[work.BEST_GROUPS]
        turns[n][ONCE + g] = w[work.BEST_ONCE + g] if there else 0
        turns[n][TWICE + g] = w[work.BEST_TWICE + g] if there else 0
    for i in range(n):
        same = True
        for k in range(ONCE, WIDTH):
            same = same and turns[i][k] == turns[n][k]
        if same:
            return n
    return n + 1


@kernel
def find_turn(s, w, held, alone, limit):
    """Search the best turn of the mover, which ``w`` has then; false if there is none."""
    p = s.player
    for g in range(s.groups):
        w[work.ONCE + g] = 0 if alone >> g & 1 else s.group_once[g]
        w[work.TWICE + g] = 0 if alone >> g & 1 else s.group_twice[g]
    w[work.GROUPS] = s.groups
    w[work.HAND_ONCE] = s.hand_once[p] & ~held
    w[work.HAND_TWICE] = s.hand_twice[p] & ~held
    if not solve(w, work.CARDS, s.plays_a_turn, 1, 0 if s.opened[p] else s.opening, 1, limit):
        return False
    for g in range(s.groups):
        if alone >> g & 1:
            w[work.BEST_ONCE + g] = s.group_once[g]
            w[work.BEST_TWICE + g] = s.group_twice[g]
    return True


@kernel
def laid(s, turns, i):
    """The faces that a turn lays from the hand."""
    found = 0
    faces = s.hand_once[s.player]
    while faces:
        card = lowest(faces)
        faces &= faces - 1
        more = 0
        for g in range(turns[i][GROUPS]):
            more += (turns[i][ONCE + g] >> card & 1) + (turns[i][TWICE + g] >> card & 1)
        for g in range(s.groups):
            more -= (s.group_once[g] >> card & 1) + (s.group_twice[g] >> card & 1)
        if more:
            found |= 1 << card
    return found


@kernel
def lay(s, table, once, twice, groups):
    """The turn of the mover after which the table has the groups at ``table[once:]`` and ``table[twice:]``."""
    p = s.player
    before = s.groups
    gone_once = 0
    gone_twice = 0
    faces = s.hand_once[p]
    while faces:
        bit = faces & -faces
        card = lowest(faces)
        faces ^= bit
        more = 0
        for g in range(groups):
            more += (table[once + g] >> card & 1) + (table[twice + g] >> card & 1)
        for g in range(before):
            more -= (s.group_once[g] >> card & 1) + (s.group_twice[g] >> card & 1)
        gone_once |= bit if more else 0
        gone_twice |= bit if more > 1 else 0
        for _ in range(more):
            write(s, card)
    left_twice = s.hand_twice[p] & ~gone_once
    s.hand_once[p] &= ~gone_once | s.hand_twice[p] & ~gone_twice
    s.hand_twice[p] = left_twice
    for g in range(groups):
        s.group_once[g] = table[once + g]
        s.group_twice[g] = table[twice + g]
    s.groups = groups
    tidy(s)
    s.opened[p] = 1
    if s.hand_once[p] == 0:
        finish(s)
    else:
        next_turn(s)


@kernel
def go_on(s, w, limit):
    """Play to the end as ``greedy`` does, in every turn to so many steps of its search (0: to its end)."""
    while not s.over:
        if find_turn(s, w, 0, 0, limit):
            lay(s, w, work.BEST_ONCE, work.BEST_TWICE, w[work.BEST_GROUPS])
        else:
            apply(s, PICK_UP)


@kernel
def share(s, out, seat):
    """What a seat has of the first place, in 12ths."""
    returns(s, out)
    first = 0
    for p in range(s.players):
        if out[p] > out[seat]:
            return 0
        first += out[p] == out[seat]
    return WHOLE // first


@kernel
def end_of(states, raw, words, turns, i, w, out, limit):
    """The share of ``states[0]``'s mover if it takes turn ``i`` (-1: picks up) and all go on, in ``states[1]``."""
    for k in range(words):
        raw[words + k] = raw[k]
    s = states[1]
    seat = s.player
    if i < 0:
        apply(s, PICK_UP)
    else:
        lay(s, turns[i], ONCE, TWICE, turns[i][GROUPS])
    go_on(s, w, limit)
    return share(s, out, seat)


@kernel
def first_won(states, raw, words, turns, n, w, out, ends):
    """Write what comes of each turn, the pick-up last, with the stock as it is, up to one that comes first; which."""
    best = 0
    for i in range(n + 1):
        ends[i] = end_of(states, raw, words, turns, i if i < n else -1, w, out, 0)
        if ends[i] > ends[best]:
            best = i
        if ends[i] == WHOLE:
            break
    return best


@kernel
def by_lot(states, raw, words, turns, n, w, out, limit, key, lots, ends):
    """Write what comes of each turn, the pick-up last, with each of so many stocks drawn by lot."""
    for lot in range(lots):
        rekey(states[0], key, lot, LOT, 0)
        for i in range(n + 1):
            ends[lot * (n + 1) + i] = end_of(states, raw, words, turns, i if i < n else -1, w, out, limit)
