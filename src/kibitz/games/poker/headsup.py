"""Heads-up no-limit hold'em: ``best`` weighs the opponent's possible hands, and looks one response ahead.

    range       the hands that the opponent can hold, weighted by how well its bets fit (``weighted_by_bets``)
    stack       the smaller of both stacks before the hand, in big blinds
    response    the opponent folds hands that aren't worth the price of our bet, except that some opponents never fold

Short stacks push or fold by the equilibrium (``pushfold``).  In all other positions, ``best`` compares the average
gains of folding, calling and each standard raise.  It assumes that the opponent responds once, that the hand is then
shown down, and that the better hand wins some more on the remaining streets.  The opponent's bets make strong holdings
likelier, but never weak ones impossible, so ``best`` also calls a player who pushes every hand often enough.  With more
than two players, or with limits, ``greedy`` decides.

The opponent's possible hands:

    holding     one hand of the opponent, or before the flop one class of hands
    weight      how likely it is: at first the number of its combos that the known cards allow
    worth       its equity against hands dealt at random, from 0 to 1
    our_equity  our equity against it
    runouts     boards completed at random, on which all holdings are compared at once; on the river the board itself

Plain Python with the tables of ``evaluator`` and ``ranges``: a few milliseconds per range.
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
from kibitz.games.poker.hands.evaluator import CODES, FLUSHES, RANK_BITS, THREE_EACH, evaluator
from kibitz.games.poker.hands.pushfold import STACKS, chart
from kibitz.games.poker.hands.ranges import CLASSES, class_of, matchup
from kibitz.games.poker.policies import greedy
from kibitz.games.poker.rules import CALL, FOLD, RAISE
from kibitz.games.poker.view import PokerView

# The opponent's possible hands


RUNOUTS = 14
"""How many boards are completed at random on the flop or the turn."""


class Holding(NamedTuple):
    """One hand that the opponent can hold, or a class of hands."""

    weight: float
    worth: float
    our_equity: float
    preflop_worth: float


@cache
def preflop_worth() -> tuple[float, ...]:
    """By class of hands, its equity before the flop against a hand dealt at random."""
    result = []
    for number in range(CLASSES):
        matchups = [matchup(number, other) for other in range(CLASSES)]
        result.append(sum(each.deals * each.equity for each in matchups) / sum(each.deals for each in matchups))
    return tuple(result)


@cache
def preflop_range(own: int) -> tuple[Holding, ...]:
    """The opponent's range before the flop if we hold class ``own``: all classes in order."""
    matchups = [matchup(own, other) for other in range(CLASSES)]
    return tuple(
        Holding(each.deals, worth, each.equity, worth) for worth, each in zip(preflop_worth(), matchups, strict=True)
    )


def opponent_range(hand: tuple[Card, ...], board: tuple[Card, ...], random: Random) -> tuple[Holding, ...]:
    """The opponent's possible hands, given our hand and the board."""
    if not board:
        return preflop_range(class_of(as_set(hand)))
    unseen = [card for card in range(52) if card not in hand and card not in board]
    pairs = list(combinations(unseen, 2))
    missing = 5 - len(board)
    sums = [[0, 0.0, 0.0] for _ in pairs]
    for _ in range(RUNOUTS if missing else 1):
        runout = random.sample(unseen, missing)
        add_runout(hand, [*board, *runout], set(runout), pairs, sums)
    worth = preflop_worth()
    return tuple(
        Holding(1.0, beaten / times, won / times, worth[preflop_class(pair)])
        for pair, (times, beaten, won) in zip(pairs, sums, strict=True)
        if times
    )


@cache
def preflop_class(pair: tuple[Card, Card]) -> int:
    """The class of two cards."""
    return class_of(as_set(pair))


def add_runout(
    hand: tuple[Card, ...],
    board: list[Card],
    runout: set[Card],
    pairs: list[tuple[Card, Card]],
    sums: list[list[float]],
) -> None:
    """Add one full board to the sums of each pair that can be held on it.

    A pair's three sums are the number of boards, the shares of pairs that it beats, and what we win against it.  A tie
    counts half.
    """
    tables = evaluator()
    strength_by_ranks, cards = tables.strength_by_ranks, as_set(board)
    board_sum = THREE_EACH + sum(CODES[card] for card in board)
    own_strength = tables.strength(cards | as_set(hand))
    strengths = []
    for number, (a, b) in enumerate(pairs):
        if a in runout or b in runout:
            continue
        total = board_sum + CODES[a] + CODES[b]
        strength = (
            ranking.strength(cards | 1 << a | 1 << b) if total & FLUSHES else strength_by_ranks[total & RANK_BITS]
        )
        strengths.append((strength, number))
    ascending = sorted(strength for strength, _ in strengths)
    share = 1 / (2 * len(ascending))
    for strength, number in strengths:
        row = sums[number]
        row[0] += 1
        row[1] += (bisect_left(ascending, strength) + bisect_right(ascending, strength)) * share
        row[2] += 1.0 if own_strength > strength else 0.5 if own_strength == strength else 0.0


