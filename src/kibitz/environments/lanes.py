"""Many games stepped side by side: generic kernels, built for each game by ``compilation``.

lane        plays one game after another
states      a record for each lane, with options set; ``rng`` a record for each lane and seat
            (``engine.kernels.policies``)
numbers     by lane, which game of the batch it plays: game ``g`` is dealt from the batch seed and ``g``
players     by seat, who plays: LEARNER, RANDOM or the number of a policy; if ``rotate`` is 1, all move on by one seat
            from game to game
seat        by lane, the seat that is to choose
cells       by lane, the tensor as that seat sees it, ``width`` cells: set to zero just before it is written
last        by lane, the tensor of a finished game, as the seat that chose last sees it; empty if ``keep`` is 0
legal_actions   the legal actions of all lanes end to end: those of lane ``i`` from ``starts[i]`` to ``starts[i + 1]``
over        by lane, 1 if its game ended in this step; ``earned`` has the returns, ``length`` the learner's choices
uses_rng    whether any player is not a learner, and may use random numbers
tries       the maximum number of games in a row that are skipped because they end before a learner can choose
"""

from kibitz.cards.chance import randbelow, rekey
from kibitz.engine.kernels.hooks import apply, choose, deal, legal, legal_at, legal_count, returns
from kibitz.kernel import hook, kernel

LEARNER, RANDOM = -1, -2
WORD = 0xFFFFFFFF
SEAT_STEP = 1 << 24
"""A player's generator has the key of the deal, with this added per seat: a batch has fewer than 2**56 games."""
ALL_LEGAL = -1
"""The result of ``first_refused`` if no choice is refused."""


@hook
def observe(s, seat, out):
    """Write what a seat sees; this default writes nothing, and the caller makes the tensor from the seat's view."""
    return


@kernel
def deal_game(states, rng, i, g, k0, k1, seats, uses_rng):
    """Deal game ``g`` in lane ``i``."""
    deal(states[i], k0, k1, g & WORD, g >> 32)
    if uses_rng:
        for p in range(seats):
            rekey(rng[i * seats + p], k0, k1, g & WORD, (g >> 32) + (p + 1) * SEAT_STEP)


@kernel
def play_others(s, rng, at, players, rotation, scratch, seats):
    """Let the others play until a learner has to choose or the game is over."""
    while not s.over:
        p = s.player
        player = players[(p + rotation) % seats]
        if player == LEARNER:
            return
        if player == RANDOM:
            apply(s, legal_at(s, randbelow(rng[at + p], legal_count(s, scratch)), scratch))
        else:
            apply(s, choose(s, player, rng[at + p], scratch))


@kernel
def begin_game(states, rng, i, numbers, players, rotate, scratch, k0, k1, n, seats, uses_rng, tries):
    """Deal lane ``i`` its next game in which a learner can choose; return how many games were skipped."""
    for skipped in range(tries):
        numbers[i] += n
        deal_game(states, rng, i, numbers[i], k0, k1, seats, uses_rng)
        if uses_rng:
            play_others(states[i], rng, i * seats, players, rotate * (numbers[i] % seats), scratch, seats)
        if not states[i].over:
            return skipped
    return tries


@kernel
def action_of_choice(choice, legal_actions, first, last, first_slot):
    """The legal action that a choice stands for; -1 if there is none."""
    slot = first_slot
    for j in range(first, last):
        if legal_actions[j] < first_slot:
            if legal_actions[j] == choice:
                return choice
        else:
            if slot == choice:
                return legal_actions[j]
            slot += 1
    return -1


@kernel
def first_refused(choices, legal_actions, starts, first_slot, n):
    """Replace each choice by its action; return the first lane whose choice is illegal, or ALL_LEGAL.

    A lane whose game is over has no legal actions, and ignores its choice.
    """
    for i in range(n):
        if starts[i] < starts[i + 1]:
            a = action_of_choice(choices[i], legal_actions, starts[i], starts[i + 1], first_slot)
            if a < 0:
                return i
            choices[i] = a
    return ALL_LEGAL


@kernel
def step(
    is_deal, which, states, rng, actions, numbers, players, rotate, seat, last, cells, legal_actions, starts, over,
    earned, length, skipped, scratch, k0, k1, n, seats, width, capacity, uses_rng, tries, autoreset, keep,
):  # fmt: skip
    """Carry out an action in every lane whose game is not over, let the others play, and observe the lane.

    If ``autoreset``, the next game is dealt at once where a game ends. If ``is_deal``, no action is carried out, but
    the next game is dealt in every lane where ``which`` is true. (Both are one kernel, because what they share is then
    compiled once.) All work on a lane is done together, while its state is in the processor's cache.

    Returns how long the list of actions must be (nothing is written beyond ``capacity``), and how many games are over.
    """
    at = 0
    games_over = 0
    for i in range(n):
        s = states[i]
        deals = is_deal and which[i]
        if not is_deal:
            over[i] = 0
            for p in range(seats):
                earned[i * seats + p] = 0
        if not is_deal and not s.over:
            p = s.player
            apply(s, actions[i])
            length[i] += 1
            if uses_rng:
                play_others(s, rng, i * seats, players, rotate * (numbers[i] % seats), scratch, seats)
            if s.over:
                over[i] = 1
                returns(s, scratch)
                for q in range(seats):
                    earned[i * seats + q] = scratch[q]
                seat[i] = p
                if keep:
                    observe(s, p, last[i])
                deals = autoreset
        if deals:
            skipped[i] += begin_game(
                states, rng, i, numbers, players, rotate, scratch, k0, k1, n, seats, uses_rng, tries
            )
            length[i] = 0
        games_over += s.over
        at = observe_lane(s, i, seat, cells, legal_actions, starts, scratch, width, capacity, at)
    return at, games_over


@kernel
def observe_lane(s, i, seat, cells, legal_actions, starts, scratch, width, capacity, at):
    """Write what a lane's seat to move sees and may do, with the actions from ``at`` on; return where they end."""
    if not s.over:
        seat[i] = s.player
    row = cells[i]
    for c in range(width):
        row[c] = 0
    observe(s, seat[i], row)
    count = legal(s, scratch)
    if at + count <= capacity:
        for j in range(count):
            legal_actions[at + j] = scratch[j]
    starts[i + 1] = at + count
    return at + count


@kernel
def fill_masks(legal_actions, starts, first_slot, n, width, out):
    """Write 1 for every legal choice: ``width`` choices per lane."""
    for k in range(n * width):
        out[k] = 0
    for i in range(n):
        slots = 0
        for j in range(starts[i], starts[i + 1]):
            if legal_actions[j] < first_slot:
                out[i * width + legal_actions[j]] = 1
            else:
                out[i * width + first_slot + slots] = 1
                slots += 1


@kernel
def draw_choices(legal_actions, starts, first_slot, n, drawn, out):
    """Write a legal choice for every lane, selected by ``drawn[i]`` in [0, 1); 0 where the game is over."""
    for i in range(n):
        first = starts[i]
        at = first + int(drawn[i] * (starts[i + 1] - first))
        out[i] = legal_actions[at] if at < starts[i + 1] else 0
        if out[i] >= first_slot:
            out[i] = first_slot
            for j in range(first, at):
                if legal_actions[j] >= first_slot:
                    out[i] += 1
