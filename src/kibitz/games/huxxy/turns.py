"""The rest of a turn, searched exactly: can it be ended, and which end is the best?

    work        all that the search knows, in one array of integers; its parts are named below
    seed        a card played from the hand while all is in order; later seeds are not lower, so no set comes twice
    bad         an invalid group that still has to be put in order
    limbo       cards taken off their group and not yet put down; taking them off has been paid for as their play
    locked      a group that has its final cards
    frame       one level of the search: what it does, and which choice comes next
    trail       what each change overwrote, so that a frame finds everything as it was for its next choice

Plays commute: a turn is a set of cards that move, each once, and the table they lead to.  So the search never
orders plays.  It takes one bad group at a time and tries every valid group that it can become; that may make other
groups bad, and puts cards into limbo.  Once nothing is bad and limbo is empty, the turn can end, and whatever is
yet to come starts with a card from the hand: moves that no hand card has a part in can be left out.

Because copies of a face are alike, some ways lead to the same table and are left out: a group never gets and loses
the same face, and a card in limbo is put down before its copy is taken from elsewhere.
"""

from kibitz.cards.sets import lowest
from kibitz.games.huxxy.groups import EVEN, JOKER, JOKER_BIT, ODD, count, is_valid, points, values_of, worth
from kibitz.kernel import kernel

SLOTS = 48
ONCE, TWICE, ADDED, LOST = 0, SLOTS, 2 * SLOTS, 3 * SLOTS
"""The table as pairs of sets, and the faces that have been put to each group and taken from it."""
BEST_ONCE, BEST_TWICE = 4 * SLOTS, 5 * SLOTS
ORDER = 6 * SLOTS
"""The faces, those first that the goal values most."""
SCALARS = ORDER + 53
GROUPS = SCALARS
LEFT = SCALARS + 1
"""How many plays are left."""
HAND_ONCE = SCALARS + 2
HAND_TWICE = SCALARS + 3
LIMBO_ONCE = SCALARS + 4
LIMBO_TWICE = SCALARS + 5
SEED = SCALARS + 6
"""Only this face and higher ones may still come from the hand."""
PLACED = SCALARS + 7
POINTS = SCALARS + 8
SCORE = SCALARS + 9
"""The hand cards played: their number, their points, and how much the goal values them."""
LOCKED = SCALARS + 10
BAD = SCALARS + 11
OWED = SCALARS + 12
NEED = SCALARS + 13
"""How many hand cards and how many points must be played at least."""
GOAL = SCALARS + 14
RAIDS = SCALARS + 15
"""Whether cards on the table may move."""
FOUND = SCALARS + 16
BEST = SCALARS + 17
BEST_GROUPS = SCALARS + 18
NODES = SCALARS + 19
LIMIT = SCALARS + 20
"""How far the search has gone, and how far it may go (0: to the end)."""
TOP = SCALARS + 21
TRAIL = SCALARS + 22
"""Where the frames and the trail end."""
FRAMES = SCALARS + 23
FRAME = 8
MODE, GROUP, CARD, LOW, HIGH, SIDE, CHOICE, MARK = range(FRAME)
TRAILS = FRAMES + 256 * FRAME
WORK = TRAILS + 2048

ANY, CARDS, POINTS_PLAYED, WORTH_LEFT = range(4)
"""Goals: any end at all; the most cards; the most points; the least worth left in hand."""

NEXT, SEEDING, PLACING, RESOLVE, KIND, RUN, FETCH = range(7)
"""What a frame does: see the functions of these names."""
INTO_KIND = 64
"""In the ``SIDE`` of a FETCH frame: a kind is being filled, not a run."""


@kernel
def weight(goal, card):
    """How much a goal values a card played from the hand; what comes second breaks ties."""
    if goal == WORTH_LEFT:
        return 64 * worth(card) + 1
    if goal == POINTS_PLAYED:
        return 64 * points(card) + 1
    return 4096 + worth(card)


@kernel
def prepare(w, goal, left, owed, need, raids, limit):
    """Make ready to search: the table's groups, their number and the hand are in ``w`` already."""
    for i in range(LIMBO_ONCE, FRAMES):
        w[i] = 0
    w[LEFT] = left
    w[OWED] = owed
    w[NEED] = need
    w[GOAL] = goal
    w[RAIDS] = raids
    w[LIMIT] = limit
    for g in range(SLOTS):
        w[ADDED + g] = 0
        w[LOST + g] = 0
        if g >= w[GROUPS]:
            w[ONCE + g] = 0
            w[TWICE + g] = 0
        elif not is_valid(w[ONCE + g], w[TWICE + g]):
            w[BAD] |= 1 << g
    for i in range(53):
        w[ORDER + i] = (51 - i) % 53 if goal == POINTS_PLAYED else 52 - i


