"""Whole turns tried out in imagined worlds, as kernels: for games in which a turn is a plan of several plays.

    plan        plays of the seat to move, to the end of its turn or to where it sees new cards: number ``j`` stands in
                ``plans[EACH * j:]``, how many plays first
    world       a redraw of what the seat cannot know; all plans are tried in the same worlds
    chance      a seat's chance to win, out of ONE, where a plan is no longer followed up
    chances     by plan and world: ``chances[WORLDS * j + i]``; ``worlds[j]`` are those in which a plan was tried
    alive       the plans that may still be the best one, as bits

After every BATCH of worlds plans are dropped whose mean is behind the best by more than DOUBT of the standard error of
their differences by world (a race: Maron and Moore 1994).  The race ends once all plans that are alive begin with the
same play.  A game fills the hooks in its ``policies.py``.
"""

from kibitz.cards.chance import rekey
from kibitz.engine.kernels.hooks import apply, resample
from kibitz.kernel import hook, kernel

PLANS = 16
"""The most plans that are tried."""
EACH = 8
"""Numbers of a plan."""
WORLDS = 1024
"""The most worlds that are imagined."""
BATCH = 16
ONE = 1 << 14
DOUBT = 8
"""In quarters of a standard error."""
UNMET = 8 * (ONE * 3 // 20) ** 2
"""Adds eight worlds in which two plans differ by 0.15 either way, because equal results in a few worlds prove
little."""
LITTLE = ONE // 200
"""A plan that can't be better than the best by more than this is dropped."""
NONE = -1
RACED, HELD = range(2)
"""The purposes for which worlds are drawn: to find the best plan, and to compare two that were found."""
FOUND, DONE, ALIVE, BEST = range(4)
"""The notes: how many plans there are, in how many worlds they were tried, which are alive, and the best one."""


@hook
def plans_of(s, scratch, most):
    """Note the most promising plans, the best first and at least one; return how many."""
    raise NotImplementedError


@hook
def plan_of(s, scratch, j, out, at):
    """Write the plays of a noted plan into ``out[at:]``; return how many."""
    raise NotImplementedError


@hook
def every_plan(s, scratch):
    """Note all plans found, the best first, including those that only look different; return how many."""
    raise NotImplementedError


@hook
def plays_of(s, seat, scratch, out):
    """Write the next plays of the seat to move, as ``seat`` expects, or carry out all but the end; return how many."""
    raise NotImplementedError


@hook
def imagined(s, seat, scratch):
    """Redraw what a seat cannot know; false if rejected, to be tried again."""
    return resample(s, seat)


@hook
def effort(scratch):
    """The work since plans were noted, in imagined games of the usual length; 0 where it is not counted."""
    return 0


@hook
def ahead(s):
    """How many turns a plan is followed up."""
    raise NotImplementedError


@hook
def chance_of(s, seat, scratch, one):
    """A seat's chance to win, out of ``one``, at the beginning of a turn or the end of the game."""
    raise NotImplementedError


@kernel
def copied(states, raw, words, part, source, target):
    """Make one state a copy of another: of ``words`` integers each only a ``part`` is no scratch."""
    for i in range(part):
        raw[words * target + i] = raw[words * source + i]


@kernel
def tried(states, raw, words, part, scratch, plans, plays, chances, worlds, noted, keys, games):
    """Try the plans of the position ``states[0]`` in at most a number of imagined games, and one batch more.

    Longer games count for more, so that the work is that of as many games of the usual length.
    """
    n = best_plans(states[0], scratch, plans)
    noted[FOUND] = n
    noted[DONE] = 0
    noted[ALIVE] = (1 << n) - 1
    noted[BEST] = 0
    played = 0
    while max(played, effort(scratch)) < games and noted[DONE] < WORLDS and differ(plans, n, noted[ALIVE]):
        for i in range(noted[DONE], noted[DONE] + BATCH):
            drawn(states, raw, words, part, scratch, keys, i, RACED)
            for j in range(n):
                if noted[ALIVE] >> j & 1:
                    copied(states, raw, words, part, 2, 1)
                    chances[WORLDS * j + i] = followed(states[1], scratch, plans, j, plays)
                    worlds[j] = i + 1
                    played += 1
        noted[DONE] += BATCH
        race(chances, noted)
    return plans[EACH * noted[BEST] + 1]


@kernel
def best_plans(s, scratch, plans):
    """Write the most promising plans; return how many."""
    n = plans_of(s, scratch, PLANS)
    for j in range(n):
        plans[EACH * j] = plan_of(s, scratch, j, plans, EACH * j + 1)
    return n


@kernel
def laid_out(s, scratch, plans, actions, number):
    """Lay out the plans that promise most, and one for every action that none of them begins with; how many.

    That is the best one that was met; where none was, the action alone, and the seat goes on as it does.
    """
    n = best_plans(s, scratch, plans)
    met = every_plan(s, scratch)
    for j in range(met):
        plans[EACH * n] = plan_of(s, scratch, j, plans, EACH * n + 1)
        n += not is_begun(plans, n, plans[EACH * n + 1])
    for k in range(number):
        if not is_begun(plans, n, actions[k]):
            plans[EACH * n] = 1
            plans[EACH * n + 1] = actions[k]
            n += 1
    return n


@kernel
def is_begun(plans, n, play):
    """Whether one of the plans begins with a play."""
    for j in range(n):
        if plans[EACH * j + 1] == play:
            return True
    return False


@kernel
def tried_on(states, raw, words, part, scratch, plans, plays, chances, keys, use, j, first, last, skip, step):
    """Try plan ``j`` in worlds ``first`` to ``last - 1``, in every ``step``-th of them after as many as are skipped.

    ``chances`` begins with world ``first``.  What a world is drawn for, RACED or HELD, fixes it with its number.
    """
    for i in range(first + skip, last, step):
        drawn(states, raw, words, part, scratch, keys, i, use)
        chances[i - first] = followed(states[2], scratch, plans, j, plays)


@kernel
def differ(plans, n, alive):
    """Whether the plans that are alive begin with different plays."""
    first = -1
    for j in range(n):
        if alive >> j & 1:
            play = plans[EACH * j + 1]
            if first >= 0 and play != first:
                return True
            first = play
    return False


@kernel
def drawn(states, raw, words, part, scratch, keys, number, use):
    """Draw a world of the position ``states[0]`` into ``states[2]``; what it is drawn for makes it another."""
    copied(states, raw, words, part, 0, 2)
    rekey(states[2], keys[0], keys[1], number, use)
    while not imagined(states[2], states[0].player, scratch):
        pass


@kernel
def followed(s, scratch, plans, j, plays):
    """Carry out a plan and what follows; return the chance of the seat to move."""
    seat = s.player
    for k in range(plans[EACH * j]):
        apply(s, plans[EACH * j + 1 + k])
    while not s.over and s.player == seat:
        stretch(s, seat, scratch, plays)
    for _ in range(ahead(s)):
        other = s.player
        while not s.over and s.player == other:
            stretch(s, seat, scratch, plays)
    return chance_of(s, seat, scratch, ONE)


@kernel
def stretch(s, seat, scratch, plays):
    """Carry out the next plays of the seat to move."""
    n = plays_of(s, seat, scratch, plays)
    for k in range(n):
        apply(s, plays[k])


@kernel
def race(chances, noted):
    """Note the best plan, and drop those that are certainly behind it."""
    n = noted[FOUND]
    done = noted[DONE]
    best = NONE
    most = 0
    for j in range(n):
        if noted[ALIVE] >> j & 1:
            total = 0
            for i in range(WORLDS * j, WORLDS * j + done):
                total += chances[i]
            if best == NONE or total > most:
                best = j
                most = total
    noted[BEST] = best
    for j in range(n):
        if noted[ALIVE] >> j & 1 and j != best:
            behind = 0
            square = 0
            for i in range(done):
                less = chances[WORLDS * best + i] - chances[WORLDS * j + i]
                behind += less
                square += less * less
            if is_behind(behind, square, done):
                noted[ALIVE] &= ~(1 << j)


@kernel
def is_behind(behind, square, done):
    """Whether a plan is certainly behind the best, by the sums of its differences by world and of their squares."""
    spread = (square + UNMET) * done - behind * behind
    behind += LITTLE * done
    return 16 * behind * behind * done > DOUBT * DOUBT * spread
