"""Deals played by the numbers of ``discards`` and ``pegging``, one after another, and what is learned from them.

    scores, crib, pegs, weights     see there
    chosen      how often each class of two cards was laid away by the dealer (the first CLASSES) and by the other seat
    rate        experience moves by this share of what a deal pegged otherwise; more as long as little is known

Nobody wins here: the state's target is out of reach, so that deals are whole.
"""

from kibitz.cards.chance import below, rekey
from kibitz.cards.drawing import handful, one_of
from kibitz.cards.sets import FULL_PACK, lowest, nth, size
from kibitz.games.cribbage.counting import show_points
from kibitz.games.cribbage.dealing import COUNT_OVER, NONE, PLAYING, clear
from kibitz.games.cribbage.discards import KEPT, best_lay
from kibitz.games.cribbage.pegging import POINT, TUPLES, best_card, name_weights, scored_at_once
from kibitz.games.cribbage.playing import end_count, fitting, play, say_go
from kibitz.games.cribbage.rules import turn_up
from kibitz.games.cribbage.simple import greedy_card
from kibitz.games.cribbage.sums import CLASSES, OF_FOUR, RANKS, class_of, group_of, next_of
from kibitz.kernel import kernel

PLAYS = 8
SHOWS = 30
"""A hand or a crib scores less."""
BINS = 24
"""Points pegged are counted up to here; what is more is counted with the last."""
KNOWN = 10
"""Until a weight has moved so often, it moves faster."""


@kernel
def count_discards(s, scores, crib, pegs, chosen, kept, key, first, last):
    """Let both seats lay away in deals ``first`` to ``last - 1`` and count what, and which groups they keep."""
    for i in range(first, last):
        rekey(s, i & 0xFFFFFFFF, i >> 32, key, 0)
        for dealer in range(2):
            hand = handful(s, FULL_PACK, 6)
            laid = best_lay(scores, crib, pegs, hand, FULL_PACK & ~hand, dealer)
            chosen[(1 - dealer) * CLASSES + class_of(lowest(laid), lowest(laid & laid - 1))] += 1
            kept[(1 - dealer) * KEPT + group_of(hand & ~laid) - OF_FOUR] += 1


@kernel
def spread_cribs(chosen, spread):
    """Write for each class of two cards, laid away by either seat, how likely the crib scores 0, 1, 2 ... points.

    The other seat lays what ``chosen`` says.  ``spread`` has a row of SHOWS places for each class, those that the
    dealer lays away first.
    """
    for one in range(52):
        for other in range(one):
            if other & 3 == 0 and one & 3 < 2:  # one of each class
                for dealer in range(2):
                    number = (1 - dealer) * CLASSES + class_of(one, other)
                    spread_crib(chosen, 1 << one | 1 << other, dealer, spread[number])


@kernel
def spread_crib(chosen, laid, dealer, spread):
    """How likely a crib that ``laid`` goes into, as the dealer's two cards or as the other seat's, scores what.

    Every other two cards and every starter are gone through; two cards come as often as their class was chosen.
    """
    weights = 0.0
    for points in range(SHOWS):
        spread[points] = 0
    for one in range(52):
        for other in range(one):
            cards = 1 << one | 1 << other
            number = class_of(one, other)
            ways = 4 if one & 3 == other & 3 else 6 if one >> 2 == other >> 2 else 12
            weight = chosen[dealer * CLASSES + number] / ways
            if cards & laid or not weight:
                continue
            weights += weight
            for starter in range(52):
                if not (cards | laid) >> starter & 1:
                    spread[show_points(cards | laid, starter, 1)] += weight / 48
    for points in range(SHOWS):
        spread[points] /= weights


@kernel
def deal_cribs(s, scores, crib, pegs, spread, key, times):
    """Deal ``times`` cribs for each class of two cards laid away by either seat, and count what they score.

    The other four cards of that seat are any, and the other seat lays away what it likes best.  ``spread`` is written
    as by ``spread_cribs``.
    """
    for one in range(52):
        for other in range(one):
            if other & 3 == 0 and one & 3 < 2:  # one of each class
                for dealer in range(2):
                    number = (1 - dealer) * CLASSES + class_of(one, other)
                    rekey(s, number, 0, key, 2)
                    for points in range(SHOWS):
                        spread[number, points] = 0
                    for _ in range(times):
                        points = deal_crib(s, scores, crib, pegs, 1 << one | 1 << other, dealer)
                        spread[number, points] += 1 / times


@kernel
def deal_crib(s, scores, crib, pegs, laid, dealer):
    """What one crib scores that ``laid`` goes into, as the dealer's two cards or as the other seat's."""
    pack = FULL_PACK & ~laid
    pack &= ~handful(s, pack, 4)
    hand = handful(s, pack, 6)
    theirs = best_lay(scores, crib, pegs, hand, FULL_PACK & ~hand, 1 - dealer)
    return show_points(laid | theirs, one_of(s, pack & ~hand), 1)


