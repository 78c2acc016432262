"""Typed text that is read or refused, and sentences that occur in no game of ``tests/engine/said``."""

import pytest

from kibitz.cards import parse, parse_cards
from kibitz.engine.registry import game
from kibitz.engine.sentences import names_for
from kibitz.engine.setup_position import HAND
from kibitz.errors import NotationError
from kibitz.games.cribbage import view as cribbage
from kibitz.games.cribbage import words as cribbage_words
from kibitz.games.huxxy import view as huxxy
from kibitz.games.huxxy import words as huxxy_words
from kibitz.games.poker.rules import MAX_AMOUNT
from kibitz.games.president import moves
from kibitz.games.president import view as president
from kibitz.games.president import words as president_words
from kibitz.games.president.rules import ANY_OF_VALUE, TRADE
from tests.games.president_table import PRESIDENT as GAME
from tests.games.president_table import next_trade
from tests.games.setup_position import view_from_facts

NAMES = ("Ann", "Ben", "Cem", "Dan")


def cards(text):
    """Cards as a tuple."""
    return tuple(parse_cards(text.split()))


ONE = parse("5H")
CRIBBAGE = [
    (cribbage.Played(0, ONE, 15, 3, 0, 8, 9), 0,
     "You play 5♥, which makes 15: fifteen for two, a pair royal for six, now 9."),
    (cribbage.Played(0, ONE, 20, 4, 0, 12, 19), 0,
     "You play 5♥, which makes 20: a double pair royal for twelve, now 19."),
]  # fmt: skip
HUXXY = [
    (huxxy.Moved(1, ONE, 0, 2, False), 0, "Ben moves 5♥ from group 1 to group 3."),
    (huxxy.Finished((cards("AC KD XX"), (), cards("2D"))), 1,
     "The game is over. In hand: Ann A♣ K♦ XX (62), You nothing (0) and Cem 2♦ (2)."),
]  # fmt: skip
REST = ((), 2, False, 0, True, False, 31)
PRESIDENT = [
    (president.Started(4, 1, *REST), 0, "4 players play one round of President."),
    (president.Dealt(0, (0, 1, 2), (18, 17, 17), 0, cards("5H"), parse("3D"), 1), 0,
     "Round 1: everyone gets 17 or 18 cards. Ben holds the lowest card, 3♦, and leads. You hold 5♥."),
    (president.Requested(0, 3, cards("KD KC KH KS"), parse("KH")), 0, "You ask Dan for any K and get K♥."),
    (president.Requested(0, 3, cards("0D 0S"), parse("0S")), 1, "Ann asks Dan for any 10 and gets 10♠."),
]  # fmt: skip
DESCRIBED = [
    (words, *one)
    for words, said in (
        (cribbage_words, CRIBBAGE), (huxxy_words, HUXXY), (president_words, PRESIDENT),
    )
    for one in said
]  # fmt: skip


@pytest.mark.parametrize(("words", "event", "seat", "sentence"), DESCRIBED)
def test_event_is_described_by_its_sentence(words, event, seat, sentence):
    assert words.describe(event, seat, names_for(seat, NAMES)) == sentence


LAYING = {HAND: "5C 6C 7C 8C AS AD", "crib": "mine"}
IN_PLAY = {"crib": "theirs", "starter": "7D"}
OPEN = {HAND: "2C 2C 5H", "table": "AC 2D 3S, KS KH KD", "opened": "yes"}


READ = [
    ("cribbage", LAYING, "as ad", "AD AS"),
    ("cribbage", {**IN_PLAY, HAND: "5H 6S 7C 8C"}, " 5h ", "5H"),
    ("cribbage", {**IN_PLAY, HAND: "5H 6S 7C 8C"}, " Go", "go"),
    ("go-mini", {HAND: "", "history": "2D 2C, 3C 3D, 4D 4C"}, "4D 2D 3C", "2D 3C 4D"),
    ("huxxy", OPEN, "put 2C to group 1", "2C>1"),
    ("huxxy", OPEN, "2C, new", "2C>new"),
    ("huxxy", OPEN, "KS 2", "KS 2>2"),
    ("huxxy", OPEN, "KS new", "KS 2>new"),
    ("huxxy", OPEN, "KS 2>1", "KS 2>1"),
    ("huxxy", OPEN, "Draw", "pick up"),
    ("huxxy", OPEN, "end the  turn", "end"),
    ("huxxy", OPEN, "concede", "concede"),
    *[("holdem:players=2,hands=1", {HAND: "AS KS"}, typed, text) for typed, text in (
        ("min", "raise 20"), ("Pot", "raise 30"), ("half  pot", "raise 20"), ("half", "raise 20"),
        ("all in", "raise 1000"), ("raise to 45", "raise 45"), ("b 45", "raise 45"), ("c", "call"),
        (f"raise {MAX_AMOUNT}", f"raise {MAX_AMOUNT}"), ("f", "fold"),
    )],
    ("holdem:players=2,hands=1,stack=25", {HAND: "AS KS", "line": "raise 20"}, "min", "raise 25"),
    ("holdem:players=2,hands=1", {HAND: "AS KS", "line": "raise 1000"}, "min", "raise 1990"),
    ("holdem:players=2,hands=1", {HAND: "AS KS", "line": "raise 1000"}, "all in", "call"),
    *[("draw:players=2,hands=1", {HAND: "AS KS QS JS 2C", "line": "call, check"}, typed, text) for typed, text in (
        ("discard 2c", "discard 2C"), ("Discard2C", "discard 2C"), ("js 2c", "discard 2C JS"),
        ("ks as", "discard AS KS"),
        ("pat", "pat"),
    )],
    ("president", {HAND: "5H 5S"}, "P", "pass"),
    ("president", {HAND: "5H 5S"}, "5s 5h", "5H 5S"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "told", "typed", "text"), READ)
