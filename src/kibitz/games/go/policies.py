"""Strategies for Go as kernels: the card of the kind that promises most, or one that ``greedy`` might lay; best groups.

promise     what one more card of a value is worth to a seat that has laid ``held`` of it, while ``about`` more
may still come to it: the table of ``drafts``, as integers
ahead       what a best partition of some positions scores, for every set of them
"""

from kibitz.cards.sets import lowest, size, unpack
from kibitz.games.go.drafts import worth
from kibitz.games.go.groups import ACE_PENALTY, PARTS, WORTH, find_parts
from kibitz.games.go.habits import likely
from kibitz.games.go.rules import GROUP, held
from kibitz.kernel import kernel

POLICIES = {
    "quick": "Lays the card whose kind promises most, counts what is gone, and groups for the highest score.",
    "mimic": "Lays what greedy might lay, by odds fitted to its choices, and groups for the highest score.",
}
MIMIC = 1
SEARCH = {"policy": "mimic", "alone": True, "flighty": 0.0}
SEARCH_PLAYERS = {
    "steady": (250, "Imagines 250 drafts before it lays a card."),
    "best": (3000, "Imagines 3000 drafts with hands that fit all it has seen pass, and plays to come first."),
}
AHEAD = 0
SCRATCH = 1024
"""Scratch: what is ahead, by set of positions."""
SCALE = 16
PROMISE = tuple(round(SCALE * x) for turns in worth() for rows in turns for row in rows for x in row)
"""At ((turns * 4 + held) * 4 + about) * 13 + value: points times SCALE."""


@kernel
def choose(s, policy, rng, scratch):
    """The card that promises most to the own kinds, or one drawn by odds; in the end a group of a best partition."""
    if s.grouping:
        return next_group(s, scratch)
    return likely(s, rng, scratch) if policy == MIMIC else next_card(s)


@kernel
def next_card(s):
    """The card whose kind promises most, the highest of equals."""
    p = s.player
    laid = s.laid[0]
    for q in range(1, s.players):
        laid |= s.laid[q]
    cards = s.stack[held(s, p)]
    left = s.hand_size - s.turn - 1
    best = -(1 << 30)
    chosen = 0
    while cards:
        card = lowest(cards)
        cards &= cards - 1
        value = card >> 2
        kind = 15 << 4 * value
        others = 3 - size(laid & kind)
        own = size(s.laid[p] & kind)
        promise = 0
        if others >= 0 and own + others < 4:
            promise = PROMISE[((left * 4 + own) * 4 + others) * 13 + value]
        if promise >= best:
            best = promise
            chosen = card
    return chosen


@kernel
def next_group(s, scratch):
    """The group with the lowest card left, in a best partition of all that is left."""
    p = s.player
    n = unpack(s.laid[p], s.sorted)
    found = find_parts(s.sorted, n, s.work)
    left = 0
    for i in range(n):
        if s.left[p] >> s.sorted[i] & 1:
            left |= 1 << i
    scratch[AHEAD] = 0
    chosen = 0
    for mask in range(1, left + 1):
        if mask & ~left:
            continue
        low = mask & -mask
        card = s.sorted[lowest(low)]
        best = scratch[AHEAD + (mask ^ low)] - (ACE_PENALTY if card < 4 else (card >> 2) + 1)
        part = low
        for g in range(found):
            cards = s.work[PARTS + g]
            if cards & low and cards & mask == cards:
                total = scratch[AHEAD + (mask ^ cards)] + s.work[WORTH + g]
                if total > best:
                    best = total
                    part = cards
        scratch[AHEAD + mask] = best
        chosen = part
    return GROUP + chosen


@kernel
def truncate_rollout(s):
    """Group all discards at once in imagined games: for the highest score, as every seat can."""
    s.auto = 1
