"""Cribbage: two players, six cards each, first to 121 (rule sheet "cribbage", The full game).

    dealer      has the crib; the other seat leads and shows first
    away        what each seat has laid away: together the crib, hidden until it is shown
    starter     the card turned up, part of every hand in the show; NONE before
    trail       the cards played in this deal, in order, ``by`` whom, and ``plays`` how many
    count       the sum of the cards since ``first``; ``went`` the seats that have said go in it, as bits
    floor       by seat, the least value that its remaining cards can have: who says go shows as much
    pegs        the score of this game, never above ``target``; ``points`` what the games so far count in the match
    past        how the deal before this one went: what was shown in it stays known

Actions 0 to 51 play that card, GO says go, and LAY + m lays away the positions m of the seat's sorted hand.

The surprising rule: the game ends the moment somebody has 121, so the order of scoring decides: heels, the play card
by card, then the hand of the seat that did not deal, the dealer's hand, the crib.
"""

from enum import IntEnum

from kibitz.cards.chance import rekey
from kibitz.cards.drawing import handful, one_of
from kibitz.cards.sets import at_places, lowest, size
from kibitz.engine.layout import CHANCE, TURN, Field, Layout
from kibitz.games.cribbage.beliefs import fitting, is_in, raise_floor
from kibitz.games.cribbage.beliefs import resample as resample
from kibitz.games.cribbage.counting import JACK, MOST, play_points, show_points, value_of
from kibitz.kernel import kernel

NONE = -1
GO = 52
LAY = 53
ACTIONS = LAY + 64
VERSION = 1
LAYING, PLAYING = 0, 1
"""The phases; the show needs no decision."""
TRAIL = 8
HEELS = 2
SKUNK = 30
"""Who is so many pegs or more from the target is not skunked; every further 30 that are missing count once more."""

OPTIONS = ("players", "pack", "games", "target", "hand_size", "discards", "skunks", "cut_first")
LAYOUT = Layout(
    "CribbageState",
    *CHANCE,
    *TURN,
    *(Field(name) for name in OPTIONS),
    Field("game"),
    Field("deals"),
    Field("cut", 2),
    Field("dealer"),
    Field("phase"),
    Field("hand", 2),
    Field("away", 2),
    Field("starter"),
    Field("trail", TRAIL),
    Field("by", TRAIL),
    Field("plays"),
    Field("first"),
    Field("count"),
    Field("went"),
    Field("floor", 2),
    Field("crib_shown"),
    Field("pegs", 2),
    Field("points", 2),
    Field("past_trail", TRAIL),
    Field("past_by", TRAIL),
    Field("past_plays"),
    Field("past_starter"),
    Field("past_crib"),
    Field("past_pegs", 2),
)


class Reason(IntEnum):
    """Why an action is refused."""

    LEGAL = 0
    OVER = 1
    NO_ACTION = 2
    LAY_FIRST = 3
    WRONG_NUMBER = 4
    NOT_HELD = 5
    LAID_ALREADY = 6
    ABOVE_31 = 7
    CAN_PLAY = 8
    NO_GO = 9
    ONE_CARD = 10


LEGAL, OVER, NO_ACTION, LAY_FIRST, WRONG_NUMBER, NOT_HELD, LAID_ALREADY, ABOVE_31, CAN_PLAY, NO_GO, ONE_CARD = (
    int(reason) for reason in Reason
)


@kernel
def deal(s, k0, k1, k2, k3):
    """Start a match: cut for the deal, or let seat 0 deal first, and deal."""
    rekey(s, k0, k1, k2, k3)
    s.over = 0
    s.game = 0
    s.deals = 0
    s.dealer = 0
    s.plays = 0
    s.starter = NONE
    s.crib_shown = 0
    for p in range(2):
        s.cut[p] = NONE
        s.away[p] = 0
        s.pegs[p] = 0
        s.points[p] = 0
    for i in range(TRAIL):
        s.trail[i] = NONE
        s.by[i] = NONE
    if s.cut_first:
        s.cut[0] = one_of(s, s.pack)
        s.cut[1] = one_of(s, s.pack & ~(15 << (s.cut[0] & ~3)))  # on equal ranks both cut again: the last cut counts
        s.dealer = 0 if s.cut[0] < s.cut[1] else 1
    deal_hands(s)


@kernel
def deal_hands(s):
    """Keep what was seen of the last deal, and deal both seats their hands."""
    keep_past(s)
    for p in range(2):
        s.pegs[p] = s.pegs[p] if s.deals else 0
        s.away[p] = 0
        s.floor[p] = 1
    s.deals += 1
    s.phase = LAYING
    s.starter = NONE
    s.plays = 0
    s.crib_shown = 0
    start_count(s)
    leader = 1 - s.dealer
    s.hand[leader] = handful(s, s.pack, s.hand_size)
    s.hand[s.dealer] = handful(s, s.pack & ~s.hand[leader], s.hand_size)
    for i in range(TRAIL):
        s.trail[i] = NONE
        s.by[i] = NONE
    s.player = leader


@kernel
def keep_past(s):
    """Note how the deal went that is over now."""
    for i in range(TRAIL):
        s.past_trail[i] = s.trail[i]
        s.past_by[i] = s.by[i]
    s.past_plays = s.plays
    s.past_starter = s.starter
    s.past_crib = s.away[0] | s.away[1] if s.crib_shown else 0
    for p in range(2):
        s.past_pegs[p] = s.pegs[p]


@kernel
def start_count(s):
    """The next card starts a count."""
    s.first = s.plays
    s.count = 0
    s.went = 0


