"""``kibitz games``: what can be played."""

from __future__ import annotations

from collections.abc import Mapping

from kibitz.cli.screen import BOLD, Screen, warn
from kibitz.engine.game import NO_LIMIT
from kibitz.engine.sentences import cell_len, padded

LARGEST_TYPED = 10**9
"""Options with greater values are for programs, such as the cards of an imported hand of poker."""


def games() -> None:
    """List every game and variant with its title, its seats and what it is about."""
    from kibitz.engine.registry import all_games, troubles

    screen = Screen()
    found = all_games()
    name, title = (max(cell_len(getattr(game, field)) for game in found) for field in ("name", "title"))
    narrow = screen.width < name + title + 45
    for game in found:
        options = ", ".join(f"{option}={spanned(*span)}" for option, span in grouped(game.adjustable).items())
        summary = game.summary + (f" Options: {game.name}:{options}." if options else "")
        if narrow:
            screen.line(f"{game.name}: {game.title}, {game.seats} seats", BOLD)
            screen.line(f"  {summary}")
        else:
            start = f"{padded(game.name, name)}  {padded(game.title, title)}  {game.seats} seats  "
            screen.line(start + summary, hang=" " * cell_len(start))
    for sentence in troubles():
        warn(sentence)


def spanned(low: int, high: int) -> str:
    """The values from ``low`` to ``high``."""
    return f"{low}.." if high == NO_LIMIT else f"{low}..{high}"


def grouped(options: Mapping[str, tuple[int, int]]) -> dict[str, tuple[int, int]]:
    """The options that people type, with those that differ in a number at the end as one: ``stack0-9``."""
    options = {option: span for option, span in options.items() if span[1] <= LARGEST_TYPED or span[1] == NO_LIMIT}
    found: dict[str, tuple[int, int]] = {}
    numbers: dict[str, list[str]] = {}
    for option in options:
        if option[-1].isdigit():
            numbers.setdefault(option.rstrip("0123456789"), []).append(option)
    for option, span in options.items():
        start = option.rstrip("0123456789")
        same = numbers.get(start, [option])
        found[option if len(same) == 1 or option == start else f"{same[0]}-{same[-1].removeprefix(start)}"] = span
    return found
