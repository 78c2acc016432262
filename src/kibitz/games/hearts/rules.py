"""Hearts (``rules.md``).

    deals           how many deals came before this one, which determines where cards are passed
    passed          option: how many cards each seat passes in a deal
    passing         1 while seats choose the cards that they pass
    leader          the seat that has led the trick or must lead it; NONE while cards are chosen
    given           by seat, the set of cards that it has chosen to pass, or has passed in this deal
    trick           by seat, the card played to the trick on the table, which stays there until the next lead
    played          by seat, the set of cards played in this deal
    lacks           by seat, the set of cards that play has shown it not to hold
    points, score   by seat, the points taken in this deal, and in all deals before

Actions 0 to 51 choose a card to pass, or play it.  Seats choose one card each at the same time, until all have chosen
enough; then all pass at once.
"""

from kibitz.cards import FULL_PACK, as_set, parse_cards
from kibitz.cards.chance import rekey
from kibitz.cards.drawing import draw
from kibitz.cards.hands import deal_hands
from kibitz.cards.sets import size
from kibitz.cards.tricks import (
    FRAMES,
    ONE_SUIT,
    cards_in_trick,
    cards_to_follow,
    of_suit,
    redeal_unseen,
    suit_ruled_out,
    winner,
)
from kibitz.engine.layout import CHANCE, POOL, TURN, Field, Layout
from kibitz.engine.options import Option
from kibitz.engine.reasons import Reasons
from kibitz.kernel import kernel

NONE = -1
ACTIONS = 52
VERSION = 1
TWO_OF_CLUBS, QUEEN_OF_SPADES = 5, 47
NOWHERE = 3
"""The direction in which nothing is passed; 0 is left, 1 right and 2 across."""
HEARTS = ONE_SUIT << 2
POINTS = HEARTS | 1 << QUEEN_OF_SPADES

OPTIONS = (
    Option("players", default=4, mini=3),
    Option("pack", default=FULL_PACK, mini=as_set(parse_cards("2C AC 3H KH QS 4D"))),
    Option(
        "passed",
        default=3,
        range=(0, 4),
        mini=1,
        ask="How many cards are passed?",
        says="{} cards are passed.",
        one="One card is passed.",
        none="No card is passed.",
    ),
    Option(
        "target",
        default=100,
        range=(1, 500),
        mini=1,
        ask="How many points end the game?",
        says="The game ends at {} points.",
        one="One deal is played.",
    ),
)
BY_SEAT = ("hand", "given", "trick", "played", "lacks", "points", "score")
TABLE = (*map(Field, ("deals", "passing", "leader")), *(Field(name, 4) for name in BY_SEAT))
SCRATCH = (
    Field("lacks_scratch", 4, scratch=True),
    Field("known", 4, scratch=True),
    Field("frames", FRAMES, scratch=True),
    POOL,
)
LAYOUT = Layout("HeartsState", *CHANCE, *TURN, *OPTIONS, *TABLE, *SCRATCH)


class Reason(Reasons):
    """Why an action is refused."""

    LEGAL = ""
    OVER = "The game is over."
    NO_ACTION = "Choose a card."
    NOT_HELD = "You don't hold that card."
    CHOSEN = "You have already chosen that card."
    TWO_LEADS = "The two of clubs leads to the first trick."
    NOT_BROKEN = "Hearts can't be led until one has been played, unless you hold nothing else."
    FOLLOW = "You must follow suit."
    NO_POINTS = "No hearts or queen of spades in the first trick, unless you hold nothing else."


@kernel
def deal(s, k0, k1, k2, k3):
    """Start a game."""
    rekey(s, k0, k1, k2, k3)
    s.deals = s.over = 0
    for p in range(s.players):
        s.score[p] = 0
    start_deal(s)


