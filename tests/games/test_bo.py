"""Bo: every refusal gives its rule, typed plays are found at their source, and imagination matches brute force."""

import itertools
from fractions import Fraction
from random import Random

import pytest

from kibitz.cards import parse
from kibitz.engine.chance_tree import ChanceScript
from kibitz.engine.contract.imagination import normalised
from kibitz.engine.kernels import compilation
from kibitz.engine.registry import game
from kibitz.engine.sentences import names_for
from kibitz.errors import NotationError
from kibitz.games.bo import contract, hands, rules
from kibitz.games.bo.piles import NONE, set_top
from kibitz.games.bo.rules import FROM_PILE, SOURCE, STOCK, Reason
from kibitz.kernel import kernel

BO = game("bo")


@pytest.fixture
def table():
    """Player 0 holds 4S 9D AH 2C QD; build pile 0 shows 3C, discard piles 0 of player 0 and 1 of player 1 cards."""
    s = BO.blank()
    rules.clear(s)
    for place, card in enumerate(("4S", "9D", "AH", "2C", "QD")):
        s.hand[place] = parse(card)
    s.stock_counts[:] = [1, 1, 1, 1]
    s.stock[0] = parse("5S")
    for pile, cards in ((0, "2C 3C"), (4, "8S"), (9, "6H 5C")):
        for card in cards.split():
            s.under[parse(card) + 64] = s.top[pile]
            set_top(s, pile, parse(card) + 64)
    return s


@pytest.mark.parametrize(
    ("source", "pile", "reason"),
    [
        (0, 0, Reason.LEGAL),
        (1, 0, Reason.BUILD_COLOUR),
        (2, 0, Reason.BUILD_COLOUR),
        (4, 1, Reason.BUILD_START),
        (3, 1, Reason.LEGAL),
        (0, 1, Reason.BUILD_START),
        (STOCK, 0, Reason.BUILD_STEP),
        (2, 4, Reason.DISCARD_ACE),
        (1, 4, Reason.LEGAL),
        (STOCK, 5, Reason.DISCARD_START),
        (0, 8, Reason.DISCARD_NOT_YOURS),
        (STOCK, 4, Reason.DISCARD_MISMATCH),
        (FROM_PILE, 4, Reason.SAME_PILE),
        (FROM_PILE + 5, 9, Reason.SAME_PILE),
        (FROM_PILE + 1, 4, Reason.EMPTY_SOURCE),
        (FROM_PILE, 0, Reason.BUILD_STEP),
        (30, 0, Reason.NO_ACTION),
    ],
)
def test_each_play_is_refused_for_its_own_reason(table, source, pile, reason):
    assert Reason(rules.refusal(table, SOURCE * source + pile)) == reason


def test_hand_and_stockpile_cards_are_never_refused_as_same_pile(table):
    plays = [SOURCE * source + pile for source in range(STOCK + 1) for pile in range(20)]
    assert Reason.SAME_PILE not in {rules.refusal(table, play) for play in plays}


def test_passing_is_refused_while_a_play_exists(table):
    assert rules.refusal(table, rules.NO_PLAY) == Reason.PLAY_EXISTS


def test_nothing_is_legal_once_the_game_is_over(table):
    rules.end(table)
    assert {rules.refusal(table, a) for a in range(rules.ACTIONS)} == {Reason.OVER}
    assert BO.legal(table) == []
    assert table.player == NONE


@pytest.fixture
def view():
    """Player 0 holds 4S and 9D twice over two packs, its stockpile shows 5S; 8S, 5C and 6H twice lie on piles."""
    s = BO.blank()
    rules.clear(s)
    for place, card in enumerate(("4S", "9D", "9D")):
        s.hand[place] = parse(card)
    s.stock_counts[:] = [1, 1, 1, 1]
    s.stock[:] = [0] * len(s.stock)
    for seat, card in enumerate(("5S", "KD", "QC", "JH")):
        s.stock[8 * seat] = parse(card)
    for pile, card in ((4, "8S"), (9, "5C"), (12, "6H"), (17, "6H"), (6, "KD"), (7, "4S"), (5, "5S")):
        set_top(s, pile, parse(card) + (64 if pile % 2 else 0))
    return BO.view(s, 0)


@pytest.mark.parametrize(
    ("typed", "source", "pile"),
    [
        ("4S b1", 0, 0),
        ("9d b2", 1, 1),
        ("5S b1", STOCK, 0),
        ("8S b1", FROM_PILE, 0),
        ("5C d0.1", FROM_PILE + 5, 4),
        ("KD b4", FROM_PILE + 2, 3),
        ("9D h3>b1", 2, 0),
        ("h3>b1", 2, 0),
        ("5S s>d2.3", STOCK, 14),
        ("6H d2.1>b1", FROM_PILE + 8, 0),
        ("4S d0.4>b1", FROM_PILE + 3, 0),
    ],
)
def test_typed_card_is_found_at_its_source(view, typed, source, pile):
    assert BO.parse(view, typed) == SOURCE * source + pile


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ("6H b1", "6♥ lies on several piles"),
        ("2C b1", "2♣ is not in your hand, on your stockpile or on a discard pile."),
        ("QC b1", "Q♣ is not in your hand, on your stockpile or on a discard pile."),
        ("5S h>b1", "5♠ is not in your hand."),
        ("4H h1>b1", "The card at h1 is 4♠, not 4h."),
        ("4S d4.1>b1", "There is no pile d4.1: seats are numbered from 0 to 3."),
        ("4S d4.1", "There is no pile d4.1: seats are numbered from 0 to 3."),
        ("h>b1", "has no card"),
    ],
)
def test_unavailable_card_is_refused_with_the_reason(view, typed, sentence):
    with pytest.raises(NotationError, match=sentence.replace(".", r"\.")):
        BO.parse(view, typed)


@pytest.mark.parametrize(("size", "words"), [(1, "stockpiles of 1 card,"), (2, "stockpiles of 2 cards,")])
def test_stockpile_size_is_described_in_singular_or_plural(size, words):
    played = game("bo-mini").with_options(stock_size=size)
    begun = played.opening(played.deal(1))[0].event
    assert words in played.words.describe(begun, 0, names_for(0, ("Ann", "Ben")))


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
    resample = compilation.plain(hands, randbelow=script.randbelow).resample
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
