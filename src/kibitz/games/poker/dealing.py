"""The pack: dealing, drawing, and what cards can be where.

    left        the cards that can still be dealt, as a set: the pack has no order, a card is drawn when it is needed
    held        by seat, its cards; ``aside`` the cards that it has discarded
    back        the seats, as bits, whose discards have gone back into the pack, because it had run out
    late        by seat, the cards of its hand that were drawn after that
    stacked     options ``pack0`` to ``pack5``: the cards of the first hand in the order in which they are dealt, two
                digits each (the card's number plus 1), nine cards a number, the first card in the lowest digits

If the pack runs out, the discards of those who have drawn go back, but neither those of the player drawing nor folded
hands; so the pack is never short of cards.
"""

from kibitz.cards.drawing import one_of
from kibitz.cards.sets import size
from kibitz.kernel import kernel

STACKED = 54
"""How many cards the options ``pack0`` to ``pack5`` have room for."""


@kernel
def stacked(s, i):
    """The card that the options put at place ``i`` of the pack, -1 if they name none."""
    row = s.pack0
    if i >= 27:
        row = s.pack3 if i < 36 else s.pack4 if i < 45 else s.pack5
    elif i >= 9:
        row = s.pack1 if i < 18 else s.pack2
    for _ in range(i % 9):
        row //= 100
    return row % 100 - 1


@kernel
def take(s):
    """The next card of the pack, as a set of one."""
    i = s.taken
    s.taken += 1
    if s.pack0 and s.number == 0 and i < STACKED:
        card = stacked(s, i)
        if card >= 0 and s.left >> card & 1:
            s.left &= ~(1 << card)
            return 1 << card
    card = 1 << one_of(s, s.left)
    s.left &= ~card
    return card


@kernel
def taken_by(s, n):
    """The next ``n`` cards of the pack as a set."""
    cards = 0
    for _ in range(n):
        cards |= take(s)
    return cards


@kernel
def replace(s, p, discards):
    """Discard and draw as many cards; those who have drawn before may see their discards come back."""
    s.held[p] &= ~discards
    s.aside[p] = discards
    for _ in range(size(discards)):
        if s.left == 0:
            put_back(s, p)
        card = take(s)
        s.held[p] |= card
        if s.back:
            s.late[p] |= card
    s.drawn |= 1 << p


@kernel
def put_back(s, drawing):
    """Put the discards of everybody except the player drawing back into the pack."""
    for q in range(s.players):
        if q != drawing and s.drawn >> q & 1 and not s.back >> q & 1:
            s.left |= s.aside[q]
            s.back |= 1 << q


@kernel
def drawn_from(s, cards, n):
    """A uniformly random set of ``n`` of some cards."""
    result = 0
    for _ in range(n):
        card = 1 << one_of(s, cards)
        result |= card
        cards &= ~card
    return result


@kernel
def resample(s, seat):
    """Redraw everything that ``seat`` cannot know; -1 is a spectator.

    Never rejects. First the cards that were in hands, discards and pack before any came back, then who drew which of
    those that did. The seat's own discards were never in another hand before.
    """
    if s.over:
        return True
    unseen = s.pack
    for i in range(s.shown_cards):
        unseen &= ~(1 << s.board[i])
    own_late = 0
    if seat >= 0:
        unseen &= ~(s.held[seat] | s.aside[seat])
        own_late = s.late[seat]
    for p in range(s.players):
        if p != seat and s.dealt >> p & 1:
            s.held[p] = drawn_from(s, unseen, size(s.held[p]) - size(s.late[p]))
            unseen &= ~s.held[p]
            if not s.back >> p & 1:
                s.aside[p] = drawn_from(s, unseen, size(s.aside[p]))
                unseen &= ~s.aside[p]
    s.left = redrawn_late(s, seat, unseen, own_late) if s.back else unseen
    if s.number:
        redraw_past(s, seat)
    return True


@kernel
def redraw_past(s, seat):
    """Redraw what ``seat`` does not know of the last hand; nothing to come depends on it.

    Once discards had come back, cards may have been in two places, so other seats' cards keep only their number.
    """
    unseen = s.pack
    back = 0
    for i in range(s.past_cards):
        unseen &= ~(1 << s.past_board[i])
    for p in range(s.players):
        back |= s.past_late[p]
        if p == seat or s.past_shown >> p & 1:
            unseen &= ~s.past_held[p]
    if seat >= 0 and not back:
        unseen &= ~s.past_aside[seat]
    for p in range(s.players):
        if p != seat and not s.past_shown >> p & 1:
            s.past_held[p] = drawn_from(s, unseen, size(s.past_held[p]))
            unseen &= ~s.past_held[p]
    for p in range(s.players):
        if p != seat:
            s.past_late[p] = drawn_from(s, s.past_held[p], size(s.past_late[p]))
            s.past_aside[p] = drawn_from(s, s.pack & ~s.past_held[p] if back else unseen, size(s.past_aside[p]))
            unseen &= ~s.past_aside[p]


@kernel
def redrawn_late(s, seat, unseen, own_late):
    """Redraw the discards that came back, and who has drawn which of them; the cards left in the pack."""
    pile = unseen | own_late
    pool = unseen
    for p in range(s.players):
        if s.back >> p & 1 and p != seat:
            s.aside[p] = drawn_from(s, pile, size(s.aside[p]))
            pile &= ~s.aside[p]
        elif s.back >> p & 1:
            pool |= s.aside[p]
    for p in range(s.players):
        if p != seat and s.late[p]:
            s.late[p] = drawn_from(s, pool, size(s.late[p]))
            s.held[p] |= s.late[p]
            pool &= ~s.late[p]
    return pool