@kernel
def start_deal(s):
    """Deal all cards; then seats choose cards to pass or, if nothing is passed, play begins."""
    deal_hands(s, s.hand, s.players, size(s.pack) // s.players, s.pack)
    for p in range(s.players):
        s.given[p] = s.played[p] = s.lacks[p] = s.points[p] = 0
        s.trick[p] = NONE
    s.player = 0
    s.leader = NONE
    s.passing = int(direction(s) != NOWHERE)
    if not s.passing:
        start_play(s)


@kernel
def start_play(s):
    """Begin play: the seat with the two of clubs leads."""
    for p in range(s.players):
        if s.hand[p] >> TWO_OF_CLUBS & 1:
            s.leader = s.player = p


@kernel
def direction(s):
    """The direction in which cards are passed in this deal: left, right, across or none, in rotation."""
    return s.deals & 3 if s.passed else NOWHERE


@kernel
def receiver(s, p):
    """The seat that seat ``p`` passes to; ``p`` itself if nothing is passed."""
    to = direction(s)
    step = 0 if to == NOWHERE else s.players // 2 if to == 2 else 1 if to == 0 else s.players - 1
    return (p + step) % s.players


@kernel
def points_in(cards):
    """The points of cards: 1 for each heart, 13 for the queen of spades."""
    return size(cards & HEARTS) + 13 * (cards >> QUEEN_OF_SPADES & 1)


@kernel
def cards_played(s):
    """All cards played in this deal."""
    cards = 0
    for p in range(s.players):
        cards |= s.played[p]
    return cards


@kernel
def legal_mask(s):
    """The cards that may be chosen or played now, as a set."""
    if s.over:
        return 0
    hand = s.hand[s.player]
    if s.passing:
        return hand & ~s.given[s.player]
    first = s.played[s.player] == 0
    if s.player == s.leader:
        leads = 1 << TWO_OF_CLUBS if first else hand & ~HEARTS  # until hearts are broken
        return hand if leads == 0 or cards_played(s) & HEARTS else leads
    cards = cards_to_follow(hand, s.trick[s.leader] & 3)
    harmless = cards & ~POINTS
    return harmless if first and harmless else cards


@kernel
def why_illegal(s, a):
    """Why action ``a`` is illegal."""
    if not s.hand[s.player] >> a & 1:
        return Reason.NOT_HELD
    if s.passing:
        return Reason.CHOSEN
    if s.player == s.leader:
        return Reason.NOT_BROKEN if s.played[s.player] else Reason.TWO_LEADS
    return Reason.FOLLOW if of_suit(s.hand[s.player], s.trick[s.leader] & 3) else Reason.NO_POINTS


@kernel
def simultaneous(s):
    """Whether the seats from ``s.player`` to the last choose at the same time, as they do with cards to pass."""
    return s.passing


@kernel
def apply(s, a):
    """Carry out a legal action."""
    p = s.player
    s.player = (p + 1) % s.players
    if s.passing:
        s.given[p] |= 1 << a
        if s.player == 0 and size(s.given[p]) == s.passed:
            pass_on(s)
        return
    if p == s.leader:
        for q in range(s.players):
            s.trick[q] = NONE
    s.lacks[p] |= cards_ruled_out(s, p, a)
    s.hand[p] ^= 1 << a
    s.played[p] |= 1 << a
    s.trick[p] = a
    if s.player == s.leader:
        end_trick(s)


@kernel
def pass_on(s):
    """Pass the chosen cards, all at once."""
    for p in range(s.players):
        s.hand[p] ^= s.given[p]
    for p in range(s.players):
        s.hand[receiver(s, p)] |= s.given[p]
    s.passing = 0
    start_play(s)


@kernel
def cards_ruled_out(s, p, a):
    """The cards that seat ``p`` can't hold if it plays card ``a``, since it would have had to play one of them."""
    if p == s.leader:
        return s.pack & ~HEARTS if a & 3 == 2 and not cards_played(s) & HEARTS else 0
    if s.played[p] == 0 and POINTS >> a & 1:
        return s.pack & ~POINTS
    return s.pack & suit_ruled_out(s.trick[s.leader], a)


@kernel
def end_trick(s):
    """Give the trick to its winner, who leads to the next one."""
    s.leader = s.player = winner(s.trick, s.players, s.leader, NONE)
    s.points[s.leader] += points_in(cards_in_trick(s.trick, s.players))
    if s.hand[s.leader] == 0:
        end_deal(s)


@kernel
def end_deal(s):
    """Add the points to the scores; a seat that took all of them (shot the moon) scores 0, and each other seat all."""
    all_points = points_in(s.pack)
    shot = 0
    for p in range(s.players):
        shot |= s.points[p] == all_points
    most = 0
    for p in range(s.players):
        s.score[p] += all_points - s.points[p] if shot else s.points[p]
        most = max(most, s.score[p])
    if most >= s.target:
        s.over = 1
        s.player = NONE
    else:
        s.deals += 1
        start_deal(s)


@kernel
def returns(s, out):
    """Write each seat's result into ``out``: minus its points of all deals."""
    for p in range(s.players):
        out[p] = -s.score[p]


@kernel
def possible_passes(s, p):
    """The cards that seat ``p`` may pass or have passed: its hand or, after the pass, all cards of the receiver."""
    q = receiver(s, p)
    return s.hand[p] if s.passing else s.hand[q] | s.played[q]


@kernel
def resample(s, seat):
    """Redeal the unseen cards, and redraw which cards the others passed; False if no deal is possible.

    A seat gets no card that it has shown to lack, and cards that ``seat`` has passed stay with their receiver.
    """
    for p in range(s.players):
        s.lacks_scratch[p] = s.lacks[p]
        s.known[p] = 0
    if not s.passing and not s.over:
        if s.played[s.leader] == 0:
            s.known[s.leader] = 1 << TWO_OF_CLUBS
        if seat >= 0:
            to = receiver(s, seat)
            s.known[to] |= s.given[seat] & ~s.played[to]
    cards = s.pack & ~cards_played(s)
    fits = redeal_unseen(s, s.hand, s.players, seat, cards, s.lacks_scratch, s.known) >= 0
    for p in range(s.players):
        if p != seat and (s.passing or receiver(s, p) != seat):
            s.given[p] = draw(s, possible_passes(s, p), size(s.given[p]))
    return fits
