"""Matches of a tournament in progress: a list, and each match step by step.

going       the matches that runners are still playing; most matches end at once, and are shown from their records
view        a spectator's view, which has no hidden cards, or all hands open; open hands give nothing away, because the
            players are programs, which don't see the page
"""

from __future__ import annotations

from typing import Annotated, Literal
from urllib.parse import quote

import msgspec
from msgspec import Meta

from kibitz.engine.record import Record
from kibitz.engine.registry import family_of
from kibitz.engine.registry import game as find_game
from kibitz.engine.views.events import SPECTATOR
from kibitz.errors import RecordError
from kibitz.table.outcomes import result_text
from kibitz.web.api.operation import Call, Router
from kibitz.web.api.players import number_in_path
from kibitz.web.problems import missing
from kibitz.web.replay import OPEN_HANDS, Step, SteppedGame, replay_of, stepped_game
from kibitz.web.season import ServerSeason

router = Router()
TOURNAMENT = "/api/arena/{name}"

MAX_LIVE, MAX_STEPS = 12, 100


class LatestMatch(msgspec.Struct, frozen=True):
    """A match that has just ended."""

    match: int
    path: str
    players: tuple[str, ...]
    scores: tuple[float, ...]


class MatchInProgress(msgspec.Struct, frozen=True):
    """A match that is being played, and the number of its steps so far."""

    match: int
    path: str
    players: tuple[str, ...]
    steps: int


class LiveMatches(msgspec.Struct, frozen=True):
    """The latest round and matches: ``done`` of the round's ``of`` deals have been played.

    ``so_far`` says how much has been played. ``going`` are the matches in progress, and ``matches`` the latest finished
    matches, the newest first.
    """

    tournament: str
    title: str
    family: str
    so_far: str
    round: int
    done: int
    of: int
    running: bool
    going: tuple[MatchInProgress, ...]
    matches: tuple[LatestMatch, ...]


class MatchQuery(msgspec.Struct, frozen=True):
    """The view, the first step, and the number of steps."""

    view: Literal["spectator", "open"] = "spectator"
    first: Annotated[int, Meta(ge=0, le=1 << 31)] = msgspec.field(default=0, name="from")
    count: Annotated[int, Meta(ge=1, le=MAX_STEPS)] = 50


class MatchSteps(msgspec.Struct, frozen=True):
    """Some steps of a match; ``last`` is the number of its latest step, and ``result`` is empty until it is over."""

    match: int
    names: tuple[str, ...]
    first: int = msgspec.field(name="from")
    last: int
    over: bool
    winners: tuple[int, ...]
    result: str
    steps: tuple[Step, ...]


@router.operation("GET", f"{TOURNAMENT}/live")
def list_live_matches(call: Call) -> LiveMatches:
    """The matches in play, and the latest ones."""
    season, name, base = call.season, call.path["name"], call.app_state.base
    game, store = find_game(season.tournament(name).game), season.arena().store
    newest = store.rounds(name, newest=1)
    titles = name, game.title, family_of(game), season.so_far(name)
    if not newest:
        return LiveMatches(*titles, 0, 0, 0, False, (), ())
    last = newest[-1]
    played = store.results(name, rounds=range(max(1, last.number - 1), last.number + 1))[-MAX_LIVE:]
    finished = tuple(
        LatestMatch(
            result.match,
            f"{base}/games/{quote(f'{name}.{result.match}', safe='')}",
            tuple(seat.player for seat in result.seats),
            tuple(seat.score for seat in result.seats),
        )
        for result in reversed(played)
    )
    in_play = tuple(
        MatchInProgress(
            match, f"{base}/arena/{quote(name, safe='')}/watch#{match}", tuple(so_far.names), so_far.table.step
        )
        for match, so_far in games_so_far(season, name).items()
        if match not in {result.match for result in played}  # a match may have ended since its runner's last report
    )
    done, running = last.blocks - last.unplayed, last.closed_at is None
    return LiveMatches(*titles, last.number, done, last.blocks, running, in_play, finished)


def games_so_far(season: ServerSeason, name: str) -> dict[int, SteppedGame]:
    """By number, the matches that runners are playing, except matches by another version of the rules."""
    games = {}
    for report in season.matches_in_play(name):
        try:
            games[report.match] = stepped_game(report.record)
        except RecordError:
            continue
    return games


@router.operation("GET", f"{TOURNAMENT}/matches/{{match}}", query=MatchQuery)
def get_match(call: Call) -> MatchSteps:
    """Some steps of a match, finished or in play, as spectators see it."""
    season, name, match, query = call.season, call.path["name"], number_in_path(call.path["match"]), call.query
    season.tournament(name)
    finished = season.match(f"{name}.{match}")
    match_so_far = replay_of(finished.record) if finished else games_so_far(season, name).get(match)
    if match_so_far is None:
        raise missing("match")
    table = match_so_far.table
    record = table.record
    return MatchSteps(
        match=match,
        names=tuple(match_so_far.names),
        first=query.first,
        last=table.step,
        over=isinstance(record, Record),
        winners=record.outcome.winners if isinstance(record, Record) else (),
        result=result_text(record) if isinstance(record, Record) else "",
        steps=tuple(match_so_far.steps(OPEN_HANDS if query.view == "open" else SPECTATOR, query.first, query.count)),
    )
