"""Solved endgames, against slow obvious oracles, over the correct information sets."""

from fractions import Fraction
from itertools import product
from random import Random

import pytest

import kibitz
from kibitz.engine.game import with_mover
from kibitz.search.endgames import (
    MAX_GAP,
    TIE_TOLERANCE,
    enumerated_game,
    infoset_states_of,
    relevant_states,
    rollout_start,
    solve_endgame,
)
from kibitz.search.search_players import SearchPlayer
from kibitz.search.tree_search import final_reward, search_config, view_before_choices
from tests.tiers import first_fast, tiered

GAMES = [game.name for game in kibitz.all_games()]


def ends(name, seeds, most=400):
    """Late positions of random games that have a choice and can be solved, with their solutions."""
    game = kibitz.game(name)
    for seed in seeds:
        random, state, past = Random(seed), game.deal(seed), []
        while not state.over:
            legal = game.legal(state)
            if len(legal) > 1:
                past.append(state.copy())
            game.advance(state, random.choice(legal))
        for position in past[-4:]:
            found = solve_endgame(game, game.view(position, position.player), most)
            if found:
                yield game, position, found


def value(game, state):
    """The value of a position by seat under perfect information, by brute force; ties are played equally often."""
    if state.over:
        earned = [0] * game.max_legal
        getattr(game.policies, "evaluate", game.rules.returns)(state, earned)
        return [final_reward(game, search_config(game), earned[: game.seats], p) for p in range(game.seats)]
    below = [value(game, after(game, state, action)) for action in game.legal(state)]
    best = max(each[state.player] for each in below)
    equal = [each for each in below if each[state.player] > best - TIE_TOLERANCE]
    return [sum(column) / len(equal) for column in zip(*equal, strict=True)]


def after(game, state, action):
    """The position after an action."""
    copy = state.copy()
    game.rules.apply(copy, action)
    return copy


@pytest.mark.parametrize("more", first_fast(["players=2", "players=3,leftovers=1", "fives=0"]))
def test_perfect_information_endgames_match_brute_force(more):
    compared = 0
    for game, position, found in ends(f"president:rounds=1,{more}", range(8)):
        seats = [
            infoset_states_of(enumerated_game(game), game.view(position, p))
            for p in range(game.seats)
            if position.hand[p]
        ]
        if found.gap or any(seen is None or len(seen) > 1 for seen in seats):
            continue
        compared += 1
        start = rollout_start(game, position)
        for one in found.choices:
            assert one.winning_chance == pytest.approx(value(game, after(game, start, one.action))[position.player])
        best = max(one.winning_chance for one in found.choices)
        assert [one.winning_chance > best - TIE_TOLERANCE for one in found.choices] == [odds > 0 for odds in found.odds]
    assert compared > 3


def matrix_value(rows):
    """The value of a matrix game to the row player, by a grid search over mixtures of at most two rows."""
    columns = range(len(rows[0]))
    best = max(min(row) for row in rows)
    for one, other in product(rows, rows):
        for k in range(101):
            mix = [one[j] * k / 100 + other[j] * (100 - k) / 100 for j in columns]
            best = max(best, min(mix))
    return best


def test_simultaneous_choices_are_worth_the_matrix_game():
    game, compared = kibitz.game("go-mini"), 0
    for seed in range(12):
        random, state = Random(seed), game.deal(seed)
        for _ in range(2):
            game.advance(state, random.choice(game.legal(state)))
        for seat in (0, 1):
            view = game.view(with_mover(state, seat), seat)
            found = solve_endgame(game, view)
            seen = view_before_choices(game, view)
            known = infoset_states_of(enumerated_game(game), seen)
            if (
                found is None
                or len(known) > 1
                or len(infoset_states_of(enumerated_game(game), game.view(state, 1 - seat))) > 1
            ):
                continue
            compared += 1
            start = rollout_start(game, known[0][1])
            choices = [game.legal(with_mover(start, p)) for p in (0, 1)]
            rows = [
                [
                    value(game, after(game, after(game, start, a if seat == 0 else b), b if seat == 0 else a))[seat]
                    for b in choices[1 - seat]
                ]
                for a in choices[seat]
            ]
            assert max(one.winning_chance for one in found.choices) == pytest.approx(matrix_value(rows), abs=MAX_GAP)
    assert compared > 5


def test_solved_kuhn_has_its_known_value():
    """The first decisions with each card are worth minus one eighteenth of a chip on average."""
    game, first = kibitz.game("kuhn"), {}
    for seed in range(40):
        state = game.deal(seed)
        view = game.view(state, state.player)
        if view.hand not in first:
            found = solve_endgame(game, view)
            first[view.hand] = sum(one.worth * odds for one, odds in zip(found.choices, found.odds, strict=True))
            assert 0 < found.gap <= MAX_GAP
            assert "an equilibrium to within" in found.judge
    assert len(first) == 3
    assert sum(first.values()) / 3 == pytest.approx(-1 / 18, abs=0.01)


@pytest.mark.parametrize("name", ["kuhn", "president-mini"])
def test_enumerated_states_cover_imagined_worlds_and_odds_add_up(name):
    game = kibitz.game(name)
    for seed in range(3):
        state = game.deal(seed)
        view = game.view(state, state.player)
        found = infoset_states_of(enumerated_game(game), view)
        assert sum(weight for weight, _ in found) == Fraction(1)
        assert {game.infoset_states.key(world) for _, world in found} >= {
            game.infoset_states.key(game.imagine(view, number)) for number in range(30)
        }
        matter = relevant_states(enumerated_game(game), view, view.seat, range(game.seats))
        keys = {game.infoset_states.key(world) for _, world in matter}
        for _, world in matter:
            for seat in range(game.seats):
                assert {
                    game.infoset_states.key(other)
                    for _, other in infoset_states_of(enumerated_game(game), game.view(world, seat))
                } <= keys


@pytest.mark.parametrize("name", tiered(GAMES))
def test_a_solution_ranks_all_legal_actions_from_the_view_alone(name):
    for game, position, found in ends(name, range(2), 150):
        assert sorted(one.action for one in found.choices) == sorted(game.legal(position))
        assert sum(found.odds) == pytest.approx(1)
        view = game.view(position, position.player)
        assert solve_endgame(game, game.view(game.imagine(view, 7), view.seat), 150) == found


def test_search_players_play_the_solution():
    compared = 0
    for game, position, found in ends("president:rounds=1", range(6), 250):
        best = {one.action for one, odds in zip(found.choices, found.odds, strict=True) if odds}
        player = SearchPlayer("few", "", 1, game)
        view = game.view(position, position.player)
        assert player(view, game.legal(position), Random(1)) in best
        compared += 1
    assert compared > 2
