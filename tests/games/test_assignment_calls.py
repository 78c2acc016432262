"""Assignments: calls of the functions, valid answers as actions, and refused answers."""

import re
from random import Random

import pytest

import kibitz
from kibitz.cards import code
from kibitz.engine.setup_position import HAND, position_from_facts
from kibitz.engine.views.assignment_interface import HISTORY
from kibitz.engine.views.events import to_seat
from kibitz.errors import NotationError
from kibitz.games.bo import assignment as bo_assignment
from kibitz.games.go import assignment as go_assignment
from kibitz.games.huxxy import assignment as huxxy_assignment

ASSIGNMENTS = {"bo": bo_assignment, "go": go_assignment, "huxxy": huxxy_assignment}
FACTS = {
    "bo": {
        HAND: "2C 5H 5H KS", "stocks": "3C 8, QS 1, 4D 7, KS 6", "builds": "2D 3H, KC QS", "discards": ",4S;;;6D 7S",
    },
    "go": {HAND: "2C 4D", "history": "3D JS QS KS, 3S JD QD KD, 4S JH QH KH, 5D 2S 6D 7S, 5S 2D 6S 7D, 8D 9S 9D 0S,"
           " 8S 0H 9C 0C, AC AD AH AS"},
    "huxxy": {HAND: "2C 2C 5H", "table": "AC 2D 3S, KS KH KD", "opened": "yes"},
}  # fmt: skip


def view_of(name):
    """A game, its assignment and the view of the position in ``FACTS``."""
    game = kibitz.game(name)
    return game, ASSIGNMENTS[name.partition("-")[0]], game.view(position_from_facts(game, FACTS[name], Random(0)), 0)


def test_function_is_called_with_the_given_position():
    _, assignment, view = view_of("bo")
    discards = (([], ["4S"], [], []), ([], [], [], []), ([], [], [], []), (["6D", "7S"], [], [], []))
    stocks = (("3C", 8), ("QS", 1), ("4D", 7), ("KS", 6))
    asked = assignment.call(view)
    assert (asked.function, asked.arguments) == (
        "comp10001bo_play",
        (0, ["2C", "5H", "5H", "KS"], stocks, discards, (["2D", "3H"], ["KC", "QS"], [], []), HISTORY),
    )
    _, assignment, view = view_of("go")
    assert assignment.call(view).arguments == (HISTORY, 0, ["2C", "4D"])
    _, assignment, view = view_of("huxxy")
    asked = assignment.call(view)
    table = [["AC", "2D", "3S"], ["KD", "KH", "KS"]]
    assert (asked.function, asked.arguments) == ("comp10001huxxy_play", (HISTORY, 0, ["2C", "2C", "5H"], table))


ANSWERS = [
    ("bo", (0, "2C", (0, 2)), "2C h1>b3"),
    ("bo", (0, "5H", (1, (0, 3))), "5H h2>d0.4"),
    ("bo", (0, "KS", (0, 3)), "KS h4>b4"),
    ("bo", (2, "3C", (1, (3, 0))), "3C s>d3.1"),
    ("bo", (2, "3C", (0, 0)), "3C s>b1"),
    ("bo", (1, ("4S", (0, 1)), (0, 0)), "4S d0.2>b1"),
    ("bo", (1, ("7S", (3, 0)), (1, (1, 2))), "7S d3.1>d1.3"),
    ("bo", (3, None, (None, None)), "pass"),
    ("go", "2C", "2C"),
    ("go", "4D", "4D"),
    ("huxxy", (0, 0, None), "pick up"),
    ("huxxy", (0, 3, None), "end"),
    ("huxxy", (0, 1, ("2C", 0)), "2C>1"),
    ("huxxy", (0, 1, ("5H", 2)), "5H>new"),
    ("huxxy", (0, 2, ("3S", 0, 1)), "3S 1>2"),
    ("huxxy", (0, 2, ("KD", 1, 2)), "KD 2>new"),
]


@pytest.mark.parametrize(("name", "answer", "text"), ANSWERS)
def test_an_answer_is_read_as_an_action(name, answer, text):
    game, assignment, view = view_of(name)
    (action,) = assignment.reply(view, answer)
    assert game.text(view, action) == text


