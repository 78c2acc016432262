"""Styles of playing poker, from the written rules: each bets and answers bets by a rule of one line.

Written for hold'em; the players that look only at the pot play the other poker games as well.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from random import Random

from kibitz.games.poker.view import PokerView

FOLD, CALL, DISCARD, RAISE = 0, 1, 2, 34
ACE = 0

Strategy = Callable[[PokerView, list[int], Random], int]
Bet = float | None
"""How much to raise, as a share of the pot; ALL_IN, LEAST, or None for no raise."""
ALL_IN, LEAST = float("inf"), 0.0


def raised(view: PokerView, legal: list[int], share: float) -> int:
    """The raise by a share of the pot after the bet is called; a call if the seat may not raise."""
    if legal[-1] < RAISE:
        return CALL if CALL in legal else legal[0]
    bet = view.bets[view.seat] + view.turn.to_call
    target = view.turn.max_raise_to if share == ALL_IN else bet + round(share * (view.pot + view.turn.to_call))
    return RAISE + max(view.turn.min_raise_to, min(view.turn.max_raise_to, target))


def passive(view: PokerView, legal: list[int], most: float = 0.0) -> int:
    """Checks, calls bets of at most the share ``most`` of the pot, and folds to others."""
    if FOLD not in legal or view.turn.to_call <= most * view.pot:
        return CALL
    return FOLD


def style(rule: Callable[[PokerView], tuple[Bet, float]]) -> Strategy:
    """The strategy of a rule: how much to raise, or else the share of the pot that a call may cost.  Draws no cards."""

    def choose(view: PokerView, legal: list[int], random: Random) -> int:
        if view.turn.drawing:
            return DISCARD if DISCARD in legal else legal[0]
        bet, most = rule(view)
        return passive(view, legal, most) if bet is None else raised(view, legal, bet)

    return choose


def values(cards: tuple[int, ...]) -> list[int]:
    """Values from 0 for an ace to 12 for a king."""
    return [card >> 2 for card in cards]


def has_ace(view: PokerView) -> bool:
    """Whether the hand holds an ace."""
    return ACE in values(view.hand)


def is_pair(view: PokerView) -> bool:
    """Whether the hand is a pair."""
    return len(set(values(view.hand))) == 1


def made(view: PokerView) -> int:
    """The hand with the board: 0 nothing, 1 a pair with a hand card, 2 two pairs or better, 3 a flush."""
    own, board = values(view.hand), values(view.board)
    suits = Counter(card & 3 for card in (*view.hand, *view.board))
    if max(suits.values()) >= 5:
        return 3
    count = Counter((*own, *board))
    paired = [value for value in set(own) if count[value] > 1]
    return 0 if not paired else 1 if len(paired) == 1 and count[paired[0]] == 2 else 2


def is_high(view: PokerView) -> bool:
    """Whether both cards are tens or better."""
    return all(value == ACE or value >= 9 for value in values(view.hand))


def street(view: PokerView) -> int:
    """0 before the flop, 3 on the river."""
    return view.turn.street


def calls_all(view: PokerView) -> tuple[Bet, float]:
    """Always calls."""
    return None, ALL_IN


def shoves_all(view: PokerView) -> tuple[Bet, float]:
    """Goes all in with everything."""
    return ALL_IN, ALL_IN


def shoves_aces(view: PokerView) -> tuple[Bet, float]:
    """Goes all in with every ace before the flop; checks and folds everything else."""
    return (ALL_IN if has_ace(view) and not street(view) else None), 0


def shoves_aces_and_pairs(view: PokerView) -> tuple[Bet, float]:
    """Goes all in with every ace and every pair before the flop; checks and folds everything else."""
    return (ALL_IN if (has_ace(view) or is_pair(view)) and not street(view) else None), 0


def raises_pot(view: PokerView) -> tuple[Bet, float]:
    """Always raises the pot."""
    return 1.0, ALL_IN


def least_raises(view: PokerView) -> tuple[Bet, float]:
    """Always raises as little as it may."""
    return LEAST, ALL_IN


def bets_the_flop(view: PokerView) -> tuple[Bet, float]:
    """Calls before the flop, bets two thirds of the pot after it, and gives up when raised without a pair."""
    if not street(view):
        return None, 1
    if view.turn.to_call:
        return None, ALL_IN if made(view) else 0
    return 2 / 3, 0


def shoves_the_river(view: PokerView) -> tuple[Bet, float]:
    """Calls everything, and goes all in on the river."""
    return (ALL_IN if street(view) == 3 else None), ALL_IN


def rock(view: PokerView) -> tuple[Bet, float]:
    """Plays pairs and two high cards, and continues only with two pairs or better."""
    if not street(view):
        return (1.0 if is_pair(view) else None), (1 if is_high(view) else 0.2)
    return (1.0 if made(view) > 1 else None), (0.5 if made(view) else 0)


def station(view: PokerView) -> tuple[Bet, float]:
    """Never raises, calls any bet with a pair and small ones with anything."""
    return None, ALL_IN if street(view) and made(view) else 0.4


def traps(view: PokerView) -> tuple[Bet, float]:
    """Calls down with everything that has a pair, and raises all in on the turn and river with two pairs."""
    if street(view) >= 2 and made(view) > 1:
        return ALL_IN, ALL_IN
    return None, ALL_IN if not street(view) or made(view) else 0.25


def bluffs_when_checked_to(view: PokerView) -> tuple[Bet, float]:
    """Bets the pot whenever nobody has bet, and gives up to a raise without a pair."""
    if not view.turn.to_call:
        return 1.0, 0
    return None, ALL_IN if made(view) or is_high(view) else 0.35


STYLES = {
    rule.__name__: style(rule)
    for rule in (
        *(calls_all, shoves_all, shoves_aces, shoves_aces_and_pairs, raises_pot, least_raises, bets_the_flop),
        *(shoves_the_river, rock, station, traps, bluffs_when_checked_to),
    )
}
