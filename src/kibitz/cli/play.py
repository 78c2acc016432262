"""``kibitz play`` and ``kibitz resume``: games against the computer, in the application or in line mode."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

from cyclopts import Parameter

from kibitz.cli.files import ready, write
from kibitz.cli.line_mode.local_table import finish, graceful_exit, play_game
from kibitz.cli.line_mode.menus import ask_setup, next_setup, pick_game, pick_opponents, pick_start, play_games
from kibitz.cli.options import Ascii, Force, Output, Plain, Script, Seed, Trusted, a_game, a_seat
from kibitz.cli.screen import BOLD, Screen, is_full_screen, open_application, picked
from kibitz.cli.seating import find_opponents, find_players, names_of, people_in
from kibitz.engine import file_io
from kibitz.engine.game import Game
from kibitz.engine.record import AnyRecord, Record, read_any, text
from kibitz.engine.record_writer import FIRST_LINE
from kibitz.engine.registry import game as find_game
from kibitz.engine.sentences import finished
from kibitz.errors import KibitzError, RecordError, cause
from kibitz.players.built_in import best_known
from kibitz.players.setup import SeatPlayer, SetUp, resume_saved, setting_up
from kibitz.table import Table
from kibitz.table.saved import saved_game_line, saved_games
from kibitz.table.session import AskPerson, Session

if TYPE_CHECKING:
    from kibitz.tui.local_table import FindPlayers, StoreRecord


def play(
    game: Annotated[
        str | None,
        Parameter(
            converter=a_game,
            help="A game, such as go, or the path of one of your own, such as ./mine. Default: a menu.",
        ),
    ] = None,
    /,
    *,
    seed: Seed = None,
    seat: Annotated[int | None, Parameter(converter=a_seat, help="Your seat; seats count from 0. Default: 0.")] = None,
    opponents: Annotated[
        str | None,
        Parameter(
            help="Computer players by name, or player files: one for all seats, or one each, separated by commas."
        ),
    ] = None,
    name: Annotated[str | None, Parameter(help="Your name in the record. Default: Guest.")] = None,
    people: Annotated[str | None, Parameter(help="Names of several people at this keyboard, such as Ann,Ben.")] = None,
    setup: Annotated[bool, Parameter(help="Ask for players and options first.")] = False,
    script: Script = None,
    plain: Plain = False,
    ascii: Ascii = False,
    output: Output = None,
    force: Force = False,
    trusted: Trusted = False,
) -> int | None:
    """Play against the computer, or with others at one keyboard.

    In a terminal, the game fills the screen, with cards and a cursor. With --plain, or in a pipe, it is played line by
    line with numbered choices. In a terminal, without --opponents or options, you are first asked for a level.
    """
    said = any(word is not None for word in (seat, opponents, name, people))
    if is_full_screen(plain or script is not None):
        known = None
        if game is not None:
            known = as_said(Screen(ascii), find_game(game), seat or 0, opponents, name, people, trusted, menu=False)
        ready(output, force)
        asks = known is not None and offers_levels(known.game, said)
        on_screen(known, seed, asks=asks, setup=setup, ascii=ascii, trusted=trusted, output=output, force=force)
        return None
    sys.stdin.reconfigure(errors="replace")  # type: ignore[union-attr]
    screen = Screen(ascii, plain)
    ready(output, force)
    told = read_script(script) if script is not None else NO_SCRIPT
    screen.script = told.lines
    with graceful_exit(screen) as leaving:
        if told.record is not None:
            check_no_options_with_record((game, seed, seat, opponents, name, people))
            done = SetUp(find_game(told.record.game), tuple(SeatPlayer(called, None) for called in told.record.seats))
            play_games(screen, done, leaving, told.record.seed, output=output, force=force)
            return leaving.status
        chosen = find_game(game) if game is not None else pick_game(screen)
        if setup:
            done = ask_setup(setting_up(chosen), screen)
        elif offers_levels(chosen, said) and is_watched():
            done = pick_start(screen, chosen)
        else:
            done = as_said(screen, chosen, seat or 0, opponents, name, people, trusted, menu=game is None)
        play_games(screen, done, leaving, seed, trusted=trusted, output=output, force=force)
    return leaving.status


def on_screen(
    done: SetUp | None,
    seed: int | None,
    *,
    asks: bool,
    setup: bool,
    ascii: bool,
    trusted: bool,
    output: Path | None,
    force: bool,
) -> None:
    """Play in the application: from its menu, from what it ``asks`` about the game, from all questions, or at once."""
    from kibitz.tui.application import choose_start, menu_route, setup_route, table_route
    from kibitz.tui.dialogs import ask_setup as ask_in_windows
    from kibitz.tui.local_table import LocalGame, new_game

    def make_game(done: SetUp) -> LocalGame:
        return new_game(done, finding(trusted), seed, storing(output, force))

    if done is None:
        open_application(menu_route, ascii)
    elif setup or asks:
        open_application(setup_route(ask_in_windows if setup else choose_start, done.game, make_game), ascii)
    else:
        open_application(table_route(make_game(done)), ascii)


def offers_levels(game: Game, said: bool) -> bool:
    """Whether to ask how to begin: not if the command says who plays or sets options of the game."""
    return not said and ":" not in game.name


def check_no_options_with_record(words: Sequence[object]) -> None:
    """Raise KibitzError if a command sets something that its record determines already."""
    if any(word is not None for word in words):
        raise KibitzError("the record has the game, its players and its seed already: leave those options out.")


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
    """The game and players that the command names; opponents come from a menu if the game did."""
    sitting = people_in(game, seat, people, name)
    if opponents is None and menu:
        specs = pick_opponents(screen, game, seat, len(sitting), trusted)
    else:
        words = best_known(game) if opponents is None else opponents
        specs = find_opponents(game, seat, words, trusted, len(sitting))
    names, n = names_of(specs, *sitting), len(sitting)
    players = [SeatPlayer(called, spec.words) for called, spec in zip(names[n:], specs, strict=True)]
    players[seat:seat] = map(SeatPlayer, names[:n])
    return SetUp(game, tuple(players))


def finding(trusted: bool) -> FindPlayers:
    """Finds players, with a warning if the user's own files among them will not be confined."""
    return lambda game, words, own: find_players(game, words, trusted, warning=own, own=own)