def test_typed_text_is_read_as_an_action(name, told, typed, text):
    played, view = view_from_facts(name, told)
    assert played.text(view, played.parse(view, typed)) == text


TOO_MUCH = f"an amount can be at most {MAX_AMOUNT} chips."
REFUSED = [
    ("cribbage", LAYING, "AS", "Discard exactly 2 cards, not 1."),
    ("cribbage", LAYING, "AS AD 5C", "Discard exactly 2 cards, not 3."),
    ("cribbage-mini", {HAND: "4D JD JC", "crib": "mine"}, "4D JD", "Discard exactly 1 card, not 2."),
    ("cribbage", LAYING, "AS 9H", "You don't hold 9♥: "),
    ("cribbage", LAYING, "AS XX", "Cribbage is played without jokers."),
    ("go", {HAND: "2D 3D 4D 5D 6D 7D 8D 9D 0D AD"}, "2D 3D", ""),
    ("go-mini", {HAND: "", "history": "2D 2C, 3C 3D, 4D 4C"}, "", "Name the cards of one group, such as 'KS KH'."),
    ("go-mini", {HAND: "", "history": "2D 2C, 3C 3D, 4D 4C"}, "2D 2C", "2♣ is not among your discards."),
    ("huxxy", OPEN, "2C", "'2C' isn't a play: write one card and its group"),
    ("huxxy", OPEN, "2C 5H 1", "'2C 5H 1' isn't a play"),
    ("huxxy", OPEN, "KS 1 2 new", "'KS 1 2 new' isn't a play"),
    ("huxxy", OPEN, "KS 1>2", "K♠ is not in group 1."),
    ("huxxy", OPEN, "2C 42", "There is no group 42."),
    ("huxxy", {**OPEN, "table": "KS KH KD, KS KH KC"}, "KS new", "K♠ is in several groups: name the one"),
    ("holdem:players=2,hands=1", {HAND: "AS KS"}, f"raise {MAX_AMOUNT + 1}", TOO_MUCH),
    ("holdem:players=2,hands=1", {HAND: "AS KS"}, "raise 00000000020", TOO_MUCH),
    ("holdem:players=2,hands=1", {HAND: "AS KS"}, "2C", "Say 'fold', 'check', 'call', 'raise 240', 'bet 40' or"),
    ("holdem:players=2,hands=1", {HAND: "AS KS"}, "45", "Say 'fold', 'check', 'call', 'raise 240', 'bet 40' or"),
    ("draw:players=2,hands=1", {HAND: "AS KS QS JS 2C", "line": "call, check"}, "3C", "3♣ is not in your hand."),
    ("draw:players=2,hands=1", {HAND: "AS KS QS JS 2C", "line": "call, check"}, "discard", "Name the cards that you"),
    ("president", {HAND: "5H 5S"}, "XX", "President is played without jokers."),
    ("president", {HAND: "5H 5S"}, "", "Name the cards of a move, such as '5H 5S', or 'pass'."),
    ("president", {HAND: "5H 5S"}, "5H 6S", "Those cards don't make a move"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "told", "typed", "sentence"), REFUSED)
def test_unreadable_text_is_refused_with_the_reason(name, told, typed, sentence):
    played, view = view_from_facts(name, told)
    with pytest.raises(NotationError) as refusal:
        played.parse(view, typed)
    assert str(refusal.value).startswith(sentence)


def test_request_by_value_accepts_names_and_letters():
    value_asked_for = president_words.value_asked_for
    for height, names in enumerate(("3 three threes", "4 four fours", "5 five", "6 six sixes", "7 seven", "8 eight")):
        assert {value_asked_for(f"any {name}") for name in names.split()} == {height}
    for height, names in (
        (6, "9 nines"),
        (7, "10 0 tens"),
        (8, "J jacks"),
        (9, "q queens"),
        (10, "K kings"),
        (11, "A aces"),
    ):
        assert {value_asked_for(f"any {name}") for name in names.split()} == {height}
    assert {value_asked_for(words) for words in ("any 2", "a two", "TWOS")} == {12}
    assert {value_asked_for(words) for words in ("any fourteen", "any 1", "any", "2", "2S", "knights")} == {None}


def test_requests_are_written_as_they_are_typed():
    open_game = next_trade(game("president-open"))
    view = game("president-open").view(open_game, open_game.player)
    written = [president_words.text(view, ANY_OF_VALUE + height) for height in range(13)]
    assert written == [f"any {letter}" for letter in ("3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A", "2")]
    assert president_words.text(view, TRADE) == "3D"
    assert president_words.label(view, TRADE) == "3♦"
    assert president_words.label(view, ANY_OF_VALUE) == "any 3"


def test_first_five_card_move_is_labelled_with_its_type():
    _, view = view_from_facts("president", {HAND: "3D"})
    assert president_words.label(view, moves.STRAIGHT).endswith("  (straight)")
    assert "(" not in president_words.label(view, moves.STRAIGHT - 1)


def test_all_moves_are_offered_and_the_first_prompt_asks_for_the_lowest_card():
    state = GAME.deal(1)
    view = GAME.view(state, state.player)
    legal = GAME.legal(state)
    assert president_words.main_actions(view, legal) == legal
    assert president_words.prompt(view) == "Round 1 of 3: you lead. What do you play? Your move must contain 3♦."
    GAME.advance(state, legal[0])
    for _ in range(3):
        GAME.advance(state, president_words.PASS)
    view = GAME.view(state, state.player)
    assert president_words.prompt(view) == "Round 1 of 3: you lead. What do you play?"
