"""``kibitz equity``: its output and errors."""

import pytest

from kibitz.cards import as_set, parse_hand
from kibitz.cli.poker import read_cards
from tests.contract.groups import sharing

pytestmark = sharing("holdem")


@pytest.mark.long
def test_equity_of_two_hands_before_the_flop(kibitz):
    ran = kibitz("equity", "AsKs", "QdQh", "--ascii")
    assert ran.status == 0
    assert ran.lines == [
        "AS KS  46.2145%  won 787,966, tied 6,732, lost 917,606",
        "QD QH  53.7855%  won 917,606, tied 6,732, lost 787,966",
        "1,712,304 boards, all equally likely.",
    ]


def test_hands_on_a_board_are_named(kibitz):
    ran = kibitz("equity", "A♠ K♠", "10♦10♥", "2c2d", "--board", "Qs Js 2s", "--dead", "3c4c")
    assert ran.lines[0] == "Board: Q♠ J♠ 2♠"
    assert ran.lines[1].endswith("(a flush, Ace high, kickers K, Q, J, 2)")
    assert ran.lines[2].startswith("10♦ 10♥ ")
    assert ran.lines[3].endswith("(three twos, kickers Q, J)")
    assert ran.lines[4] == "820 boards, all equally likely."


def test_complete_board_is_one_showdown(kibitz):
    ran = kibitz("equity", "AsKs", "QdQh", "--board", "2c3c4d5d9h", "--ascii")
    assert "100.0000%  won 1, tied 0, lost 0  (a straight to the five)" in ran.lines[1]
    assert ran.lines[3] == "1 board, all equally likely."


@pytest.mark.parametrize("text", ["AsTh", "As Th", "AS,10H", "a♠10♥", "A♠\ufe0f 10♥\ufe0f", "As0h"])
def test_cards_are_read_with_and_without_separators(text):
    assert read_cards(text) == as_set(parse_hand("AS TH"))


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ([], "an equity needs 2 to 10 hands, not 0."),
        (["AsKs"], "an equity needs 2 to 10 hands, not 1."),
        (["AsKsQs", "QdQh"], "a hand of Texas hold'em has 2 cards, not 3."),
        (["As?B", "QdQh"], "?B is a joker; equity needs cards of the 52-card pack."),
        (["AsAs", "QdQh"], "AS is given twice."),
        (["AsTs", "TdTs"], "TS appears twice, but a pack has only one."),
        (["AsK", "QdQh"], "'K' is not a card"),
        (["AsKx", "QdQh"], "'Kx' is not a card"),
        (["AsKs", "QdQh", "--board", "2s3s4s5s6s7s"], "a board has at most 5 cards, not 6."),
        (["AsKs", "QdQc", "--board", "2c3c"], "a board has 0, 3, 4 or 5"),
        (["any", "22+", "--budget", "0"], "must be 1 or more"),
        (["AsKs", "QdQh", "--boar", "2s"], "did you mean '--board'?"),
    ],
)
def test_invalid_hands_are_rejected(refused, words, sentence):
    assert sentence in refused("equity", *words)


def test_equity_of_ranges_says_whether_it_is_exact(kibitz):
    ran = kibitz("equity", "QQ+", "AsKs", "--board", "QsJs2d")
    assert ran.lines[0] == "Board: Q♠ J♠ 2♦"
    assert ran.lines[-1].startswith("Exact: ")
    ran = kibitz("equity", "99+, AKs", "KTo+", "76s", "--budget", 10000, "--seed", 4)
    assert ran.lines[-1] == "Sampled: 10,000 showdowns drawn at random (seed 4); 95 % confidence intervals."
    assert all(" ± " in line for line in ran.lines[:3])
    assert ran.lines[0].endswith("40 hands")


def test_invalid_range_is_marked_with_a_caret(kibitz):
    ran = kibitz("equity", "22+, AKx, KTo+", "any")
    assert ran.status == 2
    text, caret, sentence = ran.err.splitlines()
    assert text[caret.index("^")] == "x"
    assert sentence.startswith("kibitz: 'AKx' isn't a part of a range: write something like 22+")


def test_equities_as_json(kibitz):
    import json

    hands = json.loads(kibitz("equity", "AsKs", "QdQh", "--json").out)
    assert hands["wins"] == [787966, 917606]
    report = json.loads(kibitz("equity", "any", "AsKs", "--budget", 5000, "--json").out)
    assert report["showdowns"] == 5000
    assert report["exact"] is False
    assert all(error > 0 for error in report["errors"])


@pytest.mark.parametrize(
    ("words", "hands"),
    [
        (["AA", "72o", "--board", "Kc7d2h"], ["6 hands", "7 hands"]),
        (["AA", "72o", "--dead", "AsKd"], ["3 hands", "12 hands"]),
        (["AsAh", "AA"], ["1 hand", "1 hand"]),
    ],
)
def test_only_possible_hands_of_a_range_are_counted(kibitz, words, hands):
    lines = [line for line in kibitz("equity", *words, "--budget", "10000").lines if line.endswith(("hand", "hands"))]
    assert [line.split("  ")[-1] for line in lines] == hands
