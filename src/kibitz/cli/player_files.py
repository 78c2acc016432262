"""``kibitz check-player`` and ``kibitz call``: whether a player file can play, and what one call returns."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from kibitz.cli.options import Ascii, Count, GameName, LimitsText, Quiet, Trusted, read_seed
from kibitz.cli.player_lookup import find_players, warn_unconfined
from kibitz.cli.screen import BOLD, DIM, Screen, print_text, progress_bar
from kibitz.engine import file_io
from kibitz.engine.registry import family_of
from kibitz.engine.registry import game as find_game
from kibitz.engine.sentences import counted
from kibitz.errors import ConfinementError, KibitzError, PlayerError, cause

if TYPE_CHECKING:
    from kibitz.engine.game import Game
    from kibitz.players.files.sources import Sources
    from kibitz.players.specs import PlayerSpec


def find_playable_game(name: str) -> Game:
    """The game called ``name``. For an assignment that isn't a game, raises KibitzError with the command for it."""
    from kibitz.marking.assignments import WITHOUT_GAME

    if name in WITHOUT_GAME:
        raise KibitzError(
            f"{name} is an assignment, not a game: 'kibitz mark {name} FILE' tests its functions, and --call makes one"
            " call."
        )
    return find_game(name)


def check_player(
    game: GameName,
    file: Annotated[Path, Parameter(help="One player: a file, or a folder or ZIP archive of its files.")],
    /,
    *,
    games: Annotated[Count, Parameter(help="Number of games to play.")] = 20,
    seed: Annotated[int, Parameter(converter=read_seed, help="Random seed of the games.")] = 0,
    against: Annotated[str, Parameter(help="Built-in opponents, separated by commas. Default: all.")] = "",
    game_number: Annotated[Count | None, Parameter(help="Play only one of the games: its number, from 1.")] = None,
    limits: LimitsText = None,
    quiet: Quiet = False,
    ascii: Ascii = False,
) -> int:
    """Check whether a player file is ready to play. The exit status is 2 if it isn't."""
    from kibitz.players.check import CheckPlan
    from kibitz.players.check import check_player as check
    from kibitz.players.findings import finding_lines
    from kibitz.players.limits import STANDARD, limits_from
    from kibitz.players.specs import files_of

    played_game = find_playable_game(game)
    sources = files_of(played_game, file)
    opponents = tuple(word.strip() for word in against.split(",")) if against else ()
    player_limits = limits_from(limits) if limits is not None else STANDARD
    warn_unconfined()
    with progress_bar(quiet=quiet) as progress:
        report = check(
            played_game, file, CheckPlan(games, seed, opponents, game_number), progress, player_limits, own_file=True
        )
    screen = Screen(ascii)
    screen.print_report(finding_lines(report.findings))
    verdict = f"{file} can play {played_game.title}." if report.ok else f"{file} can't play {played_game.title} yet."
    screen.line(verdict, BOLD)
    if hint := assignment_hint(played_game, file, sources, report.ok):
        screen.line(hint)
    return 0 if report.ok else 2


def assignment_hint(game: Game, file: Path, sources: Sources, ok: bool) -> str:
    """The command that tests the assignment's functions in a file; empty if the file doesn't seem to have any.

    For a file that can't play because its functions are another assignment's, this is that assignment's command.
    """
    from kibitz.games.signatures import ASSIGNMENTS
    from kibitz.marking.assignments import NAMES, WITHOUT_GAME
    from kibitz.players.files.sources import outline
    from kibitz.players.isolation.process import can_confine

    defined = {name for _, content in sources.files for name in outline(content).defined}
    by_assignment = {
        NAMES[course]: defined & {function.name for function in functions} for course, functions in ASSIGNMENTS.items()
    }
    likely = max(by_assignment, key=lambda name: len(by_assignment[name]))
    # Any file may define one function called shuffle or flush, but not one whose name begins with comp10001.
    if len(by_assignment[likely]) < 2 and not any(name.startswith("comp10001") for name in by_assignment[likely]):
        return ""
    words = f"{likely} {shlex.quote(str(file))}"
    if likely == family_of(game) and likely not in WITHOUT_GAME:
        tests = f"'kibitz mark {words}' tests every function of the assignment, including those that no game calls."
        return tests if can_confine() else ""
    if ok:
        return ""
    if likely not in WITHOUT_GAME:
        return f"It looks like a file for {likely}: 'kibitz check-player {words}' checks it."
    return f"It looks like a file for the assignment {likely}: 'kibitz mark {words}' tests its functions."


