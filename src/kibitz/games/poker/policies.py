"""Strategies for poker: some are functions of a view, and one is a kernel.

    caller      a calling station: checks and calls, and stands pat
    greedy      pot odds: calls if its equity is worth the price, and bets when it is ahead
    equity      the share of the pot that a hand wins on average, if all unseen cards can be anywhere
    edge        the equity against a single opponent that would give this equity against all of them

``greedy`` assumes that the others can hold any cards, so it lowers its edge a little for each of their raises.

The kernel ``choose`` rates a hand quickly:

    hand_strength   0 to 255: how strong a hand looks against what the others may hold

Kuhn and Leduc poker are played from tables that a solver computed:

    situation   the relevant part of a view, without suits: own rank, board, chips paid by both, position, and who bet
                last in the round before

A line of ``solutions/NAME.txt`` is a situation and the probabilities of fold, call and raise there.  The files are made
by ``python -m tools.poker_solutions``; playing needs no compiler.  In a session of several hands, stacks can become so
short that the table lacks the situation; then ``greedy`` decides.
"""

from __future__ import annotations

from bisect import bisect_left
from functools import cache
from importlib.resources import files
from random import Random

from kibitz.cards import CardSet, as_set, code
from kibitz.cards.sets import lowest, size
from kibitz.games.poker.betting import DRAW, NONE, pot, to_call
from kibitz.games.poker.hands.evaluator import evaluator
from kibitz.games.poker.hands.ranking import category, strength
from kibitz.games.poker.rules import ACTIONS, CALL, DISCARD, FOLD, RAISE, legal
from kibitz.games.poker.stages import short_strength
from kibitz.games.poker.view import PokerView
from kibitz.kernel import kernel

# Strategies as functions of a view


SAMPLES = 60
"""How many deals of the unseen cards ``greedy`` samples to estimate its equity."""
DRAWS = 24
"""How many draws ``greedy`` samples for each choice of discards."""
RAISES_BY_EDGE = ((0.88, 4), (0.76, 2), (0.66, 1), (0.58, 0))
"""Pairs of a minimum edge and the index of the raise that ``greedy`` then chooses from the legal ones in order."""
CAUTION = 0.1
"""How much each raise by others reduces the edge of ``greedy``."""


def caller(view: PokerView, legal: list[int], random: Random) -> int:
    """Never bets, raises or folds: checks and calls with any hand."""
    return CALL if CALL in legal else DISCARD


def greedy(view: PokerView, legal: list[int], random: Random) -> int:
    """Folds, calls or raises by the equity of the hand; draws what makes the best hand on average.

    The equity is the edge to the power of the number of opponents.
    """
    if view.turn.drawing:
        return best_draw(view, legal, random)
    share = equity(view, random)
    others = len(view.live) - 1
    raise_count = view.turn.raises - (view.turn.street == 0 and view.setup.big > 0)  # without the big blind
    edge = share ** (1 / others) - CAUTION * max(0, raise_count) * (view.turn.aggressor != view.seat)
    raises = [action for action in legal if action >= RAISE]
    for min_edge, index in RAISES_BY_EDGE if raises else ():
        if edge >= min_edge:
            return raises[min(index, len(raises) - 1)]
    price = view.turn.to_call
    cautious_share = edge**others if edge > 0 else 0.0
    worth_it = cautious_share * (view.pot + price) >= min(price, view.chips[view.seat])
    return CALL if worth_it or FOLD not in legal else FOLD


def showdown_strength(cards: CardSet) -> int:
    """The strength of a hand at the showdown, from tables if it has five cards or more."""
    return evaluator().strength(cards) if cards.bit_count() > 4 else int(short_strength(cards))


def unseen(view: PokerView) -> list[int]:
    """The cards of the pack that the seat hasn't seen."""
    seen = {*view.hand, *view.board, *view.own_discards}
    return [card for card in view.setup.pack if card not in seen]


