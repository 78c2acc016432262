"""The published types: our functions, the published examples and every call of whole games have them.

In whole games the calls are checked in the process of the player file: types against the table, and that equal
cards are one object within a call and between calls.
"""

import ast
import copy
import inspect
from pathlib import Path
from random import Random

import pytest

import kibitz
import kibitz.engine.views.value_types
from kibitz.coursework import aps106, comp10001, cs212
from kibitz.engine.views.assignment_interface import HISTORY
from kibitz.engine.views.events import SPECTATOR, to_seat
from kibitz.engine.views.value_types import argument_mismatch, named_types, type_mismatch
from kibitz.games.bo.assignment import EXAMPLES as BO_EXAMPLES
from kibitz.games.go.assignment import EXAMPLES as GO_EXAMPLES
from kibitz.games.huxxy.assignment import EXAMPLES as HUXXY_EXAMPLES
from kibitz.games.signatures import ASSIGNMENTS, FUNCTIONS, HAND, TEXT
from kibitz.players.built_in import strategies
from kibitz.players.file_player import FilePlayer
from kibitz.table.match import play_match

MODULES = {"go": comp10001, "bo": comp10001, "huxxy": comp10001, "aps106": aps106, "cs212": cs212}
ROWS = [(MODULES[name], function) for name, functions in ASSIGNMENTS.items() for function in functions]
CONSTANTS = {"cs212": {"mydeck": HAND, "all_ranks": TEXT, "red_cards": HAND, "black_cards": HAND}}
"""By course, the names that it publishes besides its functions, with their types."""
EXAMPLES = GO_EXAMPLES + BO_EXAMPLES + HUXXY_EXAMPLES
GAMES = ["go", "bo", "huxxy", "huxxy-bonus"]
NO_RESULT = "(no result published)"
CALLS = [
    line.split(" => ")
    for line in Path(__file__).with_name("data").joinpath("bo.calls").read_text(encoding="ascii").splitlines()
    if not line.startswith("#")
]

LOOKING = f"""{inspect.getsource(kibitz.engine.views.value_types)}

WANTED = {FUNCTIONS!r}
CARDS = {{}}


def look(function, *arguments):
    found = argument_mismatch(WANTED[function], arguments)
    assert not found, found
    places = list(map(id, lists(arguments)))
    assert len(set(places)) == len(places), "a list is there twice"
    for card in texts(arguments):
        assert CARDS.setdefault(card, card) is card, f"there are two objects {{card}}"


def texts(value):
    if isinstance(value, (list, tuple)):
        return [text for part in value for text in texts(part)]
    return [value] if isinstance(value, str) else []


def lists(value):
    if isinstance(value, (list, tuple)):
        return [value] * isinstance(value, list) + [found for part in value for found in lists(part)]
    return []


def asked(function):
    return lambda *arguments: look(function, *arguments)


globals().update({{name: asked(name) for name in WANTED}})
"""


class CheckingPlayer(FilePlayer):
    """Checks every call in a separate process, and plays a strategy."""

    def __init__(self, strategy):
        super().__init__("looking", "looking.py", LOOKING)
        self.strategy, self.random, self.calls = strategy, Random(0), 0

    def act(self, view, legal):
        new, self.sent = self.history[self.sent :], len(self.history)
        assert self.answer(self.interface.call(view, legal), new) is None
        self.calls += 1
        return self.strategy(view, legal, self.random)


@pytest.mark.parametrize("name", GAMES)
def test_files_get_published_types_in_random_games(name):
    assert checked_calls(name, "random" if name in ("go", "bo") else mostly_picking_up(name), range(2)) > 20


@pytest.mark.parametrize("name", ["go", "bo"])
def test_files_get_published_types_in_greedy_games(name):
    assert checked_calls(name, "greedy", [7]) > 20


@pytest.mark.long
@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("strategy", ["first", "greedy"])
def test_files_get_published_types_in_many_games(name, strategy):
    assert checked_calls(name, strategy, range(10, 14)) > 40


def mostly_picking_up(name):
    """A player of Huxxy that mostly picks up, as random turns nearly always fail, and sometimes plays a good turn."""
    greedy = strategies(kibitz.game(name))["greedy"]
    return lambda view, legal, random: greedy(view, legal, random) if view.plays or random.random() < 0.1 else legal[0]


def checked_calls(name, strategy, seeds):
    """The number of calls checked in some games; every seat must have had some."""
    game, calls = kibitz.game(name), [0] * 4
    for seed in seeds:
        players = [CheckingPlayer(strategies(game).get(strategy, strategy)) for _ in range(game.seats)]
        match = play_match(game, players, seed)
        assert match.record.forfeits == (), match.record.forfeits[0].sentence
        calls = [sum(pair) for pair in zip(calls, (player.calls for player in players), strict=True)]
    assert all(calls)
    return sum(calls)


