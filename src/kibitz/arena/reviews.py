"""Reviews a finished game: every decision with the best alternative, what it cost, and how sure that is.

verdict     one decision, judged by what its seat could know then (``search.regret``)
mistake     a decision that cost more than the judge's error
turning     the three decisions that cost most
luck        by seat, its result, plus the cost of its mistakes, minus the value of its first decision
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import isfinite

import msgspec

from kibitz.arena.games import Position, decisions
from kibitz.engine.game import Game
from kibitz.engine.record import Record
from kibitz.engine.registry import game as find_game
from kibitz.engine.sentences import counted
from kibitz.engine.views.events import View
from kibitz.errors import RecordError
from kibitz.plots.charts import Line, Point, lines
from kibitz.plots.primitives import Plot
from kibitz.search.advice import Advice, Budget, Judgement, advise, judge_choice
from kibitz.search.rollout_planner import has_plans
from kibitz.search.search_players import final_value, is_ready, judge_name, max_plain_games

TURNING_POINTS = 3
MAX_PLAIN_GAMES = 24
"""The most games simulated for a decision without machine code."""


class Verdict(msgspec.Struct, frozen=True):
    """One decision: its step, from 0, its seat, the choice and the best one in words, and the judgement.

    ``why`` says what the best choice of a mistake does, if the game has words for it.
    """

    step: int
    seat: int
    chosen: str
    best: str
    judgement: Judgement
    why: str = ""


class SeatSummary(msgspec.Struct, frozen=True):
    """The total cost of one seat's mistakes, and its luck."""

    seat: int
    name: str
    decisions: int
    mistakes: int
    cost: float
    chance: float
    luck: float


class Review(msgspec.Struct, frozen=True):
    """A game's verdicts by step, turning points and summaries by seat; ``judge`` is the judge and its games."""

    game: str
    judge: str
    games: int
    verdicts: tuple[Verdict, ...]
    turning: tuple[int, ...]
    accounts: tuple[SeatSummary, ...]

    @property
    def mistakes(self) -> list[Verdict]:
        """The mistakes: turning points first, the greatest one first, then the others by step."""
        wrong = [one for one in self.verdicts if one.judgement.is_mistake]
        places = {step: place for place, step in enumerate(self.turning)}
        return sorted(wrong, key=lambda one: (places.get(one.step, len(places)), one.step))

    @property
    def summary(self) -> str:
        """How many mistakes there are, such as ``1 mistake in 46 decisions.``."""
        wrong = counted(len(self.mistakes), "mistake") if self.mistakes else "No mistakes"
        return f"{wrong} in {counted(len(self.verdicts), 'decision')}."


def cost_text(game: str, made: Judgement) -> str:
    """What a mistake cost: chances, and points where it earned less than the best choice.

    >>> cost_text("kuhn", Judgement(0, 1, 0.5, 0.25, 0.125, 0.0625, 0.5, 0.375, 0.0))
    'cost 0.50 ± 0.25 chips and 12.5 ± 6.2 percentage points of winning chance'
    """
    margin = f" ± {100 * made.chance_error:.1f}" if made.chance_error else ""
    chances = f"{100 * made.chance:.1f}{margin} percentage points of winning chance"
    known = find_game(game)
    if made.cost <= 0 or has_plans(known):  # chances alone, or more wins with fewer points
        return f"cost {chances}"
    error = f" ± {made.error:.2f}" if made.error else ""
    return f"cost {made.cost:.2f}{error} {known.words.unit} and {chances}"


def review(record: Record, games: int, seed: int = 0, progress: Callable[[int], object] | None = None) -> Review:
    """Judge every decision of a finished game; ``progress(step)`` is called after each.

    Without machine code at most ``MAX_PLAIN_GAMES`` games are simulated for each.
    """
    game = find_game(record.game)
    plain = not is_ready(game)
    games = min(games, MAX_PLAIN_GAMES) if plain else games
    verdicts = []
    for position in real_decisions(record):
        verdicts.append(verdict(game, position, games, seed, plain=plain))
        if progress:
            progress(position.step)
    wrong = sorted((one for one in verdicts if one.judgement.is_mistake), key=lambda one: -one.judgement.chance)
    accounts = tuple(seat_summary(game, record, seat, verdicts) for seat in range(game.seats))
    judge, turning = judge_name(game, games, plain=plain), tuple(one.step for one in wrong[:TURNING_POINTS])
    return Review(game.name, judge, games, tuple(verdicts), turning, accounts)


