"""Turns of Huxxy tried out in worlds, as kernels: each is followed up for a few turns, and then weighed.

    world       the position with the stock drawn anew; TOLD: all hands are as they are; ANY: the others' are drawn from
                all that agree with what was played; SPENT: such as their holders could not lay in their last turns
    turn        one of those of ``huxxy_loop``; the pick-up comes behind the last
    chance      what a seat's chance to win is where no turn is followed up any more, of ONE: its weight, of all weights
    weight      of a seat, by how many turns until it moves, its cards, and whether it has opened; of the mover by how
                many cards it can lay, in place of the first (``huxxy_ahead`` finds them)
    dropped     a turn that lies behind the best mean beyond doubt, as in ``kibitz.search.turns``

In a world all play as ``greedy``, but look no further than a few steps.
"""

from benchmarks.huxxy_loop import GROUPS, ONCE, TWICE, WHOLE, find_turn, lay, list_turns, share
from kibitz.cards.chance import rekey
from kibitz.cards.sets import size
from kibitz.games.huxxy import work
from kibitz.games.huxxy.beliefs import PICKED, give_back, pick_up, resample
from kibitz.games.huxxy.choosing import total, triple
from kibitz.games.huxxy.fitting import fitting
from kibitz.games.huxxy.plays import NONE, PICK_UP
from kibitz.games.huxxy.rules import apply, deal
from kibitz.kernel import kernel
from kibitz.search.turns import is_behind

TOLD, ANY, SPENT = range(3)
TURNS, WORLDS, STEPS, KNOWN, DOUBT, AHEAD = range(6)
"""How a seat thinks: so many turns in so many worlds, so many steps of each search there, by which knowledge, how many
quarters of a standard error a turn must be better than the first to be taken, and how many turns are followed up."""
BATCH = 16
ONE = 1 << 14
TRIES = 20
"""So often a hand is drawn until its holder could have laid nothing of it."""
SIZES, LAYS, SEATS = 24, 8, 4
"""Cards in hand, cards that can be laid, and seats that are told apart."""
OTHERS = 1 + 2 * SIZES * LAYS
WEIGHTS = OTHERS + 2 * SIZES * (SEATS - 1)
"""The first is that of a mover who can lay all that it holds; then those of movers, then of others."""
ROW = 2 * SEATS
"""Of a beginning of a turn: by turns until a seat moves its weight's number, and its share of the first place."""
CHOICES, OVERRULED, PICKED_UP, TRIED = range(4)
"""What is counted: turns with a choice, those not of ``greedy``, pick-ups among these, and games imagined."""


@kernel
def held(s, p):
    """How many cards a seat holds."""
    return size(s.hand_once[p]) + size(s.hand_twice[p])


@kernel
def last_of(s, p):
    """Where the log has what a seat did last, or NONE."""
    i = s.logged - 1
    while i >= 0 and s.log[i] >> 6 != p:
        i -= 1
    return i


@kernel
def fitted_then(s, p):
    """The faces that fit groups in which nothing lies that was laid after a seat's last turn."""
    new = 0
    for i in range(last_of(s, p) + 1, s.logged):
        if s.log[i] & 63 != PICKED:
            new |= 1 << (s.log[i] & 63)
    found = 0
    for g in range(s.groups):
        if not s.group_once[g] & new:
            found |= fitting(s.group_once[g], s.group_twice[g])
    return found


@kernel
def is_free(s, p, last):
    """Whether the last turn tells nothing of the hand: there was none, or all its plays were made."""
    laid = 0
    while last >= 0 and s.log[last] >> 6 == p and s.log[last] & 63 != PICKED:
        laid += 1
        last -= 1
    return laid >= s.plays_a_turn or last_of(s, p) == NONE


@kernel
def is_spent(s, p, fits):
    """Whether a seat could have laid nothing of its hand in its last turn, as far as single cards and triples tell."""
    hand = s.hand_once[p]
    first = triple(hand, 0)
    if s.opened[p]:
        return hand & fits == 0 and first == 0
    return first == 0 or total(first) + total(triple(hand & ~first, 0)) < s.opening


