"""The lanes of ``kibitz.environments.lanes`` on a GPU: a thread per lane, and masks instead of lists of legal choices.

A step is a few small kernels, one after another: a single kernel would need more registers.

masks       by lane, 1 for every legal choice
reward      by lane, the return of the seat that just chose, if that ended its game
problems    two numbers: the first lane whose choice is illegal (or ``n``), and the number of lanes in which no learner
            could choose
"""

from kibitz.cards.chance import philox
from kibitz.engine.kernels.gpu_kernels import atomic_add, atomic_min, own_words, this_lane
from kibitz.engine.kernels.hooks import apply, legal, returns
from kibitz.environments.lanes import action_of_choice, begin_game, observe, play_others
from kibitz.kernel import kernel

WRONG, STUCK = 0, 1
"""The indices of the two problems."""


@kernel
def check_choices(choices, masks, actions, problems, n, width):
    """Copy the choices into ``actions``, and report the first lane whose choice is illegal."""
    i = this_lane()
    if i < n:
        c = choices[i]
        actions[i] = c
        if c < 0 or c >= width or masks[i][c] == 0:
            atomic_min(problems, WRONG, i)


@kernel
def act(
    states, rng, actions, numbers, players, rotate, over, reward, earned, length, scratch, n, seats, first_slot, draws,
):  # fmt: skip
    """Carry out a choice in every lane, let the others play, and write the returns of games that ended."""
    i = this_lane()
    if i < n:
        words = own_words(scratch, i)
        s = states[i]
        p = s.player
        a = actions[i]
        if a >= first_slot:
            a = action_of_choice(a, words, 0, legal(s, words), first_slot)
        apply(s, a)
        length[i] += 1
        if draws:
            play_others(s, rng, i * seats, players, rotate * (numbers[i] % seats), words, seats)
        over[i] = 0
        reward[i] = 0
        for q in range(seats):
            earned[i][q] = 0
        if s.over:
            over[i] = 1
            returns(s, words)
            reward[i] = words[p]
            for q in range(seats):
                earned[i][q] = words[q]


@kernel
def begin(states, rng, which, numbers, players, rotate, length, skipped, scratch, k0, k1, n, seats, draws, tries):
    """Deal the next game in every lane where ``which`` is true."""
    i = this_lane()
    if i < n:
        if which[i]:
            words = own_words(scratch, i)
            skipped[i] += begin_game(states, rng, i, numbers, players, rotate, words, k0, k1, n, seats, draws, tries)
            length[i] = 0


@kernel
def show_choices(states, seat, masks, scratch, problems, n, width, first_slot):
    """Write who is to choose in every lane, and what may be chosen."""
    i = this_lane()
    if i < n:
        words = own_words(scratch, i)
        s = states[i]
        if s.over:
            atomic_add(problems, STUCK, 1)
        seat[i] = s.player
        mask = masks[i]
        for c in range(width):
            mask[c] = 0
        slot = first_slot
        for j in range(legal(s, words)):
            if words[j] < first_slot:
                mask[words[j]] = 1
            else:
                mask[slot] = 1
                slot += 1


@kernel
def show_cells(states, which, seat, cells, n, width):
    """Write what the seat to choose sees in every lane where ``which`` is true."""
    i = this_lane()
    if i < n:
        if which[i]:
            row = cells[i]
            for c in range(width):
                row[c] = 0
            observe(states[i], seat[i], row)


@kernel
def draw_choices(masks, k0, k1, n, width, out):
    """A random legal choice for every lane, from a number that the key and the lane determine."""
    i = this_lane()
    if i < n:
        mask = masks[i]
        count = 0
        for c in range(width):
            count += mask[c]
        drawn, _, _, _ = philox(i, 0, 0, 0, k0, k1)
        remaining = drawn * count >> 32  # ``drawn`` has 32 bits: a place among the legal choices
        for c in range(width):
            if mask[c]:
                if remaining == 0:
                    out[i] = c
                remaining -= 1
