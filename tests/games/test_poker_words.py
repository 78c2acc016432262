"""Prompts at the poker table, written by hand; heads-up with blinds of 5 and 10."""

from tests.games.poker_table import act, hand


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