# The strategy


PUSH_OR_FOLD_STACK = 8
"""Up to this many big blinds, the small blind pushes or folds; with more, raises of other sizes win more."""
MANIAC_SHARE = 0.2
"""The share of opponents who bet with any hand."""
OVERBET = 5.0
"""If the opponent bets more than this many pots before the flop, its hand is probably worth ``OVERBET_WORTH`` or more.

Weaker hands are assumed to be very rare. If we bet that much, and more than 20 big blinds, only such hands call.
Calling such a bet with the best eighth of hands wins against opponents who go all-in with any ace, and still wins 3.4
big blinds per hand against those who go all-in with everything (100 big blinds, exact matchups).
"""
OVERBET_WORTH, OVERBET_MANIAC_SHARE = 0.62, 0.01
RERAISE_STRENGTH, RERAISE_MANIAC_FACTOR = 0.07, 0.3
"""For each raise before the flop after the first, how much stronger the opponent's hands are, and the factor by which
maniacs become rarer."""
CALLING_STATION_SHARE = 0.25
"""The share of opponents who call a bet of the pot's size with anything; proportionally fewer call larger bets."""
CHECK_CAP = 0.66
"""Hands worth more than this are mostly bet, so a check makes them unlikely."""
CALL_MARGIN = 0.08
"""How much a hand's worth must exceed the price, as a share of the pot, for the opponent to call."""
FOLD_BELOW = 0.42
"""Hands worth less than this fold to the smallest bet."""
LATER_CHIPS_SHARE = 0.1
"""The share of the chips that can still be bet on later streets that we gain if our hand is sure to win."""
POTS_LEFT_TO_BET = (0, 1, 3, 6)
"""By the number of streets left, the chips that will probably still be bet, in pots."""


class BettingSpot(NamedTuple):
    """A decision: pot, cost of a call, both stacks, our bet in this round and big blind, in chips; the streets left."""

    pot: int
    to_call: int
    own: int
    other: int
    bet: int
    streets: int
    big: int


def best(view: PokerView, legal: list[int], random: Random) -> int:
    """Plays by the odds: bets when it is ahead, and folds when a call costs more than the hand is worth."""
    if not is_heads_up_no_limit(view):
        return greedy(view, legal, random)
    if not view.board and (charted := by_chart(view, legal, random)) is not None:
        return charted
    other = next(seat for seat in view.live if seat != view.seat)
    spot = BettingSpot(
        view.pot,
        view.turn.to_call,
        view.chips[view.seat],
        view.chips[other],
        view.bets[view.seat],
        3 - view.turn.street,
        view.setup.big,
    )
    holdings = weighted_by_bets(view, opponent_range(view.hand, view.board, random))
    return max(legal, key=lambda action: average_gain(action, spot, holdings))


def is_heads_up_no_limit(view: PokerView) -> bool:
    """Whether this is a decision of no-limit hold'em between two."""
    setup = view.setup
    is_holdem = as_set(setup.pack) == FULL_PACK and (setup.hole, setup.flop, setup.turn, setup.river) == (2, 3, 1, 1)
    return is_holdem and setup.limit == NO_LIMIT and len(view.live) == 2 and not view.turn.drawing


def by_chart(view: PokerView, legal: list[int], random: Random) -> int | None:
    """The action by the push-or-fold charts; None if they don't apply."""
    setup = view.setup
    if setup.ante or setup.players != 2 or 2 * setup.small != setup.big:
        return None
    other = 1 - view.seat
    stack = min(view.chips[seat] + view.paid[seat] for seat in (0, 1)) / setup.big
    stack = max(STACKS[0], stack)
    number = class_of(as_set(view.hand))
    if view.turn.aggressor == other and (not view.chips[other] or view.turn.to_call >= view.chips[view.seat]):
        return response_to_push(view, number, stack) if stack <= STACKS[-1] else None
    if stack > PUSH_OR_FOLD_STACK or legal[-1] < RAISE:
        return None
    if view.turn.aggressor is None and FOLD in legal:
        return legal[-1] if random.random() < chart(stack)[number] else FOLD
    return None


def response_to_push(view: PokerView, number: int, stack: float) -> int:
    """Call a push if that wins against opponents who push by the chart or, if they are maniacs, with anything."""
    price, pot, gain = min(view.turn.to_call, view.chips[view.seat]), view.pot, 0.0
    for chart_share, holding in zip(chart(stack), preflop_range(number), strict=True):
        push_share = MANIAC_SHARE + (1 - MANIAC_SHARE) * chart_share
        gain += push_share * holding.weight * (holding.our_equity * (pot + price) - price)
    return CALL if gain > 0 else FOLD


