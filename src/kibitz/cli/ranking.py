"""The choices of one decision on the screen and as data: ``kibitz best`` and ``kibitz review --step``."""

from __future__ import annotations

from math import isfinite
from typing import TYPE_CHECKING, Any

from kibitz.cli.screen import BOLD, DIM, Screen

if TYPE_CHECKING:
    from kibitz.engine.events import View
    from kibitz.engine.game import Game
    from kibitz.search.advice import Advice
    from kibitz.search.thinking import Ranked


def show_choices(game: Game, view: View, advice: Advice, title: str, screen: Screen, action: int | None = None) -> None:
    """Write the choices, the best first, under a title; ``action`` is the one that was chosen."""
    from kibitz.arena.reviewing import in_words
    from kibitz.search.rollout_planner import has_plans
    from kibitz.search.thinking import digits_of

    screen.line(title, BOLD)
    digits = digits_of(advice.choices)
    for number, one in enumerate(advice.choices):
        mark = " ← chosen" if one.action == action else ""
        often = f"  made {advice.odds[number]:4.0%}" if advice.odds else ""
        screen.line(f"{figures(one, digits, exact=advice.exact)}{often}  {in_words(game, view, one.action)}{mark}")
    screen.line(f"Judge: {advice.judge}.", DIM)
    if not any(one.tried for one in advice.choices):
        return
    if advice.exact:
        told = "Worth is what the seat earns, counted to the end of what is left."
    else:
        worth = "the chance to win" if has_plans(game) else "what the seat earns in the mean"
        told = f"The best first: it was tried most. Worth is {worth}, ± half its interval."
    screen.line(told, DIM)


def figures(one: Ranked, digits: int, *, exact: bool) -> str:
    """What a choice is worth, in columns."""
    if not one.tried:
        return f"{'not tried':>9}"
    sure = f"{one.margin:.{digits}f}" if isfinite(one.margin) else "?"
    worth = f"{one.worth:+9.{digits}f}" + ("" if exact and not one.margin else f" ± {sure}")
    return f"{worth}  chances {one.promise:6.1%}"


def data_of(game: Game, view: View, advice: Advice) -> dict[str, Any]:
    """The choices for programs: errors are standard errors, null where they are not known."""
    import msgspec

    from kibitz.arena.reviewing import in_words

    rows = []
    for number, one in enumerate(advice.choices):
        row: dict[str, Any] = {"choice": in_words(game, view, one.action), **msgspec.structs.asdict(one)}
        if advice.odds:
            row["odds"] = advice.odds[number]
        rows.append({name: value if value != float("inf") else None for name, value in row.items()})
    return {"judge": advice.judge, "exact": advice.exact, "choices": rows}
