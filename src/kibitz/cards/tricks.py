"""Tricks: legal cards, the winner, and redeals of the unseen cards that are consistent with the play.

    trick       an array with the card that each seat has played, negative for none
    trumps      the suit of the trumps, 0 to 3 as in ``kibitz.cards.Suit``; -1 if there are none
    lacks       an array with a set for each seat: the cards that the seat can't hold, as its play has shown
    known       an array with a set for each seat: the cards that it is known to hold, such as cards passed to it

Aces are high.
"""

from kibitz.cards.chance import randbelow
from kibitz.cards.drawing import PACK, draw
from kibitz.cards.sets import at_places, highest, lowest, size
from kibitz.kernel import kernel

ONE_SUIT = sum(1 << 4 * value for value in range(13))
"""All diamonds; ``ONE_SUIT << suit`` are the cards of another suit."""
GROUP, CARDS, CHOICE, NEEDED, SIMILAR, TAKEN, PRODUCT, FRAME = 0, 1, 2, 3, 4, 5, 6, 7
"""The integers of one frame of ``count_deals``, which is a level of its search, and their number."""
FRAMES = FRAME * 32
"""The size of ``frames``, a scratch field of the state; it is enough for five seats that each lack different cards."""
HALF_BITS = 30
"""The number of bits that ``randbelow_large`` draws at a time."""


@kernel
def of_suit(cards, suit):
    """The cards of a suit among ``cards``."""
    return cards & ONE_SUIT << suit


@kernel
def cards_to_follow(hand, suit):
    """The cards of a hand that may be played if ``suit`` was led: the cards of the suit, or all if there are none."""
    cards = of_suit(hand, suit)
    return cards if cards else hand


@kernel
def strength(card):
    """A number that is higher for the higher of two cards of one suit; the Ace is the highest."""
    return (card + PACK - 4) % PACK  # the four aces, 0 to 3, move above the kings


@kernel
def winner(trick, n, leader, trumps):
    """The seat whose card wins, or would win so far: the highest trump, or else the highest card of the suit led."""
    best = leader
    for p in range(n):
        if trick[p] < 0:
            continue
        if trick[p] & 3 == trick[best] & 3:
            if strength(trick[p]) > strength(trick[best]):
                best = p
        elif trick[p] & 3 == trumps:
            best = p
    return best


@kernel
def cards_in_trick(trick, n):
    """The cards that ``n`` seats have played to a trick, as a set."""
    cards = 0
    for p in range(n):
        if trick[p] >= 0:
            cards |= 1 << trick[p]
    return cards


@kernel
def suit_ruled_out(led, card):
    """The cards that a seat can't hold after playing ``card`` onto ``led``: the suit led, or none if it followed."""
    return 0 if led & 3 == card & 3 else ONE_SUIT << (led & 3)


