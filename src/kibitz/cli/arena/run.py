"""``kibitz arena run``: rounds, until it is stopped or there is enough."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Annotated, NamedTuple

from cyclopts import Parameter

from kibitz.cli.arena.options import AnyTournament, StoreName, opened
from kibitz.cli.arena.playing import Interval, Progress, played, telling
from kibitz.cli.arena.table import tell_table
from kibitz.cli.options import Count, On, Workers
from kibitz.cli.screen import Screen
from kibitz.errors import StoreError

if TYPE_CHECKING:
    from kibitz.arena.api import Arena
    from kibitz.arena.running.news import Ended

BESIDE = "Play with runners that are at it already, such as another machine's; a second one is refused otherwise."
PAUSE = 1.0
"""Seconds until it is looked again whether there are players."""


def run(
    tournament: AnyTournament = None,
    /,
    *,
    rounds: Annotated[Count | None, Parameter(help="Until the season has so many rounds.")] = None,
    games: Annotated[Count | None, Parameter(help="Until the season has so many games, in whole rounds.")] = None,
    until_interval: Interval = None,
    workers: Workers = None,
    beside: Annotated[bool, Parameter(help=BESIDE)] = False,
    on: On = None,
    store: StoreName = None,
) -> int:
    """Play rounds on all cores until stopped with Ctrl-C; what is played is saved block by block.

    All tournaments that are not closed take turns, a round each, unless one is named.  Stop and start it as you like,
    or kill it: the table comes out the same.
    """
    goal = Goal(rounds, games, until_interval, workers, beside, on)
    with opened(store) as arena:
        names = [arena.tournament(tournament).name] if tournament else open_ones(arena)
        screen = Screen()
        if len(names) == 1:
            with telling(arena, names[0], screen) as progress:
                ended = goal.run(arena, names[0], progress, wait=not goal.given)
        else:
            ended = take_turns(arena, names, goal, screen)
        for number, name in enumerate(names):
            if number:
                screen.line()
            tell_table(screen, arena.table(name))
    return played(ended)


class Goal(NamedTuple):
    """How much is enough, and with whom it is played."""

    rounds: int | None
    games: int | None
    width: float | None
    workers: int | None
    beside: bool
    on: str | None = None

    @property
    def given(self) -> bool:
        """Whether there is an end at all."""
        return any(enough is not None for enough in (self.rounds, self.games, self.width))

    def run(self, arena: Arena, name: str, progress: Progress, *, wait: bool = False, more: bool = False) -> Ended:
        """Play a tournament until there is enough, or (``more``) one round more."""
        rounds = self.rounds
        if more:
            next_one = arena.rounds(name) + 1
            rounds = next_one if rounds is None else min(rounds, next_one)
        return arena.run(
            name,
            rounds=rounds,
            games=self.games,
            width=self.width,
            workers=self.workers,
            beside=self.beside,
            wait=wait,
            progress=progress,
            on=self.on or "local",
        )


def open_ones(arena: Arena) -> list[str]:
    """The tournaments that are to be played, if none is named."""
    names = [one.name for one in arena.tournaments() if one.kind != "custom" and one.phase != "closed"]
    if not names:
        raise StoreError("missing", "there is no tournament to play; the first 'kibitz arena submit' begins one.")
    return names


def take_turns(arena: Arena, names: list[str], goal: Goal, screen: Screen) -> Ended:
    """A round of each tournament after the other, until all have enough."""
    left, ended = list(names), None
    while left:
        waiting = True
        for name in tuple(left):
            with telling(arena, name, screen) as progress:
                ended = goal.run(arena, name, progress, more=True)
            if ended.why == "stopped":
                return ended
            waiting = waiting and ended.why == "waiting"
            if ended.why == "closed" or (goal.given and not ended.games):
                left.remove(name)
        if waiting and left:
            time.sleep(PAUSE)
    assert ended is not None
    return ended
