"""What games say, word by word: the sentence of every event and question, what typed words mean, and what they do not.

In cribbage, Go, Huxxy, poker and President; each sentence follows from the event, by the rules and by grammar.
"""

import pytest

from kibitz.cards import parse, parse_cards
from kibitz.engine.registry import game
from kibitz.engine.sentences import names_for
from kibitz.engine.setup_position import HAND
from kibitz.errors import NotationError
from kibitz.games.cribbage import view as cribbage
from kibitz.games.cribbage import words as cribbage_words
from kibitz.games.go import view as go
from kibitz.games.go import words as go_words
from kibitz.games.huxxy import view as huxxy
from kibitz.games.huxxy import words as huxxy_words
from kibitz.games.poker.rules import MOST
from kibitz.games.president import moves
from kibitz.games.president import view as president
from kibitz.games.president import words as president_words
from kibitz.games.president.rules import RANK, TRADE
from tests.games.president_table import PRESIDENT as GAME
from tests.games.president_table import next_trade
from tests.games.setup_position import seen

NAMES = ("Ann", "Ben", "Cem", "Dan")


def cards(text):
    """Cards as a tuple."""
    return tuple(parse_cards(text.split()))


ONE = parse("5H")
CRIBBAGE = [
    (cribbage.Started((), 1, 121, 6, 2, True), 0, "One game of cribbage to 121."),
    (cribbage.Started((), 2, 61, 6, 2, True), 0, "2 games of cribbage to 61."),
    (cribbage.Cut(cards("3D KS"), 0), 0, "You cut 3♦ and Ben K♠: you deal first."),
    (cribbage.Cut(cards("KS 3D"), 1), 0, "You cut K♠ and Ben 3♦: Ben deals first."),
    (cribbage.Cut(cards("KS 3D"), 1), 1, "Ann cuts K♠ and You 3♦: you deal first."),
    (cribbage.Dealt(0, 1, 0, 0, cards("5H 6S")), 0, "Deal 1: you deal and have the crib. You hold 5♥ 6♠."),
    (cribbage.Dealt(1, 3, 1, 0, ()), 0, "Game 2, deal 3: Ben deals and has the crib."),
    (cribbage.Laid(0, 2, cards("5H 6S")), 0, "You lay 5♥ 6♠ away."),
    (cribbage.Laid(1, 2, None), 0, "Ben lays two cards away."),
    (cribbage.Laid(1, 1, None), 0, "Ben lays one card away."),
    (cribbage.TurnedUp(parse("JH"), 1, 2, 12), 0, "The starter is J♥: two for his heels, Ben has 12."),
    (cribbage.TurnedUp(parse("JH"), 0, 2, 12), 0, "The starter is J♥: two for his heels, you have 12."),
    (cribbage.TurnedUp(ONE, 1, 0, 12), 0, "The starter is 5♥."),
    (cribbage.Played(1, ONE, 15, 1, 0, 2, 9), 0, "Ben plays 5♥, which makes 15: fifteen for two, now 9."),
    (cribbage.Played(0, ONE, 31, 1, 0, 2, 9), 0, "You play 5♥, which makes 31: thirty-one for two, now 9."),
    (cribbage.Played(0, ONE, 10, 2, 0, 2, 9), 0, "You play 5♥, which makes 10: a pair for two, now 9."),
    (cribbage.Played(0, ONE, 15, 3, 0, 8, 9), 0,
     "You play 5♥, which makes 15: fifteen for two, a pair royal for six, now 9."),
    (cribbage.Played(0, ONE, 20, 4, 0, 12, 19), 0,
     "You play 5♥, which makes 20: a double pair royal for twelve, now 19."),
    (cribbage.Played(0, ONE, 12, 1, 3, 3, 9), 0, "You play 5♥, which makes 12: a run of three for three, now 9."),
    (cribbage.Played(0, ONE, 12, 1, 0, 0, 9), 0, "You play 5♥, which makes 12."),
    (cribbage.Went(1), 0, "Ben says go."),
    (cribbage.Went(0), 0, "You say go."),
    (cribbage.CountEnded(0, 30, 1, 7, 1), 0,
     "One for the last card, you have 7; the count starts again, and Ben leads."),
    (cribbage.CountEnded(1, 30, 1, 7, 0), 0, "One for the last card, Ben has 7; the count starts again, and you lead."),
    (cribbage.CountEnded(1, 31, 0, 7, 0), 0, "The count starts again, and you lead."),
    (cribbage.CountEnded(1, 31, 0, 7, 0), 1, "The count starts again, and Ann leads."),
    (cribbage.CountEnded(1, 31, 0, 7, -1), 0, "All cards are played."),
    (cribbage.CountEnded(1, 30, 1, 7, -1), 0, "One for the last card, Ben has 7."),
    (cribbage.Finished((1, 3)), 1, "The match is over: Ann 1 and You 3."),
    (cribbage.GameEnded(0, (121, 100), 1, (1, 0)), 0, "Game 1 is over: You 121 and Ben 100."),
]  # fmt: skip
GO = [
    (go.Started(4, 10, (), False, 0, cards("2D 5H")), 0, "4 players get 10 cards each. You hold 2♦ 5♥."),
    (go.Started(4, 10, (), False, -1, None), -1, "4 players get 10 cards each."),
    (go.Chose(1, None), 0, "Ben lays a card face down."),
    (go.Chose(0, ONE), 0, "You lay 5♥ face down."),
    (go.Revealed(0, cards("2D 5H"), cards("3D")), 0, "Turn 1: You 2♦ and Ben 5♥. You now hold 3♦."),
    (go.Revealed(9, cards("2D 5H"), ()), 0, "Turn 10: You 2♦ and Ben 5♥."),
    (go.Revealed(8, cards("2D 5H"), None), -1, "Turn 9: Ann 2♦ and Ben 5♥."),
    (go.Grouped(0, cards("KS KH"), 26, 1), 0, "You group K♠ K♥ for +26."),
    (go.Grouped(1, cards("2D"), -2, 0), 0, "Ben groups 2♦ for -2."),
    (go.Finished((26, -2)), 1, "The game is over: Ann +26 and You -2."),
]  # fmt: skip
HUXXY = [
    (huxxy.Started(4, (), 12, 6, 24, 0, cards("2D 5H")), 0, "4 players get 12 cards each. You hold 2♦ 5♥."),
    (huxxy.Started(4, (), 12, 6, 24, -1, None), -1, "4 players get 12 cards each."),
    (huxxy.PickedUp(0, ONE, 1), 0, "You pick up 5♥. Ben is to play."),
    (huxxy.PickedUp(1, None, 0), 0, "Ben picks up a card. You are to play."),
    (huxxy.PickedUp(1, None, -1), 0, "Ben picks up a card."),
    (huxxy.Played(1, ONE, 2, True), 0, "Ben starts group 3 with 5♥."),
    (huxxy.Played(0, ONE, 0, False), 0, "You put 5♥ to group 1."),
    (huxxy.Moved(1, ONE, 0, 2, False), 0, "Ben moves 5♥ from group 1 to group 3."),
    (huxxy.Moved(0, ONE, 1, 3, True), 0, "You move 5♥ from group 2 to a new group."),
    (huxxy.TurnEnded(0, 1), 0, "You end your turn. Ben is to play."),
    (huxxy.TurnEnded(1, -1), 0, "Ben ends the turn."),
    (huxxy.Conceded(1), 0, "Ben cannot end the turn and concedes."),
    (huxxy.Conceded(0), 0, "You cannot end the turn and concede."),
    (huxxy.Finished((cards("AC KD XX"), (), cards("2D"))), 1,
     "The game is over. In hand: Ann A♣ K♦ XX (62), You nothing (0) and Cem 2♦ (2)."),
]  # fmt: skip
REST = ((), 2, False, 0, True, False, 31)
PRESIDENT = [
    (president.Started(4, 1, *REST), 0, "4 players play one round of President."),
    (president.Started(5, 3, *REST), 0, "5 players play 3 rounds of President."),
    (president.Dealt(0, (0, 1, 2), (18, 17, 17), 0, cards("5H"), parse("3D"), 1), 0,
     "Round 1: everyone gets 17 or 18 cards. Ben holds the lowest card, 3♦, and leads. You hold 5♥."),
    (president.Dealt(0, (0, 1, 2), (17, 17, 17), 0, cards("5H"), parse("3D"), 0), 0,
     "Round 1: everyone gets 17 cards. You hold the lowest card, 3♦, and lead. You hold 5♥."),
    (president.Dealt(1, (0, 1, 2), (17, 17, 17), -1, (), None, 0), -1, "Round 2: everyone gets 17 cards."),
    (president.Gave(0, 3, 0, 2, None), 1, "Dan gives 2 cards to Ann."),
    (president.Gave(1, 2, 1, 1, None), 0, "Cem gives a card to Ben."),
    (president.Gave(0, 3, 0, 2, cards("2S 2H")), 0, "Dan gives 2♠ 2♥ to you."),
    (president.Gave(0, 3, 0, 2, cards("2S 2H")), 3, "You give 2♠ 2♥ to Ann."),
    (president.Trading(0, 0, 0, 0), 0, "You lead."),
    (president.Trading(1, 0, 0, 0), 0, "Ben leads."),
    (president.Named(0, 3, parse("2S"), True), 1, "Ann asks Dan for 2♠ and gets it."),
    (president.Named(0, 3, parse("2S"), True), 0, "You ask Dan for 2♠ and get it."),
    (president.Named(0, 3, parse("2S"), False), 3, "Ann asks you for 2♠, in vain."),
    (president.Requested(0, 3, cards("2S"), None), 1, "Ann asks Dan for 2♠, in vain, and asks again."),
    (president.Requested(0, 3, cards("2S"), None), 0, "You ask Dan for 2♠, in vain, and ask again."),
    (president.Requested(0, 3, cards("2S"), parse("2S")), 3, "Ann asks you for 2♠ and gets it."),
    (president.Requested(0, 3, cards("KD KC KH KS"), parse("KH")), 0, "You ask Dan for any K and get K♥."),
    (president.Requested(0, 3, cards("0D 0S"), parse("0S")), 1, "Ann asks Dan for any 10 and gets 10♠."),
    (president.Requested(0, 3, cards("3D 3S"), None), 1, "Ann asks Dan for any 3, in vain, and asks again."),
    (president.Returned(0, 3, None), 1, "Ann returns a card to Dan."),
    (president.Returned(0, 3, ONE), 0, "You return 5♥ to Dan."),
    (president.Returned(0, 3, ONE), 3, "Ann returns 5♥ to you."),
    (president.Played(1, cards("5H 5S"), 2), 0, "Ben plays 5♥ 5♠."),
    (president.Played(0, cards("5H"), 2), 0, "You play 5♥."),
    (president.Passed(1, 2), 0, "Ben passes."),
    (president.Passed(0, 1), 0, "You pass."),
    (president.TrickEnded(1), 0, "The pile is cleared; Ben leads."),
    (president.TrickEnded(0), 0, "The pile is cleared; you lead."),
    (president.WentOut(0, 0, "President"), 0, "You are President."),
    (president.WentOut(1, 0, "President"), 0, "Ben is President."),
    (president.RoundEnded(0, (), (2, -2)), 0, "Round 1 is over: You +2 and Ben -2."),
    (president.Finished((2, 0)), 1, "The game is over: Ann +2 and You +0."),
]  # fmt: skip
SAID = [
    (words, *one)
    for words, said in (
        (cribbage_words, CRIBBAGE), (go_words, GO), (huxxy_words, HUXXY), (president_words, PRESIDENT),
    )
    for one in said
]  # fmt: skip


