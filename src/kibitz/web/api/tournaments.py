"""Tournaments: their rankings and results, and what lecturers do with them."""

from __future__ import annotations

import io
import itertools
import re
import tempfile
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Annotated
from urllib.parse import quote

import msgspec
from msgspec import Meta
from starlette.datastructures import UploadFile
from starlette.responses import Response

from kibitz.arena.csv_files import as_text
from kibitz.arena.model import MatchResult, Tournament
from kibitz.arena.rating.ratings import RankingRow
from kibitz.arena.schedule import FILLER_OWNER
from kibitz.engine.registry import game as find_game
from kibitz.errors import KibitzError, NotationError
from kibitz.players.built_in import strategies
from kibitz.players.isolation.process import SANDBOX_NEEDS_LINUX, why_no_sandbox
from kibitz.web.api.games import catalogue
from kibitz.web.api.operation import CSV, Call, FormField, Router, attachment
from kibitz.web.season import ServerSeason

router = Router()
TOURNAMENT = "/api/arena/{name}"

MAX_CROSS_TABLE = 40
WHEN_PLAYED = "Matches are played while 'kibitz arena run' runs on the server, and when a lecturer starts rounds."


class ShownTournament(msgspec.Struct, frozen=True):
    """A tournament in a list; ``so_far`` says how much has been played, as a text.

    ``deadline`` is when submissions close, in seconds since 1970; null if a lecturer closes them. From then on, the
    ``phase`` of an open tournament is "frozen".
    """

    name: str
    game: str
    title: str
    kind: str
    phase: str
    players: int
    rounds: int
    so_far: str
    deadline: float | None


class TournamentList(msgspec.Struct, frozen=True):
    """All tournaments, and the names of all games.

    ``confined`` says whether player files can run confined here, so that they can be submitted; if not, ``why`` gives
    the reason. ``tell`` is a sentence on when matches are played.
    """

    confined: bool
    why: str
    tell: str
    games: tuple[str, ...]
    tournaments: tuple[ShownTournament, ...]


class RankingLine(msgspec.Struct, frozen=True):
    """A player's line in a ranking; ``out`` is the reason why it has no rank, or ""."""

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


class ResultCell(msgspec.Struct, frozen=True):
    """A player's record against another: the number of games, and the share in which it placed better."""

    games: int
    share: float


class CrossTable(msgspec.Struct, frozen=True):
    """The cross-table: each player against each other; rows and columns are the players in the order of the ranking."""

    players: tuple[str, ...]
    cells: tuple[tuple[ResultCell | None, ...], ...]


class ShownRanking(msgspec.Struct, frozen=True):
    """A tournament's ranking, from complete rounds; ``phase``, ``so_far`` and ``deadline`` as in the list."""

    name: str
    game: str
    title: str
    kind: str
    phase: str
    stage: str
    rounds: int
    matches: int
    so_far: str
    commitments: dict[str, str]
    lines: tuple[RankingLine, ...]
    left: tuple[str, ...]
    cross: CrossTable
    seats: int
    computers: tuple[str, ...]
    deadline: float | None


@router.operation("GET", "/api/arena")
def list_tournaments(call: Call) -> TournamentList:
    """All tournaments."""
    why = why_no_sandbox()
    games = tuple(game.name for family in catalogue().families for game in family.games)
    tournaments = call.season.arena().tournaments_by_kind()
    shown_tournaments = tuple(shown_tournament(call.season, tournament) for tournament in tournaments)
    return TournamentList(not why, SANDBOX_NEEDS_LINUX if why else "", WHEN_PLAYED, games, shown_tournaments)


def shown_tournament(season: ServerSeason, tournament: Tournament) -> ShownTournament:
    """A tournament for a list, with its submissions and games."""
    arena = season.arena()
    return ShownTournament(
        name=tournament.name,
        game=tournament.game,
        title=find_game(tournament.game).title,
        kind=tournament.kind,
        phase=tournament.phase_at(arena.store.now()),
        deadline=tournament.deadline,
        players=len(arena.store.entrants(tournament.name)),
        rounds=arena.rounds(tournament.name),
        so_far=season.so_far(tournament.name),
    )


@router.operation("GET", TOURNAMENT)
def get_ranking(call: Call) -> ShownRanking:
    """A tournament's ranking and cross-table."""
    season, name = call.season, call.path["name"]
    tournament = season.tournament(name)
    _, ranking, results = season.ranked_tournament(name)
    names = [row.player for row in ranking.rows if row.games]
    return ShownRanking(
        name=tournament.name,
        game=tournament.game,
        title=find_game(tournament.game).title,
        kind=tournament.kind,
        phase=tournament.phase_at(season.arena().store.now()),
        deadline=tournament.deadline,
        stage=ranking.stage,
        rounds=ranking.rounds,
        matches=len(results),
        so_far=season.so_far(name),
        commitments=tournament.commitments,
        lines=tuple(map(ranking_line, ranking.rows)),
        left=ranking.withdrawn,
        cross=cross_table(names[:MAX_CROSS_TABLE], results),
        seats=find_game(tournament.game).seats,
        computers=tuple(strategies(find_game(tournament.game))),
    )


