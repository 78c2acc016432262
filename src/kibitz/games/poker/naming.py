"""Cards and hands as people say them, also hands of fewer than five cards."""

from kibitz.cards import as_set
from kibitz.games.poker.hands import RANKS, in_words, plural, rank_of

TIMES = {2: "a pair of", 3: "three", 4: "four"}


def hand_text(hand: tuple[int, ...], board: tuple[int, ...] = ()) -> str:
    """What the best hand of these cards is called.

    >>> hand_text((48, 49)), hand_text((48, 0))
    ('a pair of Kings', 'Ace and King, suited')
    """
    cards = (*hand, *board)
    return in_words(as_set(cards)) if len(cards) > 4 else short_text(cards)


def short_text(cards: tuple[int, ...]) -> str:
    """What fewer than five cards are called."""
    ranks = sorted({rank_of(card) for card in cards}, reverse=True)
    often = {rank: sum(rank_of(card) == rank for card in cards) for rank in ranks}
    groups = [f"{TIMES[times]} {plural(rank)}" for rank, times in often.items() if times > 1]
    singles = [RANKS[rank] for rank, times in often.items() if times == 1]
    if groups:
        return " and ".join(groups)
    suited = ", suited" if len(cards) == 2 and cards[0] & 3 == cards[1] & 3 else ""
    if len(cards) == 2:
        return f"{' and '.join(singles)}{suited}"
    return f"{singles[0]} high" if len(cards) > 1 else singles[0]
