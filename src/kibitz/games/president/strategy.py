"""Strategies for President, from the view alone.

lowest      the lowest legal move
report      the report's: the move after which the hand holds the greatest kinds of moves
greedy      ours: a plan that empties the hand in the fewest moves (``planning``)
"""

from random import Random

from kibitz.engine.policies import thread_scratch
from kibitz.games.president import moves, planning
from kibitz.games.president.heights import heights, to_height
from kibitz.games.president.holding import kinds_held
from kibitz.games.president.known import PresidentView
from kibitz.games.president.rules import PASS, RANK, TRADE
from kibitz.games.president.trading import NAME, PLAY, RETURN


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


def greedy(view: PresidentView, legal: list[int], random: Random) -> int:
    """Follow a shortest plan, and pass only where beating the pile would spoil it."""
    hand, work = heights(view.hand), thread_scratch.of(planning.WORK)
    if view.phase == NAME:
        return max(wanted(legal, hand))
    work[: len(legal)] = legal
    if view.phase != PLAY:
        return int(planning.given(hand, len(legal), view.fives, work))
    fewest = min(view.counts[p] for p in view.order if p != view.seat and view.counts[p])
    if view.pile:
        return int(planning.followed(hand, len(legal), fewest, view.fives, work))
    must = 1 << to_height(view.lowest) if view.lowest is not None else 0
    return int(planning.led(hand, must & hand, fewest, still_out(view, hand), view.fives, work))


def still_out(view: PresidentView, hand: int) -> int:
    """The cards that others may hold."""
    gone = heights(tuple(card for cards in view.gone for card in cards))
    return heights(view.pack) & ~gone & ~hand