def ranking_line(row: RankingRow) -> RankingLine:
    """A row for the page."""
    ranks = str(row.best) if row.best == row.worst else f"{row.best}-{row.worst}"
    return RankingLine(
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


def cross_table(players: Sequence[str], results: Sequence[MatchResult]) -> CrossTable:
    """The cross-table: how often each player placed better than each other; equal places count half."""
    counts: dict[tuple[str, str], tuple[int, float]] = {}
    for result in results:
        for seat, opponent in itertools.permutations(result.seats, 2):
            games, wins = counts.get((seat.player, opponent.player), (0, 0.0))
            win = (seat.place < opponent.place) + (seat.place == opponent.place) / 2
            counts[seat.player, opponent.player] = games + 1, wins + win
    rows = []
    for player in players:
        row: list[ResultCell | None] = []
        for opponent_name in players:
            games, wins = counts.get((player, opponent_name), (0, 0.0))
            row.append(ResultCell(games, round(wins / games, 4)) if games and player != opponent_name else None)
        rows.append(tuple(row))
    return CrossTable(tuple(players), tuple(rows))


@router.operation("GET", f"{TOURNAMENT}/results.csv", media=CSV)
def get_results_csv(call: Call) -> Response:
    """All results as CSV."""
    out = io.StringIO(newline="")
    call.season.arena().export(call.season.tournament(call.path["name"]).name, out)
    return attachment(out.getvalue(), "results.csv", CSV)


@router.operation("GET", f"{TOURNAMENT}/table.csv", role="lecturer", media=CSV)
def get_ranking_csv(call: Call) -> Response:
    """The ranking as CSV, with owners and learning-platform numbers (lecturers)."""
    tournament = call.season.tournament(call.path["name"])
    return attachment(call.season.arena().standings_csv(tournament.name), "ranking.csv", CSV)


# ---------------------------------------------------------------- for lecturers


class NewTournament(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A tournament to begin; another tournament of the same game needs a name."""

    game: str
    name: str | None = None


@router.operation("POST", "/api/arena", json_body=NewTournament, status=201, role="lecturer", refuses=(404, 409))
def begin_tournament(call: Call) -> ShownTournament:
    """Begin a tournament (lecturers)."""
    return shown_tournament(call.season, call.season.arena().begin(call.body.game, name=call.body.name))


class TournamentDeadline(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """When submissions close, with a UTC offset; null if a lecturer closes them."""

    closes_at: Annotated[datetime, Meta(tz=True)] | None = None


@router.operation("PUT", f"{TOURNAMENT}/deadline", json_body=TournamentDeadline, role="lecturer", refuses=(404, 409))
def set_deadline(call: Call) -> ShownTournament:
    """Set, change or remove the deadline for submissions (lecturers)."""
    closes_at = call.body.closes_at
    return change_tournament(call, "set_deadline", None if closes_at is None else closes_at.timestamp())


@router.operation("POST", f"{TOURNAMENT}/freeze", role="lecturer", refuses=(409,))
def freeze_tournament(call: Call) -> ShownTournament:
    """Stop taking submissions (lecturers)."""
    return change_tournament(call, "freeze")


@router.operation("POST", f"{TOURNAMENT}/thaw", role="lecturer", refuses=(409,))
def thaw_tournament(call: Call) -> ShownTournament:
    """Reopen submissions (lecturers)."""
    return change_tournament(call, "thaw")


def change_tournament(call: Call, method: str, *arguments: object) -> ShownTournament:
    """Call a method of the arena that changes the path's tournament; returns the changed tournament."""
    name = call.season.tournament(call.path["name"]).name
    return shown_tournament(call.season, getattr(call.season.arena(), method)(name, *arguments))


@router.operation("PUT", "/api/roster", form=(FormField("roster", files=True),), role="lecturer", refuses=(404, 409))
async def replace_roster(call: Call) -> None:
    """Upload the roster, a CSV file (lecturers)."""
    from kibitz.arena.entry.roster import read_roster

    uploads = [upload for upload in call.body.getlist("roster") if isinstance(upload, UploadFile)]
    if len(uploads) != 1:
        raise NotationError("The field 'roster' should hold one CSV file with a name and an owner in each line.")
    content = await uploads[0].read()

    def read() -> None:
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "roster.csv"
            file.write_bytes(content)
            try:
                new_roster = read_roster(file)
            except KibitzError as error:
                raise NotationError(roster_error(str(error), file)) from error
        if new_roster.errors:
            raise NotationError(" ".join(roster_error(error, file) for error in new_roster.errors[:5]))
        call.season.arena().replace_roster(new_roster.people)

    await call.in_thread(read)


def roster_error(sentence: str, file: Path) -> str:
    """An error in a roster, without the path of the server's temporary file.

    >>> roster_error("/tmp/x/roster.csv:3: a name is missing.", Path("/tmp/x/roster.csv"))
    'The roster, line 3: a name is missing.'
    """
    path = re.escape(str(file))
    return re.sub(rf"{path}:(\d+):", r"The roster, line \1:", sentence).replace(str(file), "The roster")


@router.operation("GET", "/api/invitations", role="lecturer", media=CSV)
def get_invitations(call: Call) -> Response:
    """Sign-up links for all owners of players, as CSV (lecturers)."""
    owners = call.season.owners()
    url, authenticator = call.request.url, call.app_state.authenticator
    welcome = f"{url.scheme}://{url.netloc}{call.app_state.base}/welcome"
    names = sorted(owner for owner in owners.values() if owner != FILLER_OWNER)
    links = (f"{welcome}/{authenticator.invitation(name)}?name={quote(name)}" for name in names)
    return attachment(as_text([("owner", "link"), *zip(names, links, strict=True)]), "invitations.csv", CSV)
