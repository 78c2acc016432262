"""The arena: tournaments, and the table and results of each."""

from __future__ import annotations

import io
import itertools
from collections.abc import Sequence

import msgspec
from starlette.responses import Response

from kibitz.arena.model import MatchResult, Tournament
from kibitz.arena.rating.ranking import Row
from kibitz.engine.registry import game as find_game
from kibitz.players.built_in import strategies
from kibitz.players.processes import STRANGERS, unconfined
from kibitz.web.api.catalogue import catalogue
from kibitz.web.api.operation import CSV, Call, Operation
from kibitz.web.season import Season

MOST_CROSS = 40
RUN = "Matches are played by 'kibitz arena run' on the server's machine: rounds go on as long as it runs."


class ShownTournament(msgspec.Struct, frozen=True):
    """A tournament in a list."""

    name: str
    game: str
    title: str
    kind: str
    phase: str
    players: int
    rounds: int


class Arena(msgspec.Struct, frozen=True):
    """All tournaments; ``confined`` says whether player files can be taken here, and ``why`` why not."""

    confined: bool
    why: str
    tell: str
    games: tuple[str, ...]
    tournaments: tuple[ShownTournament, ...]


class TableLine(msgspec.Struct, frozen=True):
    """A player's line in a table; without a rank, ``out`` says why."""

    rank: str
    rank_low: int
    rank_high: int
    player: str
    built_in: bool
    rating: float | None
    margin: float | None
    games: int
    win_share: float
    failed: int
    reasons: tuple[str, ...]
    out: str


class Cell(msgspec.Struct, frozen=True):
    """What a player has reached against another: so many games, and the share of them in which it placed better."""

    games: int
    share: float


class Cross(msgspec.Struct, frozen=True):
    """Everybody against everybody: rows and columns are the players in the order of the table."""

    players: tuple[str, ...]
    cells: tuple[tuple[Cell | None, ...], ...]


class ShownTable(msgspec.Struct, frozen=True):
    """A tournament's table, from complete rounds."""

    name: str
    game: str
    title: str
    kind: str
    phase: str
    stage: str
    rounds: int
    matches: int
    commitments: dict[str, str]
    lines: tuple[TableLine, ...]
    left: tuple[str, ...]
    cross: Cross
    seats: int
    computers: tuple[str, ...]


async def listed(call: Call) -> Arena:
    """All tournaments."""
    season = call.app_state.season

    def look() -> tuple[ShownTournament, ...]:
        return tuple(shown_tournament(season, one) for one in season.arena().by_kind())

    why = await call.app_state.reading.done(unconfined)
    games = tuple(
        game.name for family in (await call.app_state.reading.done(catalogue)).families for game in family.games
    )
    return Arena(not why, STRANGERS if why else "", RUN, games, await call.app_state.reading.done(look))


def shown_tournament(season: Season, one: Tournament) -> ShownTournament:
    """A tournament in a line, with what has come in and been played."""
    arena = season.arena()
    return ShownTournament(
        name=one.name,
        game=one.game,
        title=find_game(one.game).title,
        kind=one.kind,
        phase=one.phase,
        players=len(arena.store.entrants(one.name)),
        rounds=arena.rounds(one.name),
    )


async def table(call: Call) -> ShownTable:
    """The table of a tournament."""
    return await call.app_state.reading.done(shown_table, call.app_state.season, call.path["name"])


def shown_table(season: Season, name: str) -> ShownTable:
    """The table of a tournament, from its standing."""
    standing = season.standing(name)
    tournament, ranking = standing.tournament, standing.ranking
    names = [row.player for row in ranking.rows if row.games]
    return ShownTable(
        name=tournament.name,
        game=tournament.game,
        title=find_game(tournament.game).title,
        kind=tournament.kind,
        phase=tournament.phase,
        stage=ranking.stage,
        rounds=ranking.rounds,
        matches=len(standing.results),
        commitments=tournament.commitments,
        lines=tuple(map(table_line, ranking.rows)),
        left=ranking.left,
        cross=cross(names[:MOST_CROSS], standing.results),
        seats=find_game(tournament.game).seats,
        computers=tuple(strategies(find_game(tournament.game))),
    )


def table_line(row: Row) -> TableLine:
    """A row as it is shown."""
    ranks = str(row.best) if row.best == row.worst else f"{row.best}-{row.worst}"
    return TableLine(
        rank=ranks if row.rank else "",
        rank_low=row.best,
        rank_high=row.worst,
        player=row.player,
        built_in=row.fills,
        rating=row.points,
        margin=row.margin,
        games=row.games,
        win_share=row.win_share,
        failed=row.failures,
        reasons=row.reasons,
        out=row.status,
    )


def cross(players: Sequence[str], results: Sequence[MatchResult]) -> Cross:
    """Everybody against everybody: how often one placed better than another; equal places count half."""
    counts: dict[tuple[str, str], tuple[int, float]] = {}
    for result in results:
        for one, other in itertools.permutations(result.seats, 2):
            games, better = counts.get((one.player, other.player), (0, 0.0))
            won = (one.place < other.place) + (one.place == other.place) / 2
            counts[one.player, other.player] = games + 1, better + won
    rows = []
    for one_name in players:
        row: list[Cell | None] = []
        for other_name in players:
            games, better = counts.get((one_name, other_name), (0, 0.0))
            row.append(Cell(games, round(better / games, 4)) if games and one_name != other_name else None)
        rows.append(tuple(row))
    return Cross(tuple(players), tuple(rows))


async def export(call: Call) -> Response:
    """All results of complete rounds as CSV."""
    season, name = call.app_state.season, call.path["name"]

    def write() -> str:
        season.tournament(name)
        out = io.StringIO(newline="")
        season.arena().export(name, out)
        return out.getvalue()

    text = await call.app_state.reading.done(write)
    headers = {"Content-Disposition": 'attachment; filename="results.csv"'}
    return Response(text, headers=headers, media_type=CSV)


ONE = "/api/arena/{name}"
OPERATIONS = (
    Operation("GET", "/api/arena", listed, "All tournaments.", Arena),
    Operation("GET", ONE, table, "A tournament's table and cross-table.", ShownTable, refuses=(404,)),
    Operation("GET", f"{ONE}/results.csv", export, "All results as CSV.", str, refuses=(404,), media=CSV),
)
