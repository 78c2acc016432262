"""The rules of poker: Texas hold'em, five-card draw, Kuhn and Leduc poker are one game with different options.

    hands       option: how many hands a session has; it also ends when one player has all the chips
    limit       option: NO_LIMIT, POT_LIMIT or FIXED_LIMIT
    cap         option: the maximum number of bets and raises in a round of fixed limit
    stack       option: the chips that everybody begins with, unless ``stack0`` ... ``stack9`` set others
    ante        option: what everybody antes; ``ante0`` ... ``ante9`` what one seat antes in addition
    scale       option: chips per unit of an imported hand's currency, such as 100 if a chip is a cent
    hole        option: how many cards are dealt to each
    streets     option: how many betting rounds a hand has
    flop, turn, river   options: how many cards are turned up before the second, third and fourth round
    draw        option: whether cards are drawn before the second round
    pack        option: the set of cards in play; ``pack0`` ... name cards that are dealt first (see ``dealing``)
    chips, bet, paid, live, waiting ...     the betting: see ``betting``
    stock, held, discarded, drawn, late ... the cards: see ``dealing``
    hands_played, button, stage, street, board    the course of a hand: see ``stages``

The actions:

    FOLD
    CALL            check or call
    DISCARD + m     discard the cards at the positions of the sorted hand that are bits of m
    RAISE + n       bet or raise so that one's bet in this round is n chips, up to MAX_AMOUNT

Any amount between the minimum and the maximum raise is legal, but ``legal`` names only a few: the minimum, half the
pot, the pot, the maximum (see ``docs/decisions/0013``).
"""

from kibitz.cards import FULL_PACK
from kibitz.cards.chance import rekey
from kibitz.cards.sets import at_places
from kibitz.engine.layout import CHANCE, TURN, Field, Layout
from kibitz.engine.options import Option
from kibitz.engine.reasons import Reasons
from kibitz.games.poker.betting import (
    BET,
    DRAW,
    FIXED_LIMIT,
    NO_LIMIT,
    NONE,
    OVER,
    POT_LIMIT,
    call,
    capped,
    fold,
    left_of,
    max_callable,
    max_raise_to,
    min_raise_to,
    open_round,
    pot,
    raise_to,
    to_call,
)
from kibitz.games.poker.dealing import exchange
from kibitz.games.poker.dealing import resample as resample
from kibitz.games.poker.stages import advance_stage as advance_stage
from kibitz.games.poker.stages import clear_hand, save_past_hand, start_hand
from kibitz.kernel import kernel

FOLD, CALL, DISCARD = 0, 1, 2
RAISE = DISCARD + 32
MAX_AMOUNT = 1_000_000_000
ACTIONS = RAISE + MAX_AMOUNT + 1
FIRST_AMOUNT = RAISE
"""The first of the actions that are amounts; of these, all from ``min_amount`` to ``max_amount`` are legal."""
MAX_LEGAL = 32
"""The maximum number of actions that ``legal`` lists."""
VERSION = 1
SEATS = 10

