"""``kibitz play``: a game against the computer, in line mode, from the questions to the table."""

from __future__ import annotations

import sys
from typing import Annotated

from cyclopts import Parameter

from kibitz.cli.dialogue import held
from kibitz.cli.files import ready
from kibitz.cli.options import Ascii, Force, Output, Plain, Seed, Trusted, a_game, a_seat
from kibitz.cli.refusals import finished
from kibitz.cli.screen import BOLD, Screen, picked
from kibitz.cli.seating import find_opponents, names_of, people_in
from kibitz.cli.sitting import left_politely, sit_down
from kibitz.engine.game import Game, fresh_seed
from kibitz.engine.registry import all_games
from kibitz.engine.registry import game as find_game
from kibitz.errors import KibitzError
from kibitz.players.built_in import best_known, strategies
from kibitz.players.setup import Chair, SetUp, setting_up
from kibitz.players.specs import PlayerSpec
from kibitz.table import Table


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
    plain: Plain = False,
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
    with left_politely(screen) as leaving:
        chosen = find_game(game) if game is not None else pick_game(screen)
        said = [word for word in (seat, opponents, name, people) if word is not None]
        if setup or (not said and ":" not in chosen.name and is_watched()):
            done = held(setting_up(chosen), screen)
        else:
            done = as_said(screen, chosen, seat or 0, opponents, name, people, trusted, menu=game is None)
        names = [chair.name for chair in done.chairs]
        table = Table.deal(done.game, fresh_seed() if seed is None else seed, names)
        words = [chair.words for chair in done.chairs]
        sit_down(screen, table, words, leaving, trusted=trusted, output=output, force=force)
    return leaving.status


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
        typed = screen.ask() or best_known(game)
        words = ",".join(numbers.get(word.strip(), word) for word in typed.split(","))
        try:
            return find_opponents(game, seat, words, trusted, people)
        except KibitzError as error:
            screen.line(finished(str(error)))
