"""The course of a hand: the stages that need no decision, one step each (docs/decisions, 14).

    number      how many hands have been played
    button      the seat with the dealer button, which acts last
    stage       what comes next (see ``betting``)
    street      the number of the betting round, from 0
    board       the cards turned up; ``shown_cards`` is how many
    past_...    the last hand as it was when it ended; nothing in later hands depends on it

The steps are: uncalled bets go back, a street is dealt, a hand is shown, a pot is awarded, the hand is closed, the next
one is dealt.

    strength    by seat, the strength of its hand at a showdown
    to_show     the seats, as bits, that still have to show
    shown       the seats, as bits, that have shown
    level       the pots below this level have been awarded; NONE if dead antes come first
    mucks       option: the seats, as bits, that give up their hands at the first showdown, whatever they hold

Levels are the amounts that the live seats have paid.  A pot lies between two levels: it holds what every seat has paid
above the lower level, up to the upper one.  Live seats that have paid up to the upper level compete for it.  Dead antes
belong to the first pot.  A hand that can no longer win is mucked unseen.
"""

from kibitz.cards.sets import lowest, size
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
    has_extra_antes,
    left_of,
    min_bet,
    open_round,
    post_forced_bets,
)
from kibitz.games.poker.dealing import draw_card, draw_cards
from kibitz.games.poker.hands.ranking import strength
from kibitz.kernel import kernel

# Showdown and pots


@kernel
def short_strength(cards):
    """The strength of fewer than five cards: four of a kind, three, two pair, a pair, then the highest ranks.

    It is a number of four sets of ranks, 13 bits each: the ranks held four times, three times, twice and once.
    """
    result = 0
    for times in range(4, 0, -1):
        result <<= 13
        for rank in range(13):
            value = rank + 1 if rank < 12 else 0  # ranks have the Ace last, card numbers have it first
            if size(cards >> 4 * value & 15) == times:
                result |= 1 << rank
    return result


@kernel
def showdown_strength(cards):
    """The strength of a hand: ``ranking.strength`` for 5 to 7 cards, ``short_strength`` for fewer."""
    return strength(cards) if size(cards) > 4 else short_strength(cards)


@kernel
def uncalled_chips(s):
    """By how many chips the highest payment exceeds the second: in this hand, or in this round if antes differ."""
    most = 0
    second = 0
    for p in range(s.players):
        paid = s.bet[p] if has_extra_antes(s) else s.paid[p]
        if paid >= most:
            second = most
            most = paid
        elif paid > second:
            second = paid
    return most - second


@kernel
def return_uncalled(s, amount):
    """Return ``amount`` uncalled chips to the seat that has paid most."""
    top = 0
    for p in range(s.players):
        if has_extra_antes(s):
            if s.bet[p] > s.bet[top]:
                top = p
        elif s.paid[p] > s.paid[top]:
            top = p
    s.paid[top] -= amount
    s.bet[top] -= amount
    s.chips[top] += amount


@kernel
def start_showdown(s):
    """Start the showdown: every live seat must show, first the last aggressor, or else the first left of the button."""
    board = 0
    for i in range(s.shown_cards):
        board |= 1 << s.board[i]
    for p in range(s.players):
        if s.live >> p & 1:
            s.strength[p] = 0 if gives_up(s, p) else showdown_strength(s.held[p] | board)
    s.to_show = s.live
    s.shown = 0
    first = s.aggressor
    s.player = first if first != NONE and s.live >> first & 1 else left_of(s, s.button, s.live)


@kernel
def gives_up(s, p):
    """Whether a seat mucks at this showdown regardless of its hand (option ``mucks``)."""
    return s.hands_played == 0 and s.mucks >> p & 1


@kernel
def can_win(s, p):
    """Whether a hand may win a pot, given the hands shown before."""
    for q in range(s.players):
        if s.shown >> q & 1 and s.paid[q] >= s.paid[p] and s.strength[q] > s.strength[p]:
            return False
    return True


@kernel
def show_next(s):
    """Show the next seat's hand, or muck it."""
    p = s.player
    s.to_show &= ~(1 << p)
    if can_win(s, p) and not gives_up(s, p):
        s.shown |= 1 << p
    s.player = left_of(s, p, s.to_show) if s.to_show else NONE
    if s.to_show == 0:
        s.stage = AWARD


