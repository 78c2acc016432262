"""Strategies for President, as functions of a view and as kernels.

lowest      plays the lowest legal move
report      plays by the rule of the student report that the game comes from (``docs/president.md``): after its move,
            the hand still has the greatest kinds of moves
greedy      follows a plan that empties the hand in the fewest moves (``planning``)

In a trade, ``greedy`` asks for the highest card that it doesn't hold.  The policy ``greedy``, a kernel, plays exactly
like the strategy, so a search can predict such players.

``report`` compares the kinds of moves that hands have.

    hand        a set of heights (see ``moves``)
    kinds held  a set of kinds as bits: bit ``i`` for ``moves.KINDS[i]``, so single cards are 1, straight flushes 256

The report compares two hands by their greatest kinds, then by their second greatest, and so on; a hand whose kinds run
out first loses.  That is the order of the two sets of kinds as numbers.
"""

from random import Random

from kibitz.cards.sets import highest, lowest, size
from kibitz.engine.kernels.policies import thread_scratch
from kibitz.games.president import moves, planning
from kibitz.games.president.listing import run_starts, values_with_four, values_with_three, values_with_two
from kibitz.games.president.moves import NONE, ONE_SUIT, RUN, TRIPLE, cards_in, in_heights, size_of
from kibitz.games.president.planning import NEARLY_OUT, WORK, choose_follow, choose_lead, choose_return
from kibitz.games.president.rounds import ASK, PLAY, REPEATED_REQUEST, RETURN, lower_seat, tradable_cards, wished_cards
from kibitz.games.president.rules import ACTIONS, ANY_OF_VALUE, PASS, TRADE, legal, required_cards
from kibitz.games.president.view import PresidentView, to_height, to_heights
from kibitz.kernel import kernel

# The kinds of moves in a hand


FIVES_FROM = 4
"""Bit ``i`` of a set of kinds of five cards is bit ``FIVES_FROM + i`` of a set of all kinds."""


@kernel
def kinds_held(hand, fives):
    """The kinds of moves that a hand has, if the kinds of five cards in ``fives`` are allowed."""
    twos = values_with_two(hand)
    threes = values_with_three(hand)
    fours = values_with_four(hand)
    held = (hand != 0) | (twos != 0) << 1 | (threes != 0) << 2 | (fours != 0) << 3
    five = has_straight(hand) | has_flush(hand) << 1
    five |= (threes != 0 and twos & (twos - 1) != 0) << 2  # ``twos`` has a second value
    five |= (fours != 0 and hand != 15 * fours) << 3  # there are other cards than one four
    five |= (hand & hand >> 4 & hand >> 8 & hand >> 12 & hand >> 16 != 0) << 4
    return held | (five & fives) << FIVES_FROM


@kernel
def has_straight(hand):
    """Whether there is a straight that is not a straight flush, as 0 or 1."""
    starts = run_starts(hand)
    while starts:
        start = starts & -starts
        starts ^= start
        run = hand & 15 * RUN * start
        if not is_one_suit(run, start):
            return 1
    return 0


@kernel
def is_one_suit(run, start):
    """Whether a run that begins with the value whose diamond is ``start`` is five cards of one suit and no more."""
    at_start = run & 15 * start
    return at_start & (at_start - 1) == 0 and run == RUN * at_start


@kernel
def has_flush(hand):
    """Whether there is a flush that is not a straight flush, as 0 or 1."""
    for suit in range(4):
        cards = hand >> suit & ONE_SUIT
        more = cards
        for _ in range(4):
            more &= more - 1  # drops the lowest card
        if more and cards != RUN * (cards & -cards):
            return 1
    return 0


# Strategies as functions of a view


def lowest_move(view: PresidentView, legal: list[int], random: Random) -> int:
    """Plays the lowest move of the fewest cards; passes only if nothing else is possible."""
    return min((action for action in legal if action != PASS), default=PASS)


def report(view: PresidentView, legal: list[int], random: Random) -> int:
    """Plays the move that leaves a hand with the greatest kinds of moves; passes only if it must.

    A card to return is chosen in the same way, by the hand without it, and a card to ask for by the hand with it.  The
    report doesn't say what to do if hands are equal: here the lowest such move or card is played or returned, and the
    highest such card is asked for.
    """
    hand = to_heights(view.hand)
    if view.phase == ASK:
        return max(
            cards_to_ask_for(legal, hand), key=lambda a: (int(kinds_held(hand | 1 << (a - TRADE), view.fives)), a)
        )
    if view.phase == RETURN:
        return max(legal, key=lambda a: (int(kinds_held(hand & ~(1 << (a - TRADE)), view.fives)), -a))
    options = [action for action in legal if action != PASS]
    kinds_left = {action: int(kinds_held(hand & ~int(moves.cards_in(action)), view.fives)) for action in options}
    return max(options, key=lambda action: (kinds_left[action], -action), default=PASS)


def cards_to_ask_for(legal: list[int], hand: int) -> list[int]:
    """The single cards that may be asked for and aren't held; if there are none, all single cards."""
    cards = [action for action in legal if action < ANY_OF_VALUE]
    return [action for action in cards if not hand >> (action - TRADE) & 1] or cards


