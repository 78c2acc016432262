"""``kibitz arena failures``: what a player's owner needs to put it right."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from kibitz.cli.arena.options import InTournament, PlayerName, StoreName, counted, opened
from kibitz.cli.check_player import tell_findings
from kibitz.cli.options import Ascii, Count
from kibitz.cli.screen import BOLD, Screen


def failures(
    player: PlayerName,
    /,
    *,
    game: InTournament = None,
    newest: Annotated[Count, Parameter(help="So many of the newest, of every tournament.")] = 3,
    store: StoreName = None,
    ascii: Ascii = False,
) -> None:
    """Show the games that a player lost by failures of its own: position, call, answer, rule, and how to see it."""
    with opened(store) as arena:
        every = arena.failures(player, game)
        shown = arena.failures(player, game, newest=newest)
        findings = [arena.failure_report(failure) for failure in shown]
        latest = arena.history(player, game)[-1].submission
        report = arena.qualification(latest.id) if latest.state == "refused" else None
    screen = Screen(ascii)
    if report is not None:
        screen.line(f"Version {latest.version} of {player} was refused by {latest.tournament}:", BOLD)
        tell_findings(screen, tuple(finding for finding in report.findings if not finding.ok))
    if report is not None and not every:
        return
    newest_ones = "the newest:" if len(shown) == 1 else f"the newest {len(shown)}:"
    some = f"; {newest_ones}" if len(shown) < len(every) else ":" if every else "."
    screen.line(f"{player} has lost {counted(len(every), 'game')} by failures of its own{some}", BOLD)
    tell_findings(screen, tuple(findings))
