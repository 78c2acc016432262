"""Candidate turns of Huxxy, as kernels, and the plays that carry them out.

    turn        TURN_SIZE numbers: HELD_BACK, the faces that stay in hand; LEFT_ALONE, the groups that stay as they are,
                as bits; GROUPS, how many groups the table has after the turn (NONE: no turn); ONCE and TWICE, the two
                bit sets of each of these groups
    w           scratch: the state of a search (``search_state``), then the turns, then the plays of one turn

Each turn is the best one that the search finds while some cards are held back and some groups are left alone.
"""

from kibitz.cards.sets import lowest, size
from kibitz.games.huxxy.actions import END, MAX_GROUPS, MOVE, PLAY
from kibitz.games.huxxy.groups import NONE, is_valid
from kibitz.games.huxxy.search_state import (
    BEST_GROUPS,
    BEST_ONCE,
    BEST_TWICE,
    CARDS,
    HAND_ONCE,
    HAND_TWICE,
    SEARCH_SIZE,
    SLOTS,
)
from kibitz.games.huxxy.search_state import GROUPS as SEARCH_GROUPS
from kibitz.games.huxxy.search_state import ONCE as SEARCH_ONCE
from kibitz.games.huxxy.search_state import TWICE as SEARCH_TWICE
from kibitz.games.huxxy.turn_search import solve
from kibitz.kernel import kernel

MAX_TURNS = 16
HELD_BACK, LEFT_ALONE, GROUPS, ONCE, TWICE = 0, 1, 2, 3, 3 + SLOTS
TURN_SIZE = TWICE + SLOTS
TURNS = SEARCH_SIZE
"""In ``w``, the turns."""
PLAYS = TURNS + MAX_TURNS * TURN_SIZE
"""In ``w``, the plays of a turn: face, source group (NONE: the hand) and target group of each."""
TABLE = PLAYS + 3 * 8
"""In ``w``, the table while actions are written, as two bit sets for each group."""
NUMBERS = TABLE + 2 * SLOTS
"""In ``w``, the number that each group has in actions; NONE for a new group before its first card."""
SCRATCH = NUMBERS + SLOTS


@kernel
def list_turns(s, w, max_turns, step_limit):
    """Note up to ``max_turns`` turns of the mover, the best one first; return how many.

    Only the first search is exhaustive. Further turns are derived from each turn, by holding back one of the cards that
    it lays, or by leaving alone one of the groups that it changes.
    """
    n = add_turn(s, w, 0, 0, 0, 0)
    i = 0
    while i < n:
        at = TURNS + TURN_SIZE * i
        cards = faces_laid(s, w, at)
        while cards and n < max_turns:
            n = add_turn(s, w, n, w[at + HELD_BACK] | cards & -cards, w[at + LEFT_ALONE], step_limit)
            cards &= cards - 1
        for g in range(s.groups):
            once = s.group_once[g]
            twice = s.group_twice[g]
            if n < max_turns and (w[at + ONCE + g] != once or w[at + TWICE + g] != twice) and is_valid(once, twice):
                n = add_turn(s, w, n, w[at + HELD_BACK], w[at + LEFT_ALONE] | 1 << g, step_limit)
        i += 1
    return n


@kernel
def add_turn(s, w, n, held_back, left_alone, step_limit):
    """Note the best turn that holds back some cards and leaves some groups alone, if no turn noted leads to its table.

    It becomes turn ``n``; return the new number of turns.
    """
    if not search_turn(s, w, held_back, left_alone, step_limit):
        return n
    at = TURNS + TURN_SIZE * n
    w[at + HELD_BACK] = held_back
    w[at + LEFT_ALONE] = left_alone
    w[at + GROUPS] = w[BEST_GROUPS]
    for g in range(SLOTS):
        exists = g < w[BEST_GROUPS]
        w[at + ONCE + g] = w[BEST_ONCE + g] if exists else 0
        w[at + TWICE + g] = w[BEST_TWICE + g] if exists else 0
    for i in range(n):
        is_same = True
        for k in range(ONCE, TURN_SIZE):
            is_same = is_same and w[TURNS + TURN_SIZE * i + k] == w[at + k]
        if is_same:
            return n
    return n + 1


