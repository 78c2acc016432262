"""Commands about the games themselves: ``games``, ``rules``, ``new-game``, ``check-game``, ``compile``."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from time import perf_counter, process_time
from typing import Annotated

from cyclopts import Parameter

from kibitz.cli.files import check_folder_writable, write_files
from kibitz.cli.options import Ascii, Count, GameName, read_seed
from kibitz.cli.screen import BOLD, Screen, print_text, warn
from kibitz.engine.columns import cell_len, padded
from kibitz.engine.game import NO_LIMIT, Game
from kibitz.engine.registry import command_name, family_of
from kibitz.engine.registry import game as find_game
from kibitz.engine.sentences import counted
from kibitz.errors import NotationError

LARGEST_LISTED_VALUE = 10**9
"""Options with larger values, such as the cards of an imported poker hand, are set by programs and aren't listed."""


def games(game: GameName | None = None, /) -> None:
    """List every game and variant, or explain the options of one game."""
    screen = Screen()
    if game is None:
        list_games(screen)
        return
    chosen = find_game(game)
    base, colon, _ = chosen.name.partition(":")
    show_options(find_game(base) if colon else chosen, screen)


def list_games(screen: Screen) -> None:
    """Print every game and variant, and a warning for each game that can't be loaded."""
    from kibitz.engine.registry import all_games, load_errors

    games = all_games()
    name_width, title_width = (max(cell_len(getattr(game, field)) for game in games) for field in ("name", "title"))
    narrow = screen.width < name_width + title_width + 45
    for game in games:
        options = ", ".join(
            f"{option} ({range_text(*span)})" for option, span in listed_options(game.option_ranges).items()
        )
        summary = game.summary + (f" Options: {options}." if options else "")
        if narrow:
            screen.line(f"{game.name}: {game.title}, {game.seats} seats", BOLD)
            screen.line(f"  {summary}")
        else:
            beginning = f"{padded(game.name, name_width)}  {padded(game.title, title_width)}  {game.seats} seats  "
            screen.line(beginning + summary, indent=" " * cell_len(beginning))
    for sentence in load_errors():
        warn(sentence)


def show_options(game: Game, screen: Screen) -> None:
    """Print the question, the values and the default of each option of a game."""
    screen.line(f"{game.name}: {game.title}, {game.seats} seats", BOLD)
    screen.line(game.summary)
    declared = {option.name: option for option in game.rules.OPTIONS}
    spans = listed_options(game.option_ranges)
    for name, (low, high) in spans.items():
        option = declared[name.partition("-")[0]]
        default = game.options[option.name]
        screen.line(f"{name} ({range_text(low, high)})  {option.ask} Default: {default}.")
        # Every value of a choice is explained; of a number only its default, if that lies outside the range.
        values = range(low, high + 1) if option.is_choice(low, high) else () if low <= default <= high else (default,)
        for value in values:
            screen.line(f"  {value}  {option.sentence(value)}")
        for bit, part in enumerate(option.parts):
            screen.line(f"  +{1 << bit}  {part}")
    if spans:
        name, (_, high) = next(iter(spans.items()))
        screen.line(f"For example: kibitz play {command_name(game.name)}:{name}={high}")


def range_text(low: int, high: int) -> str:
    """A range of values, as people write it; ``high`` may be NO_LIMIT."""
    return f"from {low}" if high == NO_LIMIT else f"{low} to {high}"


def listed_options(options: Mapping[str, tuple[int, int]]) -> dict[str, tuple[int, int]]:
    """The options that people type, each with its range: the lowest and the highest value.

    Options that differ only in a final number become one, such as ``stack0-9``.
    """
    options = {
        option: span for option, span in options.items() if span[1] <= LARGEST_LISTED_VALUE or span[1] == NO_LIMIT
    }
    spans: dict[str, tuple[int, int]] = {}
    numbered: dict[str, list[str]] = {}
    for option in options:
        if option[-1].isdigit():
            numbered.setdefault(option.rstrip("0123456789"), []).append(option)
    for option, span in options.items():
        stem = option.rstrip("0123456789")
        series = numbered.get(stem, [option])
        spans[option if len(series) == 1 or option == stem else f"{series[0]}-{series[-1].removeprefix(stem)}"] = span
    return spans


