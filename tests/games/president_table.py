"""President positions set up by hand, for the tests."""

from kibitz.cards import parse_cards
from kibitz.engine.contract.checking import random_game
from kibitz.engine.registry import game
from kibitz.games.president import rules
from kibitz.games.president.moves import NONE
from kibitz.games.president.view import to_heights

PRESIDENT = game("president")


def cards(text):
    return to_heights(tuple(parse_cards(text)))


def position(*hands, pile=None, last=None, name="president:players={n}"):
    """A position of the first round after its first move: ``hands`` by seat, seat 0 to move."""
    played = game(name.format(n=len(hands)))
    s = played.deal(1)
    for p, hand in enumerate(hands):
        s.hand[p] = cards(hand)
        s.gone[p] = 0
    s.player, s.lowest_card = 0, NONE
    if pile:
        s.pile, s.last = rules.cards_in(0) and played.parse(played.view(s, 0), pile), last
    return played, s


def act(played, s, text):
    return played.play(s, played.parse(played.view(s, s.player), text))


def next_trade(played, seed=0):
    """The first position in which cards are traded."""
    for state, _, _ in random_game(played, seed):
        if state.phase != rules.PLAY:
            return state
    raise AssertionError("no trade")
