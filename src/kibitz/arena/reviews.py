"""Reviews a finished game: every decision with the best alternative, the decision's cost, and the error of that cost.

judgement       the comparison of a choice with the best one, based on what its seat could know at the time
mistake         a decision that cost more than the judge's error
turning point   one of the three mistakes that cost most
luck            a seat's result, plus the cost of its mistakes, minus the value of its first decision
plain           simulated without machine code, which is slow
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import isfinite

import msgspec

from kibitz.arena.games import Decision, decisions_of
from kibitz.engine.game import Game
from kibitz.engine.record import Record
from kibitz.engine.registry import game as find_game
from kibitz.engine.sentences import counted
from kibitz.engine.views.events import View
from kibitz.errors import RecordError
from kibitz.games.poker.phh import unknown_seats
from kibitz.plots.charts import Line, Point, lines
from kibitz.plots.primitives import Plot
from kibitz.search.advice import Advice, Budget, Judgement, advise, judge_choice
from kibitz.search.rollout_planner import has_plans
from kibitz.search.search_players import final_value, is_ready, judge_name, max_plain_games

TURNING_POINTS = 3
GAMES = 300
"""By default, games simulated for each decision of a review."""
MAX_PLAIN_GAMES = 24
"""The maximum number of games simulated for a decision without machine code."""


class ReviewedDecision(msgspec.Struct, frozen=True):
    """One decision: its step, from 0, its seat, its choice and the best choice in words, and the judgement.

    For a mistake, ``why`` says what the best choice does, if the game has words for it.
    """

    step: int
    seat: int
    chosen: str
    best: str
    judgement: Judgement
    why: str = ""


class SeatSummary(msgspec.Struct, frozen=True):
    """The total cost of one seat's mistakes, in points (``cost``) and in winning chance (``chance``), and its luck."""

    seat: int
    name: str
    decisions: int
    mistakes: int
    cost: float
    chance: float
    luck: float

    @property
    def summary(self) -> str:
        """How many mistakes the seat made, such as ``No mistakes in 9 decisions``."""
        return mistakes_text(self.mistakes, self.decisions)


class Review(msgspec.Struct, frozen=True):
    """A game's decisions by step, the steps of its turning points, and a summary for each seat.

    ``judge`` describes the judge, and ``games`` is the number of games that it simulated for each decision. In JSON,
    two fields have older names.
    """

    game: str
    judge: str
    games: int
    decisions: tuple[ReviewedDecision, ...] = msgspec.field(name="verdicts")
    turning_points: tuple[int, ...] = msgspec.field(name="turning")
    seat_summaries: tuple[SeatSummary, ...]

    @property
    def mistakes(self) -> list[ReviewedDecision]:
        """The mistakes: first the turning points, beginning with the greatest, then the others by step."""
        mistakes = [decision for decision in self.decisions if decision.judgement.is_mistake]
        places = {step: place for place, step in enumerate(self.turning_points)}
        return sorted(mistakes, key=lambda mistake: (places.get(mistake.step, len(places)), mistake.step))

    @property
    def summary(self) -> str:
        """How many mistakes there are, such as ``1 mistake in 46 decisions.``."""
        return f"{mistakes_text(len(self.mistakes), len(self.decisions))}."


def mistakes_text(mistakes: int, decisions: int) -> str:
    """How many mistakes were made, in words.

    >>> mistakes_text(0, 9)
    'No mistakes in 9 decisions'
    """
    return f"{counted(mistakes, 'mistake') if mistakes else 'No mistakes'} in {counted(decisions, 'decision')}"


def cost_text(game: str, judgement: Judgement) -> str:
    """What a mistake cost, in words: winning chance, and points if the best choice earns more of them.

    >>> cost_text("kuhn", Judgement(0, 1, 0.5, 0.25, 0.125, 0.0625, 0.5, 0.375, 0.0))
    'cost 0.50 ± 0.25 chips and 12.5 ± 6.2 percentage points of winning chance'
    """
    margin = f" ± {100 * judgement.chance_error:.1f}" if judgement.chance_error else ""
    chances = f"{100 * judgement.chance:.1f}{margin} percentage points of winning chance"
    game_rules = find_game(game)
    # The chance may be lower without a loss of points, or the best choice wins more often with fewer points.
    if judgement.cost <= 0 or has_plans(game_rules):
        return f"cost {chances}"
    error = f" ± {judgement.error:.2f}" if judgement.error else ""
    return f"cost {judgement.cost:.2f}{error} {game_rules.words.unit} and {chances}"


def review(record: Record, games: int, seed: int = 0, progress: Callable[[int], object] | None = None) -> Review:
    """Judge every decision of a finished game, with ``games`` simulated games each.

    In a hand imported from PHH, the decisions of players whose cards are unknown are left out.
    ``progress(step)`` is called after each decision. Without machine code, at most ``MAX_PLAIN_GAMES`` are simulated.
    """
    game = find_game(record.game)
    plain = not is_ready(game)
    games = min(games, MAX_PLAIN_GAMES) if plain else games
    reviewed = []
    for position in reviewed_positions(record):
        reviewed.append(reviewed_decision(game, position, games, seed, plain=plain))
        if progress:
            progress(position.step)
    mistakes = [decision for decision in reviewed if decision.judgement.is_mistake]
    mistakes.sort(key=lambda mistake: -mistake.judgement.chance)
    turning_points = tuple(mistake.step for mistake in mistakes[:TURNING_POINTS])
    seat_summaries = tuple(seat_summary(game, record, seat, reviewed) for seat in range(game.seats))
    judge = judge_name(game, games, plain=plain)
    return Review(game.name, judge, games, tuple(reviewed), turning_points, seat_summaries)