@pytest.mark.parametrize(("call", "result"), CALLS, ids=range(len(CALLS)))
def test_published_bo_calls_give_the_published_results(call, result):
    name, _, rest = call.partition("(")
    arguments = ast.literal_eval(f"({rest[:-1]},)")
    (example,) = {
        repr(e): e for e in BO_EXAMPLES if (e.function, repr(e.arguments)) == (name, repr(arguments))
    }.values()
    value = getattr(comp10001, name)(*arguments)
    assert result == NO_RESULT or repr(value) == result
    assert example.judge(value) is None


def test_every_bo_example_is_a_published_call():
    assert len(BO_EXAMPLES) == len(CALLS)


@pytest.mark.parametrize(("module", "function"), ROWS, ids=[function.name for _, function in ROWS])
def test_functions_have_the_published_parameters(module, function):
    ours = inspect.signature(getattr(module, function.name)).parameters
    assert list(ours) == [parameter.name for parameter in function.parameters]
    for parameter in function.parameters:
        given = ours[parameter.name].default
        written = eval(parameter.default, vars(module)) if parameter.default else inspect.Parameter.empty
        assert given == written or given is written


@pytest.mark.parametrize("module", [comp10001, aps106, cs212])
def test_table_lists_every_function_and_name_of_a_course(module):
    ours = {name for name, value in vars(module).items() if inspect.isfunction(value) and name in module.__all__}
    assert ours == {function.name for where, function in ROWS if where is module}
    others = {name for course, names in CONSTANTS.items() if MODULES[course] is module for name in names}
    assert set(module.__all__) == ours | others


@pytest.mark.parametrize(
    ("course", "name", "wanted"), [(c, n, t) for c, names in CONSTANTS.items() for n, t in names.items()], ids=str
)
def test_other_names_of_a_course_have_their_published_types(course, name, wanted):
    assert not type_mismatch(wanted, getattr(MODULES[course], name), name)


@pytest.mark.parametrize("name", GAMES)
def test_our_players_return_published_types_in_whole_games(name):
    game, random = kibitz.game(name), Random(3)
    state, history, answered = game.deal(3), [], 0
    while not state.over:
        call = game.assignment.call(game.view(state, state.player))
        if random.random() < (0.2 if name == "bo" else 1) and call.function != "comp10001go_group":
            arguments = [history if part is HISTORY else part for part in call.arguments]
            assert not argument_mismatch(FUNCTIONS[call.function], tuple(arguments))
            before = copy.deepcopy(arguments)
            value = getattr(comp10001, call.function)(*arguments)
            assert arguments == before
            assert not type_mismatch(FUNCTIONS[call.function].returns, value)
            answered += 1
        for event in to_seat(game.play(state, random.choice(game.legal(state))), SPECTATOR):
            item = game.assignment.history_item(event)
            history += [] if item is None else [item]
    assert answered


def test_functions_of_other_courses_use_the_published_types():
    random = Random(4)
    deck = aps106.generate_deck()
    of = {function.name: function for name in ("aps106", "cs212") for function in ASSIGNMENTS[name]}

    def ask(module, name, *arguments):
        assert not argument_mismatch(of[name], arguments), name
        value = getattr(module, name)(*arguments)
        assert not type_mismatch(of[name].returns, value, name)
        return value

    for _ in range(40):
        mixed = ask(aps106, "shuffle", deck)
        hand = []
        ask(aps106, "deal_card", mixed, hand)
        ask(aps106, "score_hand", mixed[:5])
        ask(aps106, "play", mixed)
        first, second = ask(cs212, "deal", 2, 7)
        jokers = random.sample(["?B", "?R"], random.randrange(3))
        ask(cs212, "poker", [first[:5], second[:5]])
        ask(cs212, "allmax", [first, second], cs212.hand_rank)
        ask(cs212, "hand_rank", first)
        ask(cs212, "best_hand", second)
        ask(cs212, "best_wild_hand", [*second[: 7 - len(jokers)], *jokers])
        ask(cs212, "flush", first)
        ranks = ask(cs212, "card_ranks", first[:5])
        for name, *given in (("straight", ranks), ("two_pair", ranks), ("kind", 2, ranks), ("replacement", "?B")):
            ask(cs212, name, *given)
    ask(cs212, "best_wild_hand_peter", [*first[:6], "?R"])
    assert ask(aps106, "generate_deck") == deck


def test_types_are_written_as_published():
    play = FUNCTIONS["comp10001bo_play"]
    assert str(play).startswith("comp10001bo_play(player_no: player, hand: list[card], stockpiles: tuple[stockpile, ")
    assert [word.name for word in named_types(*(parameter.type for parameter in play.parameters))][:2] == [
        "player",
        "card",
    ]
    match = str(FUNCTIONS["comp10001bo_match_discard"])
    assert match.endswith("to_player_no: player, from_hand: bool = True) -> int")
