"""The course of a hand: the stages that pass by themselves, one step each (docs/decisions, 14).

    number      how many hands have been played; ``button`` who deals, so who acts last
    stage       what comes next (see ``betting``); ``street`` the betting round
    board       the cards turned up, ``shown_cards`` of them
    past_...    what was known at the end of the last hand; nothing to come depends on it

Uncalled bets go back, a street is dealt, a hand is shown, a pot is awarded, the hand is closed, the next one is dealt.
"""

from kibitz.cards.sets import lowest
from kibitz.games.poker.betting import (
    AWARD,
    CLOSE,
    DEAL,
    DRAW,
    NONE,
    OVER,
    RETURN,
    SHOW,
    STREET,
    left_of,
    open_round,
    post,
    unit,
)
from kibitz.games.poker.dealing import take, taken_by
from kibitz.games.poker.showdown import award, excess, give_back, next_level, show_next, start_showdown
from kibitz.kernel import kernel


@kernel
def clear_hand(s):
    """No cards are dealt and no chips are in the pot."""
    s.live = 0
    s.waiting = 0
    s.free = 0
    s.drawn = 0
    s.back = 0
    s.left = 0
    s.taken = 0
    s.level = 0
    s.dead = 0
    s.high = 0
    s.step = 0
    s.raises = 0
    s.aggressor = NONE
    s.initiative = NONE
    s.dealt = 0
    s.street = 0
    s.shown = 0
    s.shown_cards = 0
    for i in range(5):
        s.board[i] = NONE
    for p in range(s.players):
        s.bet[p] = 0
        s.paid[p] = 0
        s.held[p] = 0
        s.late[p] = 0
        s.aside[p] = 0


@kernel
def keep_past(s):
    """What is known of the hand that has ended."""
    s.past_drawn = s.drawn
    s.past_shown = s.shown
    s.past_cards = s.shown_cards
    for i in range(5):
        s.past_board[i] = s.board[i]
    for p in range(s.players):
        s.past_held[p] = s.held[p]
        s.past_late[p] = s.late[p]
        s.past_aside[p] = s.aside[p]


@kernel
def start_hand(s):
    """The button moves to the next player with chips, cards are dealt, and antes and blinds are posted."""
    clear_hand(s)
    for p in range(s.players):
        if s.chips[p]:
            s.dealt |= 1 << p
    s.live = s.dealt
    s.button = left_of(s, s.button, s.dealt)
    s.left = s.pack
    p = s.button
    rest = s.dealt
    while rest:
        p = left_of(s, p, rest)
        s.held[p] = taken_by(s, s.hole)
        rest &= ~(1 << p)
    post(s)


@kernel
def proceed(s):
    """The next step of what follows by itself, while the stage is neither BET nor DRAW nor OVER."""
    if s.stage == RETURN:
        if excess(s):
            give_back(s, excess(s))
        if s.live & (s.live - 1) == 0:
            s.stage = AWARD
        elif s.street + 1 < s.streets:
            s.stage = STREET
        else:
            s.stage = SHOW
            start_showdown(s)
    elif s.stage == STREET:
        next_street(s)
    elif s.stage == SHOW:
        show_next(s)
    elif s.stage == AWARD:
        award(s)
        if next_level(s) == NONE:
            s.stage = CLOSE
    elif s.stage == CLOSE:
        close_hand(s)
    else:
        start_hand(s)


@kernel
def next_street(s):
    """Turn up the cards of the next round, or let everybody draw; then the betting opens."""
    s.street += 1
    s.initiative = s.aggressor
    for p in range(s.players):
        s.bet[p] = 0
    cards = s.flop if s.street == 1 else s.turn if s.street == 2 else s.river
    for _ in range(cards):
        s.board[s.shown_cards] = lowest(take(s))
        s.shown_cards += 1
    s.high = 0
    s.raises = 0
    s.step = unit(s)
    if s.draw and s.street == 1:
        s.stage = DRAW
        s.player = left_of(s, s.button, s.live)
        return
    open_round(s, s.button)


@kernel
def close_hand(s):
    """The hand is over, and the session may be over too."""
    s.number += 1
    keep_past(s)
    clear_hand(s)
    left = 0
    for p in range(s.players):
        left += s.chips[p] > 0
    s.stage = DEAL
    s.player = NONE
    if s.number == s.hands or left == 1:
        s.stage = OVER
        s.over = 1
