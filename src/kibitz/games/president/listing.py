"""All moves of a hand, written down directly: no subset is tried that is no move.

    hand        a set of heights (see ``moves``)
    floor       only moves with higher numbers are listed; NONE for all of a size
    fives       the kinds of five cards that count, as bits (``moves.FIVES``)
    out, n      the list so far and its length; every kernel here returns the new length

Each size comes from its highest move to its lowest, hand types from low to high, as the report shows them. The
moves themselves are in ``kinds`` and ``fives``.
"""

from kibitz.games.president.fives import list_fives
from kibitz.games.president.kinds import list_fours, list_pairs, list_singles, list_triples
from kibitz.games.president.moves import NONE, ONE_SUIT, cards_in
from kibitz.kernel import kernel


@kernel
def list_counted(hand, fives, out):
    """Every move of a hand, whatever its size, that counts."""
    n = list_singles(hand, NONE, out, 0)
    n = list_pairs(hand, NONE, out, n)
    n = list_triples(hand, NONE, out, n)
    n = list_fours(hand, NONE, out, n)
    return list_fives(hand, NONE, fives, out, n)


@kernel
def list_size(hand, cards, floor, fives, out, n):
    """The moves with this many cards."""
    if cards == 1:
        return list_singles(hand, floor, out, n)
    if cards == 2:
        return list_pairs(hand, floor, out, n)
    if cards == 3:
        return list_triples(hand, floor, out, n)
    return list_fours(hand, floor, out, n) if cards == 4 else list_fives(hand, floor, fives, out, n)


@kernel
def list_with(hand, card, fives, out):
    """Every move of a hand that contains a card of it and counts: the others are left out before they are listed."""
    low = card & ~3
    same = hand & 15 << low
    near = (hand ^ same | 1 << card) & (1 << min(52, low + 20)) - (1 << max(0, low - 16))
    out[0] = card
    n = list_pairs(same, NONE, out, 1)
    n = list_triples(same, NONE, out, n)
    n = list_fours(same, NONE, out, n)
    n = list_fives(near, NONE, fives & 1, out, n)
    n = list_fives(hand & ONE_SUIT << (card & 3), NONE, fives & 2, out, n)
    n = list_fives(hand, NONE, fives & 12, out, n)
    n = list_fives(near & ONE_SUIT << (card & 3), NONE, fives & 16, out, n)
    kept = 0
    for i in range(n):
        if cards_in(out[i]) >> card & 1:
            out[kept] = out[i]
            kept += 1
    return kept
