"""Search: in every game, from the view alone, deterministic, within its budget, and right where the answer is known.

decision    a position in which the seat to move has a choice, with the legal actions
"""

from itertools import islice
from random import Random
from time import perf_counter, process_time
from types import FunctionType

import pytest

import kibitz
from kibitz.cards import code
from kibitz.engine.contract.knowledge import determinizations
from kibitz.engine.contract.numbers import numbers_checked
from kibitz.engine.contract.positions import LinePosition
from kibitz.engine.kernels import compilation
from kibitz.engine.kernels.policies import hook_modules
from kibitz.errors import NotationError
from kibitz.kernel import kernel_kind
from kibitz.search import ismcts, search_players
from kibitz.search.exploitability import local_response
from kibitz.search.search_players import SearchPlayer
from kibitz.search.tree_search import Search, SearchConfig, search_config
from tests.contract.groups import sharing
from tests.search.plainly import think_plainly
from tests.tiers import tiered

pytestmark = sharing("eights")

GAMES = [game.name for game in kibitz.all_games()]


def decisions(game, seed):
    """The positions of a random game in which the seat to move has a choice."""
    random, state = Random(seed), game.deal(seed)
    while not state.over:
        legal = game.legal(state)
        if len(legal) > 1:
            yield state.copy(), legal
        game.advance(state, random.choice(legal))


def searched(game, view, legal, games, seed=1, how=None):
    """The ranking of a search in plain Python."""
    search = Search(game, view, legal, seed, search_config(game) if how is None else how, plain=True)
    search.simulate(games)
    return search.ranking()


def kernels(game):
    """The kernels of a search."""
    modules = compilation.kernel_modules(ismcts, *hook_modules(game))
    found = (value for module in modules for value in vars(module).values())
    return [value for value in found if kernel_kind(value) == "kernel" and isinstance(value, FunctionType)]


@pytest.mark.parametrize("name", tiered(GAMES))
def test_every_game_can_be_searched(name):
    """It ranks all legal actions in the given number of games, independent of hidden cards, within number ranges."""
    game = kibitz.game(name)
    with numbers_checked(kernels(game)):
        for state, legal in islice(decisions(game, 3), 0, 12, 6):
            before, view = state.copy(), game.view(state, state.player)
            first = searched(game, view, legal, 6)
            assert state == before
            assert sorted(one.action for one in first) == sorted(legal)
            assert sum(one.tried for one in first) == 6
    world = next(iter(determinizations(LinePosition(game, 3, (), state, legal, None), state.player, Random(1))))
    assert searched(game, game.view(world, state.player), legal, 6) == first


def test_search_is_deterministic_for_a_seed_and_in_steps():
    game = kibitz.game("go")
    state, legal = next(decisions(game, 4))
    view = game.view(state, state.player)
    once = searched(game, view, legal, 40)
    assert once == searched(game, view, legal, 40)
    assert once != searched(game, view, legal, 40, seed=2)
    steps = Search(game, view, legal, 1, search_config(game), plain=True)
    for _ in range(4):
        steps.simulate(10)
    assert steps.ranking() == once


def test_python_and_machine_code_search_alike():
    game = kibitz.game("eights")
    configs = [
        search_config(game),
        SearchConfig(policy="quick", widen_from=1),
        SearchConfig(policy="quick", matching=True),
        SearchConfig(policy="quick", single_learner=True, others_randomness=0.4),
        SearchConfig(rollout_randomness=1),
    ]
    for state, legal in islice(decisions(game, 5), 0, 20, 10):
        view = game.view(state, state.player)
        for how in configs:
            fast = Search(game, view, legal, 9, how)
            fast.simulate(60)
            assert fast.ranking() == searched(game, view, legal, 60, 9, how)


def test_search_keeps_its_time_budget():
    game = kibitz.game("eights")
    state, legal = next(decisions(game, 5))
    search = Search(game, game.view(state, state.player), legal, plain=True)
    began, busy = perf_counter(), process_time()
    search.simulate_for(0.3)
    assert search.done > 20
    slept = (perf_counter() - began) - (process_time() - busy)
    assert perf_counter() - began < 0.33 + max(0.0, slept)
    search = Search(game, game.view(state, state.player), legal, plain=True)
    search.simulate_for(0)
    assert search.done == 0


