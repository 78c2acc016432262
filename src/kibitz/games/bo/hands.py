"""Hands of Bo: draws from the pile, public knowledge of them, and exact redraws of what a seat cannot know.

hand        five places per seat; a place keeps its card until it is played and is then refilled
draw        the draw pile as a set: each draw takes a uniformly random card of it (decision 2)
since       by place, the epoch in which its card was drawn
aces        by place, the possible colours (bit 0 red, bit 1 black) of a card that all know to be an Ace, because its
holder could play nothing; 0 where nothing is known

    slot        a place whose card is hidden: a lower stockpile card, a hand place of another seat, the draw pile
    pool        the hidden cards, by the epoch in which they last entered the draw pile
    gift        the Ace that a slot known to hold an Ace, perhaps of one colour, is given

A card that was drawn in epoch d entered the draw pile in epoch d or before; apart from that, every way to put
the hidden cards into the slots has the same probability, because every draw is uniform.  Slots are filled in the
order of their epochs, each with a uniformly random card among those that can be there: the later a slot, the
more it may hold, so every arrangement comes up equally often.

Slots known to hold Aces come first.  Some gifts leave more arrangements for the rest than others, so gifts are
accepted with exactly that proportion (``fair``), else all is drawn again.
"""

from kibitz.cards.chance import below
from kibitz.games.bo.piles import NONE
from kibitz.kernel import kernel


@kernel
def take(s):
    """A uniformly random card of the draw pile, which must not be empty."""
    i = below(s, s.drawable)
    s.drawable -= 1
    card = s.draw[i]
    s.draw[i] = s.draw[s.drawable]
    s.draw[s.drawable] = NONE
    return card


@kernel
def refill(s):
    """Draw the hand of the player to move up to its size, as far as the draw pile lasts."""
    for place in range(5 * s.player, 5 * s.player + s.hand_size):
        if s.hand[place] == NONE and s.drawable:
            s.hand[place] = take(s)
            s.since[place] = s.epoch
            s.aces[place] = 0


@kernel
def hand_is_empty(s):
    """Whether the player to move holds no card."""
    for i in range(5 * s.player, 5 * s.player + s.hand_size):
        if s.hand[i] != NONE:
            return False
    return True


@kernel
def show_aces(s):
    """A seat that can play nothing shows that all cards in its hand are Aces of colours that no build pile has."""
    colours = 3
    for pile in range(4):
        if s.top[pile] != NONE:
            colours &= ~(1 << (s.top[pile] & 1))
    for place in range(5 * s.player, 5 * s.player + s.hand_size):
        if s.hand[place] != NONE:
            s.aces[place] = colours & s.aces[place] if s.aces[place] else colours


# Redrawing what a seat cannot know


@kernel
def resample(s, seat):
    """Redraw every hidden card; seat -1 is a spectator, to whom all hands are hidden.  False: rejected, try again."""
    n = gather(s, seat)
    if not (choose_gifts(s, seat, n) and fair(s, seat, n)):
        return False
    n = withdraw_gifts(s, n)
    used = 0
    for epoch in range(s.epoch + 1):
        end = entered_by(s, n, epoch)
        if epoch == 0:
            for p in range(s.players):
                for i in range(s.stocked[p] - 1):
                    s.stock[8 * p + i] = pick(s, used, end)
                    used += 1
        for place in range(20):
            if is_free(s, seat, place) and s.since[place] == epoch:
                s.hand[place] = pick(s, used, end)
                used += 1
    for i in range(s.drawable):
        s.draw[i] = s.pool[used + i]
    return True


@kernel
def is_hidden(s, seat, place):
    """Whether a hand place holds a card that ``seat`` does not see."""
    return place // 5 != seat and s.hand[place] != NONE


@kernel
def is_free(s, seat, place):
    """Whether a hand place is hidden and may hold any card."""
    return is_hidden(s, seat, place) and not s.aces[place]


@kernel
def gather(s, seat):
    """Put all hidden cards into the pool, in the order of their epochs; return how many."""
    n = 0
    for i in range(s.drawable):
        n = insert(s, n, s.draw[i])
    for place in range(20):
        if is_hidden(s, seat, place):
            n = insert(s, n, s.hand[place])
    for p in range(s.players):
        for i in range(s.stocked[p] - 1):
            n = insert(s, n, s.stock[8 * p + i])
    return n


@kernel
def insert(s, n, card):
    """Put a card into the sorted pool of ``n`` cards; return the new size."""
    i = n
    while i and s.entered[s.pool[i - 1]] > s.entered[card]:
        s.pool[i] = s.pool[i - 1]
        i -= 1
    s.pool[i] = card
    return n + 1


@kernel
def entered_by(s, n, epoch):
    """How many of the pool's ``n`` cards can have been drawn in ``epoch``."""
    while n and s.entered[s.pool[n - 1]] > epoch:
        n -= 1
    return n


@kernel
def pick(s, used, end):
    """A uniformly random card of ``pool[used:end]``, moved to the place ``used``."""
    i = used + below(s, end - used)
    card = s.pool[i]
    s.pool[i] = s.pool[used]
    s.pool[used] = card
    return card


@kernel
def choose_gifts(s, seat, n):
    """Give the slots known to hold Aces random hidden Aces; False if a slot cannot hold its Ace."""
    aces = 0
    for i in range(n):
        if s.pool[i] & 63 < 4:
            s.ace[aces] = s.pool[i]
            aces += 1
    given = 0
    for place in range(20):
        s.gift[place] = NONE
        if is_hidden(s, seat, place) and s.aces[place]:
            i = given + below(s, aces - given)
            card = s.ace[i]
            s.ace[i] = s.ace[given]
            s.gift[place] = card
            given += 1
            if s.entered[card] > s.since[place] or not s.aces[place] >> (card & 1) & 1:
                return False
    return True


@kernel
def fair(s, seat, n):
    """Accept the gifts in proportion to the arrangements they leave for the free slots.

    Before each free slot, gifts can have taken no fewer of its cards than there are Ace slots up to its epoch;
    where they took more, the slot has fewer cards to choose from, and that is the proportion.
    """
    filled = 0
    for epoch in range(s.epoch + 1):
        free = 0
        spare = 0
        for place in range(20):
            if is_free(s, seat, place) and s.since[place] == epoch:
                free += 1
            if s.gift[place] != NONE:
                spare += (s.entered[s.gift[place]] <= epoch) - (s.since[place] <= epoch)
        if epoch == 0:
            for p in range(s.players):
                if s.stocked[p] > 1:
                    free += s.stocked[p] - 1
        if spare:
            most = entered_by(s, n, epoch) - filled
            for place in range(20):
                if s.gift[place] != NONE and s.since[place] <= epoch:
                    most -= 1
            for k in range(free):
                if below(s, most - k) >= most - k - spare:
                    return False
        filled += free
    return True


@kernel
def withdraw_gifts(s, n):
    """Assign the gifts and take them from the pool; return how many cards it still has."""
    kept = 0
    for i in range(n):
        given = False
        for place in range(20):
            if s.gift[place] == s.pool[i]:
                s.hand[place] = s.pool[i]
                given = True
        if not given:
            s.pool[kept] = s.pool[i]
            kept += 1
    return kept