def greedy(view: PresidentView, legal: list[int], random: Random) -> int:
    """Follows a shortest plan, and passes only if beating the pile would make the plan much longer."""
    hand, work = to_heights(view.hand), thread_scratch.array(planning.WORK)
    if view.phase == ASK:
        return max(cards_to_ask_for(legal, hand))
    work[: len(legal)] = legal
    if view.phase != PLAY:
        return int(planning.choose_return(hand, len(legal), view.fives, work))
    fewest = min(view.counts[p] for p in view.order if p != view.seat and view.counts[p])
    if view.pile:
        return int(planning.choose_follow(hand, len(legal), fewest, view.fives, work))
    lowest_dealt = 1 << to_height(view.lowest) if view.lowest is not None else 0
    return int(planning.choose_lead(hand, lowest_dealt & hand, fewest, outstanding_cards(view, hand), view.fives, work))


def outstanding_cards(view: PresidentView, hand: int) -> int:
    """The cards that others may still hold."""
    gone = to_heights(tuple(card for cards in view.gone for card in cards))
    return to_heights(view.pack) & ~gone & ~hand


# Strategies as kernels


POLICIES = {
    "quick": "Leads as many cards as it can, lowest first, and follows with its lowest legal move.",
    "greedy": "Follows a plan to empty its hand in the fewest moves, and passes only to keep it.",
}
GREEDY = 1
SEARCH = {"policy": "greedy", "single_learner": True, "rollout_randomness": 0.0}
SCRATCH = WORK
SEARCH_PLAYERS = {"best": (1500, "Simulates 1,500 continuations of the round, with cards that fit what it has seen.")}
TWOS = 15 << 48
"""The four twos, which are kept while the hand is long."""
LONG_HAND = 4
"""Twos are kept if the hand has at least this many cards more than the move."""


@kernel
def choose(s, policy, rng, scratch):
    """The action of a policy: the card that it asks for or returns, or the move that it leads or follows with."""
    if s.phase == ASK:
        cards = tradable_cards(s)
        others = cards & ~s.hand[s.player]
        return TRADE + highest(others if others else cards)
    return choose_greedy(s, scratch) if policy == GREEDY else choose_quick(s, scratch)


@kernel
def choose_quick(s, scratch):
    """The action of ``quick``: lead as many cards as possible, follow as low as possible without breaking up sets."""
    if s.phase != PLAY:
        return TRADE + lowest(tradable_cards(s))
    n = legal(s, scratch)
    if n == 1:
        return scratch[0]
    return quick_lead(s, scratch, n) if s.pile == NONE else quick_follow(s, scratch, n)


@kernel
def choose_greedy(s, scratch):
    """The action of ``greedy``: return, follow or lead by a plan that empties the hand in the fewest moves."""
    hand = s.hand[s.player]
    if s.phase != PLAY:
        return choose_return(hand, legal(s, scratch), s.fives, scratch)
    fewest = fewest_cards(s)
    if s.pile != NONE:
        return choose_follow(hand, legal(s, scratch), fewest, s.fives, scratch)
    unseen = in_heights(s.pack) & ~hand
    for p in range(s.players):
        unseen &= ~s.gone[p]
    return choose_lead(hand, required_cards(s), fewest, unseen, s.fives, scratch)


@kernel
def fewest_cards(s):
    """The fewest cards that any other player still in the round holds."""
    fewest = 52
    for p in range(s.players):
        if p != s.player and s.hand[p]:
            fewest = min(fewest, size(s.hand[p]))
    return fewest


@kernel
def quick_lead(s, scratch, n):
    """The move with the most cards, of these the one with the lowest highest card; moves with twos come last."""
    chosen = scratch[0]
    best = -1
    for i in range(n):
        a = scratch[i]
        cards = cards_in(a)
        worth = 128 * size_of(a) - highest(cards) + (0 if a < TRIPLE else 8)
        if cards & TWOS and size(s.hand[s.player]) > size_of(a):
            worth -= 300
        if worth > best or i == 0:
            best = worth
            chosen = a
    return chosen


@kernel
def quick_follow(s, scratch, n):
    """The lowest move that breaks up the fewest sets, or a pass rather than a two while the hand is long."""
    hand = s.hand[s.player]
    chosen = PASS
    least = 1 << 30
    for i in range(n):
        a = scratch[i]
        if a == PASS:
            continue
        cards = cards_in(a)
        cost = highest(cards) + 6 * cards_left_of_values(hand, cards)
        if cards & TWOS and size(hand) > size_of(a) + LONG_HAND and fewest_cards(s) > NEARLY_OUT:
            cost += 1000
        if cost < least:
            least = cost
            chosen = a
    return chosen if least < 1000 or fewest_cards(s) <= NEARLY_OUT else PASS


@kernel
def cards_left_of_values(hand, cards):
    """How many other cards the hand has of the values in a move.

    The shifts bring the cards of every value onto its diamond (each hexadecimal digit is one value, and the masks stop
    cards from reaching the next value below).
    """
    values = cards | cards >> 1 & 0x7777777777777 | cards >> 2 & 0x3333333333333 | cards >> 3 & 0x1111111111111
    values &= 0x1111111111111
    return size(hand & 15 * values & ~cards)


@kernel
def truncate_rollout(s):
    """Stop simulated games at the end of the round: its places are the result, and the next one is a new deal."""
    s.rounds = s.round + 1


@kernel
def observe_action(s, seat, a):
    """Only the trading pair sees a returned card, unless trades are public; others see ACTIONS instead of the card."""
    if a < TRADE or seat == s.player:
        return a
    if s.upper_names != REPEATED_REQUEST:
        return a if s.phase == ASK or seat == lower_seat(s, s.pair) else ACTIONS
    value = a - ANY_OF_VALUE if a >= ANY_OF_VALUE else a - TRADE >> 2
    cards = wished_cards(s, ANY_OF_VALUE - TRADE + value)
    return a if cards & cards - 1 else ACTIONS + value  # asking for any card of a value means asking for its only one
