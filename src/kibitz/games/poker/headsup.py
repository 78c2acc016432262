"""Heads-up no-limit hold'em: ``best`` weighs the opponent's possible hands, and looks one answer ahead.

    field       all that the opponent can hold, with how likely its bets make it (``believed``)
    stack       what the shorter of both had before the hand, in big blinds
    answer      to a bet of ours the opponent folds hands that aren't worth the price, except for those who never fold

Short stacks push or fold by the equilibrium (``pushfold``).  All else compares what folding, calling and each standard
raise win on average, if the opponent answers once and the hand is then shown down, the better hand winning some more
on the streets that are left.  Bets of the opponent make strong holdings likelier, and never weak ones impossible:
one who pushes every hand is called sensibly too.  Where more than two play, or limits are fixed, ``greedy`` decides.

What the one opponent can hold:

    holding     one hand of the opponent, or before the flop one class of hands
    weight      how likely it is, so far as the cards tell: the number of its combos that can be there
    worth       its equity against hands dealt at random, from 0 to 1
    won         our equity against it
    runouts     boards completed at random, on which all holdings are compared at once; on the river the board itself

Plain Python by the tables of ``evaluator`` and ``ranges``: a few milliseconds a field.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from functools import cache
from itertools import combinations
from math import exp
from random import Random
from typing import NamedTuple

from kibitz.cards import FULL_PACK, Card, as_set
from kibitz.games.poker.betting import NO_LIMIT
from kibitz.games.poker.hands import ranking
from kibitz.games.poker.hands.evaluator import CODES, FLUSHES, RANKS, THREE_EACH, evaluator
from kibitz.games.poker.hands.pushfold import STACKS, chart
from kibitz.games.poker.hands.ranges import CLASSES, class_of, matchup
from kibitz.games.poker.policies import greedy
from kibitz.games.poker.rules import CALL, FOLD, RAISE
from kibitz.games.poker.view import PokerView

# The opponent's possible hands


RUNOUTS = 14
"""Boards that are completed on the flop and the turn."""


class Holding(NamedTuple):
    """One hand that the opponent can hold, or a class of hands; ``start`` is its class's worth before the flop."""

    weight: float
    worth: float
    won: float
    start: float


@cache
def start_worth() -> tuple[float, ...]:
    """By class, its equity before the flop against a hand dealt at random."""
    result = []
    for one in range(CLASSES):
        matchups = [matchup(one, other) for other in range(CLASSES)]
        result.append(sum(each.deals * each.equity for each in matchups) / sum(each.deals for each in matchups))
    return tuple(result)


@cache
def before_the_flop(own: int) -> tuple[Holding, ...]:
    """The field of a class before the flop, exactly: all classes in order, since each can meet each."""
    worth, matchups = start_worth(), [matchup(own, other) for other in range(CLASSES)]
    return tuple(Holding(each.deals, one, each.equity, one) for one, each in zip(worth, matchups, strict=True))


def field(hand: tuple[Card, ...], board: tuple[Card, ...], random: Random) -> tuple[Holding, ...]:
    """The opponent's possible hands, given our hand and the board."""
    if not board:
        return before_the_flop(class_of(as_set(hand)))
    free = [card for card in range(52) if card not in hand and card not in board]
    pairs = list(combinations(free, 2))
    missing = 5 - len(board)
    sums = [[0, 0.0, 0.0] for _ in pairs]
    for _ in range(RUNOUTS if missing else 1):
        drawn = random.sample(free, missing)
        compare(hand, [*board, *drawn], set(drawn), pairs, sums)
    worth = start_worth()
    return tuple(
        Holding(1.0, beaten / times, won / times, worth[start_class(pair)])
        for pair, (times, beaten, won) in zip(pairs, sums, strict=True)
        if times
    )


@cache
def start_class(pair: tuple[Card, Card]) -> int:
    """The class of two cards."""
    return class_of(as_set(pair))