@kernel
def begin_play(s, scores, crib, pegs, key, number, trying, given):
    """Deal, lay away and turn up a starter; the seat ``trying`` keeps the four cards ``given``, or any four for 0."""
    rekey(s, number & 0xFFFFFFFF, number >> 32, key, 1)
    clear(s)
    s.dealer = number & 1
    pack = FULL_PACK & ~given
    for p in range(2):
        dealt = given | handful(s, pack, 2) if given and p == trying else handful(s, pack, 6)
        pack &= ~dealt
        if p != trying:
            s.away[p] = best_lay(scores, crib, pegs, dealt, FULL_PACK & ~dealt, 1 if p == s.dealer else 0)
        else:
            s.away[p] = dealt & ~given if given else handful(s, dealt, 2)
        s.hand[p] = dealt & ~s.away[p]
    turn_up(s)
    s.pegs[s.dealer] = 0


@kernel
def play_out(s, weights, out):
    """Play the rest of a deal up to the show."""
    while s.phase == PLAYING or s.phase == COUNT_OVER:
        if s.phase == COUNT_OVER:
            end_count(s)
        elif fitting(s, s.player):
            play(s, best_card(s, s.player, weights, out))
        else:
            say_go(s)


@kernel
def learn(s, scores, crib, pegs, weights, visits, named, tally, key, first, last, explore, sparring, rate):
    """Play deals ``first`` to ``last - 1`` and move the weights to what came of each play; returns the points pegged.

    Of a hundred cards ``explore`` are played at random; in ``sparring`` of a hundred deals one seat plays as ``greedy``
    does, and nothing is learned from its plays.  ``named`` has room for the weights of PLAYS plays, and one more for
    each.
    """
    pegged = 0
    for i in range(first, last):
        begin_play(s, scores, crib, pegs, key, i, i >> 1 & 1 if i % 100 < explore else NONE, 0)
        simple = below(s, 2) if below(s, 100) < sparring else NONE
        n = 0
        while s.phase == PLAYING or s.phase == COUNT_OVER:
            p = s.player
            if s.phase == COUNT_OVER:
                end_count(s)
            elif fitting(s, p):
                if p == simple:
                    card = greedy_card(s, p, tally)
                elif below(s, 100) < explore:
                    card = nth(fitting(s, p), below(s, size(fitting(s, p))))
                else:
                    card = best_card(s, p, weights, named[PLAYS])
                name_weights(s, p, card, named[n])
                named[n, TUPLES] = s.pegs[p] - s.pegs[1 - p] + scored_at_once(s, card)
                n += 1
                play(s, card)
            else:
                say_go(s)
        pegged += s.pegs[0] + s.pegs[1]
        for j in range(n):
            p = s.by[j]
            if p != simple:
                move(weights, visits, named[j], (s.pegs[p] - s.pegs[1 - p] - named[j, TUPLES]) * POINT, rate)
    return pegged


@kernel
def move(weights, visits, named, came, rate):
    """Move the weights that a position names towards what came of it."""
    wrong = came + 0.0
    for k in range(TUPLES):
        wrong -= weights[named[k]]
    for k in range(TUPLES):
        visits[named[k]] += 1
        share = KNOWN / (KNOWN + visits[named[k]])
        weights[named[k]] += wrong * max(share, rate) / TUPLES


@kernel
def peg_groups(s, scores, crib, pegs, weights, out, pegged, key, times):
    """Play ``times`` deals with each group of four cards kept, as the dealer and as the other seat.

    ``pegged`` counts, by group, first the dealer's, BINS of what it pegs and BINS of what the other seat pegs.
    """
    number = 0
    for a in range(RANKS):
        for b in range(a, RANKS):
            for c in range(b, RANKS):
                for d in range(c, RANKS):
                    cards = 1 << 4 * a
                    cards |= next_of(cards, b)
                    cards |= next_of(cards, c)
                    cards |= next_of(cards, d)
                    for _ in range(2 * times):
                        peg_group(s, scores, crib, pegs, weights, out, pegged, key, number, cards)
                        number += 1


@kernel
def peg_group(s, scores, crib, pegs, weights, out, pegged, key, number, cards):
    """Play one deal in which seat 0 keeps ``cards``, and count what is pegged."""
    begin_play(s, scores, crib, pegs, key, number, 0, cards)
    group = s.dealer * KEPT + group_of(cards) - OF_FOUR
    play_out(s, weights, out)
    pegged[group, 0, min(s.pegs[0], BINS - 1)] += 1
    pegged[group, 1, min(s.pegs[1], BINS - 1)] += 1
