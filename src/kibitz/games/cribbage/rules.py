"""Cribbage: two players, six cards each, first to 121 (``rules.md``).

    dealer      the seat that has the crib; the other seat leads and shows first
    away        by seat, the cards that it has discarded: together the crib, hidden until it is shown
    starter     the card turned up, which is part of every hand in the show; NONE before it is turned up

The other fields are explained in ``stages``: a deal (phase, trail, by, plays) and the deal before (past_...), the play
(first, count, said_go, floor), and the score (pegs, points).

Actions 0 to 51 play a card, GO says go, and DISCARD + m discards the cards at the places m of the seat's sorted hand,
as bits: DISCARD + 0b101 discards the lowest card and the third.

The game ends as soon as a player has 121, so the order of scoring matters: heels, the play card by card, then the hand
of the seat that did not deal, the dealer's hand, the crib.

The play reveals two things about a seat's hidden cards: none is below its floor, and if it must act while the other
seat is out of the count, one of them can be played (``stages``).
"""

from kibitz.cards import FULL_PACK, as_set, parse_cards
from kibitz.cards.chance import rekey
from kibitz.cards.drawing import handful, random_card
from kibitz.cards.sets import at_places, lowest, size
from kibitz.engine.layout import CHANCE, TURN, Field, Layout
from kibitz.engine.options import Option
from kibitz.engine.reasons import Reasons
from kibitz.games.cribbage.scoring import JACK, MAX_COUNT, cards_up_to, value_of
from kibitz.games.cribbage.stages import (
    COUNT_OVER,
    DEALING,
    DISCARDING,
    MAX_PLAYS,
    PLAYING,
    TURNING_UP,
    WON,
    clear,
    deal_hands,
    end_count,
    end_game,
    peg,
    play,
    playable,
    say_go,
    show_next,
    still_in_count,
)
from kibitz.kernel import kernel

# Redrawing what a seat can't know


@kernel
def unseen(s, seat):
    """The cards whose place a seat doesn't know; it knows its own hand and its own discards."""
    cards = s.pack
    for i in range(s.plays):
        cards &= ~(1 << s.played[i])
    if s.starter >= 0:
        cards &= ~(1 << s.starter)
    if s.crib_shown:
        cards &= ~(s.away[0] | s.away[1])
    if seat >= 0:
        cards &= ~(s.hand[seat] | s.away[seat])
    return cards


@kernel
def resample(s, seat):
    """Redeal the unseen cards; return False if the seat to act, alone in the count, got no card that it can play.

    The seat with the higher floor draws first. Every card that it may hold, the other seat may hold too, so the number
    of hands left for the other seat doesn't depend on the draw: all possible deals are equally likely.
    """
    rest = unseen(s, seat)
    p = 0 if s.floor[0] > s.floor[1] else 1
    for _ in range(2):
        if p != seat:
            s.hand[p] = handful(s, rest & ~cards_up_to(s.floor[p] - 1), size(s.hand[p]))
            rest &= ~s.hand[p]
        p = 1 - p
    if s.crib_shown:
        rest = (s.away[0] | s.away[1]) & ~(s.away[seat] if seat >= 0 else 0)
    for p in range(2):
        if p != seat:
            s.away[p] = handful(s, rest, size(s.away[p]))
            rest &= ~s.away[p]
    return s.starter < 0 or s.over != 0 or still_in_count(s, 1 - s.player) or playable(s, s.player) != 0


# The rules


GO = 52
DISCARD = 53
ACTIONS = DISCARD + 64  # a hand of six cards has 64 subsets
VERSION = 1
HEELS = 2
"""The dealer's points if the starter is a Jack."""

OPTIONS = (
    Option("players", default=2),
    Option("pack", default=FULL_PACK, mini=as_set(parse_cards("4D 5D 5C 6D 6C JD JC"))),
    Option(
        "games",
        default=1,
        range=(1, 100),
        mini=2,
        mini_range=(1, 100),
        ask="How many games?",
        says="{} games are played, and most points win.",
        one="One game is played.",
    ),
    Option(
        "target",
        default=121,
        range=(1, 121),
        mini=7,
        mini_range=(1, 121),
        ask="How many points win a game?",
        says="{} points win a game.",
        one="The first point wins a game.",
    ),
    Option("hand_size", default=6, mini=3),
    Option("discards", default=2, mini=1),
    Option(
        "skunks",
        default=1,
        range=(0, 1),
        ask="Does a skunk count more?",
        one="A skunk counts two games in the match, and a double skunk three.",
        none="Every game counts one.",
    ),
    Option(
        "cut_first",
        default=1,
        range=(0, 1),
        mini=0,
        mini_range=(0, 1),
        ask="Who deals first?",
        one="The players cut for the first deal, and the lower card has it.",
        none="The first player deals first.",
    ),
)
LAYOUT = Layout(
    "CribbageState",
    *CHANCE,
    *TURN,
    *OPTIONS,
    *(Field(name) for name in ("game", "deals", "dealer", "phase", "starter", "plays", "first", "count", "said_go")),
    *(Field(name) for name in ("crib_shown", "past_plays", "past_starter", "past_crib")),
    *(Field(name, 2) for name in ("cut", "hand", "away", "floor", "pegs", "points", "past_pegs")),
    *(Field(name, MAX_PLAYS) for name in ("played", "played_by", "past_played", "past_played_by")),
)


