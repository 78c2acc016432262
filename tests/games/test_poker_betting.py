"""Betting in worked examples: blinds, raises, all-ins, limits, typed amounts and prompts."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kibitz.engine.registry import game
from kibitz.engine.views.events import SPECTATOR, to_seat
from kibitz.errors import NotationError
from kibitz.games.poker.betting import RETURN
from kibitz.games.poker.rules import RAISE
from kibitz.games.poker.view import HandEnded
from tests.games.poker_table import act, hand, of_kind, refused


def test_blinds_sit_left_of_the_button_and_the_next_seat_acts_first():
    _, s = hand([1000] * 4)
    assert (s.button, s.bet[:4], s.player) == (3, [5, 10, 0, 0], 2)


def test_heads_up_button_posts_the_small_blind_and_acts_first_preflop():
    played, s = hand([1000, 1000])
    assert (s.button, s.bet[:2], s.player) == (1, [10, 5], 1)
    act(played, s, "call")
    assert s.player == 0
    act(played, s, "check")
    assert (s.street, s.player) == (1, 0)
    act(played, s, "check")
    assert s.player == 1


def test_the_big_blind_may_raise_when_all_have_called():
    played, s = hand([1000] * 3)
    act(played, s, "call", "call")
    assert s.player == 1
    assert played.parse(played.view(s, 1), "raise 20") in played.legal(s)
    act(played, s, "check")
    assert s.street == 1


def test_a_straddle_is_a_third_blind_whose_seat_acts_last():
    played, s = hand([1000] * 4, straddle=1)
    assert (s.bet[:4], s.player, s.high) == ([5, 10, 20, 0], 3, 20)
    assert "at least the big blind" in refused(played, s, "raise 39")
    act(played, s, "call", "call", "call")
    assert s.player == 2
    act(played, s, "raise 40")
    assert s.player == 3


def test_a_bet_is_at_least_the_big_blind():
    played, s = hand([1000, 1000])
    act(played, s, "call", "check")
    assert "at least the big blind" in refused(played, s, "bet 9")
    act(played, s, "bet 10")


def test_a_raise_is_at_least_the_last_raise():
    played, s = hand([1000] * 3)
    act(played, s, "raise 35")
    assert "at least as large as" in refused(played, s, "raise 59")
    act(played, s, "raise 60")
    assert "at least as large as" in refused(played, s, "raise 84")
    act(played, s, "raise 85")


def test_the_least_raise_of_a_short_stack_is_its_all_in():
    played, s = hand([1000, 1000, 1000, 75])
    act(played, s, "raise 50")
    view = played.view(s, s.player)
    assert (s.player, view.turn.min_raise_to, view.turn.max_raise_to) == (3, 75, 75)
    assert "at least as large as" in refused(played, s, "raise 74")
    act(played, s, "raise 75")
    assert (s.high, s.chips[3]) == (75, 0)


def test_a_bet_above_the_stack_is_refused():
    played, s = hand([1000, 400])
    assert refused(played, s, "raise 401") == "You can't bet more chips than you have."
    act(played, s, "raise 400")


def test_checking_against_a_bet_calls_it():
    """A check is a call for nothing: against a bet, the same action pays the price."""
    played, s = hand([1000, 1000])
    assert played.text(played.view(s, 1), 1) == "call"
    act(played, s, "check")
    assert s.paid[1] == 10


def test_folding_without_a_bet_to_call_is_refused():
    played, s = hand([1000, 1000])
    act(played, s, "call")
    assert refused(played, s, "fold") == "There is no bet to call, so don't fold: check."


def test_a_short_all_in_does_not_reopen_the_betting():
    played, s = hand([1000, 1000, 1000, 55])
    act(played, s, "raise 40", "all in")
    assert (s.player, s.high, s.min_raise) == (0, 55, 30)
    act(played, s, "call", "call")
    assert s.player == 2
    assert "does not reopen the betting" in refused(played, s, "raise 200")
    act(played, s, "call")
    assert s.street == 1


def test_a_full_raise_over_a_short_all_in_reopens_the_betting():
    played, s = hand([1000, 1000, 1000, 55])
    act(played, s, "raise 40", "all in")
    assert "at least as large as" in refused(played, s, "raise 84")
    act(played, s, "raise 85", "fold")
    assert (s.player, bool(s.may_raise >> 2 & 1)) == (2, True)
    act(played, s, "raise 115")


def test_two_short_all_ins_together_do_not_reopen_the_betting():
    played, s = hand([1000, 75, 1000, 55])
    act(played, s, "raise 40", "all in", "call", "all in")
    assert (s.player, s.high) == (2, 75)
    assert "does not reopen the betting" in refused(played, s, "raise 200")


def test_a_raise_is_refused_when_all_others_are_all_in():
    played, s = hand([30, 1000, 30])
    act(played, s, "all in", "all in")
    assert s.player == 1
    assert refused(played, s, "raise 60") == "Nobody else could call a raise: call or fold."


def test_a_stack_below_the_bet_can_only_call_all_in():
    played, s = hand([1000, 30, 1000])
    act(played, s, "raise 50", "fold")
    assert "you don't have enough chips" in refused(played, s, "raise 90")
    assert played.parse(played.view(s, 1), "all in") == 1
    act(played, s, "all in")
    assert s.over


def test_a_short_blind_does_not_lower_the_price():
    played, s = hand([1000, 4, 1000])
    assert (s.bet[:3], s.high, s.player) == ([5, 4, 0], 10, 2)
    act(played, s, "call", "call")
    assert s.paid[:3] == [10, 4, 10]


def test_chips_no_other_seat_could_match_are_returned():
    """Heads-up against a blind that is all-in for less than the small blind, there is no decision."""
    s = game("holdem").with_options(players=3, hands=2).deal(1)
    s.chips[:3] = [3, 0, 1000]
    s.hands_played, s.button = 1, 0
    rules = game("holdem").rules
    rules.start_hand(s)
    assert (s.button, s.bet[:3], s.stage) == (2, [3, 0, 5], RETURN)
    while not s.over:
        rules.advance_stage(s)
    assert sum(s.chips[:3]) == 1003


def test_fixed_limit_bets_have_one_size_that_doubles_on_the_turn():
    played, s = hand([1000, 1000], limit=2)
    act(played, s, "raise 20", "raise 30", "raise 40")
    assert refused(played, s, "raise 50") == "This round has had all its bets and raises: call or fold."
    act(played, s, "call")
    assert refused(played, s, "bet 11") == "In fixed limit, all bets and raises in a round are of one fixed size."
    act(played, s, "bet 10", "call")
    assert refused(played, s, "bet 10") == "In fixed limit, all bets and raises in a round are of one fixed size."
    act(played, s, "bet 20", "raise 40", "raise 60", "raise 80")
    assert "all its bets and raises" in refused(played, s, "raise 100")


def test_a_pot_limit_raise_is_at_most_the_pot_after_the_call():
    played, s = hand([1000] * 3, limit=1)
    assert refused(played, s, "raise 36") == "A pot-limit raise is at most the pot as it is after your call."
    act(played, s, "raise 35")
    assert played.rules.max_amount(s) == RAISE + 35 + 15 + 35 + 30


@pytest.mark.parametrize(
    "text", ["raise", "raise -5", "raise 1e3", "bet 9999999999999", "raise 5 6", "allin!", "½ pot"]
)
def test_an_invalid_amount_is_refused(text):
    played, s = hand([1000, 1000])
    with pytest.raises(NotationError):
        played.parse(played.view(s, s.player), text)


def test_amounts_can_be_typed_in_many_ways():
    played, s = hand([1000] * 3)
    view = played.view(s, s.player)
    said = {text: played.parse(view, text) for text in ("raise 240", "RAISE TO 240", "r 240", "bet 240")}
    assert set(said.values()) == {RAISE + 240}
    assert played.parse(view, "all in") == played.parse(view, "raise all in") == RAISE + 1000
    assert played.parse(view, "pot") == RAISE + 35
    assert played.parse(view, "half pot") == RAISE + 22
    assert played.parse(view, "min") == RAISE + 20


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from(["holdem", "draw"]),
    st.integers(2, 6),
    st.lists(st.integers(31, 400), min_size=6, max_size=6),
    st.integers(0, 2),
    st.integers(0, 3),
    st.integers(0, 2**64),
)
def test_the_number_of_chips_is_constant(name, n, stacks, limit, ante, seed):
    each = {f"stack{p}": chips for p, chips in enumerate(stacks[:n])}
    played = game(name).with_options(players=n, hands=3, limit=limit, ante=ante, **each)
    random, s = Random(seed), played.deal(seed)
    while not s.over:
        assert sum(s.chips[:n]) + sum(s.paid[:n]) == sum(stacks[:n])
        assert min(s.chips[:n]) >= 0
        low, high = played.rules.min_amount(s), played.rules.max_amount(s)
        action = random.randint(low, high) if low < high and random.random() < 0.3 else random.choice(played.legal(s))
        for event in of_kind(to_seat(played.play(s, action), SPECTATOR), HandEnded):
            assert sum(event.chips) == sum(stacks[:n])
    assert sum(s.chips[:n]) == sum(stacks[:n])
    assert sum(played.returns(s)) == 0


def prompt(played, s):
    return played.words.prompt(played.view(s, s.player))


def test_prompt_gives_price_pot_and_choices():
    played, s = hand([100, 40])
    assert prompt(played, s) == (
        "Your turn, with 35 chips: call 5 into a pot of 15, raise to any amount from 20 to 40, or fold."
    )
    act(played, s, "raise 40")
    assert prompt(played, s) == "Your turn, with 90 chips: call 30 into a pot of 50, or fold."


def test_prompt_omits_the_pot_when_checking_is_free():
    played, s = hand([100, 40])
    act(played, s, "call")
    assert prompt(played, s).startswith("Your turn, with 90 chips: check, or raise to any amount from 20 to ")
    act(played, s, "check")
    assert prompt(played, s).startswith("Your turn, with 90 chips: check, or bet any amount from 10 to ")


def test_prompt_gives_one_amount_when_only_all_in_can_raise():
    played, s = hand([100, 12])
    assert prompt(played, s) == "Your turn, with 7 chips: call 5 into a pot of 15, raise to 12, or fold."
    act(played, s, "raise 12")
    assert prompt(played, s) == "Your turn, with 90 chips: call 2 into a pot of 22, or fold."


def test_prompt_marks_a_call_for_all_chips():
    played, s = hand([100, 40])
    act(played, s, "call", "raise 60")
    assert prompt(played, s) == "Your turn, with 30 chips: call 30 (all in) into a pot of 70, or fold."