def real_decisions(record: Record) -> Iterator[Decision]:
    """The decisions with more than one legal action."""
    return (position for position in decisions_of(record, 0) if len(position.legal) > 1)


def reviewed_positions(record: Record) -> Iterator[Decision]:
    """The decisions that a review judges."""
    return (position for position in real_decisions(record) if position.seat not in unknown_seats(record))


def reviewed_decision(game: Game, position: Decision, games: int, seed: int, *, plain: bool) -> ReviewedDecision:
    """The review of one decision."""
    judgement = judge_choice(game, position.view, position.legal, position.action, games, seed, plain=plain)
    chosen, best = (choice_text(game, position.view, action) for action in (judgement.chosen, judgement.best))
    why = game.words.explain(position.view, judgement.best) if judgement.is_mistake else ""
    return ReviewedDecision(position.step, position.seat, chosen, best, judgement, why)


def choice_text(game: Game, view: View, action: int) -> str:
    """The label of an action, with single spaces instead of the spaces that align columns."""
    return " ".join(game.words.label(view, action).split())


def seat_summary(game: Game, record: Record, seat: int, reviewed: list[ReviewedDecision]) -> SeatSummary:
    """The summary of the decisions and mistakes of one seat."""
    judgements = [decision.judgement for decision in reviewed if decision.seat == seat]
    mistakes = [judgement for judgement in judgements if judgement.is_mistake]
    chance = sum(mistake.chance for mistake in mistakes)
    result = final_value(game, record.outcome.scores, seat)
    luck = result - judgements[0].best_chance + chance if judgements else 0.0
    return SeatSummary(
        seat,
        record.seats[seat],
        len(judgements),
        len(mistakes),
        sum(mistake.cost for mistake in mistakes),
        chance,
        luck,
    )


def advice_at_step(record: Record, step: int, games: int, seed: int = 0) -> tuple[Decision, Advice]:
    """The decision at a step, with advice on its choices. Raises RecordError if nobody had a choice there."""
    game = find_game(record.game)
    for position in real_decisions(record):
        if position.step == step:
            if position.seat in unknown_seats(record):
                raise RecordError(
                    f"this decision can't be judged: the cards of {record.seats[position.seat]} are unknown."
                )
            return position, advise(
                game, [position.view], Budget(affordable_games(game, games, len(position.legal))), seed
            )
    steps = [position.step for position in real_decisions(record)]
    if not steps:
        raise RecordError(f"nobody had a choice after {step} actions, or anywhere in this game.")
    near = ", ".join(str(nearby) for nearby in sorted(steps, key=lambda nearby: abs(nearby - step))[:3])
    raise RecordError(f"nobody had a choice after {step} actions; there was one after {near}.")


def affordable_games(game: Game, games: int, choices: int) -> int:
    """How many games to simulate: ``games``, but without machine code no more than take about a second."""
    return games if is_ready(game) else min(games, MAX_PLAIN_GAMES * choices, max_plain_games(game))


def chances_plot(game_review: Review, record: Record) -> Plot:
    """A plot, with its table, of each seat's chance of winning from decision to decision.

    A chance is based on what the seat could know. A point is a decision: the winning chance of the seat's choice, with
    half the width of its 95 % interval. The last point is the result.
    """
    game = find_game(record.game)
    end = len(record.actions)
    seat_lines = []
    for seat, name in enumerate(record.seats):
        points = [chances_point(decision) for decision in game_review.decisions if decision.seat == seat]
        result = final_value(game, record.outcome.scores, seat)
        seat_lines.append(Line(f"{name} (seat {seat})", (*points, Point(end, result, 0.0, "the end"))))
    turning_choices = [f"{choice_at(game_review, step)} after {step} actions" for step in game_review.turning_points]
    turning = f" Turning points: {'; '.join(turning_choices)}." if turning_choices else ""
    return lines(
        "chances",
        f"Chances in a game of {game_review.game}",
        f"What each seat could expect at its own decisions, from 0 to 100 %, over {end} actions.{turning}"
        f" Evaluated with: {game_review.judge}.",
        seat_lines,
        percent=True,
        label="actions",
        columns=("seat", "action", "chance", "error", "choice"),
    )


def chances_point(decision: ReviewedDecision) -> Point:
    """The point of a decision in the plot."""
    judgement = decision.judgement
    mistake = f", better {decision.best}" if judgement.is_mistake else ""
    error = judgement.chosen_chance_error if isfinite(judgement.chosen_chance_error) else None
    return Point(decision.step, judgement.chosen_chance, error, f"{decision.chosen}{mistake}")


def choice_at(game_review: Review, step: int) -> str:
    """The choice at a step, in words."""
    return next(decision.chosen for decision in game_review.decisions if decision.step == step)
