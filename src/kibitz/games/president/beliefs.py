"""Redraws what a seat can't know in President, with exact probabilities.

    unseen      the cards whose holder the seat doesn't know; in the first round this excludes the cards below the
                lowest one dealt, which are known to be aside

A pair is two seats that trade: the President and the Bum, or the Vice-President and the Vice-Bum (see ``rounds``).
What a seat knows of a pair's trades depends on the pair.

    own pair        traders see what they trade: the upper seat also knows that the lower one kept nothing higher than
                    what it gave, or none of the cards that it was asked for in vain
    public trades   with REPEATED_REQUEST, all see what goes where; apart from the cards returned to it, the lower seat
                    has none of the cards in ``named``
    another pair    what it traded is drawn, too: the cards ``given`` are the highest of the hand dealt (or have been
                    requested), those ``returned`` can be any, and both seats may have played some of them since

The origins of the cards that another pair has played say how they came to their seats:

    back        cards that the lower seat had given and that came back to it
    new         other cards that the upper seat returned to the lower one
    gifts       cards played by the upper seat that the lower one had given
    stayed      cards played by the lower seat that it was dealt and didn't give

Every deal, with every choice of cards to return, is equally likely.  So for another pair the origins of the cards
played are drawn first, in proportion to the number of deals that are possible with them.  Then the unseen cards of both
seats are drawn at random.  A deal in which the cards given wouldn't be the highest is rejected.
"""

from kibitz.cards.chance import randbelow
from kibitz.cards.drawing import draw
from kibitz.cards.sets import highest, lowest, size
from kibitz.games.president.moves import NONE, in_heights
from kibitz.games.president.rounds import ASK, REPEATED_REQUEST, cards_to_trade, lower_seat, pairs, upper_seat
from kibitz.kernel import kernel

BACK, NEW, GIFTS, UNIT = 0, 1, 2, 3
"""What ``s.origins`` holds: sets of cards, how many gifts there are, and the unit in which deals are counted."""
WORD = 1 << 30
"""Random numbers below 2 * WORD are drawn at once (see ``randbelow``), larger ones as two."""


@kernel
def resample(s, seat):
    """Redraw every hidden card; seat -1 is a spectator, who sees no hand.  False means rejected: call it again."""
    unseen = in_heights(s.pack)
    for p in range(s.players):
        unseen &= ~s.gone[p]
        s.old_hand[p] = s.hand[p]
        if p == seat:
            unseen &= ~s.hand[p]
        else:
            s.hand_size[p] = size(s.hand[p])
            s.hand[p] = 0
    if s.lowest_card != NONE:
        if unseen >> s.lowest_card & 1:
            s.hand[s.player] = 1 << s.lowest_card
        unseen &= -(1 << s.lowest_card) & ~(1 << s.lowest_card)
    if s.round:
        if s.upper_names == REPEATED_REQUEST:
            unseen = draw_public_trades(s, seat, unseen)
        else:
            unseen = draw_trades(s, seat, unseen)
        if unseen < 0:
            for p in range(s.players):
                s.hand[p] = s.old_hand[p]
            return False
    for p in range(s.players):
        if p != seat:
            more = draw(s, unseen, s.hand_size[p] - size(s.hand[p]))
            s.hand[p] |= more
            unseen &= ~more
    return True


@kernel
def draw_public_trades(s, seat, unseen):
    """Draw the lower hands after public trades; return the cards still unseen, or NONE if rejected."""
    for j in range(pairs(s)):
        known = s.returned[j] & ~s.gone[lower_seat(s, j)]
        if seat != lower_seat(s, j):
            s.hand[lower_seat(s, j)] = known
        unseen &= ~known
        known = s.given[j] & ~s.returned[j] & ~s.gone[upper_seat(s, j)]
        if seat != upper_seat(s, j):
            s.hand[upper_seat(s, j)] = known
        unseen &= ~known
    two_hidden = pairs(s) == 2 and seat != lower_seat(s, 0) and seat != lower_seat(s, 1)
    for j in range(pairs(s)):
        if seat == lower_seat(s, j):
            continue
        excluded = s.named[j]
        n = s.hand_size[lower_seat(s, j)] - size(s.hand[lower_seat(s, j)])
        only_first = 0
        if two_hidden and j == 0:  # of the first hand, draw the cards that the second can't hold separately
            i = draw_split(s, unseen, n, s.hand_size[lower_seat(s, 1)] - size(s.hand[lower_seat(s, 1)]))
            if i < 0:
                return NONE
            only_first = draw(s, unseen & ~s.named[0] & s.named[1], i)
            excluded |= s.named[1]
            n -= i
        more = only_first | draw(s, unseen & ~excluded, n)
        s.hand[lower_seat(s, j)] |= more
        unseen &= ~more
    return unseen


