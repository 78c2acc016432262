"""Reviews judge each decision by what its seat could know, and count mistakes only beyond the error; ladders."""

from types import SimpleNamespace

import pytest

import kibitz
from kibitz.arena import reviews
from kibitz.arena.games import decisions_of
from kibitz.arena.reviews import advice_at_step, real_decisions, review
from kibitz.cards import code
from kibitz.errors import RecordError
from kibitz.search.advice import Judgement
from kibitz.search.tree_search import final_reward, search_config
from tests.contract.groups import sharing

pytestmark = sharing("eights")


@pytest.fixture(scope="module")
def record():
    """A round of President in which one seat plays at random."""
    return kibitz.play_games("president:rounds=1", ["greedy", "random"], n=1, seed=3, workers=1, records=True).records[
        0
    ]


@pytest.fixture(scope="module")
def reviewed(record):
    return review(record, 6)


@pytest.mark.long
def test_every_decision_with_a_choice_is_judged_once(record, reviewed):
    there_were = [one.step for one in decisions_of(record, 0) if len(one.legal) > 1]
    assert [verdict.step for verdict in reviewed.decisions] == there_were
    assert sum(account.decisions for account in reviewed.seat_summaries) == len(there_were)


def test_mistakes_cost_more_than_the_error(reviewed):
    for verdict in reviewed.decisions:
        made = verdict.judgement
        beyond = abs(made.cost) > made.error and made.chance > made.chance_error
        assert made.is_mistake == (made.chosen != made.best and beyond)
        assert made.chance >= 0
    assert (
        list(reviewed.turning_points)
        == [
            verdict.step
            for verdict in sorted(
                (one for one in reviewed.decisions if one.judgement.is_mistake), key=lambda one: -one.judgement.chance
            )
        ][:3]
    )
    for account in reviewed.seat_summaries:
        wrong = [v.judgement for v in reviewed.decisions if v.seat == account.seat and v.judgement.is_mistake]
        assert account.mistakes == len(wrong)
        assert account.chance == pytest.approx(sum(one.chance for one in wrong))


@pytest.mark.parametrize(
    ("cost", "error", "chance_error", "mistake"),
    [
        (2.0, 2.27, 0.01, False),
        (2.3, 2.27, 0.01, True),
        (2.3, 2.27, 0.04, False),
        (-9.0, 2.27, 0.01, True),
        (-1.0, 0.0, 0.0, True),
    ],
)
def test_differences_within_either_error_are_not_mistakes(cost, error, chance_error, mistake):
    """The better choice has the higher chance to win, whatever its score; an exact value has no error."""
    assert Judgement(1, 2, cost, error, 0.03, chance_error, 0.5, 0.47, 0.01).is_mistake == mistake


def test_luck_is_the_gain_over_expectation_without_mistakes(record, reviewed):
    """In a round of President, first place is worth 1 and last place 0; a seat without choices has no luck."""
    game = kibitz.game(record.game)
    best, worst = max(record.outcome.scores), min(record.outcome.scores)
    for account in reviewed.seat_summaries:
        first = next(verdict.judgement for verdict in reviewed.decisions if verdict.seat == account.seat)
        got = final_reward(game, search_config(game), record.outcome.scores, account.seat)
        if record.outcome.scores[account.seat] in (best, worst):
            assert (got > 0.5) == (record.outcome.scores[account.seat] == best)
        assert account.luck == pytest.approx(got - first.best_chance + account.chance)
        idle = reviews.seat_summary(game, record, account.seat, [])
        assert (idle.decisions, idle.mistakes, idle.cost, idle.chance, idle.luck) == (0, 0, 0, 0, 0)
    assert len({account.luck for account in reviewed.seat_summaries}) > 1


@pytest.mark.long
def test_a_review_is_reproducible_and_reports_progress(record, reviewed):
    reported = []
    assert review(record, 6, progress=reported.append) == reviewed
    assert reported == [verdict.step for verdict in reviewed.decisions]


def test_one_decision_is_ranked_and_steps_without_a_choice_refused(record):
    steps = [position.step for position in real_decisions(record)]
    position, advice = advice_at_step(record, steps[0], 10)
    assert sorted(one.action for one in advice.choices) == sorted(position.legal)
    nearest = ", ".join(str(step) for step in steps[-1:-4:-1])
    with pytest.raises(RecordError, match=f"nobody had a choice after 99999 actions; there was one after {nearest}\\."):
        advice_at_step(record, 99999, 10)


