"""Strategies for Go: those that are asked with a view, and those that are kernels.

first       the assignment's sample: the lowest card, and every card a singleton
greedy      the card that does best in a few imagined drafts; the discards grouped optimally

promise     what one more card of a value is worth to a seat that has laid ``held`` of it, while ``about`` more
may still come to it: the table of ``drafts``, as integers
ahead       what a best partition of some positions scores, for every set of them
"""

from random import Random

from kibitz.cards.sets import lowest, size, unpack
from kibitz.games.go.drafts import Draws, choices, prospect, worth
from kibitz.games.go.groups import ACE_PENALTY, PARTS, WORTH, best_parts, find_parts
from kibitz.games.go.habits import likely
from kibitz.games.go.rules import GROUP, held
from kibitz.games.go.view import GoView
from kibitz.kernel import kernel

# Strategies that are asked with a view


ROUNDS = ((1.0, 4), (0.5, 6), (0.3, 8))
"""Which share of the cards is kept for each round of imagined drafts, and how many drafts that round has."""
TRUST = 8.0
"""How many imagined drafts the table of promises counts as: quads are rare, and a few drafts may miss them."""


def first(view: GoView, legal: list[int], random: Random) -> int:
    """The lowest card of the hand; every discard a singleton."""
    return min(legal)


def greedy(view: GoView, legal: list[int], random: Random) -> int:
    """The card that promises most, first by what its kind may become, then by drafts imagined to the end.

    N of a kind are worth N! times the value, so four kings beat everything else: the table of promises goes for
    kinds that can still be completed.  The imagined drafts see to the rest: runs, cards that come round again
    after four turns, and what is better not passed on.  From the fifth turn on they are played with the true hands.
    """
    if view.grouping:
        return lowest_group(view)
    if len(legal) == 1:
        return legal[0]
    draws = Draws(view)
    totals = {card: TRUST * draws.promise(card) for card in legal}
    cards = legal
    for share, drafts in ROUNDS:
        cards = sorted(cards, key=totals.__getitem__, reverse=True)[: max(2, round(share * len(legal)))]
        for _ in range(drafts):
            draft = draws.draw(random)
            laid = choices(draft)
            for card in cards:
                laid[view.seat] = card
                totals[card] += prospect(draft.copy(), laid, view.seat, view.discards[view.seat])
    return max(cards, key=totals.__getitem__)


def lowest_group(view: GoView) -> int:
    """The group of the lowest ungrouped card in a best partition of the cards that are left."""
    left = view.ungrouped
    part = best_parts(list(left))[1][0][0]
    laid = sorted(view.discards[view.seat])
    return GROUP + sum(1 << laid.index(card) for position, card in enumerate(left) if part >> position & 1)


# Strategies that are kernels


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
