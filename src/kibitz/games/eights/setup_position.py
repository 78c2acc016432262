"""A hand of Crazy Eights and what lies open, as a position (``engine.setup_position``)."""

from random import Random

from kibitz.cards import SUIT_NAMES, as_set
from kibitz.engine import setup_position
from kibitz.engine.game import Game
from kibitz.engine.layout import PlainState
from kibitz.errors import NotationError

FACTS = {
    "hand": "your cards",
    "top": "the card that lies open",
    "suit": "the suit that was named, where an eight lies open: diamonds, clubs, hearts or spades",
    "counts": "how many cards the others hold, the one after you first; as many as were dealt if nothing is said",
    "gone": "the cards laid before the one that lies open",
    "drawn": "how many cards you have drawn this turn",
}
EXAMPLE = '"5H 8C KD KS 2S" --top 5S --counts "4 6 5"'
EIGHT = 7


def position(game: Game, told: setup_position.Facts, random: Random) -> PlainState:
    """A position with this hand and this card on top; seat 0 is to move."""
    s = game.blank()
    hand, gone, top = (setup_position.cards_told(game, told, name) for name in ("hand", "gone", "top"))
    if not hand:
        raise NotationError(f"tell the cards of your hand, as in 'kibitz best {game.name} {EXAMPLE}'.")
    if len(top) != 1:
        raise NotationError("--top must be the one card that lies open.")
    setup_position.check_no_duplicates(game, [("hand", hand), ("top", top), ("gone", gone)])
    suits = {name: suit for suit, name in enumerate(SUIT_NAMES)}
    named = setup_position.choice_told(told, "suit", suits, SUIT_NAMES[top[0] & 3])
    if named != top[0] & 3 and top[0] >> 2 != EIGHT:
        raise NotationError("--suit is named for an eight, and no eight lies open.")
    s.player, s.top, s.suit = 0, top[0], named
    s.discards, s.hand[0] = as_set([*gone, *top]), as_set(hand)
    rest = setup_position.shuffled(s.pack, [*hand, *gone, *top], random)
    counts = setup_position.counts_told(told, game.seats - 1, len(rest), s.hand_size)
    if 0 in counts:
        raise NotationError("--counts: the game is over once somebody holds no card.")
    for p, count in enumerate(counts, 1):
        s.hand[p] = as_set(setup_position.dealt(rest, count))
    s.stock = as_set(rest)
    s.drawn = setup_position.number_told(told, "drawn", 0, s.limit, 0)
    return s