@pytest.mark.parametrize(("words", "event", "seat", "sentence"), SAID)
def test_an_event_is_told_in_these_words(words, event, seat, sentence):
    assert words.describe(event, seat, names_for(seat, NAMES)) == sentence


LAYING = {HAND: "5C 6C 7C 8C AS AD", "crib": "mine"}
IN_PLAY = {"crib": "theirs", "starter": "7D"}
OPEN = {HAND: "2C 2C 5H", "table": "AC 2D 3S, KS KH KD", "opened": "yes"}
ASKED = [
    ("cribbage", LAYING,
     "Which two cards do you discard to your own crib? 'keeps' is what your other cards score.",
     {"AD AS": "A♦ A♠  (keeps 10)", "AD 5C": "A♦ 5♣  (keeps 7)", "5C 6C": "5♣ 6♣  (keeps 4)"}),
    ("cribbage", {HAND: "5C 6C 7C QC KC AC", "crib": "theirs"},
     "Which two cards do you discard to your opponent's crib? 'keeps' is what your other cards score.",
     {"AC QC": "A♣ Q♣  (keeps 9)", "QC KC": "Q♣ K♣  (keeps 7)"}),
    ("cribbage-mini", {HAND: "4D JD JC", "crib": "mine"},
     "Which card do you discard to your own crib? 'keeps' is what your other cards score.",
     {"4D": "4♦  (keeps 2)", "JD": "J♦  (keeps 0)"}),
    ("cribbage", {**IN_PLAY, HAND: "5H 6S 7C 8C"}, "You lead. Which card do you play?", {"5H": "5♥  (makes 5)"}),
    ("cribbage", {**IN_PLAY, HAND: "5H 6S 8C", "played": "7H 7C"}, "The count is 14. Which card do you play?",
     {"5H": "5♥  (makes 19)", "6S": "6♠  (makes 20)"}),
    ("cribbage", {**IN_PLAY, HAND: "7S 6S AC", "played": "7H 7C"}, "The count is 14. Which card do you play?",
     {"7S": "7♠  (makes 21: a pair royal for six)", "6S": "6♠  (makes 20)", "AC": "A♣  (makes 15: fifteen for two)"}),
    ("cribbage", {**IN_PLAY, HAND: "5S 4S 9C", "played": "7H 6C"}, "The count is 13. Which card do you play?",
     {"5S": "5♠  (makes 18: a run of three for three)", "9C": "9♣  (makes 22)"}),
    ("cribbage", {**IN_PLAY, HAND: "9H 9S", "played": "KH KC 2H 2D"},
     "The count is 24, and no card of yours fits under 31: say go.", {"go": "go"}),
    ("cribbage", {**IN_PLAY, HAND: "9H 7S", "played": "KH KC 2H 2D"}, "The count is 24. Which card do you play?",
     {"7S": "7♠  (makes 31: thirty-one for two)"}),
    ("go", {HAND: "2D 3D 4D 5D 6D 7D 8D 9D 0D AD"}, "Turn 1 of 10: which card do you keep?", {"2D": "2♦", "AD": "A♦"}),
    ("go-mini", {HAND: "", "history": "2D AC, 3D 4C, 4D 3C", "seat": "0"}, "Select the cards of a group with 2♦.",
     {"2D": "2♦  (-2)"}),
    ("go-mini", {HAND: "", "history": "2D 2C, 3C 3D, 4D 4C", "seat": "0"}, "Select the cards of a group with 2♦.",
     {"2D": "2♦  (-2)", "2D 3C 4D": "2♦ 3♣ 4♦  (+9)"}),
    ("huxxy", OPEN, "Pick up a card, or play up to 6 cards.",
     {"pick up": "pick up a card  (ends the turn)", "2C>1": "2♣ to group 1", "5H>2": "5♥ to group 2",
      "5H>new": "5♥ to a new group"}),
    ("huxxy", {HAND: "2C 5H"},
     "Pick up a card, or play up to 6 cards. Your first turn on the table must bring 24 points from your hand.",
     {"2C>new": "2♣ to a new group"}),
    ("holdem:players=2,hands=1", {HAND: "AS KS", "line": ""},
     "Your turn, with 995 chips: call 5 into a pot of 15, raise to any amount from 20 to 1000, or fold.",
     {"fold": "fold", "call": "call 5", "raise 20": "raise to 20  (half the pot)", "raise 30": "raise to 30  (the pot)",
      "raise 1000": "raise to 1000  (all in)"}),
    ("holdem:players=2,hands=1", {HAND: "AS KS", "line": "call, check, check", "board": "2D 7C 9S"},
     "Your turn, with 990 chips: check, or bet any amount from 10 to 990.",
     {"check": "check", "bet 10": "bet 10  (half the pot)", "bet 20": "bet 20  (the pot)",
      "bet 990": "bet 990  (all in)"}),
    ("holdem:players=2,hands=1", {HAND: "AS KS", "line": "raise 60, call, bet 10", "board": "2D 7C 9S"},
     "Your turn, with 940 chips: call 10 into a pot of 130, raise to any amount from 20 to 940, or fold.",
     {"call": "call 10", "raise 20": "raise to 20  (the least)", "raise 80": "raise to 80  (half the pot)"}),
    ("holdem:players=2,hands=1", {HAND: "AS KS", "line": "raise 1000"},
     "Your turn, with 990 chips: call 990 (all in) into a pot of 1010, or fold.", {"call": "call 990  (all in)"}),
    ("draw:players=2,hands=1", {HAND: "AS KS QS JS 2C", "line": "call, check"},
     "Your draw: which cards do you discard? Stand pat to keep all.",
     {"pat": "stand pat", "discard 2C": "2♣", "discard AS 2C JS QS KS": "A♠ 2♣ J♠ Q♠ K♠"}),
    ("president", {HAND: "5H 5S", "pile": "4D 4H"}, "Round 1 of 3: play 2 cards that are higher than 4♦ 4♥, or pass.",
     {"5H 5S": "5♥ 5♠", "pass": "pass"}),
    ("president", {HAND: "5H 5S", "pile": "4D"}, "Round 1 of 3: play a higher card than 4♦, or pass.", {"5S": "5♠"}),
    ("president", {HAND: "4D 5S 6S 7S 8S 9S"}, "Round 1 of 3: you lead. What do you play?",
     {"4D": "4♦", "5S 6S 7S 8S 9S": "5♠ 6♠ 7♠ 8♠ 9♠  (straight flush)",
      "4D 5S 6S 7S 8S": "4♦ 5♠ 6♠ 7♠ 8♠  (straight)"}),
]  # fmt: skip


