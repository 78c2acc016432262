"""``kibitz arena table``: who is how good."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

from cyclopts import Parameter

from kibitz.cli.arena.options import AnyTournament, StoreName, counted, opened
from kibitz.cli.screen import BOLD, DIM, Screen
from kibitz.cli.tournament import tabulated
from kibitz.errors import StoreError

if TYPE_CHECKING:
    from kibitz.arena.api import Table
    from kibitz.arena.ratings import Rating

HEADS = ("#", "player", "version", "games", "wins", "points", "rank", "failures")


def table(
    tournament: AnyTournament = None,
    /,
    *,
    stage: Annotated[Literal["season", "final"] | None, Parameter(help="The season's or the final's; the newer.")] = None,
    store: StoreName = None,
) -> None:
    """Show a table, or the tables of all tournaments: ratings from complete rounds, with 95 % intervals."""
    with opened(store) as arena:
        names = [tournament] if tournament else [one.name for one in arena.tournaments() if one.kind != "custom"]
        if not names:
            raise StoreError("missing", "there is no tournament yet; the first 'kibitz arena submit' begins one.")
        screen = Screen()
        for number, name in enumerate(names):
            if number:
                screen.line()
            tell_table(screen, arena.table(name, stage_of=stage))


def tell_table(screen: Screen, found: Table) -> None:
    """A table with what stands above and below it."""
    screen.line(headline(found), BOLD)
    for line in table_lines(found.lines, screen.width):
        screen.line(line)
    for out in found.out:
        screen.line(out.reason)
    if found.lines:
        screen.line("± spans 95 % intervals; rank: all places that are possible within them.", DIM)


def headline(found: Table) -> str:
    """What the table is about."""
    tournament = found.tournament
    phase = {"open": "open", "frozen": "frozen", "final": "final", "closed": "closed"}[tournament.phase]
    rounds = counted(found.rounds, "round")
    matches = counted(found.ratings.matches if found.ratings else 0, "match", "matches")
    return f"{tournament.name} ({tournament.kind}, {phase}): {found.stage}, {rounds}, {matches}"


def table_lines(ratings: tuple[Rating, ...], width: int) -> list[str]:
    """The players of a table, in columns or, where there is no room, one below the other."""
    rows = [HEADS, *(cells(rating) for rating in ratings)]
    lines = tabulated(rows)
    if len(rows) == 1 or max(map(len, lines)) <= width:
        return lines if len(rows) > 1 else []
    folded = []
    for row in rows[1:]:
        folded.append(f"{row[0]}  {row[1]}")
        folded += [f"   {head:<8}  {cell}" for head, cell in zip(HEADS[2:], row[2:], strict=True)]
    return folded


def cells(rating: Rating) -> tuple[str, ...]:
    """A row of the table."""
    margin = "?" if rating.margin is None else f"{rating.margin:.0f}"
    share = f"{100 * rating.wins / rating.games:.1f} %" if rating.games else "-"
    places = f"{rating.best}" if rating.best == rating.worst else f"{rating.best}-{rating.worst}"
    return (
        f"{rating.rank}",
        rating.player,
        f"{rating.version}",
        f"{rating.games}",
        share,
        f"{rating.points:.0f} ± {margin}",
        places,
        f"{rating.failures}",
    )
