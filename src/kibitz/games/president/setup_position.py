"""A hand of President and the pile, as a position: of the round alone, without its trades."""

from random import Random

from kibitz.cards import as_set, symbols
from kibitz.engine import setup_position
from kibitz.engine.game import Game
from kibitz.engine.layout import PlainState
from kibitz.errors import NotationError, RuleError
from kibitz.games.president import rules
from kibitz.games.president.heights import heights
from kibitz.games.president.moves import NONE, counts, move_of

FACTS = {
    "hand": "your cards",
    "pile": "the cards to beat; none if you lead",
    "by": "how many seats before you sits who played them; 1 if nothing is said, and those between have passed",
    "counts": "how many cards the others hold, the one who plays after you first; shared out evenly if nothing is said",
    "gone": "all cards played this round, by whomever, but for the pile; drawn at random if nothing is said",
}
EXAMPLE = '"5H 5S 9C KD KS 2C" --pile "4D 4H" --counts "5 7 3"'


def position(game: Game, told: setup_position.Facts, random: Random) -> PlainState:
    """A position of a round with this hand and this pile; seat 0 is to move."""
    s, n = game.blank(), game.seats
    rules.clear(s)
    hand, pile, gone = (setup_position.cards_told(game, told, name) for name in ("hand", "pile", "gone"))
    if not hand:
        raise NotationError(f"tell the cards of your hand, as in 'kibitz best {game.name} {EXAMPLE}'.")
    setup_position.check_no_duplicates(game, [("hand", hand), ("pile", pile), ("gone", gone)])
    s.player, s.order[:n], s.at[:n] = 0, list(range(n)), list(range(n))
    held, hidden = shares(game, told, len(hand), len(pile), len(gone))
    if sum(held) == 0:
        raise NotationError("--counts: the round is over once nobody else holds a card.")
    rest = setup_position.shuffled(s.pack, [*hand, *pile, *gone], random)
    played = [*pile, *gone, *setup_position.dealt(rest, hidden)]
    s.hand[0] = heights(tuple(hand))
    for p, count in enumerate(held, 1):
        s.hand[p] = heights(tuple(setup_position.dealt(rest, count)))
    out = [p for p in range(1, n) if not s.hand[p]]
    s.finish[: len(out)], s.outs = out, len(out)
    s.gone[1] = heights(tuple(played))
    if pile:
        lay(s, told, pile)
    return s


def shares(game: Game, told: setup_position.Facts, mine: int, pile: int, gone: int) -> tuple[list[int], int]:
    """How many cards the others hold, and how many were played that nobody tells of."""
    n, cards = game.seats, game.options["pack"].bit_count()
    dealt = cards if game.options["leftovers"] else cards // n * n
    most = -(-cards // n)
    left = dealt - mine - pile - gone
    if mine > most or left < 0:
        raise NotationError(f"each of {n} players is dealt {most} cards at most, {dealt} in all: more is told.")
    if "counts" not in told:
        even = min(left, (n - 1) * mine) if not gone else left
        held = [min(most, even // (n - 1) + (k < even % (n - 1))) for k in range(n - 1)]
    else:
        held = setup_position.counts_told(told, n - 1, most, 0)
    hidden = left - sum(held)
    if hidden < 0 or ("gone" in told and hidden and "counts" in told):
        raise NotationError(
            f"{dealt} cards were dealt: with {mine} in the hand, {pile} on the pile and {gone} gone the others hold"
            f" {left}, not {sum(held)}."
        )
    return held, hidden


def lay(s: PlainState, told: setup_position.Facts, pile: list[int]) -> None:
    """Put a move on the pile, made by a seat before; those between have passed."""
    move = int(move_of(heights(tuple(pile))))
    if move == NONE or not counts(move, s.fives):
        raise RuleError(f"--pile: {symbols(pile)}: {rules.Reason.SCATTERED.sentence}")
    by = setup_position.number_told(told, "by", 1, s.players - 1, 1)
    s.pile, s.last = move, s.players - by
    s.passed = as_set(p for p in range(s.last + 1, s.players) if s.hand[p])
