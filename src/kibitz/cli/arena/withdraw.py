"""``kibitz arena withdraw``: a player leaves."""

from __future__ import annotations

from kibitz.cli.arena.options import InTournament, PlayerName, StoreName, opened
from kibitz.cli.screen import Screen


def withdraw(player: PlayerName, /, *, game: InTournament = None, store: StoreName = None) -> None:
    """Take a player out of one tournament, or of all that go on, from the next round on.

    What it has played stays in the tables.  A new submission under its name brings it back.
    """
    with opened(store) as arena:
        gone = arena.withdraw(player, game)
    screen = Screen()
    for one in gone:
        screen.line(f"{player} (version {one.version}) has left {one.tournament}, and plays no round that comes.")
