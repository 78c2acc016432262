"""Strategies for poker, from the view alone.

    caller      checks and calls, and stands pat
    greedy      pot odds: pays for its chance to win what it is worth, and bets when it is ahead
    equity      the share of the pot that a hand wins on average, if all unseen cards can be anywhere
    edge        the equity against one opponent that has the same against all of them

``greedy`` believes others to hold anything, so every raise of theirs makes it a little more careful than its cards
alone.
"""

from bisect import bisect_left
from random import Random

from kibitz.cards import CardSet, as_set
from kibitz.games.poker.observation import PokerView
from kibitz.games.poker.quick import evaluator
from kibitz.games.poker.rules import CALL, DISCARD, FOLD, RAISE
from kibitz.games.poker.showdown import short_strength

SAMPLES = 60
"""So many deals of the unseen cards ``greedy`` looks at for a bet, and for each way to draw."""
DRAWS = 24
SIZES = ((0.88, 4), (0.76, 2), (0.66, 1), (0.58, 0))
"""From which edge on it bets, and which of the legal raises, counted from the least."""
CARE = 0.1
"""How much of its edge each raise of others takes away."""


def caller(view: PokerView, legal: list[int], random: Random) -> int:
    """Check or call, whatever comes; never draw a card."""
    return CALL if CALL in legal else DISCARD


def greedy(view: PokerView, legal: list[int], random: Random) -> int:
    """Fold, call or raise by the equity of the hand; draw what makes the best hand on average."""
    if view.turn.drawing:
        return best_draw(view, legal, random)
    share = equity(view, random)
    others = len(view.live) - 1
    raised = view.turn.raises - (view.turn.street == 0 and view.setup.big > 0)
    edge = share ** (1 / others) - CARE * max(0, raised) * (view.turn.aggressor != view.seat)
    raises = [action for action in legal if action >= RAISE]
    for least, place in SIZES if raises else ():
        if edge >= least:
            return raises[min(place, len(raises) - 1)]
    price = view.turn.price
    cautious = edge**others if edge > 0 else 0.0
    worth_it = cautious * (view.pot + price) >= min(price, view.chips[view.seat])
    return CALL if worth_it or FOLD not in legal else FOLD


def worth_of(cards: CardSet) -> int:
    """What a hand is worth, as at the showdown, by tables where it has five cards or more."""
    return evaluator().strength(cards) if cards.bit_count() > 4 else int(short_strength(cards))


def unseen(view: PokerView) -> list[int]:
    """The cards that can be anywhere."""
    seen = {*view.hand, *view.board, *view.thrown}
    return [card for card in view.setup.pack if card not in seen]


def equity(view: PokerView, random: Random) -> float:
    """The share of the pot that the own hand wins in sampled deals against everybody still in."""
    setup, cards = view.setup, unseen(view)
    others = len(view.live) - 1
    to_come = setup.flop + setup.turn + setup.river - len(view.board)
    hand, board = as_set(view.hand), as_set(view.board)
    total = 0.0
    for _ in range(SAMPLES):
        dealt = random.sample(cards, to_come + others * setup.hole)
        table = board | as_set(dealt[:to_come])
        mine = worth_of(hand | table)
        hands = [dealt[i : i + setup.hole] for i in range(to_come, len(dealt), setup.hole)]
        worths = [worth_of(as_set(held) | table) for held in hands]
        if mine >= max(worths):
            total += 1 / (1 + worths.count(mine))
    return total / SAMPLES


def best_draw(view: PokerView, legal: list[int], random: Random) -> int:
    """The discards after which the hand beats most hands dealt at random, on average over sampled draws."""
    cards, hole = unseen(view), view.setup.hole
    scale = sorted(worth_of(as_set(random.sample(cards, hole))) for _ in range(4 * SAMPLES))

    def promise(action: int) -> float:
        kept = [card for place, card in enumerate(view.hand) if not (action - DISCARD) >> place & 1]
        if len(kept) == hole:
            return float(bisect_left(scale, worth_of(as_set(kept))))
        draws = (worth_of(as_set(kept + random.sample(cards, hole - len(kept)))) for _ in range(DRAWS))
        return sum(bisect_left(scale, worth) for worth in draws) / DRAWS

    return max(legal, key=promise)
