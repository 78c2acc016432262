"""``kibitz best cribbage``: ranked discards with their values, and invalid questions."""

import json

import pytest

HAND = "5H 6S 7D JC QD KS"


def test_every_discard_is_ranked_with_its_errors(kibitz):
    ran = kibitz("best", "cribbage", HAND, "--crib", "mine", "--score", "0-0")
    assert ran.status == 0
    assert ran.lines[0] == "5♥ 6♠ 7♦ J♣ Q♦ K♠, your crib, 0 to 0"
    assert " ".join(ran.lines[1].split()) == "# discard keep chance points hand crib you peg they peg"
    rows = [line for line in ran.lines if line[:2].strip().isdigit()]
    assert [int(row[:2]) for row in rows] == list(range(1, 16))
    assert rows[0].startswith("1   6♠ 7♦    5♥ J♣ Q♦ K♠  ")
    assert all(row.count(" ± ") == 2 for row in rows)
    assert all(len(line) <= 100 for line in ran.lines)


def test_cards_can_be_separate_arguments_in_any_notation_and_order(kibitz):
    plain = kibitz("best", "cribbage", HAND, "--crib", "theirs", "--score", "110-115").out
    words = kibitz(
        "best", "cribbage", "ks", "q♦", "JC,", "7d", "6S", "5♥", "--crib", "theirs", "--score", "110:115"
    ).out
    assert words == plain


def test_json_has_the_same_figures(kibitz):
    report = json.loads(kibitz("best", "cribbage", HAND, "--crib", "mine", "--score", "110-115", "--json").out)
    assert (report["game"], report["crib"], report["score"], len(report["choices"])) == (
        "cribbage",
        "mine",
        [110, 115],
        15,
    )
    assert report["hand"] == ["5H", "6S", "7D", "JC", "QD", "KS"]
    first = report["choices"][0]
    assert set(first) >= {"discard", "keep", "chance", "chance_margin", "points", "points_margin"}
    assert all(0 <= choice["chance"] <= 1 and choice["points_margin"] > 0 for choice in report["choices"])
    assert first["chance"] == max(choice["chance"] for choice in report["choices"])
    shown = kibitz("best", "cribbage", HAND, "--crib", "mine", "--score", "110-115").lines[2]
    assert f"{100 * first['chance']:.1f} % ±" in shown


def test_chance_before_the_deal_is_shown_without_cards(kibitz):
    ran = kibitz("best", "cribbage", "--crib", "mine", "--score", "35-37")
    assert ran.lines[0].startswith("35 to 37 before a deal with your crib: you win 50.")
    mine, theirs = (
        json.loads(kibitz("best", "cribbage", "--crib", whose, "--score", score, "--json").out)["chance"]
        for whose, score in (("mine", "35-37"), ("theirs", "37-35"))
    )
    assert mine + theirs == pytest.approx(1)


def test_shorter_game_ends_at_its_own_target(kibitz):
    short = kibitz("best", "cribbage:target=61", "--crib", "mine", "--score", "60-60").out
    assert short == kibitz("best", "cribbage", "--crib", "mine", "--score", "120-120").out.replace("120", "60")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["cribage", "--crib", "mine"], "did you mean 'cribbage'?"),
        (["cribbage", HAND], "Say whose crib it is: --crib mine or --crib theirs."),
        (["cribbage", HAND, "--crib", "hers"], "mine or theirs, not 'hers'."),
        (["cribbage", "5H 5H 7D JC QD KS", "--crib", "mine"], "5H appears 2 times"),
        (["cribbage", "5H 6S 7D JC QD", "--crib", "mine"], "has 6 cards before the discard, not 5."),
        (["cribbage", "5H 6S 7D JC QD KS AS", "--crib", "mine"], "before the discard, not 7."),
        (["cribbage", "5H 6S 7D JC QD XX", "--crib", "mine"], "played without jokers"),
        (["cribbage", "5H 6S 7D JC QD 1S", "--crib", "mine"], "'1S' is not a card"),
        (["cribbage", HAND, "--crib", "mine", "--score", "121-3"], "with 121 the game is over"),
        (["cribbage", HAND, "--crib", "mine", "--score", "12"], "such as 110-115, not '12'"),
        (["cribbage", HAND, "--crib", "mine", "--score=-3-4"], "such as 110-115, not '-3-4'"),
        (["cribbage:target=61", HAND, "--crib", "mine", "--score", "61-0"], "from 0 to 60"),
        (["cribbage", HAND, "--crib", "mine", "--scor", "1-2"], "did you mean '--score'?"),
    ],
)
def test_invalid_question_is_rejected_with_the_reason(refused, words, sentence):
    assert sentence in refused("best", *words)
