"""The pack: dealing, drawing, and redealing the cards that a seat can't know.

    stock       the set of cards left in the pack: it has no order, and a random card is drawn when one is needed
    cards_dealt how many cards have been dealt or drawn from the pack in this hand
    held        by seat, the set of cards in its hand
    discarded   by seat, the set of cards that it has discarded
    drawn       the seats, as bits, that have drawn
    reshuffled  the seats, as bits, whose discards have gone back into the pack, because it had run out
    late        by seat, the cards of its hand that were drawn after discards had gone back

The options ``pack0`` to ``pack5`` stack the pack of the first hand.  They list its cards in the order in which they are
dealt, two digits each (the card's number plus 1), nine cards in each option, the first card in the lowest digits.

If the pack runs out, the discards of everyone who has drawn go back into it.  Folded hands and the discards of the
player who is drawing don't; there are still always enough cards.
"""

from kibitz.cards.drawing import random_card
from kibitz.cards.sets import size
from kibitz.kernel import kernel

STACKED = 54
"""The maximum number of cards that the options ``pack0`` to ``pack5`` can name."""


@kernel
def stacked_card(s, i):
    """The card that the options put at index ``i`` of the pack, -1 if they don't name one."""
    digits = s.pack0
    if i >= 27:
        digits = s.pack3 if i < 36 else s.pack4 if i < 45 else s.pack5
    elif i >= 9:
        digits = s.pack1 if i < 18 else s.pack2
    for _ in range(i % 9):  # nine cards in each option
        digits //= 100
    return digits % 100 - 1


@kernel
def draw_card(s):
    """Draw the next card from the pack; return it as a set of one card."""
    i = s.cards_dealt
    s.cards_dealt += 1
    if s.pack0 and s.hands_played == 0 and i < STACKED:
        card = stacked_card(s, i)
        if card >= 0 and s.stock >> card & 1:
            s.stock &= ~(1 << card)
            return 1 << card
    card = 1 << random_card(s, s.stock)
    s.stock &= ~card
    return card


@kernel
def draw_cards(s, n):
    """Draw the next ``n`` cards from the pack; return them as a set."""
    cards = 0
    for _ in range(n):
        cards |= draw_card(s)
    return cards


@kernel
def exchange(s, p, discards):
    """Discard cards of seat ``p`` and draw as many; if the pack runs out, put earlier discards back first."""
    s.held[p] &= ~discards
    s.discarded[p] = discards
    for _ in range(size(discards)):
        if s.stock == 0:
            return_discards(s, p)
        card = draw_card(s)
        s.held[p] |= card
        if s.reshuffled:
            s.late[p] |= card
    s.drawn |= 1 << p


@kernel
def return_discards(s, drawing):
    """Put the discards of everybody except the player drawing back into the pack."""
    for q in range(s.players):
        if q != drawing and s.drawn >> q & 1 and not s.reshuffled >> q & 1:
            s.stock |= s.discarded[q]
            s.reshuffled |= 1 << q


@kernel
def random_cards(s, cards, n):
    """A uniformly random set of ``n`` of the cards."""
    result = 0
    for _ in range(n):
        card = 1 << random_card(s, cards)
        result |= card
        cards &= ~card
    return result


@kernel
def resample(s, seat):
    """Redraw everything that ``seat`` can't know; -1 is a spectator.  Every redeal is possible, so return True.

    First come the hands, discards and pack as they were before any discards went back, then the cards that were drawn
    from those discards.  The seat's own discards can't have been in another hand before.
    """
    if s.over:
        return True
    unseen = s.pack
    for i in range(s.shown_cards):
        unseen &= ~(1 << s.board[i])
    own_late = 0
    if seat >= 0:
        unseen &= ~(s.held[seat] | s.discarded[seat])
        own_late = s.late[seat]
    for p in range(s.players):
        if p != seat and s.dealt >> p & 1:
            s.held[p] = random_cards(s, unseen, size(s.held[p]) - size(s.late[p]))
            unseen &= ~s.held[p]
            if not s.reshuffled >> p & 1:
                s.discarded[p] = random_cards(s, unseen, size(s.discarded[p]))
                unseen &= ~s.discarded[p]
    s.stock = redraw_late(s, seat, unseen, own_late) if s.reshuffled else unseen
    if s.hands_played:
        redraw_past(s, seat)
    return True


@kernel
def redraw_past(s, seat):
    """Redraw what ``seat`` doesn't know of the last hand; nothing in later hands depends on it.

    If discards went back in that hand, a card may have been in the sets of two seats; then a seat's discards are drawn
    from the whole pack without its own hand.
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
        unseen &= ~s.past_discarded[seat]
    for p in range(s.players):
        if p != seat and not s.past_shown >> p & 1:
            s.past_held[p] = random_cards(s, unseen, size(s.past_held[p]))
            unseen &= ~s.past_held[p]
    for p in range(s.players):
        if p != seat:
            s.past_late[p] = random_cards(s, s.past_held[p], size(s.past_late[p]))
            s.past_discarded[p] = random_cards(
                s, s.pack & ~s.past_held[p] if back else unseen, size(s.past_discarded[p])
            )
            unseen &= ~s.past_discarded[p]


@kernel
def redraw_late(s, seat, unseen, own_late):
    """Redraw the discards that went back, and who drew which of them; return the cards left in the pack.

    ``unseen`` are the cards that were in no redrawn hand when the discards went back.
    """
    pile = unseen | own_late  # the discards come from these: the seat's late cards were discards before
    pool = unseen  # the late cards come from these
    for p in range(s.players):
        if s.reshuffled >> p & 1 and p != seat:
            s.discarded[p] = random_cards(s, pile, size(s.discarded[p]))
            pile &= ~s.discarded[p]
        elif s.reshuffled >> p & 1:
            pool |= s.discarded[p]
    for p in range(s.players):
        if p != seat and s.late[p]:
            s.late[p] = random_cards(s, pool, size(s.late[p]))
            s.held[p] |= s.late[p]
            pool &= ~s.late[p]
    return pool
