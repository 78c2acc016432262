"""President: get rid of your cards first, round after round (``rules.md``).

    height      a card's rank in President, from 0 (3D, the lowest) to 51 (2S); sets of cards are sets of heights,
                except for the option ``pack``, which is a set of cards
    hand, gone  by seat, the cards that it holds, and those that it has played this round

``rounds`` explains the other fields: the course of a round (``order``, ``place``, ``pile``, ``last``, ``passed``,
``lowest_card``, ``finish``, ``out_count``, ``ending``) and the trades before it (``phase``, ``pair``, ``todo``,
``given``, ``returned``, ``named``, ``wish``).

Actions 0 to MOVES - 1 are moves (see ``moves``), then come PASS and, while cards are traded, TRADE + height: the card
that the upper seat of a pair returns or, with the option ``upper_names``, asks for.  ANY_OF_VALUE + value asks for any
card of a value, which only a REPEATED_REQUEST may do.

A follower may always pass, so a pass reveals nothing for certain.
"""

from kibitz.cards import FULL_PACK, as_set, parse_cards
from kibitz.cards.chance import rekey
from kibitz.cards.sets import highest, lowest, nth, size
from kibitz.engine.game import NO_LIMIT
from kibitz.engine.layout import CHANCE, TURN, Field, Layout
from kibitz.engine.options import Option
from kibitz.engine.reasons import Reasons
from kibitz.games.president.beliefs import resample as resample
from kibitz.games.president.listing import count_all, list_all, list_containing, list_of_size, move_at
from kibitz.games.president.moves import ALL_FIVES, MOVES, NONE, PAIR, cards_in, is_allowed, size_of
from kibitz.games.president.rounds import (
    ASK,
    BLIND_REQUEST,
    BY_RANK,
    PLAY,
    REPEATED_REQUEST,
    RETURN,
    SEATS,
    clear_round,
    deal_round,
    end_round,
    next_turn,
    start_trades,
    tradable_cards,
    trade,
    wished_cards,
)
from kibitz.games.president.rounds import next_round as next_round
from kibitz.kernel import kernel

PASS = MOVES
TRADE = PASS + 1
ANY_OF_VALUE = TRADE + 52
ACTIONS = ANY_OF_VALUE + 13
VERSION = 1
ROUNDS_OPTION = "rounds"
"""The option for the number of rounds; the upper bound on the number of actions is computed from it."""

OPTIONS = (
    Option("players", default=4, range=(2, 8), mini=3, ask="How many players?", says="{} players."),
    Option(
        "rounds",
        default=3,
        range=(1, NO_LIMIT),
        mini=2,
        mini_range=(1, 2),
        ask="How many rounds?",
        says="{} rounds are played, and cards are traded before each but the first.",
        one="One round is played, without any trade.",
    ),
    Option(
        "fives",
        default=ALL_FIVES,
        range=(0, ALL_FIVES),
        ask="Which kinds of five cards count?",
        says="{} count.",
        none="No kind of five cards counts: moves have one to four cards.",
        parts=("straights", "flushes", "full houses", "four of a kind with one more card", "straight flushes"),
    ),
    Option(
        "pass_locks",
        range=(0, 1),
        ask="Who may play after a pass?",
        one="A player who passes is out until the trick ends.",
        none="A player who passes may play again in the same trick.",
    ),
    Option(
        "upper_names",
        range=(BY_RANK, REPEATED_REQUEST),
        ask="How are cards traded?",
        values={
            BY_RANK: "By rank: the lower player gives the highest cards, and only the two see what they trade.",
            BLIND_REQUEST: "Blind request: the upper player asks aloud for a card, and gets it only if the lower one "
            "holds it.",
            REPEATED_REQUEST: "Repeated request: the upper player asks for a card or a value until one is given; all "
            "see every card.",
        },
    ),
    Option(
        "traded",
        default=2,
        range=(1, 2),
        mini=1,
        ask="How many cards do President and Bum trade?",
        values={1: "President and Bum trade one card.", 2: "President and Bum trade two cards."},
    ),
    Option(
        "points",
        default=1,
        range=(0, 1),
        ask="What decides the game?",
        one="The points of all rounds are added up.",
        none="Only the last round counts.",
    ),
    Option(
        "leftovers",
        range=(0, 1),
        ask="What happens to leftover cards?",
        one="The last seats get one each.",
        none="They are put aside unseen.",
    ),
    Option("pack", default=FULL_PACK, mini=as_set(parse_cards("3D 3C 4D AD 2D 2C"))),
)
LAYOUT = Layout(
    "PresidentState",
    *CHANCE,
    *TURN,
    *OPTIONS,
    *(Field(name) for name in ("round", "phase", "pair", "todo")),
    *(Field(name, SEATS) for name in ("order", "place", "hand", "gone")),
    *(Field(name) for name in ("pile", "last", "passed", "lowest_card")),
    Field("finish", SEATS),
    Field("out_count"),
    Field("score", SEATS),
    *(Field(name, 2) for name in ("given", "returned", "named")),
    *(Field(name) for name in ("wish", "ending")),
    Field("pool", 52, "i8", scratch=True),
    Field("hand_size", SEATS, "i8", scratch=True),
    Field("old_hand", SEATS, "i8", scratch=True),
    Field("origins", 4, "i8", scratch=True),
)