def equity(view: PokerView, random: Random, samples: int = SAMPLES) -> float:
    """The share of the pot that the seat's own hand wins in sampled deals against everybody still in."""
    setup, cards = view.setup, unseen(view)
    others = len(view.live) - 1
    to_come = setup.flop + setup.turn + setup.river - len(view.board)
    hand, board = as_set(view.hand), as_set(view.board)
    total = 0.0
    for _ in range(samples):
        dealt = random.sample(cards, to_come + others * setup.hole)
        full_board = board | as_set(dealt[:to_come])
        own_strength = showdown_strength(hand | full_board)
        hands = [dealt[i : i + setup.hole] for i in range(to_come, len(dealt), setup.hole)]
        other_strengths = [showdown_strength(as_set(other) | full_board) for other in hands]
        if own_strength >= max(other_strengths):
            total += 1 / (1 + other_strengths.count(own_strength))
    return total / samples


def best_draw(view: PokerView, legal: list[int], random: Random) -> int:
    """The discards after which the hand beats most hands dealt at random, on average over sampled draws."""
    cards, hole = unseen(view), view.setup.hole
    random_strengths = sorted(showdown_strength(as_set(random.sample(cards, hole))) for _ in range(4 * SAMPLES))

    def hands_beaten(action: int) -> float:
        hand = [card for place, card in enumerate(view.hand) if not (action - DISCARD) >> place & 1]
        if len(hand) == hole:
            return float(bisect_left(random_strengths, showdown_strength(as_set(hand))))
        draws = (showdown_strength(as_set(hand + random.sample(cards, hole - len(hand)))) for _ in range(DRAWS))
        return sum(bisect_left(random_strengths, drawn_strength) for drawn_strength in draws) / DRAWS

    return max(legal, key=hands_beaten)


# Strategies as kernels


POLICIES = {"quick": "Judges its hand quickly, bets if it looks strong, and pays no more than it is worth."}
APPARENT_STRENGTH = (40, 128, 184, 208, 222, 232, 242, 250, 255)
"""How strong a hand of five or more cards looks, by category from high card to straight flush."""
STRONG, STRONGEST = 180, 225
"""With at least this confidence, ``choose`` bets or raises the minimum, or the next larger amount."""
FULL_STRENGTH = 256
"""The ``hand_strength`` of a hand that would always win."""


@kernel
def choose(s, policy, rng, scratch):
    """Raise a hand that looks strong, call if the pot odds are good enough, else check or fold; draw to pairs."""
    if s.stage == DRAW:
        return DISCARD + discard_places(s.held[s.player], s.hole)
    n = legal(s, scratch)
    raises = 0  # how many raises end the list of legal actions
    while raises < n and scratch[n - 1 - raises] >= RAISE:
        raises += 1
    opponents = size(s.live) - 1
    confidence = hand_strength(s) - 12 * (opponents - 1) - 14 * max(0, s.raises - 1)
    if raises and confidence >= STRONG:
        return scratch[n - raises + (1 if raises > 1 and confidence >= STRONGEST else 0)]
    cost = min(to_call(s, s.player), s.chips[s.player])
    if cost == 0 or (confidence - 24) * (pot(s) + cost) >= FULL_STRENGTH * cost:
        return CALL
    return FOLD


@kernel
def hand_strength(s):
    """How strong the hand of the seat to move looks."""
    hand = s.held[s.player]
    board = 0
    for i in range(s.shown_cards):
        if s.board[i] != NONE:
            board |= 1 << s.board[i]
    if size(hand | board) > 4:
        return made_hand_strength(hand, board)
    if size(hand) == 1:
        paired = board and lowest(board) >> 2 == lowest(hand) >> 2
        return 240 if paired else one_card_strength(s, hand)
    high = max(rank_of(lowest(hand)), rank_of(lowest(hand & (hand - 1))))
    low = min(rank_of(lowest(hand)), rank_of(lowest(hand & (hand - 1))))
    if high == low:
        return 150 + 8 * high
    suited = (lowest(hand) ^ lowest(hand & (hand - 1))) & 3 == 0
    return min(255, 20 + 8 * high + 4 * low + (10 if suited else 0) + (8 if high - low < 3 else 0))


@kernel
def rank_of(card):
    """A card's rank, 0 for a deuce to 12 for an Ace."""
    return 12 if card < 4 else (card >> 2) - 1


@kernel
def one_card_strength(s, hand):
    """How strong a single card looks: the share of the pack's other cards that are not above it."""
    own_rank = rank_of(lowest(hand))
    cards = s.pack & ~hand
    not_above = 0
    while cards:
        not_above += rank_of(lowest(cards)) <= own_rank
        cards &= cards - 1
    return 255 * not_above // (size(s.pack) - 1)