# ---------------------------------------------------------------- rules


def rules(game: GameName, /) -> None:
    """Show the rules of a game, or of an assignment that isn't a game: cribbage-lab or poker."""
    from kibitz.marking.assignments import NAMES, PACKAGES, WITHOUT_GAME
    from kibitz.marking.assignments import assignment as find_assignment
    from kibitz.marking.assignments import find_game as find_game_listing_assignments
    from kibitz.marking.handout import rules_page

    package = game
    if game in WITHOUT_GAME:
        show_rules(rules_page(find_assignment(game)), Screen())
    else:
        found_game = find_game_listing_assignments(game)
        show_rules(found_game.rules_text, Screen())
        package = family_of(found_game)
    if package in (*NAMES.values(), *PACKAGES.values()):
        name = find_assignment(package).name
        hint = f"'kibitz template {name}' shows the functions of its assignment, with examples and a starter file."
        warn(f"\n{hint}")  # to stderr, as only the rules belong in a file


def show_rules(rules: str, screen: Screen) -> None:
    """Print rules, formatted on a terminal and as Markdown elsewhere."""
    if screen.plain or not sys.stdout.isatty():
        print_text(screen.encoded(rules.strip()))
        return
    from rich.console import Console
    from rich.markdown import Markdown

    width = min(screen.width, 100)
    text = screen.encoded(rules)
    if width < 60:
        text = listed_tables(text)
    Console(width=width, no_color=not screen.colour).print(Markdown(text))


def listed_tables(text: str) -> str:
    """Markdown with each row of a table as a list item, for narrow screens."""
    lines = text.splitlines()
    converted = []
    for line, following in zip(lines, [*lines[1:], ""], strict=True):
        if re.fullmatch(r"\|[-| :]+\|", line) or re.fullmatch(r"\|[-| :]+\|", following):
            continue
        if line.startswith("|"):
            first, *others = (cell.strip() for cell in line.strip("|").split("|"))
            line = f"* **{first}**: {'; '.join(others)}"
        converted.append(line)
    return "\n".join(converted) + "\n"


# ---------------------------------------------------------------- new-game

KIT = {
    "pyproject.toml": "pyproject.toml.txt",
    "src/NAME/__init__.py": "init.py.txt",
    "src/NAME/rules.py": "rules.py.txt",
    "src/NAME/view.py": "view.py.txt",
    "src/NAME/policies.py": "policies.py.txt",
    "src/NAME/rules.md": "rules.md.txt",
    "tests/test_NAME.py": "tests/rules.py.txt",
}
"""The files of a new game, each with its template in ``kit``; NAME and TITLE stand for the game's name and title."""


def new_game(
    name: Annotated[str, Parameter(help="The name of the new game, such as old_maid.")],
    /,
    *,
    output: Annotated[Path, Parameter(name=["--output", "-o"], help="The folder to create it in.")] = Path(),
) -> None:
    """Write a small game that is ready to play, with comments that say what to change.

    The game is a Python project of its own, outside Kibitz. docs/new-game.md turns it into Crazy Eights, step by step.
    """
    from kibitz.engine.registry import why_not_package_name

    if sentence := why_not_package_name(name):
        raise NotationError(sentence)
    folder = output / name
    if os.path.lexists(folder):
        raise NotationError(f"{folder} already exists: choose another name, or another folder with -o.")
    check_folder_writable(folder, force=False)
    write_files(folder, new_game_files(name), force=False)
    screen = Screen()
    path_to_type = folder if "/" in str(folder) else f"./{folder}"  # without a slash it would be the name of a game
    screen.line(f"{folder} is ready to play; CHANGE marks what to change.", BOLD)
    screen.line(f"kibitz play {path_to_type}          plays it")
    screen.line(f"kibitz check-game {path_to_type}    checks that it passes the tests of every game")
    screen.line(f"pip install -e {path_to_type}       makes it available everywhere as {name}")


