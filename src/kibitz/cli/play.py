"""``kibitz play``: a game against the computer, in the application or in line mode, from the questions to the table."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from kibitz.cli.again import play_games
from kibitz.cli.dialogue import held
from kibitz.cli.files import ready
from kibitz.cli.full_screen import finding, fits, opened, storing
from kibitz.cli.menus import pick_game, pick_opponents
from kibitz.cli.options import Ascii, Force, Output, Plain, Script, Seed, Trusted, a_game, a_seat
from kibitz.cli.saved_table import left_politely
from kibitz.cli.screen import Screen
from kibitz.cli.script import NO_SCRIPT, read_script
from kibitz.cli.seating import find_opponents, names_of, people_in
from kibitz.engine.game import Game
from kibitz.engine.registry import game as find_game
from kibitz.errors import KibitzError
from kibitz.players.built_in import best_known
from kibitz.players.setup import Chair, SetUp, setting_up


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
    script: Script = None,
    plain: Plain = False,
    ascii: Ascii = False,
    output: Output = None,
    force: Force = False,
    trusted: Trusted = False,
) -> int | None:
    """Play against the computer and one another.

    On a terminal the game is played on the whole screen, with cards and a cursor; without a game there is a menu.
    --plain plays line by line with numbered choices, as pipes and scripts do.
    """
    if fits(plain or script is not None):
        known = None
        if game is not None:
            known = as_said(Screen(ascii), find_game(game), seat or 0, opponents, name, people, trusted, menu=False)
        ready(output, force)
        on_screen(known, seed, setup=setup, ascii=ascii, trusted=trusted, output=output, force=force)
        return None
    sys.stdin.reconfigure(errors="replace")  # type: ignore[union-attr]
    screen = Screen(ascii, plain)
    ready(output, force)
    told = read_script(script) if script is not None else NO_SCRIPT
    screen.script = told.lines
    with left_politely(screen) as leaving:
        if told.record is not None:
            check_no_options_with_record((game, seed, seat, opponents, name, people))
            done = SetUp(find_game(told.record.game), tuple(Chair(called, None) for called in told.record.seats))
            play_games(screen, done, leaving, told.record.seed, output=output, force=force)
            return leaving.status
        chosen = find_game(game) if game is not None else pick_game(screen)
        said = [word for word in (seat, opponents, name, people) if word is not None]
        if setup or (not said and ":" not in chosen.name and is_watched()):
            done = held(setting_up(chosen), screen)
        else:
            done = as_said(screen, chosen, seat or 0, opponents, name, people, trusted, menu=game is None)
        play_games(screen, done, leaving, seed, trusted=trusted, output=output, force=force)
    return leaving.status


def on_screen(
    done: SetUp | None,
    seed: int | None,
    *,
    setup: bool,
    ascii: bool,
    trusted: bool,
    output: Path | None,
    force: bool,
) -> None:
    """Play in the application: at once where it is known what, else from its menu or its questions."""
    from kibitz.tui.app import menu_first, play_at, set_up_first
    from kibitz.tui.driver import Plan, new_plan

    def planned(done: SetUp) -> Plan:
        return new_plan(done, finding(trusted), seed, storing(output, force))

    if done is None:
        opened(menu_first, ascii)
    elif setup:
        opened(set_up_first(done.game, planned), ascii)
    else:
        opened(play_at(planned(done)), ascii)


def check_no_options_with_record(words: Sequence[object]) -> None:
    """KibitzError if a command says something that the record it plays again says already."""
    if any(word is not None for word in words):
        raise KibitzError("the record says which game is played, by whom and from which seed: leave those words out.")


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
