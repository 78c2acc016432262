"""Deals played by the numbers of ``evaluation``, one after another, and what is learned from them.

    scores, crib, pegs, weights     see there
    chosen      how often each class of two cards was discarded: by the dealer (the first CLASSES numbers), then by the
                other seat
    rate        the least share of the error in a deal's pegging by which weights move; they move more at first

The state's target is out of reach, so that nobody wins and every deal is played to its end.
"""

from kibitz.cards.chance import randbelow, rekey
from kibitz.cards.drawing import handful, random_card
from kibitz.cards.sets import FULL_PACK, lowest, nth, size
from kibitz.games.cribbage.evaluation import (
    CLASSES,
    CODE,
    FEATURES,
    FIRST_OF_FOUR,
    HANDS_OF_FOUR,
    PEG_BINS,
    POINT,
    RANKS,
    SHOW_SCORES,
    best_card,
    class_of,
    group_of,
    immediate_points,
    write_weight_indices,
)
from kibitz.games.cribbage.greedy_play import greedy_card
from kibitz.games.cribbage.rules import HEELS, turn_up
from kibitz.games.cribbage.scoring import FLUSH, JACK, ONE_SUIT, rank_points, show_points
from kibitz.games.cribbage.stages import (
    COUNT_OVER,
    CRIB,
    NON_DEALER,
    NONE,
    PLAYING,
    clear,
    counted_cards,
    end_count,
    play,
    playable,
    say_go,
)
from kibitz.kernel import kernel

PLAYS = 8
KNOWN = 10
"""A weight's n-th move is by the share ``KNOWN / (KNOWN + n)`` of the error, or by the learning rate if greater."""


@kernel
def fill_scores(table):
    """Write what five ranks score (fifteens, pairs, runs) at the sum of their codes; ``table`` has length CODE_SUMS."""
    for a in range(RANKS):
        for b in range(a, RANKS):
            for c in range(b, RANKS):
                for d in range(c, RANKS):
                    for e in range(d + (d == a), RANKS):
                        table[CODE[a] + CODE[b] + CODE[c] + CODE[d] + CODE[e]] = rank_points(
                            set_of_ranks(a, b, c, d, e)
                        )


@kernel
def set_of_ranks(a, b, c, d, e):
    """A set with five given ranks, in ascending order."""
    cards = next_of_rank(0, a)
    cards |= next_of_rank(cards, b)
    cards |= next_of_rank(cards, c)
    cards |= next_of_rank(cards, d)
    return cards | next_of_rank(cards, e)


@kernel
def next_of_rank(cards, rank):
    """The lowest card of a rank that is not in a set."""
    free = 15 << 4 * rank & ~cards
    return free & -free


@kernel
def code_of(cards):
    """The sum of the codes of a set of cards."""
    total = 0
    while cards:
        total += CODE[lowest(cards) >> 2]
        cards &= cards - 1
    return total


# What each discard of two from six cards is worth: the show, the crib and the play together
#
#   scores      what five ranks score, by the sum of their codes (``fill_scores``)
#   crib        by class of the two discards, the mean of the crib they go to: CLASSES for the dealer's own, then as
#               many for the other seat's discards to the dealer's crib
#   pegs        by group of the four cards kept, how much more they peg than the other seat: the dealer's, then the
#               other seat's; FIRST_OF_FOUR is subtracted from the group
#
# The crib is that of two players who choose by these very numbers: see ``tools.cribbage_study``.


@kernel
def hand_mean(scores, kept, unseen):
    """The mean score of the set ``kept``, with each card of the set ``unseen`` equally often as the starter."""
    number = code_of(kept)
    total = 0
    for rank in range(RANKS):
        times = size(unseen >> 4 * rank & 15)
        if times:
            total += times * scores[number + CODE[rank]]
    jacks = kept >> 4 * JACK & 15
    suit = 0
    while jacks:
        if jacks & 1:
            total += size(unseen & ONE_SUIT << suit)
        jacks >>= 1
        suit += 1
    starters = size(unseen)
    suit = lowest(kept) & 3
    if kept & ~(ONE_SUIT << suit) == 0 and size(kept) == FLUSH:
        total += FLUSH * starters + size(unseen & ONE_SUIT << suit)
    return total / starters


