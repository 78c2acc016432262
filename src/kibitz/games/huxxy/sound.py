"""Random games in which every turn that is begun can be ended: random play as such soon has to concede.

    sound       a play after which the turn can still be ended; picking up and ending are always sound

An action is drawn uniformly from all sound ones: from the legal ones, until a sound one comes up.
Where the chances need not be equal, ``drawing`` is a thousand times as fast.
"""

from kibitz.cards.chance import below
from kibitz.games.huxxy.plays import CONCEDE, MOVE, NONE, PICK_UP, PLAY, SLOTS, carry, put_back, source_of
from kibitz.games.huxxy.rules import apply, deal, legal
from kibitz.games.huxxy.turns import solve
from kibitz.games.huxxy.work import ANY, GROUPS, HAND_ONCE, HAND_TWICE, ONCE, TWICE
from kibitz.kernel import kernel


@kernel
def load(s, w):
    """Write the table and the mover's hand into a work array."""
    for g in range(s.groups):
        w[ONCE + g] = s.group_once[g]
        w[TWICE + g] = s.group_twice[g]
    w[GROUPS] = s.groups
    w[HAND_ONCE] = s.hand_once[s.player]
    w[HAND_TWICE] = s.hand_twice[s.player]


@kernel
def can_end(s, w):
    """Whether the mover can end a turn on the table from here."""
    load(s, w)
    need = 0 if s.opened[s.player] else s.opening - s.points
    return solve(w, ANY, s.plays_a_turn - s.plays, 1 - (s.placed > 0), need, 1, 0)


@kernel
def is_sound(s, a, w):
    """Whether a legal action leaves the turn one that can be ended, or ends it."""
    if a < PLAY:
        return a != CONCEDE
    goal = (a - PLAY) % SLOTS
    groups = s.groups
    if a < MOVE:
        source = NONE
        card = (a - PLAY) // SLOTS
    else:
        found = source_of(s, (a - MOVE) // SLOTS)
        source = found >> 6
        card = found & 63
    carry(s, card, source, goal)
    sound = can_end(s, w) != 0
    put_back(s, card, source, goal, groups)
    return sound


@kernel
def choose(s, out, w):
    """A uniformly random sound action."""
    n = legal(s, out)
    if s.plays == 0 and not can_end(s, w):
        return PICK_UP
    while True:
        a = out[below(s, n)]
        if is_sound(s, a, w):
            return a


@kernel
def playout(s, out, w):
    """Play ``s`` to its end with random sound actions; return how many."""
    steps = 0
    while not s.over:
        apply(s, choose(s, out, w))
        steps += 1
    return steps


@kernel
def playouts(states, out, w, steps, key, first, last):
    """Deal and play games ``first`` to ``last - 1`` in ``states[0]``; their lengths go to ``steps``."""
    s = states[0]
    for i in range(first, last):
        deal(s, key, 0, i & 0xFFFFFFFF, i >> 32)
        steps[i] = playout(s, out, w)