# ---------------------------------------------------------------- call

MAX_CALL_SIZE = 16 << 20
"""The maximum number of characters of a call."""


def call(
    game: GameName,
    file: Annotated[str, Parameter(help="The player file.")],
    call: Annotated[
        str,
        Parameter(
            allow_leading_hyphen=True,
            help="The call, such as \"comp10001go_play([], 0, ['AS', '2H'])\"; '-' reads it from standard input."
            " Default: only load the file.",
        ),
    ] = "",
    /,
    *,
    source: Annotated[Path | None, Parameter(name="--from", help="Read the call from this file.")] = None,
    limits: LimitsText = None,
    trusted: Trusted = False,
) -> int:
    """Call a function of a player file once, as a tournament would (in the sandbox on Linux).

    The exit status is 2 if the call fails.
    """
    from kibitz.players.calls import parse_call

    call_text = call_source(call, source)
    function, arguments = parse_call(call_text) if call_text else ("", ())
    check_argument_count(function, arguments)
    (spec,) = find_players(find_playable_game(game), [file], trusted, limits, warning=False)
    if not spec.is_file:
        kind = "a built-in player" if spec.built_in else "a trained network"
        raise KibitzError(f"{file!r} is {kind}; only a player file can be called.")
    if not trusted:
        require_confinement()
    return report_call(Screen(), spec, function, arguments)


def call_source(call: str, source: Path | None) -> str:
    """The call's text, from the argument or a file."""
    if source is not None and call:
        raise KibitzError("the call is given twice: leave out the argument or --from.")
    if source is None and call != "-":
        return call.strip()
    try:
        text = sys.stdin.read(MAX_CALL_SIZE) if source is None else file_io.read_text(source, MAX_CALL_SIZE)
    except OSError as error:
        raise KibitzError(f"{str(source)!r} cannot be read: {cause(error)}.") from error
    except UnicodeDecodeError as error:
        raise KibitzError("the call is not UTF-8 text: save it as UTF-8.") from error
    if not text.strip():
        raise KibitzError("the call is empty: write one, such as 'play([], 0)'.")
    return text.strip()


def check_argument_count(function: str, arguments: Sequence[Any]) -> None:
    """Raise KibitzError if an assignment's function gets the wrong number of arguments."""
    from kibitz.games.signatures import FUNCTIONS

    if (signature := FUNCTIONS.get(function)) and not signature.least <= len(arguments) <= len(signature.parameters):
        names = ", ".join(parameter.name for parameter in signature.parameters)
        raise KibitzError(
            f"{function} takes {counted(signature.least, 'argument')}, {function}({names}), and the call has"
            f" {counted(len(arguments), 'argument')}."
        )


def require_confinement() -> None:
    """Raise ConfinementError if the sandbox doesn't work on this machine; without Linux, which it needs, only warn."""
    from kibitz.players.isolation.process import can_confine

    if not can_confine():
        warn_unconfined()
        return
    from kibitz.sandbox import tier
    from kibitz.sandbox.tiers import after_colon

    confinement = tier()
    if not confinement.confines:
        raise ConfinementError(
            f"The sandbox doesn't work on this machine: {after_colon(confinement.reason)} A file that you have written"
            " yourself can be called with --trusted, which lets it do whatever you can do."
        )


def report_call(screen: Screen, spec: PlayerSpec, function: str, arguments: tuple[Any, ...]) -> int:
    """Make the call and print its result; returns the exit status."""
    from kibitz.players.calls import call_once

    outcome = call_once(spec, function, arguments)
    if outcome.prints:
        screen.line("It printed:", DIM)
        print_text(outcome.prints.rstrip("\n"))
    if isinstance(outcome.result, PlayerError):
        screen.line(f"It failed ({outcome.result.kind}): {outcome.result.sentence}", BOLD)
        if outcome.result.detail:
            print_text(outcome.result.detail.rstrip())
        return 2
    if function:
        screen.line("It returned:", DIM)
        print_text(repr(outcome.result))
    else:
        screen.line("The file loads.")
    return 0
