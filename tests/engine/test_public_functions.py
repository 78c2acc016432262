"""Given any arguments, the public functions answer or raise one of Kibitz's errors in one sentence."""

import inspect
import tempfile
from contextlib import suppress
from functools import wraps

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as some

import kibitz
from kibitz.engine.game import Game, seed_words
from kibitz.engine.registry import all_games, game
from kibitz.engine.views.events import SPECTATOR
from kibitz.errors import KibitzError, NotationError, SeatError
from kibitz.table import Table
from tests.tiers import tiered

BO, GO = game("bo-mini"), game("go-mini")
BO_STATE, GO_STATE = BO.deal(1), GO.deal(1)
BO_VIEW, GO_VIEW = BO.view(BO_STATE, 0), GO.view(GO_STATE, 0)
BO_EVENT, GO_EVENT = BO.opening(BO.deal(1))[0].event, GO.opening(GO.deal(1))[0].event
GARBAGE = [None, True, -1, -2, 0, 1, 9, 2**64, 10**30, -(10**30), 1.5, float("nan")]
GARBAGE += ["", "a", b"a", (), [], {}, {3}, object()]
GARBAGE += [1.0, np.int64(1), np.float64(1), np.array(1), np.array([1, 2]), "\ud800", "\ud800/a.py", "\ud800.npz"]
GARBAGE += [BO, BO_STATE, GO_STATE, BO_VIEW, GO_VIEW, BO_EVENT, GO_EVENT, frozenset({0}), frozenset({"a"}), ("a", "b")]
GOOD = {"state": BO_STATE, "s": BO_STATE, "seat": 0, "view": BO_VIEW, "seen": BO_VIEW, "event": BO_EVENT, "seed": 1}
GOOD |= {"action": BO.legal(BO_STATE)[0], "words": "pass", "names": ("a", "b"), "forfeited": frozenset(), "game": BO}
GOOD |= {"n": 0, "threads": 1, "name": "bo", "players": ["first"], "workers": 1, "records": False, "progress": None}
GOOD |= {"path": "nothing.game", "output": f"{tempfile.mkdtemp()}/games.csv", "force": True}
GOOD |= {"kind": "exception", "sentence": "it fell", "step": 0} | {"on": None, "keep": "scores", "log": print}
GOOD |= dict.fromkeys(["player", "outcome", "since", "until"])
INTERNAL = {"advance", "restore"}
"""Used by the referee and ``imagine`` only, without checks of arguments."""


def public():
    """Every public function of ``kibitz``, of a game and of a table."""
    for name in kibitz.__all__:
        if not inspect.isclass(getattr(kibitz, name)):
            yield name, getattr(kibitz, name)
    for name in dir(BO):
        if not name.startswith("_") and callable(getattr(BO, name)) and name not in INTERNAL:
            yield f"game.{name}", getattr(BO, name)
    for name, of_a_table in inspect.getmembers(Table, inspect.isfunction):
        if not name.startswith("_"):
            yield f"table.{name}", on_a_table(of_a_table)


def on_a_table(function):
    """A method as a function that is called on a newly dealt table."""

    @wraps(function)
    def asked(*given, **named):
        return function(Table.deal(BO, 1), *given, **named)

    parameters = list(inspect.signature(function).parameters.values())[1:]
    asked.__signature__ = inspect.Signature(parameters)
    return asked


FUNCTIONS = dict(public())


def test_the_public_functions_are_found():
    named = {"random_games", "table.act", "table.events", "game", "game.view", "game.play", "game.deal", "game.views"}
    assert named <= set(FUNCTIONS)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_bad_arguments_raise_only_kibitz_errors(name):
    function = FUNCTIONS[name]
    parameters = [each for each in inspect.signature(function).parameters.values() if each.kind is not each.VAR_KEYWORD]
    for wrong in parameters:
        for garbage in GARBAGE:
            given = {each.name: garbage if each is wrong else GOOD[each.name] for each in parameters}
            given = {name: each.copy() if each is BO_STATE else each for name, each in given.items()}
            named = {each.name: given.pop(each.name) for each in parameters if each.kind is each.KEYWORD_ONLY}
            try:
                function(*given.values(), **named)
            except KibitzError as error:
                sentence = str(error)
                assert sentence.isprintable(), (wrong, garbage)


@given(some.sampled_from(sorted(FUNCTIONS)), some.lists(some.sampled_from(GARBAGE), max_size=4))
def test_mixed_bad_arguments_raise_only_kibitz_errors(name, given):
    function = FUNCTIONS[name]
    try:
        inspect.signature(function).bind(*given)
    except TypeError:
        return
    if name == "random_games" and len(given) > 1 and type(given[1]) is int and 1 < given[1] < 10**8:
        return
    given = [each.copy() if each is BO_STATE or each is GO_STATE else each for each in given]
    with suppress(KibitzError):
        function(*given)


ERRORS = {
    "view of no seat": (
        lambda: BO.view(BO_STATE, 9),
        SeatError,
        "in bo-mini, or -1 for a spectator, not 9",
    ),
    "arguments swapped": (lambda: BO.text(3, BO_VIEW), NotationError, "view must be one of bo-mini, not 3"),
    "no game": (lambda: kibitz.random_games(7, 3), NotationError, "game must be a Game or the name of one"),
    "a word for a seed": (lambda: BO.deal(seed="a"), NotationError, "seed must be a whole number, not 'a'"),
    "another game's state": (lambda: BO.legal(GO_STATE), NotationError, "state must be one of bo-mini"),
    "too many games": (lambda: kibitz.random_games(BO, 10**12), NotationError, "at most 100,000,000 games"),
    "a state with more seats": (lambda: game("bo").legal(BO_STATE), NotationError, "state has 2 players, but bo has 4"),
    "half a seed": (lambda: seed_words(1.5), NotationError, "seed must be a whole number, not 1.5"),
    "options twice": (lambda: game("bo:players=3").with_options(rounds=5), NotationError, "at once, from bo"),
    "no option": (lambda: game("bo").with_options(players="x"), NotationError, "players must be a whole number"),
}


@pytest.mark.parametrize("what", ERRORS)
def test_errors_name_the_wrong_argument(what):
    act, kind, sentence = ERRORS[what]
    with pytest.raises(kind, match=sentence):
        act()


@pytest.mark.parametrize("name", tiered(each.name for each in all_games()))
def test_every_game_refuses_states_and_seats_of_others(name):
    found = game(name)
    other = GO_STATE if found.rules is not GO.rules else BO_STATE
    state = found.deal(1)
    for act in (found.legal, found.returns, found.opening, lambda s: found.view(s, 0), lambda s: found.why_not(s, 0)):
        with pytest.raises(NotationError, match="state must be one of"):
            act(other)
    for seat in (found.seats, SPECTATOR - 1, "0", None):
        with pytest.raises(SeatError, match="seat must be"):
            found.view(state, seat)
    assert isinstance(found, Game)
