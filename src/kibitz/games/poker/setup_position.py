"""A hand of poker and how it was bet, as a position (``engine.setup_position``).

Either by a line, which is every action of this hand from the first one on, or by pot, price and stacks alone.
"""

from random import Random

from kibitz.cards import Card, as_set
from kibitz.engine import setup_position
from kibitz.engine.game import Game
from kibitz.engine.layout import PlainState
from kibitz.errors import NotationError, RuleError
from kibitz.games.poker import rules
from kibitz.games.poker.betting import BET, DRAW, NONE, unit
from kibitz.games.poker.dealing import STACKED
from kibitz.games.poker.rules import DISCARD
from kibitz.games.poker.stages import next_street

FACTS = {
    "hand": "your cards",
    "board": "the cards that lie open",
    "line": "every action of this hand, from the first one on: 'raise 60, call, check, bet 50'; you are to act then",
    "thrown": "the cards that you have discarded, where cards are drawn",
    "pot": "the chips in the pot, bets of this round included, where no line is told",
    "call": "what it costs you to call; 0 if nothing is said",
    "stack": "your chips; if nothing is said, both of you began with those of the option 'stack'",
    "theirs": "the chips of your opponent; as many as yours if nothing is said",
}
EXAMPLE = '"AS KS" --board "QS JS 2S" --pot 120 --call 40 --stack 400'
PLACES = 9
"""So many cards have room in one of the options that stack the pack."""


def position(game: Game, told: setup_position.Facts, random: Random) -> PlainState:
    """A position with this hand, board and betting; the seat that asks is whoever is to act."""
    hand, board, thrown = (setup_position.cards_told(game, told, name) for name in ("hand", "board", "thrown"))
    if len(hand) != game.options["hole"]:
        raise NotationError(f"the hand has {game.options['hole']} cards in {game.name}, not {len(hand)}.")
    setup_position.check_no_duplicates(game, [("hand", hand), ("board", board), ("thrown", thrown)])
    s = stacked(game, board, setup_position.shuffled(game.options["pack"], [*hand, *board, *thrown], random))
    if "line" in told or "pot" not in told:
        follow(game, s, told)
    else:
        bet_so_far(game, s, told, len(board))
    if s.shown_cards != len(board):
        raise NotationError(f"--board: {s.shown_cards} cards lie open by then, not {len(board)}.")
    return with_hand(s, hand, thrown)


def stacked(game: Game, board: list[Card], rest: list[Card]) -> PlainState:
    """The deal of a hand in which these cards are turned up one after the other."""
    s = game.blank()
    holes = game.seats * s.hole
    cards = [*rest[:holes], *board][:STACKED]
    for first in range(0, len(cards), PLACES):
        digits = sum((card + 1) * 100**place for place, card in enumerate(cards[first : first + PLACES]))
        setattr(s, rules.PACKS[first // PLACES], digits)
    rules.deal(s, *(len(rest), 0, 0, 0))
    return s


def follow(game: Game, s: PlainState, told: setup_position.Facts) -> None:
    """Carry out every action of the line; RuleError, with its number, for one that the rules forbid."""
    for number, words in enumerate(setup_position.parts_told(told, "line"), 1):
        if s.over or s.number:
            raise RuleError(f"--line: the hand is over before action {number}, {words!r}.")
        try:
            game.play(s, draws(words) if s.stage == DRAW else game.parse(game.view(s, s.player), words))
        except (NotationError, RuleError) as error:
            raise RuleError(f"--line: action {number}, {words!r}: {error}") from None
    if s.over or s.number:
        raise RuleError("--line: the hand is over after it, so there is nothing to choose.")


def draws(words: str) -> int:
    """The draw of so many cards, by 'draw 2', 'discard 2' or 'pat'; which ones is nobody's to know."""
    number = words.lower().removeprefix("draws").removeprefix("draw").removeprefix("discard").strip()
    if number in ("pat", "stand pat", "none"):
        return DISCARD
    return DISCARD + (1 << setup_position.number_in(number, "line", 0, 5)) - 1


def with_hand(s: PlainState, hand: list[Card], thrown: list[Card]) -> PlainState:
    """The position with these cards in the hand of the seat to act."""
    p = s.player
    if len(thrown) != s.aside[p].bit_count():
        raise NotationError(f"--thrown: you have discarded {s.aside[p].bit_count()} cards by then, not {len(thrown)}.")
    s.held[p], s.aside[p] = as_set(hand), as_set(thrown)
    gone = as_set(s.board[: s.shown_cards])
    for q in range(s.players):
        gone |= s.held[q] | s.aside[q]
    s.left = s.pack & ~gone
    return s


def bet_so_far(game: Game, s: PlainState, told: setup_position.Facts, shown: int) -> None:
    """Set pot, price and stacks of a hand between two; what was put in before this round is dead money."""
    if game.seats != 2 or s.draw:
        raise NotationError(f"--pot is for two players, without a draw: tell {game.name} with --line.")
    call = setup_position.number_told(told, "call", 0, rules.MOST, 0)
    pot = setup_position.number_told(told, "pot", 2 * call + 1 if call else 1, rules.MOST, 0)
    stack = setup_position.number_told(told, "stack", 1, rules.MOST, max(1, s.stack - (pot - call + 1) // 2))
    theirs = setup_position.number_told(
        told, "theirs", 0, rules.MOST, stack if "stack" in told else max(0, stack - call)
    )
    begun = max(stack, theirs + call, (stack + theirs + pot + 1) // 2)
    if begun > s.stack:
        raise NotationError(
            f"{game.name} is played with {s.stack} chips each: for so many write stack={begun} among the options behind"
            " the name."
        )
    streets = [sum((s.flop, s.turn, s.river)[:k]) for k in range(s.streets)]
    if shown not in streets:
        raise NotationError(f"--board has {' or '.join(map(str, streets))} cards in {game.name}, not {shown}.")
    while s.shown_cards < shown:
        next_street(s)
    me, other = s.player, 1 - s.player
    s.stage, s.aggressor, s.initiative = BET, NONE, NONE
    s.chips[me], s.chips[other] = stack, theirs
    s.bet[:2], s.paid[:2] = [0, 0], [0, 0]
    s.bet[other] = s.paid[other] = s.high = call
    s.dead, s.level, s.raises = pot - call, NONE, int(call > 0)
    s.step = max(int(unit(s)), call)
    s.start[me], s.start[other] = s.chips[me], s.chips[other] + call
    s.aggressor = other if call else NONE
    s.waiting = s.free = 1 << me | (0 if call else 1 << other)
