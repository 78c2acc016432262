"""The course of a round of President: dealing, tricks, and what a round is worth.

order       the seats in the order in which they sit this round; the last round's President comes first
at          by seat, its place in ``order``
pile        the move to beat, or NONE; ``last`` the seat that made it
passed      the seats that may not act again before the next play, as bits (``pass_locks``: before the next trick)
lowest_card the lowest card dealt, in the first round: the first play must contain it; NONE in later rounds
finish      the seats in the order in which they went out; ``outs`` how many have
ending      the move that ended the round before, or NONE
"""

from kibitz.cards.drawing import draw
from kibitz.cards.sets import lowest, size
from kibitz.games.president.moves import NONE, in_heights
from kibitz.games.president.trading import PLAY
from kibitz.kernel import kernel

SEATS = 8


@kernel
def clear_round(s):
    """Take the cards back: nobody is out, and nothing has been played or traded."""
    s.phase = PLAY
    s.pair = 0
    s.todo = 0
    s.outs = 0
    s.wish = 0
    s.lowest_card = NONE
    for p in range(SEATS):
        s.hand[p] = 0
        s.gone[p] = 0
        s.finish[p] = NONE
    for j in range(2):
        s.given[j] = 0
        s.returned[j] = 0
        s.named[j] = 0
    clear_pile(s)


@kernel
def deal_round(s):
    """Deal a round to the seats in ``order``; in the first one, the lowest card says who leads."""
    rest = in_heights(s.pack)
    cards = size(rest)
    n = s.players
    for k in range(n):
        p = s.order[k]
        s.at[p] = k
        share = cards // n + (s.leftovers and k >= n - cards % n)
        s.hand[p] = draw(s, rest, share)
        rest &= ~s.hand[p]
    s.player = s.order[0]
    if s.round == 0:
        s.lowest_card = lowest(in_heights(s.pack) & ~rest)
        for p in range(n):
            if s.hand[p] >> s.lowest_card & 1:
                s.player = p


@kernel
def clear_pile(s):
    """A new trick begins."""
    s.pile = NONE
    s.last = NONE
    s.passed = 0


@kernel
def next_turn(s):
    """The next seat that still holds cards and may act; where there is none, the trick is over."""
    n = s.players
    k = s.at[s.player]
    for _ in range(n):
        k = k + 1 if k + 1 < n else 0
        p = s.order[k]
        if s.hand[p] and p != s.last and not s.passed >> p & 1:
            s.player = p
            return
    k = s.at[s.last]
    while not s.hand[s.order[k]]:
        k = k + 1 if k + 1 < n else 0
    s.player = s.order[k]
    clear_pile(s)


@kernel
def role_points(n, place):
    """What a round of ``n`` players is worth to the seat that came in at ``place``, 0 for the President."""
    if place == 0:
        return 2
    if place == n - 1:
        return -2
    if n > 3 and place == 1:
        return 1
    return -1 if n > 3 and place == n - 2 else 0


@kernel
def end_round(s):
    """All but one are out: that one is last, and everyone gets points; after the last round the match is over."""
    for p in range(s.players):
        if s.hand[p]:
            s.finish[s.outs] = p
    s.outs += 1
    for k in range(s.players):
        p = s.finish[k]
        s.score[p] = role_points(s.players, k) + (s.score[p] if s.points else 0)
    s.ending = s.pile
    s.round += 1
    if s.round == s.rounds:
        s.over = 1
        s.player = NONE


@kernel
def next_round(s):
    """Sit down in the order in which the last round was finished, and deal."""
    for k in range(s.players):
        s.order[k] = s.finish[k]
    clear_round(s)
    deal_round(s)
