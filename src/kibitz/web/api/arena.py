"""The arena: tournaments with their tables, players with what they have done, submissions on their way."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import msgspec
from starlette.datastructures import UploadFile
from starlette.responses import Response

from kibitz.arena.model import Failure, MatchResult, Tournament
from kibitz.arena.rating.ranking import Row
from kibitz.arena.sheets import write_rows
from kibitz.engine.registry import game as find_game
from kibitz.errors import KibitzError, NotationError
from kibitz.players.findings import Finding
from kibitz.players.processes import STRANGERS, unconfined
from kibitz.players.sources import LARGEST_PLAYER
from kibitz.web.api.catalogue import catalogue
from kibitz.web.api.operation import Call, Operation
from kibitz.web.problems import Problem, missing
from kibitz.web.season import CurvePoint, Season
from kibitz.web.trials import Trial

MOST_GAMES, MOST_CROSS = 200, 40
RUN = "Matches are played by 'kibitz arena run' on the server's machine: rounds go on as long as it runs."
CSV = "text/csv; charset=utf-8"


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


class ShownVersion(msgspec.Struct, frozen=True):
    """One version of a player."""

    version: int
    state: str
    reason: str
    file: str
    at: float
    rating: float | None
    margin: float | None
    games: int
    out: str


class ShownFailure(msgspec.Struct, frozen=True):
    """A game that a player has lost by its own failure."""

    match: int
    path: str
    version: int
    seat: int
    kind: str
    rule: str
    moves: int


class ShownMatch(msgspec.Struct, frozen=True):
    """A match that counts."""

    match: int
    path: str
    players: tuple[str, ...]
    scores: tuple[float, ...]
    place: int
    forfeit: str


class ShownPlayer(msgspec.Struct, frozen=True):
    """A player's page; ``mine`` says whether the asker may read what it printed."""

    player: str
    tournament: str
    game: str
    mine: bool
    versions: tuple[ShownVersion, ...]
    failures: tuple[ShownFailure, ...]
    games: tuple[ShownMatch, ...]
    rating: tuple[CurvePoint, ...]


class ShownFinding(msgspec.Struct, frozen=True):
    """Something that was looked at: what, why it is not right, and how to see it happen."""

    ok: bool
    warning: bool
    title: str
    sentence: str
    kind: str
    position: str
    detail: str
    reproduce: str
    alone: str


class ShownTrial(msgspec.Struct, frozen=True):
    """A submission on its way."""

    submission: str
    path: str
    tournament: str
    player: str
    state: str
    done: int
    of: int
    sentence: str
    findings: tuple[ShownFinding, ...]


async def listed(call: Call) -> Arena:
    """All tournaments."""
    season = call.house.season

    def look() -> tuple[ShownTournament, ...]:
        arena = season.arena()
        return tuple(
            ShownTournament(
                name=one.name,
                game=one.game,
                title=find_game(one.game).title,
                kind=one.kind,
                phase=one.phase,
                players=len(arena.store.entrants(one.name)),
                rounds=arena.rounds(one.name),
            )
            for one in arena.by_kind()
        )

    why = await call.house.reading.done(unconfined)
    games = tuple(game.name for family in (await call.house.reading.done(catalogue)).families for game in family.games)
    return Arena(not why, STRANGERS if why else "", RUN, games, await call.house.reading.done(look))


async def table(call: Call) -> ShownTable:
    """The table of a tournament."""
    return await call.house.reading.done(shown_table, call.house.season, call.path["name"])


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


async def player(call: Call) -> ShownPlayer:
    """A player's page."""
    name, called = call.path["name"], call.path["player"]
    return await call.house.reading.done(shown_player, call, call.house.season, name, called)


def shown_player(call: Call, season: Season, name: str, called: str) -> ShownPlayer:
    """A player's page, from the store."""
    tournament, arena = season.tournament(name), season.arena()
    versions = arena.history(called, name)
    results = [result for result in season.standing(name).results if plays_in(called, result)]
    return ShownPlayer(
        player=called,
        tournament=name,
        game=tournament.game,
        mine=may_read(call, versions[-1].submission.owner),
        versions=tuple(
            ShownVersion(
                version=one.submission.version,
                state=one.submission.state,
                reason=one.submission.reason,
                file=one.submission.file,
                at=one.submission.submitted_at,
                rating=one.rating.points if one.rating else None,
                margin=one.rating.margin if one.rating else None,
                games=one.rating.games if one.rating else 0,
                out=one.out.reason if one.out else "",
            )
            for one in reversed(versions)
        ),
        failures=tuple(shown_failure(call, failure) for failure in arena.failures(called, name, newest=MOST_GAMES)),
        games=tuple(shown_match(call, result, called) for result in reversed(results[-MOST_GAMES:])),
        rating=season.curve(name, called),
    )


def plays_in(player: str, result: MatchResult) -> bool:
    """Whether a player has a seat in a match."""
    return any(seat.player == player for seat in result.seats)


