"""The assignment's functions for Huxxy: the published results, and nothing strange makes them raise or change."""

import copy
from random import Random

import pytest

from kibitz.cards import code
from kibitz.coursework import huxxy
from kibitz.engine.registry import game
from kibitz.errors import NotationError
from kibitz.games.huxxy import form
from kibitz.games.huxxy.examples import EXAMPLES
from kibitz.games.huxxy.strategy import greedy

NONSENSE = [None, 7, 2.5, "KS", "", [], {}, [[]], (), (0,), (0, 1), (0, 1, None), (0, 1, ("KC",)), (0, 1, ("KC", "0"))]
NONSENSE += [(0, 1, ("KC", -1)), (0, 1, ("KC", 99)), (0, 1, ("ZZ", 0)), (0, 1, (None, 0)), (0, 7, None), (0, 0, 0)]
NONSENSE += [(0, 2, ("KC", 0, 99)), (0, 2, ("KC", 99, 0)), (0, 2, ("KC", 0)), ("0", 0, None), (0, "0", None), object()]
HAND = ["KC", "KH", "KD", "2S"]


@pytest.mark.parametrize("example", EXAMPLES, ids=range(len(EXAMPLES)))
def test_our_functions_answer_as_published_and_change_no_argument(example):
    arguments = copy.deepcopy(example.arguments)
    assert example.judge(getattr(huxxy, example.function)(*arguments)) is None
    assert arguments == example.arguments


@pytest.mark.parametrize("play", NONSENSE, ids=range(len(NONSENSE)))
def test_a_malformed_play_is_refused(play):
    assert huxxy.comp10001huxxy_valid_play(play, [], 0, HAND, []) is False
    assert huxxy.comp10001huxxy_valid_play(play, [(0, 1, ("KS", 0))], 0, HAND, [["KS"]]) is False


@pytest.mark.parametrize("strange", NONSENSE, ids=range(len(NONSENSE)))
def test_malformed_arguments_refuse_the_play(strange):
    good = ((0, 1, ("KC", 0)), [], 0, HAND, [])
    assert huxxy.comp10001huxxy_valid_play(*good) is True
    for place in (1, 2, 3, 4):
        if strange not in ([], (), {}, "") and not (place == 4 and strange == [[]]):
            arguments = [strange if i == place else part for i, part in enumerate(good)]
            assert huxxy.comp10001huxxy_valid_play(*arguments) is False
    assert huxxy.comp10001huxxy_valid_table(strange) in (True, False)


def test_a_table_with_three_copies_or_two_jokers_in_a_group_is_invalid():
    assert not huxxy.comp10001huxxy_valid_table([["KC", "KC", "KC", "KS", "KH", "KD"]])
    assert not huxxy.comp10001huxxy_valid_table([["KC", "XX", "XX"]])
    assert not huxxy.comp10001huxxy_valid_table([["XX", "KC", "XX", "KS", "KH", "KD"]])
    assert huxxy.comp10001huxxy_valid_table([["KC", "KS", "XX"], []])


def test_a_score_of_strange_cards_is_refused_with_a_sentence():
    assert huxxy.comp10001huxxy_score(["XX", "AC"]) == 49
    for strange in (None, 5, ["ZZ"], [None], "KC"):
        with pytest.raises(NotationError):
            huxxy.comp10001huxxy_score(strange)


@pytest.mark.parametrize("name", ["huxxy", "huxxy-bonus"])
def test_in_whole_games_the_function_and_the_engine_allow_the_same_plays(name):
    played, random = game(name), Random(2)
    state, history, compared = played.deal(2), [], 0
    for notice in played.opening(state):
        assert form.history_item(notice.event) is None
    while not state.over:
        view = played.view(state, state.player)
        legal = played.legal(state)
        hand = [code(card) for card in view.hand]
        table = [[code(card) for card in cards] for cards in view.table]
        for kind, details in plays(random, hand, table):
            play = (state.player, kind, details)
            try:
                action = form.reply(view, play)[0]
            except NotationError:
                action = None
            allowed = action in legal
            assert huxxy.comp10001huxxy_valid_play(play, history, state.player, hand, table) == allowed, play
            compared += allowed
        items = [form.history_item(notice.event) for notice in played.play(state, greedy(view, legal, random))]
        history.append(next(item for item in items if item is not None))
    assert compared > 200


def plays(random, hand, table):
    """Some plays, valid or not, in the assignment's form without the player."""
    found = [(0, None), (3, None)]
    for _ in range(5):
        source = random.randrange(len(table) + 1)
        card = random.choice(table[source]) if source < len(table) and table[source] else "KS"
        found.append((1, (random.choice([*hand, card]), random.randrange(len(table) + 2))))
        found.append((2, (card, source, random.randrange(len(table) + 2))))
    return found
