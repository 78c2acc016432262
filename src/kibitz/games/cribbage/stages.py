"""A deal of cribbage: the hands, the play of cards one by one up to 31, the show, and the points pegged.

phase       what comes next: a decision in DISCARDING (to the crib) and PLAYING; in other phases, a step without one
played      the cards played in this deal, in order; ``played_by`` has the seat of each, and ``plays`` is how many
            there are
past_...    the previous deal, as far as it was shown
"""

from kibitz.cards.drawing import handful
from kibitz.games.cribbage.scoring import MAX_COUNT, cards_up_to, play_points, show_points, value_of
from kibitz.kernel import kernel

NONE = -1
MAX_PLAYS = 8
"""The maximum number of cards played in one deal."""
DISCARDING, PLAYING, TURNING_UP, COUNT_OVER, NON_DEALER, DEALER, CRIB, DEALING, WON = range(9)
"""The phases.  The show goes through them in order: the non-dealer's hand, the dealer's, the crib, a new deal."""


@kernel
def clear(s):
    """Empty the table: nothing has been cut, dealt or scored."""
    s.over = 0
    s.game = 0
    s.deals = 0
    s.dealer = 0
    for p in range(2):
        s.cut[p] = NONE
        s.pegs[p] = 0
        s.points[p] = 0
    clear_deal(s)
    save_past_deal(s)


@kernel
def deal_hands(s):
    """Keep the last deal in ``past_...``, and deal both seats their hands."""
    save_past_deal(s)
    clear_deal(s)
    if s.deals == 0:
        s.pegs[0] = 0
        s.pegs[1] = 0
    s.deals += 1
    s.player = 1 - s.dealer
    s.hand[s.player] = handful(s, s.pack, s.hand_size)
    s.hand[s.dealer] = handful(s, s.pack & ~s.hand[s.player], s.hand_size)


@kernel
def clear_deal(s):
    """Clear the deal: nothing has been dealt, discarded, turned up or played."""
    s.phase = DISCARDING
    s.starter = NONE
    s.plays = 0
    s.crib_shown = 0
    start_count(s)
    for p in range(2):
        s.hand[p] = 0
        s.away[p] = 0
        s.floor[p] = 1
    for i in range(MAX_PLAYS):
        s.played[i] = NONE
        s.played_by[i] = NONE


@kernel
def save_past_deal(s):
    """Keep the deal that is over, as far as it was shown, for the views of the next one."""
    for i in range(MAX_PLAYS):
        s.past_played[i] = s.played[i]
        s.past_played_by[i] = s.played_by[i]
    s.past_plays = s.plays
    s.past_starter = s.starter
    s.past_crib = s.away[0] | s.away[1] if s.crib_shown else 0
    for p in range(2):
        s.past_pegs[p] = s.pegs[p]


@kernel
def start_count(s):
    """Start a new count with the next card."""
    s.first = s.plays
    s.count = 0
    s.said_go = 0


# The score: the show, the end of a game, and what a game counts in the match
#
#   pegs        by seat, the score of this game, never above ``target``
#   points      by seat, its score in the match: ``game_points`` for each game that it has won
#
# A seat that reaches the target ends the game at once: ``peg`` returns True, and nothing more is counted.


SKUNK = 30
"""A loser more than this many points short of the target is skunked; more than twice as many, double skunked."""


@kernel
def peg(s, seat, points):
    """Add points to a seat's score; return whether that has ended the game."""
    s.pegs[seat] += points
    if s.pegs[seat] < s.target:
        return False
    s.pegs[seat] = s.target
    s.phase = WON
    return True


@kernel
def game_points(s, loser):
    """The match points for winning a game: 1, but with ``skunks`` 2 for a skunk and 3 for a double skunk."""
    missing = s.target - s.pegs[loser]
    return 1 + (missing > SKUNK) + (missing > 2 * SKUNK) if s.skunks else 1