INVALID_ANSWERS = [
    ("bo", None, "comp10001bo_play must return a tuple (play_type, source, destination), not None."),
    ("bo", (0, "2C"), "must return a tuple (play_type, source, destination)"),
    ("bo", [0, "2C", (0, 0)], "must return a tuple (play_type, source, destination)"),
    ("bo", (True, "2C", (0, 0)), "must return a tuple (play_type, source, destination)"),
    ("bo", (4, "2C", (0, 0)), "must return a tuple (play_type, source, destination)"),
    ("bo", (-1, "2C", (0, 0)), "must return a tuple (play_type, source, destination)"),
    ("bo", (3, "2C", (None, None)), "must return a tuple (play_type, source, destination)"),
    ("bo", (3, None, (0, 0)), "must return a tuple (play_type, source, destination)"),
    ("bo", (3, None, None), "must return a tuple (play_type, source, destination)"),
    ("bo", (0, "9C", (0, 0)), "comp10001bo_play plays '9C' from the hand, which does not hold it."),
    ("bo", (2, "2C", (0, 0)), "comp10001bo_play plays '2C' from the stockpile, whose top is another card."),
    ("bo", (2, "QS", (0, 0)), "comp10001bo_play plays 'QS' from the stockpile, whose top is another card."),
    ("bo", (1, "4S", (0, 0)), "must name a discard pile as source by (card, (owner, pile)), not '4S'."),
    ("bo", (1, ("4S", (4, 1)), (0, 0)), "must name a discard pile as source by (card, (owner, pile))"),
    ("bo", (1, ("4S", (0, 4)), (0, 0)), "must name a discard pile as source by (card, (owner, pile))"),
    ("bo", (1, ("4S", (-1, 1)), (0, 0)), "must name a discard pile as source by (card, (owner, pile))"),
    ("bo", (1, ("4S", (0, -1)), (0, 0)), "must name a discard pile as source by (card, (owner, pile))"),
    ("bo", (1, ("4S", (0, True)), (0, 0)), "must name a discard pile as source by (card, (owner, pile))"),
    ("bo", (1, ("4S", [0, 1]), (0, 0)), "must name a discard pile as source by (card, (owner, pile))"),
    ("bo", (1, ("4S", (0, 1), 1), (0, 0)), "must name a discard pile as source by (card, (owner, pile))"),
    ("bo", (1, ("4S", (0, 0)), (0, 0)), "plays '4S' from discard pile (0, 0), which does not show it."),
    ("bo", (1, ("6D", (3, 0)), (0, 0)), "plays '6D' from discard pile (3, 0), which does not show it."),
    *[
        ("bo", (0, "2C", goal), "must name a destination (0, build pile 0 to 3) or (1, (owner, pile)), not")
        for goal in (0, (0,), (0, 4), (0, -1), (0, True), (False, 0), (2, 0), (True, (0, 0)), (1, 0), (1, (4, 0)),
                     (1, (0, 4)), (1, (0, 0, 0)), [0, 0], (0, 0, 0), (2, (0, 0)))
    ],
    ("go", "3D", "comp10001go_play must return one card of the hand (2C 4D), not '3D'."),
    ("go", ["2C"], "comp10001go_play must return one card of the hand as a string, not ['2C']."),
    ("huxxy", None, "comp10001huxxy_play must return a tuple (player, type, details), not None."),
    ("huxxy", (0, 0), "must return a tuple (player, type, details)"),
    ("huxxy", [0, 0, None], "must return a tuple (player, type, details)"),
    ("huxxy", (False, 0, None), "must return a tuple (player, type, details)"),
    ("huxxy", (0, False, None), "must return a tuple (player, type, details)"),
    ("huxxy", (1, 0, None), "comp10001huxxy_play must play for player 0, not for 1."),
    ("huxxy", (0, 0, 1), "must return a play of type 0 to 3 with its details, not (0, 0, 1)."),
    ("huxxy", (0, 4, None), "must return a play of type 0 to 3 with its details"),
    ("huxxy", (0, 1, None), "must return a play of type 0 to 3 with its details"),
    ("huxxy", (0, 1, ["2C", 0]), "must return a play of type 0 to 3 with its details"),
    ("huxxy", (0, 1, ("2C", 0, 0)), "must return a play of type 0 to 3 with its details"),
    ("huxxy", (0, 2, ("2D", 0)), "must return a play of type 0 to 3 with its details"),
    ("huxxy", (0, 2, ["2D", 0, 1]), "must return a play of type 0 to 3 with its details"),
    ("huxxy", (0, 1, ("9C", 0)), "comp10001huxxy_play plays '9C'. "),
    ("huxxy", (0, 1, ("2C", -1)), "comp10001huxxy_play names the group -1. "),
    ("huxxy", (0, 1, ("2C", 41)), "comp10001huxxy_play names the group 41. "),
    ("huxxy", (0, 1, ("2C", True)), "comp10001huxxy_play names the group True. "),
    ("huxxy", (0, 2, ("KD", 0, 1)), "comp10001huxxy_play moves 'KD' from group 0. "),
    ("huxxy", (0, 2, ("KD", 2, 1)), "comp10001huxxy_play moves 'KD' from group 2. "),
    ("huxxy", (0, 2, ("KD", 41, 1)), "comp10001huxxy_play names the group 41. "),
]  # fmt: skip


@pytest.mark.parametrize(("name", "answer", "sentence"), INVALID_ANSWERS)
def test_an_invalid_answer_is_refused_with_the_reason(name, answer, sentence):
    _, assignment, view = view_of(name)
    with pytest.raises(NotationError) as refusal:
        assignment.reply(view, answer)
    assert sentence in str(refusal.value)


