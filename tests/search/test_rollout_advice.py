"""Advice by rollouts of whole turns: a value for every play within the budget, the same in steps or threads.

decision    a position in which the seat to move has a choice
"""

from itertools import islice
from math import inf, isfinite, sqrt
from random import Random
from statistics import fmean, variance

import pytest
from msgspec.structs import replace

import kibitz
from kibitz.arena import reviews
from kibitz.engine.contract.knowledge import determinizations
from kibitz.engine.contract.numbers import numbers_checked
from kibitz.engine.contract.positions import LinePosition
from kibitz.games.bo.piles import SOURCE, STOCK, ends_turn
from kibitz.players.advice import hint
from kibitz.players.built_in import characters
from kibitz.search import advice, rollout_kernels, rollout_planner, search_players
from kibitz.search.advice import Budget, advise, judge_choice
from kibitz.search.rollout_planner import RolloutAdvice, RolloutPlanner
from kibitz.search.search_players import SearchPlayer, advice_search, final_value, new_search
from kibitz.search.tree_search import Search
from tests.search.plainly import think_plainly
from tests.search.test_rollout_planner import BO, FORMS, decisions, kernels
from tests.tiers import first_fast, tiered

GAMES = [game.name for game in kibitz.all_games()]
ONE_CARD = kibitz.game("bo:stock_size=1")


@pytest.fixture
def brief(monkeypatch):
    """Batches of two worlds, for plain Python."""
    monkeypatch.setattr(rollout_kernels, "BATCH", 2)


def rollout_advice(game, state, legal, games, seed=1, **how):
    """Rollout advice in plain Python."""
    search = RolloutAdvice(game, [game.view(state, state.player)], legal, seed, plain=True, **how)
    search.simulate(games)
    return search


def results(search):
    """All results of a search."""
    return [list(chances) for chances in search.chances], search.ranking(), search.done


def with_chances(*chances):
    """A search with the given chances of its first plans."""
    state, legal = next(decisions(BO, 1))
    search = rollout_advice(BO, state, legal, 0)
    for own, found in zip(search.chances, chances, strict=False):
        own.extend(found)
    return search


