"""What a seat is asked at the poker table, by hand; blinds are 5 and 10, and two seats bet against each other."""

from tests.games.poker_table import act, hand


def asked(played, s):
    return played.words.prompt(played.view(s, s.player))


def test_a_price_is_told_with_the_pot_and_all_that_can_be_done():
    played, s = hand([100, 40])
    assert asked(played, s) == (
        "Your turn, with 35 chips: call 5 into a pot of 15, raise to any amount from 20 to 40, or fold."
    )
    act(played, s, "raise 40")
    assert asked(played, s) == "Your turn, with 90 chips: call 30 into a pot of 50, or fold."


def test_what_costs_nothing_is_told_without_a_pot():
    played, s = hand([100, 40])
    act(played, s, "call")
    assert asked(played, s).startswith("Your turn, with 90 chips: check, or raise to any amount from 20 to ")
    act(played, s, "check")
    assert asked(played, s).startswith("Your turn, with 90 chips: check, or bet any amount from 10 to ")


def test_where_all_chips_are_the_only_raise_that_is_the_amount():
    played, s = hand([100, 12])
    assert asked(played, s) == "Your turn, with 7 chips: call 5 into a pot of 15, raise to 12, or fold."
    act(played, s, "raise 12")
    assert asked(played, s) == "Your turn, with 90 chips: call 2 into a pot of 22, or fold."


def test_a_call_that_takes_the_last_chips_says_so():
    played, s = hand([100, 40])
    act(played, s, "call", "raise 60")
    assert asked(played, s) == "Your turn, with 30 chips: call 30 (all in) into a pot of 70, or fold."
