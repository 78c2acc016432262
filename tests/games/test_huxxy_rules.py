"""The rules of Huxxy and our choices where they leave some open, position by position."""

from random import Random

import numpy as np
import pytest

from kibitz.cards import parse_cards
from kibitz.engine import record
from kibitz.engine.contract import Violation, imagination, lockstep
from kibitz.engine.contract.checking import observers
from kibitz.engine.kernels import compilation
from kibitz.engine.kernels.batch import records
from kibitz.engine.registry import game
from kibitz.errors import NotationError, RuleError
from kibitz.games.huxxy import beliefs, policies, rules
from kibitz.games.huxxy.actions import CONCEDE, END, PICK_UP
from kibitz.games.huxxy.rules import Reason
from kibitz.games.huxxy.view import bit_sets, hand_of
from kibitz.kernel import kernel
from tests.contract.groups import sharing

pytestmark = sharing("huxxy")

STANDARD = ["huxxy", "huxxy-bonus"]


def position(hand, table="", *, opened=False, name="huxxy", others="AC"):
    """Player 0 to begin a turn with ``hand``, the groups of ``table`` between slashes; the rest is the stock."""
    s = game(name).blank()
    rules.clear(s)
    groups = [parse_cards(cards) for cards in table.split("/")] if table else []
    hands = [parse_cards(hand), *([parse_cards(others)] * (s.players - 1))]
    for p, cards in enumerate(hands):
        s.hand_once[p], s.hand_twice[p] = bit_sets(cards)
    s.groups = len(groups)
    for g, cards in enumerate(groups):
        s.group_once[g], s.group_twice[g] = bit_sets(cards)
    s.opened[0] = int(opened)
    return s


def play(s, *texts, name="huxxy"):
    """Make the plays given as text, in order; raises RuleError if one is refused."""
    for text in texts:
        game(name).play(s, game(name).parse(game(name).view(s, s.player), text))
    return s


def refused(s, text, reason):
    """Whether a play is refused for this reason."""
    action = game("huxxy").parse(game("huxxy").view(s, s.player), text)
    with pytest.raises(RuleError) as caught:
        game("huxxy").play(s, action)
    return str(caught.value) == reason.sentence


def test_the_two_games_have_104_and_106_cards():
    for name, cards in (("huxxy", 104), ("huxxy-bonus", 106)):
        view = game(name).view(game(name).deal(1), 0)
        assert len(view.pack) == cards
        assert view.hand_counts == (12,) * 4
        assert view.stock_count == cards - 48


def test_an_opening_turn_needs_24_points():
    s = play(position("7C 7H 7D KS"), "7C new", "7H 1", "7D 1")
    assert refused(s, "end", Reason.OPENING)
    s = play(position("8C 8H 8D KS"), "8C new", "8H 1", "8D 1", "end")
    assert (s.opened[0], s.player) == (1, 1)


def test_only_hand_cards_count_for_the_opening_but_cards_on_the_table_may_move():
    s = play(position("9S 2C", "9C 9H 9D KS/KC KH KD"), "9S new", "9C 1>3", "9H 1>3", "KS 1>2", "9D 1>3")
    assert refused(s, "end", Reason.OPENING)
    assert s.points == 9


def test_a_joker_counts_nothing_for_the_opening_and_48_in_hand():
    s = play(position("KC KH XX", name="huxxy-bonus"), "KC new", "KH 1", "XX 1", "end", name="huxxy-bonus")
    assert s.over
    s = position("QC XX JH", name="huxxy-bonus")
    play(s, "QC new", "JH 1", "XX 1", name="huxxy-bonus")
    assert s.points == 23
    assert game("huxxy-bonus").why_not(s, END) == Reason.OPENING.sentence
    assert game("huxxy-bonus").returns(position("XX AC", name="huxxy-bonus"))[0] == -49


def test_two_jokers_in_a_group_are_refused_at_once():
    s = position("XX 2C 3H", "KC KH XX", opened=True, name="huxxy-bonus")
    bonus = game("huxxy-bonus")
    assert bonus.why_not(s, bonus.parse(bonus.view(s, 0), "XX>1")) == Reason.TWO_JOKERS.sentence
    play(s, "2C new", name="huxxy-bonus")
    play(s, "XX new", name="huxxy-bonus")
    assert bonus.why_not(s, bonus.parse(bonus.view(s, 0), "XX 1>3")) == Reason.TWO_JOKERS.sentence


def test_an_invalid_table_after_six_plays_forces_a_concession():
    s = play(position("2C 4C 6C 8C 0C QC KC"), *(f"{card} new" for card in ["2C", "4C", "6C", "8C", "0C", "QC"]))
    assert game("huxxy").legal(s) == [CONCEDE]
    assert refused(s, "KC>1", Reason.NO_PLAYS_LEFT)
    assert refused(s, "end", Reason.TABLE_INVALID)
    play(s, "concede")
    outcome = game("huxxy").result(s, frozenset())
    assert s.over
    assert outcome.winners == (1, 2, 3)
    assert outcome.scores == (-rules.LOSS, 0, 0, 0)


def test_conceding_is_refused_while_a_play_is_left():
    assert refused(position("2C"), "concede", Reason.CONCEDED_EARLY)
    assert refused(play(position("2C 3C"), "2C new"), "concede", Reason.CONCEDED_EARLY)


