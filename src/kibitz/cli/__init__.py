"""The command line: ``kibitz COMMAND ...``, one module for each topic, loaded when one of its commands is called.

    sentence    every error is one line on stderr, ``kibitz: what is wrong and what would be right``
    status      0 done; 1 a bug in Kibitz, or a match in which a player forfeited; 2 refused, or a check that failed;
                130 interrupted; 141 (SIGPIPE) nobody reads the output any more

``kibitz --help`` is written here, so that it needs neither a game nor the libraries that format a command's own help.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from typing import Annotated, Literal

from cyclopts import App, Parameter

from kibitz import __version__

GROUPS = {
    "Play": {
        "play": "play against the computer",
        "serve": "play in the browser: start a server",
        "join": "join a table on a server",
        "resume": "resume a saved game",
        "puzzle": "solve the puzzle of the day",
        "games": "list the games, or explain the options of one",
        "rules": "show the rules of a game",
        "show": "show a recorded game",
        "review": "judge every decision of a finished game",
    },
    "Students": {
        "assignment": "print an assignment's instructions",
        "form": "explain the functions that a player file must define, or write a starter file",
        "check-player": "check that a player file is ready to play",
        "mark": "test all functions of an assignment in your file",
        "call": "call a function of a player file once, in the sandbox",
        "match": "play one game between players",
    },
    "Lecturers": {
        "assignment": "write an assignment's handout: instructions, starter file, public tests",
        "mark": "mark an assignment's functions, for one student or a class",
        "tournament": "play many games between players and rank them",
        "similar": "show which submissions of a class share code",
        "arena": "run a season: submissions, rounds, ratings, finals",
        "verify": "check records: replay each from its seed and compare every line",
    },
    "Researchers": {
        "ladder": "rate a game's built-in players against each other",
        "simulate": "play any number of games and save results or records",
        "tabulate": "turn records into a table of results",
        "stats": "statistics and plots of results and records",
        "best": "rank the moves you could make from a hand or a position",
        "equity": "compute the equity of poker hands and ranges",
        "phh": "import and export poker hands in the PHH format",
        "solve": "solve a small game: its value and an equilibrium",
        "exploit": "measure a player's exploitability",
    },
    "Game authors": {
        "new-game": "write a small working game to turn into your own",
        "check-game": "check that a game passes the tests that every game must pass",
        "warm": "compile games now, so that the first big job starts at once",
    },
    "Shell": {
        "completion": "print a script that completes commands in your shell",
    },
}
"""Every command with its description, by who uses it."""
COMMANDS = {name: summary for group in GROUPS.values() for name, summary in group.items()}
MODULES = {
    "play": ("play", "resume"),
    "puzzle": ("puzzle",),
    "server": ("serve", "join"),
    "games": ("games", "rules", "check-game", "new-game", "warm"),
    "form": ("form",),
    "matches": ("match", "tournament", "ladder"),
    "statistics": ("simulate", "stats", "tabulate"),
    "arena": ("arena",),
    "player_files": ("check-player", "call"),
    "assignments": ("mark", "assignment", "similar"),
    "records": ("show", "review", "verify"),
    "poker": ("phh", "equity"),
    "best": ("best",),
    "solve": ("solve", "exploit"),
}
"""Where each command is defined, except ``completion``, which is here."""
USAGE = {
    "play": "[OPTIONS] [GAME]",
    "resume": "[OPTIONS] [FILE]",
    "puzzle": "[OPTIONS] [GAME]",
    "games": "[GAME]",
    "call": "[OPTIONS] GAME FILE [CALL]",
    "match": "[OPTIONS] GAME PLAYERS...",
    "tournament": "[OPTIONS] GAME PLAYERS...",
    "verify": "FILES...",
    "ladder": "[OPTIONS] GAME [PLAYERS...]",
    "simulate": "--games INT --output PATH [OPTIONS] GAME PLAYERS...",
    "tabulate": "--output PATH [OPTIONS] FILES...",
    "stats": "[OPTIONS] FILES...",
    "best": "[OPTIONS] GAME [HAND...]",
    "equity": "[OPTIONS] HANDS...",
    "warm": "[GAMES...]",
}
"""The usage of commands for which cyclopts would write ARGS instead of the names of their arguments."""
TITLE = "Kibitz: play, review and simulate card games."

INTERRUPTED, REFUSED, FAULT, PIPE_CLOSED = 130, 2, 1, 141


def version() -> str:
    """The versions that a bug report needs."""
    from platform import platform, python_version

    return f"kibitz {__version__}, Python {python_version()}, {platform(terse=True)}"


def default_text(value: object) -> str | None:
    """A default as help shows it; None, off and empty values are not shown."""
    if value is None or value is False or value == () or value == "":
        return None
    return str(value)


app = App(
    name="kibitz",
    group_parameters="Options",
    version=version,
    default_parameter=Parameter(negative=(), show_default=default_text),
    result_action="return_value",
    suppress_keyboard_interrupt=False,
)
for module, names in MODULES.items():
    for name in names:
        usage = {"usage": f"Usage: kibitz {name} {USAGE[name]}"} if name in USAGE else {}
        app.command(f"kibitz.cli.{module}:{name.replace('-', '_')}", name=name, **usage)


@app.command
def completion(shell: Annotated[Literal["bash", "zsh", "fish"], Parameter(help="Your shell.")], /) -> None:
    """Print a script that completes commands and options.

    For bash, add this line to ~/.bashrc: eval "$(kibitz completion bash)"
    """
    from kibitz.cli.screen import print_text

    print_text(app.generate_completion(shell=shell))


def main(tokens: Sequence[str] | None = None) -> int:
    """Run one command and return its status; errors become one sentence, never a traceback."""
    words = list(sys.argv[1:] if tokens is None else tokens)
    debug = "--debug" in words or os.environ.get("KIBITZ_DEBUG", "0") not in ("", "0")
    status = PIPE_CLOSED
    try:
        status = run([word for word in words if word != "--debug"], debug)
        sys.stdout.flush()
    except (BrokenPipeError, SystemExit):  # rich, which formats help, raises SystemExit for a broken pipe
        forget_output()
    except OSError as error:
        forget_output()
        status = refuse(error, debug)
    return status


def forget_output() -> None:
    """Discard what is still in the buffer of standard output, because writing it has failed and would fail again."""
    try:
        output = sys.stdout.fileno()
        null_device = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null_device, output)
        os.close(null_device)
    except (OSError, ValueError):
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 - it lives as long as the process


def run(words: list[str], debug: bool) -> int:
    """Run a command and return its status; an exception becomes a sentence."""
    sys.stdout.reconfigure(errors="replace")  # type: ignore[union-attr]
    try:
        check_no_empty_words(words)
        check_game_comes_first(words)
        if words[:1] == ["help"]:
            words = [*words[1:], "--help"]
        if not words:
            from kibitz.cli.screen import is_full_screen

            if is_full_screen(plain=False):
                words = ["play"]
        if words in ([], ["--help"], ["-h"]):
            print(overview("kibitz", TITLE, GROUPS))
            return 0
        if words[:1] == ["arena"] and words[1:] in ([], ["--help"], ["-h"]):
            from kibitz.cli import arena

            print(overview("kibitz arena", "The arena: a season of tournaments between player files.", arena.GROUPS))
            return 0
        if not {"warm", "-q", "--quiet"} & set(words):
            from kibitz.cli.screen import announce_compiling

            announce_compiling()
        return app(words, exit_on_error=False, print_error=False) or 0
    except BrokenPipeError:
        raise
    except KeyboardInterrupt:
        print("\nkibitz: interrupted.", file=sys.stderr)
        return INTERRUPTED
    except Exception as error:
        return refuse(error, debug)


def check_no_empty_words(words: list[str]) -> None:
    """Refuse an empty word, which a script passes when a variable is not set."""
    for number, word in enumerate(words):
        _, equals, value = word.partition("=")
        if not word.strip() or (word.startswith("-") and equals and not value.strip()):
            previous_word = words[number - 1] if number else "kibitz"
            from kibitz.errors import KibitzError

            raise KibitzError(f"{word!r} after {previous_word} is empty: leave it out, or give it a value.")


def check_game_comes_first(words: list[str]) -> None:
    """Refuse a player file where a command expects a game; a game at a path has a slash in its name."""
    command, file, *more = [*words, "", ""]
    if command in ("check-player", "call", "match", "tournament", "mark") and file.endswith((".py", ".ipynb", ".zip")):
        from kibitz.engine.registry import is_path
        from kibitz.errors import KibitzError

        if command == "mark" or not is_path(file):
            raise KibitzError(f"the game comes first: 'kibitz {command} {more[0] or 'GAME'} {file}'")


def refuse(error: Exception, debug: bool) -> int:
    """Print what is wrong, in one sentence."""
    from kibitz.cli.error_messages import error_sentence

    message = error_sentence(error)
    is_bug = message is None
    if debug:
        import traceback

        traceback.print_exception(error)
    if message is None:
        message = f"this is a bug in Kibitz ({type(error).__name__}); please report it"
        message += "." if debug else ", with the output of the same command with --debug."
    message = f"kibitz: {message}"
    if sys.stderr.isatty():
        from shutil import get_terminal_size
        from textwrap import fill

        message = fill(message, get_terminal_size().columns, break_on_hyphens=False)
    print(message, file=sys.stderr)
    return FAULT if is_bug else REFUSED


def overview(command: str, title: str, groups: Mapping[str, Mapping[str, str]]) -> str:
    """The text of ``kibitz --help`` and ``kibitz arena --help``."""
    from shutil import get_terminal_size
    from textwrap import fill

    width = min(get_terminal_size().columns, 80)
    column = max(len(name) for group in groups.values() for name in group) + 4
    lines = [title, "", f"Usage: {command} COMMAND ...", ""]
    for heading, commands in groups.items():
        lines += [heading, *(f"  {name:<{column - 2}}{summary}" for name, summary in commands.items()), ""]
    version = ", 'kibitz --version' shows the version" if command == "kibitz" else ""
    lines += [f"'{command} COMMAND --help' explains a command{version}."]
    return "\n".join(fill(line, width, subsequent_indent=" " * column * line.startswith("  ")) for line in lines)