STACKS = tuple(f"stack{p}" for p in range(SEATS))
ANTES = tuple(f"ante{p}" for p in range(SEATS))
PACKS = tuple(f"pack{i}" for i in range(6))
MAX_STACK = MAX_AMOUNT // SEATS
"""The largest stack that a player may begin with."""
OPTIONS = (
    Option("players", default=6, range=(2, SEATS), ask="How many players?", says="{} players."),
    Option(
        "hands",
        default=10,
        range=(1, 1000),
        ask="How many hands?",
        says="{} hands are played.",
        one="One hand is played.",
    ),
    Option(
        "stack",
        default=1000,
        range=(1, MAX_STACK),
        ask="With how many chips does everyone begin?",
        says="Everyone begins with {} chips.",
        one="Everyone has one chip.",
    ),
    Option(
        "limit",
        range=(NO_LIMIT, FIXED_LIMIT),
        ask="How much may be bet?",
        values={
            NO_LIMIT: "No limit: everyone may bet all their chips.",
            POT_LIMIT: "Pot limit: a raise is at most the pot as it is after the call.",
            FIXED_LIMIT: "Fixed limit: all bets and raises in a round are of one fixed size.",
        },
    ),
    Option(
        "cap",
        default=4,
        range=(1, 100),
        ask="In fixed limit, how many bets and raises may a round have?",
        says="In fixed limit, a round has at most {} bets and raises.",
        one="In fixed limit, a round has one bet and no raise.",
    ),
    Option(
        "small",
        default=5,
        range=(0, MAX_STACK),
        ask="How large is the small blind?",
        says="The small blind is {}.",
        none="There is no small blind.",
    ),
    Option(
        "big",
        default=10,
        range=(0, MAX_STACK),
        ask="How large is the big blind?",
        says="The big blind is {}.",
        none="There is no big blind.",
    ),
    Option(
        "ante",
        range=(0, MAX_STACK),
        ask="How large is the ante?",
        says="Everyone pays an ante of {}.",
        none="There is no ante.",
    ),
    Option(
        "straddle",
        range=(0, 1),
        ask="Is there a straddle?",
        one="The player after the big blind posts twice as much and acts last before the flop.",
        none="Nobody straddles.",
    ),
    Option(
        "bet_size",
        range=(1, MAX_STACK),
        ask="How large is the minimum bet?",
        says="The minimum bet is {}.",
        none="The minimum bet is the big blind.",
    ),
    Option(
        "reopen",
        range=(0, 1),
        ask="Do short all-ins that add up to a full raise reopen the betting?",
        one="Short all-ins reopen the betting for anyone who faces a full raise in total.",
        none="Short all-ins never reopen the betting for those who have acted.",
    ),
    Option(
        "dead_antes",
        range=(0, 1),
        ask="Are antes dead?",
        one="Antes are dead: they go to the pot and count towards no bet.",
        none="A seat's ante counts towards the pots that it can win.",
        advanced=True,
    ),
    *(
        Option(
            name,
            range=(0, MAX_STACK),
            ask=f"What does seat {seat} pay beyond everybody's ante?",
            says=f"Seat {seat} pays {{}} beyond everybody's ante.",
            none=f"Seat {seat} pays no ante beyond everybody's.",
            advanced=True,
        )
        for seat, name in enumerate(ANTES)
    ),
    Option(
        "mucks",
        range=(0, (1 << SEATS) - 1),
        ask="Who mucks a losing hand unseen at the showdown?",
        says="{} muck their losing hands unseen at the showdown.",
        none="Nobody mucks a hand unseen at the showdown.",
        parts=tuple(f"seat {seat}" for seat in range(SEATS)),
        advanced=True,
    ),
    Option(
        "scale",
        default=1,
        range=(1, 10**6),
        ask="How many chips make one unit of the imported hand's currency?",
        says="There are {} chips to one unit of the imported hand's currency.",
        one="Chips are counted as they are.",
        advanced=True,
    ),
    *(
        Option(
            name,
            range=(1, MAX_STACK),
            ask=f"With how many chips does seat {seat} begin?",
            says=f"Seat {seat} begins with {{}} chips.",
            one=f"Seat {seat} begins with one chip.",
            none=f"Seat {seat} begins with as many chips as everyone.",
            advanced=True,
        )
        for seat, name in enumerate(STACKS)
    ),
    *(
        Option(
            name,
            range=(0, 525150494847464544),
            ask=f"Which cards come first from the pack (part {part} of {len(PACKS)})?",
            says=f"Part {part} of the cards that come first from the pack is {{}}: two digits for each "
            "card, in reverse order.",
            none=f"Chance decides part {part} of the cards that come first from the pack.",
            advanced=True,
        )
        for part, name in enumerate(PACKS, 1)
    ),
    Option("pack", default=FULL_PACK),
    Option("hole", default=2),
    Option("streets", default=4),
    Option("flop", default=3),
    Option("turn", default=1),
    Option("river", default=1),
    Option("draw"),
)
LAYOUT = Layout(
    "PokerState",
    *CHANCE,
    *TURN,
    *OPTIONS,
    *(Field(name) for name in ("hands_played", "button", "stage", "street", "dealt", "live", "waiting", "may_raise")),
    *(
        Field(name)
        for name in (
            "high",
            "min_raise",
            "raises",
            "aggressor",
            "initiative",
            "stock",
            "cards_dealt",
            "drawn",
            "reshuffled",
        )
    ),
    Field("dead"),
    *(Field(name) for name in ("shown", "level", "shown_cards")),
    Field("board", 5),
    *(Field(name, SEATS) for name in ("start", "chips", "bet", "paid", "held", "late", "discarded")),
    *(Field(name, SEATS) for name in ("past_held", "past_late", "past_discarded")),
    Field("past_drawn"),
    Field("past_shown"),
    Field("past_cards"),
    Field("past_board", 5),
    Field("to_show", 0, "i8", True),
    Field("strength", SEATS, "i8", True),
)


