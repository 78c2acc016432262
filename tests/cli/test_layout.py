"""Lines and choices fit the screen width."""

import pytest

from kibitz.cli.line_mode.prompt import choice_lines, columns
from kibitz.cli.screen import Screen, folded, read_number


@pytest.mark.parametrize("width", [20, 40, 80])
def test_folding_keeps_every_word_within_the_width(width):
    text = "You         stockpile  3♠ (8)   d0.1 6♣+3   d0.2 -   d0.3 - and some longer sentence at the end of it"
    lines = folded(text, width)
    assert max(map(len, lines)) <= width
    assert " ".join(lines).split() == text.split()


def test_word_longer_than_the_line_is_cut():
    assert folded("a" * 50, 20, "") == ["a" * 20, "a" * 20, "a" * 10]


def test_hanging_indent_may_be_wider_than_the_line():
    assert folded("one two three four", 10, " " * 30) == ["one two", "     three", "     four"]


def test_tables_are_folded_between_fields():
    assert folded("you  stock 3♠   d0.1 6♣   d0.2 9♥", 26) == ["you  stock 3♠   d0.1 6♣", "  d0.2 9♥"]


def test_long_choice_does_not_widen_the_other_columns():
    short = [f"{number:>2}) K♠" for number in range(1, 16)]
    lines = columns([*short, "16) 6♦ 6♣ 6♥ 7♦ 7♥  (full house)", "17) pass"], 80)
    assert [line.split()[0] for line in lines] == ["1)", "10)", "16)"]
    assert max(map(len, lines)) <= 80


def test_long_choices_get_a_line_each_and_short_ones_share_lines():
    few = {1: "K♠", 2: "Q♠", 3: "pass"}
    assert choice_lines(few, 80, 10) == ["1) K♠     2) Q♠     3) pass"]
    assert choice_lines(few, 80, 10, plain=True) == ["1) K♠", "2) Q♠", "3) pass"]
    assert choice_lines(few, 80, 2, plain=True) == ["1) K♠", "2) Q♠", "3) pass"]
    long = dict.fromkeys(few, "a choice that is told in many words")
    assert [line[:2] for line in choice_lines(long, 80, 10)] == ["1)", "2)", "3)"]
    assert len(choice_lines(long, 80, 2)) == 2


@pytest.mark.parametrize("width", [20, 40, 80])
@pytest.mark.parametrize("plain", [False, True])
def test_every_choice_is_listed_once_with_its_number(width, plain):
    labels = {number: f"choice {number}" for number in range(1, 41)}
    words = " ".join(choice_lines(labels, width, 10, plain=plain)).split()
    for number in labels:
        assert words.count(f"{number})") == 1


def test_red_cards_are_coloured_in_both_notations():
    screen = Screen.__new__(Screen)
    screen.colour, screen.ascii = True, False
    assert screen.coloured("A♥ 10♦ K♠") == "\033[1;31mA♥\033[0m \033[1;31m10♦\033[0m K♠"
    assert screen.coloured("4H HD 10D2") == "4H HD 10D2"
    screen.ascii = True
    assert screen.coloured("10D AS") == "\033[1;31m10D\033[0m AS"
    screen.colour = False
    assert screen.coloured("10D AS") == "10D AS"


def test_only_valid_choice_numbers_are_read():
    assert [read_number(typed, 12) for typed in ("1", "12", "13", "0", "-1", "", "²", "9" * 5000)] == [1, 12] + [0] * 6
