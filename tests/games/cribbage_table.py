"""Cribbage positions set up by hand, for the tests: Ann is seat 0, Ben seat 1."""

from kibitz.cards import as_set, parse_cards
from kibitz.engine.registry import game
from kibitz.engine.views.events import to_seat
from kibitz.games.cribbage.stages import PLAYING

CRIBBAGE = game("cribbage")
NAMES = ["Ann", "Ben"]


def in_play(ann, ben, starter="KS", dealer=1, pegs=(0, 0), crib="2D 4D 6D 8D", name="cribbage", trail=""):
    """A position during the play; ``trail`` are the cards already played in this count, alternately, Ann's last."""
    played = game(name)
    s = played.deal(1)
    laid = parse_cards(crib)
    s.hand[0], s.hand[1] = as_set(parse_cards(ann)), as_set(parse_cards(ben))
    s.away[0], s.away[1] = as_set(laid[:2]), as_set(laid[2:])
    s.starter, s.phase, s.dealer, s.player = parse_cards(starter)[0], PLAYING, dealer, 1 - dealer
    s.pegs[:] = pegs
    for card in parse_cards(trail):
        s.played[s.plays], s.played_by[s.plays] = card, (len(parse_cards(trail)) - 1 - s.plays) % 2
        s.plays += 1
        s.count += min(card // 4 + 1, 10)
    return played, s


def act(played, s, text):
    """Carry out an action given as text, and return the public events."""
    return to_seat(played.play(s, played.parse(played.view(s, s.player), text)), -1)


def sentences(played, events, seat=-1):
    return [played.describe(event, seat, NAMES) for event in events]


def last_event(events, kind):
    return [event for event in events if isinstance(event, kind)][-1]