class Reason(Reasons):
    """Why an action is refused."""

    LEGAL = ""
    OVER = "The session is over."
    NO_ACTION = "That isn't an action of poker: fold, check, call, or bet or raise to an amount."
    DRAWING = "Cards are drawn now: name the cards that you discard, or stand pat."
    BETTING = "This is a round of betting: fold, check, call, or bet or raise to an amount."
    NOT_IN_HAND = "You can only discard cards of your own hand."
    NOTHING_TO_CALL = "There is no bet to call, so don't fold: check."
    NOT_REOPENED = (
        "You have acted, and the all-in since is less than a full raise, so it does not reopen the betting to you: "
        "call or fold."
    )
    COVERED = "A raise must be more than the bet to call, and you don't have enough chips: call or fold."
    CAPPED = "This round has had all its bets and raises: call or fold."
    NOBODY_LEFT = "Nobody else could call a raise: call or fold."
    TOO_LITTLE = (
        "A bet must be at least the big blind, and a raise at least as large as the last bet or raise of the "
        "round, unless you go all in."
    )
    TOO_MUCH = "You can't bet more chips than you have."
    ABOVE_POT = "A pot-limit raise is at most the pot as it is after your call."
    WRONG_BET = "In fixed limit, all bets and raises in a round are of one fixed size."


@kernel
def deal(s, k0, k1, k2, k3):
    """Start a session, up to the first decision."""
    start(s, k0, k1, k2, k3)
    advance_to_choice(s)


@kernel
def start(s, k0, k1, k2, k3):
    """Deal the first hand; the last seat has the first button."""
    rekey(s, k0, k1, k2, k3)
    clear(s)
    s.button = s.players - 2
    for p in range(s.players):
        s.start[p] = first_stack(s, p)
        s.chips[p] = s.start[p]
    start_hand(s)


@kernel
def clear(s):
    """Reset the session: nothing has been played, and nobody has any chips."""
    s.over = 0
    s.hands_played = 0
    for p in range(SEATS):
        s.start[p] = 0
        s.chips[p] = 0
    clear_hand(s)
    save_past_hand(s)


@kernel
def first_stack(s, p):
    """The chips with which a seat begins."""
    own = s.stack0  # a kernel can't look up a field by its name
    if p >= 5:
        own = s.stack5 if p == 5 else s.stack6 if p == 6 else s.stack7 if p == 7 else s.stack8 if p == 8 else s.stack9
    elif p >= 1:
        own = s.stack1 if p == 1 else s.stack2 if p == 2 else s.stack3 if p == 3 else s.stack4
    return own if own else s.stack