@kernel
def search_turn(s, w, held_back, left_alone, step_limit):
    """Search for the best rest of the mover's turn, whose table is then in BEST_ONCE and BEST_TWICE; False if none."""
    p = s.player
    for g in range(s.groups):
        w[SEARCH_ONCE + g] = 0 if left_alone >> g & 1 else s.group_once[g]
        w[SEARCH_TWICE + g] = 0 if left_alone >> g & 1 else s.group_twice[g]
    w[SEARCH_GROUPS] = s.groups
    w[HAND_ONCE] = s.hand_once[p] & ~held_back
    w[HAND_TWICE] = s.hand_twice[p] & ~held_back
    min_points = 0 if s.opened[p] else max(0, s.opening - s.points)
    if not solve(w, CARDS, s.plays_a_turn - s.plays, 0 if s.placed else 1, min_points, 1, step_limit):
        return False
    for g in range(s.groups):
        if left_alone >> g & 1:
            w[BEST_ONCE + g] = s.group_once[g]
            w[BEST_TWICE + g] = s.group_twice[g]
    return True


@kernel
def faces_laid(s, w, at):
    """The faces that the turn at ``w[at:]`` lays from the hand: the table has more of them after it."""
    result = 0
    faces = s.hand_once[s.player]
    while faces:
        card = lowest(faces)
        faces &= faces - 1
        n_laid = 0
        for g in range(w[at + GROUPS]):
            n_laid += copies(w[at + ONCE + g], w[at + TWICE + g], card)
        for g in range(s.groups):
            n_laid -= copies(s.group_once[g], s.group_twice[g], card)
        if n_laid:
            result |= 1 << card
    return result


@kernel
def copies(once, twice, card):
    """How many copies of a card two bit sets have."""
    return (once >> card & 1) + (twice >> card & 1)


@kernel
def write_plays(s, w, once, twice, groups, out, at):
    """Write the actions that lead to the groups at ``w[once:]`` and ``w[twice:]``, and the end, into ``out[at:]``.

    Return how many there are.
    """
    n = 0
    for g in range(groups):
        faces = w[once + g]
        while faces:
            card = lowest(faces)
            faces &= faces - 1
            before = copies(s.group_once[g], s.group_twice[g], card) if g < s.groups else 0
            for _ in range(copies(w[once + g], w[twice + g], card) - before):
                w[PLAYS + 3 * n + 1] = source_group(s, w, once, twice, n, card)
                w[PLAYS + 3 * n] = card
                w[PLAYS + 3 * n + 2] = g
                n += 1
    return write_actions(s, w, n, groups, out, at)


@kernel
def source_group(s, w, once, twice, n, card):
    """The source of a card in the play after ``n`` noted plays: a group that has to lose it, or the hand (NONE)."""
    taken = 0
    for i in range(n):
        taken += w[PLAYS + 3 * i] == card
    for g in range(s.groups):
        lost = copies(s.group_once[g], s.group_twice[g], card) - copies(w[once + g], w[twice + g], card)
        if lost > 0:
            if taken < lost:
                return g
            taken -= lost
    return NONE


@kernel
def write_actions(s, w, n, groups, out, at):
    """Write the actions for ``n`` plays, those from the hand first, and for the end of the turn; return how many.

    The table is kept up to date in TABLE, since a table card's number depends on the cards before it.
    """
    for g in range(groups):
        exists = g < s.groups
        w[TABLE + g] = s.group_once[g] if exists else 0
        w[TABLE + SLOTS + g] = s.group_twice[g] if exists else 0
        w[NUMBERS + g] = g if exists else NONE
    next_number = s.groups
    n_written = 0
    for moves in range(2):  # first the plays from the hand, then the moves
        for i in range(n):
            card = w[PLAYS + 3 * i]
            source = w[PLAYS + 3 * i + 1]
            g = w[PLAYS + 3 * i + 2]
            if (source != NONE) == moves:
                if w[NUMBERS + g] == NONE:
                    w[NUMBERS + g] = next_number
                    next_number += 1
                target = w[NUMBERS + g]
                out[at + n_written] = PLAY + MAX_GROUPS * card + target
                if moves:
                    out[at + n_written] = MOVE + MAX_GROUPS * table_card_number(w, source, card) + target
                    bit = 1 << card
                    w[TABLE + source] &= w[TABLE + SLOTS + source] | ~bit
                    w[TABLE + SLOTS + source] &= ~bit
                w[TABLE + SLOTS + target] |= w[TABLE + target] & 1 << card
                w[TABLE + target] |= 1 << card
                n_written += 1
    out[at + n_written] = END
    return n_written + 1


@kernel
def table_card_number(w, source, card):
    """The number of a card in group ``source`` as a table card (see ``actions``)."""
    result = size(w[TABLE + source] & (1 << card) - 1)
    for g in range(source):
        result += size(w[TABLE + g])
    return result
