"""``kibitz tabulate``: records written as the table of results that ``kibitz simulate`` writes."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from kibitz.cli.options import Force, OfGame, OfPlayers, OfSeat, Since, Until, WithOutcome
from kibitz.cli.screen import Screen
from kibitz.cli.stats import check_filters_match, tell_trouble
from kibitz.cli.tournament import progress_bar
from kibitz.engine.sentences import counted
from kibitz.errors import KibitzError


def tabulate(
    *files: Annotated[Path, Parameter(help="Records, archives of them, or folders with either.")],
    output: Annotated[Path, Parameter(name=["--output", "-o"], help="The table: .csv, .jsonl or .parquet.")],
    game: OfGame = None,
    player: OfPlayers = None,
    seat: OfSeat = None,
    outcome: WithOutcome = None,
    since: Since = None,
    until: Until = None,
    force: Force = False,
) -> int:
    """Write records as a table of results, one row for every seat of every game.

    Each record is proved first.  What cannot be read is named and the rest is written; then the status is 2.
    """
    if not files:
        raise KibitzError("name at least one record, archive or folder.")

    from kibitz.data import tabulating

    with progress_bar("read {} of {} bytes", "reading") as progress:
        found = tabulating.tabulate(
            files,
            output,
            game=game,
            player=player,
            seat=seat,
            outcome=outcome,
            since=since,
            until=until,
            force=force,
            progress=progress,
        )
    if not (found.games or found.trouble or found.unfinished):
        check_filters_match(files, game, player, seat)
    written = f"{counted(found.games, 'game')} {'is' if found.games == 1 else 'are'} in {output}."
    Screen().line(written if found.games else f"There are no games, so {output} is not written.")
    tell_trouble(found.trouble, found.unfinished)
    return 2 if found.trouble else 0
