"""Many games stepped side by side: generic kernels, built for each game by ``compilation``.

lane        one game after another: the state, what its seats see, and what may be chosen
states      a record for each lane, options set; ``rng`` a record for each lane and seat (``engine.kernels.policies``)
number      by lane, which game of the batch it plays: game ``g`` is dealt from the batch seed and ``g``
plan        who plays, by seat: LEARNER, RANDOM or the number of a policy; with ``turns`` 1 all move on by one seat
from game to game
seat        by lane, the seat that is to choose
cells       by lane, the tensor as that seat sees it, ``width`` cells: set to zero just before it is written
last        by lane, the tensor of a finished game, as the seat that chose last sees it; no room where ``keep`` is 0
listed      the legal actions of all lanes end to end: those of lane ``i`` from ``starts[i]`` to ``starts[i + 1]``
over        by lane, 1 if its game ended in this step; ``earned`` what each seat got, ``length`` its choices so far
draws       whether any player is not a learner
tries       how many games that end before a learner can choose are passed over, at most
"""

from kibitz.cards.chance import below, rekey
from kibitz.engine.kernels.hooks import apply, choose, deal, legal, legal_at, legal_count, returns
from kibitz.kernel import hook, kernel

LEARNER, RANDOM = -1, -2
WORD = 0xFFFFFFFF
SEAT_STEP = 1 << 24
"""Random numbers are keyed like the deal, with another top word for each seat; a batch has fewer games than 2**56."""
ALL_LEGAL = -1


@hook
def observe(s, seat, out):
    """Write what a seat sees: left out if it is written afterwards from its view."""
    return


@kernel
def deal_game(states, rng, i, g, k0, k1, seats, draws):
    """Deal game ``g`` in lane ``i``."""
    deal(states[i], k0, k1, g & WORD, g >> 32)
    if draws:
        for p in range(seats):
            rekey(rng[i * seats + p], k0, k1, g & WORD, (g >> 32) + (p + 1) * SEAT_STEP)


@kernel
def play_others(s, rng, at, plan, turn, scratch, seats):
    """Let the others play until a learner has to choose or the game is over."""
    while not s.over:
        p = s.player
        who = plan[(p + turn) % seats]
        if who == LEARNER:
            return
        if who == RANDOM:
            apply(s, legal_at(s, below(rng[at + p], legal_count(s, scratch)), scratch))
        else:
            apply(s, choose(s, who, rng[at + p], scratch))


@kernel
def begin_game(states, rng, i, number, plan, turns, scratch, k0, k1, n, seats, draws, tries):
    """Deal lane ``i`` its next game in which a learner can choose; return how many were passed over."""
    for passed in range(tries):
        number[i] += n
        deal_game(states, rng, i, number[i], k0, k1, seats, draws)
        if draws:
            play_others(states[i], rng, i * seats, plan, turns * (number[i] % seats), scratch, seats)
        if not states[i].over:
            return passed
    return tries


@kernel
def begin(states, rng, which, number, plan, turns, scratch, length, skipped, k0, k1, n, seats, draws, tries):
    """Deal the next game in every lane of ``which``."""
    for i in range(n):
        if which[i]:
            skipped[i] += begin_game(states, rng, i, number, plan, turns, scratch, k0, k1, n, seats, draws, tries)
            length[i] = 0


@kernel
def action_of_choice(choice, listed, first, last, amounts):
    """The listed action that a choice stands for; -1 if there is none."""
    slot = amounts
    for j in range(first, last):
        if listed[j] < amounts:
            if listed[j] == choice:
                return choice
        else:
            if slot == choice:
                return listed[j]
            slot += 1
    return -1


@kernel
def first_refused(choices, listed, starts, amounts, n):
    """Replace each choice by its action; return the first lane whose choice isn't listed, or FITS.

    All legal actions are listed, so no state is needed. A lane whose game is over lists nothing and takes anything.
    """
    for i in range(n):
        if starts[i] < starts[i + 1]:
            a = action_of_choice(choices[i], listed, starts[i], starts[i + 1], amounts)
            if a < 0:
                return i
            choices[i] = a
    return ALL_LEGAL


@kernel
def step(
    states, rng, actions, number, plan, turns, seat, last, cells, listed, starts, over, earned, length, skipped,
    scratch, k0, k1, n, seats, width, capacity, draws, tries, again, keep,
):  # fmt: skip
    """Carry out an action in every lane whose game is not over, let the others play, and show the result.

    Where a game ends, the next one is dealt at once if ``again`` says so. Each lane is finished while its state is in
    the cache; the results are those of ``show``.
    """
    at = 0
    ended = 0
    for i in range(n):
        s = states[i]
        over[i] = 0
        for p in range(seats):
            earned[i * seats + p] = 0
        if not s.over:
            p = s.player
            apply(s, actions[i])
            length[i] += 1
            if draws:
                play_others(s, rng, i * seats, plan, turns * (number[i] % seats), scratch, seats)
            if s.over:
                over[i] = 1
                returns(s, scratch)
                for q in range(seats):
                    earned[i * seats + q] = scratch[q]
                seat[i] = p
                if keep:
                    observe(s, p, last[i])
                if again:
                    skipped[i] += begin_game(
                        states, rng, i, number, plan, turns, scratch, k0, k1, n, seats, draws, tries
                    )
                    length[i] = 0
        ended += s.over
        at = show_one(s, i, seat, cells, listed, starts, scratch, width, capacity, at)
    return at, ended


@kernel
def show(states, seat, cells, listed, starts, scratch, n, width, capacity):
    """Write what the seat to move of every lane sees and may do.

    Returns the room that the list of actions needs (nothing beyond ``capacity`` is written), and how many games are
    over.
    """
    at = 0
    ended = 0
    for i in range(n):
        s = states[i]
        ended += s.over
        at = show_one(s, i, seat, cells, listed, starts, scratch, width, capacity, at)
    return at, ended


@kernel
def show_one(s, i, seat, cells, listed, starts, scratch, width, capacity, at):
    """The same for one lane, whose actions begin at ``at``; returns where the next lane's begin."""
    if not s.over:
        seat[i] = s.player
    row = cells[i]
    for c in range(width):
        row[c] = 0
    observe(s, seat[i], row)
    count = legal(s, scratch)
    if at + count <= capacity:
        for j in range(count):
            listed[at + j] = scratch[j]
    starts[i + 1] = at + count
    return at + count


@kernel
def fill_masks(listed, starts, amounts, n, width, out):
    """Write 1 for every legal choice: ``width`` choices per lane."""
    for k in range(n * width):
        out[k] = 0
    for i in range(n):
        slots = 0
        for j in range(starts[i], starts[i + 1]):
            if listed[j] < amounts:
                out[i * width + listed[j]] = 1
            else:
                out[i * width + amounts + slots] = 1
                slots += 1


@kernel
def draw_choices(listed, starts, amounts, n, drawn, out):
    """A legal choice for every lane, chosen by a number from 0 to below 1; 0 where a game is over."""
    for i in range(n):
        first = starts[i]
        at = first + int(drawn[i] * (starts[i + 1] - first))
        out[i] = listed[at] if at < starts[i + 1] else 0
        if out[i] >= amounts:
            out[i] = amounts
            for j in range(first, at):
                if listed[j] >= amounts:
                    out[i] += 1