class Reason(Reasons):
    """Why an action is refused."""

    LEGAL = ""
    OVER = "The game is over."
    NO_ACTION = "That isn't an action of President: name the cards of a move, or 'pass'."
    SCATTERED = (
        "Those cards don't make a move: it must be 1 to 4 cards of one value, or five cards that are "
        "a straight, a flush, a full house, four of a kind with one more card, or a straight flush."
    )
    NOT_HELD = "You can only use cards from your own hand."
    WRONG_SIZE = "You must play as many cards as lie on the pile, or pass."
    TOO_LOW = "Play a higher move than the one on the pile, or pass."
    LOWEST_CARD = "The first move of the match must contain the lowest card that was dealt."
    LEADER_PASSES = "You lead, so you can't pass: play anything you like."
    TRADING = "Cards are being traded: name one card."
    NOT_TRADING = "No cards are being traded now."
    NAMED_BEFORE = "You have already asked for that card."
    ONE_CARD = "Cards are traded one at a time: name exactly one card."
    NOT_COUNTED = "Moves of that kind do not count in this match."
    NO_VALUES = "Here you ask for one card, such as 2S, not for any card of a value."


@kernel
def deal(s, k0, k1, k2, k3):
    """Start a game: the seats sit in their order, and the first round is dealt."""
    rekey(s, k0, k1, k2, k3)
    clear(s)
    for p in range(s.players):
        s.order[p] = p
    deal_round(s)


@kernel
def clear(s):
    """Empty the table: no round has been dealt."""
    s.over = 0
    s.round = 0
    s.ending = NONE
    for p in range(SEATS):
        s.score[p] = 0
        s.order[p] = NONE
        s.place[p] = NONE
    clear_round(s)


@kernel
def refusal(s, a):
    """Why action ``a`` is forbidden now, or 0."""
    if s.over:
        return Reason.OVER
    if a < 0 or a >= ACTIONS:
        return Reason.NO_ACTION
    if s.phase != PLAY:
        return trade_refusal(s, a - TRADE) if a >= TRADE else Reason.TRADING
    if a >= TRADE:
        return Reason.NOT_TRADING
    if a == PASS:
        return Reason.LEADER_PASSES if s.pile == NONE else Reason.LEGAL
    cards = cards_in(a)
    if cards == 0:
        return Reason.NO_ACTION
    if cards & ~s.hand[s.player]:
        return Reason.NOT_HELD
    if not is_allowed(a, s.fives):
        return Reason.NOT_COUNTED
    if s.pile == NONE:
        return Reason.LEGAL if cards & required_cards(s) == required_cards(s) else Reason.LOWEST_CARD
    if size_of(a) != size_of(s.pile):
        return Reason.WRONG_SIZE
    return Reason.LEGAL if a > s.pile else Reason.TOO_LOW


