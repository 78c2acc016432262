"""Kernels that try out whole turns in determinizations: for games in which a turn is a plan of several plays.

    plan        plays of the seat to move, to the end of its turn or until it sees new cards: plan ``j`` is in
                ``plans[PLAN_SIZE * j:]``, which begins with the number of plays
    determinization     the position with everything redrawn that the seat cannot know; all plans are tried in the same
    chance      a seat's chance to win, out of ONE, when a simulated game stops
    chances     by plan ``j`` and determinization ``i``, ``chances[MAX_DETERMINIZATIONS * j + i]``; plan ``j`` was tried
                in ``determinizations[j]`` of them
    alive       the plans that may still be the best one, as bits

After every BATCH of determinizations, a plan is dropped if its mean is behind the best by more than DROP_DISTANCE
quarters of the standard error of their differences (a race: Maron and Moore 1994).  The race ends once all plans that
are alive begin with the same play.  A game implements the hooks in its ``policies.py``.
"""

from kibitz.cards.chance import rekey
from kibitz.engine.kernels.hooks import apply, resample
from kibitz.kernel import hook, kernel

PLANS = 16
"""The maximum number of plans that are tried."""
PLAN_SIZE = 8
"""How many numbers a plan takes: the number of its plays, and the plays."""
MAX_DETERMINIZATIONS = 1024
"""The maximum number of determinizations that are simulated."""
BATCH = 16
"""How many determinizations are simulated between two checks for plans to drop."""
ONE = 1 << 14
"""The integer for a chance of 1."""
DROP_DISTANCE = 8
"""How far behind a plan must be to be dropped, in quarters of a standard error."""
PRIOR_SQUARES = 8 * (ONE * 3 // 20) ** 2
"""The sum of squares of eight imaginary determinizations in which two plans differ by 0.15, since equal results in a
few determinizations prove little."""
NEGLIGIBLE = ONE // 200
"""A plan that can't be better than the best by more than this is dropped."""
NONE = -1
FOR_SEARCH, FOR_COMPARISON = range(2)
"""The purposes for which determinizations are drawn: to find the best plan, and to compare two that were found."""
RACE, LIST, TRY = range(3)
"""The tasks of ``do_task``."""
FOUND, DONE, ALIVE, BEST = range(4)
"""The entries of ``progress``: the numbers of plans and of determinizations done, the plans alive, the best plan."""


@hook
def find_plans(s, scratch, max_plans):
    """Store at least one and at most ``max_plans`` plans in ``scratch``, the most promising first; return how many."""
    raise NotImplementedError


@hook
def write_plan(s, scratch, j, out, at):
    """Write the plays of the stored plan ``j`` into ``out[at:]``; return how many."""
    raise NotImplementedError


@hook
def find_all_plans(s, scratch):
    """Store all plans in ``scratch``, the most promising first, even equivalent ones; return how many."""
    raise NotImplementedError


@hook
def rollout_plays(s, seat, scratch, out):
    """Write the next plays of the seat to move, as ``seat`` expects them, into ``out``; return how many.

    A game may carry out the turn itself and write only the play that ends it.
    """
    raise NotImplementedError


@hook
def draw_hidden(s, seat, scratch):
    """Redraw what a seat cannot know; false if the draw is rejected and must be repeated."""
    return resample(s, seat)


@hook
def work_done(scratch):
    """The work since plans were stored, in simulated games of the usual length; 0 in games that don't count it."""
    return 0


@hook
def turns_ahead(s):
    """How many turns are played after the turn of the plan."""
    raise NotImplementedError


@hook
def winning_chance(s, seat, scratch, scale):
    """A seat's chance to win, out of ``scale``, at the beginning of a turn or the end of the game."""
    raise NotImplementedError


@kernel
def copy_state(states, raw, record_words, position_words, source, target):
    """Copy the first ``position_words`` of the ``record_words`` integers of a state; the rest is scratch."""
    for i in range(position_words):
        raw[record_words * target + i] = raw[record_words * source + i]


@kernel
def do_task(
    task, states, raw, record_words, position_words, scratch, plans, plays, chances, determinizations, progress, keys,
    numbers,
):  # fmt: skip
    """Do a task: RACE is ``try_plans``, LIST is ``list_plans``, and TRY is ``try_plan``; return what it returns.

    ``numbers`` has the task's other arguments. Python calls only this kernel, so that what the tasks share is compiled
    once; arrays that a task doesn't use can be any.
    """
    if task == RACE:
        return try_plans(
            states, raw, record_words, position_words, scratch, plans, plays, chances, determinizations, progress, keys,
            numbers[0],
        )  # fmt: skip
    if task == LIST:
        return list_plans(states[0], scratch, plans, numbers, len(numbers))
    try_plan(
        states, raw, record_words, position_words, scratch, plans, plays, chances, keys, numbers[0], numbers[1],
        numbers[2], numbers[3], numbers[4], numbers[5],
    )  # fmt: skip
    return 0


@kernel
def try_plans(
    states, raw, record_words, position_words, scratch, plans, plays, chances, determinizations, progress, keys, games
):
    """Try the plans of the position ``states[0]``, and return the first play of the best one.

    It stops after the batch in which the work reaches that of ``games`` simulated games of the usual length.
    """
    n = best_plans(states[0], scratch, plans)
    progress[FOUND] = n
    progress[DONE] = 0
    progress[ALIVE] = (1 << n) - 1
    progress[BEST] = 0
    played = 0
    while (
        max(played, work_done(scratch)) < games
        and progress[DONE] < MAX_DETERMINIZATIONS
        and plans_differ(plans, n, progress[ALIVE])
    ):
        for i in range(progress[DONE], progress[DONE] + BATCH):
            draw_determinization(states, raw, record_words, position_words, scratch, keys, i, FOR_SEARCH)
            for j in range(n):
                if progress[ALIVE] >> j & 1:
                    copy_state(states, raw, record_words, position_words, 2, 1)
                    chances[MAX_DETERMINIZATIONS * j + i] = follow_plan(states[1], scratch, plans, j, plays)
                    determinizations[j] = i + 1
                    played += 1
        progress[DONE] += BATCH
        race(chances, progress)
    return plans[PLAN_SIZE * progress[BEST] + 1]


@kernel
def best_plans(s, scratch, plans):
    """Write the most promising plans; return how many."""
    n = find_plans(s, scratch, PLANS)
    for j in range(n):
        plans[PLAN_SIZE * j] = write_plan(s, scratch, j, plans, PLAN_SIZE * j + 1)
    return n


@kernel
def list_plans(s, scratch, plans, actions, n_actions):
    """Write the most promising plans, then one plan for each other first action; return how many.

    For such an action it is the best plan that begins with it, or the action alone if none was found.
    """
    n = best_plans(s, scratch, plans)
    n_plans = find_all_plans(s, scratch)
    for j in range(n_plans):
        plans[PLAN_SIZE * n] = write_plan(s, scratch, j, plans, PLAN_SIZE * n + 1)
        n += not is_first_play(plans, n, plans[PLAN_SIZE * n + 1])
    for k in range(n_actions):
        if not is_first_play(plans, n, actions[k]):
            plans[PLAN_SIZE * n] = 1
            plans[PLAN_SIZE * n + 1] = actions[k]
            n += 1
    return n


@kernel
def is_first_play(plans, n, play):
    """Whether one of the plans begins with a play."""
    for j in range(n):
        if plans[PLAN_SIZE * j + 1] == play:
            return True
    return False


@kernel
def try_plan(
    states, raw, record_words, position_words, scratch, plans, plays, chances, keys, purpose, j, first, last, skip, step
):
    """Try plan ``j`` in the determinizations ``first + skip``, ``first + skip + step``, ... before ``last``.

    ``chances`` begins with determinization ``first``; ``purpose`` is FOR_SEARCH or FOR_COMPARISON.
    """
    for i in range(first + skip, last, step):
        draw_determinization(states, raw, record_words, position_words, scratch, keys, i, purpose)
        chances[i - first] = follow_plan(states[2], scratch, plans, j, plays)


@kernel
def plans_differ(plans, n, alive):
    """Whether the plans that are alive begin with different plays."""
    first = -1
    for j in range(n):
        if alive >> j & 1:
            play = plans[PLAN_SIZE * j + 1]
            if first >= 0 and play != first:
                return True
            first = play
    return False


@kernel
def draw_determinization(states, raw, record_words, position_words, scratch, keys, number, purpose):
    """Draw a determinization of ``states[0]`` into ``states[2]``; ``number`` and ``purpose`` determine it."""
    copy_state(states, raw, record_words, position_words, 0, 2)
    rekey(states[2], keys[0], keys[1], number, purpose)
    while not draw_hidden(states[2], states[0].player, scratch):
        pass


@kernel
def follow_plan(s, scratch, plans, j, plays):
    """Carry out a plan and the turns after it; return the chance of the seat to move."""
    seat = s.player
    for k in range(plans[PLAN_SIZE * j]):
        apply(s, plans[PLAN_SIZE * j + 1 + k])
    while not s.over and s.player == seat:
        play_on(s, seat, scratch, plays)
    for _ in range(turns_ahead(s)):
        other = s.player
        while not s.over and s.player == other:
            play_on(s, seat, scratch, plays)
    return winning_chance(s, seat, scratch, ONE)


@kernel
def play_on(s, seat, scratch, plays):
    """Carry out the next plays of the seat to move."""
    n = rollout_plays(s, seat, scratch, plays)
    for k in range(n):
        apply(s, plays[k])


@kernel
def race(chances, progress):
    """Write the best plan into ``progress``, and drop the plans that are certainly behind it."""
    n = progress[FOUND]
    done = progress[DONE]
    best = NONE
    most = 0
    for j in range(n):
        if progress[ALIVE] >> j & 1:
            total = 0
            for i in range(MAX_DETERMINIZATIONS * j, MAX_DETERMINIZATIONS * j + done):
                total += chances[i]
            if best == NONE or total > most:
                best = j
                most = total
    progress[BEST] = best
    for j in range(n):
        if progress[ALIVE] >> j & 1 and j != best:
            deficit = 0
            squares = 0
            for i in range(done):
                difference = chances[MAX_DETERMINIZATIONS * best + i] - chances[MAX_DETERMINIZATIONS * j + i]
                deficit += difference
                squares += difference * difference
            if is_behind(deficit, squares, done):
                progress[ALIVE] &= ~(1 << j)


@kernel
def is_behind(deficit, squares, determinizations):
    """Whether a plan is certainly behind the best.

    ``deficit`` and ``squares`` are the sums of their differences, and of the squares, over ``determinizations``.
    """
    spread = (squares + PRIOR_SQUARES) * determinizations - deficit * deficit  # n * n times the variance
    deficit += NEGLIGIBLE * determinizations
    # The mean exceeds DROP_DISTANCE / 4 standard errors, squared and multiplied out.
    return 16 * deficit * deficit * determinizations > DROP_DISTANCE * DROP_DISTANCE * spread
