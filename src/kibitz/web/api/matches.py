"""Matches of a tournament in progress: a list, and each match step by step, as a spectator sees it.

going       a match that a runner is playing and that lasts for some time; most are over at once, and are shown from
            their records
viewer      a spectator, who sees no hidden card, or all hands open: players here are programs, which see no page
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
from kibitz.web.api.players import number
from kibitz.web.problems import missing
from kibitz.web.replay import OPEN_HANDS, GameSoFar, Step, game_so_far, replay_of
from kibitz.web.season import Season

router = Router()
TOURNAMENT = "/api/arena/{name}"

MAX_LIVE, MAX_STEPS = 12, 100


class LiveMatch(msgspec.Struct, frozen=True):
    """A match that has just been played."""

    match: int
    path: str
    players: tuple[str, ...]
    scores: tuple[float, ...]


class GoingMatch(msgspec.Struct, frozen=True):
    """A match that is being played, and how many steps it has had."""

    match: int
    path: str
    players: tuple[str, ...]
    steps: int


class Live(msgspec.Struct, frozen=True):
    """What is being played: a round, with how many of its deals are over, and matches.

    ``going`` are those in progress, ``matches`` the latest that are over, the newest first.
    """

    tournament: str
    title: str
    family: str
    round: int
    done: int
    of: int
    running: bool
    going: tuple[GoingMatch, ...]
    matches: tuple[LiveMatch, ...]


class Watching(msgspec.Struct, frozen=True):
    """The view, the first step, and how many steps."""

    view: Literal["spectator", "open"] = "spectator"
    first: Annotated[int, Meta(ge=0, le=1 << 31)] = msgspec.field(default=0, name="from")
    count: Annotated[int, Meta(ge=1, le=MAX_STEPS)] = 50


class Watched(msgspec.Struct, frozen=True):
    """Some steps of a match; ``last`` is the latest there is, and with the result the game is over."""

    match: int
    names: tuple[str, ...]
    first: int = msgspec.field(name="from")
    last: int
    over: bool
    winners: tuple[int, ...]
    result: str
    steps: tuple[Step, ...]


@router.operation("GET", f"{TOURNAMENT}/live")
async def live(call: Call) -> Live:
    """The matches in play, and the latest ones."""
    season, name, base = call.app_state.season, call.path["name"], call.app_state.base
    return await call.app_state.read_threads.run(shown_live, season, name, base)


def shown_live(season: Season, name: str, base: str) -> Live:
    """What is being played, from the store."""
    game, store = find_game(season.tournament(name).game), season.arena().store
    newest = store.rounds(name, newest=1)
    told = name, game.title, family_of(game)
    if not newest:
        return Live(*told, 0, 0, 0, False, (), ())
    last = newest[-1]
    played = store.results(name, rounds=range(max(1, last.number - 1), last.number + 1))[-MAX_LIVE:]
    over = tuple(
        LiveMatch(
            one.match,
            f"{base}/games/{quote(f'{name}.{one.match}', safe='')}",
            tuple(seat.player for seat in one.seats),
            tuple(seat.score for seat in one.seats),
        )
        for one in reversed(played)
    )
    going = tuple(
        GoingMatch(match, f"{base}/arena/{quote(name, safe='')}/watch#{match}", tuple(course.names), course.table.step)
        for match, course in games_so_far(season, name).items()
        if match not in {one.match for one in played}  # it has ended since its runner's last report
    )
    return Live(*told, last.number, last.blocks - last.unplayed, last.blocks, last.closed_at is None, going, over)


def games_so_far(season: Season, name: str) -> dict[int, GameSoFar]:
    """The matches that runners are playing, by number, without those by other rules than ours."""
    found = {}
    for one in season.matches_in_play(name):
        try:
            found[one.match] = game_so_far(one.record)
        except RecordError:
            continue
    return found


@router.operation("GET", f"{TOURNAMENT}/matches/{{match}}", query=Watching)
async def watch(call: Call) -> Watched:
    """Some steps of a match, finished or in play, as spectators see it."""
    name, match, asked = call.path["name"], number(call.path["match"]), call.query
    return await call.app_state.read_threads.run(watched, call.app_state.season, name, match, asked)


def watched(season: Season, name: str, match: int, query: Watching) -> Watched:
    """Some steps of a match, from the store; ApiError 404 if it is neither finished nor in play."""
    season.tournament(name)
    finished = season.match(f"{name}.{match}")
    match_so_far = replay_of(finished.record) if finished else games_so_far(season, name).get(match)
    if match_so_far is None:
        raise missing("match")
    table = match_so_far.table
    record = table.record
    over = isinstance(record, Record)
    return Watched(
        match=match,
        names=tuple(match_so_far.names),
        first=query.first,
        last=table.step,
        over=over,
        winners=record.outcome.winners if isinstance(record, Record) else (),
        result=result_text(record) if isinstance(record, Record) else "",
        steps=tuple(match_so_far.steps(OPEN_HANDS if query.view == "open" else SPECTATOR, query.first, query.count)),
    )
