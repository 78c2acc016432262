"""``kibitz show``: a record as a story, for everybody or as one seat saw it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from kibitz.cli.full_screen import fits, opened
from kibitz.cli.options import Ascii, Plain, a_seat
from kibitz.cli.screen import BOLD, DIM, Screen
from kibitz.engine.events import SPECTATOR
from kibitz.engine.record import AnyRecord, Record, Unfinished, read_any
from kibitz.engine.registry import game as find_game
from kibitz.engine.sentences import names_for
from kibitz.errors import KibitzError, SeatError
from kibitz.table import Table
from kibitz.table.chapters import telling
from kibitz.table.outcomes import standing


def show(
    file: Annotated[Path, Parameter(help="A record, such as 'kibitz match -o' writes.")],
    /,
    *,
    seat: Annotated[
        int | None, Parameter(converter=a_seat, help="Tell it as this seat saw it; seats count from 0.")
    ] = None,
    open: Annotated[bool, Parameter(help="Show all hands.")] = False,
    plain: Plain = False,
    ascii: Ascii = False,
) -> None:
    """Look at the record of a game, once every line of it has been checked.

    On a terminal it is replayed on the whole screen, step by step; --plain tells it as a story, as a pipe does.
    """
    record = read_any(file)
    game = find_game(record.game)
    if seat is not None and not 0 <= seat < game.seats:
        raise SeatError(f"{game.title} has the seats 0 to {game.seats - 1}, so there is no seat {seat}.")
    if seat is not None and isinstance(record, Unfinished):
        raise KibitzError("what one seat has seen is told once the game is over: 'kibitz resume' goes on with it.")
    if fits(plain):
        from kibitz.tui.app import replay_of
        from kibitz.tui.replay import OPEN

        opened(replay_of(record, OPEN if open else seat), ascii)
        return
    screen = Screen(ascii, plain)
    screen.line(f"{game.title} ({game.name}), rules version {record.rules}", BOLD)
    screen.line("Seats: " + ", ".join(f"{p} {name}" for p, name in enumerate(record.seats)))
    if isinstance(record, Record):
        screen.line(f"Seed: {record.seed}", DIM, hang="")
    screen.line()
    reader = SPECTATOR if seat is None else seat
    heard = tell_story(screen, record, reader)
    for note in record.notes:
        screen.line(f"Note: {note}")
    screen.line()
    screen.line(standing(record, reader, heard), BOLD)


def tell_story(screen: Screen, record: AnyRecord, seat: int) -> str:
    """Tell what a seat was told in a game; the last sentence of it."""
    heard = ""
    for heard in story(record, seat):
        screen.line(heard)
    return heard


def story(record: AnyRecord, seat: int) -> Iterator[str]:
    """What a seat was told in a game, sentence by sentence."""
    names = names_for(seat, record.seats)
    heard = out = 0
    for table in Table.resume(record).again():
        events = table.events(seat, heard)
        heard += len(events)
        for _, sentence in telling(table.game, events, seat, names):
            yield sentence
        for forfeit in table.forfeits[out:]:
            out += 1
            yield f"{names[forfeit.seat]}: out of the game, {forfeit.kind}: {forfeit.sentence}"
