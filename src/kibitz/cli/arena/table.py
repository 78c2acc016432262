"""``kibitz arena table``: who is how good."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

from cyclopts import Parameter

from kibitz.cli.arena.options import AnyTournament, StoreName, opened
from kibitz.cli.screen import BOLD, Screen
from kibitz.engine.sentences import counted
from kibitz.errors import StoreError

if TYPE_CHECKING:
    from kibitz.arena.answers import Ranking


def table(
    tournament: AnyTournament = None,
    /,
    *,
    stage: Annotated[Literal["season", "final"] | None, Parameter(help="Which stage; the newer otherwise.")] = None,
    store: StoreName = None,
) -> None:
    """Show a table, or those of all tournaments: ratings from complete rounds, with 95 % intervals."""
    with opened(store) as arena:
        names = [tournament] if tournament else [one.name for one in arena.tournaments() if one.kind != "custom"]
        if not names:
            raise StoreError("missing", "there is no tournament yet; the first 'kibitz arena submit' begins one.")
        screen = Screen()
        for number, name in enumerate(names):
            if number:
                screen.line()
            tell_table(screen, arena.table(name, stage_of=stage))


def tell_table(screen: Screen, found: Ranking) -> None:
    """A table under a line that says what it is about."""
    screen.line(headline(found), BOLD)
    for line in found.plain.splitlines():
        screen.line(line)
    if found.left:
        has = "has" if len(found.left) == 1 else "have"
        screen.line(f"{', '.join(found.left)} {has} left, and no more of their games will come.")


def headline(found: Ranking) -> str:
    """What a table is about."""
    from kibitz.players.limits import limits_text

    tournament = found.tournament
    matches = counted(found.ratings.matches if found.ratings else 0, "match", "matches")
    limits = limits_text(tournament.limits)
    about = f"{found.stage}, {counted(found.rounds, 'round')}, {matches}" + f", limits {limits}" * bool(limits)
    return f"{tournament.name} ({tournament.kind}, {tournament.phase}): {about}"
