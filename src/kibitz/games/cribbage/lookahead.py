"""Looks ahead to the end of a deal's play: finds the card with the best chance to win the game.

    mover       the seat that chooses a card
    model       the other seat is assumed to play by the learned policy (``evaluation.best_card``), from what it can see
    state       the position with a possible hand for the other seat
    weight      of a state, its likelihood: how often the players of the study (``evaluation``) keep that hand, reduced
                for each card that the model would not have played
    value       of several states: the weighted sum of the chances to win after the play, the hands and the crib

The mover doesn't know the state, so it plays the same card in all states that look the same to it.

If the other seat holds few cards, the search is exhaustive: all its hands are tried, and the mover's later choices are
the best ones. If it holds more, some of its hands are drawn at random, and the mover, too, continues by the model.
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
    FEATURES,
    FIRST_OF_FOUR,
    HANDS_OF_FOUR,
    RANKS,
    SHOW_SCORES,
    best_card,
    class_of,
    group_of,
    load_table,
)
from kibitz.games.cribbage.scoring import show_points
from kibitz.games.cribbage.stages import COUNT_OVER, PLAYING, WON, end_count, play, playable, say_go, start_count

MAX_ENUMERATED = 2
"""If the other seat holds at most this many cards, all its possible hands are tried."""
MAX_STATES, SAMPLES = 60, 24
"""How many hands are tried at most in an exhaustive search (the likeliest), and how many are drawn otherwise."""
UNEXPECTED_PLAY = 0.2
"""The factor by which each card that the model wouldn't have played makes a hand less likely."""
MIN_KEEP_WEIGHT = 0.02
"""The weight of hands that the players of the study never keep, because other players may."""

WeightedStates = list[tuple[PlainState, float]]


class Knowledge(NamedTuple):
    """What is the same in all states.

    ``seat`` is the mover, ``dealer`` says whether it deals, ``held`` are the four cards that it kept, and ``crib`` has
    pairs of a score and its probability.
    """

    seat: int
    target: int
    dealer: bool
    held: CardSet
    crib: tuple[tuple[int, float], ...]


def choose_card(s: PlainState, random: Random) -> Card:
    """The card that the seat to act should play; the other seat's hand in ``s`` is ignored."""
    seat = s.player
    knowledge = knowledge_of(s, seat)
    exhaustive = s.hand[1 - seat].bit_count() <= MAX_ENUMERATED
    states = likeliest_states(s, seat) if exhaustive else sampled_states(s, seat, random)
    return max(
        one_of_each_rank(s), key=lambda card: (value_after(card, states, knowledge, exhaustive=exhaustive), -card)
    )


def knowledge_of(s: PlainState, seat: int) -> Knowledge:
    """What the mover, ``seat``, knows."""
    held = s.hand[seat] | as_set(s.played[i] for i in range(s.plays) if s.played_by[i] == seat)
    discards = cards_of(s.away[seat])
    first = (class_of(*discards) + (0 if seat == s.dealer else CLASSES)) * SHOW_SCORES
    crib_counts = load_table("cribs")[first : first + SHOW_SCORES]
    crib = tuple((points, times / sum(crib_counts)) for points, times in enumerate(crib_counts) if times)
    return Knowledge(seat, s.target, seat == s.dealer, held, crib)


def one_of_each_rank(s: PlainState) -> list[Card]:
    """The mover's playable cards, one of each rank."""
    return list({card >> 2: card for card in cards_of(playable(s, s.player))}.values())


def value_after(card: Card, states: WeightedStates, knowledge: Knowledge, *, exhaustive: bool) -> float:
    """The value of the states after the mover has played ``card`` in each."""
    states_after = []
    for s, weight in states:
        state = s.copy()
        play(state, card)
        states_after.append((state, weight))
    return total_value(states_after, knowledge, exhaustive=exhaustive)


