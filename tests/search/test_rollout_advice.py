"""Whole turns tried out at leisure: a value for every play, in the budget, the same however it is asked; and advice.

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
from kibitz.engine.contract.positions import Position
from kibitz.games.bo.piles import SOURCE, STOCK, ends_turn
from kibitz.players.advice import hint
from kibitz.players.built_in import characters
from kibitz.search import advice, rollout_kernels, rollout_planner, search_players
from kibitz.search.advice import Budget, advise, judge_choice
from kibitz.search.rollout_planner import RolloutAdvice, RolloutPlanner
from kibitz.search.search_players import SearchPlayer, advice_search, final_value, search_kind
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


def surveyed(game, state, legal, games, seed=1, **how):
    """A survey in plain Python."""
    survey = RolloutAdvice(game, [game.view(state, state.player)], legal, seed, plain=True, **how)
    survey.simulate(games)
    return survey


def known(survey):
    """All that a survey has found."""
    return [list(chances) for chances in survey.chances], survey.ranking(), survey.done


def with_chances(*chances):
    """A survey that has found these."""
    state, legal = next(decisions(BO, 1))
    survey = surveyed(BO, state, legal, 0)
    for own, found in zip(survey.chances, chances, strict=False):
        own.extend(found)
    return survey


def wins_at_once():
    """Decisions in which a seat can win with its last stockpile card, or end its turn; with a play that does that."""
    for seed in range(20):
        for state, legal in decisions(ONE_CARD, seed):
            ends = [action for action in legal if ends_turn(state, action)]
            if ends and any(action // SOURCE == STOCK for action in legal):
                yield ONE_CARD.view(state, state.player), legal, ends[0]


@pytest.mark.parametrize("name", first_fast(FORMS, 2))
def test_every_play_begins_a_plan_alike_in_all_worlds_and_every_number_fits(name, brief):
    game = kibitz.game(name)
    chosen = [*islice(decisions(game, 3), 0, 12, 5)]  # players may use machine code, which is made of what is watched
    with numbers_checked(kernels(game)):
        for state, legal in chosen:
            before = state.copy()
            survey = surveyed(game, state, legal, 30)
            assert state == before
            assert sorted({*survey.first}) == sorted(legal) == sorted(one.action for one in survey.ranking())
    world = next(iter(determinizations(Position(game, 3, (), state, legal, None), state.player, Random(1))))
    assert known(surveyed(game, world, legal, 30)) == known(survey)


def test_the_plans_that_best_tries_are_the_first():
    for state, legal in islice(decisions(BO, 4), 2, 12, 4):
        survey, trial = (
            surveyed(BO, state, legal, 0),
            RolloutPlanner(BO, BO.view(state, state.player), legal, plain=True),
        )
        trial.simulate(0)
        numbers = rollout_kernels.PLAN_SIZE * int(trial.progress[rollout_kernels.FOUND])
        assert list(survey.plans[:numbers]) == list(trial.plans[:numbers])


def test_pieces_and_threads_change_nothing(brief):
    state, legal = next(islice(decisions(BO, 5), 4, None))
    whole = surveyed(BO, state, legal, 100)
    pieces = surveyed(BO, state, legal, 50)
    pieces.simulate(17)
    pieces.simulate(33)
    assert known(pieces) == known(whole) == known(surveyed(BO, state, legal, 100, threads=3))
    assert known(surveyed(BO, state, legal, 200, seed=2)) != known(whole)


def test_plain_python_and_machine_code_find_the_same():
    for state, legal in islice(decisions(BO, 5), 3, 4):
        fast = RolloutAdvice(BO, [BO.view(state, state.player)], legal, 9)
        fast.simulate(60)
        slow = surveyed(BO, state, legal, 60, seed=9)
        assert known(fast) == known(slow)
        assert list(fast.plans) == list(slow.plans)
        assert fast.rollout_values(legal[-1], 20) == slow.rollout_values(legal[-1], 20)


def test_every_play_gets_a_value_with_an_error_and_no_game_more_is_imagined_than_asked(brief):
    state, legal = next(islice(decisions(BO, 5), 4, None))
    for games in (0, 1, 15, 300):
        survey = surveyed(BO, state, legal, games)
        assert survey.done == sum(map(len, survey.chances)) == games
    ranking = survey.ranking()
    assert all(one.tried >= rollout_kernels.BATCH and isfinite(one.error) and 0 <= one.worth <= 1 for one in ranking)
    assert ranking[0].tried >= max(one.tried for one in ranking) // 2
    assert ranking[0].tried > min(one.tried for one in ranking)
    assert surveyed(BO, state, legal, 0).ranking()[0].action == BO.strategies["marshal"](
        BO.view(state, state.player), legal, Random(0)
    )


def test_several_views_take_turns(brief):
    """Views that are the same are as one; of two each has every second world, as it would have them alone."""
    state, legal = next(decisions(BO, 5))
    view = BO.view(state, state.player)
    other = replace(view, round=BO.options["rounds"] - 1)
    one, same, both, late = (
        RolloutAdvice(BO, views, legal, 1, plain=True) for views in ([view], [view] * 3, [view, other], [other])
    )
    for survey in (one, same, both, late):
        survey.chances[0].extend(survey.try_tasks([(0, 0, 8)], rollout_kernels.SEARCHED)[0])
    assert one.chances == same.chances
    assert one.chances[0] != late.chances[0]
    assert (both.chances[0][::2], both.chances[0][1::2]) == (one.chances[0][::2], late.chances[0][1::2])


def test_the_error_spans_how_views_differ():
    state, legal = next(decisions(BO, 1))
    survey = RolloutAdvice(BO, [BO.view(state, state.player)] * 2, legal, plain=True)
    survey.chances[0].extend([4000, 8000] * 8)
    assert survey.standing(0, 0).worth * rollout_kernels.ONE == pytest.approx(6000)
    assert survey.standing(0, 0).error * rollout_kernels.ONE == pytest.approx(2000)


def test_worlds_in_which_choices_are_compared_are_others_and_the_same_for_both():
    state, legal = next(islice(decisions(BO, 5), 4, None))
    survey = surveyed(BO, state, legal, 40)
    best = survey.ranking()[0].action
    assert survey.rollout_values(best, 16) == survey.rollout_values(best, 20)[:16]
    values = [round(rollout_kernels.ONE * end[1]) for end in survey.rollout_values(best, 16)]
    assert values != list(survey.chances[0])[:16]
    assert survey.done == 40


def test_a_plan_that_was_tried_as_often_is_worth_its_mean_with_the_usual_error():
    random = Random(1)
    first, second = ([random.randrange(4000, 12000) for _ in range(32)] for _ in range(2))
    survey = with_chances([one + 1000 for one in first], second)
    for j, chances in enumerate(survey.chances[:2]):
        found = survey.standing(j, survey.leader())
        assert found.worth == pytest.approx(fmean(chances) / rollout_kernels.ONE)
        assert found.error == pytest.approx(sqrt(variance(chances) / 32) / rollout_kernels.ONE)


def test_a_plan_that_was_tried_in_lucky_worlds_alone_is_held_against_the_leader_there():
    """The first worlds were good to both: the second plan is 500 behind in each of them, and so it is in all.

    So few worlds leave that open; 3000 they do not.
    """
    lead = [9000] * 16 + [5000] * 48
    survey = with_chances(lead, [one - 500 for one in lead[:16]])
    first, second = (survey.standing(j, 0) for j in (0, 1))
    assert first.worth * rollout_kernels.ONE == pytest.approx(6000)
    assert second.worth * rollout_kernels.ONE == pytest.approx(5500)
    assert second.error == pytest.approx(first.error)
    assert (survey.leader(), survey.is_open(1, 0)) == (0, True)
    behind = with_chances(lead, [one - 3000 for one in lead[:16]])
    assert (behind.leader(), behind.is_open(1, 0)) == (0, False)


def test_of_a_plan_that_nobody_has_tried_nothing_is_known():
    survey = with_chances([5000] * 16, [9000] * 15)
    assert [one.error for _, one in survey.standings()[1:]] == [inf] * (len(survey.first) - 1)
    assert survey.leader() == 0
    assert not survey.is_open(5, 0)


def test_a_plan_that_may_be_the_best_is_tried_until_it_has_the_worlds_of_the_leader():
    random = Random(2)
    lead = [random.randrange(4000, 12000) for _ in range(128)]
    near = [one + random.choice((-3000, 3200)) for one in lead[:16]]
    survey = with_chances(lead, near, [one - 3000 for one in lead[:16]])
    tasks = survey.next_tasks()
    assert {task[1:] for task in tasks} == {(0, 16)}, "whatever was not tried at all comes first"
    assert sorted(task[0] for task in tasks) == list(range(3, len(survey.first)))
    for own in survey.chances[3:]:
        own.extend(one - 3000 for one in lead[:16])
    assert survey.next_tasks() == [(1, 16, 32)]
    survey.chances[1].extend(one - 3000 for one in lead[16:32])
    assert survey.next_tasks() == [(0, 128, 256)]


def test_a_survey_ends_where_all_is_known(monkeypatch, brief):
    monkeypatch.setattr(rollout_planner, "MAX_WORLDS", 4)
    state, legal = next(decisions(kibitz.game("bo-mini"), 1))
    survey = surveyed(kibitz.game("bo-mini"), state, legal, 10**6)
    done = survey.done
    assert max(map(len, survey.chances)) == 4
    survey.simulate_for(60)
    assert survey.done == done < 10**6


def test_who_can_win_at_once_is_told_to_and_to_end_the_turn_is_a_mistake(monkeypatch):
    monkeypatch.setattr(advice, "is_ready", lambda game: False)
    found = list(islice(wins_at_once(), 3))
    assert len(found) == 3
    for view, legal, end in found:
        best = advise(ONE_CARD, [view], Budget(60)).choices[0]
        assert (best.action // SOURCE, best.promise) == (STOCK, 1)
        made = judge_choice(ONE_CARD, view, legal, end, 20, plain=True)
        assert (made.best // SOURCE, made.promise, made.is_mistake) == (STOCK, 1, True)
        assert made.cost == made.chance == pytest.approx(1 - made.taken)
        assert not judge_choice(ONE_CARD, view, legal, best.action, 20, plain=True).is_mistake


@pytest.mark.parametrize("name", tiered(GAMES))
def test_advice_thinks_as_the_strongest_player_does(name):
    """Whoever asks is not told less than the player would find: where it tries out turns, nobody searches a tree."""
    game = kibitz.game(name)
    state = game.deal(1)
    while len(game.legal(state)) < 2:
        game.advance(state, game.legal(state)[0])
    view, legal = game.view(state, state.player), game.legal(state)
    player, adviser = search_kind(game, view, legal, 0, plain=True), advice_search(game, [view], legal, plain=True)
    kinds = {RolloutPlanner: RolloutAdvice, Search: Search}
    assert type(adviser) is kinds[type(player)]
    assert (type(adviser) is RolloutAdvice) == rollout_planner.has_plans(game)
    if isinstance(characters(game)[-1].strategy, SearchPlayer) and type(adviser) is Search:
        assert adviser.config == player.config


def test_in_bo_nothing_searches_a_tree(monkeypatch, brief):
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


def test_a_hint_says_where_nothing_had_to_be_tried_out(monkeypatch):
    """Where all plans begin alike ``best`` does that, and is the judge."""
    think_plainly(monkeypatch)
    for seed in range(9):
        for state, legal in decisions(BO, seed):
            survey = surveyed(BO, state, legal, 0)
            promising = survey.first[: rollout_kernels.PLANS]
            if len(legal) >= rollout_kernels.PLANS and len({*promising}) == 1:
                told = hint(BO, BO.view(state, state.player), legal)
                assert (told.action, told.judge) == (promising[0], "best")
                assert told.reason.startswith("Hint: ")
                assert "simulated games" not in told.reason
                return
    pytest.fail("no such position")


def test_progress_is_told_in_plain_python(monkeypatch, brief):
    monkeypatch.setattr(advice, "is_ready", lambda game: False)
    state, _ = next(islice(decisions(BO, 5), 4, None))
    told = []
    advise(BO, [BO.view(state, state.player)], Budget(40), progress=told.append)
    assert told == [16, 32, 40]


def test_in_plain_python_a_moment_has_fewer_whole_turns(monkeypatch):
    monkeypatch.setattr(reviews, "is_ready", lambda game: False)
    assert reviews.affordable(BO, 5000, 40) == search_players.PLAIN_TURNS
    assert reviews.affordable(kibitz.game("go"), 5000, 40) == 40 * reviews.MAX_PLAIN_GAMES


def test_what_a_game_came_to_is_in_the_measure_of_its_judge():
    """In Bo a chance to win, so nothing for all who lose; elsewhere places count as well."""
    assert [final_value(BO, (0, 1, 0, 0), seat) for seat in range(4)] == [0, 1, 0, 0]
    assert [final_value(BO, (0, 0, 0, 0), seat) for seat in range(4)] == [0, 0, 0, 0]
    assert 0 < final_value(kibitz.game("go"), (1, 2, 3, 4), 1) < 1


def test_a_game_of_bo_is_reviewed_by_whole_turns(monkeypatch, brief):
    monkeypatch.setattr(reviews, "is_ready", lambda game: False)
    record = kibitz.play_games("bo-mini", ["greedy", "random"], n=1, seed=2, workers=1, records=True).records[0]
    found = reviews.review(record, 4)
    assert found.judge == "whole turns compared in 4 simulated games (plain Python)"
    assert all(0 <= one.judgement.taken <= one.judgement.promise <= 1 for one in found.verdicts)
    for line, scores in zip(found.accounts, record.outcome.scores, strict=True):
        own = next(one.judgement for one in found.verdicts if one.seat == line.seat)
        assert line.luck == pytest.approx(scores - own.promise + line.chance)
    assert "chances" in reviews.chances_plot(found, record).svg


def test_a_judge_uses_the_thinking_of_advice(monkeypatch):
    asked = []

    def noted(game, views, legal, *rest, **named):
        asked.append(game.name)
        return advice_search(game, views, legal, *rest, **named)

    for module in (advice, advice):
        monkeypatch.setattr(module, "advice_search", noted)
    view, legal, _ = next(wins_at_once())
    advise(ONE_CARD, [view], Budget(1))
    judge_choice(ONE_CARD, view, legal, legal[0], 2, plain=True)
    assert asked == [ONE_CARD.name] * 2