@pytest.mark.parametrize(("name", "told", "question", "labels"), ASKED)
def test_a_seat_is_asked_in_these_words_and_its_actions_are_called_so(name, told, question, labels):
    played, view = seen(name, told)
    assert played.words.prompt(view) == question
    state = played.blank()
    played.restore(state, view)
    called = {played.text(view, action): played.words.label(view, action) for action in played.legal(state)}
    assert {text: called.get(text) for text in labels} == labels


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
        (f"raise {MOST}", f"raise {MOST}"), ("f", "fold"),
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
def test_typed_words_mean_an_action(name, told, typed, text):
    played, view = seen(name, told)
    assert played.text(view, played.parse(view, typed)) == text


UNREAD = [
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
    ("huxxy", {**OPEN, "table": "KS KH KD, KS KH KC"}, "KS new", "K♠ is in several groups: say from which"),
    ("holdem:players=2,hands=1", {HAND: "AS KS"}, f"raise {MOST + 1}", f"no amount is more than {MOST} chips."),
    ("holdem:players=2,hands=1", {HAND: "AS KS"}, "raise 00000000020", f"no amount is more than {MOST} chips."),
    ("holdem:players=2,hands=1", {HAND: "AS KS"}, "2C", "Say 'fold', 'check', 'call', 'raise 240', 'bet 40' or"),
    ("holdem:players=2,hands=1", {HAND: "AS KS"}, "45", "Say 'fold', 'check', 'call', 'raise 240', 'bet 40' or"),
    ("draw:players=2,hands=1", {HAND: "AS KS QS JS 2C", "line": "call, check"}, "3C", "3♣ is not in your hand."),
    ("draw:players=2,hands=1", {HAND: "AS KS QS JS 2C", "line": "call, check"}, "discard", "Name the cards that you"),
    ("president", {HAND: "5H 5S"}, "XX", "President is played without jokers."),
    ("president", {HAND: "5H 5S"}, "", "Name the cards of a move, such as '5H 5S', or 'pass'."),
    ("president", {HAND: "5H 5S"}, "5H 6S", "Those cards don't make a move"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "told", "typed", "sentence"), UNREAD)