def compare(
    hand: tuple[Card, ...], board: list[Card], drawn: set[Card], pairs: list[tuple[Card, Card]], sums: list[list[float]]
) -> None:
    """Add one full board to the sums of each pair: times, share of all other pairs beaten, share won against it."""
    tables = evaluator()
    worths, cards = tables.worth, as_set(board)
    base = THREE_EACH + sum(CODES[card] for card in board)
    mine = tables.strength(cards | as_set(hand))
    strengths = []
    for number, (a, b) in enumerate(pairs):
        if a in drawn or b in drawn:
            continue
        total = base + CODES[a] + CODES[b]
        found = ranking.strength(cards | 1 << a | 1 << b) if total & FLUSHES else worths[total & RANKS]
        strengths.append((found, number))
    order = sorted(found for found, _ in strengths)
    share = 1 / (2 * len(order))
    for found, number in strengths:
        each = sums[number]
        each[0] += 1
        each[1] += (bisect_left(order, found) + bisect_right(order, found)) * share
        each[2] += 1.0 if mine > found else 0.5 if mine == found else 0.0


# The strategy


PUSH_OR_FOLD_STACK = 8
"""Up to this many big blinds the small blind pushes or folds; above it, raises of other sizes win more."""
MANIAC_SHARE = 0.2
"""The share of opponents whose bets mean nothing."""
OVERBET = 5.0
"""A bet before the flop of more pots than this comes from good hands only: from those worth at least ``WAITED``, and
hardly ever from others. If it is more than 20 big blinds, only such hands call it. Calling it with the best eighth of
hands wins from everybody who goes all-in with any ace, and still 3.4 big blinds per hand from those who go all-in with
everything (100 big blinds, exact matchups)."""
WAITED, HARDLY = 0.62, 0.01
RERAISE_STRENGTH, FADE = 0.07, 0.3
"""Each raise before the flop after the first one makes the opponent this much stronger, and a maniac this much
rarer."""
CALLING_STATION_SHARE = 0.25
"""The share of opponents who call a bet of the pot with anything; proportionally fewer call larger bets."""
CAPPED = 0.66
"""Hands worth more than this are mostly bet, so a check makes them unlikely."""
CALL_MARGIN = 0.08
"""The margin above the price that a hand must be worth to be called with."""
FOLD_BELOW = 0.42
"""Hands worth less than this fold to the smallest bet."""
LATER_CHIPS_SHARE = 0.1
"""The share of the chips to come on later streets that an edge of 1 wins."""
GROWTH = (0, 1, 3, 6)
"""By the number of streets left, how much larger the pot may still become."""


class BettingSpot(NamedTuple):
    """A decision in numbers, in chips: pot and price, what both still have, streets to come, the big blind."""

    pot: int
    price: int
    own: int
    other: int
    bet: int
    streets: int
    big: int


def best(view: PokerView, legal: list[int], random: Random) -> int:
    """Pushes or folds when short; otherwise does what wins most on average against what the opponent can hold."""
    if not fits(view):
        return greedy(view, legal, random)
    if not view.board and (short := by_chart(view, legal, random)) is not None:
        return short
    other = next(seat for seat in view.live if seat != view.seat)
    spot = BettingSpot(
        view.pot,
        view.turn.price,
        view.chips[view.seat],
        view.chips[other],
        view.bets[view.seat],
        3 - view.turn.street,
        view.setup.big,
    )
    believed_field = believed(view, field(view.hand, view.board, random))
    return max(legal, key=lambda action: worth(action, spot, believed_field))


def fits(view: PokerView) -> bool:
    """Whether this is a decision of no-limit hold'em between two."""
    setup = view.setup
    is_holdem = as_set(setup.pack) == FULL_PACK and (setup.hole, setup.flop, setup.turn, setup.river) == (2, 3, 1, 1)
    return is_holdem and setup.limit == NO_LIMIT and len(view.live) == 2 and not view.turn.drawing


def by_chart(view: PokerView, legal: list[int], random: Random) -> int | None:
    """The choice by the charts of push or fold; None if they don't apply."""
    setup = view.setup
    if setup.ante or setup.players != 2 or 2 * setup.small != setup.big:
        return None
    other = 1 - view.seat
    stack = min(view.chips[seat] + view.paid[seat] for seat in (0, 1)) / setup.big
    stack = max(STACKS[0], stack)
    number = class_of(as_set(view.hand))
    if view.turn.aggressor == other and (not view.chips[other] or view.turn.price >= view.chips[view.seat]):
        return answer_to_push(view, number, stack) if stack <= STACKS[-1] else None
    if stack > PUSH_OR_FOLD_STACK or legal[-1] < RAISE:
        return None
    if view.turn.aggressor is None and FOLD in legal:
        return drawn(chart(stack)[number], legal[-1], FOLD, random)
    return None


