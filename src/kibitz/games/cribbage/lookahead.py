"""Looks ahead to the end of a deal: finds the card with the best chance to win.

    world       a hand that the other seat may hold, with its odds: how often such players keep it, reduced if they
                would have played other cards than those seen
    model       the other seat plays by experience (``evaluation``), from what it would see
    choice      the mover doesn't know the world: it plays one card in all worlds in which it has seen the same
    worth       the chance to win once the cards are played and hands and crib counted

If the other seat holds few cards, all its hands are tried and the mover's later choices are the best ones. If it holds
more, some of its hands are drawn and the mover plays on by experience too.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from itertools import accumulate, combinations_with_replacement
from math import comb
from random import Random
from typing import NamedTuple

from kibitz.cards import Card, CardSet, as_set, cards_of
from kibitz.cards.sets import lowest
from kibitz.engine.layout import PlainState
from kibitz.games.cribbage import evaluation
from kibitz.games.cribbage.evaluation import (
    CLASSES,
    KEPT,
    OF_FOUR,
    RANKS,
    SHOWS,
    TUPLES,
    best_card,
    class_of,
    group_of,
    stored,
)
from kibitz.games.cribbage.scoring import show_points
from kibitz.games.cribbage.stages import COUNT_OVER, PLAYING, WON, end_count, fitting, play, say_go, start_count

FEW = 2
"""Up to this many cards, all hands of the other seat are tried."""
MAX_WORLDS, DRAWN = 60, 24
"""How many of the likeliest hands are tried when the cards are few; how many are drawn otherwise."""
UNLIKE = 0.2
"""The factor by which a hand is less likely for each card that the model would not have played from it."""
NEVER = 0.02
"""The weight of hands that such players never keep, because other players may."""

WeighedStates = list[tuple[PlainState, float]]


class Knowledge(NamedTuple):
    """What is the same in all worlds: the mover, the dealer, the mover's cards, and the odds of the crib's scores."""

    seat: int
    target: int
    dealer: bool
    held: CardSet
    crib: tuple[tuple[int, float], ...]


def best(s: PlainState, random: Random) -> Card:
    """The card to play in a position, from the mover's seat; the other seat's hand is ignored."""
    seat = s.player
    known = knowledge_of(s, seat)
    few = s.hand[1 - seat].bit_count() <= FEW
    states = likely(s, seat) if few else sampled_states(s, seat, random)
    return max(different(s), key=lambda card: (after(card, states, known, few=few), -card))


def knowledge_of(s: PlainState, seat: int) -> Knowledge:
    """The mover's knowledge."""
    held = s.hand[seat] | as_set(s.trail[i] for i in range(s.plays) if s.by[i] == seat)
    laid = cards_of(s.away[seat])
    first = (class_of(*laid) + (0 if seat == s.dealer else CLASSES)) * SHOWS
    spread = stored("cribs")[first : first + SHOWS]
    crib = tuple((points, times / sum(spread)) for points, times in enumerate(spread) if times)
    return Knowledge(seat, s.target, seat == s.dealer, held, crib)


def different(s: PlainState) -> list[Card]:
    """The mover's cards that fit, one of each rank."""
    return list({card >> 2: card for card in cards_of(fitting(s, s.player))}.values())


def after(card: Card, states: WeighedStates, known: Knowledge, *, few: bool) -> float:
    """The chance to win after a card is played, by world."""
    played = []
    for s, weight in states:
        world = s.copy()
        play(world, card)
        played.append((world, weight))
    return value(played, known, few=few)


def value(states: WeighedStates, known: Knowledge, *, few: bool) -> float:
    """The chance to win in each world, times the world's weight."""
    total = 0.0
    asked: defaultdict[tuple[object, ...], WeighedStates] = defaultdict(list)
    for s, weight in states:
        play_on(s, known.seat, choosing=few)
        if s.phase == PLAYING:
            asked[tuple(s.trail), tuple(s.by), s.went, *s.floor].append((s, weight))
        else:
            total += weight * worth(s, known)
    for same in asked.values():
        total += max(after(card, same, known, few=few) for card in different(same[0][0]))
    return total


def play_on(s: PlainState, seat: int, *, choosing: bool) -> None:
    """Play on until the deal's play is over or, if ``choosing``, the seat has a choice."""
    out = [0] * TUPLES
    while s.phase == PLAYING or s.phase == COUNT_OVER:
        if s.phase == COUNT_OVER:
            end_count(s)
            continue
        cards = fitting(s, s.player)
        if not cards:
            say_go(s)
        elif not cards & cards - 1:
            play(s, lowest(cards))
        elif choosing and s.player == seat and len(different(s)) > 1:
            return
        else:
            play(s, best_card(s, s.player, stored("weights"), out))


def worth(s: PlainState, known: Knowledge) -> float:
    """The chance to win once all cards are played, or the target is reached."""
    seat = known.seat
    mine, theirs = s.pegs[seat], s.pegs[1 - seat]
    if s.phase == WON:
        return float(mine == s.target)
    own = show_points(known.held, s.starter, 0)
    shown = as_set(s.trail[i] for i in range(s.plays) if s.by[i] != seat)
    other = show_points(shown, s.starter, 0)
    for is_mine in (not known.dealer, known.dealer):
        if is_mine:
            mine += own
            if mine >= s.target:
                return 1.0
        else:
            theirs += other
            if theirs >= s.target:
                return 0.0
    return sum(likely * chance_after_crib(mine, theirs, points, known) for points, likely in known.crib)