@kernel
def refusal(s, a):
    """The ``Reason`` to refuse action ``a`` now; 0 if it is legal."""
    if s.over:
        return Reason.OVER
    if a < 0 or a >= ACTIONS:
        return Reason.NO_ACTION
    if DISCARD <= a < RAISE:
        if s.stage != DRAW:
            return Reason.BETTING
        return Reason.NOT_IN_HAND if (a - DISCARD) >> s.hole else Reason.LEGAL
    if s.stage == DRAW:
        return Reason.DRAWING
    if a == CALL:
        return Reason.LEGAL
    if a == FOLD:
        return Reason.LEGAL if to_call(s, s.player) else Reason.NOTHING_TO_CALL
    return raise_refusal(s, a - RAISE)


@kernel
def raise_refusal(s, amount):
    """The ``Reason`` why the seat to act may not raise to ``amount``; 0 if it may."""
    p = s.player
    all_in_bet = s.bet[p] + s.chips[p]
    if capped(s):
        return Reason.CAPPED
    if all_in_bet <= s.high:
        return Reason.COVERED
    if max_callable(s, p) <= s.high:
        return Reason.NOBODY_LEFT
    if not s.may_raise >> p & 1:
        return Reason.NOT_REOPENED
    if amount > all_in_bet:
        return Reason.TOO_MUCH
    if amount < min_raise_to(s):
        return Reason.WRONG_BET if s.limit == FIXED_LIMIT else Reason.TOO_LITTLE
    if amount <= max_raise_to(s):
        return Reason.LEGAL
    return Reason.WRONG_BET if s.limit == FIXED_LIMIT else Reason.ABOVE_POT


@kernel
def min_amount(s):
    """The action with the smallest amount that is legal now."""
    return RAISE + (min_raise_to(s) if s.stage == BET else 0)


@kernel
def max_amount(s):
    """The action with the largest amount that is legal now; less than ``min_amount`` if no amount is legal."""
    amount = max_raise_to(s) if s.stage == BET else 0
    return RAISE + amount if amount else RAISE - 1


@kernel
def legal(s, out):
    """Write the discards, or fold, call and the standard raises in ascending order, into ``out``; return how many."""
    if s.over:
        return 0
    if s.stage == DRAW:
        for m in range(1 << s.hole):
            out[m] = DISCARD + m
        return 1 << s.hole
    n = 0
    cost = to_call(s, s.player)
    if cost:
        out[n] = FOLD
        n += 1
    out[n] = CALL
    n += 1
    low = min_raise_to(s)
    if low == 0:
        return n
    top = max_raise_to(s)
    out[n] = RAISE + low
    n += 1
    after_call = pot(s) + cost
    if s.high + after_call // 2 > low and s.high + after_call // 2 < top:
        out[n] = RAISE + s.high + after_call // 2
        n += 1
    if s.high + after_call > low and s.high + after_call < top:
        out[n] = RAISE + s.high + after_call
        n += 1
    if top > low:
        out[n] = RAISE + top
        n += 1
    return n


@kernel
def act(s, a):
    """Carry out a legal action, but nothing that follows from it."""
    if a == FOLD:
        fold(s)
    elif a == CALL:
        call(s)
    elif a >= RAISE:
        raise_to(s, a - RAISE)
    else:
        p = s.player
        exchange(s, p, at_places(s.held[p], a - DISCARD))
        s.player = left_of(s, p, s.live & ~s.drawn)
        if s.player == NONE:
            open_round(s, s.button)


@kernel
def apply(s, a):
    """Carry out a legal action and everything up to the next decision."""
    act(s, a)
    advance_to_choice(s)


@kernel
def advance_to_choice(s):
    """Carry out everything that needs no decision."""
    while s.stage != BET and s.stage != DRAW and s.stage != OVER:
        advance_stage(s)


@kernel
def returns(s, out):
    """Write the chips that each seat has won (or lost, negative) into ``out``."""
    for p in range(s.players):
        out[p] = s.chips[p] - s.start[p]


@kernel
def substitute(s):
    """The substitute for a forfeited seat: check, else fold, and draw no cards."""
    if s.stage == DRAW:
        return DISCARD
    return FOLD if to_call(s, s.player) else CALL