def answer_to_push(view: PokerView, number: int, stack: float) -> int:
    """Call a push if that wins against a player who pushes by the chart, or, as maniacs do, with anything."""
    price, pot, gain = min(view.turn.price, view.chips[view.seat]), view.pot, 0.0
    for pushed, found in zip(chart(stack), before_the_flop(number), strict=True):
        often = MANIAC_SHARE + (1 - MANIAC_SHARE) * pushed
        gain += often * found.weight * (found.won * (pot + price) - price)
    return CALL if gain > 0 else FOLD


def drawn(share: float, one: int, other: int, random: Random) -> int:
    """One action with some probability, else another."""
    return one if random.random() < share else other


def believed(view: PokerView, holdings: tuple[Holding, ...]) -> list[Holding]:
    """The field with weights by the opponent's bets in this hand."""
    turn, result = view.turn, list(holdings)
    attacked = turn.aggressor is not None and turn.aggressor != view.seat and turn.price > 0
    if view.board:
        big = max(1, view.setup.big)
        dear = max(view.paid) - max(view.bets) > big
        if dear:
            led = turn.initiative is not None and turn.initiative != view.seat
            result = weighed(result, [one.start for one in result], 0.5 if led else 0.45, 0.06)
    if attacked:
        before = max(1, view.pot - turn.price)
        size = turn.price / before
        aim = 0.5 + 0.2 * min(size, 1.5) + 0.05 * max(0, turn.raises - 1)
        maniacs = MANIAC_SHARE
        if not view.board:
            again = max(0, turn.raises - 2)  # the big blind and the first raise are two
            aim, maniacs = 0.46 + 0.06 * min(size, 2.0) + RERAISE_STRENGTH * again, MANIAC_SHARE * FADE**again
            if size > OVERBET:
                aim, maniacs = WAITED, HARDLY
        result = weighed(result, [one.worth for one in result], aim, 0.05, maniacs)
    elif checked(view):
        result = weighed(result, [-one.worth for one in result], -CAPPED, 0.05)
    return result


def checked(view: PokerView) -> bool:
    """Whether the opponent has acted in this round, and has only checked, called a blind or called a bet of ours."""
    turn, other = view.turn, next(seat for seat in view.live if seat != view.seat)
    return other not in turn.waiting and turn.aggressor != other


def weighed(
    found: list[Holding], strengths: list[float], aim: float, width: float, maniacs: float = MANIAC_SHARE
) -> list[Holding]:
    """The holdings, with larger weights for those whose strength is above ``aim``."""
    return [
        one._replace(weight=one.weight * (maniacs + (1 - maniacs) / (1 + exp((aim - strength) / width))))
        for one, strength in zip(found, strengths, strict=True)
    ]


def worth(action: int, spot: BettingSpot, holdings: list[Holding]) -> float:
    """The average gain of an action, in chips, compared with folding."""
    if action == FOLD:
        return 0.0
    if action == CALL:
        cost = min(spot.price, spot.own)
        won, total = edge_against(holdings)
        return shown_down(won / total, spot.pot + cost, cost, spot, spot.own - cost)
    cost = min(action - RAISE - spot.bet, spot.own)
    asked = min(cost - spot.price, spot.other)
    cost = asked + spot.price
    pot = spot.pot + cost + asked
    least = max(asked / pot + CALL_MARGIN, FOLD_BELOW)
    if spot.streets == 3 and asked > max(OVERBET * spot.pot, STACKS[-1] * spot.big):
        least = WAITED
    stubborn = CALLING_STATION_SHARE / max(1.0, asked / max(1, spot.pot))
    won, called = edge_against(holdings, least, stubborn)
    total = sum(one.weight for one in holdings)
    shown = shown_down(won / called, pot, cost, spot, spot.own - cost) if called else 0.0
    return (1 - called / total) * spot.pot + called / total * shown


def edge_against(holdings: list[Holding], least: float = 0.0, stubborn: float = 1.0) -> tuple[float, float]:
    """Our wins against the holdings that continue, and their weight: those worth ``least``, and a share of others."""
    won = total = 0.0
    for one in holdings:
        weight = one.weight if one.worth >= least else one.weight * stubborn
        won += weight * one.won
        total += weight
    return won, total


def shown_down(equity: float, pot: float, cost: float, spot: BettingSpot, left: float) -> float:
    """The worth of a share of the pot, and what skill adds to it on the streets that are left."""
    later = min(left, spot.other, pot * GROWTH[spot.streets])
    return equity * pot - cost + LATER_CHIPS_SHARE * (2 * equity - 1) * max(0.0, later)
