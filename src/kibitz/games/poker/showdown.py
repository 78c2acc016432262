"""Showdown and pots: who shows, who wins what.

    worth       by seat, the strength of its hand at a showdown
    to_show     the seats, as bits, that have still to show; ``shown`` those that have
    level       the pots up to this amount a seat have been awarded; NONE before the dead antes, if there are any
    mucks       option: the seats, as bits, that give up their hands at the first showdown, whatever they hold

A pot lies between two levels: what every seat has paid above the one and up to the other.  Whoever has paid up to the
upper level competes for it; dead antes belong to the first pot.  A hand that cannot win any more is mucked unseen.
"""

from kibitz.cards.sets import size
from kibitz.games.poker.betting import AWARD, NONE, has_own_antes, left_of
from kibitz.games.poker.ranking import strength
from kibitz.kernel import kernel


@kernel
def short_strength(cards):
    """The strength of fewer than five cards: four of a kind, three, two pair, a pair, then the highest ranks."""
    found = 0
    for times in range(4, 0, -1):
        found <<= 13
        for rank in range(13):
            aces_low = rank + 1 if rank < 12 else 0
            if size(cards >> 4 * aces_low & 15) == times:
                found |= 1 << rank
    return found


@kernel
def worth_of(cards):
    """What a hand is worth: 5 to 7 cards by the best five, fewer by their pairs and ranks."""
    return strength(cards) if size(cards) > 4 else short_strength(cards)


@kernel
def excess(s):
    """What the seat that has paid most has paid above all others; with antes of several sizes, in this round."""
    most = 0
    second = 0
    for p in range(s.players):
        paid = s.bet[p] if has_own_antes(s) else s.paid[p]
        if paid >= most:
            second = most
            most = paid
        elif paid > second:
            second = paid
    return most - second


@kernel
def give_back(s, amount):
    """The seat that has paid most takes back what nobody has called."""
    top = 0
    for p in range(s.players):
        if has_own_antes(s):
            if s.bet[p] > s.bet[top]:
                top = p
        elif s.paid[p] > s.paid[top]:
            top = p
    s.paid[top] -= amount
    s.bet[top] -= amount
    s.chips[top] += amount


@kernel
def start_showdown(s):
    """Every live seat is to show, the last aggressor first, else the first one to the left of the button."""
    board = 0
    for i in range(s.shown_cards):
        board |= 1 << s.board[i]
    for p in range(s.players):
        if s.live >> p & 1:
            s.worth[p] = 0 if gives_up(s, p) else worth_of(s.held[p] | board)
    s.to_show = s.live
    s.shown = 0
    first = s.aggressor
    s.player = first if first != NONE and s.live >> first & 1 else left_of(s, s.button, s.live)


@kernel
def gives_up(s, p):
    """Whether a seat mucks at this showdown whatever it holds, and wins no pot that another competes for."""
    return s.number == 0 and s.mucks >> p & 1


@kernel
def can_win(s, p):
    """Whether a hand may win a pot, as far as the hands shown before tell."""
    for q in range(s.players):
        if s.shown >> q & 1 and s.paid[q] >= s.paid[p] and s.worth[q] > s.worth[p]:
            return False
    return True


@kernel
def show_next(s):
    """The next seat shows its hand, or mucks it."""
    p = s.player
    s.to_show &= ~(1 << p)
    if can_win(s, p) and not gives_up(s, p):
        s.shown |= 1 << p
    s.player = left_of(s, p, s.to_show) if s.to_show else NONE
    if s.to_show == 0:
        s.stage = AWARD


@kernel
def next_level(s):
    """The upper level of the next pot, NONE if there is none."""
    found = NONE
    for p in range(s.players):
        if s.live >> p & 1 and s.paid[p] > s.level and (found == NONE or s.paid[p] < found):
            found = s.paid[p]
    return found


@kernel
def winners(s, level):
    """The seats, as bits, that win the pot up to ``level``: the best of those who have paid that much."""
    best = 0
    found = 0
    for p in range(s.players):
        if s.live >> p & 1 and s.paid[p] >= level:
            if found == 0 or s.worth[p] > best:
                best = s.worth[p]
                found = 1 << p
            elif s.worth[p] == best:
                found |= 1 << p
    return found


@kernel
def award(s):
    """The next pot goes to its winners, the odd chips to the first of them to the left of the button.

    The last pot holds all that is left: with antes of several sizes, who has folded may have paid more than anybody.
    """
    level = next_level(s)
    most = 0
    for p in range(s.players):
        if s.live >> p & 1:
            most = max(most, s.paid[p])
    amount = s.dead if s.level == NONE else 0
    for p in range(s.players):
        amount += max(0, (s.paid[p] if level == most else min(s.paid[p], level)) - max(s.level, 0))
    found = winners(s, level) if s.live & (s.live - 1) else s.live
    n = 0
    for p in range(s.players):
        n += found >> p & 1
    share = amount // n
    for p in range(s.players):
        if found >> p & 1:
            s.chips[p] += share
    s.chips[left_of(s, s.button, found)] += amount - n * share
    s.level = level
