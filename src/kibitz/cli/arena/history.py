"""``kibitz arena history``: every version of a player and what became of it."""

from __future__ import annotations

from kibitz.cli.arena.options import InTournament, PlayerName, StoreName, opened
from kibitz.cli.screen import Screen


def history(player: PlayerName, /, *, game: InTournament = None, store: StoreName = None) -> None:
    """Show every version of a player: when it came, whether it was accepted, what it has reached."""
    from kibitz.arena.feedback import versions_told

    with opened(store) as arena:
        versions = arena.history(player, game)
    Screen().tell(versions_told(player, versions))
