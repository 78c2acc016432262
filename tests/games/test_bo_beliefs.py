"""Imagination in Bo against brute force: every possible arrangement of the hidden cards is equally likely."""

import itertools
from fractions import Fraction
from random import Random

import pytest

from kibitz.cards import parse
from kibitz.engine.chance_tree import ChanceScript
from kibitz.engine.contract.imagination import normalised
from kibitz.engine.kernels import compilation
from kibitz.engine.registry import game
from kibitz.games.bo import contract, hands, rules
from kibitz.games.bo.piles import NONE, set_top
from kibitz.kernel import kernel


def position(hands, stocks, draw, *, epoch=0, entered=()):
    """A position for two: ``hands`` by seat as (card, since, known Ace colours), stockpiles from the bottom up."""
    s = game("bo-mini").blank()
    rules.clear(s)
    s.epoch = epoch
    for seat, hand in enumerate(hands):
        for i, (card, since, aces) in enumerate(hand):
            s.hand[5 * seat + i], s.drawn_epoch[5 * seat + i], s.ace_colours[5 * seat + i] = parse(card), since, aces
    for seat, stock in enumerate(stocks):
        s.stock_counts[seat] = len(stock)
        s.stock[8 * seat : 8 * seat + len(stock)] = [parse(card) for card in stock]
    s.draw_count = len(draw)
    s.draw[: len(draw)] = [parse(card) for card in draw]
    for card, when in entered:
        s.entry_epoch[parse(card)] = when
    return s


POSITIONS = {
    "nothing known": position([[("2D", 0, 0)], [("3C", 0, 0)]], [["4D", "2C"], ["3D", "4C"]], ["AD", "AC"]),
    "a card drawn after cards returned": position(
        [[("2D", 0, 0)], [("3C", 1, 0), ("2C", 0, 0)]],
        [["4D", "5C"], ["3D", "4C"]],
        ["AD", "AC"],
        epoch=1,
        entered=[("3C", 1), ("AD", 1)],
    ),
    "an Ace known to have been drawn late": position(
        [[("2D", 0, 0)], [("AC", 2, 3)]],
        [["4D", "5C"], ["3D", "4C"]],
        ["AD", "AH", "2C"],
        epoch=2,
        entered=[("AC", 2), ("AD", 1)],
    ),
    "a red Ace known beside one of either colour": position(
        [[("2D", 0, 0)], [("AH", 1, 1), ("AC", 2, 3)]],
        [["4D", "5C"], ["3D", "4C"]],
        ["AD", "AS", "2C"],
        epoch=2,
        entered=[("AC", 2), ("AD", 1)],
    ),
}


def brute_force(s, seat):
    """Every arrangement of the hidden cards that the rules allow, all equally likely."""
    places = contract.hidden_places(s, seat)
    cards = [contract.card_in(s, place) for place in places]
    found = {}
    for order in itertools.permutations(cards):
        world = s.copy()
        for (field, i), card in zip(places, order, strict=True):
            getattr(world, field)[i] = card
        if all(contract.may_hold(world, place, contract.card_in(world, place)) for place in places):
            key = contract.key(world)
            found[key] = found.get(key, Fraction(0)) + 1
    return normalised(found)


def imagined(s, seat):
    """The exact distribution of ``resample``."""
    script = ChanceScript()
    resample = compilation.plain(hands, below=script.below).resample
    found = {}
    for _ in script.paths():
        world = s.copy()
        if resample(world, seat):
            key = contract.key(world)
            found[key] = found.get(key, Fraction(0)) + script.weight
    return normalised(found)


@pytest.mark.parametrize("seat", [-1, 0, 1])
@pytest.mark.parametrize("name", POSITIONS)
def test_imagination_draws_every_arrangement_equally_often(name, seat):
    assert imagined(POSITIONS[name], seat) == brute_force(POSITIONS[name], seat)


def test_accepting_every_ace_gives_wrong_odds(monkeypatch):
    """Accepting every Ace gives wrong odds where an Ace was drawn after another had returned."""

    def accept_aces(s, seat, n):
        return True

    accept_aces.__module__ = hands.__name__
    monkeypatch.setattr(hands, "accept_aces", kernel(accept_aces))
    s = POSITIONS["an Ace known to have been drawn late"]
    assert imagined(s, 0) != brute_force(s, 0)


def test_passing_reveals_aces_of_colours_without_a_build_pile():
    s = position([[("AD", 0, 0)], [("2C", 0, 0)]], [["4D", "4C"], ["3D", "3C"]], [])
    s.top[:] = [NONE] * 20
    s.hand[0] = parse("AC")
    set_top(s, 0, parse("2D"))
    s.top[1:] = [NONE] * 19
    s.stock[1] = parse("3C")
    assert game("bo-mini").why_not(s, rules.NO_PLAY) is None
    rules.apply(s, rules.NO_PLAY)
    assert s.ace_colours[0] == 2


def test_imagination_finds_a_rare_arrangement():
    """All returned cards are Aces, and so are two cards of a hand: a thousand draws in a row may be rejected."""
    bo, random = game("bo"), Random(100033)
    state = bo.deal(100033)
    for _ in range(132):
        [random.randrange(1 << 30) for _ in range(4)]
        bo.play(state, random.choice(bo.legal(state)))
    view = bo.view(state, 2)
    assert bo.view(bo.imagine(view, 227573205), 2) == view