@kernel
def discard_value(scores, crib, pegs, hand, discards, unseen, dealer):
    """A seat's mean net score if it keeps the set ``hand`` without ``discards``; ``dealer`` is 1 for the dealer."""
    kept = hand & ~discards
    first = lowest(discards)
    second = lowest(discards & discards - 1)
    mean = hand_mean(scores, kept, unseen)
    group = group_of(kept) - FIRST_OF_FOUR
    if dealer:
        return mean + crib[class_of(first, second)] + pegs[group]
    return mean - crib[CLASSES + class_of(first, second)] + pegs[HANDS_OF_FOUR + group]


@kernel
def best_discard(scores, crib, pegs, hand, unseen, dealer):
    """The two cards, as a set, that a hand of six should discard."""
    best = -1000.0
    best_cards = 0
    first = hand
    while first:
        first_card = first & -first
        first ^= first_card
        second = first
        while second:
            second_card = second & -second
            second ^= second_card
            value = discard_value(scores, crib, pegs, hand, first_card | second_card, unseen, dealer)
            if value > best:
                best = value
                best_cards = first_card | second_card
    return best_cards


@kernel
def count_discards(s, scores, crib, pegs, chosen, kept, key, first, last):
    """Let both seats discard in deals ``first`` to ``last - 1``; count their discards and the groups that they keep."""
    for i in range(first, last):
        rekey(s, i & 0xFFFFFFFF, i >> 32, key, 0)
        for dealer in range(2):
            hand = handful(s, FULL_PACK, 6)
            discards = best_discard(scores, crib, pegs, hand, FULL_PACK & ~hand, dealer)
            chosen[(1 - dealer) * CLASSES + class_of(lowest(discards), lowest(discards & discards - 1))] += 1
            kept[(1 - dealer) * HANDS_OF_FOUR + group_of(hand & ~discards) - FIRST_OF_FOUR] += 1


@kernel
def spread_cribs(chosen, spread):
    """Write for each class of two cards, discarded by either seat, how likely the crib scores 0, 1, 2 ... points.

    The other seat discards as often as ``chosen`` says.  ``spread`` has a row of SHOW_SCORES entries for each class:
    first those that the dealer discards, then those of the other seat.
    """
    for one in range(52):
        for other in range(one):
            if other & 3 == 0 and one & 3 < 2:  # one of each class
                for dealer in range(2):
                    number = (1 - dealer) * CLASSES + class_of(one, other)
                    spread_crib(chosen, 1 << one | 1 << other, dealer, spread[number])


@kernel
def spread_crib(chosen, discards, dealer, spread):
    """Write how likely each score is of a crib with ``discards``, the dealer's two cards or the other seat's.

    All other pairs of cards and all starters are tried; a pair weighs as much as its class was chosen.
    """
    weights = 0.0
    for points in range(SHOW_SCORES):
        spread[points] = 0
    for one in range(52):
        for other in range(one):
            cards = 1 << one | 1 << other
            number = class_of(one, other)
            ways = 4 if one & 3 == other & 3 else 6 if one >> 2 == other >> 2 else 12
            weight = chosen[dealer * CLASSES + number] / ways
            if cards & discards or not weight:
                continue
            weights += weight
            for starter in range(52):
                if not (cards | discards) >> starter & 1:
                    spread[show_points(cards | discards, starter, 1)] += weight / 48
    for points in range(SHOW_SCORES):
        spread[points] /= weights


@kernel
def deal_cribs(s, scores, crib, pegs, spread, key, times):
    """Deal ``times`` cribs for each class of two cards discarded by either seat, and count what they score.

    The other four cards of that seat are random, and the other seat makes its best discard.  ``spread`` is laid out
    as in ``spread_cribs``.
    """
    for one in range(52):
        for other in range(one):
            if other & 3 == 0 and one & 3 < 2:  # one of each class
                for dealer in range(2):
                    number = (1 - dealer) * CLASSES + class_of(one, other)
                    rekey(s, number, 0, key, 2)
                    for points in range(SHOW_SCORES):
                        spread[number, points] = 0
                    for _ in range(times):
                        points = deal_crib(s, scores, crib, pegs, 1 << one | 1 << other, dealer)
                        spread[number, points] += 1 / times


@kernel
def deal_crib(s, scores, crib, pegs, discards, dealer):
    """The score of one crib dealt around ``discards``, the dealer's two cards or the other seat's."""
    pack = FULL_PACK & ~discards
    pack &= ~handful(s, pack, 4)
    hand = handful(s, pack, 6)
    other_discards = best_discard(scores, crib, pegs, hand, FULL_PACK & ~hand, 1 - dealer)
    return show_points(discards | other_discards, random_card(s, pack & ~hand), 1)