def test_every_refusal_names_its_rule():
    table = "KC KH KD/2C 3H 4C"
    s = position("KS 5H 5S", table, opened=True)
    assert refused(s, "end", Reason.NOTHING_PLAYED)
    assert refused(s, "KC 1>2", Reason.HAND_FIRST)
    assert refused(s, "QS>1", Reason.NOT_HELD)
    assert refused(s, "KS>9", Reason.NO_GROUP)
    play(s, "KS>1")
    assert refused(s, "pick up", Reason.PICK_UP_LATE)
    assert refused(s, "KC 1>1", Reason.SAME_GROUP)
    assert refused(s, "KC 1>9", Reason.NO_GROUP)
    play(s, "5S new")
    assert refused(s, "end", Reason.TABLE_INVALID)
    assert game("huxxy").why_not(s, rules.ACTIONS - 1) == Reason.NOT_THERE.sentence
    assert game("huxxy").why_not(s, rules.ACTIONS) == Reason.NO_ACTION.sentence
    with pytest.raises(NotationError):
        game("huxxy").parse(game("huxxy").view(s, 0), "KC 2>1")


def test_groups_keep_their_numbers_until_the_turn_ends():
    s = position("KS 2H", "KC KH KD/9C 9H 9D/5C 6H 7C", opened=True)
    play(s, "KS>1", "9C 2>4", "9H 2>4", "9D 2>4")
    view = game("huxxy").view(s, 0)
    assert view.table[1] == ()
    assert len(view.table) == 4
    play(s, "end")
    assert len(game("huxxy").view(s, 1).table) == 3


def test_playing_the_last_card_ends_the_game_only_with_the_turn():
    s = play(position("KS", "KC KH KD", opened=True), "KS>1")
    assert not s.over
    play(s, "end")
    assert s.over
    assert game("huxxy").result(s, frozenset()).winners == (0,)


def test_the_last_card_of_the_stock_ends_the_game():
    s = position("KS", opened=True)
    s.stock_once, s.stock_twice = bit_sets(parse_cards("2C"))
    play(s, "pick up")
    assert s.over
    assert game("huxxy").result(s, frozenset()).scores == (-15, -1, -1, -1)
    assert game("huxxy").result(s, frozenset()).winners == (1, 2, 3)


def test_a_seat_that_forfeits_is_the_sole_loser():
    s = play(position("KS", "KC KH KD", opened=True), "KS>1", "end")
    assert game("huxxy").result(s, frozenset({0, 2})).winners == (1, 3)


def test_a_forfeited_seat_ends_the_turn_it_has_begun():
    s = play(position("KS 2C", "KC KH KD", opened=True), "KS>1")
    assert rules.substitute(s) == END
    s = play(position("2C 4C", "KC KH KD", opened=True), "2C>1")
    while not s.over:
        rules.apply(s, rules.substitute(s))
    assert s.loser == 0
    assert rules.substitute(position("2C")) == PICK_UP


@pytest.mark.parametrize(
    ("typed", "action"),
    [
        ("ks 1", "KS>1"),
        ("K♠ to group 1", "KS>1"),
        ("play KS to 3", "KS>new"),
        ("1 KS", "KS>1"),
        ("KD 1>2", "KD 1>2"),
        ("move KD from group 1 to 2", "KD 1>2"),
        ("KD new", "KD 1>new"),
        ("  PICK   UP ", "pick up"),
        ("draw", "pick up"),
        ("done", "end"),
    ],
)
def test_plays_may_be_typed_in_many_ways(typed, action):
    view = game("huxxy").view(position("KS 5H", "KC KH KD/2C 3H 4C", opened=True), 0)
    assert game("huxxy").text(view, game("huxxy").parse(view, typed)) == action


def test_a_card_in_two_groups_needs_its_group_named():
    view = game("huxxy").view(position("5H", "KC KH KD/KC KS KH", opened=True), 0)
    with pytest.raises(NotationError, match="several groups"):
        game("huxxy").parse(view, "KC new")


@pytest.mark.parametrize("name", STANDARD)
def test_the_contract_holds_in_a_long_game_with_many_groups(name):
    """Random games have few groups on the table."""
    played, random, check = game(name), Random(3), compilation.compiled(lockstep, rules).disagreement
    states, out, spare = records(played, 1), *np.zeros((2, rules.ACTIONS), np.int64)
    state, actions, most = played.deal(8), [], 0
    while not state.over:
        view, legal = played.view(state, state.player), played.legal(state)
        most = max(most, len(legal))
        assert all(played.parse(view, played.text(view, action)) == action for action in legal[::7])
        rules.LAYOUT.store(state, states, 0)
        assert check(states[0], out, spare, played.first_amount, played.actions, 0, 1) == lockstep.AGREED
        assert out[: len(legal)].tolist() == legal
        for seat in observers(played) if len(actions) % 5 == 0 else ():
            view = played.view(state, seat)
            world = played.imagine(view, len(actions))
            assert played.view(world, seat) == view
            cards = [card for p in range(4) for card in hand_of(world, p)]
            assert all(cards.count(card) < 3 for card in cards)
        actions.append(policies.greedy(played.view(state, state.player), legal, random))
        played.play(state, actions[-1])
    assert most > 300
    outcome = played.result(state, frozenset())
    written = record.Record(played.name, rules.VERSION, tuple("ABCD"), 8, tuple(actions), (), outcome)
    assert record.parse(record.text(written)) == written


def test_accepting_every_hand_gives_wrong_odds(monkeypatch):
    def accept_hand(s, p, doubtful):
        return True

    accept_hand.__module__ = beliefs.__name__
    monkeypatch.setattr(beliefs, "accept_hand", kernel(accept_hand))
    with pytest.raises(Violation, match="wrong frequency"):
        imagination.imagination_is_exact(game("huxxy-mini"), 2)
