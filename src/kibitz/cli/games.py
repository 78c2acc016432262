"""``kibitz games``: what can be played."""

from __future__ import annotations

from kibitz.cli.screen import BOLD, Screen


def games() -> None:
    """List every game and variant with its title, its seats and what it is about."""
    from kibitz.engine.registry import all_games

    screen = Screen()
    found = all_games()
    name, title = (max(len(getattr(game, field)) for game in found) for field in ("name", "title"))
    narrow = screen.width < name + title + 45
    for game in found:
        options = ", ".join(f"{option}={low}..{high}" for option, (low, high) in game.adjustable.items())
        summary = game.summary + (f" Options: {game.name}:{options}." if options else "")
        if narrow:
            screen.line(f"{game.name}: {game.title}, {game.seats} seats", BOLD)
            screen.line(f"  {summary}")
        else:
            start = f"{game.name:<{name}}  {game.title:<{title}}  {game.seats} seats  "
            screen.line(start + summary, hang=" " * len(start))
