"""``kibitz arena verify``: that nobody chose the cards, the opponents, the players or the results."""

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
    published: Annotated[
        tuple[str, ...], Parameter(help="A head of the log that people were shown; it must still be in it.")
    ] = (),
    replay: Annotated[int, Parameter(converter=whole(0, MOST), help="Also play so many matches again.")] = 0,
    store: StoreName = None,
) -> int:
    """Derive a tournament again from its records, files, seeds and log; status 2 if anything is untrue.

    That the lecturer's log is the one of that day is proved by its head, if it was published: --published HEAD.
    """
    screen = Screen()
    with opened(store) as arena:
        with progress_bar("looked at {} of {} rows and records", "looking") as progress:
            found = list(arena.proofs(tournament, progress, published=published))
        if replay:
            with progress_bar("played {} of {} matches again", "playing again") as progress:
                found += arena.replays(tournament, replay, progress)
    for proof in found:
        screen.line(f"{'ok    ' if proof.ok else 'FAILED'}  {proof.sentence}", hang=" " * 8)
    ok = all(proof.ok for proof in found)
    screen.line(f"{tournament} is {'true' if ok else 'not true'}.", BOLD)
    return 0 if ok else 2