def test_slow_games_get_at_most_24_rollouts_per_choice(monkeypatch):
    ready = {"go": True, "bo": False}
    monkeypatch.setattr(reviews, "is_ready", lambda game: ready[game.name])
    assert [reviews.affordable_games(kibitz.game("bo"), games, 3) for games in (71, 72, 73, 1000)] == [71, 72, 72, 72]
    assert reviews.affordable_games(kibitz.game("bo"), 1000, 1) == 24
    assert reviews.affordable_games(kibitz.game("go"), 1000, 3) == 1000


def test_throwing_the_game_away_is_a_mistake():
    """In Kuhn poker, folding the king to a bet certainly loses two chips."""
    game = kibitz.game("kuhn")

    def first(view, legal):
        return max(legal)

    def fold(view, legal):
        return min(legal)

    for seed in range(60):
        one = kibitz.play_games(game, [first, fold], n=1, seed=seed, workers=1, records=True).records[0]
        for verdict in review(one, 20).decisions:
            position = next(p for p in decisions_of(one, 0) if p.step == verdict.step)
            if verdict.chosen == "fold" and code(position.view.hand[0]) == "KS":
                assert verdict.judgement.cost == 3.0
                assert verdict.judgement.is_mistake
                return
    pytest.fail("the king never folded")


def judged(seat, step, chance, *, mistake=True, cost=2.0, error=0.25):
    """A verdict with invented values."""
    made = SimpleNamespace(
        is_mistake=mistake, chance=chance, cost=cost, best_chance=0.5, chosen_chance=0.4, chosen_chance_error=error
    )
    return reviews.ReviewedDecision(step, seat, f"choice {step}", "better", made)


def test_turning_points_are_listed_before_the_other_mistakes():
    verdicts = (judged(0, 1, 0.1), judged(1, 2, 0.3), judged(0, 3, 0.2, mistake=False), judged(0, 4, 0.4))
    found = reviews.Review("eights", "", 8, verdicts, (4, 2), ())
    assert [one.step for one in found.mistakes] == [4, 2, 1]
    assert found.summary == "3 mistakes in 4 decisions."
    assert reviews.Review("eights", "", 8, verdicts[2:3], (), ()).summary == "No mistakes in 1 decision."


def test_a_cost_is_never_shown_as_negative():
    """A choice with a higher mean score but fewer wins costs chances."""
    wins_less = Judgement(1, 2, -11.5, 3.0, 0.5, 0.125, 0.75, 0.25, 0.1)
    assert reviews.cost_text("eights", wins_less) == "cost 50.0 ± 12.5 percentage points of winning chance"


def test_an_account_adds_up_only_mistakes():
    record = SimpleNamespace(outcome=SimpleNamespace(scores=(1.0, -1.0)), seats=("Ann", "Ben"))
    verdicts = [
        judged(0, 1, 0.25),
        judged(0, 3, 0.125, mistake=False),
        judged(1, 4, 0.5),
        judged(0, 5, 0.0625, cost=1.0),
    ]
    found = reviews.seat_summary(kibitz.game("kuhn"), record, 0, verdicts)
    assert (found.seat, found.name, found.decisions, found.mistakes) == (0, "Ann", 3, 2)
    assert (found.cost, found.chance) == (3.0, 0.3125)
    got = reviews.final_value(kibitz.game("kuhn"), (1.0, -1.0), 0)
    assert found.luck == got - 0.5 + 0.3125


def test_plot_points_name_the_better_choice_and_omit_unknown_errors():
    assert reviews.chances_point(judged(0, 7, 0.25)) == (7, 0.4, 0.25, "choice 7, better better")
    assert reviews.chances_point(judged(0, 7, 0.25, mistake=False))[3] == "choice 7"
    assert reviews.chances_point(judged(0, 7, 0.25, error=float("inf")))[2] is None


def test_the_plot_ends_with_the_result_and_names_turning_points(record, reviewed):
    drawn = reviews.chances_plot(reviewed, record)
    for step in reviewed.turning_points:
        assert f"{reviews.choice_at(reviewed, step)} after {step} actions" in drawn.description
    assert f"over {len(record.actions)} actions" in drawn.description
    assert sum("the end" in row for row in drawn.rows) == len(record.seats)
    for verdict in reviewed.decisions:
        (row,) = (row for row in drawn.rows if row[1] == verdict.step)
        assert row[0] == f"{record.seats[verdict.seat]} (seat {verdict.seat})"
        assert ("better" in row[-1]) == verdict.judgement.is_mistake