@kernel
def end_game(s):
    """End a game in which a seat has reached the target; if another game follows, the loser deals first."""
    winner = 0 if s.pegs[0] == s.target else 1
    s.points[winner] += game_points(s, 1 - winner)
    if s.game + 1 == s.games:
        s.over = 1
        s.phase = PLAYING
        s.player = NONE
        return
    s.game += 1
    s.deals = 0
    s.phase = DEALING
    s.dealer = winner  # the deal then passes to the loser


@kernel
def showing_seat(s, phase):
    """The seat whose cards are counted in a phase of the show."""
    return 1 - s.dealer if phase == NON_DEALER else s.dealer


@kernel
def counted_cards(s, phase):
    """The cards that are counted in a phase of the show: the crib, or all cards that the showing seat has played."""
    if phase == CRIB:
        return s.away[0] | s.away[1]
    seat = showing_seat(s, phase)
    cards = 0
    for i in range(s.plays):
        if s.played_by[i] == seat:
            cards |= 1 << s.played[i]
    return cards


@kernel
def show_next(s):
    """Score the hand or crib that this phase of the show counts."""
    phase = s.phase
    crib = 1 if phase == CRIB else 0
    s.crib_shown = crib
    s.phase += 1
    peg(s, showing_seat(s, phase), show_points(counted_cards(s, phase), s.starter, crib))


# The play: cards one by one up to 31, go, and a point for the last card
#
#   first       the index in ``trail`` of the first card of the present count
#   count       the sum of the cards since ``first``
#   said_go     the seats that have said go in the present count, as bits
#   floor       by seat, the lowest value that its remaining cards can have: a go, or the end of a count, has shown that
#               it has no lower card
#
# A seat that is alone in a count gets the turn only if it can play, so everybody who sees it get the turn knows that
# it has a playable card (docs/decisions, 10).


@kernel
def playable(s, seat):
    """The cards of a seat that do not bring the count above 31."""
    return s.hand[seat] & cards_up_to(MAX_COUNT - s.count)


@kernel
def still_in_count(s, seat):
    """Whether a seat still takes part in this count: it holds cards and has not said go."""
    return s.hand[seat] != 0 and not s.said_go >> seat & 1


@kernel
def raise_floor(s, seat):
    """Raise a seat's floor, since everybody now knows that it can't play any of its cards on this count."""
    if s.hand[seat] and s.floor[seat] <= MAX_COUNT - s.count:
        s.floor[seat] = MAX_COUNT - s.count + 1


@kernel
def play(s, card):
    """Play a card."""
    p = s.player
    s.hand[p] ^= 1 << card
    s.played[s.plays] = card
    s.played_by[s.plays] = p
    s.plays += 1
    s.count += value_of(card)
    points = play_points(s.played, s.first, s.plays, s.count)
    if points and peg(s, p, points):
        return
    if s.count == MAX_COUNT:
        s.phase = COUNT_OVER
    else:
        next_turn(s)


@kernel
def say_go(s):
    """The seat to act says go, which shows everybody that none of its cards fits."""
    s.said_go |= 1 << s.player
    raise_floor(s, s.player)
    next_turn(s)


@kernel
def next_turn(s):
    """Give the turn to the other seat, or to the same one if the other has said go; end the count if neither can play.

    A seat that can't play gets the turn (to say go) only while the other is still in the count.
    """
    p = s.player
    if still_in_count(s, 1 - p) and (still_in_count(s, p) or playable(s, 1 - p)):
        s.player = 1 - p
    elif not still_in_count(s, p) or not playable(s, p):
        s.phase = COUNT_OVER


@kernel
def end_count(s):
    """End a count: 1 for the last card, unless it made 31; the seat that didn't play it leads, if it has cards."""
    last = s.played_by[s.plays - 1]
    s.phase = PLAYING if s.hand[0] | s.hand[1] else NON_DEALER
    if s.count < MAX_COUNT:
        raise_floor(s, 0)
        raise_floor(s, 1)
        if peg(s, last, 1):
            return
    start_count(s)
    s.player = 1 - last if s.hand[1 - last] else last
