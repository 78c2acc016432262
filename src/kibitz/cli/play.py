"""``kibitz play`` and ``kibitz resume``: games against the computer, in the application or in line mode."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

from cyclopts import Parameter

from kibitz.cli.files import check_writable
from kibitz.cli.line_mode.local_table import GameFiles, finish, graceful_exit, play_game
from kibitz.cli.line_mode.menus import ask_setup, next_setup, pick_game, pick_opponents, pick_start, play_games
from kibitz.cli.line_mode.person import pick
from kibitz.cli.options import Ascii, Force, Output, Plain, Script, Seed, Trusted, read_game_name, read_seat
from kibitz.cli.player_lookup import find_opponents, names_of_people, table_names
from kibitz.cli.screen import Screen, is_full_screen, is_interactive, open_application
from kibitz.engine import file_io
from kibitz.engine.game import Game
from kibitz.engine.record import AnyRecord, Record, read_any
from kibitz.engine.record_writer import FIRST_LINE
from kibitz.engine.registry import game as find_game
from kibitz.errors import KibitzError, RecordError, cause
from kibitz.players.built_in import default_player
from kibitz.players.setup import SeatPlayer, SetUp, resume_saved, setup_questions
from kibitz.table import Table
from kibitz.table.saved import saved_game_line, saved_games
from kibitz.table.session import AskPerson, Session

if TYPE_CHECKING:
    from kibitz.tui.local_table import LocalGame


def play(
    game: Annotated[
        str | None,
        Parameter(
            converter=read_game_name,
            help="A game, such as go, or the path of one of your own, such as ./mine. Default: a menu.",
        ),
    ] = None,
    /,
    *,
    seed: Seed = None,
    seat: Annotated[
        int | None, Parameter(converter=read_seat, help="Your seat; seats are numbered from 0. Default: 0.")
    ] = None,
    opponents: Annotated[
        str | None,
        Parameter(
            help="Computer players or player files: one for all other seats, or one for each, separated by commas."
        ),
    ] = None,
    name: Annotated[str | None, Parameter(help="Your name in the record. Default: Guest.")] = None,
    people: Annotated[str | None, Parameter(help="Names of several people at this keyboard, such as Ann,Ben.")] = None,
    setup: Annotated[bool, Parameter(help="First ask who plays and how to set each option of the game.")] = False,
    script: Script = None,
    plain: Plain = False,
    ascii: Ascii = False,
    output: Output = None,
    force: Force = False,
    trusted: Trusted = False,
) -> int | None:
    """Play against the computer, or with others at one keyboard.

    In a terminal, Kibitz first asks how strong the computer players should be, unless you set the players (--opponents,
    --seat, --name, --people) or game options (president:rounds=3). The game then fills the screen, with cards and a
    cursor. With --plain, or in a pipe, it is played line by line with numbered choices.
    """
    players_are_set = any(value is not None for value in (seat, opponents, name, people))
    files = GameFiles(trusted, output, force)
    check_writable(output, force)

    def setup_of(screen: Screen, chosen_game: Game) -> SetUp:
        return setup_from_options(screen, chosen_game, seat or 0, opponents, name, people, trusted, menu=game is None)

    if is_full_screen(plain or script is not None):
        named_setup = setup_of(Screen(ascii), find_game(game)) if game is not None else None
        ask_start = named_setup is not None and offers_levels(named_setup.game, players_are_set)
        play_full_screen(named_setup, seed, files, ask_start=ask_start, ask_all=setup, ascii=ascii)
        return None
    sys.stdin.reconfigure(errors="replace")  # type: ignore[union-attr]
    screen = Screen(ascii, plain)
    typed_lines = read_script(script) if script is not None else NO_SCRIPT
    screen.script = typed_lines.lines
    with graceful_exit(screen) as command_exit:
        if typed_lines.record is not None:
            if any(value is not None for value in (game, seed)) or players_are_set:
                raise KibitzError("the record already has the game, its players and its seed: leave those options out.")
            game_setup = SetUp(
                find_game(typed_lines.record.game),
                tuple(SeatPlayer(seat_name, None) for seat_name in typed_lines.record.seats),
            )
            play_games(screen, game_setup, command_exit, files, typed_lines.record.seed)
            return command_exit.status
        chosen_game = find_game(game) if game is not None else pick_game(screen)
        if setup:
            game_setup = ask_setup(setup_questions(chosen_game), screen)
        elif offers_levels(chosen_game, players_are_set) and is_interactive():
            game_setup = pick_start(screen, chosen_game)
        else:
            game_setup = setup_of(screen, chosen_game)
        play_games(screen, game_setup, command_exit, files, seed)
    return command_exit.status


def play_full_screen(
    game_setup: SetUp | None, seed: int | None, files: GameFiles, *, ask_start: bool, ask_all: bool, ascii: bool
) -> None:
    """Open the application.

    Without ``game_setup`` it opens at its menu, with ``ask_all`` at all questions about players and options, with
    ``ask_start`` at the choice of how to begin, and otherwise at the table.
    """
    from kibitz.tui.application import choose_start, menu_route, setup_route, table_route
    from kibitz.tui.dialogs import ask_setup as ask_in_windows
    from kibitz.tui.local_table import new_game

    def make_game(game_setup: SetUp) -> LocalGame:
        return new_game(game_setup, files.find, seed, files.store)

    if game_setup is None:
        open_application(menu_route, ascii)
    elif ask_all or ask_start:
        open_application(setup_route(ask_in_windows if ask_all else choose_start, game_setup.game, make_game), ascii)
    else:
        open_application(table_route(make_game(game_setup)), ascii)


def offers_levels(game: Game, players_are_set: bool) -> bool:
    """Whether to ask for a level: not if the command sets players or options of the game."""
    return not players_are_set and ":" not in game.name


def setup_from_options(
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
    """The game and the players that the options name; without ``opponents``, a menu (if ``menu``) or the best known."""
    people_names = names_of_people(game, seat, people, name)
    if opponents is None and menu:
        specs = pick_opponents(screen, game, seat, len(people_names), trusted)
    else:
        opponents = default_player(game) if opponents is None else opponents
        specs = find_opponents(game, seat, opponents, trusted, len(people_names))
    names, people_count = table_names(specs, *people_names), len(people_names)
    players = [
        SeatPlayer(player_name, spec.name_or_path)
        for player_name, spec in zip(names[people_count:], specs, strict=True)
    ]
    players[seat:seat] = map(SeatPlayer, names[:people_count])
    return SetUp(game, tuple(players))


# ---------------------------------------------------------------- resume


def resume(
    file: Annotated[Path | None, Parameter(help="A saved game. Default: the only one, or a menu.")] = None,
    /,
    *,
    plain: Plain = False,
    ascii: Ascii = False,
    output: Output = None,
    force: Force = False,
    trusted: Trusted = False,
) -> int | None:
    """Resume a saved game. 'kibitz play' saves after every action.

    The cards to come stay the same, and people and computer players keep their seats. A finished game is deleted once
    you have seen its result.
    """
    files = GameFiles(trusted, output, force)
    check_writable(output, force)
    if is_full_screen(plain):
        from kibitz.tui.application import resume_route

        paths = [file] if file is not None else require_saved_games()
        open_application(resume_route(paths, files.find, files.store), ascii)
        return None
    sys.stdin.reconfigure(errors="replace")  # type: ignore[union-attr]
    screen = Screen(ascii, plain)
    with graceful_exit(screen) as command_exit:
        resumed = resume_saved(file if file is not None else pick_saved_game(screen))
        saved, chairs = resumed.saved, resumed.chairs
        try:
            if isinstance(resumed.record, Record):
                finish(screen, resumed.record, files)
                saved.delete()
                return None
            table, command_exit.saved = Table.resume(resumed.record), True
            played = play_game(screen, table, chairs, command_exit, files, saved, own_files=resumed.own_files)
        finally:
            saved.close()
        game_setup = SetUp(table.game, tuple(map(SeatPlayer, played.seats, chairs)))
        play_games(screen, next_setup(screen, game_setup, played), command_exit, files._replace(output=None))
    return command_exit.status


def require_saved_games() -> list[Path]:
    """The saved games. Raises KibitzError if there are none."""
    paths = saved_games()
    if not paths:
        raise KibitzError("no saved games. 'kibitz play' starts a game and saves it after every action.")
    return paths


def pick_saved_game(screen: Screen) -> Path:
    """The game to resume: the only one, or the one that the person picks."""
    paths = require_saved_games()
    if len(paths) == 1:
        return paths[0]
    return paths[pick(screen, "Which game?", [saved_game_line(path) for path in paths])]


# ---------------------------------------------------------------- sessions from a script

# A script holds the lines to type, in order. A line that begins with ``#`` is a comment, and an empty line is Enter.
# If the file is a record instead, its moves are replayed.


class ScriptLines(NamedTuple):
    """The lines to type; if they replay a record, also that record."""

    lines: list[str]
    record: AnyRecord | None = None


NO_SCRIPT = ScriptLines([])


def read_script(path: Path) -> ScriptLines:
    """The script in a file. Raises KibitzError if the file can't be read, or is a record that can't be typed."""
    try:
        text = file_io.read_text(path)
    except UnicodeDecodeError:
        raise KibitzError(f"{path} is not a script: it isn't UTF-8 text.") from None
    except OSError as error:
        raise KibitzError(f"{path} cannot be read: {cause(error)}.") from None
    if text.startswith(FIRST_LINE.rstrip("0123456789")):
        record = read_any(path)
        return ScriptLines(lines_to_replay(record), record)
    return ScriptLines([line for line in text.splitlines() if not line.startswith("#")])


def lines_to_replay(record: AnyRecord) -> list[str]:
    """The lines to type to replay a recorded game, with people at one keyboard in all seats.

    Raises RecordError if a seat has forfeited, which can't be typed.
    """
    if record.forfeits:
        raise RecordError("a seat forfeits in this game, which can't be typed: use 'kibitz show'.")
    lines: list[str] = []
    at_keyboard = None
    table = Table.resume(record).at(0)
    session = Session(table, range(table.game.seats))
    for action in record.actions:
        step = session.next
        if isinstance(step, AskPerson):
            if step.seat != at_keyboard:
                # One Enter covers the previous person's cards, if there was one; the next Enter shows this person's.
                lines += [""] if at_keyboard is None else ["", ""]
            at_keyboard = step.seat
            lines.append(table.game.text(table.view(at_keyboard), action))
        session.act(step.seat, action)
    # At the end, Enter covers the last person's cards, "n" saves no record, and Enter leaves.
    return [*lines, "", "n", ""] if table.over else lines