def total_value(states: WeightedStates, knowledge: Knowledge, *, exhaustive: bool) -> float:
    """The value of some states: each is played on, and where the mover has a choice, the best card is tried."""
    total = 0.0
    decisions: defaultdict[tuple[object, ...], WeightedStates] = defaultdict(list)
    for s, weight in states:
        play_on(s, knowledge.seat, stop_at_choice=exhaustive)
        if s.phase == PLAYING:
            decisions[tuple(s.played), tuple(s.played_by), s.said_go, *s.floor].append((s, weight))
        else:
            total += weight * chance_at_end(s, knowledge)
    for group in decisions.values():  # states that look the same to the mover
        cards = one_of_each_rank(group[0][0])
        total += max(value_after(card, group, knowledge, exhaustive=exhaustive) for card in cards)
    return total


def play_on(s: PlainState, seat: int, *, stop_at_choice: bool) -> None:
    """Play on until the deal's play is over or, if ``stop_at_choice``, the seat has a choice."""
    out = [0] * FEATURES
    while s.phase == PLAYING or s.phase == COUNT_OVER:
        if s.phase == COUNT_OVER:
            end_count(s)
            continue
        cards = playable(s, s.player)
        if not cards:
            say_go(s)
        elif not cards & cards - 1:  # only one card
            play(s, lowest(cards))
        elif stop_at_choice and s.player == seat and len(one_of_each_rank(s)) > 1:
            return
        else:
            play(s, best_card(s, s.player, load_table("weights"), out))


def chance_at_end(s: PlainState, knowledge: Knowledge) -> float:
    """The chance to win once all cards are played, or the target is reached."""
    seat = knowledge.seat
    own, other = s.pegs[seat], s.pegs[1 - seat]
    if s.phase == WON:
        return float(own == s.target)
    own_show = show_points(knowledge.held, s.starter, 0)
    other_hand = as_set(s.played[i] for i in range(s.plays) if s.played_by[i] != seat)
    other_show = show_points(other_hand, s.starter, 0)
    for is_own in (not knowledge.dealer, knowledge.dealer):  # the non-dealer's hand is counted first
        if is_own:
            own += own_show
            if own >= s.target:
                return 1.0
        else:
            other += other_show
            if other >= s.target:
                return 0.0
    return sum(probability * chance_after_crib(own, other, points, knowledge) for points, probability in knowledge.crib)


def chance_after_crib(own: int, other: int, crib: int, knowledge: Knowledge) -> float:
    """The chance to win once the crib is counted too, from both scores before it and the crib's points."""
    if knowledge.dealer:
        own += crib
    else:
        other += crib
    if own >= knowledge.target or other >= knowledge.target:
        return float(own >= knowledge.target)
    return evaluation.win_chance(own, other, dealer=not knowledge.dealer, target=knowledge.target).chance


def likeliest_states(s: PlainState, seat: int) -> WeightedStates:
    """The likeliest states with their weights."""
    possible = possible_states(s, seat)
    weighted = [(state, weight * likelihood_of_plays(state, 1 - seat)) for state, weight in possible]
    likely = [(state, weight) for state, weight in weighted if weight] or possible
    return sorted(likely, key=lambda pair: -pair[1])[:MAX_STATES]


def sampled_states(s: PlainState, seat: int, random: Random) -> WeightedStates:
    """States drawn in proportion to what the players of the study keep, by systematic sampling."""
    hands = list(possible_hands(s, seat))
    sums = list(accumulate(weight for _, weight in hands))
    step = sums[-1] / SAMPLES
    point, i, result = random.random() * step, 0, []
    for _ in range(SAMPLES):
        while sums[i] < point:
            i += 1
        result.append((state_with_hand(s, seat, hands[i][0]), 1.0))
        point += step
    return result


def possible_states(s: PlainState, seat: int) -> WeightedStates:
    """Every state, with its likelihood by what the players of the study keep."""
    return [(state_with_hand(s, seat, hand), weight) for hand, weight in possible_hands(s, seat)]