@kernel
def made_hand_strength(hand, board):
    """How strong a hand of five cards or more looks: by category, less if the board alone has the same category."""
    own_category = category(strength(hand | board))
    apparent = APPARENT_STRENGTH[own_category]
    if size(board) > 4 and category(strength(board)) == own_category:
        apparent -= 60
    if own_category == 1:  # a pair: high ones look better, and one on the board belongs to everybody
        apparent += 2 * rank_of(paired_card(hand | board))
        if paired_card(board) >= 0:
            apparent -= 70
    return max(0, min(255, apparent))


@kernel
def paired_card(cards):
    """The first card that has the same rank as another, or -1."""
    while cards:
        card = lowest(cards)
        cards &= cards - 1
        if cards and lowest(cards) >> 2 == card >> 2:
            return card
    return -1


@kernel
def discard_places(hand, hole):
    """The places of the cards to discard, as bits: cards that aren't paired; without a pair, all but the two highest.

    Here an Ace counts as the lowest card.
    """
    unpaired = 0
    pairs_found = 0
    i = 0
    cards = hand
    while cards:
        card = lowest(cards)
        cards &= cards - 1
        if size(hand & 15 << (card & ~3)) > 1:
            pairs_found = 1
        else:
            unpaired |= 1 << i
        i += 1
    if not pairs_found and hole > 2:
        return (1 << hole - 2) - 1
    return unpaired if pairs_found else 0


@kernel
def truncate_rollout(s):
    """Stop simulated games at the end of the hand, since nothing is known about the next one."""
    s.hands = s.hands_played + 1


@kernel
def observe_action(s, seat, a):
    """The action as a seat sees it: for a discard by another seat, ACTIONS plus the number of discarded cards."""
    return ACTIONS + size(a - DISCARD) if a >= DISCARD and a < RAISE and seat != s.player else a


# Kuhn and Leduc poker from a table


SOLVED_GAMES = ("kuhn", "leduc")
"""The games that have a table."""


def table_column(action: int) -> int:
    """The column of an action in the table: 0 for fold, 1 for call or check, 2 for a bet or raise of the fixed size."""
    return 0 if action == FOLD else 1 if action == CALL else 2


def situation(view: PokerView) -> str:
    """Everything that matters to the seat to act, in one word.

    ``KQ5:9-1+`` is a king with a queen on the board (``_`` before it is dealt), 5 chips paid against 9, second to act,
    and this seat made the last bet or raise of the round before; instead of ``+``, ``-`` means the other seat and ``.``
    nobody.
    """
    me, other = view.seat, 1 - view.seat
    board = code(view.board[0])[0] if view.board else "_"
    second = int(view.button == me)
    before = view.turn.initiative
    led = "." if before is None else "+" if before == me else "-"
    return f"{code(view.hand[0])[0]}{board}{view.paid[me]}:{view.paid[other]}-{second}{led}"


@cache
def solution_table(name: str) -> dict[str, tuple[float, ...]]:
    """The solution of a game: by situation, the probabilities of fold, call and raise."""
    text = files(__package__).joinpath("solutions", f"{name}.txt").read_text(encoding="utf-8")
    result = {}
    for line in text.splitlines():
        if line and not line.startswith("#"):
            key, *probabilities = line.split()
            result[key] = tuple(map(float, probabilities))
    return result


class SolvedStrategy:
    """The strategy in a game's ``solution_table``; ``action_probabilities`` gives its exact probabilities."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.__doc__ = f"Plays what a solver found for {name}: nobody wins against it on average."

    def __call__(self, view: PokerView, legal: list[int], random: Random) -> int:
        """An action drawn at random with the table's probabilities."""
        probabilities = self.action_probabilities(view, legal)
        if probabilities is None:
            return greedy(view, legal, random)
        return random.choices(legal, probabilities)[0]

    def action_probabilities(self, view: PokerView, legal: list[int]) -> list[float] | None:
        """The probability of each legal action; None if the table lacks the situation."""
        row = solution_table(self.name).get(situation(view))
        if row is None or view.setup.players != 2:
            return None
        probabilities = [row[table_column(action)] for action in legal]
        return probabilities if sum(probabilities) > 0 else None


SOLVED_STRATEGIES = {name: SolvedStrategy(name) for name in SOLVED_GAMES}
