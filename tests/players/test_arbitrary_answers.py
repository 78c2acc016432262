"""Any answer of a file is either a legal action or a failure of a known kind, and the game continues."""

import functools
import random
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from kibitz.cards import code
from kibitz.engine.registry import all_games
from kibitz.engine.registry import game as find_game
from kibitz.engine.views.assignment_interface import HISTORY
from kibitz.errors import NotationError, PlayerError
from kibitz.players.check import published
from kibitz.players.function_player import FunctionPlayer, assignment_functions
from kibitz.players.isolation.wire import MAX_LENGTH, strict_json
from kibitz.table.match import play_match
from tests.parts import times
from tests.players.answers import ATOMS, changed, parts_of, values
from tests.tiers import tiered

GAMES = [game for game in all_games() if game.assignment is not None]
EVERY_GAME = pytest.mark.parametrize("game", tiered(GAMES))
SLOWEST = 1.0
"""Seconds within which the referee must handle any answer."""


class Answering(FunctionPlayer):
    """A file that gives the test's answers in order, and then repeats the last."""

    def __init__(self, answers):
        super().__init__("told", "told.py", "")
        self.said = list(answers)

    def load(self, wanted, seed, *, allow_play=False):
        """There is nothing to load, and no function of the play interface is defined."""
        return []

    def answer(self, call, new):
        """The next answer, as the wire would bring it."""
        return self.said.pop(0) if len(self.said) > 1 else self.said[0]

    def end(self, outcome):
        """Nothing was printed."""
        return ""


def positions(game):
    """Cached positions of this game."""
    return positions_of(game.name)


@functools.cache
def positions_of(name):
    """Positions of random games, each with the seat's view, the call, and valid answers."""
    game, found, seen = find_game(name), [], set()
    for seed in range(3):
        rng, state, number = random.Random(seed), game.deal(seed), 0
        while not state.over and number < 400:
            view = game.view(state, state.player)
            call = game.assignment.call(view)
            if number % 7 == seed or call.function not in seen:
                seen.add(call.function)
                found.append((state.copy(), view, call, right_answers(game, state, view, call)))
            game.advance(state, rng.choice(game.legal(state)))
            number += 1
    return found


def typical_values(game):
    """Cached answer values of this game."""
    return typical_values_of(game.name)


@functools.cache
def typical_values_of(name):
    """Values that are typical of this game: arguments of its calls, items of its histories, and their parts."""
    game, found = find_game(name), {}
    for _, _, call, right in positions(game)[:40]:
        for part in parts_of([[one for one in call.arguments if one is not HISTORY], right]):
            found[strict_json(part)] = part
    return list(found.values())


def right_answers(game, state, view, call):
    """Valid answers here, found among the call's arguments and the history items of possible plays."""
    found = [one for one in call.arguments if one is not HISTORY]
    for action in game.legal(state)[:20]:
        found += [game.assignment.history_item(notice.event) for notice in game.advance(state.copy(), action)]
    if game.name.startswith("go"):
        found.append([[code(card)] for card in view.discards[view.seat]])
    right = {strict_json(part): part for part in parts_of(found) if is_readable(game, view, part)}
    return list(right.values())


def is_readable(game, view, value):
    """Whether the assignment can read an answer."""
    try:
        return bool(game.assignment.reply(view, value))
    except NotationError:
        return False


def answers(game, right=()):
    """Answers that are nearly right, and arbitrary ones."""
    known = typical_values(game)
    return changed(right or known, known) | changed(right or known, known) | values(ATOMS | some.sampled_from(known))


@EVERY_GAME
def test_random_positions_call_every_function_of_a_form(game):
    asked = {call.function for _, _, call, _ in positions(game)}
    assert asked <= set(game.assignment.FUNCTIONS)
    assert set(assignment_functions(game)) == asked
    assert all(right for *_, right in positions(game))


@EVERY_GAME
@settings(max_examples=15)
@given(data=some.data())
def test_any_answer_is_a_legal_action_or_a_failure_with_a_reason(game, data):
    assert_handled(game, data)


@pytest.mark.long
@EVERY_GAME
@settings(max_examples=times(3_000, 10))
@given(data=some.data())
def test_any_answer_is_handled_three_thousand_times(game, data):
    assert_handled(game, data)


def assert_handled(game, data):
    state, view, _, right = data.draw(some.sampled_from(positions(game)))
    value = data.draw(answers(game, right))
    player = Answering([value])
    player.start(game, view.seat, 1)
    start, failed, actions, sentence = time.perf_counter(), None, [], None
    try:
        actions = [player.act(view, game.legal(state)), *player.plan]
        sentence = game.why_not(state, actions[0])
    except PlayerError as error:
        failed, sentence = error, error.sentence
    assert time.perf_counter() - start < SLOWEST
    assert failed is None or (failed.kind == "invalid" and failed.detail)
    assert all(type(action) is int for action in actions)
    assert sentence is None or (sentence.isprintable() and 0 < len(sentence) < 1000)
    assert all(line.isprintable() for line in player.explain().split("\n"))


@EVERY_GAME
@settings(max_examples=5)
@given(data=some.data())
def test_game_of_arbitrary_answers_ends_with_a_result(game, data):
    players = [Answering(data.draw(some.lists(answers(game), min_size=1, max_size=6))) for _ in range(game.seats)]
    match = play_match(game, players, data.draw(some.integers(0, 5)))
    assert match.record.outcome is not None
    assert {forfeit.kind for forfeit in match.record.forfeits} <= {"invalid", "illegal"}
    assert all(forfeit.sentence.isprintable() for forfeit in match.record.forfeits)


@EVERY_GAME
def test_longest_possible_answers_are_handled_in_time(game):
    long = [
        "AS" * 30_000,
        "\0" * 10_000,
        [[]] * MAX_LENGTH,
        ["AS"] * MAX_LENGTH,
        [["AS"]] * MAX_LENGTH,
        tuple([0] * MAX_LENGTH),
    ]
    long += [
        (0, "AS" * 30_000, (0, 0)),
        (0, 1, ["AS"] * MAX_LENGTH),
        functools.reduce(lambda deep, _: [deep], range(18), 1),
    ]
    for state, view, _, _ in positions(game)[::40]:
        for value in long:
            player = Answering([value])
            player.start(game, view.seat, 1)
            start = time.perf_counter()
            with pytest.raises(PlayerError):
                player.act(view, game.legal(state))
            assert time.perf_counter() - start < SLOWEST


@pytest.mark.parametrize("game", [game for game in GAMES if game.variant == "standard"], ids=lambda game: game.name)
@given(data=some.data())
def test_any_result_of_a_published_call_is_judged(game, data):
    """Only here may a file return True and False."""
    example = data.draw(some.sampled_from(published(game)))
    known = list(parts_of(list(example.arguments)))
    value = data.draw(changed(known, known) | values(ATOMS | some.booleans() | some.sampled_from(known)))
    verdict = example.judge(value)
    assert verdict is None or (type(verdict) is str and verdict)
