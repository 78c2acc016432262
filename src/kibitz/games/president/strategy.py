"""Strategies for President, from the view alone.

lowest      the lowest legal move
report      the report's idea: the move after which the hand keeps the most of its types of moves
greedy      ours: a plan that empties the hand in the fewest moves, left only where a turn would be passed
"""

from random import Random

from kibitz.games.president import moves
from kibitz.games.president.heights import heights
from kibitz.games.president.listing import list_all
from kibitz.games.president.rules import ACTIONS, PASS, TRADE
from kibitz.games.president.shedding import WORK, fewest_moves
from kibitz.games.president.told import PresidentView
from kibitz.games.president.trading import NAME, PLAY

LOOKED_AT = 24
"""So many of the lowest moves ``greedy`` looks at when it follows."""
LATE = 2
"""With so few moves to go, ``greedy`` makes its highest first."""
NEARLY_OUT = 2
"""With so few cards, another player must be stopped at any price."""
SLACK = 2
"""By so many moves a plan may grow for the sake of a turn that is not passed: few tricks are won by waiting."""

_failed = [0] * WORK
"""What ``fewest_moves`` remembers from call to call: true of any hand."""


def lowest(view: PresidentView, legal: list[int], random: Random) -> int:
    """The lowest legal move of the fewest cards; a pass only where nothing else is possible."""
    return min((action for action in legal if action != PASS), default=PASS)


def report(view: PresidentView, legal: list[int], random: Random) -> int:
    """Give away the cards that hurt least: the fewest moves lost, weighed by how high their types are.

    It passes only if it must.  Of cards to return or to ask for it takes the lowest or the highest.
    """
    if view.phase != PLAY:
        return max(legal) if view.phase == NAME else min(legal)
    hand = heights(view.hand)
    options = [action for action in legal if action != PASS]
    return max(options, key=lambda action: (worth(hand & ~int(moves.cards_in(action))), -action), default=PASS)


def worth(hand: int) -> int:
    """The moves that a hand holds, each counted by the rank of its type."""
    out = [0] * ACTIONS
    found = out[: int(list_all(hand, out))]
    rank = {kind: number for number, kind in enumerate(moves.KINDS, start=1)}
    return sum(rank[int(moves.kind_of(action))] for action in found)


def shortest(hand: int) -> int:
    """The fewest moves that empty a hand."""
    return fewest_moves(hand, _failed)[0]


def greedy(view: PresidentView, legal: list[int], random: Random) -> int:
    """Follow a shortest plan, and pass only where beating the pile would spoil it."""
    hand = heights(view.hand)
    if view.phase == NAME:
        return max((a for a in legal if not hand >> (a - TRADE) & 1), default=legal[0])
    if view.phase != PLAY:
        return min(legal, key=lambda action: (shortest(hand & ~(1 << (action - TRADE))), action))
    if not view.pile:
        return lead(view, legal, hand)
    return follow(view, legal, hand)


def follow(view: PresidentView, legal: list[int], hand: int) -> int:
    """The lowest move of a shortest plan, else the one that lengthens it least.

    If that is much it passes, unless another player is nearly out and must be stopped.
    """
    now = shortest(hand)
    options = sorted(action for action in legal if action != PASS)[:LOOKED_AT]
    lengths = {action: shortest(hand & ~int(moves.cards_in(action))) for action in options}
    planned = [action for action in options if lengths[action] < now]
    if planned:
        return planned[0] if now > LATE else planned[-1]
    cheap = [action for action in options if lengths[action] <= now + SLACK]
    if not cheap and fewest_cards(view) <= NEARLY_OUT:
        return min(options, key=lambda action: (lengths[action], -action), default=PASS)
    return min(cheap, key=lambda action: (lengths[action], action), default=PASS)


def fewest_cards(view: PresidentView) -> int:
    """The cards of the other player still in who holds the fewest."""
    return min(view.counts[p] for p in view.order if p != view.seat and view.counts[p])


def lead(view: PresidentView, legal: list[int], hand: int) -> int:
    """The move of a shortest plan that rids the hand of its lowest card; shortly before the end, the safest one.

    Against a player with one card left it leads more than one card, or its highest.
    """
    allowed = set(legal)
    now, plan = fewest_moves(hand, _failed)
    planned = [action for action in (int(moves.move_of(cards)) for cards in plan) if action in allowed]
    if not planned:
        return min(legal, key=lambda action: (shortest(hand & ~int(moves.cards_in(action))), action))
    if now == LATE:
        return max(planned, key=lambda action: chance_to_hold(view, action))
    planned.sort(key=lambda action: int(moves.cards_in(action)) & -int(moves.cards_in(action)))
    if 1 in (view.counts[p] for p in view.order if p != view.seat):
        return next((action for action in planned if action >= moves.PAIR), planned[-1])
    return planned[0]


def chance_to_hold(view: PresidentView, action: int) -> tuple[float, int]:
    """How safe a move is: the share of the cards still out that its highest beats; more cards are harder to beat."""
    gone = {card for cards in view.gone for card in cards}
    out = [c for c in view.pack if c not in gone and c not in view.hand]
    top = int(moves.cards_in(action)).bit_length() - 1
    lower = sum(heights((card,)) < 1 << top for card in out)
    size = int(moves.size_of(action))
    return ((lower + 1) / (len(out) + 1)) ** (1 / size), size
