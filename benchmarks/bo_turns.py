"""Whole turns of Bo tried out in worlds, as kernels: for the ceiling, and games of ``best`` in machine code alone.

plan        the plays on the path to a leaf: number ``j`` of a look-ahead stands in ``plans[EACH * j:]``, how many
            plays first
world       a position in which plans are tried: what is hidden is as in truth, or drawn by lot
numbers     by seat, which row of ``scratch_rows`` it plans with: the worths of a player, and how far it looks
sums        by plan, how many worlds it won, how many more than the first plan, and in how many it ended otherwise
"""

from kibitz.cards.chance import rekey
from kibitz.engine.hooks import apply, deal, legal_count, resample
from kibitz.games.bo.leaf_values import lay_out_worths
from kibitz.games.bo.turn_search import look_ahead, plays_to
from kibitz.kernel import kernel
from kibitz.search.rollout_kernels import DONE, copied, tried
from tools.bo_turns import stretch

EACH = 8
SUMS = 3
GREEDY, MARSHAL, THINKER, MODEL_GREEDY, MODEL_MARSHAL, BEST = range(6)
"""Rows of ``scratch_rows``: two players as they play, what the thinker chooses from, and two as they are modelled."""
HIDDEN, WORLDS, DOUBT, KEY, MINE, THEIRS = range(6)
"""What the thinker knows (IMAGINED, DEALT or FATE), in how many worlds it tries its plans, how many hundredths of a
standard error a plan must be better than the first, the key of its lots, and the rows that it models seats by."""
IMAGINED, DEALT, FATE = range(3)
"""Nothing that is hidden; all hidden cards but not what is drawn; and what is drawn as well."""
GAMES, DECISIONS, OVERRULED, TRIED_OUT = range(4)
"""What is counted: games, decisions of the thinker, those in which it left the first plan, and those of ``best`` in
which it tried out any."""


@kernel
def drawn(states, raw, words, part, how, decision, number):
    """Draw world ``number`` of a decision of the position ``states[0]`` into ``states[2]``."""
    copied(states, raw, words, part, 0, 2)
    if how[HIDDEN] == FATE:
        return
    rekey(states[2], how[KEY], decision, number, 0)
    while how[HIDDEN] == IMAGINED and not resample(states[2], states[0].player):
        pass


@kernel
def decided(states, raw, words, part, scratch_rows, plays, plans, sums, how, numbers, decision):
    """The plan that wins most worlds, if that is beyond doubt, else the first; ``plans`` has all of them."""
    seat = states[0].player
    world = states[1]
    n = look_ahead(states[0], scratch_rows[THINKER])
    for j in range(n):
        plans[EACH * j] = plays_to(scratch_rows[THINKER], j, plans, EACH * j + 1)
        for k in range(SUMS):
            sums[SUMS * j + k] = 0
    if n == 1:
        return 0
    for i in range(how[WORLDS]):
        drawn(states, raw, words, part, how, decision, i)
        first = 0
        for j in range(n):
            copied(states, raw, words, part, 2, 1)
            for k in range(plans[EACH * j]):
                apply(world, plans[EACH * j + 1 + k])
            while not world.over:
                stretch(world, scratch_rows[numbers[world.player]], plays)
            won = int(world.winner == seat)
            if j == 0:
                first = won
            sums[SUMS * j] += won
            sums[SUMS * j + 1] += won - first
            sums[SUMS * j + 2] += won ^ first
    return beyond_doubt(sums, n, how)


@kernel
def beyond_doubt(sums, n, how):
    """The plan that wins most worlds, the first where no other wins more by so much of a standard error."""
    best = 0
    for j in range(1, n):
        more = sums[SUMS * j + 1]
        spread = sums[SUMS * j + 2] * how[WORLDS] - more * more
        if more > sums[SUMS * best + 1] and more * more * how[WORLDS] * 10_000 >= how[DOUBT] * how[DOUBT] * spread:
            best = j
    return best


@kernel
def games(
    states, raw, words, part, scratch_rows, plays, plans, sums, how, numbers, seeds, seats, others, won, counts,
    scratch, chances, noted, keys, first, last,
):  # fmt: skip
    """Games ``first`` to ``last - 1``: in game ``i`` seat ``seats[i]`` thinks, or plays as ``others[0]`` if it is one.

    ``others[1]`` is the row by which all other seats play; ``won[i]`` says whether the seat has won.
    """
    s = states[0]
    for i in range(first, last):
        deal(s, seeds[4 * i], seeds[4 * i + 1], seeds[4 * i + 2], seeds[4 * i + 3])
        for p in range(s.players):
            numbers[p] = how[MINE] if p == seats[i] else how[THEIRS]
        counts[GAMES] += 1
        while not s.over:
            if s.player != seats[i]:
                stretch(s, scratch_rows[others[1]], plays)
            elif others[0] == BEST:
                counts[DECISIONS] += legal_count(s, plays) > 1
                keys[0] = i
                keys[1] = counts[DECISIONS]
                a = tried(states, raw, words, part, scratch, plans, plays, chances, sums, noted, keys, how[WORLDS])
                counts[TRIED_OUT] += noted[DONE] > 0
                counts[OVERRULED] += a != plans[1]
                apply(s, a)
            elif others[0] != THINKER:
                if others[0] == MARSHAL:
                    lay_out_worths(s, scratch_rows[MARSHAL])
                stretch(s, scratch_rows[others[0]], plays)
            else:
                counts[DECISIONS] += 1
                j = decided(states, raw, words, part, scratch_rows, plays, plans, sums, how, numbers, counts[DECISIONS])
                counts[OVERRULED] += j > 0
                for k in range(plans[EACH * j]):
                    apply(s, plans[EACH * j + 1 + k])
        won[i] = int(s.winner == seats[i])