def test_a_full_tree_still_counts_every_simulation(monkeypatch):
    monkeypatch.setattr("kibitz.search.tree_search.TREE_SIZE", 16)
    game = kibitz.game("eights")
    state, legal = next(decisions(game, 5))
    found = searched(game, game.view(state, state.player), legal, 60)
    assert sum(one.tried for one in found) == 60


def test_search_takes_an_immediate_win():
    """In President with one playable move left, all simulated games end with it."""
    game = kibitz.game("president:rounds=1")
    for seed in range(6):
        for state, legal in decisions(game, seed):
            hand = state.hand[state.player]
            moves = [a for a in legal if a < game.rules.PASS]
            winning = [a for a in moves if state.out_count == 0 and game.rules.cards_in(a) == hand]
            if winning:
                found = searched(game, game.view(state, state.player), legal, 40)
                assert found[0].action in winning
                assert found[0].winning_chance > 0.99
                return
    pytest.fail("nobody could win at once")


def test_memories_of_different_histories_differ():
    """Forty thousand histories of two observations have as many memories."""
    found = {ismcts.mix(ismcts.mix(0, a), b) for a in range(200) for b in range(200)}
    assert len(found) == 40_000
    assert all(0 <= memory < 1 << 60 for memory in found)
    assert len({memory & 0x7FFF for memory in found}) > 20_000, "as good as random in the bits that find an entry"


def test_integer_roots_and_logarithms_are_accurate():
    for n in (*range(1, 3000, 7), 1 << 40, (1 << 59) + 12345):
        assert ismcts.square_root(n << 4) == pytest.approx((n << 4) ** 0.5, rel=0.01, abs=1)
    for n in (1, 2, 3, 10, 1000, 123456):
        import math

        assert ismcts.logarithm(n) / ismcts.ONE == pytest.approx(math.log2(n), abs=0.09)


def test_search_player_without_machine_code_plays_as_greedy(monkeypatch):
    game = kibitz.game("president")
    state, legal = next(decisions(game, 2))
    view = game.view(state, state.player)
    monkeypatch.setattr(search_players, "is_ready", lambda game: False)
    player = SearchPlayer("few", "", 8, game)
    assert player(view, legal, Random(1)) == game.strategies["greedy"](view, legal, Random(1))
    think_plainly(monkeypatch)
    search = Search(game, view, legal, Random(1).getrandbits(64), search_config(game), plain=True)
    search.simulate(8)
    assert player(view, legal, Random(1)) == search.ranking()[0].action


@pytest.mark.parametrize("name", tiered(name for name in GAMES if search_players.search_players(kibitz.game(name))))
def test_search_players_are_ordered_by_games(name):
    found = list(search_players.search_players(kibitz.game(name)).values())
    assert [one.games for one in found] == sorted({one.games for one in found})
    assert found[-1].name == "best"


@pytest.mark.parametrize(("card", "call"), [("JS", -2.0), ("KS", 2.0)])
def test_call_and_fold_in_kuhn_have_their_known_values(card, call):
    """With the lowest or highest card the values of call and fold are known exactly."""
    game = kibitz.game("kuhn")
    for seed in range(40):
        state = game.deal(seed)
        game.advance(state, max(game.legal(state)))
        view = game.view(state, state.player)
        if code(view.hand[0]) == card:
            found = {game.text(view, one.action): one for one in searched(game, view, game.legal(state), 60)}
            assert found["fold"].worth == -1.0
            assert found["call"].worth == call
            assert found["call"].error == 0.0
            assert (found["call"].tried > found["fold"].tried) is (call > 0)
            return
    pytest.fail("the card was never dealt to the second seat")


def test_searches_take_the_name_of_a_game():
    game = kibitz.game("kuhn")
    state = game.deal(1)
    view, legal = game.view(state, state.player), game.legal(state)
    assert Search("kuhn", view, legal, plain=True).game is game
    with pytest.raises(NotationError, match="needs heads-up hold'em"):
        local_response("holdem", lambda view, legal: legal[0], 4)