def wins_at_once():
    """Decisions in which a seat can win with its last stockpile card or end its turn, with a play that ends it."""
    for seed in range(20):
        for state, legal in decisions(ONE_CARD, seed):
            ends = [action for action in legal if ends_turn(state, action)]
            if ends and any(action // SOURCE == STOCK for action in legal):
                yield ONE_CARD.view(state, state.player), legal, ends[0]


@pytest.mark.parametrize("name", first_fast(FORMS))
def test_every_play_starts_a_plan_independent_of_hidden_cards(name, brief):
    game = kibitz.game(name)
    chosen = [*islice(decisions(game, 3), 0, 12, 11)]  # players may use machine code, which is made of what is watched
    with numbers_checked(kernels(game)):
        for state, legal in chosen:
            before = state.copy()
            search = rollout_advice(game, state, legal, 30)
            assert state == before
            assert sorted({*search.first}) == sorted(legal) == sorted(one.action for one in search.ranking())
    world = next(iter(determinizations(LinePosition(game, 3, (), state, legal, None), state.player, Random(1))))
    assert results(rollout_advice(game, world, legal, 30)) == results(search)


def test_steps_and_threads_do_not_change_advice(brief):
    state, legal = next(islice(decisions(BO, 5), 4, None))
    whole = rollout_advice(BO, state, legal, 50)
    pieces = rollout_advice(BO, state, legal, 20)
    pieces.simulate(17)
    pieces.simulate(13)
    assert results(pieces) == results(whole) == results(rollout_advice(BO, state, legal, 50, threads=3))
    assert results(rollout_advice(BO, state, legal, 50, seed=2)) != results(whole)


@pytest.mark.long
def test_python_and_machine_code_give_the_same_advice():
    for state, legal in islice(decisions(BO, 5), 3, 4):
        fast = RolloutAdvice(BO, [BO.view(state, state.player)], legal, 9)
        fast.simulate(60)
        slow = rollout_advice(BO, state, legal, 60, seed=9)
        assert results(fast) == results(slow)
        assert list(fast.plans) == list(slow.plans)
        assert fast.rollout_values(legal[-1], 20) == slow.rollout_values(legal[-1], 20)


def test_every_play_gets_a_value_and_error_within_the_budget(brief):
    state, legal = next(islice(decisions(BO, 5), 4, None))
    for games in (0, 1, 15, 150):
        search = rollout_advice(BO, state, legal, games)
        assert search.done == sum(map(len, search.chances)) == games
    ranking = search.ranking()
    assert all(one.tried >= rollout_kernels.BATCH and isfinite(one.error) and 0 <= one.worth <= 1 for one in ranking)
    assert ranking[0].tried >= max(one.tried for one in ranking) // 2
    assert ranking[0].tried > min(one.tried for one in ranking)
    assert rollout_advice(BO, state, legal, 0).ranking()[0].action == BO.strategies["marshal"](
        BO.view(state, state.player), legal, Random(0)
    )


def test_several_views_alternate(brief):
    """Equal views count as one; each of two views gets every other world, as it would alone."""
    state, legal = next(decisions(BO, 5))
    view = BO.view(state, state.player)
    other = replace(view, round=BO.options["rounds"] - 1)
    one, same, both, late = (
        RolloutAdvice(BO, views, legal, 1, plain=True) for views in ([view], [view] * 3, [view, other], [other])
    )
    for search in (one, same, both, late):
        search.chances[0].extend(search.try_tasks([(0, 0, 8)], rollout_kernels.FOR_SEARCH)[0])
    assert one.chances == same.chances
    assert one.chances[0] != late.chances[0]
    assert (both.chances[0][::2], both.chances[0][1::2]) == (one.chances[0][::2], late.chances[0][1::2])


def test_error_includes_the_difference_between_views():
    state, legal = next(decisions(BO, 1))
    search = RolloutAdvice(BO, [BO.view(state, state.player)] * 2, legal, plain=True)
    search.chances[0].extend([4000, 8000] * 8)
    assert search.plan_value(0, 0).worth * rollout_kernels.ONE == pytest.approx(6000)
    assert search.plan_value(0, 0).error * rollout_kernels.ONE == pytest.approx(2000)


def test_choices_are_compared_in_fresh_common_worlds():
    state, legal = next(islice(decisions(BO, 5), 4, None))
    search = rollout_advice(BO, state, legal, 40)
    best = search.ranking()[0].action
    assert search.rollout_values(best, 16) == search.rollout_values(best, 20)[:16]
    values = [round(rollout_kernels.ONE * end[1]) for end in search.rollout_values(best, 16)]
    assert values != list(search.chances[0])[:16]
    assert search.done == 40


def test_equally_tried_plans_have_mean_and_standard_error():
    random = Random(1)
    first, second = ([random.randrange(4000, 12000) for _ in range(32)] for _ in range(2))
    search = with_chances([one + 1000 for one in first], second)
    for j, chances in enumerate(search.chances[:2]):
        found = search.plan_value(j, search.leader())
        assert found.worth == pytest.approx(fmean(chances) / rollout_kernels.ONE)
        assert found.error == pytest.approx(sqrt(variance(chances) / 32) / rollout_kernels.ONE)


def test_a_plan_tried_in_few_worlds_is_compared_with_the_leader_there():
    """The first worlds favour both plans: the second is 500 behind in each, so it is 500 behind overall.

    So few worlds can't decide a lead of 500; they do decide 3000.
    """
    lead = [9000] * 16 + [5000] * 48
    search = with_chances(lead, [one - 500 for one in lead[:16]])
    first, second = (search.plan_value(j, 0) for j in (0, 1))
    assert first.worth * rollout_kernels.ONE == pytest.approx(6000)
    assert second.worth * rollout_kernels.ONE == pytest.approx(5500)
    assert second.error == pytest.approx(first.error)
    assert (search.leader(), search.may_be_best(1, 0)) == (0, True)
    behind = with_chances(lead, [one - 3000 for one in lead[:16]])
    assert (behind.leader(), behind.may_be_best(1, 0)) == (0, False)


def test_an_untried_plan_has_infinite_error():
    search = with_chances([5000] * 16, [9000] * 15)
    assert [one.error for _, one in search.ranked_plans()[1:]] == [inf] * (len(search.first) - 1)
    assert search.leader() == 0
    assert not search.may_be_best(5, 0)


def test_a_plan_that_may_be_best_catches_up_with_the_leader():
    random = Random(2)
    lead = [random.randrange(4000, 12000) for _ in range(128)]
    near = [one + random.choice((-3000, 3200)) for one in lead[:16]]
    search = with_chances(lead, near, [one - 3000 for one in lead[:16]])
    tasks = search.next_tasks()
    assert {task[1:] for task in tasks} == {(0, 16)}, "untried plans come first"
    assert sorted(task[0] for task in tasks) == list(range(3, len(search.first)))
    for own in search.chances[3:]:
        own.extend(one - 3000 for one in lead[:16])
    assert search.next_tasks() == [(1, 16, 32)]
    search.chances[1].extend(one - 3000 for one in lead[16:32])
    assert search.next_tasks() == [(0, 128, 256)]


def test_advice_stops_at_the_maximum_number_of_worlds(monkeypatch, brief):
    monkeypatch.setattr(rollout_planner, "MAX_PLAN_DETERMINIZATIONS", 4)
    state, legal = next(decisions(kibitz.game("bo-mini"), 1))
    search = rollout_advice(kibitz.game("bo-mini"), state, legal, 10**6)
    done = search.done
    assert max(map(len, search.chances)) == 4
    search.simulate_for(60)
    assert search.done == done < 10**6


def test_advice_wins_at_once_and_ending_the_turn_is_a_mistake(monkeypatch):
    monkeypatch.setattr(advice, "is_ready", lambda game: False)
    found = list(islice(wins_at_once(), 3))
    assert len(found) == 3
    for view, legal, end in found:
        best = advise(ONE_CARD, [view], Budget(60)).choices[0]
        assert (best.action // SOURCE, best.winning_chance) == (STOCK, 1)
        made = judge_choice(ONE_CARD, view, legal, end, 20, plain=True)
        assert (made.best // SOURCE, made.best_chance, made.is_mistake) == (STOCK, 1, True)
        assert made.cost == made.chance == pytest.approx(1 - made.chosen_chance)
        assert not judge_choice(ONE_CARD, view, legal, best.action, 20, plain=True).is_mistake


@pytest.mark.parametrize("name", tiered(GAMES))
def test_advice_searches_as_the_strongest_player_does(name):
    """Advice uses the same kind of search as the strongest player, tree search or rollouts, with its settings."""
    game = kibitz.game(name)
    state = game.deal(1)
    while len(game.legal(state)) < 2:
        game.advance(state, game.legal(state)[0])
    view, legal = game.view(state, state.player), game.legal(state)
    player, adviser = new_search(game, view, legal, 0, plain=True), advice_search(game, [view], legal, plain=True)
    kinds = {RolloutPlanner: RolloutAdvice, Search: Search}
    assert type(adviser) is kinds[type(player)]
    assert (type(adviser) is RolloutAdvice) == rollout_planner.has_plans(game)
    if isinstance(characters(game)[-1].strategy, SearchPlayer) and type(adviser) is Search:
        assert adviser.config == player.config


def test_bo_never_searches_a_tree(monkeypatch, brief):
    def refuse(*given, **named):
        pytest.fail("a tree is searched")

    monkeypatch.setattr("kibitz.search.tree_search.SearchTree", refuse)
    for module in (advice, reviews):
        monkeypatch.setattr(module, "is_ready", lambda game: False)
    think_plainly(monkeypatch)
    monkeypatch.setitem(BO.policies.SEARCH_PLAYERS, "best", (30, "Imagines thirty games."))
    state, legal = next(islice(decisions(BO, 5), 4, None))
    view = BO.view(state, state.player)
    found = advise(BO, [view], Budget(40))
    assert found.judge == "whole turns compared in 40 simulated games (plain Python)"
    assert sorted(one.action for one in found.choices) == sorted(legal)
    assert advise(BO, [view], Budget(0, seconds=0.05, threads=2)).judge.startswith("whole turns compared in ")
    assert judge_choice(BO, view, legal, legal[0], 4, plain=True).chosen in legal
    assert hint(BO, view, legal).judge == "best"


def test_a_hint_without_rollouts_names_best_as_judge(monkeypatch):
    """If all plans start with the same play, ``best`` makes it and is the judge."""
    think_plainly(monkeypatch)
    for seed in range(9):
        for state, legal in decisions(BO, seed):
            search = rollout_advice(BO, state, legal, 0)
            promising = search.first[: rollout_kernels.PLANS]
            if len(legal) >= rollout_kernels.PLANS and len({*promising}) == 1:
                found = hint(BO, BO.view(state, state.player), legal)
                assert (found.action, found.judge) == (promising[0], "best")
                assert found.reason.startswith("Hint: ")
                assert "simulated games" not in found.reason
                return
    pytest.fail("no such position")


def test_advice_reports_progress_in_plain_python(monkeypatch, brief):
    monkeypatch.setattr(advice, "is_ready", lambda game: False)
    state, _ = next(islice(decisions(BO, 5), 4, None))
    reports = []
    advise(BO, [BO.view(state, state.player)], Budget(40), progress=reports.append)
    assert reports == [16, 32, 40]


def test_plain_python_reviews_simulate_fewer_games(monkeypatch):
    monkeypatch.setattr(reviews, "is_ready", lambda game: False)
    assert reviews.affordable_games(BO, 5000, 40) == search_players.MAX_PLAIN_ROLLOUTS
    assert reviews.affordable_games(kibitz.game("go"), 5000, 40) == 40 * reviews.MAX_PLAIN_GAMES


def test_final_value_is_in_the_unit_of_the_judge():
    """In Bo it is the chance to win, so losers get 0; elsewhere places count as well."""
    assert [final_value(BO, (0, 1, 0, 0), seat) for seat in range(4)] == [0, 1, 0, 0]
    assert [final_value(BO, (0, 0, 0, 0), seat) for seat in range(4)] == [0, 0, 0, 0]
    assert 0 < final_value(kibitz.game("go"), (1, 2, 3, 4), 1) < 1


def test_a_game_of_bo_is_reviewed_by_whole_turns(monkeypatch, brief):
    monkeypatch.setattr(reviews, "is_ready", lambda game: False)
    record = kibitz.play_games("bo-mini", ["greedy", "random"], n=1, seed=2, workers=1, records=True).records[0]
    found = reviews.review(record, 4)
    assert found.judge == "whole turns compared in 4 simulated games (plain Python)"
    assert all(0 <= one.judgement.chosen_chance <= one.judgement.best_chance <= 1 for one in found.decisions)
    for line, scores in zip(found.seat_summaries, record.outcome.scores, strict=True):
        own = next(one.judgement for one in found.decisions if one.seat == line.seat)
        assert line.luck == pytest.approx(scores - own.best_chance + line.chance)
    assert "chances" in reviews.chances_plot(found, record).svg