@kernel
def begin_play(s, scores, crib, pegs, key, number, trying, kept_cards):
    """Deal, discard and turn up a starter.

    The seat ``trying`` keeps the four cards ``kept_cards``, or four at random if that is 0.
    """
    rekey(s, number & 0xFFFFFFFF, number >> 32, key, 1)
    clear(s)
    s.dealer = number & 1
    pack = FULL_PACK & ~kept_cards
    for p in range(2):
        dealt = kept_cards | handful(s, pack, 2) if kept_cards and p == trying else handful(s, pack, 6)
        pack &= ~dealt
        if p != trying:
            s.away[p] = best_discard(scores, crib, pegs, dealt, FULL_PACK & ~dealt, 1 if p == s.dealer else 0)
        else:
            s.away[p] = dealt & ~kept_cards if kept_cards else handful(s, dealt, 2)
        s.hand[p] = dealt & ~s.away[p]
    turn_up(s)
    s.pegs[s.dealer] = 0


@kernel
def play_out(s, weights, out):
    """Play the rest of a deal up to the show."""
    while s.phase == PLAYING or s.phase == COUNT_OVER:
        if s.phase == COUNT_OVER:
            end_count(s)
        elif playable(s, s.player):
            play(s, best_card(s, s.player, weights, out))
        else:
            say_go(s)


@kernel
def learn(s, scores, crib, pegs, weights, visits, named, tally, key, first, last, explore, sparring, rate):
    """Play deals ``first`` to ``last - 1``; move the weights towards the result of each play; return the points pegged.

    ``explore`` per cent of the cards are played at random; in ``sparring`` per cent of the deals one seat plays as
    ``greedy`` does, and nothing is learned from its plays.  ``named`` has a row for each of PLAYS plays, with the
    indices of its weights and one number more.
    """
    pegged = 0
    for i in range(first, last):
        begin_play(s, scores, crib, pegs, key, i, i >> 1 & 1 if i % 100 < explore else NONE, 0)
        simple = randbelow(s, 2) if randbelow(s, 100) < sparring else NONE
        n = 0
        while s.phase == PLAYING or s.phase == COUNT_OVER:
            p = s.player
            if s.phase == COUNT_OVER:
                end_count(s)
            elif playable(s, p):
                if p == simple:
                    card = greedy_card(s, p, tally)
                elif randbelow(s, 100) < explore:
                    card = nth(playable(s, p), randbelow(s, size(playable(s, p))))
                else:
                    card = best_card(s, p, weights, named[PLAYS])
                write_weight_indices(s, p, card, named[n])
                named[n, FEATURES] = s.pegs[p] - s.pegs[1 - p] + immediate_points(s, card)
                n += 1
                play(s, card)
            else:
                say_go(s)
        pegged += s.pegs[0] + s.pegs[1]
        for j in range(n):
            p = s.played_by[j]
            if p != simple:
                move(weights, visits, named[j], (s.pegs[p] - s.pegs[1 - p] - named[j, FEATURES]) * POINT, rate)
    return pegged


@kernel
def move(weights, visits, named, result, rate):
    """Move the weights of a position, whose indices are ``named``, towards its result."""
    error = result + 0.0
    for k in range(FEATURES):
        error -= weights[named[k]]
    for k in range(FEATURES):
        visits[named[k]] += 1
        share = KNOWN / (KNOWN + visits[named[k]])
        weights[named[k]] += error * max(share, rate) / FEATURES


@kernel
def peg_groups(s, scores, crib, pegs, weights, out, pegged, key, times):
    """Play ``times`` deals with each group of four cards kept, as the dealer and as the other seat.

    ``pegged`` counts deals by group (first those of the dealer), with PEG_BINS for the points that the seat with the
    group pegs and PEG_BINS for those of the other seat.
    """
    number = 0
    for a in range(RANKS):
        for b in range(a, RANKS):
            for c in range(b, RANKS):
                for d in range(c, RANKS):
                    cards = 1 << 4 * a
                    cards |= next_of_rank(cards, b)
                    cards |= next_of_rank(cards, c)
                    cards |= next_of_rank(cards, d)
                    for _ in range(2 * times):
                        peg_group(s, scores, crib, pegs, weights, out, pegged, key, number, cards)
                        number += 1


