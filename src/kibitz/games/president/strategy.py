"""Strategies for President, from the view alone.

lowest      the lowest legal move
report      the report's: the move after which the hand holds the greatest kinds of moves
greedy      ours: a plan that empties the hand in the fewest moves, left only where a turn would be passed
"""

from functools import cache
from random import Random

from kibitz.games.president import moves
from kibitz.games.president.heights import heights
from kibitz.games.president.holding import kinds_held
from kibitz.games.president.known import PresidentView
from kibitz.games.president.rules import PASS, RANK, TRADE
from kibitz.games.president.shedding import WORK, fewest_moves
from kibitz.games.president.trading import NAME, PLAY, RETURN

LOOKED_AT = 24
"""So many of the lowest moves ``greedy`` looks at when it follows."""
LATE = 2
"""With so few moves to go, ``greedy`` makes its highest first."""
NEARLY_OUT = 2
"""With so few cards, another player must be stopped at any price."""
SLACK = 2
"""By so many moves a plan may grow for the sake of a turn that is not passed: few tricks are won by waiting."""


def lowest(view: PresidentView, legal: list[int], random: Random) -> int:
    """The lowest legal move of the fewest cards; a pass only where nothing else is possible."""
    return min((action for action in legal if action != PASS), default=PASS)


def report(view: PresidentView, legal: list[int], random: Random) -> int:
    """Of the hands that the moves leave, the one with the greatest kinds of moves; a pass only if it must.

    Cards to return are chosen in the same way, each by the hand left without it, and cards to ask for by the hand
    with it, the highest of equals.  The report is silent on equal hands: the lowest move or card leaves them here.
    """
    hand = heights(view.hand)
    if view.phase == NAME:
        return max(wanted(legal, hand), key=lambda a: (int(kinds_held(hand | 1 << (a - TRADE), view.fives)), a))
    if view.phase == RETURN:
        return max(legal, key=lambda a: (int(kinds_held(hand & ~(1 << (a - TRADE)), view.fives)), -a))
    options = [action for action in legal if action != PASS]
    left = {action: int(kinds_held(hand & ~int(moves.cards_in(action)), view.fives)) for action in options}
    return max(options, key=lambda action: (left[action], -action), default=PASS)


def wanted(legal: list[int], hand: int) -> list[int]:
    """The single cards that may be asked for and are not held; all that may be where there are none."""
    cards = [action for action in legal if action < RANK]
    return [action for action in cards if not hand >> (action - TRADE) & 1] or cards


@cache
def remembered(fives: int) -> list[int]:
    """What ``fewest_moves`` remembers from call to call where these kinds of five cards count: true of any hand."""
    return [0] * WORK


def plan(hand: int, fives: int) -> tuple[int, list[int]]:
    """The fewest moves that empty a hand, and the cards of each."""
    return fewest_moves(hand, remembered(fives), fives)


def shortest(hand: int, fives: int) -> int:
    """The fewest moves that empty a hand."""
    return plan(hand, fives)[0]


def greedy(view: PresidentView, legal: list[int], random: Random) -> int:
    """Follow a shortest plan, and pass only where beating the pile would spoil it."""
    hand = heights(view.hand)
    if view.phase == NAME:
        return max(wanted(legal, hand))
    if view.phase != PLAY:
        return min(legal, key=lambda action: (shortest(hand & ~(1 << (action - TRADE)), view.fives), action))
    if not view.pile:
        return lead(view, legal, hand)
    return follow(view, legal, hand)


def follow(view: PresidentView, legal: list[int], hand: int) -> int:
    """The lowest move of a shortest plan, else the one that lengthens it least.

    If that is much it passes, unless another player is nearly out and must be stopped.
    """
    now = shortest(hand, view.fives)
    options = sorted(action for action in legal if action != PASS)[:LOOKED_AT]
    lengths = {action: shortest(hand & ~int(moves.cards_in(action)), view.fives) for action in options}
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
    now, parts = plan(hand, view.fives)
    planned = [action for action in (int(moves.move_of(cards)) for cards in parts) if action in allowed]
    if not planned:
        return min(legal, key=lambda action: (shortest(hand & ~int(moves.cards_in(action)), view.fives), action))
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
