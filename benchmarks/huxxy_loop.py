"""Games of Huxxy in machine code alone: among ``greedy``, with a seat that looks ahead, and with one that is told.

scratch     what the game's ``plans`` search and note in
share       of the first place, in WHOLE parts: ties of two, three and four divide it
beginning   of a turn: by how many turns until a seat moves the number of its weight, and its share in the end
"""

from kibitz.cards.chance import rekey
from kibitz.cards.sets import size
from kibitz.games.huxxy import work
from kibitz.games.huxxy.glance import glance, turn_made
from kibitz.games.huxxy.groups import END, PICK_UP
from kibitz.games.huxxy.plans import find_turn, plays_to
from kibitz.games.huxxy.plans import list_turns as list_turns
from kibitz.games.huxxy.policies import plan_of, share, weight_of
from kibitz.games.huxxy.rules import apply, deal
from kibitz.kernel import kernel
from kibitz.search.rollout_kernels import DONE, FOUND, tried

WHOLE = 12
LOT = 77
"""The third word of keys by which stocks are drawn."""
SEATS = 4
ROW = 2 * SEATS
GLANCED = -1
"""In the place of a limit of steps: a turn is found at a glance."""
DECISIONS, TRIED_OUT, OVERRULED, IMAGINED = range(4)
"""What is counted: decisions of the seat that looks ahead, those in which it tried anything out, those in which it left
the first plan, and the games that it imagined."""


@kernel
def play_turn(s, scratch, plays, limit):
    """The turn of the mover as ``greedy`` finds it in so many steps of its search (0: in all)."""
    if find_turn(s, scratch, 0, 0, limit):
        n = plays_to(s, scratch, work.BEST_ONCE, work.BEST_TWICE, scratch[work.BEST_GROUPS], plays, 0)
        for k in range(n):
            apply(s, plays[k])
    else:
        apply(s, PICK_UP)


@kernel
def begin(s, scratch, j, plays):
    """Carry out a plan that is noted in ``scratch``, NONE to pick up."""
    if j < 0:
        apply(s, PICK_UP)
    else:
        n = plan_of(s, scratch, j, plays, 0)
        for k in range(n):
            apply(s, plays[k])


@kernel
def end_of(states, raw, words, scratch, j, plays, limit):
    """The share of ``states[0]``'s mover if it carries out plan ``j`` and all go on as ``greedy``, in ``states[1]``."""
    for k in range(words):
        raw[words + k] = raw[k]
    s = states[1]
    seat = s.player
    begin(s, scratch, j, plays)
    while not s.over:
        play_turn(s, scratch, plays, limit)
    return share(s, seat, WHOLE)


@kernel
def first_won(states, raw, words, scratch, n, plays, ends):
    """Write what comes of each turn, the pick-up last, with the stock as it is, up to one that comes first; which."""
    best = 0
    for i in range(n + 1):
        ends[i] = end_of(states, raw, words, scratch, i if i < n else -1, plays, 0)
        if ends[i] > ends[best]:
            best = i
        if ends[i] == WHOLE:
            break
    return best


@kernel
def by_lot(states, raw, words, scratch, n, plays, limit, key, lots, ends):
    """Write what comes of each turn, the pick-up last, with each of so many stocks drawn by lot."""
    for lot in range(lots):
        rekey(states[0], key, lot, LOT, 0)
        for i in range(n + 1):
            ends[lot * (n + 1) + i] = end_of(states, raw, words, scratch, i if i < n else -1, plays, limit)


@kernel
def games(
    states, raw, words, part, scratch, plays, plans, chances, worlds, noted, keys, budget, seeds, seats, won, counts,
    first, last,
):  # fmt: skip
    """Games ``first`` to ``last - 1``, in each of which one seat looks ahead among ``greedy``: its share in the end."""
    s = states[0]
    for i in range(first, last):
        deal(s, seeds[4 * i], seeds[4 * i + 1], seeds[4 * i + 2], seeds[4 * i + 3])
        while not s.over:
            if s.player != seats[i]:
                play_turn(s, scratch, plays, 0)
            else:
                keys[0] = seeds[4 * i]
                keys[1] = counts[DECISIONS]
                a = tried(states, raw, words, part, scratch, plans, plays, chances, worlds, noted, keys, budget)
                counts[DECISIONS] += 1
                counts[TRIED_OUT] += noted[DONE] > 0
                counts[OVERRULED] += a != plans[1]
                for j in range(noted[FOUND] if noted[DONE] else 0):
                    counts[IMAGINED] += worlds[j]
                apply(s, a)
        won[i] = share(s, seats[i], WHOLE)


@kernel
def beginnings(s, scratch, seeds, rows, first, last):
    """Games among seats that play at a glance: a row for every beginning of a turn; how many."""
    n = 0
    for i in range(first, last):
        deal(s, seeds[4 * i], seeds[4 * i + 1], seeds[4 * i + 2], seeds[4 * i + 3])
        start = n
        while not s.over:
            for k in range(SEATS):
                rows[ROW * n + k] = weight_of(s, scratch, k)
            rows[ROW * n + SEATS] = s.player
            apply(s, END if turn_made(s, scratch) else PICK_UP)
            n += 1
        for k in range(start, n):
            mover = rows[ROW * k + SEATS]
            for turn in range(SEATS):
                rows[ROW * k + SEATS + turn] = share(s, (mover + turn) % SEATS, WHOLE)
    return n


@kernel
def laid_in(s, scratch, plays, seeds, looked, limit, times, counts, first, last):
    """Games among ``greedy`` that looks so far: what turns lay that are found within a limit, so many times each.

    Counted are turns of seats that have opened, and not alone; ``counts`` has how many, and how many cards they lay.
    """
    for i in range(first, last):
        deal(s, seeds[4 * i], seeds[4 * i + 1], seeds[4 * i + 2], seeds[4 * i + 3])
        while not s.over:
            opened = 0
            for p in range(s.players):
                opened += s.opened[p]
            if s.opened[s.player] and opened > 1:
                lays = 0
                for _ in range(times):
                    lays = glance(s, scratch) if limit == GLANCED else laid_by(s, scratch, limit)
                counts[0] += 1
                counts[1] += lays
            play_turn(s, scratch, plays, looked)


@kernel
def laid_by(s, scratch, limit):
    """How many cards the best turn lays that a search finds in so many steps."""
    lays = 0
    if find_turn(s, scratch, 0, 0, limit):
        for g in range(scratch[work.BEST_GROUPS]):
            lays += size(scratch[work.BEST_ONCE + g]) + size(scratch[work.BEST_TWICE + g])
        for g in range(s.groups):
            lays -= size(s.group_once[g]) + size(s.group_twice[g])
    return lays
