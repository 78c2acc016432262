"""Hands of Bo: drawing cards, what everybody knows of them, and redrawing the cards that a seat cannot see.

    hand        five places per seat; a place keeps its card until it is played and is then refilled
    draw        the draw pile as a set: each draw takes a uniformly random card of it (decision 2)
    drawn_epoch by place, the epoch in which its card was drawn
    entry_epoch by card id, the epoch in which the card last entered the draw pile; 0 if it was there from the start
    ace_colours by place, the possible colours (bit 0 red, bit 1 black) of a card that everybody knows to be an Ace,
                because its holder could play nothing; 0 where nothing is known

``resample`` redraws the hidden cards so that every arrangement that is possible is equally likely:

    slot        a place whose card is hidden: in a stockpile below its top, in another seat's hand, or in the draw pile
    pool        the hidden cards, sorted by the epoch in which they last entered the draw pile
    Ace slot    a hand place whose hidden card is known to be an Ace; ``slot_ace`` is the Ace that is drawn for it
    free slot   any other slot

A card that was drawn in epoch d entered the draw pile in epoch d or before.  Apart from that, every way to put
the hidden cards into the slots has the same probability, because every draw is uniform.  Slots are filled in the
order of their epochs, each with a uniformly random card among those that it can hold.  A later slot can hold every card
that an earlier one can, so the number of choices never depends on the cards chosen, and every arrangement is equally
likely.

Ace slots are filled first.  Some choices of Aces leave more arrangements of the other cards than others do, so a choice
is accepted with a probability proportional to that number (``accept_aces``).  If it isn't, the redraw is rejected.
"""

from kibitz.cards.chance import randbelow
from kibitz.games.bo.piles import NONE
from kibitz.kernel import kernel


@kernel
def draw_card(s):
    """Take a uniformly random card from the draw pile, which must not be empty, and return it."""
    i = randbelow(s, s.draw_count)
    s.draw_count -= 1
    card = s.draw[i]
    s.draw[i] = s.draw[s.draw_count]
    s.draw[s.draw_count] = NONE
    return card


@kernel
def refill(s):
    """Fill the hand of the player to move up to ``hand_size`` cards, or until the draw pile is empty."""
    for place in range(5 * s.player, 5 * s.player + s.hand_size):
        if s.hand[place] == NONE and s.draw_count:
            s.hand[place] = draw_card(s)
            s.drawn_epoch[place] = s.epoch
            s.ace_colours[place] = 0


@kernel
def hand_is_empty(s):
    """Whether the player to move holds no card."""
    for i in range(5 * s.player, 5 * s.player + s.hand_size):
        if s.hand[i] != NONE:
            return False
    return True


@kernel
def note_shown_aces(s):
    """Note what a pass shows: all cards in the hand are Aces, of colours that no build pile has."""
    colours = 3  # red and black
    for pile in range(4):
        if s.top[pile] != NONE:
            colours &= ~(1 << (s.top[pile] & 1))
    for place in range(5 * s.player, 5 * s.player + s.hand_size):
        if s.hand[place] != NONE:
            s.ace_colours[place] = colours & s.ace_colours[place] if s.ace_colours[place] else colours


# Redrawing what a seat cannot know


@kernel
def resample(s, seat):
    """Redraw every card that ``seat`` doesn't see (-1: a spectator); False if the redraw is rejected: call it again."""
    n = fill_pool(s, seat)
    if not (draw_slot_aces(s, seat, n) and accept_aces(s, seat, n)):
        return False
    n = place_slot_aces(s, n)
    used = 0
    for epoch in range(s.epoch + 1):
        end = entered_by(s, n, epoch)
        if epoch == 0:
            for p in range(s.players):
                for i in range(s.stock_counts[p] - 1):
                    s.stock[8 * p + i] = pick(s, used, end)
                    used += 1
        for place in range(20):
            if is_free(s, seat, place) and s.drawn_epoch[place] == epoch:
                s.hand[place] = pick(s, used, end)
                used += 1
    for i in range(s.draw_count):
        s.draw[i] = s.pool[used + i]
    return True


@kernel
def is_hidden(s, seat, place):
    """Whether a hand place holds a card that ``seat`` does not see."""
    return place // 5 != seat and s.hand[place] != NONE


