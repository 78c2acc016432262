"""A hand of Go and its history, as a position (``engine.setup_position``).

Hands go round: the hand of turn ``t`` was held by the seat before in the turn before.  So of the hands that a seat has
held it knows what is left, once it tells how they were.
"""

from itertools import chain
from random import Random

from kibitz.cards import Card, as_set, symbol, symbols
from kibitz.engine import setup_position
from kibitz.engine.game import Game
from kibitz.engine.layout import PlainState
from kibitz.errors import NotationError
from kibitz.games.go import rules

FACTS = {
    "hand": "the cards that you may choose from; none once all have been laid",
    "history": "what was laid in each turn, by all seats in their order: '2D 5C KS 9H, 3D 6C KH 8H'",
    "seat": "your seat, from 0; 0 if nothing is said",
    "held": "the hands that you have held before, the first one first, each as it was then",
}
EXAMPLE = '"4D 9S KC KD QH 7H 6C 2S" --history "2D 5C KS 9H, 3D 6D KH 8H"'
Turns = list[list[Card]]


def position(game: Game, told: setup_position.Facts, random: Random) -> PlainState:
    """A position in which the seat holds this hand after this history."""
    s, n = game.blank(), game.seats
    rules.clear(s)
    seat = setup_position.number_told(told, "seat", 0, n - 1, 0)
    hand = setup_position.cards_told(game, told, "hand")
    turns = history(game, told)
    if len(turns) + len(hand) != s.hand_size:
        raise NotationError(
            f"after {len(turns)} of {s.hand_size} turns the hand has {s.hand_size - len(turns)} cards, not {len(hand)}."
        )
    setup_position.check_no_duplicates(game, [("hand", hand), *(("history", turn) for turn in turns)])
    s.turn, s.player = len(turns), seat
    for p in range(n):
        s.laid[p] = as_set(turn[p] for turn in turns)
        s.discard[10 * p : 10 * p + len(turns)] = [turn[p] for turn in turns]
    if not hand:
        s.grouping, s.left[:n] = 1, s.laid[:n]
        return s
    left = remembered(game, told, seat, hand, turns)
    rest = setup_position.shuffled(s.pack, [*hand, *chain(*turns, *left.values())], random)
    for stack in range(n):
        s.stack[stack] = as_set(left[stack] if stack in left else setup_position.dealt(rest, len(hand)))
    for p in range(seat):
        s.chosen[p] = min(card for card in range(52) if s.stack[rules.held(s, p)] >> card & 1)
    return s


def history(game: Game, told: setup_position.Facts) -> Turns:
    """The cards of every turn, by seat."""
    turns = [setup_position.cards_in(game, part, "history") for part in setup_position.parts_told(told, "history")]
    for number, turn in enumerate(turns, 1):
        if len(turn) != game.seats:
            raise NotationError(
                f"--history: turn {number} needs a card of each of the {game.seats} seats, not {symbols(turn)}."
            )
    return turns


def remembered(
    game: Game, told: setup_position.Facts, seat: int, hand: list[Card], turns: Turns
) -> dict[int, list[Card]]:
    """By the seat that it was dealt to, what is left of each hand that is told; the own hand of now is one of them."""
    n, now = game.seats, len(turns)
    found = {(seat - now) % n: sorted(hand)}
    before = [setup_position.cards_in(game, part, "held") for part in setup_position.parts_told(told, "held")]
    if before and len(before) != now:
        raise NotationError(f"--held needs the hands of all {now} turns before this one, not of {len(before)}.")
    for turn, cards in enumerate(before):
        if len(cards) != game.options["hand_size"] - turn:
            raise NotationError(
                f"--held: in turn {turn + 1} the hand had {game.options['hand_size'] - turn} cards, not {len(cards)}."
            )
        stack = (seat - turn) % n
        left = rest_of(cards, stack, turn, turns, n)
        if found.setdefault(stack, left) != left:
            raise NotationError(
                f"--held: of the hand of turn {turn + 1} {symbols(left)} are left, and it is told otherwise."
            )
    setup_position.check_no_duplicates(game, [("held", cards) for cards in found.values()])
    return found


def rest_of(cards: list[Card], stack: int, turn: int, turns: Turns, n: int) -> list[Card]:
    """What is left of a hand that was held in some turn; NotationError if a card laid from it was not in it."""
    left = sorted(cards)
    for later in range(turn, len(turns)):
        laid = turns[later][(stack + later) % n]
        if laid not in left:
            raise NotationError(
                f"--held: the hand of turn {turn + 1} was passed on, and {symbol(laid)}, laid from it in turn"
                f" {later + 1}, was not in it."
            )
        left.remove(laid)
    return left