def weighted_by_bets(view: PokerView, holdings: tuple[Holding, ...]) -> list[Holding]:
    """The opponent's range, weighted by how well each holding fits its bets in this hand."""
    turn, result = view.turn, list(holdings)
    if view.board:
        big = max(1, view.setup.big)
        was_raised = max(view.paid) - max(view.bets) > big  # earlier streets cost more than the big blind
        if was_raised:
            opponent_led = turn.initiative is not None and turn.initiative != view.seat
            strengths = [holding.preflop_worth for holding in result]
            result = reweighted(result, strengths, 0.5 if opponent_led else 0.45, 0.06)
    faces_bet = turn.aggressor is not None and turn.aggressor != view.seat and turn.to_call > 0
    if faces_bet:
        pot_before = max(1, view.pot - turn.to_call)
        size = turn.to_call / pot_before
        middle = 0.5 + 0.2 * min(size, 1.5) + 0.05 * max(0, turn.raises - 1)
        maniacs = MANIAC_SHARE
        if not view.board:
            reraises = max(0, turn.raises - 2)  # the big blind and the first raise are two
            middle = 0.46 + 0.06 * min(size, 2.0) + RERAISE_STRENGTH * reraises
            maniacs = MANIAC_SHARE * RERAISE_MANIAC_FACTOR**reraises
            if size > OVERBET:
                middle, maniacs = OVERBET_WORTH, OVERBET_MANIAC_SHARE
        result = reweighted(result, [holding.worth for holding in result], middle, 0.05, maniacs)
    elif checked(view):
        result = reweighted(result, [-holding.worth for holding in result], -CHECK_CAP, 0.05)
    return result


def checked(view: PokerView) -> bool:
    """Whether the opponent has acted in this round, and has only checked, called a blind or called a bet of ours."""
    turn, other = view.turn, next(seat for seat in view.live if seat != view.seat)
    return other not in turn.waiting and turn.aggressor != other


def reweighted(
    holdings: list[Holding], strengths: list[float], middle: float, width: float, maniacs: float = MANIAC_SHARE
) -> list[Holding]:
    """The holdings with weights multiplied by a logistic function of their strength, which is one half at ``middle``.

    A share ``maniacs`` of each weight stays, whatever the strength.
    """
    return [
        holding._replace(weight=holding.weight * (maniacs + (1 - maniacs) / (1 + exp((middle - strength) / width))))
        for holding, strength in zip(holdings, strengths, strict=True)
    ]


def average_gain(action: int, spot: BettingSpot, holdings: list[Holding]) -> float:
    """The average gain of an action, in chips, compared with folding."""
    if action == FOLD:
        return 0.0
    if action == CALL:
        cost = min(spot.to_call, spot.own)
        won, total = wins_against(holdings)
        return showdown_gain(won / total, spot.pot + cost, cost, spot, spot.own - cost)
    cost = min(action - RAISE - spot.bet, spot.own)
    other_cost = min(cost - spot.to_call, spot.other)  # what the opponent must pay to call
    cost = other_cost + spot.to_call
    pot = spot.pot + cost + other_cost
    min_worth = max(other_cost / pot + CALL_MARGIN, FOLD_BELOW)
    if spot.streets == 3 and other_cost > max(OVERBET * spot.pot, STACKS[-1] * spot.big):
        min_worth = OVERBET_WORTH
    stations = CALLING_STATION_SHARE / max(1.0, other_cost / max(1, spot.pot))
    won, calling = wins_against(holdings, min_worth, stations)
    total = sum(holding.weight for holding in holdings)
    gain_if_called = showdown_gain(won / calling, pot, cost, spot, spot.own - cost) if calling else 0.0
    return (1 - calling / total) * spot.pot + calling / total * gain_if_called


def wins_against(holdings: list[Holding], min_worth: float = 0.0, stations: float = 1.0) -> tuple[float, float]:
    """Our weighted wins against the holdings that call, and the total weight of these holdings.

    Holdings worth at least ``min_worth`` call, and a share ``stations`` of the others.
    """
    won = total = 0.0
    for holding in holdings:
        weight = holding.weight if holding.worth >= min_worth else holding.weight * stations
        won += weight * holding.our_equity
        total += weight
    return won, total


def showdown_gain(equity: float, pot: float, cost: float, spot: BettingSpot, stack: float) -> float:
    """Our share of the pot minus the cost, plus what our edge wins on later streets; ``stack`` is our stack then."""
    later = min(stack, spot.other, pot * POTS_LEFT_TO_BET[spot.streets])
    return equity * pot - cost + LATER_CHIPS_SHARE * (2 * equity - 1) * max(0.0, later)
