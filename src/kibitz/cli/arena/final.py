"""``kibitz arena final``: the last phase, on fresh secret deals, to a stated interval."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from kibitz.cli.arena.options import StoreName, TournamentName, opened
from kibitz.cli.arena.playing import Interval, played, telling
from kibitz.cli.arena.seeds import tell_head, tell_seals
from kibitz.cli.arena.table import tell_table
from kibitz.cli.options import Count, Seed, Workers
from kibitz.cli.screen import Screen
from kibitz.errors import KibitzError


def final(
    tournament: TournamentName,
    /,
    *,
    interval: Interval = None,
    rounds: Annotated[
        Count | None, Parameter(help="So many rounds, or at most so many until --interval is reached.")
    ] = None,
    seed: Seed = None,
    workers: Workers = None,
    store: StoreName = None,
) -> int:
    """Play the final of a frozen tournament on fresh deals, so many rounds or until all is certain, then close it.

    Its secret seed is drawn and sealed now, after the last file is in, and published at the end.  When it is stopped
    before that, the same command goes on.
    """
    if interval is None and rounds is None:
        raise KibitzError("a final needs an end: --rounds, or --interval with the points that are certain enough.")
    screen = Screen()
    with opened(store) as arena:
        begun = arena.final(tournament, seed=seed)
        screen.line(f"The seed of the final is sealed as SHA-256 {begun.commitments['final']}", hang="")
        tell_head(screen, begun.name, arena.log(begun.name))
        with telling(arena, begun.name, screen) as progress:
            ended = arena.run(begun.name, width=interval, rounds=rounds, workers=workers, progress=progress)
        if ended.why == "enough":
            arena.end(begun.name)
        tell_table(screen, arena.table(begun.name))
        tell_seals(screen, arena.seals(begun.name))
        tell_head(screen, begun.name, arena.log(begun.name))
    return played(ended)
