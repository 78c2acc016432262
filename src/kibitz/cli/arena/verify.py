"""``kibitz arena verify``: that nobody chose the cards, the opponents or the results."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from kibitz.cli.arena.options import StoreName, TournamentName, opened
from kibitz.cli.options import MOST, whole
from kibitz.cli.screen import BOLD, Screen
from kibitz.cli.tournament import progress_bar


def verify(
    tournament: TournamentName,
    /,
    *,
    replay: Annotated[int, Parameter(converter=whole(0, MOST), help="Also play so many matches again.")] = 0,
    store: StoreName = None,
) -> int:
    """Look at a tournament again: sealed seeds, deals, schedule, and every record; status 2 if anything is untrue."""
    screen = Screen()
    with opened(store) as arena:
        with progress_bar("looked at {} of {} records", "looking") as progress:
            found = list(arena.proofs(tournament, progress))
        if replay:
            with progress_bar("played {} of {} matches again", "playing again") as progress:
                found += arena.replays(tournament, replay, progress)
    for proof in found:
        screen.line(f"{'ok    ' if proof.ok else 'FAILED'}  {proof.sentence}", hang=" " * 8)
    ok = all(proof.ok for proof in found)
    screen.line(f"{tournament} is {'true' if ok else 'not true'}.", BOLD)
    return 0 if ok else 2