@kernel
def is_free(s, seat, place):
    """Whether a hand place is a free slot: hidden, and not known to hold an Ace."""
    return is_hidden(s, seat, place) and not s.ace_colours[place]


@kernel
def fill_pool(s, seat):
    """Put all hidden cards into the pool, in the order in which they entered the draw pile; return how many."""
    n = 0
    for i in range(s.draw_count):
        n = insert(s, n, s.draw[i])
    for place in range(20):
        if is_hidden(s, seat, place):
            n = insert(s, n, s.hand[place])
    for p in range(s.players):
        for i in range(s.stock_counts[p] - 1):
            n = insert(s, n, s.stock[8 * p + i])
    return n


@kernel
def insert(s, n, card):
    """Put a card into the sorted pool of ``n`` cards; return the new size."""
    i = n
    while i and s.entry_epoch[s.pool[i - 1]] > s.entry_epoch[card]:
        s.pool[i] = s.pool[i - 1]
        i -= 1
    s.pool[i] = card
    return n + 1


@kernel
def entered_by(s, n, epoch):
    """How many of the pool's first ``n`` cards had entered the draw pile by ``epoch``."""
    while n and s.entry_epoch[s.pool[n - 1]] > epoch:
        n -= 1
    return n


@kernel
def pick(s, used, end):
    """A uniformly random card of ``pool[used:end]``, moved to the place ``used``."""
    i = used + randbelow(s, end - used)
    card = s.pool[i]
    s.pool[i] = s.pool[used]
    s.pool[used] = card
    return card


@kernel
def draw_slot_aces(s, seat, n):
    """Draw a random hidden Ace for every Ace slot; False if a slot cannot hold its Ace."""
    n_aces = 0
    for i in range(n):
        if s.pool[i] & 63 < 4:
            s.hidden_aces[n_aces] = s.pool[i]
            n_aces += 1
    drawn = 0
    for place in range(20):
        s.slot_ace[place] = NONE
        if is_hidden(s, seat, place) and s.ace_colours[place]:
            i = drawn + randbelow(s, n_aces - drawn)
            card = s.hidden_aces[i]
            s.hidden_aces[i] = s.hidden_aces[drawn]
            s.slot_ace[place] = card
            drawn += 1
            if s.entry_epoch[card] > s.drawn_epoch[place] or not s.ace_colours[place] >> (card & 1) & 1:
                return False
    return True


@kernel
def accept_aces(s, seat, n):
    """Accept the Aces drawn for Ace slots with a probability proportional to the ways to fill the free slots.

    A free slot can hold any card that had entered the draw pile by its epoch. Every Ace slot up to that epoch holds one
    of these cards, which leaves ``choices`` at most. Ace slots of later epochs hold ``later`` more of them, so only
    ``choices - later`` are left. The choice of Aces is accepted with the product of all (choices - later) / choices.
    """
    filled = 0
    for epoch in range(s.epoch + 1):
        free = 0
        later = 0
        for place in range(20):
            if is_free(s, seat, place) and s.drawn_epoch[place] == epoch:
                free += 1
            if s.slot_ace[place] != NONE:
                # 1 if the slot is of a later epoch, but its Ace had entered by this one; 0 otherwise
                later += (s.entry_epoch[s.slot_ace[place]] <= epoch) - (s.drawn_epoch[place] <= epoch)
        if epoch == 0:
            for p in range(s.players):
                if s.stock_counts[p] > 1:
                    free += s.stock_counts[p] - 1
        if later:
            choices = entered_by(s, n, epoch) - filled
            for place in range(20):
                if s.slot_ace[place] != NONE and s.drawn_epoch[place] <= epoch:
                    choices -= 1
            for k in range(free):
                if randbelow(s, choices - k) >= choices - k - later:
                    return False
        filled += free
    return True


@kernel
def place_slot_aces(s, n):
    """Put the Aces drawn for Ace slots there, and take them from the pool; return how many cards it still has."""
    remaining = 0
    for i in range(n):
        is_slot_ace = False
        for place in range(20):
            if s.slot_ace[place] == s.pool[i]:
                s.hand[place] = s.pool[i]
                is_slot_ace = True
        if not is_slot_ace:
            s.pool[remaining] = s.pool[i]
            remaining += 1
    return remaining
