"""One game stepped in machine code: generic kernels, built for each game by ``compilation``.

    states      one record of the game, with its options set
    listed      an array whose first ``n`` entries are the legal actions
    amounts     the first choice that is a slot; slot k stands for the k-th amount in ``listed`` (``Choices``)

``observe`` is written for each game from what its views declare (``compiled.observe_kernel``).
"""

from kibitz.engine.kernels.hooks import apply, deal, legal, refusal, returns
from kibitz.kernel import hook, kernel

NO_SLOT = -1
"""The first result of ``apply_choice`` for a slot without an amount; if the game refuses for reason r, it is -1 - r."""


@hook
def observe(s, seat, out):
    """Write what ``seat`` sees of ``s`` into cells that hold zeros."""
    raise NotImplementedError


@kernel
def begin_game(states, listed, k0, k1, k2, k3):
    """Deal; returns how many actions are legal, the seat to move, and whether the game is over."""
    s = states[0]
    deal(s, k0, k1, k2, k3)
    return legal(s, listed), s.player, s.over


@kernel
def apply_choice(states, listed, n, choice, amounts):
    """Carry out a choice, and return the same three numbers as ``begin_game``.

    If the choice is illegal, nothing changes, and the first number is negative (see ``NO_SLOT``).
    """
    s = states[0]
    action = choice if choice < amounts else NO_SLOT
    slots = amounts
    for i in range(n):
        if listed[i] >= amounts:
            if slots == choice:
                action = listed[i]
            slots += 1
    if action == NO_SLOT:
        return NO_SLOT, s.player, s.over
    reason = refusal(s, action)
    if reason:
        return -1 - reason, s.player, s.over
    apply(s, action)
    return legal(s, listed), s.player, s.over


@kernel
def observe_seat(states, seat, cells):
    """Write what a seat sees into ``cells``, which must hold zeros."""
    observe(states[0], seat, cells)


@kernel
def observe_and_mask(states, seat, cells, mask, listed, n, amounts):
    """Write what the seat to move sees, and mark its choices; both arrays must hold zeros."""
    observe(states[0], seat, cells)
    slots = amounts
    for i in range(n):
        if listed[i] < amounts:
            mask[listed[i]] = 1
        else:
            mask[slots] = 1
            slots += 1


@kernel
def write_returns(states, out):
    """Write what each seat has earned to ``out``."""
    returns(states[0], out)