@kernel
def redeal_unseen(s, hands, n, seat, cards, lacks, known):
    """Redeal ``cards`` to all seats but ``seat``; all deals that are consistent with the play are equally likely.

    ``cards`` holds every card: the cards in the hands and the undealt rest, which is returned. Each hand keeps its
    size; a negative ``seat`` is a spectator. If no deal fits, -1 is returned and no hand changes. ``lacks`` is reduced
    to unseen cards in place, so pass a copy.

    Seats that lack the same cards are one group.  The deals to the groups that lack something are counted, and a random
    number below that count picks one, so no deal has to be rejected; the other seats get the rest at random.  For
    example, if a seat lacks all hearts and needs two cards of 2♦ 3♦ 4♥, there is one deal; of 2♦ 3♦ 4♦ 5♥, there are
    three.  The count must stay below 2**61; it does for four seats with 52 cards, if ``lacks`` comes from the play.
    The state needs a scratch field ``frames`` of FRAMES integers, and a pool.
    """
    if seat >= 0:
        cards ^= hands[seat]
    for p in range(n):
        if p != seat:
            cards &= ~known[p]
    for p in range(n):
        lacks[p] &= cards
    number = count_deals(s, hands, -1, n, seat, cards, 0, 0, lacks, known)
    if number == 0:
        return -1
    number = below_large(s, number)
    p = next_group(-1, n, seat, lacks)
    while p < n:
        needed = cards_needed(hands, p, n, seat, lacks, known)
        choice = cards & ~lacks[p]
        dealt = 0
        while choice:
            similar = similar_cards(choice, p, n, seat, lacks)
            choice ^= similar
            k = max(0, needed - size(choice))
            deals_after = count_deals(
                s, hands, p, n, seat, without(cards, similar, k), choice, needed - k, lacks, known
            )
            while number >= binomial(size(similar), k) * deals_after:
                number -= binomial(size(similar), k) * deals_after
                k += 1
                deals_after = count_deals(
                    s, hands, p, n, seat, without(cards, similar, k), choice, needed - k, lacks, known
                )
            chosen = unrank(similar, k, number // deals_after)
            number %= deals_after
            dealt |= chosen
            cards ^= chosen
            needed -= k
        deal_group(s, hands, n, seat, dealt, lacks, known, lacks[p])
        p = next_group(p, n, seat, lacks)
    return deal_group(s, hands, n, seat, cards, lacks, known, 0)


@kernel
def next_group(p, n, seat, lacks):
    """The first seat after ``p`` that lacks cards, but not the same ones as an earlier seat; ``n`` if there is none."""
    p += 1
    while p < n:
        if p != seat and lacks[p]:
            same = 0
            for q in range(p):
                if q != seat and lacks[q] == lacks[p]:
                    same = 1
            if same == 0:
                return p
        p += 1
    return n


@kernel
def cards_needed(hands, p, n, seat, lacks, known):
    """How many unknown cards the group of seat ``p`` needs: that seat, and the later ones that lack the same cards."""
    total = 0
    for q in range(p, n):
        if q != seat and lacks[q] == lacks[p]:
            total += size(hands[q]) - size(known[q])
    return total


@kernel
def deal_group(s, hands, n, seat, cards, lacks, known, lacking):
    """Deal random cards to every seat whose set in ``lacks`` equals ``lacking``; return the cards left over."""
    for p in range(n):
        if p != seat and lacks[p] == lacking:
            dealt = draw(s, cards, size(hands[p]) - size(known[p]))
            hands[p] = known[p] | dealt
            cards ^= dealt
    return cards


@kernel
def count_deals(s, hands, p, n, seat, cards, choice, needed, lacks, known):
    """The number of ways to give ``needed`` of ``choice`` to the group of seat ``p``, and later groups what they need.

    ``cards`` are all cards that are left, including ``choice``.  Cards that the same later seats lack are similar, and
    only their number matters.  The search chooses how many of each kind of similar cards the group gets, multiplies the
    binomial coefficients, and adds up the products.  It keeps its path in ``s.frames``, as kernels can't be recursive.
    """
    total = depth = 0
    product = 1
    while depth >= 0:
        descends = 1
        while descends and choice == 0:
            if needed:  # this group has too few cards to choose from
                descends = 0
            else:
                p = next_group(p, n, seat, lacks)
                if p == n:  # all groups have their cards
                    total += product
                    descends = 0
                else:
                    choice = cards & ~lacks[p]
                    needed = cards_needed(hands, p, n, seat, lacks, known)
        if descends:
            similar = similar_cards(choice, p, n, seat, lacks)
            choice ^= similar
            s.frames[FRAME * depth + GROUP] = p
            s.frames[FRAME * depth + CARDS] = cards
            s.frames[FRAME * depth + CHOICE] = choice
            s.frames[FRAME * depth + NEEDED] = needed
            s.frames[FRAME * depth + SIMILAR] = similar
            s.frames[FRAME * depth + TAKEN] = max(0, needed - size(choice)) - 1  # 1 is added before the first use
            s.frames[FRAME * depth + PRODUCT] = product
            depth += 1
        # Go back to the last level at which the group can take one more of the similar cards.
        depth -= 1
        while depth >= 0 and s.frames[FRAME * depth + TAKEN] >= max_similar(s, depth):
            depth -= 1
        if depth >= 0:
            s.frames[FRAME * depth + TAKEN] += 1
            k = s.frames[FRAME * depth + TAKEN]
            similar = s.frames[FRAME * depth + SIMILAR]
            p = s.frames[FRAME * depth + GROUP]
            cards = without(s.frames[FRAME * depth + CARDS], similar, k)
            choice = s.frames[FRAME * depth + CHOICE]
            needed = s.frames[FRAME * depth + NEEDED] - k
            product = s.frames[FRAME * depth + PRODUCT] * binomial(size(similar), k)
            depth += 1
    return total


@kernel
def max_similar(s, depth):
    """How many of the similar cards the group can get at most, at a level of the search."""
    return min(s.frames[FRAME * depth + NEEDED], size(s.frames[FRAME * depth + SIMILAR]))


@kernel
def similar_cards(cards, p, n, seat, lacks):
    """The lowest of ``cards``, and those of them that the same seats after ``p`` lack."""
    card = lowest(cards)
    for q in range(p + 1, n):
        if q != seat:
            cards &= lacks[q] if lacks[q] >> card & 1 else ~lacks[q]
    return cards


@kernel
def without(cards, similar, k):
    """``cards`` without ``k`` of the ``similar`` cards: the lowest, but it doesn't matter which."""
    return cards ^ at_places(similar, (1 << k) - 1)


@kernel
def unrank(cards, k, number):
    """The set of ``k`` of ``cards`` with this number, from 0, in the combinatorial number system.

    From the highest card down, a card is in the set if the sets without it, of which there are ``binomial(left, k)``,
    all have lower numbers.
    """
    drawn = 0
    left = size(cards)
    while k:
        card = 1 << highest(cards)
        cards ^= card
        left -= 1
        if binomial(left, k) <= number:
            number -= binomial(left, k)
            drawn |= card
            k -= 1
    return drawn


@kernel
def binomial(n, k):
    """How many sets of ``k`` among ``n`` cards there are."""
    if k > n:
        return 0
    total = 1
    for i in range(min(k, n - k)):
        total = total * (n - i) // (i + 1)  # never a fraction: the number of sets of i + 1
    return total


@kernel
def below_large(s, n):
    """A uniform integer in 0..n-1, as from ``randbelow``, but for 1 <= n < 2**61."""
    if n < 1 << HALF_BITS:
        return randbelow(s, n)
    number = n
    while number >= n:
        number = randbelow(s, (n - 1 >> HALF_BITS) + 1) << HALF_BITS | randbelow(s, 1 << HALF_BITS)
    return number
