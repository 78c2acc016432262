"""What a seat of Bo sees, as a state for the kernels: hidden cards are simply absent.

For questions about the plays of one turn.  ``fold.restore`` fills the hidden places as well, which takes longer
and needs to know the packs; ``matches``, ``ending``, ``refusal``, ``legal`` and ``turn_up`` read none of them.
"""

from kibitz.engine.layout import PlainState
from kibitz.games.bo import rules
from kibitz.games.bo.piles import NONE, turn_up
from kibitz.games.bo.view import BoView

OPTIONS = ("players", "top_value", "stock_size", "hand_size", "plays_a_turn", "rounds")


def situation(seen: BoView) -> PlainState:
    """The piles, the stockpile tops and the seat's own hand, with the turn as far as it has gone."""
    s = rules.LAYOUT.plain()
    for option in OPTIONS:
        setattr(s, option, getattr(seen, option))
    rules.clear(s)
    s.player, s.over, s.round, s.plays = seen.player, int(seen.over), seen.round, seen.plays
    for pile, cards in enumerate(seen.builds + seen.discards):
        for below, card in zip((NONE, *cards), cards, strict=False):
            s.under[card] = below
        if cards:
            turn_up(s, pile, cards[-1])
    for place, held in enumerate(seen.hand):
        s.hand[5 * seen.seat + place] = NONE if held is None else held
    for p, (top, count) in enumerate(zip(seen.stock_tops, seen.stock_counts, strict=True)):
        s.stocked[p] = count
        if top is not None:
            s.stock[8 * p + count - 1] = top
    return s
