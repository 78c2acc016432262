"""``kibitz arena roster``: whose players there are, from a CSV file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from kibitz.cli.arena.options import StoreName, opened
from kibitz.cli.screen import Screen, warn
from kibitz.engine.sentences import counted

FILE = "A CSV file with columns such as name and owner, or those of a learning platform; without it, what is known."
MOST = 20
"""So many rows that are wrong are told."""


def roster(file: Annotated[Path | None, Parameter(help=FILE)] = None, /, *, store: StoreName = None) -> int:
    """Take over whose players there are, in all tournaments; the whole file or, if a row is wrong, nothing of it.

    It takes the place of the roster before.  Players that come later belong to the owners that it names, and the
    cool-down counts by owner.
    """
    screen = Screen()
    if file is None:
        with opened(store) as arena:
            for one in arena.roster():
                screen.line(f"{one.player}  {one.owner}")
        return 0
    from kibitz.arena.entry.owners import read_roster

    found = read_roster(file)
    for sentence in found.wrong[:MOST]:
        warn(f"kibitz: {sentence}")
    if found.wrong:
        more = f" ({len(found.wrong) - MOST} more rows are wrong)" if len(found.wrong) > MOST else ""
        warn(f"kibitz: nothing of {file} is taken over until that is put right{more}.")
        return 2
    with opened(store, create=True) as arena:
        arena.replace_roster(found.people)
    owners = len({one.owner for one in found.people})
    names = counted(len(found.people), "name")
    screen.line(f"{names} of {counted(owners, 'owner')} are known now, for all tournaments that go on or begin.")
    return 0