@kernel
def trade_refusal(s, wish):
    """Why a card, or (from 52 on) any card of a value, can't be asked for or returned; 0 if it can."""
    if s.phase == RETURN:
        if wish >= 52:
            return Reason.ONE_CARD
        return Reason.LEGAL if s.hand[s.player] >> wish & 1 else Reason.NOT_HELD
    if wish >= 52 and s.upper_names != REPEATED_REQUEST:
        return Reason.NO_VALUES
    cards = wished_cards(s, wish)
    if cards == 0:
        return Reason.NO_ACTION
    return Reason.LEGAL if cards & ~s.named[s.pair] else Reason.NAMED_BEFORE


@kernel
def required_cards(s):
    """The cards that the next move must contain: the lowest card dealt in the very first move, later none."""
    return s.hand[s.player] & 1 << s.lowest_card if s.lowest_card != NONE else 0


@kernel
def legal(s, out):
    """List the legal actions: moves by hand type, each type from high to low, then the pass; return how many."""
    if s.over:
        return 0
    if s.phase != PLAY:
        cards = tradable_cards(s)
        n = 0
        while cards:
            card = highest(cards)
            out[n] = TRADE + card
            n += 1
            cards ^= 1 << card
        return list_values(s, out, n) if s.phase == ASK and s.upper_names == REPEATED_REQUEST else n
    if s.pile != NONE:
        n = list_of_size(s.hand[s.player], size_of(s.pile), s.pile, s.fives, out, 0)
        out[n] = PASS
        return n + 1
    if required_cards(s):
        return list_containing(s.hand[s.player], s.lowest_card, s.fives, out)
    return list_all(s.hand[s.player], s.fives, out)


@kernel
def legal_count(s, scratch):
    """How many actions are legal. Single cards and leads are only counted; other actions are listed in scratch."""
    if s.over:
        return 0
    if 0 <= s.pile < PAIR:  # a single card, whose number is its height
        return size(s.hand[s.player] >> s.pile >> 1) + 1
    if s.pile == NONE and s.phase == PLAY and not required_cards(s):
        return count_all(s.hand[s.player], s.fives)
    return legal(s, scratch)


@kernel
def legal_at(s, i, scratch):
    """The legal action number ``i``, after ``legal_count``."""
    if 0 <= s.pile < PAIR:
        higher = s.hand[s.player] >> s.pile >> 1
        ascending = size(higher) - 1 - i  # moves are listed from high to low
        return nth(higher, ascending) + s.pile + 1 if ascending >= 0 else PASS
    if s.pile == NONE and s.phase == PLAY and not required_cards(s):
        return move_at(s.hand[s.player], s.fives, i, scratch)
    return scratch[i]


@kernel
def list_values(s, out, n):
    """List the requests for any card of a value, from high to low, after ``n`` actions; return the new length."""
    cards = tradable_cards(s)
    for value in range(12, -1, -1):
        if cards >> 4 * value & 15:
            out[n] = ANY_OF_VALUE + value
            n += 1
    return n


@kernel
def apply(s, a):
    """Carry out a legal action and, if it ends a round, everything up to the next decision."""
    act(s, a)
    if s.out_count == s.players - 1:
        end_round(s)
        if not s.over:
            next_round(s)
            start_trades(s)


@kernel
def act(s, a):
    """Carry out a legal action; the round is over once all seats but one are out."""
    if a >= TRADE:
        trade(s, a - TRADE)
    elif a == PASS:
        s.passed |= 1 << s.player
        next_turn(s)
    else:
        play(s, a)


@kernel
def play(s, a):
    """Put a move on the pile."""
    p = s.player
    cards = cards_in(a)
    s.hand[p] ^= cards
    s.gone[p] |= cards
    s.pile = a
    s.last = p
    if not s.pass_locks:
        s.passed = 0
    if s.hand[p] == 0:
        s.finish[s.out_count] = p
        s.out_count += 1
    if s.out_count < s.players - 1:
        next_turn(s)


@kernel
def returns(s, out):
    """Write the points of each seat into ``out``: of all rounds or, without ``points``, of the last one."""
    for p in range(s.players):
        out[p] = s.score[p]


@kernel
def substitute(s):
    """The action for a forfeited seat: pass, lead or return its lowest card, ask for the highest card."""
    if s.phase == ASK:
        return TRADE + highest(tradable_cards(s))
    if s.phase == RETURN:
        return TRADE + lowest(tradable_cards(s))
    return PASS if s.pile != NONE else lowest(s.hand[s.player])
