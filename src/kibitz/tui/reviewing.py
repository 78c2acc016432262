"""A review beside a replay: the chances of a seat as a line, and for each decision what would have been better.

chance      what a seat's choice promised it, 0 to 1, by what it could know then (``kibitz.arena.reviewing``)
spark       the chances as a line of little bars, one column for some steps, as long as the film
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from kibitz.engine.record import Record

if TYPE_CHECKING:
    from kibitz.arena.reviewing import Review, Verdict

BARS = "▁▂▃▄▅▆▇█"
GAMES = 100
"""So many games are imagined for each decision; fewer where there is no machine code."""


class Stopped(Exception):
    """Nobody looks any more."""


def reviewed(record: Record, told: Callable[[int], object]) -> Review:
    """Judge every decision of a finished game; ``told`` is called as they are judged, and may raise ``Stopped``."""
    from kibitz.arena.reviewing import review

    return review(record, GAMES, told=told)


def chances(review: Review, seat: int) -> dict[int, float]:
    """By step, what the choices of a seat promised it."""
    return {one.step: one.judgement.promise - one.judgement.chance for one in review.verdicts if one.seat == seat}


def spark(found: dict[int, float], last: int, width: int) -> str:
    """Chances as bars along a film of ``last`` steps; blank before the first decision.

    >>> spark({0: 0.0, 5: 0.5, 9: 1.0}, 10, 11)
    '▁▁▁▁▁▅▅▅▅██'
    """
    line = ""
    for column in range(width):
        until = column * last // max(width - 1, 1)
        known = [step for step in found if step <= until]
        line += BARS[min(int(found[max(known)] * len(BARS)), len(BARS) - 1)] if known else " "
    return line


def verdict_at(review: Review, step: int) -> Verdict | None:
    """The verdict on the decision after so many actions."""
    return next((one for one in review.verdicts if one.step == step), None)


def said(review: Review, step: int, names: tuple[str, ...]) -> str:
    """What is to be said of the decision after so many actions."""
    one = verdict_at(review, step)
    if one is None:
        return ""
    made = one.judgement
    name, promise = names[one.seat], f"it promised {made.promise - made.chance:.0%}"
    if not made.is_mistake:
        return f"{name} now chooses {one.chosen}: {promise}, and nothing is better beyond the judge's error."
    turning = " A turning point." if step in review.turning else ""
    return (
        f"{name} now chooses {one.chosen}: {promise}. Better was {one.best}, by {made.chance:.0%} ±"
        f" {made.chance_error:.0%}.{turning} Judge: {review.judge}."
    )