def test_words_that_mean_nothing_are_refused_with_what_is_wrong(name, told, typed, sentence):
    played, view = seen(name, told)
    with pytest.raises(NotationError) as refusal:
        played.parse(view, typed)
    assert str(refusal.value).startswith(sentence)


def test_any_card_of_a_value_is_asked_for_by_its_name_or_its_letter():
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


def test_what_is_asked_for_in_a_trade_is_written_as_it_is_said():
    open_game = next_trade(game("president-open"))
    view = game("president-open").view(open_game, open_game.player)
    written = [president_words.text(view, RANK + height) for height in range(13)]
    assert written == [f"any {letter}" for letter in ("3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A", "2")]
    assert president_words.text(view, TRADE) == "3D"
    assert president_words.label(view, TRADE) == "3♦"
    assert president_words.label(view, RANK) == "any 3"


def test_the_first_five_cards_are_called_what_they_are():
    _, view = seen("president", {HAND: "3D"})
    assert president_words.label(view, moves.STRAIGHT).endswith("  (straight)")
    assert "(" not in president_words.label(view, moves.STRAIGHT - 1)


def test_in_play_every_move_is_offered_and_the_lowest_card_is_asked_for_at_the_very_beginning():
    state = GAME.deal(1)
    view = GAME.view(state, state.player)
    legal = GAME.legal(state)
    assert president_words.leading(view, legal) == legal
    assert president_words.prompt(view) == "Round 1 of 3: you lead. What do you play? Your move must contain 3♦."
    GAME.advance(state, legal[0])
    for _ in range(3):
        GAME.advance(state, president_words.PASS)
    view = GAME.view(state, state.player)
    assert president_words.prompt(view) == "Round 1 of 3: you lead. What do you play?"