def chance_after_crib(mine: int, theirs: int, crib: int, known: Knowledge) -> float:
    """The chance to win once the crib is counted too."""
    if known.dealer:
        mine += crib
    else:
        theirs += crib
    if mine >= known.target or theirs >= known.target:
        return float(mine >= known.target)
    return evaluation.standing(mine, theirs, dealer=not known.dealer, target=known.target).chance


def likely(s: PlainState, seat: int) -> WeighedStates:
    """The likeliest worlds, by what is kept and by what was played."""
    found = [(world, weight * played_so(world, 1 - seat)) for world, weight in possible(s, seat)]
    found = [each for each in found if each[1]] or list(possible(s, seat))
    return sorted(found, key=lambda each: -each[1])[:MAX_WORLDS]


def sampled_states(s: PlainState, seat: int, random: Random) -> WeighedStates:
    """Some worlds, drawn by how likely they are, at even distances."""
    hands = list(hands_of(s, seat))
    sums = list(accumulate(weight for _, weight in hands))
    step = sums[-1] / DRAWN
    at, i, found = random.random() * step, 0, []
    for _ in range(DRAWN):
        while sums[i] < at:
            i += 1
        found.append((world_of(s, seat, hands[i][0]), 1.0))
        at += step
    return found


def possible(s: PlainState, seat: int) -> Iterator[tuple[PlainState, float]]:
    """Every world, with its likelihood by what is kept alone."""
    for hand, weight in hands_of(s, seat):
        yield world_of(s, seat, hand), weight


def world_of(s: PlainState, seat: int, hand: CardSet) -> PlainState:
    """The position with a hand for the other seat, whose discards the mover cannot know."""
    world = s.copy()
    world.hand[1 - seat], world.away[1 - seat] = hand, 0
    return world


def hands_of(s: PlainState, seat: int) -> Iterator[tuple[CardSet, float]]:
    """Every hand of other ranks that the other seat can hold, with its likelihood by what is kept."""
    other = 1 - seat
    played = as_set(s.trail[i] for i in range(s.plays) if s.by[i] == other)
    seen = s.hand[seat] | s.away[seat] | 1 << s.starter | as_set(s.trail[: s.plays])
    free = [[4 * rank + suit for suit in range(4) if not seen >> 4 * rank + suit & 1] for rank in range(RANKS)]
    kept, start = stored("kept"), KEPT - OF_FOUR if other != s.dealer else -OF_FOUR
    ranks = [rank for rank in range(RANKS) if free[rank] and min(rank + 1, 10) >= s.floor[other]]
    for some in combinations_with_replacement(ranks, s.hand[other].bit_count()):
        if any(some.count(rank) > len(free[rank]) for rank in some):
            continue
        hand = as_set(free[rank][some[:i].count(rank)] for i, rank in enumerate(some))
        whole = hand | played
        yield hand, (kept[start + group_of(whole)] + NEVER) * ways(some, free) / ways_in_pack(whole)


def ways(some: tuple[int, ...], free: list[list[Card]]) -> int:
    """In how many ways cards of some ranks can be held."""
    found = 1
    for rank in set(some):
        found *= comb(len(free[rank]), some.count(rank))
    return found


def ways_in_pack(cards: CardSet) -> int:
    """In how many ways cards of the ranks of some cards can be taken from a whole pack."""
    ranks = [card >> 2 for card in cards_of(cards)]
    found = 1
    for rank in set(ranks):
        found *= comb(4, ranks.count(rank))
    return found


def played_so(s: PlainState, other: int) -> float:
    """How well a world fits the plays of its other seat, by the model; 0 if the rules forbid them."""
    again, found, out = before_play(s), 1.0, [0] * TUPLES
    for seat, card in zip(s.by[: s.plays], s.trail[: s.plays], strict=True):
        while again.phase == COUNT_OVER or again.player != seat or not fitting(again, seat):
            if again.phase == COUNT_OVER:
                end_count(again)
            elif again.phase == PLAYING and not fitting(again, again.player):
                say_go(again)
            else:
                return 0.0
        if not again.hand[seat] >> card & 1 or not fitting(again, seat) >> card & 1:
            return 0.0
        if seat == other and best_card(again, seat, stored("weights"), out) >> 2 != card >> 2:
            found *= UNLIKE
        play(again, card)
    return found


def before_play(s: PlainState) -> PlainState:
    """The position before the first card of this deal was played, in the same world."""
    again = s.copy()
    again.target = 10**6
    again.player, again.phase = 1 - s.dealer, PLAYING
    for i in range(s.plays):
        again.hand[s.by[i]] |= 1 << s.trail[i]
        again.trail[i] = again.by[i] = -1
    again.plays = again.first = 0
    again.floor[:] = [1, 1]
    start_count(again)
    return again
