"""Search trees: several that grow in parallel, and one that is kept between moves."""

from collections import Counter
from random import Random

import pytest

import kibitz
from kibitz.engine.kernels.policies import observe_action_of
from kibitz.search.ismcts import FIELDS, FIRST_ENTRY, USED
from kibitz.search.tree_search import Search, SearchConfig, search_config, share_of_games
from tests.search.test_search import decisions
from tests.tiers import first_fast

GAMES = [game.name for game in kibitz.all_games()]
HIDING_GAMES = ("cribbage", "cribbage-mini", "draw", "draw-mini", "president", "president-asking", "president-mini")
"""Games with actions hidden from other seats."""


def search_of(name, seed=4, threads=1, how=None, games=0):
    """A search of the first decision of a game in plain Python, and its position."""
    game = kibitz.game(name)
    state, legal = next(decisions(game, seed))
    view = game.view(state, state.player)
    search = Search(game, view, legal, 1, how or search_config(game), plain=True, threads=threads)
    search.simulate(games)
    return search, state


@pytest.mark.parametrize("threads", [2, 3])
def test_threads_grow_separate_trees_that_add_up(threads):
    """The result is the same in one step as in several; each tree simulates its share, in worlds of its own."""
    once, _ = search_of("eights", threads=threads, games=50)
    again, _ = search_of("eights", threads=threads, games=50)
    steps, _ = search_of("eights", threads=threads, games=7)
    for games in (1, 30, 12):
        steps.simulate(games)
    assert once.ranking() == again.ranking() == steps.ranking()
    assert once.done == sum(one.tried for one in once.ranking()) == 50
    assert [board.done for board in once.trees] == [share_of_games(50, threads, k) for k in range(threads)]
    assert len({tuple(board.tally) for board in once.trees}) == threads
    alone, _ = search_of("eights", games=share_of_games(50, threads, 0))
    assert once.trees[0].tally == alone.trees[0].tally


def play_on(search, state, random):
    """Take the best action, then random ones until the seat has a choice; return the actions and the legal ones."""
    game, seat, played = search.game, state.player, []
    action = search.ranking()[0].action
    while True:
        played.append(action)
        game.advance(state, action)
        legal = game.legal(state)
        if state.over or (state.player == seat and len(legal) > 1):
            return played, legal
        action = random.choice(legal)


def test_tree_is_kept_for_the_next_position():
    """In Crazy Eights for two, the next search starts with the visits the last one made below the actions played."""
    kept = 0
    for seed in range(8):
        search, state = search_of("eights:players=2", seed, games=150)
        played, legal = play_on(search, state, Random(seed))
        if state.over:
            continue
        view = search.game.view(state, state.player)
        later = search.after(played, view, legal, 5)
        known = later.trees[0].visits_before
        kept += sum(known)
        assert sum(known) <= search.ranking()[0].tried
        later.simulate(20)
        assert sum(one.tried for one in later.ranking()) == 20
        other = search.after([played[0] + 1, *played[1:]], view, legal, 5)
        assert sum(other.trees[0].visits_before) == 0, "other actions lead to another position"
    assert kept > 10


def test_kept_visits_count_in_the_choice():
    """Without new simulations the best action is that of the old tree."""
    search, state = search_of("eights:players=2", 2, games=400)
    played, legal = play_on(search, state, Random(0))
    later = search.after(played, search.game.view(state, state.player), legal, 5)
    known = later.trees[0].visits_before
    assert sum(known) > 10
    assert later.ranking()[0].action == legal[known.index(max(known))]


@pytest.mark.parametrize("matching", [False, True])
def test_simultaneous_choices_are_kept_together(matching):
    """In Go for two the tree is kept once both choices are given, and not if only one is."""
    how = SearchConfig(policy="quick", matching=matching)
    search, state = search_of("go-mini", how=how, games=400)
    game, played = search.game, []
    for _ in range(2):
        played.append(game.legal(state)[0])
        game.advance(state, played[-1])
    view, legal = game.view(state, 0), game.legal(state)
    assert sum(search.after(played, view, legal, 5).trees[0].visits_before) > 0
    assert sum(search.after(played[:1], view, legal, 5).trees[0].visits_before) == 0


@pytest.mark.parametrize("name", first_fast(sorted(GAMES, key=lambda name: name != "president-mini")))
def test_no_tree_is_kept_over_a_hidden_action(name, monkeypatch):
    """In random games a tree is kept unless an action was hidden from some seat."""
    monkeypatch.setattr("kibitz.search.tree_search.TREE_SIZE", 16)
    game, random, found = kibitz.game(name), Random(1), Counter[tuple[bool, bool]]()
    observe_action = observe_action_of(game)
    for seed in range(20):
        state, waiting = game.deal(seed), dict[int, tuple[Search, list[int], list[bool]]]()
        for _ in range(150 if seed < 3 else 6):
            seat, legal = state.player, game.legal(state)
            if len(legal) > 1:
                view = game.view(state, seat)
                if seat in waiting:
                    search, played, hidden = waiting[seat]
                    later = search.after(played, view, legal, 5)
                    found[later.trees[0].tree is search.trees[0].tree, any(hidden)] += 1
                waiting[seat] = Search(game, view, legal, 1, plain=True), [], []
            action = random.choice(legal)
            for _, played, hidden in waiting.values():
                played.append(action)
                hidden.append(any(observe_action(state, q, action) != action for q in range(game.seats)))
            game.advance(state, action)
            if state.over:
                break
    assert not found[True, True]
    assert found[True, False] or name == "hearts-mini"  # of its two cards only the first is a choice
    assert found[False, True] or name not in HIDING_GAMES


def test_a_half_full_tree_is_discarded():
    search, state = search_of("eights:players=2", 2, games=100)
    played, legal = play_on(search, state, Random(0))
    search.trees[0].tree[USED] = (len(search.trees[0].tree) - FIRST_ENTRY) // FIELDS // 2 + 1
    later = search.after(played, search.game.view(state, state.player), legal, 5)
    assert sum(later.trees[0].visits_before) == 0
    assert later.trees[0].tree[USED] == 0
