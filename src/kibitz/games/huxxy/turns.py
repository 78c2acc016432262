"""The rest of a turn, searched exactly: whether it can be ended, and the best end.

    work        all that the search knows (see ``work``)
    seed        a card played from the hand while all is in order; later seeds are not lower, so no set comes twice
    bad         an invalid group that still has to be put in order
    locked      a group that has its final cards

Plays commute: a turn is a set of cards that move, each once, and the table they lead to.  So the search never
orders plays.  It takes one bad group at a time and tries every valid group that it can become (``repairs``); that may
make other groups bad, and puts cards into limbo.  Once nothing is bad and limbo is empty, the turn can end, and
whatever is yet to come starts with a card from the hand: moves that no hand card has a part in can be left out.

Because copies of a face are alike, some ways lead to the same table and are left out: a group never gets and loses
the same face, and a card in limbo is put down before its copy is taken from elsewhere.
"""

from kibitz.cards.sets import lowest, size
from kibitz.games.huxxy.groups import JOKER_BIT
from kibitz.games.huxxy.repairs import fetch, fill_kind, fill_run, resolve
from kibitz.games.huxxy.work import (
    ANY,
    BAD,
    CARD,
    CHOICE,
    FOUND,
    FRAME,
    FRAMES,
    GROUPS,
    HAND_ONCE,
    KIND,
    LEFT,
    LIMBO_ONCE,
    LIMBO_TWICE,
    LIMIT,
    LOCKED,
    LOST,
    MARK,
    MODE,
    NEXT,
    NODES,
    ONCE,
    PLACING,
    RESOLVE,
    RUN,
    SEED,
    SEEDING,
    TOP,
    TRAILS,
    TWICE,
    change,
    from_hand,
    hopeless,
    judge,
    pop,
    prepare,
    push,
    put,
    record,
    remove,
    undo,
)
from kibitz.kernel import kernel


@kernel
def solve(w, goal, left, owed, need, raids, limit):
    """Prepare and search; hand cards alone first, which gives the full search something to beat."""
    w[FOUND] = 0
    w[NODES] = 0
    for moves in range(raids + 1):
        prepare(w, goal, left, owed, need, moves, limit)
        search(w)
        undo(w, TRAILS)
        if goal == ANY and w[FOUND]:
            break
    return w[FOUND]


@kernel
def search(w):
    """Go through everything that can become of the turn; the best end is in ``w`` if ``w[FOUND]``."""
    push(w, NEXT, 0, 0, 0, 0, 0)
    while w[TOP] > FRAMES:
        at = w[TOP] - FRAME
        undo(w, w[at + MARK])
        mode = w[at + MODE]
        if mode == NEXT:
            if choose_next(w, at):
                return
        elif mode == SEEDING:
            seed(w, at)
        elif mode == PLACING:
            place(w, at)
        elif mode == RESOLVE:
            resolve(w, at)
        elif mode == KIND:
            fill_kind(w, at)
        elif mode == RUN:
            fill_run(w, at)
        else:
            fetch(w, at)


@kernel
def choose_next(w, at):
    """See to the first bad group, then to limbo, then note a possible end and choose a seed; true to stop."""
    pop(w)
    w[NODES] += 1
    if w[LIMIT] and w[NODES] > w[LIMIT]:
        return True
    if hopeless(w, 0):
        return False
    if w[BAD]:
        push(w, RESOLVE, largest_bad(w), 0, 0, 0, 0)
    elif w[LIMBO_ONCE]:
        card = lowest(w[LIMBO_ONCE])
        remove(w, LIMBO_ONCE, LIMBO_TWICE, card)
        push(w, PLACING, 0, card, 0, 0, 0)
    else:
        if record(w):
            return True
        if w[LEFT] and not hopeless(w, 0):
            push(w, SEEDING, 0, 0, 0, 0, 0)
    return False


@kernel
def largest_bad(w):
    """The bad group with the most cards: there are the fewest ways to put it in order."""
    found = 0
    most = -1
    bad = w[BAD]
    while bad:
        g = lowest(bad)
        bad &= bad - 1
        cards = size(w[ONCE + g]) + size(w[TWICE + g])
        if cards > most:
            found = g
            most = cards
    return found


@kernel
def seed(w, at):
    """Play one more card from the hand."""
    card = w[at + CHOICE]
    if card < w[SEED]:
        card = w[SEED]
    rest = w[HAND_ONCE] >> card
    if rest == 0:
        pop(w)
        return
    card += lowest(rest)
    w[at + CHOICE] = card + 1
    change(w, SEED, card)
    from_hand(w, card)
    if not hopeless(w, 0):
        push(w, PLACING, 0, card, 0, 0, 0)


@kernel
def place(w, at):
    """Put the card of the frame to each group in turn, and to a new one."""
    card = w[at + CARD]
    bit = 1 << card
    g = w[at + CHOICE]
    while g < w[GROUPS]:
        once = w[ONCE + g]
        full = w[TWICE + g] | (once & JOKER_BIT)
        if once and not full & bit and not w[LOST + g] & bit and not w[LOCKED] >> g & 1:
            break
        g += 1
    if g > w[GROUPS]:
        pop(w)
        return
    w[at + CHOICE] = g + 1
    if g == w[GROUPS]:
        change(w, GROUPS, g + 1)
    put(w, g, card)
    judge(w, g)
    if w[BAD] == 0:
        push(w, NEXT, 0, 0, 0, 0, 0)
    elif not hopeless(w, 0):
        push(w, RESOLVE, g, 0, 0, 0, 0)
