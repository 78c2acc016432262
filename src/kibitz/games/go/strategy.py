"""Strategies for Go, from the view alone.

first       the assignment's sample: the lowest card, and every card a singleton
greedy      the card that does best in a few imagined drafts; the discards grouped optimally
"""

from random import Random

from kibitz.games.go.drafts import Draws, choices, prospect
from kibitz.games.go.groups import best_parts
from kibitz.games.go.rules import GROUP
from kibitz.games.go.view import GoView

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
        return next_group(view)
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


def next_group(view: GoView) -> int:
    """The group of the lowest ungrouped card in a best partition of the cards that are left."""
    left = view.ungrouped
    part = best_parts(list(left))[1][0][0]
    laid = sorted(view.discards[view.seat])
    return GROUP + sum(1 << laid.index(card) for position, card in enumerate(left) if part >> position & 1)