def storing(output: Path | None, force: bool) -> StoreRecord:
    """Writes a record where the command asks for it."""

    def store(record: Record) -> Path | None:
        if output is not None:
            write(output, text(record), force, rescue=False)
        return output

    return store


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
    if is_full_screen(plain):
        ready(output, force)
        from kibitz.tui.application import resume_route

        paths = [file] if file is not None else saved_or_refused()
        open_application(resume_route(paths, finding(trusted), storing(output, force)), ascii)
        return None
    sys.stdin.reconfigure(errors="replace")  # type: ignore[union-attr]
    screen = Screen(ascii, plain)
    ready(output, force)
    with graceful_exit(screen) as leaving:
        left = resume_saved(file if file is not None else pick(screen))
        saved, chairs = left.saved, left.chairs
        try:
            if isinstance(left.record, Record):
                finish(screen, left.record, output, force)
                saved.drop()
                return None
            table, leaving.saved = Table.resume(left.record), True
            played = play_game(
                screen,
                table,
                chairs,
                leaving,
                trusted=trusted,
                output=output,
                force=force,
                saved=saved,
                own_files=left.own,
            )
        finally:
            saved.close()
        done = SetUp(table.game, tuple(map(SeatPlayer, played.seats, chairs)))
        if (following := next_setup(screen, done, played)) is not None:
            play_games(screen, following, leaving, None, trusted=trusted, force=force)
    return leaving.status


def saved_or_refused() -> list[Path]:
    """The saved games; KibitzError if there are none."""
    found = saved_games()
    if not found:
        raise KibitzError("no saved games. 'kibitz play' starts a game and saves it after every action.")
    return found


def pick(screen: Screen) -> Path:
    """The game to resume: the only one, or the one that the person picks."""
    found = saved_or_refused()
    if len(found) == 1:
        return found[0]
    screen.line("Which game?", BOLD)
    for number, path in enumerate(found, 1):
        screen.line(f"{number:>2}) {saved_game_line(path)}", hang="    ")
    while True:
        typed = screen.ask() or "1"
        if number := picked(typed, len(found)):
            return found[number - 1]
        screen.line(finished(f"Type a number from 1 to {len(found)}, or press Enter for the latest"))


# ---------------------------------------------------------------- sessions from a script

# A script holds the lines in order: one that begins with ``#`` is a remark, an empty one is Enter.  A record is played
# again.


class TypedLines(NamedTuple):
    """The input lines; for a record also the record itself, whose game it is."""

    lines: list[str]
    record: AnyRecord | None = None


NO_SCRIPT = TypedLines([])


def read_script(path: Path) -> TypedLines:
    """A script from a file; KibitzError if it can't be read or typed."""
    try:
        text = file_io.read_text(path)
    except UnicodeDecodeError:
        raise KibitzError(f"{path} is not a script: it isn't UTF-8 text.") from None
    except OSError as error:
        raise KibitzError(f"{path} cannot be read: {cause(error)}.") from None
    if text.startswith(FIRST_LINE.rstrip("0123456789")):
        record = read_any(path)
        return TypedLines(typed_in(record), record)
    return TypedLines([line for line in text.splitlines() if not line.startswith("#")])


def typed_in(record: AnyRecord) -> list[str]:
    """The input with which the people at one keyboard, who have all the seats, play a recorded game.

    RecordError if a seat has forfeited, which can't be typed.
    """
    if record.forfeits:
        raise RecordError("a seat forfeits in this game, which can't be typed: use 'kibitz show'.")
    lines: list[str] = []
    holder = None
    table = Table.resume(record).at(0)
    session = Session(table, range(table.game.seats))
    for action in record.actions:
        one = session.next
        if isinstance(one, AskPerson):
            if one.seat != holder:
                lines += [""] if holder is None else ["", ""]
            holder = one.seat
            lines.append(table.game.text(table.view(holder), action))
        session.act(one.seat, action)
    return [*lines, "", "n", ""] if table.over else lines