@kernel
def draw_split(s, unseen, a, b):
    """Draw how many of the first lower seat's cards are cards that the second lower seat can't hold.

    The first seat needs ``a`` cards and the second ``b``.  There are ``p`` cards that only the first can hold, ``f``
    that both can, and ``m`` that the second can, so C(p, i) C(f, a - i) C(m - a + i, b) deals give the first ``i`` of
    the ``p``.  ``i`` is drawn uniformly and accepted with probability deals(i) / deals(commonest i); if it isn't, NONE
    is returned.  That quotient is a product of the ratios between neighbours, which are small numbers.
    """
    p = size(unseen & ~s.named[0] & s.named[1])
    f = size(unseen & ~s.named[0] & ~s.named[1])
    m = size(unseen & ~s.named[1])
    least = max(0, max(a - f, a + b - m))
    most = min(p, a)
    commonest = least
    while commonest < most and ratio_numerator(commonest, p, m, a) >= ratio_denominator(commonest, f, m, a, b):
        commonest += 1
    i = least + randbelow(s, most - least + 1)
    for k in range(min(i, commonest), max(i, commonest)):
        up = ratio_numerator(k, p, m, a)
        down = ratio_denominator(k, f, m, a, b)
        unit = gcd(up, down)
        if randbelow(s, max(up, down) // unit) >= min(up, down) // unit:
            return NONE
    return i


@kernel
def ratio_numerator(i, p, m, a):
    """The numerator of the ratio of the deals for ``i + 1`` to those for ``i``, in ``draw_split``."""
    return (p - i) * (a - i) * (m - a + i + 1)


@kernel
def ratio_denominator(i, f, m, a, b):
    """The denominator of the ratio in ``ratio_numerator``."""
    return (i + 1) * (f - a + i + 1) * (m - a + i + 1 - b)


@kernel
def draw_trades(s, seat, unseen):
    """Draw the hands of seats that have traded; return the cards still unseen, or NONE if the attempt is rejected."""
    for j in range(pairs(s)):
        if seat != upper_seat(s, j) and seat != lower_seat(s, j):
            unseen &= ~public_gifts(s, j)
    for j in range(pairs(s)):
        top = upper_seat(s, j)
        bottom = lower_seat(s, j)
        if seat == bottom:
            s.hand[top] = s.given[j] & ~s.returned[j] & ~s.gone[top]
            unseen &= ~s.hand[top]
        elif seat == top:
            s.hand[bottom] = s.returned[j] & ~s.gone[bottom]
            unseen &= ~s.hand[bottom]
            candidates = unseen & ~(s.named[j] & ~s.given[j])
            if not s.upper_names:
                candidates &= (s.given[j] & -s.given[j]) - 1  # lower than the lowest card that was given
            more = draw(s, candidates, s.hand_size[bottom] - size(s.hand[bottom]))
            s.hand[bottom] |= more
            unseen &= ~more
    for j in range(pairs(s)):
        if seat != upper_seat(s, j) and seat != lower_seat(s, j):
            unseen = draw_pair(s, j, unseen)
            if unseen < 0:
                return NONE
    return unseen


@kernel
def amount_given(s, j):
    """How many cards the lower seat of a pair has given."""
    return size(s.given[j]) if s.upper_names else cards_to_trade(s, j)


@kernel
def amount_returned(s, j):
    """How many cards have been returned to the lower seat of a pair so far."""
    if s.phase:
        if j > s.pair or (j == s.pair and s.phase == ASK):
            return 0
        if j == s.pair:
            return amount_given(s, j) - s.todo
    return amount_given(s, j)


@kernel
def public_gifts(s, j):
    """The cards that a pair is known to hold: they were requested and given, and haven't been played since."""
    if not s.upper_names:
        return 0
    return s.given[j] & ~s.gone[upper_seat(s, j)] & ~s.gone[lower_seat(s, j)]


@kernel
def draw_pair(s, j, unseen):
    """Draw both hands of another pair and what it traded; return the cards still unseen, or NONE if rejected.

    ``drawn`` are the ``n_drawn`` unseen cards of both seats. ``dealt`` are the ones of these that the lower seat was
    dealt, ``hidden`` the unplayed cards that it gave, and ``more`` the unplayed cards that were returned to it.
    ``n_kept`` would be the number of ``dealt`` if all traded cards were still unplayed.
    """
    top = upper_seat(s, j)
    bottom = lower_seat(s, j)
    n_given = amount_given(s, j)
    n_returned = amount_returned(s, j)
    public = public_gifts(s, j)
    n_drawn = s.hand_size[top] + s.hand_size[bottom] - size(public)
    drawn = draw(s, unseen, n_drawn)
    n_kept = s.hand_size[bottom] - n_returned + n_given - size(public)
    s.origins[UNIT] = 0  # the first pass finds the unit; then its sign says that it is known
    count_origins(s, j, NONE, n_given, n_returned, n_kept, n_drawn)
    s.origins[UNIT] = -s.origins[UNIT]
    total = count_origins(s, j, NONE, n_given, n_returned, n_kept, n_drawn)
    pick = randbelow(s, total) if total < 2 * WORD else randbelow(s, total // WORD + 1) * WORD + randbelow(s, WORD)
    if pick >= total:
        return NONE
    count_origins(s, j, pick, n_given, n_returned, n_kept, n_drawn)
    back = s.origins[BACK]
    new = s.origins[NEW]
    stayed = s.gone[bottom] & ~back & ~new
    gifts = draw(s, gift_candidates(s, j, stayed), s.origins[GIFTS]) if not s.upper_names else s.given[j] & s.gone[top]
    dealt = draw(s, drawn, n_kept + size(new) - size(gifts))
    hidden = public
    if s.upper_names:
        if dealt & s.named[j]:
            return NONE
    else:
        for _ in range(n_given - size(gifts) - size(back)):
            hidden |= 1 << highest(dealt & ~hidden)
        all_given = hidden | gifts | back
        if all_given and highest((dealt & ~hidden) << 1 | stayed << 1 | 1) > lowest(all_given):
            return NONE
        s.given[j] = all_given
    more = draw(s, drawn & ~dealt | hidden, n_returned - size(back) - size(new))
    s.returned[j] = back | new | more
    s.hand[bottom] = dealt & ~hidden | more
    s.hand[top] = (drawn & ~dealt | hidden) & ~more
    return unseen & ~drawn


@kernel
def gift_candidates(s, j, stayed):
    """The cards played by the upper seat that may have been given to it: they are higher than all that ``stayed``."""
    gone = s.gone[upper_seat(s, j)]
    return gone & -(1 << (highest(stayed) + 1)) if stayed else gone


@kernel
def count_origins(s, j, pick, n_given, n_returned, n_kept, n_drawn):
    """How many deals there are, over all origins of the cards that another pair has played, in a common unit.

    If ``pick`` isn't NONE, the origins of the deal with this number are written into ``s.origins``.  The unit is the
    greatest common divisor of the counts.  A first pass, which begins with 0 in ``s.origins[UNIT]``, finds it there;
    then the caller changes its sign, which means that it is known.
    """
    gone = s.gone[lower_seat(s, j)]
    total = add_origins(s, j, pick, n_given, n_returned, n_kept, n_drawn, 0, 0)
    rest = gone if n_returned else 0
    while rest and not 0 <= pick < total:
        first = rest & -rest  # the lowest card, as a set
        rest ^= first
        total = add_origins(s, j, pick, n_given, n_returned, n_kept, n_drawn, first, total)
        more = rest if n_returned > 1 else 0
        while more and not 0 <= pick < total:
            second = more & -more
            more ^= second
            total = add_origins(s, j, pick, n_given, n_returned, n_kept, n_drawn, first | second, total)
    return total


@kernel
def add_origins(s, j, pick, n_given, n_returned, n_kept, n_drawn, received, total):
    """Add to ``total`` the deals in which the lower seat got exactly ``received`` of its played cards by trading."""
    top = s.gone[upper_seat(s, j)]
    stayed = s.gone[lower_seat(s, j)] & ~received
    back = received
    while True:
        if s.upper_names:
            fits = back == (stayed | received) & s.given[j] and not stayed & s.named[j]
            candidates = top & s.given[j]
            fewest = size(candidates)
        else:
            fits = back == 0 or (stayed < back & -back)
            candidates = gift_candidates(s, j, stayed)
            fewest = 0
        most = min(size(candidates), n_given - size(back))
        if fits:
            for gifts in range(fewest, most + 1):
                ways = count_deals(
                    n_kept, n_drawn, n_given, n_returned, size(back), size(received ^ back), gifts, s.upper_names
                )
                ways *= 1 if s.upper_names else binomial(size(candidates), gifts)
                if s.origins[UNIT] < 0:
                    total += ways // -s.origins[UNIT]
                else:
                    s.origins[UNIT] = gcd(s.origins[UNIT], ways)
                if 0 <= pick < total:
                    s.origins[BACK] = back
                    s.origins[NEW] = received ^ back
                    s.origins[GIFTS] = gifts
                    return total
        if back == 0:
            return total
        back = (back - 1) & received  # the next smaller subset


@kernel
def count_deals(n_kept, n_drawn, n_given, n_returned, back, new, gifts, upper_names):
    """How many deals of the unseen cards are possible with these origins, in a unit that is the same for all origins.

    Of the ``n_drawn`` unseen cards, ``dealt`` were dealt to the lower seat and ``others`` to the upper one, and
    ``left`` of the upper seat's cards and gifts were returned.  With n for ``n_drawn`` and k for ``n_kept``, there are
    C(others + hidden, left) n! / (dealt! others!) deals.  The unit is n! / ((k + 2)! (n - k + 2)!), which leaves
    products of a few factors.
    """
    dealt = n_kept + new - gifts
    others = n_drawn - dealt
    hidden = n_given - gifts - back
    left = n_returned - back - new
    if dealt < 0 or others < 0 or left < 0 or left > others + hidden or (dealt < hidden and not upper_names):
        return 0
    ways = binomial(others + hidden, left)
    for i in range(dealt + 1, n_kept + 3):
        ways *= i
    for i in range(others + 1, n_drawn - n_kept + 3):
        ways *= i
    return ways


@kernel
def gcd(a, b):
    """The greatest common divisor."""
    while b:
        a, b = b, a % b
    return a


@kernel
def binomial(n, k):
    """How many sets of ``k`` (0 to 2) of ``n`` cards there are."""
    if k == 0:
        return 1
    return n if k == 1 else n * (n - 1) // 2
