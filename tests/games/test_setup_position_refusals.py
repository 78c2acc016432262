"""Impossible facts of a position are refused with their place, number and rule."""

from random import Random

import pytest

import kibitz
from kibitz.engine.setup_position import HAND, position_from_facts
from kibitz.errors import NotationError, RuleError

BO = {HAND: "2C 5H 9S", "stocks": "9C 8, QS 1, 4D 7, KS 6"}
HOLDEM = {HAND: "AS KC"}
DRAW = {HAND: "AS KS QS JS 2C"}
EIGHTS = {HAND: "8C 5H", "top": "5S"}
MANY = [f"{value}{suit}" for value in "A234567890J" for suit in "DCHS"][:41]
PLAYED = {HAND: "5H 6S JC", "crib": "theirs", "starter": "7D"}
REFUSED = [
    ("bo", {**BO, HAND: ""}, "the hand has 1 to 5 cards, not 0."),
    ("bo", {**BO, HAND: "2C 3C 4C 5C 6C 7C"}, "the hand has 1 to 5 cards, not 6."),
    ("bo-mini", {HAND: "2C 3C 4C", "stocks": "AC 1, AD 1"}, "the hand has 1 to 2 cards, not 3."),
    ("bo-mini", {HAND: "2C", "stocks": "5C 1, AD 1"}, "--stocks: 5♣ is not among the cards of bo-mini."),
    ("bo-mini", {HAND: "2H", "stocks": "AC 1, AD 1"}, "the hand: 2♥ is not among the cards of bo-mini."),
    (
        "bo-mini",
        {HAND: "2C", "stocks": "2C 1, AD 1"},
        "2♣ appears 2 times, in the hand and --stocks, but",
    ),
    (
        "bo",
        {**BO, HAND: "2C 2C", "builds": "2C"},
        "2♣ appears 3 times, in the hand and the hand and --builds, but bo has it",
    ),
    ("bo", {**BO, HAND: "2C 2C", "discards": ";2C"}, "2♣ appears 3 times, in the hand and the hand and --discards"),
    (
        "bo-mini",
        {HAND: "2C", "stocks": "AC 1, AD 1", "builds": "2H"},
        "--builds: 2♥ is not among the cards of bo-mini.",
    ),
    ("bo-mini", {HAND: "2C", "stocks": "AC 1, AD 1", "discards": "5C"}, "--discards: 5♣ is not among the cards of"),
    ("bo", {**BO, HAND: "2C 2C", "stocks": "2C 8, QS 1, 4D 7, KS 6"}, "2♣ appears 3 times"),
    ("bo", {**BO, "stocks": "9C 9, QS 1, 4D 7, KS 6"}, "--stocks needs a whole number from 1 to 8, not '9'."),
    ("bo", {**BO, "stocks": "9C 8, QS 0, 4D 7, KS 6"}, "--stocks needs a whole number from 1 to 8, not '0'."),
    (
        "bo",
        {**BO, "stocks": "9C 8, QS 1, 4D 7, KS 6, 2H 1"},
        "--stocks needs top card and size of 4 stockpiles, not of 5.",
    ),
    ("bo", {**BO, "discards": ";;;;"}, "--discards: there are 4 players, not 5."),
    ("bo", {**BO, "discards": ";2C,3H,4C,5H,6C"}, "--discards: there are 4 piles, not 5."),
    ("bo", {**BO, "builds": "2C, 2D, KC, KD, 2H"}, "--builds: there are 4 piles, not 5."),
    ("bo", {**BO, "builds": "2D, 3H"}, "--builds: 3♥ cannot lie there: An empty build pile takes only a 2 or a king."),
    (
        "bo",
        {**BO, "builds": "2D 3C"},
        "--builds: 3♣ cannot lie there: A build pile takes only cards of its own colour.",
    ),
    (
        "bo",
        {**BO, "builds": "2D 4D"},
        "--builds: 4♦ cannot lie there: A build pile takes a card one higher or one lower",
    ),
    ("bo", {**BO, "discards": "; AD"}, "--discards: A♦ cannot lie there: An Ace never goes on a discard pile."),
    ("bo", {**BO, "discards": "AD"}, "--discards: A♦ cannot lie there: An Ace never goes on a discard pile."),
    ("bo", {**BO, "round": "20"}, "--round needs a whole number from 0 to 19, not '20'."),
    ("cribbage", {HAND: "5H 6S JC 7D AS"}, "--crib must be mine or theirs, and it is missing."),
    ("cribbage", {HAND: "5H 6S JC 7D AS", "crib": "mine"}, "has 6 cards before the discard, not 5;"),
    (
        "cribbage",
        {HAND: "5H 6S JC", "crib": "mine", "played": "KC"},
        "--played and --laid also need --starter, the card turned up.",
    ),
    (
        "cribbage",
        {HAND: "5H 6S JC", "crib": "mine", "laid": "KC 2C"},
        "--played and --laid also need --starter, the card turned up.",
    ),
    ("cribbage", {**PLAYED, "starter": "7D 8D"}, "--starter must be one card."),
    ("cribbage", {**PLAYED, "laid": "2C"}, "--laid: each player discards 2 cards, not 1."),
    (
        "cribbage",
        {**PLAYED, "starter": "5H"},
        "5♥ appears 2 times, in the hand and --starter, but",
    ),
    ("cribbage", {**PLAYED, "laid": "2C 6S"}, "6♠ appears 2 times, in the hand and --laid"),
    ("cribbage", {**PLAYED, "played": "JC"}, "J♣ appears 2 times, in the hand and --played"),
    (
        "cribbage",
        {**PLAYED, "played": "2C 3C 4C"},
        "each player keeps 4 cards: you hold 3, and by what was played you have played 2 and your opponent 1 of them.",
    ),
    (
        "cribbage",
        {**PLAYED, "played": "2C"},
        "--played: after these cards it isn't your turn; a player who can't play says go.",
    ),
    (
        "cribbage",
        {**PLAYED, "played": "4C KD", "score": "0-121"},
        "--score needs a whole number from 0 to 120, not '121'.",
    ),
    (
        "cribbage",
        {**PLAYED, "played": "4C KD", "score": "1-2-3"},
        "--score must be both scores, yours first, such as 110-115, not '1-2-3'.",
    ),
    ("cribbage", {**PLAYED, "played": "4C go"}, "--played: go, number 2, is not allowed: "),
    (
        "cribbage",
        {**PLAYED, HAND: "5H 6S", "played": "KC KD KH 2S"},
        "--played: 2S, number 4, is not allowed: The count can't go above 31",
    ),
    (
        "eights",
        {**EIGHTS, HAND: ""},
        'give the cards of your hand, as in \'kibitz best eights "5H 8C KD KS 2S" --top 5S',
    ),
    ("eights", {HAND: "8C"}, "--top must be one card."),
    ("eights", {HAND: "8C", "top": "5S 6S"}, "--top must be one card."),
    ("eights", {**EIGHTS, "gone": "5S"}, "5♠ appears 2 times, in --top and --gone, but eights has it once."),
    ("eights", {**EIGHTS, "gone": "5H"}, "5♥ appears 2 times, in the hand and --gone"),
    ("eights", {**EIGHTS, "suit": "wood"}, "--suit must be diamonds or clubs or hearts or spades, not 'wood'."),
    ("eights", {**EIGHTS, "suit": "clubs"}, "--suit is for an eight, and the top card isn't one."),
    ("eights", {**EIGHTS, "counts": "1 2 0"}, "--counts needs a whole number from 1 to 49, not '0'."),
    ("eights", {**EIGHTS, "counts": "1 2"}, "--counts needs a number for each of the 3 other players, not 2."),
    ("eights", {**EIGHTS, "counts": "45 2 3"}, "there are only 2 cards left for 3 hidden ones"),
    ("eights", {**EIGHTS, "drawn": "4"}, "--drawn needs a whole number from 0 to 3, not '4'."),
    ("go", {HAND: "2D 3D 4D 5D 6D 7D 8D 9D 0D"}, "after 0 of 10 turns the hand has 10 cards, not 9."),
    ("go", {HAND: "2D 3D", "seat": "4"}, "--seat needs a whole number from 0 to 3, not '4'."),
    ("hearts", {HAND: "2C 3C"}, "the hand must have 13 cards, not 2."),
    ("hearts", {HAND: "3C"}, "the two of clubs leads to the first trick."),
    ("hearts", {HAND: "3C", "history": "4C 5C"}, "the two of clubs leads to the first trick."),
    (
        "hearts",
        {HAND: "3C", "history": "2C 4C, 5C"},
        "--history: trick 1 needs a card of each of the 4 players, not 2♣ 4♣.",
    ),
    ("hearts", {HAND: "3C", "history": "2C 4C"}, "--history, --leader: another player is to move."),
    ("hearts", {HAND: "3C", "history": "2C 4C 5C 6C, 7D 8D KC"}, "another player is to move."),
    (
        "hearts",
        {HAND: "3C", "history": "2C 4C 5C 8D, 7C KC AC 9C", "leader": "1"},
        "K♣ is played by a player who had shown",
    ),
    ("hearts", {HAND: "3C", "history": "2C", "pass": "left"}, "no card is played before cards have been passed."),
    ("hearts", {HAND: "3C", "pass": "up"}, "--pass must be left or right or across or nowhere, not 'up'."),
    ("hearts", {HAND: "3C", "leader": "4"}, "--leader needs a whole number from 0 to 3, not '4'."),
    ("hearts-mini", {HAND: "3H", "history": "2C KH QS"}, "no deal makes these plays possible."),
    ("go-mini", {HAND: "2C", "history": "2D 3C, 4D"}, "--history: turn 2 needs a card of each of the 2 seats, not 4♦."),
    (
        "go-mini",
        {HAND: "2C", "history": "2D 3C, 4D 2C"},
        "2♣ appears 2 times, in the hand and --history, but go-mini has it",
    ),
    (
        "go-mini",
        {HAND: "2C", "history": "2D 3C, 4D 4C", "held": "2D 4C 2C"},
        "--held needs the hands of all 2 turns before this one, not of 1.",
    ),
    (
        "go-mini",
        {HAND: "2C", "history": "2D 3C, 4D 4C", "held": "2D 4C 2C, 4D"},
        "--held: in turn 2 the hand had 2 cards, not 1.",
    ),
    (
        "go-mini",
        {HAND: "2C", "history": "2D 3C, 4D 4C", "held": "2D 4C 3D, 4D AC"},
        "--held: of the hand of turn 1 3♦ are left, which contradicts the next hand.",
    ),
    (
        "go-mini",
        {HAND: "2C", "history": "2D 3C, 4D 4C", "held": "2D AC 2C, 4D 3D"},
        "--held: the hand of turn 1 was passed on, and 4♣, laid from it in turn 2, was not in it.",
    ),
    ("huxxy", {HAND: ""}, 'give the cards of your hand, as in \'kibitz best huxxy "4C 5D 6S KC 9H" --table'),
    ("huxxy", {HAND: "4C 4C", "table": "4C 5D 6S"}, "4♣ appears 3 times, in the hand and the hand and --table"),
    ("huxxy-mini", {HAND: "2C 2C"}, "a card is given more often than huxxy-mini has it."),
    (
        "huxxy",
        {HAND: "KC", "table": "AC 2D 3S, 4C 5C"},
        "--table: group 2 isn't a run or a set, but every turn ends with",
    ),
    ("huxxy", {HAND: "KC", "counts": "1 0 1"}, "--counts needs a whole number from 1 to 103, not '0'."),
    ("huxxy", {HAND: "KC", "opened": "perhaps"}, "--opened must be yes or no, not 'perhaps'."),
    ("huxxy", {HAND: "KC", "table": ", ".join(MANY)}, "--table: there are at most 40 groups, not 41."),
    ("holdem:players=2", {HAND: "AS"}, "the hand has 2 cards in holdem:players=2, not 1."),
    (
        "holdem:players=2",
        {**HOLDEM, "board": "AS"},
        "A♠ appears 2 times, in the hand and --board, but holdem:players=2 has it",
    ),
    ("draw:players=2", {**DRAW, "thrown": "2C"}, "2♣ appears 2 times, in the hand and --thrown"),
    (
        "draw:players=2",
        {**DRAW, "line": "call, check, pat", "thrown": "3C"},
        "--thrown: you have discarded 0 cards by then, not 1.",
    ),
    (
        "draw:players=2",
        {**DRAW, "line": "call, check, draw 1, draw 0", "thrown": "3C 4C"},
        "--thrown: you have discarded 1 cards by then, not 2.",
    ),
    (
        "draw:players=2",
        {**DRAW, "line": "call, check, draw 6"},
        "--line: action 3, 'draw 6': --line needs a whole number from 0 to 5",
    ),
    (
        "draw:players=2",
        {**DRAW, "pot": "30"},
        "--pot is for two players, without a draw: use --line in draw:players=2.",
    ),
    (
        "holdem:players=3",
        {**HOLDEM, "pot": "30"},
        "--pot is for two players, without a draw: use --line in holdem:players=3",
    ),
    ("holdem:players=2", {**HOLDEM, "pot": "80", "call": "40"}, "--pot needs a whole number from 81 to"),
    ("holdem:players=2", {**HOLDEM, "pot": "0"}, "--pot needs a whole number from 1 to"),
    ("holdem:players=2", {**HOLDEM, "pot": "30", "stack": "0"}, "--stack needs a whole number from 1 to"),
    (
        "holdem:players=2",
        {**HOLDEM, "pot": "151", "stack": "1000", "theirs": "850"},
        "with 1000 chips each: for this position, write stack=1001",
    ),
    ("holdem:players=2", {**HOLDEM, "pot": "15", "stack": "1001", "theirs": "0"}, "write stack=1001 among"),
    (
        "holdem:players=2",
        {**HOLDEM, "pot": "100", "stack": "400", "board": "2S"},
        "--board has 0 or 3 or 4 or 5 cards in holdem:players=2, not 1.",
    ),
    (
        "holdem:players=2,hands=2",
        {**HOLDEM, "line": "fold"},
        "--line: these actions end the hand, so nobody has a decision.",
    ),
    (
        "holdem:players=2,hands=2",
        {**HOLDEM, "line": "fold, check"},
        "--line: the hand is over before action 2, 'check'.",
    ),
    (
        "holdem:players=2,hands=1",
        {**HOLDEM, "line": "fold, check"},
        "--line: the hand is over before action 2, 'check'.",
    ),
    ("holdem:players=2", {**HOLDEM, "line": "call, check"}, "--board: the board has 3 cards by then, not 0."),
    ("president", {HAND: ""}, "give the cards of your hand, as in 'kibitz best president"),
    ("president", {HAND: "5H", "pile": "5H"}, "5♥ appears 2 times, in the hand and --pile, but president has it once."),
    ("president", {HAND: "5H", "counts": "0 0 0"}, "--counts: the round is over once nobody else holds a card."),
    ("president", {HAND: "5H", "counts": "14 1 1"}, "--counts needs a whole number from 0 to 13, not '14'."),
    ("president", {HAND: "5H", "pile": "4D", "by": "4"}, "--by needs a whole number from 1 to 3, not '4'."),
    ("president", {HAND: "5H", "pile": "4D", "by": "0"}, "--by needs a whole number from 1 to 3, not '0'."),
    (
        "president",
        {HAND: "2D 2C 2H 2S AD AC AH AS KD KC KH KS QD QC"},
        "each of 4 players is dealt 13 cards at most, 52 in all: you gave more",
    ),
    ("president", {HAND: "5H", "pile": "4D 5D"}, "--pile: 4♦ 5♦: Those cards don't make a move"),
    (
        "president",
        {HAND: "5H", "pile": "4D", "gone": "4C", "counts": "1 2 3"},
        "52 cards were dealt: with 1 in the hand, 1 on the pile and 1 gone the others hold 49, not 6.",
    ),
]


@pytest.mark.parametrize(("name", "told", "sentence"), REFUSED)
def test_an_impossible_position_is_refused_with_the_reason(name, told, sentence):
    with pytest.raises((NotationError, RuleError)) as refusal:
        position_from_facts(kibitz.game(name), told, Random(0))
    assert sentence in str(refusal.value)