@kernel
def imagine(s, seat):
    """Draw the hidden cards anew such that the others could not lay what they hold; a card just picked up is free."""
    for p in range(s.players):
        if p != seat:
            give_back(s, p)
    for k in range(1, s.players):
        p = (seat + k) % s.players
        last = last_of(s, p)
        picked = int(last != NONE and s.log[last] & 63 == PICKED)
        cards = s.drawn[p] - picked
        fits = fitted_then(s, p)
        tries = 1 if is_free(s, p, last) else TRIES
        while True:
            for _ in range(cards):
                pick_up(s, p)
            tries -= 1
            if tries == 0 or is_spent(s, p, fits):
                break
            give_back(s, p)
        if picked:
            pick_up(s, p)


@kernel
def world(states, raw, words, key, i, known):
    """Draw world ``i`` of ``states[0]`` into ``states[2]``."""
    again = 0
    while True:
        copy(raw, words, 0, 2)
        rekey(states[2], key, i, known, again)
        again += 1
        if known == SPENT:
            imagine(states[2], states[0].player)
        if known != ANY or resample(states[2], states[0].player):
            break


@kernel
def copy(raw, words, source, target):
    """Make one state the same as another."""
    for k in range(words):
        raw[words * target + k] = raw[words * source + k]


@kernel
def play_turn(s, w, steps):
    """The turn of the mover as ``greedy`` finds it in so many steps (0: in all)."""
    if find_turn(s, w, 0, 0, steps):
        lay(s, w, work.BEST_ONCE, work.BEST_TWICE, w[work.BEST_GROUPS])
    else:
        apply(s, PICK_UP)


@kernel
def begin(s, turns, j, n):
    """Carry out turn ``j`` of ``n``, or pick up."""
    if j < n:
        lay(s, turns[j], ONCE, TWICE, turns[j][GROUPS])
    else:
        apply(s, PICK_UP)


@kernel
def laid(s, w):
    """How many cards of the mover the turn lays that was found."""
    n = 0
    for g in range(w[work.BEST_GROUPS]):
        n += size(w[work.BEST_ONCE + g]) + size(w[work.BEST_TWICE + g])
    for g in range(s.groups):
        n -= size(s.group_once[g]) + size(s.group_twice[g])
    return n


@kernel
def numbers(s, w, steps, out, at):
    """Write the number of every seat's weight, the mover's first."""
    for k in range(s.players):
        p = (s.player + k) % s.players
        cards = min(held(s, p), SIZES - 1)
        if k:
            out[at + k] = OTHERS + 2 * ((k - 1) * SIZES + cards) + s.opened[p]
        else:
            lays = laid(s, w) if find_turn(s, w, 0, 0, steps) else 0
            out[at] = 0 if lays >= cards else 1 + LAYS * (SIZES * s.opened[p] + cards) + min(lays, LAYS - 1)


@kernel
def chance(s, seat, w, out, weights, steps):
    """A seat's chance to win, of ONE."""
    if s.over:
        return ONE * share(s, out, seat) // WHOLE
    numbers(s, w, steps, out, 0)
    every = 0
    for k in range(s.players):
        every += weights[out[k]]
    return ONE * weights[out[(seat - s.player + s.players) % s.players]] // every


@kernel
def followed(states, raw, words, turns, j, n, w, out, weights, how):
    """What comes of turn ``j`` of ``n`` in the world of ``states[2]``: the chance of its mover."""
    copy(raw, words, 2, 1)
    s = states[1]
    seat = s.player
    begin(s, turns, j, n)
    for _ in range(how[AHEAD]):
        if not s.over:
            play_turn(s, w, how[STEPS])
    return chance(s, seat, w, out, weights, how[STEPS])


@kernel
def decided(states, raw, words, turns, w, out, weights, key, how, chances, counts):
    """Choose among the turns of the mover of ``states[0]``, which are listed; which one, and how many there are."""
    n = list_turns(states[0], w, turns, how[TURNS])
    copy(raw, words, 0, 1)
    begin(states[1], turns, 0, n)
    if n == 0 or states[1].over:
        return 0, n
    alive = (1 << n + 1) - 1
    best = 0
    done = 0
    while done < how[WORLDS] and alive & (alive - 1):
        for i in range(done, done + BATCH):
            world(states, raw, words, key, i, how[KNOWN])
            for j in range(n + 1):
                if alive >> j & 1:
                    chances[how[WORLDS] * j + i] = followed(states, raw, words, turns, j, n, w, out, weights, how)
                    counts[TRIED] += 1
        done += BATCH
        best = best_of(chances, how[WORLDS], done, n, alive)
        for j in range(n + 1):
            behind, square = lag(chances, how[WORLDS], done, best, j)
            if j != best and is_behind(behind, square, done):
                alive &= ~(1 << j)
    if best and alive & 1:
        more, square = lag(chances, how[WORLDS], done, best, 0)
        if 16 * more * more * done <= how[DOUBT] * how[DOUBT] * (square * done - more * more):
            best = 0
    counts[CHOICES] += 1
    counts[OVERRULED] += best > 0
    counts[PICKED_UP] += best == n
    return best, n


