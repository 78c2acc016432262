"""What is seen while rounds are being played, and how it ends.

terminal    a bar for the round and the table, drawn anew as it grows
elsewhere   one line a round
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from kibitz.cli.options import an_interval
from kibitz.cli.screen import Screen, harmless, warn
from kibitz.engine.sentences import counted
from kibitz.errors import StoreError

if TYPE_CHECKING:
    from rich.console import Group

    from kibitz.arena.answers import Ranking
    from kibitz.arena.api import Arena
    from kibitz.arena.running.news import Ended, News

Progress = Callable[["News"], object]
STATUS = {"enough": 0, "closed": 0, "stopped": 130}
AGAIN = 0.2
"""Seconds between two drawings."""


CERTAIN = "Until every rating is certain to ± so many points, or its rank is."
Width = Annotated[float, Parameter(converter=an_interval, help=CERTAIN)]
Interval = Annotated[float | None, Parameter(converter=an_interval, help=CERTAIN)]


def played(ended: Ended) -> int:
    """Say how a run ended; its status."""
    if ended.why == "waiting":
        raise StoreError("refused", ended.sentence)
    warn(ended.sentence)
    return STATUS[ended.why]


@contextmanager
def telling(arena: Arena, name: str, screen: Screen) -> Iterator[Progress]:
    """Show what a run is at."""
    if sys.stdout.isatty():
        with Drawing(arena, name, screen) as drawing:
            yield drawing.tell
    else:
        yield Lines(name).tell


class Lines:
    """One line a round, and one for everything unusual."""

    def __init__(self, name: str) -> None:
        self.name, self.round = name, 0

    def tell(self, news: News) -> None:
        """Say that a round is complete, or what is the matter."""
        if news.note:
            warn(f"{self.name}: {news.note}")
        if news.round > self.round and not news.left:
            self.round = news.round
            blocks = counted(news.blocks, "block")
            warn(f"{self.name}: round {news.round} is complete, {blocks}")


class Drawing:
    """The round as a bar, and the table below it."""

    def __init__(self, arena: Arena, name: str, screen: Screen) -> None:
        from rich.console import Console
        from rich.live import Live

        self.arena, self.name, self.screen = arena, name, screen
        self.live = Live(console=Console(), auto_refresh=False, transient=True)
        self.drawn, self.round, self.table = 0.0, -1, arena.table(name)
        self.began = time.monotonic()

    def __enter__(self) -> Drawing:
        self.live.__enter__()
        return self

    def __exit__(self, *error: object) -> None:
        self.live.__exit__(None, None, None)

    def tell(self, news: News) -> None:
        """Draw anew, at most five times a second; a new round has a new table above it."""
        if news.note:
            self.live.console.print(harmless(news.note), highlight=False, markup=False)
        now = time.monotonic()
        if now - self.drawn < AGAIN and not news.note:
            return
        if news.round != self.round:
            self.round, self.table = news.round, self.arena.table(self.name)
        self.live.update(self.drawing(news, self.table), refresh=True)
        self.drawn = time.monotonic()

    def drawing(self, news: News, table: Ranking) -> Group:
        """All that is shown."""
        from rich.console import Group
        from rich.progress_bar import ProgressBar
        from rich.table import Table
        from rich.text import Text

        from kibitz.cli.arena.table import headline

        speed = news.games / max(0.1, time.monotonic() - self.began)
        done = news.blocks - news.left
        line = Table.grid(padding=(0, 1))
        told = f"round {news.round}: {done} of {news.blocks} blocks, {speed:.1f} games/s"
        line.add_row(ProgressBar(news.blocks, done, width=20), Text(told, no_wrap=True))
        return Group(
            Text(headline(table), style="bold"),
            Text(harmless(table.plain)),
            line,
            Text("Stop with Ctrl-C: nothing is lost.", style="dim"),
        )