@kernel
def next_level(s):
    """The upper level of the next pot to award, NONE if all have been awarded."""
    result = NONE
    for p in range(s.players):
        if s.live >> p & 1 and s.paid[p] > s.level and (result == NONE or s.paid[p] < result):
            result = s.paid[p]
    return result


@kernel
def winners(s, level):
    """The seats, as bits, that win the pot up to ``level``: the best hands among those who have paid that much."""
    best = 0
    result = 0
    for p in range(s.players):
        if s.live >> p & 1 and s.paid[p] >= level:
            if result == 0 or s.strength[p] > best:
                best = s.strength[p]
                result = 1 << p
            elif s.strength[p] == best:
                result |= 1 << p
    return result


@kernel
def award(s):
    """Award the next pot to its winners, the odd chips to the first of them to the left of the button.

    The last pot holds everything that is left: with antes of several sizes, a seat that folded may have paid more than
    any other.
    """
    level = next_level(s)
    most = 0
    for p in range(s.players):
        if s.live >> p & 1:
            most = max(most, s.paid[p])
    amount = s.dead if s.level == NONE else 0
    for p in range(s.players):
        amount += max(0, (s.paid[p] if level == most else min(s.paid[p], level)) - max(s.level, 0))
    won_by = winners(s, level) if s.live & (s.live - 1) else s.live  # a single live seat wins without a showdown
    n = 0
    for p in range(s.players):
        n += won_by >> p & 1
    share = amount // n
    for p in range(s.players):
        if won_by >> p & 1:
            s.chips[p] += share
    s.chips[left_of(s, s.button, won_by)] += amount - n * share
    s.level = level


# Stages


@kernel
def clear_hand(s):
    """Clear the table: no cards dealt, no chips in the pot."""
    s.live = 0
    s.waiting = 0
    s.may_raise = 0
    s.drawn = 0
    s.reshuffled = 0
    s.stock = 0
    s.cards_dealt = 0
    s.level = 0
    s.dead = 0
    s.high = 0
    s.min_raise = 0
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
        s.discarded[p] = 0


@kernel
def save_past_hand(s):
    """Save the cards of the hand that has ended, so that the next hand's views can show what seats know of them."""
    s.past_drawn = s.drawn
    s.past_shown = s.shown
    s.past_cards = s.shown_cards
    for i in range(5):
        s.past_board[i] = s.board[i]
    for p in range(s.players):
        s.past_held[p] = s.held[p]
        s.past_late[p] = s.late[p]
        s.past_discarded[p] = s.discarded[p]


@kernel
def start_hand(s):
    """Move the button to the next player with chips, deal, and post antes and blinds."""
    clear_hand(s)
    for p in range(s.players):
        if s.chips[p]:
            s.dealt |= 1 << p
    s.live = s.dealt
    s.button = left_of(s, s.button, s.dealt)
    s.stock = s.pack
    p = s.button
    rest = s.dealt
    while rest:
        p = left_of(s, p, rest)
        s.held[p] = draw_cards(s, s.hole)
        rest &= ~(1 << p)
    post_forced_bets(s)


@kernel
def advance_stage(s):
    """Carry out the next step, while the stage is neither BET nor DRAW nor OVER."""
    if s.stage == RETURN:
        if uncalled_chips(s):
            return_uncalled(s, uncalled_chips(s))
        if s.live & (s.live - 1) == 0:  # one seat is left
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
    """Turn up the cards of the next round and open its betting, or begin the draw."""
    s.street += 1
    s.initiative = s.aggressor
    for p in range(s.players):
        s.bet[p] = 0
    cards = s.flop if s.street == 1 else s.turn if s.street == 2 else s.river
    for _ in range(cards):
        s.board[s.shown_cards] = lowest(draw_card(s))
        s.shown_cards += 1
    s.high = 0
    s.raises = 0
    s.min_raise = min_bet(s)
    if s.draw and s.street == 1:
        s.stage = DRAW
        s.player = left_of(s, s.button, s.live)
        return
    open_round(s, s.button)


@kernel
def close_hand(s):
    """Close the hand; end the session after the last hand, or if one player has all the chips."""
    s.hands_played += 1
    save_past_hand(s)
    clear_hand(s)
    with_chips = 0
    for p in range(s.players):
        with_chips += s.chips[p] > 0
    s.stage = DEAL
    s.player = NONE
    if s.hands_played == s.hands or with_chips == 1:
        s.stage = OVER
        s.over = 1
