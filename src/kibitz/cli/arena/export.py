"""``kibitz arena export``: the results as CSV, enough for anybody to rate them again."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter

from kibitz.cli.arena.options import StoreName, TournamentName, opened
from kibitz.cli.files import ready, write
from kibitz.cli.options import Force
from kibitz.cli.screen import Screen, put
from kibitz.engine.sentences import counted


def export(
    tournament: TournamentName,
    /,
    *,
    output: Annotated[Path | None, Parameter(name=["--output", "-o"], help="Write the CSV here.")] = None,
    force: Force = False,
    stage: Annotated[Literal["season", "final"] | None, Parameter(help="One stage; both otherwise.")] = None,
    store: StoreName = None,
) -> None:
    """Write every game of complete rounds as CSV, one line a seat; 'kibitz arena rate' makes the table from it."""
    out = io.StringIO(newline="")
    with opened(store) as arena:
        arena.tournament(tournament)
        ready(output, force)
        matches = arena.export(tournament, out, stage_of=stage)
    if output is None:
        put(out.getvalue(), end="")
        return
    write(output, out.getvalue(), force)
    Screen().line(f"{counted(matches, 'match', 'matches')} of {tournament} are in {output}.")