@kernel
def peg_group(s, scores, crib, pegs, weights, out, pegged, key, number, cards):
    """Play one deal in which seat 0 keeps ``cards``, and count what is pegged."""
    begin_play(s, scores, crib, pegs, key, number, 0, cards)
    group = s.dealer * HANDS_OF_FOUR + group_of(cards) - FIRST_OF_FOUR
    play_out(s, weights, out)
    pegged[group, 0, min(s.pegs[0], PEG_BINS - 1)] += 1
    pegged[group, 1, min(s.pegs[1], PEG_BINS - 1)] += 1


# The chance to win from every score, computed backwards from the end over whole deals that were played
#
#   row         one deal: its scores in the order in which they are pegged, those of the dealer as positive numbers and
#               those of the other seat as negative ones, ended by 0; successive scores of one seat are added up.  The
#               sums follow, at OF_DEALER and OF_OTHER
#   chance      the dealer's chance, at the index TARGET times the dealer's score plus the other seat's
#
# The first seat to reach TARGET wins, in the middle of a row or at its end; after a row in which nobody has won, the
# other seat deals.  Every deal scores, so the chances after it are computed before those at its start need them.


TARGET = 121
ROW = 26
OF_DEALER, OF_OTHER = ROW - 2, ROW - 1


@kernel
def play_rows(s, scores, crib, pegs, weights, out, rows, shows, key, first, last):
    """Play deals ``first`` to ``last - 1`` and write their rows, and count what hands and cribs score.

    ``shows`` has SHOW_SCORES places for the hand of the seat that did not deal, the dealer's, and the crib.
    """
    for i in range(first, last):
        row = rows[i - first]
        begin_play(s, scores, crib, pegs, key, i, NONE, 0)
        n = note(row, 0, HEELS if s.starter >> 2 == JACK else 0)
        while s.phase == PLAYING or s.phase == COUNT_OVER:
            before = s.pegs[s.dealer] - s.pegs[1 - s.dealer]
            if s.phase == COUNT_OVER:
                end_count(s)
            elif playable(s, s.player):
                play(s, best_card(s, s.player, weights, out))
            else:
                say_go(s)
            n = note(row, n, s.pegs[s.dealer] - s.pegs[1 - s.dealer] - before)
        for phase in range(NON_DEALER, CRIB + 1):
            points = show_points(counted_cards(s, phase), s.starter, 1 if phase == CRIB else 0)
            shows[phase - NON_DEALER, points] += 1
            n = note(row, n, -points if phase == NON_DEALER else points)
        row[n] = 0
        sum_up(row)


@kernel
def sum_up(row):
    """Write the sums of the dealer's and the other seat's scores at the end of a row."""
    row[OF_DEALER] = 0
    row[OF_OTHER] = 0
    n = 0
    while row[n]:
        row[OF_DEALER if row[n] > 0 else OF_OTHER] += abs(row[n])
        n += 1


@kernel
def note(row, n, points):
    """Append points to the ``n`` numbers of a row, or add them to the last; return the new length."""
    if points == 0:
        return n
    if n and (row[n - 1] > 0) == (points > 0):
        row[n - 1] += points
        return n
    row[n] = points
    return n + 1


@kernel
def go_back(rows, first, last, chance):
    """Write the dealer's chance to win from every score if each of rows ``first`` to ``last - 1`` is equally likely."""
    for total in range(2 * TARGET - 2, -1, -1):
        for dealer in range(max(0, total - TARGET + 1), min(total, TARGET - 1) + 1):
            other = total - dealer
            won = 0.0
            for i in range(first, last):
                won += after(rows[i], dealer, other, chance)
            chance[dealer * TARGET + other] = won / (last - first)


@kernel
def after(row, dealer, other, chance):
    """The chance to win of the seat that deals if the deal goes as a row says."""
    if dealer + row[OF_DEALER] < TARGET and other + row[OF_OTHER] < TARGET:
        return 1.0 - chance[(other + row[OF_OTHER]) * TARGET + dealer + row[OF_DEALER]]
    n = 0
    while row[n]:
        if row[n] > 0:
            dealer += row[n]
            if dealer >= TARGET:
                return 1.0
        else:
            other -= row[n]
            if other >= TARGET:
                return 0.0
        n += 1
    return 1.0 - chance[other * TARGET + dealer]
