"""One game stepped in machine code: generic kernels, built for each game by ``compilation``.

    states      one record of the game, with its options set
    legal_actions   an array whose first ``n`` entries are the legal actions
    first_slot  the first choice that is a slot; slot k stands for the k-th amount in ``legal_actions`` (``Choices``)

``observe`` is generated for each game from the declaration of its view (``compiled.observe_kernel``).
"""

from kibitz.engine.kernels.hooks import apply, deal, legal, refusal, returns
from kibitz.kernel import hook, kernel

NO_SLOT = -1
"""The first result of ``apply_choice`` for a slot without an amount; for an action refused with reason r, -1 - r."""


@hook
def observe(s, seat, out):
    """Write what ``seat`` sees of ``s`` into cells that hold zeros."""
    raise NotImplementedError


@kernel
def begin_game(states, legal_actions, k0, k1, k2, k3):
    """Deal; return the number of legal actions, the seat to move, and whether the game is over."""
    s = states[0]
    deal(s, k0, k1, k2, k3)
    return legal(s, legal_actions), s.player, s.over


@kernel
def apply_choice(states, legal_actions, n, choice, first_slot):
    """Carry out a choice, and return the same three numbers as ``begin_game``.

    If the choice is illegal, nothing changes, and the first number is negative (see ``NO_SLOT``).
    """
    s = states[0]
    action = choice if choice < first_slot else NO_SLOT
    slots = first_slot
    for i in range(n):
        if legal_actions[i] >= first_slot:
            if slots == choice:
                action = legal_actions[i]
            slots += 1
    if action == NO_SLOT:
        return NO_SLOT, s.player, s.over
    reason = refusal(s, action)
    if reason:
        return -1 - reason, s.player, s.over
    apply(s, action)
    return legal(s, legal_actions), s.player, s.over


@kernel
def observe_seat(states, seat, cells):
    """Write what a seat sees into ``cells``, which must hold zeros."""
    observe(states[0], seat, cells)


@kernel
def observe_and_mask(states, seat, cells, mask, legal_actions, n, first_slot):
    """Write what the seat to move sees, and mark its choices; both arrays must hold zeros."""
    observe(states[0], seat, cells)
    slots = first_slot
    for i in range(n):
        if legal_actions[i] < first_slot:
            mask[legal_actions[i]] = 1
        else:
            mask[slots] = 1
            slots += 1


@kernel
def write_returns(states, out):
    """Write the return of each seat into ``out``."""
    returns(states[0], out)
