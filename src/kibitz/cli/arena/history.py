"""``kibitz arena history``: every version of a player and what became of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from kibitz.cli.arena.options import InTournament, PlayerName, StoreName, at, opened
from kibitz.cli.screen import BOLD, Screen
from kibitz.engine.sentences import counted

if TYPE_CHECKING:
    from kibitz.arena.answers import Version


def history(player: PlayerName, /, *, game: InTournament = None, store: StoreName = None) -> None:
    """Show every version of a player: when it came, whether it was accepted, what it has reached."""
    with opened(store) as arena:
        versions = arena.history(player, game)
    tell_versions(Screen(), player, versions)


def tell_versions(screen: Screen, player: str, versions: Sequence[Version]) -> None:
    """Every version with what became of it, by tournament."""
    before = ""
    for version in versions:
        entered = version.submission
        if entered.tournament != before:
            owner = "" if entered.owner == player else f", owner {entered.owner}"
            screen.line(f"{player} in {entered.tournament} ({version.kind}){owner}", BOLD)
        before = entered.tournament
        digest = f"  SHA-256 {entered.sha256[:12]}" if entered.is_file else "  built in"
        screen.line(f"{entered.version:>3}  {at(entered.submitted_at)} UTC  {entered.state}  {entered.file}{digest}")
        for line in outcome(version):
            screen.line(f"     {line}", hang=" " * 5)


def outcome(version: Version) -> list[str]:
    """What became of a version, in sentences."""
    lines = [version.submission.reason] if version.submission.reason else []
    if version.rating is not None:
        rating = version.rating
        margin = "?" if rating.margin is None else f"{rating.margin:.0f}"
        lost = f", {counted(rating.failures, 'failure')}" if rating.failures else ""
        place = f", rank {rating.rank}" if rating.rank else ""
        lines.append(f"{rating.points:.0f} ± {margin} points in {counted(rating.games, 'game')}{place}{lost}.")
    if version.out is not None:
        lines.append(version.out.reason)
    return lines