def state_with_hand(s: PlainState, seat: int, hand: CardSet) -> PlainState:
    """The position with a hand for the other seat and without its discards, which the mover can't know."""
    state = s.copy()
    state.hand[1 - seat], state.away[1 - seat] = hand, 0
    return state


def possible_hands(s: PlainState, seat: int) -> Iterator[tuple[CardSet, float]]:
    """For each choice of ranks that the other seat can hold, one such hand, and the likelihood of these ranks."""
    other = 1 - seat
    played = as_set(s.played[i] for i in range(s.plays) if s.played_by[i] == other)
    seen = s.hand[seat] | s.away[seat] | 1 << s.starter | as_set(s.played[: s.plays])
    free = [[4 * rank + suit for suit in range(4) if not seen >> 4 * rank + suit & 1] for rank in range(RANKS)]
    kept = load_table("kept")
    start = (0 if other == s.dealer else HANDS_OF_FOUR) - FIRST_OF_FOUR  # the dealer's hands come first
    # The play has shown that no card of the other seat is worth less than ``floor``.
    ranks = [rank for rank in range(RANKS) if free[rank] and min(rank + 1, 10) >= s.floor[other]]
    for chosen_ranks in combinations_with_replacement(ranks, s.hand[other].bit_count()):
        if any(chosen_ranks.count(rank) > len(free[rank]) for rank in chosen_ranks):
            continue
        hand = as_set(free[rank][chosen_ranks[:i].count(rank)] for i, rank in enumerate(chosen_ranks))
        all_four = hand | played
        weight = kept[start + group_of(all_four)] + MIN_KEEP_WEIGHT
        yield hand, weight * ways_to_hold(chosen_ranks, free) / ways_in_pack(all_four)


def ways_to_hold(chosen_ranks: tuple[int, ...], free: list[list[Card]]) -> int:
    """In how many ways a hand with these ranks can be made of the cards in ``free``, which are listed by rank."""
    result = 1
    for rank in set(chosen_ranks):
        result *= comb(len(free[rank]), chosen_ranks.count(rank))
    return result


def ways_in_pack(cards: CardSet) -> int:
    """In how many ways cards with the same ranks as ``cards`` can be taken from a whole pack."""
    ranks = [card >> 2 for card in cards_of(cards)]
    result = 1
    for rank in set(ranks):
        result *= comb(4, ranks.count(rank))
    return result


def likelihood_of_plays(s: PlainState, other: int) -> float:
    """How likely the plays of seat ``other`` are in a state if it plays by the model; 0 if the rules forbid them."""
    replayed, result, out = state_before_play(s), 1.0, [0] * FEATURES
    for seat, card in zip(s.played_by[: s.plays], s.played[: s.plays], strict=True):
        while replayed.phase == COUNT_OVER or replayed.player != seat or not playable(replayed, seat):
            if replayed.phase == COUNT_OVER:
                end_count(replayed)
            elif replayed.phase == PLAYING and not playable(replayed, replayed.player):
                say_go(replayed)
            else:
                return 0.0
        if not replayed.hand[seat] >> card & 1 or not playable(replayed, seat) >> card & 1:
            return 0.0
        if seat == other and best_card(replayed, seat, load_table("weights"), out) >> 2 != card >> 2:
            result *= UNEXPECTED_PLAY
        play(replayed, card)
    return result


def state_before_play(s: PlainState) -> PlainState:
    """The position before the first card of this deal was played, with the same hands."""
    replayed = s.copy()
    replayed.target = 10**6  # so that the replay can't end the game
    replayed.player, replayed.phase = 1 - s.dealer, PLAYING
    for i in range(s.plays):
        replayed.hand[s.played_by[i]] |= 1 << s.played[i]
        replayed.played[i] = replayed.played_by[i] = -1
    replayed.plays = replayed.first = 0
    replayed.floor[:] = [1, 1]
    start_count(replayed)
    return replayed
