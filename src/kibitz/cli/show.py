"""``kibitz show``: a record as a story, for everybody or as one seat saw it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from kibitz.cli.options import Ascii, a_seat
from kibitz.cli.outcomes import result
from kibitz.cli.screen import BOLD, DIM, Screen
from kibitz.engine.events import SPECTATOR, Notice, to_seat
from kibitz.engine.game import Game
from kibitz.engine.record import Record, read_file
from kibitz.engine.registry import game as find_game
from kibitz.engine.sentences import names_for
from kibitz.errors import SeatError


def show(
    file: Annotated[Path, Parameter(help="A record, such as 'kibitz match -o' writes.")],
    /,
    *,
    seat: Annotated[
        int | None, Parameter(converter=a_seat, help="Tell it as this seat saw it; seats count from 0.")
    ] = None,
    ascii: Ascii = False,
) -> None:
    """Read the record of a game, once every line of it has been checked."""
    record = read_file(file)
    game = find_game(record.game)
    if seat is not None and not 0 <= seat < game.seats:
        raise SeatError(f"{game.title} has the seats 0 to {game.seats - 1}, so there is no seat {seat}.")
    screen = Screen(ascii)
    screen.line(f"{game.title} ({game.name}), rules version {record.rules}", BOLD)
    screen.line("Seats: " + ", ".join(f"{p} {name}" for p, name in enumerate(record.seats)))
    screen.line(f"Seed: {record.seed}", DIM, hang="")
    screen.line()
    for line in story(game, record, SPECTATOR if seat is None else seat):
        screen.line(line)
    screen.line()
    screen.line(result(record), BOLD)


def story(game: Game, record: Record, seat: int) -> list[str]:
    """What a seat was told in a game, sentence by sentence."""
    names = names_for(seat, record.seats)

    def told(notices: list[Notice]) -> list[str]:
        return [game.describe(event, seat, names) for event in to_seat(notices, seat)]

    state = game.deal(record.seed)
    found = told(game.opening(state))
    forfeits = list(record.forfeits)
    for number in range(len(record.actions) + 1):
        while forfeits and forfeits[0].moves == number:
            forfeit = forfeits.pop(0)
            found.append(f"{names[forfeit.seat]}: out of the game, {forfeit.kind}: {forfeit.sentence}")
        if number < len(record.actions):
            found += told(game.play(state, record.actions[number]))
    return found
