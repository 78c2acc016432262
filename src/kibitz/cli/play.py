"""``kibitz play``: a game against the computer, in line mode.

commitment      the SHA-256 of the seed, shown before the first card; the seed itself is shown at the end
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from kibitz.cli.dialogue import held
from kibitz.cli.files import ready, write
from kibitz.cli.keyboard import Quit
from kibitz.cli.options import Ascii, Force, Output, Seed, Trusted, a_game, a_seat
from kibitz.cli.outcomes import result
from kibitz.cli.refusals import finished
from kibitz.cli.screen import BOLD, DIM, Screen, picked
from kibitz.cli.seating import find_opponents, find_players, names_of, people_in
from kibitz.cli.session import play_with_people
from kibitz.engine.game import Game, fresh_seed
from kibitz.engine.record import commitment, text
from kibitz.engine.registry import all_games, parse_options
from kibitz.engine.registry import game as find_game
from kibitz.engine.sentences import listed
from kibitz.engine.settings import described
from kibitz.errors import KibitzError
from kibitz.players.built_in import best_known, strategies
from kibitz.players.setup import Chair, SetUp, setting_up
from kibitz.players.specs import PlayerSpec
from kibitz.table import Match


def play(
    game: Annotated[
        str | None,
        Parameter(
            converter=a_game,
            help="A game, such as go, or the path of one of your own, such as ./mine; without one there is a menu.",
        ),
    ] = None,
    /,
    *,
    seed: Seed = None,
    seat: Annotated[int | None, Parameter(converter=a_seat, help="Where you sit; seats count from 0.")] = None,
    opponents: Annotated[
        str | None,
        Parameter(help="Names, or files and folders if the game takes them: one for all, or one a seat with commas."),
    ] = None,
    name: Annotated[str | None, Parameter(help="What the record calls you; Guest otherwise.")] = None,
    people: Annotated[str | None, Parameter(help="Names of several people who share this keyboard: Ann,Ben.")] = None,
    setup: Annotated[bool, Parameter(help="Ask for players and options wherever you are.")] = False,
    plain: Annotated[bool, Parameter(help="For screen readers: no colour, one choice a line.")] = False,
    ascii: Ascii = False,
    output: Output = None,
    force: Force = False,
    trusted: Trusted = False,
) -> int | None:
    """Play against the computer and one another, with numbered choices.

    On a terminal everything is asked for: how many players, who they are, and each option of the game. A game with
    options, such as president:players=5, or any word about the players leaves the questions out.
    """
    sys.stdin.reconfigure(errors="replace")  # type: ignore[union-attr]
    screen = Screen(ascii, plain)
    ready(output, force)
    try:
        chosen = find_game(game) if game is not None else pick_game(screen)
        said = [word for word in (seat, opponents, name, people) if word is not None]
        if setup or (not said and ":" not in chosen.name and is_watched()):
            done = held(setting_up(chosen), screen)
        else:
            done = as_said(screen, chosen, seat or 0, opponents, name, people, trusted, menu=game is None)
        seed = fresh_seed() if seed is None else seed
        begin(screen, done, seed, trusted, output, force)
    except (Quit, EOFError):
        screen.line()
        screen.line("Goodbye: the game is broken off, and nothing is saved.")
    except KeyboardInterrupt:
        screen.line()
        screen.line("Interrupted: the game is broken off, and nothing is saved.")
        return 130
    return None


def is_watched() -> bool:
    """Whether a person can be asked: on a terminal, and not where a script types or reads."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def as_said(
    screen: Screen,
    game: Game,
    seat: int,
    opponents: str | None,
    name: str | None,
    people: str | None,
    trusted: bool,
    *,
    menu: bool,
) -> SetUp:
    """Who plays what, as the words of the command say; opponents from a menu where the game came from one."""
    sitting = people_in(game, seat, people, name)
    if opponents is None and menu:
        specs = pick_opponents(screen, game, seat, len(sitting), trusted)
    else:
        words = best_known(game) if opponents is None else opponents
        specs = find_opponents(game, seat, words, trusted, len(sitting))
    names, n = names_of(specs, *sitting), len(sitting)
    chairs = [Chair(called, spec.words) for called, spec in zip(names[n:], specs, strict=True)]
    chairs[seat:seat] = map(Chair, names[:n])
    return SetUp(game, tuple(chairs))


def begin(screen: Screen, done: SetUp, seed: int, trusted: bool, output: Path | None, force: bool) -> None:
    """Play what was set up, from the introduction to the record."""
    names = [chair.name for chair in done.chairs]
    people = [p for p, chair in enumerate(done.chairs) if chair.words is None]
    others = {p: chair.words for p, chair in enumerate(done.chairs) if chair.words is not None}
    specs = find_players(done.game, list(others.values()), trusted)
    makers = {p: spec.make for p, spec in zip(others, specs, strict=True)}
    introduce(screen, done.game, people, names, seed)
    match = play_with_people(done.game, makers, names, people, seed, screen)
    close(screen, match, output, force)


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


def pick_opponents(screen: Screen, game: Game, seat: int, people: int, trusted: bool) -> list[PlayerSpec]:
    """The opponents that the person picks: numbers, names, or files where the game takes them."""
    known = list(strategies(game))
    screen.line(
        "Against whom? One for all seats, or one for each with commas between them. A player file will do, too.", BOLD
    )
    for number, strategy in enumerate(known, 1):
        screen.line(f"{number:>2}) {strategy}")
    numbers = {str(number): strategy for number, strategy in enumerate(known, 1)}
    while True:
        typed = screen.ask() or known[-1]
        words = ",".join(numbers.get(word.strip(), word) for word in typed.split(","))
        try:
            return find_opponents(game, seat, words, trusted, people)
        except KibitzError as error:
            screen.line(finished(str(error)))


def introduce(screen: Screen, game: Game, people: Sequence[int], names: Sequence[str], seed: int) -> None:
    """Who plays what, and the proof that the deal is fixed."""
    screen.line(f"{game.title} ({game.name})", BOLD)
    alone = people[0] if len(people) == 1 else None
    if chosen := parse_options(game.name.partition(":")[2]) if ":" in game.name else {}:
        screen.line(" ".join(described(game.words.OPTIONS, chosen)))
    seats = ", ".join(f"{p} {'you' if p == alone else name}" for p, name in enumerate(names))
    screen.line(f"Seats: {seats}.")
    if alone is None:
        screen.line(f"{listed([names[p] for p in people])} share this keyboard; hands are covered between their turns.")
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