def grouping():
    """Player 0 is to group 2C 2D 2H 4S 5S 6D 8D 0C QH AC."""
    laid = ["2C", "2D", "2H", "4S", "5D", "6S", "8D", "0C", "QH", "AC"]
    rest = [f"{value}{suit}" for value in "34567890JQK" for suit in "CHSD" if f"{value}{suit}" not in laid]
    told = {HAND: "", "history": ", ".join(" ".join([card, *rest[3 * k : 3 * k + 3]]) for k, card in enumerate(laid))}
    game = kibitz.game("go")
    return game, game.view(position_from_facts(game, told, Random(0)), 0)


ALONE = ["4S", "5D", "6S", "8D", "0C", "QH", "AC"]


def test_a_grouping_becomes_one_action_per_group_lowest_card_first():
    game, view = grouping()
    assert go_assignment.call(view).arguments == (HISTORY, 0)
    assert go_assignment.call(view).function == "comp10001go_group"
    groups = [["AC"], ["QH"], ["0C"], ["8D"], ["6S", "4S", "5D"], ["2H", "2C", "2D"]]
    formed = [game.text(view, action) for action in go_assignment.reply(view, groups)]
    assert formed == ["AC", "2D 2C 2H", "4S 5D 6S", "8D", "0C", "QH"]
    assert len(go_assignment.reply(view, [[card] for card in view_codes(view)])) == 10


def view_codes(view):
    """The codes of the cards that player 0 has played."""
    return [code(card) for card in view.discards[0]]


@pytest.mark.parametrize(
    ("groups", "sentence"),
    [
        (None, "comp10001go_group must return a list of lists of cards, not None."),
        ((("2C",),), "must return a list of lists of cards"),
        ([("2C",)], "must return a list of lists of cards"),
        ([["3C"]], "comp10001go_group must group the player's own discards; '3C' isn't one."),
        ([[2]], "must group the player's own discards; 2 isn't one."),
        ([[["2C"]]], "must return one partition, a list of groups; ['2C'] is one list too deep."),
        ([["2C", "2C"]], "must use every discard once, and 2C comes twice."),
        ([["2C"], ["2D", "2C"]], "must use every discard once, and 2C comes twice."),
        ([["2C", "QH"]], "comp10001go_group returned ['2C', 'QH'], which isn't a valid group."),
        ([["2C"], []], "comp10001go_group returned [], which isn't a valid group."),
        ([[card] for card in ["2C", "2D", "2H", *ALONE[:-1]]], "must use every discard once, and A♣ is missing."),
        ([[card] for card in ["2D", "2H", *ALONE[1:]]], "must use every discard once, and 2♣ 4♠ are missing."),
    ],
)
def test_an_invalid_grouping_is_refused_with_the_card_or_group(groups, sentence):
    _, view = grouping()
    with pytest.raises(NotationError) as refusal:
        go_assignment.reply(view, groups)
    assert sentence in str(refusal.value)


@pytest.mark.parametrize(
    ("name", "functions"),
    [
        ("bo", ("comp10001bo_play",)),
        ("go", ("comp10001go_play", "comp10001go_group")),
        ("go-auto", ("comp10001go_play",)),
        ("huxxy", ("comp10001huxxy_play",)),
        ("huxxy-bonus", ("comp10001huxxy_bonus_play",)),
    ],
)
def test_each_game_calls_its_own_functions(name, functions):
    assert ASSIGNMENTS[name.partition("-")[0]].called_functions(kibitz.game(name).options) == functions


def without_hand_index(text):
    """An action of Bo without the index of its card in the hand, as either of two equal cards may be meant."""
    return re.sub(r" h\d>", " h>", text)


@pytest.mark.parametrize("name", ["bo", "huxxy", "huxxy-bonus"])
def test_history_item_of_a_play_is_the_answer_that_makes_it(name):
    game, assignment = kibitz.game(name), ASSIGNMENTS[name.partition("-")[0]]
    state, random = game.deal(1), Random(1)
    assert not any(map(assignment.history_item, to_seat(game.opening(state), 0)))
    for _ in range(60):
        view = game.view(state, state.player)
        written = {text: a for a in game.legal(state) if (text := game.text(view, a)) != "concede"}
        if state.over or not written:
            break
        shown = random.choice(sorted(written))
        told = map(assignment.history_item, to_seat(game.play(state, written[shown]), 0))
        (item,) = (each for each in told if each is not None)
        assert item[0] == view.player
        (meant,) = assignment.reply(view, item[1] if name == "bo" else item)
        assert without_hand_index(game.text(view, meant)) == without_hand_index(shown)


def test_go_history_lists_a_turn_once_all_seats_have_played():
    game, state, turns = kibitz.game("go"), kibitz.game("go").deal(1), []
    for number in range(40):
        action = game.legal(state)[number % 2 * (number < 36)]
        turns.append(code(action))
        told = [go_assignment.history_item(event) for event in to_seat(game.play(state, action), 0)]
        items = [item for item in told if item is not None]
        assert items == ([turns[-4:]] if len(turns) % 4 == 0 else [])