@kernel
def search(w):
    """Go through everything that can become of the turn; the best end is in ``w`` if ``w[FOUND]``."""
    w[TOP] = FRAMES
    w[TRAIL] = TRAILS
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
def push(w, mode, group, card, low, high, side):
    """Begin a new frame."""
    at = w[TOP]
    w[at + MODE] = mode
    w[at + GROUP] = group
    w[at + CARD] = card
    w[at + LOW] = low
    w[at + HIGH] = high
    w[at + SIDE] = side
    w[at + CHOICE] = 0
    w[at + MARK] = w[TRAIL]
    w[TOP] = at + FRAME


@kernel
def pop(w):
    """End the last frame."""
    w[TOP] -= FRAME


@kernel
def change(w, i, value):
    """Set ``w[i]`` until the frame at work makes its next choice."""
    trail = w[TRAIL]
    w[trail] = i
    w[trail + 1] = w[i]
    w[TRAIL] = trail + 2
    w[i] = value


@kernel
def undo(w, mark):
    """Take back all changes since the trail ended at ``mark``."""
    trail = w[TRAIL]
    while trail > mark:
        trail -= 2
        w[w[trail]] = w[trail + 1]
    w[TRAIL] = trail


@kernel
def insert(w, once, twice, card):
    """Add a card to the pair of sets at ``once`` and ``twice``."""
    bit = 1 << card
    if w[once] & bit:
        change(w, twice, w[twice] | bit)
    else:
        change(w, once, w[once] | bit)


@kernel
def remove(w, once, twice, card):
    """Take a card from the pair of sets at ``once`` and ``twice``."""
    bit = 1 << card
    if w[twice] & bit:
        change(w, twice, w[twice] ^ bit)
    else:
        change(w, once, w[once] ^ bit)


@kernel
def judge(w, g):
    """Note whether a group is bad."""
    if is_valid(w[ONCE + g], w[TWICE + g]):
        change(w, BAD, w[BAD] & ~(1 << g))
    else:
        change(w, BAD, w[BAD] | 1 << g)


@kernel
def put(w, g, card):
    """Add a card to a group; whether that is bad now is to be judged."""
    insert(w, ONCE + g, TWICE + g, card)
    change(w, ADDED + g, w[ADDED + g] | 1 << card)


@kernel
def take(w, g, card):
    """Take a card off a group, as one play; whether the group is bad now is to be judged."""
    remove(w, ONCE + g, TWICE + g, card)
    change(w, LOST + g, w[LOST + g] | 1 << card)
    change(w, LEFT, w[LEFT] - 1)


@kernel
def into_limbo(w, g, card):
    """Take a card off a group with no place for it yet."""
    take(w, g, card)
    insert(w, LIMBO_ONCE, LIMBO_TWICE, card)


@kernel
def from_hand(w, card):
    """Take a card out of the hand, as one play."""
    remove(w, HAND_ONCE, HAND_TWICE, card)
    change(w, LEFT, w[LEFT] - 1)
    change(w, PLACED, w[PLACED] + 1)
    change(w, POINTS, w[POINTS] + points(card))
    change(w, SCORE, w[SCORE] + weight(w[GOAL], card))


@kernel
def movable(w, g, cards):
    """Whether all these cards of a group may be taken off it."""
    return cards == 0 or (w[RAIDS] and not w[ADDED + g] & cards)


@kernel
def hopeless(w, excused):
    """Whether no end can be reached from here, or none that is better than the best.

    A play puts two groups in order at most, a card from the hand or from limbo one; ``excused`` bad groups are
    being seen to already.
    """
    left = w[LEFT]
    if left < 0:
        return True
    bad = count(w[BAD]) - excused - count(w[LIMBO_ONCE]) - count(w[LIMBO_TWICE])
    if bad > 2 * left:
        return True
    if bad > left:
        left = 2 * left - bad
    if w[PLACED] + left < w[OWED]:
        return True
    if w[NEED] <= w[POINTS] and not w[FOUND]:
        return False
    most = w[POINTS]
    best = w[SCORE]
    paying = left
    i = 0
    while (left > 0 or paying > 0) and i < 53:
        card = w[ORDER + i]
        i += 1
        if w[HAND_ONCE] >> card & 1:
            copies = 1 + (w[HAND_TWICE] >> card & 1)
            if card < JOKER:
                most += (copies if copies < paying else paying) * points(card)
                paying -= copies if copies < paying else paying
            best += (copies if copies < left else left) * weight(w[GOAL], card)
            left -= copies if copies < left else left
    return most < w[NEED] or (w[FOUND] and best <= w[BEST])