def may_read(call: Call, owner: str) -> bool:
    """Whether the asker may read what a player of this owner has printed."""
    person = call.person
    return not person.guest and (person.name == owner or "lecturer" in person.roles)


def match_path(call: Call, tournament: str, match: int) -> str:
    """Where a match can be looked at."""
    return f"{call.house.base}/games/{tournament}.{match}"


def shown_failure(call: Call, failure: Failure) -> ShownFailure:
    """A failure as everybody sees it."""
    path = match_path(call, failure.tournament, failure.match) + f"#{failure.moves}"
    return ShownFailure(failure.match, path, failure.version, failure.seat, failure.kind, failure.rule, failure.moves)


def shown_match(call: Call, result: MatchResult, player: str) -> ShownMatch:
    """A match as it stands on a player's page."""
    mine = next(seat for seat in result.seats if seat.player == player)
    return ShownMatch(
        match=result.match,
        path=match_path(call, result.tournament, result.match),
        players=tuple(seat.player for seat in result.seats),
        scores=tuple(seat.score for seat in result.seats),
        place=mine.place,
        forfeit=mine.rule or "",
    )


async def rating_csv(call: Call) -> Response:
    """The points of a player's curve as CSV."""
    import io

    name, called = call.path["name"], call.path["player"]
    curve = await call.house.reading.done(call.house.season.curve, name, called)
    out = io.StringIO(newline="")
    write_rows(out, [("round", "rating", "margin"), *((p.round, p.rating, p.margin or "") for p in curve)])
    return Response(out.getvalue(), media_type=CSV)


async def failure(call: Call) -> ShownFinding:
    """Why a player has failed in a match: for its owner and for lecturers."""
    season, name = call.house.season, call.path["name"]
    match, seat = number(call.path["match"]), number(call.path["seat"])

    def look() -> tuple[str, Finding]:
        tournament = season.tournament(name)
        arena = season.arena()
        for found in arena.store.failures(tournament.name):
            if (found.match, found.seat) == (match, seat):
                return arena.store.submission(found.submission).owner, arena.failure_report(found)
        raise missing("failure")

    owner, finding = await call.house.reading.done(look)
    if not may_read(call, owner):
        raise Problem(403, "What a player printed is for its owner and for lecturers: sign in as one of them.")
    return shown_finding(finding)


def number(text: str) -> int:
    """A number in a path; Problem 404 if it is none."""
    if not text.isascii() or not text.isdigit() or len(text) > 12:
        raise missing("match")
    return int(text)


def shown_finding(finding: Finding) -> ShownFinding:
    """A finding as it is shown."""
    return ShownFinding(
        ok=finding.ok,
        warning=finding.warning,
        title=finding.what,
        sentence=finding.sentence,
        kind=finding.kind,
        position=finding.position,
        detail=finding.detail,
        reproduce=finding.reproduce,
        alone=finding.alone,
    )


async def submit(call: Call) -> ShownTrial:
    """Take a player's files, to be tried."""
    if await call.house.reading.done(unconfined):
        raise Problem(503, STRANGERS)
    name, called = call.path["name"], str(call.body.get("player") or "").strip()
    if not called:
        raise NotationError("The field 'player' should say what the player is called.")
    try:
        tournament = await call.house.reading.done(known_tournament, call.house.season, name)
    except NotationError as error:
        raise missing("tournament") from error
    files = []
    for upload in call.body.getlist("files"):
        if not isinstance(upload, UploadFile):
            raise NotationError("The field 'files' should hold files: one or more .py files, or a ZIP archive.")
        files.append(((upload.filename or "player.py")[-200:], await upload.read()))
    if (
        sum(len(content) for _, content in files) > 2 * LARGEST_PLAYER
    ):  # an archive is larger than what is in it, by little
        raise NotationError(f"A player has {LARGEST_PLAYER >> 20} MiB at most, all its files together.")
    if not files:
        raise NotationError("There is no file in it: choose one or more .py files, or a ZIP archive.")
    return shown_trial(call, call.house.trials.take(tournament, called, call.person.name, files))


def known_tournament(season: Season, name: str) -> str:
    """The name of a tournament, or of a game whose tournament begins with its first submission."""
    if any(one.name == name for one in season.arena().tournaments()):
        return name
    if not any(game.name == name for family in catalogue().families for game in family.games):
        raise NotationError(f"{name!r} is no tournament and no game of the list: lecturers begin those with options.")
    return name


async def trial(call: Call) -> ShownTrial:
    """How far a submission is."""
    found = call.house.trials.known.get(call.path["submission"])
    if found is None or not may_read(call, found.owner):
        raise missing("submission")
    return shown_trial(call, found)