class Reason(Reasons):
    """Why an action is refused."""

    LEGAL = ""
    OVER = "The game is over."
    NO_ACTION = "That isn't an action of cribbage: name cards of your hand, or say 'go'."
    DISCARD_FIRST = "The play has not begun: first discard to the crib."
    WRONG_NUMBER = "Discard exactly as many cards as the crib needs from you."
    NOT_HELD = "You can only use cards from your own hand."
    DISCARDED_ALREADY = "You have already discarded: play one card."
    ABOVE_31 = "The count can't go above 31: play a lower card."
    CAN_PLAY = "You can say go only if none of your cards fits under 31: play if you can."
    NO_GO = "Go is for the play, which has not begun: first discard to the crib."
    ONE_CARD = "Cards are played one at a time: name exactly one card."


@kernel
def deal(s, k0, k1, k2, k3):
    """Start a match: cut for the deal, or let seat 0 deal first, and deal."""
    rekey(s, k0, k1, k2, k3)
    clear(s)
    if s.cut_first:
        s.cut[0] = random_card(s, s.pack)
        # On equal ranks both cut again, so the second card is of another rank: 15 << (card & ~3) are the four of one.
        s.cut[1] = random_card(s, s.pack & ~(15 << (s.cut[0] & ~3)))
        s.dealer = 0 if s.cut[0] < s.cut[1] else 1
    deal_hands(s)


@kernel
def refusal(s, a):
    """The ``Reason`` to refuse action ``a`` now; 0 if it is legal."""
    if s.over:
        return Reason.OVER
    if a < 0 or a >= ACTIONS:
        return Reason.NO_ACTION
    if s.phase == DISCARDING:
        if a < DISCARD:
            return Reason.NO_GO if a == GO else Reason.DISCARD_FIRST
        if (a - DISCARD) >> size(s.hand[s.player]):  # a bit beyond the last card
            return Reason.NOT_HELD
        return Reason.LEGAL if size(a - DISCARD) == s.discards else Reason.WRONG_NUMBER
    if a >= DISCARD:
        return Reason.DISCARDED_ALREADY
    if a == GO:
        return Reason.CAN_PLAY if playable(s, s.player) else Reason.LEGAL
    if not s.hand[s.player] >> a & 1:
        return Reason.NOT_HELD
    return Reason.LEGAL if s.count + value_of(a) <= MAX_COUNT else Reason.ABOVE_31


@kernel
def legal(s, out):
    """Write the legal actions into ``out``, the lowest cards first; return how many."""
    if s.over:
        return 0
    n = 0
    if s.phase == DISCARDING:
        hand_size = size(s.hand[s.player])
        for i in range(hand_size):
            if s.discards == 1:
                out[n] = DISCARD + (1 << i)
                n += 1
            else:
                for j in range(i + 1, hand_size):
                    out[n] = DISCARD + (1 << i | 1 << j)
                    n += 1
        return n
    cards = playable(s, s.player)
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
    """Carry out a legal action and everything up to the next decision."""
    act(s, a)
    while s.phase > PLAYING:
        advance_phase(s)


@kernel
def act(s, a):
    """Carry out a legal action, but nothing that follows from it."""
    if s.phase == DISCARDING:
        discard(s, a - DISCARD)
    elif a == GO:
        say_go(s)
    else:
        play(s, a)


@kernel
def advance_phase(s):
    """Carry out the next step of a phase that needs no decision."""
    if s.phase == TURNING_UP:
        turn_up(s)
    elif s.phase == COUNT_OVER:
        end_count(s)
    elif s.phase == WON:
        end_game(s)
    elif s.phase == DEALING:
        s.dealer = 1 - s.dealer
        deal_hands(s)
    else:
        show_next(s)


@kernel
def discard(s, places):
    """Discard the cards at some places of the sorted hand, as bits; once both seats have, the starter is next."""
    p = s.player
    s.away[p] = at_places(s.hand[p], places)
    s.hand[p] ^= s.away[p]
    s.player = 1 - p
    if s.away[1 - p]:
        s.phase = TURNING_UP


@kernel
def turn_up(s):
    """Turn up the starter; if it is a Jack, the dealer scores 2 for his heels."""
    s.starter = random_card(s, s.pack & ~(s.hand[0] | s.hand[1] | s.away[0] | s.away[1]))
    s.phase = PLAYING
    s.player = 1 - s.dealer
    if s.starter >> 2 == JACK:
        peg(s, s.dealer, HEELS)


@kernel
def returns(s, out):
    """Write the points of each seat in the match into ``out``."""
    for p in range(2):
        out[p] = s.points[p]


@kernel
def substitute(s):
    """The substitute for a forfeited seat: discard its lowest cards, play the lowest that fits, or say go."""
    if s.phase == DISCARDING:
        return DISCARD + ((1 << s.discards) - 1)  # a bit for each of the lowest cards
    return lowest(playable(s, s.player)) if playable(s, s.player) else GO