@kernel
def best_of(chances, worlds, done, n, alive):
    """The turn that is alive with the best mean."""
    best = NONE
    most = 0
    for j in range(n + 1):
        if alive >> j & 1:
            together = 0
            for i in range(done):
                together += chances[worlds * j + i]
            if best == NONE or together > most:
                best = j
                most = together
    return best


@kernel
def lag(chances, worlds, done, best, j):
    """By what a turn is behind the best, in all worlds together and those squared."""
    behind = 0
    square = 0
    for i in range(done):
        less = chances[worlds * best + i] - chances[worlds * j + i]
        behind += less
        square += less * less
    return behind, square


@kernel
def games(states, raw, words, turns, w, out, weights, how, chances, counts, seeds, seats, won, first, last):
    """Games ``first`` to ``last - 1``, in each of which one seat thinks among ``greedy``: its share of the win."""
    s = states[0]
    for i in range(first, last):
        deal(s, seeds[4 * i], seeds[4 * i + 1], seeds[4 * i + 2], seeds[4 * i + 3])
        while not s.over:
            if s.player == seats[i]:
                key = seeds[4 * i] ^ s.logged
                j, n = decided(states, raw, words, turns, w, out, weights, key, how, chances, counts)
                begin(s, turns, j, n)
            else:
                play_turn(s, w, 0)
        won[i] = share(s, out, seats[i])


@kernel
def promised(states, raw, words, turns, w, out, weights, how, chances, counts, seeds, seats, gains, first, last):
    """Games ``first`` to ``last - 1`` among ``greedy``: what choices of one seat promise together, in worlds of ONE.

    The turn with the best mean in the even worlds is held against the first turn in the odd ones.
    """
    s = states[0]
    for i in range(first, last):
        deal(s, seeds[4 * i], seeds[4 * i + 1], seeds[4 * i + 2], seeds[4 * i + 3])
        gains[i] = 0
        while not s.over:
            n = list_turns(s, w, turns, how[TURNS]) if s.player == seats[i] else 0
            copy(raw, words, 0, 1)
            begin(states[1], turns, 0, n)
            if n and not states[1].over:
                counts[CHOICES] += 1
                key = seeds[4 * i] ^ s.logged
                gains[i] += gained(states, raw, words, turns, n, w, out, weights, key, how, chances)
            play_turn(s, w, 0)


@kernel
def gained(states, raw, words, turns, n, w, out, weights, key, how, chances):
    """By how much the turn that is best in the even worlds is better than the first in all odd ones together."""
    for j in range(n + 1):
        chances[j] = 0
        chances[n + 1 + j] = 0
    for i in range(how[WORLDS]):
        world(states, raw, words, key, i, how[KNOWN])
        for j in range(n + 1):
            chances[(i & 1) * (n + 1) + j] += followed(states, raw, words, turns, j, n, w, out, weights, how)
    best = 0
    for j in range(n + 1):
        if chances[j] > chances[best]:
            best = j
    return chances[n + 1 + best] - chances[n + 1]


@kernel
def beginnings(s, w, out, seeds, rows, steps, first, last):
    """Games among ``greedy`` that looks so far: a row for every beginning of a turn; how many."""
    n = 0
    for i in range(first, last):
        deal(s, seeds[4 * i], seeds[4 * i + 1], seeds[4 * i + 2], seeds[4 * i + 3])
        start = n
        while not s.over:
            numbers(s, w, steps, rows, ROW * n)
            rows[ROW * n + SEATS] = s.player
            play_turn(s, w, steps)
            n += 1
        for k in range(start, n):
            mover = rows[ROW * k + SEATS]
            for turn in range(s.players):
                rows[ROW * k + SEATS + turn] = share(s, out, (mover + turn) % s.players)
    return n