@kernel
def record(w):
    """Note that the turn can end here, if it can; true if nothing more is asked."""
    if w[PLACED] < w[OWED] or w[POINTS] < w[NEED] or (w[FOUND] and w[SCORE] <= w[BEST]):
        return False
    w[FOUND] = 1
    w[BEST] = w[SCORE]
    w[BEST_GROUPS] = w[GROUPS]
    for g in range(w[GROUPS]):
        w[BEST_ONCE + g] = w[ONCE + g]
        w[BEST_TWICE + g] = w[TWICE + g]
    return w[GOAL] == ANY


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
        push(w, RESOLVE, lowest(w[BAD]), 0, 0, 0, 0)
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


@kernel
def strip(w, g, once, twice):
    """Take all cards off a group but the sets ``once`` and ``twice``; false if that cannot be."""
    extra = w[TWICE + g] & ~twice
    other = w[ONCE + g] & ~once
    if not movable(w, g, extra | other) or count(extra) + count(other) > w[LEFT]:
        return False
    for cards in (extra, other):
        while cards:
            into_limbo(w, g, lowest(cards))
            cards &= cards - 1
    return not hopeless(w, 1)


@kernel
def settle(w, g):
    """A group has its final cards: go on with the next."""
    change(w, BAD, w[BAD] & ~(1 << g))
    change(w, LOCKED, w[LOCKED] | 1 << g)
    push(w, NEXT, 0, 0, 0, 0, 0)


@kernel
def resolve(w, at):
    """Choose what the bad group of the frame becomes: nothing, a kind of each value, each run.

    Something of what it was must stay, or it would be a new group; only nothing is left of it otherwise.
    """
    g = w[at + GROUP]
    choice = w[at + CHOICE]
    once = w[ONCE + g]
    twice = w[TWICE + g]
    cards = count(once) + count(twice)
    spare = w[LEFT] + count(w[LIMBO_ONCE]) + count(w[LIMBO_TWICE])
    old = once & ~w[ADDED + g] | twice
    if choice == 0:
        choice = 1
        if w[ADDED + g] == 0 and cards <= w[LEFT]:
            w[at + CHOICE] = choice
            if strip(w, g, 0, 0):
                settle(w, g)
            return
    while choice < 14:
        value = choice - 1
        choice += 1
        mask = 15 << 4 * value | JOKER_BIT
        kept = count(once & mask) + count(twice & mask)
        out = cards - kept
        if kept == 0 or out > w[LEFT] or 3 - kept > spare - out or (old and not old & mask):
            continue
        w[at + CHOICE] = choice
        if strip(w, g, mask, mask):
            push(w, KIND, g, 0, value, 0, 0)
        return
    choice = next_run(w, g, choice - 14, spare)
    if choice < 0:
        pop(w)
        return
    w[at + CHOICE] = choice + 15
    side = choice // 169
    start = choice // 13 % 13
    end = choice % 13
    span = ((1 << 4 * (end - start + 1)) - 1) << 4 * start
    if strip(w, g, once & (ODD if side else EVEN) & span | JOKER_BIT, 0):
        push(w, RUN, g, start, start, end, side)


@kernel
def next_run(w, g, choice, spare):
    """The next run that a group could become, ``169 * class + 13 * first value + last value``, or -1."""
    once = w[ONCE + g]
    cards = count(once) + count(w[TWICE + g])
    joker = once >> JOKER
    old = once & ~w[ADDED + g] | w[TWICE + g]
    while choice < 338:
        side = choice // 169
        inside = once & (ODD if side else EVEN)
        kept = count(values_of(inside)) + joker
        if kept == 0 or cards - kept > w[LEFT] or (w[ADDED + g] & ~(inside | JOKER_BIT)):
            choice = 169 * (side + 1)
            continue
        start = choice // 13 % 13
        end = choice % 13
        if end < start + 2:
            end = start + 2
        while end < 13:
            span = ((1 << 4 * (end - start + 1)) - 1) << 4 * start
            kept = count(values_of(inside & span)) + joker
            if end - start + 1 - kept > spare:
                break
            out = cards - kept
            if kept and out <= w[LEFT] and end - start + 1 - kept <= spare - out:
                if not old or old & (inside & span | JOKER_BIT):
                    return 169 * side + 13 * start + end
            end += 1
        choice = 169 * side + 13 * (start + 1)
    return -1