def real_decisions(record: Record) -> Iterator[Position]:
    """The decisions of a game in which there was a choice."""
    return (position for position in decisions(record, 0) if len(position.legal) > 1)


def verdict(game: Game, position: Position, games: int, seed: int, *, plain: bool) -> Verdict:
    """Judge one decision."""
    found = judge_choice(game, position.view, position.legal, position.action, games, seed, plain=plain)
    chosen, better = (choice_text(game, position.view, action) for action in (found.chosen, found.best))
    why = game.words.explain(position.view, found.best) if found.is_mistake else ""
    return Verdict(position.step, position.seat, chosen, better, found, why)


def choice_text(game: Game, view: View, action: int) -> str:
    """An action as a choice in a list, without the notes in columns."""
    return " ".join(game.words.label(view, action).split())


def seat_summary(game: Game, record: Record, seat: int, verdicts: list[Verdict]) -> SeatSummary:
    """One seat's decisions and mistakes in numbers."""
    own = [one.judgement for one in verdicts if one.seat == seat]
    wrong = [one for one in own if one.is_mistake]
    chance = sum(one.chance for one in wrong)
    got = final_value(game, record.outcome.scores, seat)
    luck = got - own[0].promise + chance if own else 0.0
    return SeatSummary(seat, record.seats[seat], len(own), len(wrong), sum(one.cost for one in wrong), chance, luck)


def at_step(record: Record, step: int, games: int, seed: int = 0) -> tuple[Position, Advice]:
    """The choices of one decision, the best first; RecordError if there was none at this step."""
    game = find_game(record.game)
    for position in real_decisions(record):
        if position.step == step:
            return position, advise(game, [position.view], Budget(affordable(game, games, len(position.legal))), seed)
    steps = [position.step for position in real_decisions(record)]
    near = ", ".join(str(other) for other in sorted(steps, key=lambda other: abs(other - step))[:3])
    raise RecordError(f"nobody had a choice before action {step}; there was one at {near or 'no step at all'}.")


def affordable(game: Game, games: int, choices: int) -> int:
    """How many games to imagine if ``games`` are wanted: without machine code, as many as take about a second."""
    return games if is_ready(game) else min(games, MAX_PLAIN_GAMES * choices, max_plain_games(game))


def chances_plot(of_game: Review, record: Record) -> Plot:
    """A plot, with its table, of how the chances of each seat changed, by what it could know.

    A point is a decision: the chances that the seat's choice had then, with half of their 95 % interval; the last point
    is the result.
    """
    game = find_game(record.game)
    end = len(record.actions)
    drawn = []
    for seat, name in enumerate(record.seats):
        points = [chances_point(one) for one in of_game.verdicts if one.seat == seat]
        got = final_value(game, record.outcome.scores, seat)
        drawn.append(Line(f"{name} (seat {seat})", (*points, Point(end, got, 0.0, "the end"))))
    wrong = [f"{choice_at(of_game, step)} after {step} actions" for step in of_game.turning]
    turning = f" Turning points: {'; '.join(wrong)}." if wrong else ""
    return lines(
        "chances",
        f"Chances in a game of {of_game.game}",
        f"What each seat could expect at its own decisions, from 0 to 100 %, over {end} actions.{turning}"
        f" Evaluated with: {of_game.judge}.",
        drawn,
        percent=True,
        label="actions",
        heads=("seat", "action", "chance", "error", "choice"),
    )


def chances_point(verdict: Verdict) -> Point:
    """The value of a choice for its seat."""
    made = verdict.judgement
    mistake = f", better {verdict.best}" if made.is_mistake else ""
    error = made.taken_error if isfinite(made.taken_error) else None
    return Point(verdict.step, made.taken, error, f"{verdict.chosen}{mistake}")


def choice_at(of_game: Review, step: int) -> str:
    """The choice at a step."""
    return next(verdict.chosen for verdict in of_game.verdicts if verdict.step == step)