@kernel
def refusal(s, a):
    """Why action ``a`` is forbidden now, or 0."""
    if s.over:
        return OVER
    if a < 0 or a >= ACTIONS:
        return NO_ACTION
    if s.phase == LAYING:
        if a < LAY:
            return NO_GO if a == GO else LAY_FIRST
        if (a - LAY) >> size(s.hand[s.player]):
            return NOT_HELD
        return LEGAL if size(a - LAY) == s.discards else WRONG_NUMBER
    if a >= LAY:
        return LAID_ALREADY
    if a == GO:
        return CAN_PLAY if fitting(s, s.player) else LEGAL
    if not s.hand[s.player] >> a & 1:
        return NOT_HELD
    return LEGAL if s.count + value_of(a) <= MOST else ABOVE_31


@kernel
def legal(s, out):
    """List the legal actions, the lowest cards first."""
    if s.over:
        return 0
    n = 0
    if s.phase == LAYING:
        held = size(s.hand[s.player])
        for i in range(held):
            if s.discards == 1:
                out[n] = LAY + (1 << i)
                n += 1
            else:
                for j in range(i + 1, held):
                    out[n] = LAY + (1 << i | 1 << j)
                    n += 1
        return n
    cards = fitting(s, s.player)
    if not cards:
        out[0] = GO
        return 1
    while cards:
        out[n] = lowest(cards)
        cards &= cards - 1
        n += 1
    return n


@kernel
def apply(s, a):
    """Carry out a legal action."""
    if s.phase == LAYING:
        lay(s, a - LAY)
    elif a == GO:
        s.went |= 1 << s.player
        raise_floor(s, s.player)
        next_turn(s)
    else:
        play(s, a)


@kernel
def lay(s, part):
    """Lay cards away; once both seats have, turn the starter up."""
    p = s.player
    s.away[p] = at_places(s.hand[p], part)
    s.hand[p] ^= s.away[p]
    s.player = 1 - p
    if s.away[1 - p]:
        turn_up(s)


@kernel
def turn_up(s):
    """Turn the starter up: a Jack is two for the dealer, his heels."""
    s.starter = one_of(s, s.pack & ~(s.hand[0] | s.hand[1] | s.away[0] | s.away[1]))
    s.phase = PLAYING
    s.player = 1 - s.dealer
    if s.starter >> 2 == JACK:
        peg(s, s.dealer, HEELS)


@kernel
def peg(s, seat, points):
    """Score; whether that has ended the game."""
    s.pegs[seat] += points
    if s.pegs[seat] < s.target:
        return False
    s.pegs[seat] = s.target
    end_game(s, seat)
    return True


@kernel
def play(s, card):
    """Play a card."""
    p = s.player
    s.hand[p] ^= 1 << card
    s.trail[s.plays] = card
    s.by[s.plays] = p
    s.plays += 1
    s.count += value_of(card)
    points = play_points(s.trail, s.first, s.plays, s.count)
    if points and peg(s, p, points):
        return
    if s.count == MOST:
        end_count(s)
    else:
        next_turn(s)


@kernel
def next_turn(s):
    """The other seat's turn, or the same one's once the other has said go; where neither can play, the count ends.

    A seat is asked although it cannot play, to say go, only while the other is in the count too.
    """
    p = s.player
    if is_in(s, 1 - p) and (is_in(s, p) or fitting(s, 1 - p)):
        s.player = 1 - p
    elif not is_in(s, p) or not fitting(s, p):
        for q in range(2):
            raise_floor(s, q)
        end_count(s)


@kernel
def end_count(s):
    """One for the last card unless it made 31; the seat that did not play it leads, if it has cards."""
    last = s.by[s.plays - 1]
    if s.count < MOST and peg(s, last, 1):
        return
    start_count(s)
    if s.hand[1 - last]:
        s.player = 1 - last
    elif s.hand[last]:
        s.player = last
    else:
        show(s)


@kernel
def kept(s, seat):
    """The cards that a seat has played in this deal: in the show, its hand."""
    cards = 0
    for i in range(s.plays):
        if s.by[i] == seat:
            cards |= 1 << s.trail[i]
    return cards


@kernel
def show(s):
    """Score both hands and the crib, in that order, and deal anew unless the game is over."""
    leader = 1 - s.dealer
    if peg(s, leader, show_points(kept(s, leader), s.starter, 0)):
        return
    if peg(s, s.dealer, show_points(kept(s, s.dealer), s.starter, 0)):
        return
    s.crib_shown = 1
    if peg(s, s.dealer, show_points(s.away[0] | s.away[1], s.starter, 1)):
        return
    s.dealer = leader
    deal_hands(s)


@kernel
def worth(s, loser):
    """What a game counts in the match: 1, and with ``skunks`` 2 for a skunk, 3 for a double skunk."""
    missing = s.target - s.pegs[loser]
    return 1 + (missing > SKUNK) + (missing > 2 * SKUNK) if s.skunks else 1


@kernel
def end_game(s, winner):
    """A seat has reached the target: the loser deals first in the next game, if there is one."""
    s.points[winner] += worth(s, 1 - winner)
    if s.game + 1 == s.games:
        s.over = 1
        s.player = NONE
        return
    s.game += 1
    s.deals = 0
    s.dealer = 1 - winner
    deal_hands(s)


@kernel
def returns(s, out):
    """The points of each seat in the match."""
    for p in range(2):
        out[p] = s.points[p]


@kernel
def substitute(s):
    """What a forfeited seat does: lay its lowest cards away, play the lowest that fits, or say go."""
    if s.phase == LAYING:
        return LAY + (1 << s.discards) - 1
    return lowest(fitting(s, s.player)) if fitting(s, s.player) else GO