@kernel
def fill_kind(w, at):
    """Choose how many of one face are in the kind: as many as there are, one more, fewer.

    LOW is its value, HIGH the suit (4: the Joker, 5: done), and SIDE says that a copy has just been added.
    """
    g = w[at + GROUP]
    value = w[at + LOW]
    suit = w[at + HIGH]
    choice = w[at + CHOICE]
    if suit == 5:
        pop(w)
        if w[ONCE + g] & ~JOKER_BIT and is_valid(w[ONCE + g], w[TWICE + g]):
            settle(w, g)
        return
    if choice == 4:
        pop(w)
        return
    w[at + CHOICE] = choice + 1
    card = 4 * value + suit if suit < 4 else JOKER
    bit = 1 << card
    if choice == 0:
        push(w, KIND, g, 0, value, suit + 1, 0)
    elif choice == 1:
        full = w[TWICE + g] | (w[ONCE + g] & JOKER_BIT)
        if not (full | w[LOST + g]) & bit:
            push(w, FETCH, g, card, value, suit, INTO_KIND)
    elif w[at + SIDE] == 0 and w[ONCE + g] & bit and movable(w, g, bit) and (choice == 2 or w[TWICE + g] & bit):
        if choice == 3:
            into_limbo(w, g, card)
        into_limbo(w, g, card)
        if not hopeless(w, 1):
            push(w, KIND, g, 0, value, suit + 1, 0)


@kernel
def fill_run(w, at):
    """Choose what fills one place of the run: either suit of the right colour, or the Joker.

    LOW is the value of the place, HIGH the last one, CARD the first; SIDE is its class, and 2 if it has its Joker.
    """
    g = w[at + GROUP]
    value = w[at + LOW]
    choice = w[at + CHOICE]
    side = w[at + SIDE]
    if value > w[at + HIGH]:
        pop(w)
        if w[ONCE + g] & JOKER_BIT and not side & 2:
            if not movable(w, g, JOKER_BIT):
                return
            into_limbo(w, g, JOKER)
        settle(w, g)
        return
    if choice == 3:
        pop(w)
        return
    w[at + CHOICE] = choice + 1
    first = 4 * value + (value + side & 1)
    here = w[ONCE + g] & (5 << first)
    if choice == 2:
        if side & 2 or (value == w[at + CARD] and w[at + HIGH] < 12):
            return
        card = JOKER
        side |= 2
    else:
        card = first + 2 * choice
    other = here & ~(1 << card)
    if not movable(w, g, other):
        return
    while other:
        into_limbo(w, g, lowest(other))
        other &= other - 1
    if w[ONCE + g] >> card & 1:
        if not hopeless(w, 1):
            push(w, RUN, g, w[at + CARD], value + 1, w[at + HIGH], side)
    elif not w[LOST + g] >> card & 1 and not hopeless(w, 1):
        push(w, FETCH, g, card, value, w[at + HIGH], side | w[at + CARD] << 2)


@kernel
def fetch(w, at):
    """Fetch a card for the group of the frame: from limbo if it is there, else from the hand or another group."""
    g = w[at + GROUP]
    card = w[at + CARD]
    bit = 1 << card
    choice = w[at + CHOICE]
    if w[LIMBO_ONCE] & bit:
        if choice:
            pop(w)
            return
        w[at + CHOICE] = 1
        remove(w, LIMBO_ONCE, LIMBO_TWICE, card)
        fetched(w, at)
        return
    if choice == 0:
        w[at + CHOICE] = 1
        if w[LEFT] and w[HAND_ONCE] & bit and card >= w[SEED]:
            from_hand(w, card)
            fetched(w, at)
        return
    source = choice - 1
    if w[RAIDS] and w[LEFT]:
        while source < w[GROUPS]:
            if source != g and w[ONCE + source] & bit & ~w[ADDED + source] and not w[LOCKED] >> source & 1:
                w[at + CHOICE] = source + 2
                take(w, source, card)
                judge(w, source)
                fetched(w, at)
                return
            source += 1
    pop(w)


@kernel
def fetched(w, at):
    """Put the fetched card to its group and go on filling it."""
    g = w[at + GROUP]
    put(w, g, w[at + CARD])
    if hopeless(w, 1):
        return
    side = w[at + SIDE]
    if side == INTO_KIND:
        push(w, KIND, g, 0, w[at + LOW], w[at + HIGH], 1)
    else:
        push(w, RUN, g, side >> 2, w[at + LOW] + 1, w[at + HIGH], side & 3)


@kernel
def solve(w, goal, left, owed, need, raids, limit):
    """Prepare and search; hand cards alone first, which gives the full search something to beat."""
    prepare(w, goal, left, owed, need, 0, limit)
    search(w)
    if raids and not (goal == ANY and w[FOUND]):
        nodes = w[NODES]
        found = w[FOUND]
        best = w[BEST]
        groups = w[BEST_GROUPS]
        undo(w, TRAILS)
        prepare(w, goal, left, owed, need, 1, limit)
        w[NODES] = nodes
        w[FOUND] = found
        w[BEST] = best
        w[BEST_GROUPS] = groups
        search(w)
    undo(w, TRAILS)
    return w[FOUND]