def shown_trial(call: Call, trial: Trial) -> ShownTrial:
    """A submission on its way, as its owner sees it."""
    news = trial.news
    waits = "It waits for its turn." if trial.state == "waiting" else "It is being tried."
    return ShownTrial(
        submission=trial.id,
        path=f"/api/submissions/{trial.id}",
        tournament=trial.tournament,
        player=trial.player,
        state=trial.state,
        done=news.done,
        of=news.of,
        sentence=news.sentence or waits,
        findings=tuple(map(shown_finding, news.findings)),
    )


class NewTournament(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A tournament to be begun; with a name it is one more of its game."""

    game: str
    name: str | None = None


async def begin(call: Call) -> ShownTournament:
    """Begin a tournament."""
    asked: NewTournament = call.body
    found = await call.house.season.ask(lambda arena: arena.begin(asked.game, name=asked.name))
    return shown_tournament(found)


def shown_tournament(found: Tournament) -> ShownTournament:
    """A tournament that nothing is known of but itself."""
    return ShownTournament(found.name, found.game, find_game(found.game).title, found.kind, found.phase, 0, 0)


async def freeze(call: Call) -> ShownTournament:
    """Take no more submissions."""
    return shown_tournament(await changed(call, "freeze"))


async def thaw(call: Call) -> ShownTournament:
    """Take submissions again."""
    return shown_tournament(await changed(call, "thaw"))


async def changed(call: Call, what: str) -> Tournament:
    """A tournament after something was done with it."""
    season, name = call.house.season, call.path["name"]

    def act() -> Tournament:
        season.tournament(name)
        done: Tournament = getattr(season.arena(), what)(name)
        return done

    return await call.house.reading.done(act)


async def export(call: Call) -> Response:
    """All results of complete rounds as CSV."""
    import io

    season, name = call.house.season, call.path["name"]

    def write() -> str:
        season.tournament(name)
        out = io.StringIO(newline="")
        season.arena().export(name, out)
        return out.getvalue()

    text = await call.house.reading.done(write)
    headers = {"Content-Disposition": 'attachment; filename="results.csv"'}
    return Response(text, headers=headers, media_type=CSV)


async def roster(call: Call) -> None:
    """Put a roster, a CSV file, in place of the one that is there."""
    import tempfile
    from pathlib import Path

    from kibitz.arena.entry.owners import read_roster

    uploads = [upload for upload in call.body.getlist("roster") if isinstance(upload, UploadFile)]
    if len(uploads) != 1:
        raise NotationError("The field 'roster' should hold one CSV file with a name and an owner in each line.")
    content = await uploads[0].read()

    def read() -> None:
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "roster.csv"
            file.write_bytes(content)
            try:
                found = read_roster(file)
            except KibitzError as error:
                raise NotationError(str(error).replace(str(file), "The roster")) from error
        if found.wrong:
            raise NotationError(" ".join(found.wrong[:5]))
        call.house.season.arena().replace_roster(found.people)

    await call.house.reading.done(read)


ONE, PLAYER = "/api/arena/{name}", "/api/arena/{name}/players/{player}"
OPERATIONS = (
    Operation("GET", "/api/arena", listed, "All tournaments.", Arena),
    Operation(
        "POST",
        "/api/arena",
        begin,
        "Begin a tournament (lecturers).",
        ShownTournament,
        takes=NewTournament,
        status=201,
        role="lecturer",
        refuses=(404, 409),
    ),
    Operation(
        "PUT",
        "/api/roster",
        roster,
        "Say whose players there are, by a CSV file (lecturers).",
        files=("roster",),
        role="lecturer",
        refuses=(404, 409),
    ),
    Operation("GET", ONE, table, "A tournament's table and cross-table.", ShownTable, refuses=(404,)),
    Operation("GET", f"{ONE}/results.csv", export, "All results as CSV.", str, refuses=(404,), media=CSV),
    Operation(
        "POST",
        f"{ONE}/freeze",
        freeze,
        "Take no more submissions (lecturers).",
        ShownTournament,
        role="lecturer",
        refuses=(404, 409),
    ),
    Operation(
        "POST",
        f"{ONE}/thaw",
        thaw,
        "Take submissions again (lecturers).",
        ShownTournament,
        role="lecturer",
        refuses=(404, 409),
    ),
    Operation("GET", PLAYER, player, "What a player has done.", ShownPlayer, refuses=(404,)),
    Operation("GET", f"{PLAYER}/rating.csv", rating_csv, "Its rating over time.", str, refuses=(404,), media=CSV),
    Operation(
        "GET",
        f"{ONE}/failures/{{match}}/{{seat}}",
        failure,
        "Why a player failed in a match: for its owner and lecturers.",
        ShownFinding,
        refuses=(404,),
    ),
    Operation(
        "POST",
        f"{ONE}/submissions",
        submit,
        "Hand in a player: .py files, or a ZIP archive.",
        ShownTrial,
        files=("player", "files"),
        status=202,
        role="student",
        rate="upload",
        refuses=(404, 409),
    ),
    Operation("GET", "/api/submissions/{submission}", trial, "How far a submission is.", ShownTrial, refuses=(404,)),
)
