"""Poker hands with given cards, for the tests."""

import pytest

from kibitz.cards import parse_cards
from kibitz.engine.registry import game
from kibitz.engine.views.events import SPECTATOR, to_seat
from kibitz.errors import RuleError
from kibitz.games.poker.words import stacked_options

RUBBISH = "2D 7C"


def hand(stacks, *holes, board="", name="holdem", **options):
    """A hand in which seats 0, 1, ... hold the given cards; seat 0 is left of the button."""
    cards = parse_cards(" ".join((*holes, board)).strip()) if holes else []
    stacked = stacked_options(cards)
    each = {f"stack{p}": chips for p, chips in enumerate(stacks)}
    played = game(name).with_options(players=len(stacks), hands=1, **each, **stacked, **options)
    return played, played.deal(1)


def act(played, s, *texts):
    """Carry out actions given as text, and return the events that a spectator sees."""
    events = []
    for text in texts:
        events += to_seat(played.play(s, played.parse(played.view(s, s.player), text)), SPECTATOR)
    return events


def refused(played, s, text):
    """Why an action is refused; checks that the state is unchanged."""
    before = s.copy()
    with pytest.raises(RuleError) as error:
        act(played, s, text)
    assert s == before
    return str(error.value)


def of_kind(events, kind):
    return [event for event in events if isinstance(event, kind)]


def chips(s):
    return s.chips[: s.players]
