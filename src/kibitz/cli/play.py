"""``kibitz play``: a game against the computer, in line mode.

commitment      the SHA-256 of the seed, shown before the first card; the seed itself is shown at the end
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from kibitz.cli.files import ready, write
from kibitz.cli.options import Ascii, Force, Output, Seed, Trusted
from kibitz.cli.outcomes import result
from kibitz.cli.person import Quit
from kibitz.cli.refusals import finished
from kibitz.cli.screen import BOLD, DIM, Screen, picked
from kibitz.cli.seating import find_opponents, names_of
from kibitz.cli.session import play_with_person
from kibitz.engine.game import Game, fresh_seed
from kibitz.engine.record import commitment, text
from kibitz.engine.registry import all_games
from kibitz.engine.registry import game as find_game
from kibitz.errors import KibitzError
from kibitz.players.built_in import strategies
from kibitz.players.specs import PlayerSpec, takes_files
from kibitz.table import Match


def play(
    game: Annotated[str | None, Parameter(help="A game, such as go; without one there is a menu.")] = None,
    /,
    *,
    seed: Seed = None,
    seat: Annotated[int, Parameter(help="Where you sit; seats count from 0.")] = 0,
    opponents: Annotated[
        str | None, Parameter(help="Names, or files if the game takes them: one for all, or one a seat with commas.")
    ] = None,
    name: Annotated[str, Parameter(help="What the record calls you.")] = "Guest",
    plain: Annotated[bool, Parameter(help="For screen readers: no colour, one choice a line.")] = False,
    ascii: Ascii = False,
    output: Output = None,
    force: Force = False,
    trusted: Trusted = False,
) -> int | None:
    """Play against the computer, with numbered choices."""
    sys.stdin.reconfigure(errors="replace")  # type: ignore[union-attr]
    screen = Screen(ascii, plain)
    ready(output, force)
    try:
        chosen = find_game(game) if game is not None else pick_game(screen)
        if opponents is None and game is None:
            specs = pick_opponents(screen, chosen, seat, trusted)
        else:
            specs = find_opponents(chosen, seat, opponents or list(strategies(chosen))[-1], trusted)
        seed = fresh_seed() if seed is None else seed
        names = names_of(specs, name)
        names.insert(seat, names.pop(0))
        others = [p for p in range(chosen.seats) if p != seat]
        makers = {p: spec.make for p, spec in zip(others, specs, strict=True)}
        introduce(screen, chosen, seat, names, seed)
        match = play_with_person(chosen, makers, names, seat, seed, screen)
        close(screen, match, output, force)
    except (Quit, EOFError):
        screen.line()
        screen.line("Goodbye: the game is broken off, and nothing is saved.")
    except KeyboardInterrupt:
        screen.line()
        screen.line("Interrupted: the game is broken off, and nothing is saved.")
        return 130
    return None


def pick_game(screen: Screen) -> Game:
    """The game that the person picks from a menu."""
    found = all_games()
    screen.line("Which game?", BOLD)
    for number, game in enumerate(found, 1):
        screen.line(f"{number:>2}) {game.name}: {game.summary}", hang="    ")
    while True:
        typed = screen.ask() or "1"
        if number := picked(typed, len(found)):
            return found[number - 1]
        try:
            return find_game(typed)
        except KibitzError as error:
            screen.line(finished(str(error)))


def pick_opponents(screen: Screen, game: Game, seat: int, trusted: bool) -> list[PlayerSpec]:
    """The opponents that the person picks: numbers, names, or files where the game takes them."""
    known = list(strategies(game))
    files = " A player file will do, too." if takes_files(game) else ""
    screen.line(f"Against whom? One for all seats, or one for each with commas between them.{files}", BOLD)
    for number, strategy in enumerate(known, 1):
        screen.line(f"{number:>2}) {strategy}")
    numbers = {str(number): strategy for number, strategy in enumerate(known, 1)}
    while True:
        typed = screen.ask() or known[-1]
        words = ",".join(numbers.get(word.strip(), word) for word in typed.split(","))
        try:
            return find_opponents(game, seat, words, trusted)
        except KibitzError as error:
            screen.line(finished(str(error)))


def introduce(screen: Screen, game: Game, seat: int, names: Sequence[str], seed: int) -> None:
    """Who plays what, and the proof that the deal is fixed."""
    screen.line(f"{game.title} ({game.name})", BOLD)
    seats = ", ".join(f"{p} {'you' if p == seat else name}" for p, name in enumerate(names))
    screen.line(f"Seats: {seats}.")
    screen.line("SHA-256 of the seed, which is shown at the end:")
    screen.line(commitment(seed), DIM, hang="")
    screen.line()


def close(screen: Screen, match: Match, output: Path | None, force: bool) -> None:
    """Show the result and the seed, and save the record."""
    record = match.record
    screen.line()
    screen.line(result(record), BOLD)
    screen.line(f"The seed was {record.seed}, as promised at the deal; a saved record proves it.", hang="")
    if output is not None:
        write(output, text(record), force)
        screen.line(f"The record is saved in {output}.")
        return
    offer(screen, match, force)


def offer(screen: Screen, match: Match, force: bool) -> None:
    """Ask where to save the record until it is saved or not wanted."""
    record = match.record
    ours = f"{record.game.partition(':')[0]}-{commitment(record.seed)[:8]}.game"
    screen.line(f"Save the record? y for {ours}, or type another file name, or press Enter for no.", BOLD)
    while True:
        try:
            typed = screen.ask()
        except (EOFError, KeyboardInterrupt):
            return
        if typed.lower() in ("", "n", "no", "q"):
            return
        if typed.isdigit():
            screen.line("The game is over: type y, a file name, or Enter.")
            continue
        path = Path(ours if typed.lower() in ("y", "yes") else typed)
        try:
            write(path, text(record), force, rescue=False)
        except KibitzError as error:
            screen.line(finished(str(error)))
        else:
            screen.line(f"The record is saved: 'kibitz verify {path}' proves it.")
            return
