"""Rates a game's built-in players, and any players you add, by games among them: ``kibitz ladder``.

Every deal is played in all rotations of its lineup, so that luck evens out; lineups change from deal to deal.  Ratings
are computed as in seasons (``rating.ratings``); for their intervals, the games of one deal are one cluster.
"""

from __future__ import annotations

import os
from collections.abc import Sequence

import msgspec

from kibitz.arena.games import PlayedGames, Progress, play_games
from kibitz.arena.model import MatchResult, SeatResult
from kibitz.arena.rating.ratings import fit
from kibitz.engine.columns import cell_len, padded
from kibitz.engine.game import Game
from kibitz.engine.registry import game_of
from kibitz.engine.validation import check_number
from kibitz.executors.mapping import Log, no_log
from kibitz.players.built_in import built_in_name, strategies, style_of
from kibitz.players.specs import AnyPlayer

CHIPS_NOTE = (
    "This ranks by who ends a game with more chips, whatever the amount: 'kibitz tournament' ranks by mean score."
)


class Rung(msgspec.Struct, frozen=True):
    """One player of a ladder; ``line`` describes it in a few words, or is the path of its file.

    ``points`` is its rating (1500 on average; a lead of 400 means odds of 10 to 1), and ``margin`` is half the width of
    the rating's 95 % interval. ``best`` and ``worst`` are the best and worst ranks that are compatible with the games.
    ``wins`` is the share of its games that it won; a shared win counts in part.
    """

    name: str
    line: str
    points: float
    margin: float | None
    best: int
    worst: int
    games: int
    wins: float


class Ladder(msgspec.Struct, frozen=True):
    """A game's players, the strongest first, with the number of games and their seed."""

    game: str
    games: int
    seed: int
    rungs: tuple[Rung, ...]


def ladder(
    game: Game | str,
    deals: int,
    seed: int = 0,
    workers: int | None = None,
    progress: Progress | None = None,
    *,
    players: Sequence[AnyPlayer] = (),
    extra_players: Sequence[AnyPlayer] = (),
    on: str | None = None,
    log: Log = no_log,
) -> Ladder:
    """Let players of a game play ``deals`` deals, each in all rotations of its seats, and rate them.

    The players are ``players`` (default: all built-in ones) and ``extra_players``; both may be of any kind that
    ``play_games`` accepts. The other arguments are the same as for ``play_games``.
    """
    known_game = game_of(game)
    everybody = [*(players or strategies(known_game)), *extra_players]
    games = check_number("deals", deals) * known_game.seats
    played = play_games(known_game, everybody, games, seed, workers, progress=progress, on=on, log=log)
    lines = dict(zip(played.players, [line_of(known_game, player) for player in everybody], strict=True))
    rated = fit(match_results(played))
    rungs = [
        Rung(
            rating.player,
            lines[rating.player],
            rating.points,
            rating.margin,
            rating.best,
            rating.worst,
            rating.games,
            rating.wins / rating.games,
        )
        for rating in rated.current
    ]
    return Ladder(known_game.name, len(played), seed, tuple(rungs))


def line_of(game: Game, player: AnyPlayer) -> str:
    """The description of a player in a ladder: a built-in player's style, or a file's path; empty for a function."""
    if isinstance(player, str) and (name := built_in_name(game, player)):
        return style_of(strategies(game)[name])
    return os.fspath(player) if isinstance(player, str | os.PathLike) else ""


def match_results(played: PlayedGames) -> list[MatchResult]:
    """Games as the results of a tournament, with each deal as a block."""
    return [
        MatchResult(
            tournament="ladder",
            phase="open",
            round=1,
            block=int(played.deals[i]) + 1,
            match=i + 1,
            rotation=i % played.lineups.shape[1],
            deal_seed=played.seeds[int(played.deals[i])],
            status="finished",
            seats=seat_results(played, i),
            tier="",
            engine="",
        )
        for i in range(len(played))
    ]


def seat_results(played: PlayedGames, i: int) -> tuple[SeatResult, ...]:
    """The seating of game ``i``, and its result."""
    scores: Sequence[float] = played.scores[i].tolist()
    share = 1 / max(1, int(played.winners[i].sum()))
    return tuple(
        SeatResult(
            submission=int(player) + 1,
            player=played.players[player],
            version=1,
            score=score,
            place=1 + sum(better > score for better in scores),
            win_share=share if wins else 0.0,
            forfeit=None,
            rule=None,
        )
        for player, score, wins in zip(played.lineups[i].tolist(), scores, played.winners[i].tolist(), strict=True)
    )


def rows(result: Ladder) -> list[str]:
    """The ranking as lines of text: rank, name, points ± margin, share of wins, and a description of the player.

    In a game for chips, a last line says what the ranking doesn't count.
    """
    width = max(cell_len(rung.name) for rung in result.rungs)
    lines = []
    for rung in result.rungs:
        ranks = f"{rung.best}" if rung.best == rung.worst else f"{rung.best}-{rung.worst}"
        margin = "?" if rung.margin is None else f"{rung.margin:.0f}"
        points = f"{rung.points:5.0f} ± {margin}"
        lines.append(f"{ranks:>4}  {padded(rung.name, width)}  {points:<12} {rung.wins:6.1%} won  {rung.line}")
    if game_of(result.game).by_score:
        lines.append(CHIPS_NOTE)
    return lines