def new_game_files(name: str) -> dict[str, str]:
    """The files of a new game: their contents by path."""
    kit = files("kibitz.cli") / "kit"
    title = name.replace("_", " ").title()
    contents = {}
    for path, source in KIT.items():
        content = kit.joinpath(source).read_text(encoding="utf-8")
        contents[path.replace("NAME", name)] = re.sub(r"\bNAME\b", name, content).replace("TITLE", title)
    return contents


# ---------------------------------------------------------------- check-game

INDENT = " " * 8


def check_game(
    game: GameName,
    /,
    *,
    check: Annotated[str, Parameter(help="Run only this check. Default: all.")] = "",
    seed: Annotated[
        int | None,
        Parameter(converter=read_seed, help="Play the checks' games from this seed only. Default: several seeds."),
    ] = None,
    thorough: Annotated[Count, Parameter(help="How much to check: 2 checks about twice as much as 1.")] = 1,
    ascii: Ascii = False,
) -> int:
    """Check that a game passes the tests that every game must pass. The exit status is 2 if it doesn't.

    For the game's mini variant, the check also compares how often hidden cards are sampled with their exact
    probabilities.
    """
    from kibitz.engine.contract import CHECKS, Hang, Violation, checks_of

    found_game = find_game(game)
    names = [function.__name__ for function in CHECKS]
    if check and check not in names:
        raise NotationError(f"{check!r} isn't a check; known checks: {', '.join(names)}.")
    screen, broken = Screen(ascii), 0
    for function, variant in checks_of(found_game):
        if check not in ("", function.__name__):
            continue
        label = function.__name__ + (f" of {variant.name}" if variant is not found_game else "")
        if sys.stdout.isatty():
            print_text(f"        {label} ...", end="\r")
            sys.stdout.flush()
        began = perf_counter()
        try:
            function(variant, thorough, seed)
        except Violation as error:
            broken += 1
            first_line, *more_lines = str(error).splitlines()
            screen.line(f"BROKEN  {label}: {first_line}", indent=INDENT)
            for line in more_lines:
                screen.line(INDENT + line, indent=INDENT)
            if isinstance(error, Hang):
                screen.line("        No more checks are run: they would hang as well.")
                break
        else:
            screen.line(f"ok      {label} ({perf_counter() - began:.1f} s)")
    verdict = f"fails {counted(broken, 'check')}" if broken else f"passes {check or 'all checks'}"
    screen.line(f"{found_game.name} {verdict}.", BOLD)
    return 2 if broken else 0


# ---------------------------------------------------------------- compile


def compile(
    *games: Annotated[
        GameName,
        Parameter(
            help="Games, such as go or bo:players=3, or paths of your own games, such as ./mine. Default: all games."
        ),
    ],
) -> None:
    """Compile the rules and players of games to machine code, once per machine and version."""
    from kibitz.engine.kernels.batch import random_games
    from kibitz.engine.registry import all_games
    from kibitz.environments.vector_games import compile_lanes
    from kibitz.search.search_players import compile_search

    screen = Screen()
    # Variants share their rules' machine code: the first game with each rules module is enough.
    by_rules = {game.rules.__name__: game for game in reversed(all_games())}
    for game in [find_game(name) for name in games] or list(reversed(by_rules.values())):
        if sys.stdout.isatty():
            print(f"{game.name}: compiling ...", end="\r", flush=True)
        clock_start, cpu_start = perf_counter(), process_time()
        random_games(game, 1)
        compile_search(game)
        compile_lanes(game)
        for compile_part in game.compile_more:
            compile_part()
        seconds, cpu_seconds = perf_counter() - clock_start, process_time() - cpu_start
        screen.line(f"{game.name}: ready after {seconds:.1f} s ({cpu_seconds:.1f} s of CPU time)")
