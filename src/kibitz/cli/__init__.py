"""The command line: ``kibitz COMMAND ...``, one module for each topic, loaded when one of its commands is called.

    error       one line on stderr: ``kibitz: what is wrong and what would be right``
    exit status 0 success; 1 a bug in Kibitz, or a match in which a player forfeited; 2 an error or a failed check;
                130 interrupted; 141 the reader of the output has closed the pipe (SIGPIPE)

``kibitz --help`` is written here, so that it loads neither a game nor the library that formats a command's own help.
"""

from __future__ import annotations

import difflib
import errno
import os
import sys
from collections.abc import Mapping, Sequence
from typing import Annotated, Literal, get_args, get_origin

from cyclopts import (
    App,
    CoercionError,
    CycloptsError,
    MissingArgumentError,
    Parameter,
    UnknownCommandError,
    UnknownOptionError,
    UnusedCliTokensError,
    ValidationError,
)

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
        "review": "analyse a finished game move by move",
    },
    "Students": {
        "assignment": "print an assignment's instructions",
        "template": "list the functions that a player file must define, or write a starter file",
        "check-player": "check that a player file is ready to play",
        "mark": "test all functions of an assignment in your file",
        "call": "call a function of a player file once, as a tournament would",
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
        "simulate": "play any number of games and save results, or every move",
        "tabulate": "turn records of games into a table of results",
        "stats": "statistics and plots of results or records",
        "best": "rank the moves you could make from a hand or a position",
        "equity": "compute the equity of poker hands and ranges",
        "phh": "import and export poker hands in the PHH format",
        "solve": "solve a small game: its value and an equilibrium",
        "exploit": "measure a player's exploitability",
    },
    "Game authors": {
        "new-game": "write a small working game to turn into your own",
        "check-game": "check that a game passes the tests that every game must pass",
        "compile": "compile games in advance, so that the first big job starts at once",
    },
    "Shell": {
        "completion": "print a script that completes commands in your shell",
    },
}
"""Every command with its description, by group of users; a command can be in two groups."""
COMMANDS = {name: summary for group in GROUPS.values() for name, summary in group.items()}
MODULES = {
    "play": ("play", "resume"),
    "puzzle": ("puzzle",),
    "server": ("serve", "join"),
    "games": ("games", "rules", "check-game", "new-game", "compile"),
    "template": ("template",),
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
    "compile": "[GAMES...]",
}
"""The usage of commands for which cyclopts would write ARGS instead of the arguments' names."""
TITLE = "Kibitz: play, review and simulate card games."

INTERRUPTED, REFUSED, BUG, PIPE_CLOSED = 130, 2, 1, 141


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
    """Run the command line and return the exit status; an error is printed as one sentence, never as a traceback."""
    words = list(sys.argv[1:] if tokens is None else tokens)
    debug = "--debug" in words or os.environ.get("KIBITZ_DEBUG", "0") not in ("", "0")
    status = PIPE_CLOSED
    try:
        status = run([word for word in words if word != "--debug"], debug)
        sys.stdout.flush()
    except (BrokenPipeError, SystemExit):  # rich, which formats help, raises SystemExit for a broken pipe
        discard_output()
    except OSError as error:
        discard_output()
        status = report_error(error, debug)
    return status


def discard_output() -> None:
    """Discard what is left in the buffer of standard output, since writing it would fail again at exit."""
    try:
        output = sys.stdout.fileno()
        null_device = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null_device, output)
        os.close(null_device)
    except (OSError, ValueError):
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 - it lives as long as the process


def run(words: list[str], debug: bool) -> int:
    """Run the command in ``words`` and return the exit status; print the sentence for an exception."""
    sys.stdout.reconfigure(errors="replace")  # type: ignore[union-attr]
    try:
        check_no_empty_arguments(words)
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
        if not {"compile", "-q", "--quiet"} & set(words):
            from kibitz.cli.screen import announce_compiling

            announce_compiling()
        return app(words, exit_on_error=False, print_error=False) or 0
    except BrokenPipeError:
        raise
    except KeyboardInterrupt:
        print("\nkibitz: interrupted.", file=sys.stderr)
        return INTERRUPTED
    except Exception as error:
        return report_error(error, debug)


def check_no_empty_arguments(words: list[str]) -> None:
    """Raise KibitzError for an empty argument, which a script passes when a variable is not set."""
    for number, word in enumerate(words):
        _, equals, value = word.partition("=")
        if not word.strip() or (word.startswith("-") and equals and not value.strip()):
            previous_word = words[number - 1] if number else "kibitz"
            from kibitz.errors import KibitzError

            raise KibitzError(f"{word!r} after {previous_word} is empty: leave it out, or give it a value.")


def check_game_comes_first(words: list[str]) -> None:
    """Raise KibitzError if a player file stands where a command expects a game (a game's path has a slash in it)."""
    command, file, *more = [*words, "", ""]
    if command in ("check-player", "call", "match", "tournament", "mark") and file.endswith((".py", ".ipynb", ".zip")):
        from kibitz.engine.registry import is_path
        from kibitz.errors import KibitzError

        if command == "mark" or not is_path(file):
            raise KibitzError(f"the game comes first: 'kibitz {command} {more[0] or 'GAME'} {file}'")


def report_error(error: Exception, debug: bool) -> int:
    """Print the sentence for an error, with ``debug`` also the traceback; returns the exit status."""
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
    return BUG if is_bug else REFUSED


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


# ---------------------------------------------------------------- error messages

# Errors that Kibitz raises on purpose are already sentences; errors from cyclopts are rewritten in the same style.

SYSTEM_ERRORS = frozenset(
    {
        *(errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EROFS, errno.EACCES, errno.EPERM, errno.EBADF),
        *(errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.EAGAIN, errno.ENXIO, errno.ENODEV),
        *(errno.ENAMETOOLONG, errno.ELOOP, errno.ENOTDIR, errno.EISDIR),
    }
)
"""System errors that Kibitz can't prevent: a full disk, a closed stream, too many open files, an invalid path."""

SERVER_MODULES = frozenset({"argon2", "jinja2", "python_multipart", "sqlalchemy", "starlette", "uvicorn"})
"""Modules that only the extra ``server`` installs."""

STORE_SYNONYMS = ("--data", "--database", "--db")
"""Names that other programs have for the option ``--store``."""


def error_sentence(error: BaseException) -> str | None:
    """The sentence for an error, on one line; None if the error is a bug."""
    from kibitz.engine.registry import game_error_sentence
    from kibitz.engine.sentences import as_sentence
    from kibitz.errors import KibitzError, cause

    if isinstance(error, KibitzError):
        return as_sentence(str(error))
    if isinstance(error, CycloptsError):
        return as_sentence(usage_error(error))
    if isinstance(error, OSError) and error.errno in SYSTEM_ERRORS:
        path = error.filename if isinstance(error.filename, str) else "output"
        return as_sentence(f"{path} can't be written or read: {cause(error)}")
    if isinstance(error, ModuleNotFoundError) and str(error.name).partition(".")[0] in SERVER_MODULES:
        return "the server, arenas and tournaments need more packages: pip install 'kibitz[server]'."
    if isinstance(error, ImportError) and "pip install" in str(error):  # for a feature that needs another package
        return as_sentence(str(error))
    if isinstance(error, MemoryError):
        return as_sentence("not enough memory: ask for less at once")
    return game_error_sentence(error)


def usage_error(error: CycloptsError) -> str:
    """What is wrong with the arguments of a command."""
    from kibitz.errors import KibitzError

    command = " ".join(("kibitz", *(error.command_chain or ())))
    see_help = f"see '{command} --help'"
    match error:
        case UnknownCommandError(unused_tokens=[word, *_], app=App() as group):
            full_command = " ".join((*(error.command_chain or ()), word))
            return f"unknown command {full_command!r}: {did_you_mean(word, list(group)) or see_help}"
        case UnknownOptionError(token=token):
            word = token.keyword or token.value
            options = [name for argument in error.argument_collection for name in argument.names]
            likely_option = "--store" if word in STORE_SYNONYMS and "--store" in options else word
            return f"{command} has no option {word}: {did_you_mean(likely_option, options) or see_help}"
        case UnusedCliTokensError(unused_tokens=[word, *_]):
            return f"{command} doesn't take {word!r}: {see_help}"
        case MissingArgumentError() if error.argument is not None:
            needs = f"{error.keyword} needs a value" if error.keyword else f"{error.argument.name} is missing"
            return f"{needs}: {see_help}"
        case CoercionError(__cause__=KibitzError() as message):
            return str(message)
        case CoercionError(msg=None, token=token) if token is not None and error.argument is not None:
            name = token.keyword or error.argument.name
            if get_origin(error.argument.hint) is Literal:
                *choices, last = map(str, get_args(error.argument.hint))
                return f"{name} must be {', '.join(choices)} or {last}, not {token.value!r}"
            expected = "a whole number" if "int" in str(error.argument.hint) else "another value"
            return f"{name} needs {expected}, not {token.value!r}"
        case CoercionError(msg=str(message)) if error.argument is not None:
            return f"{error.argument.name} {message}"
        case ValidationError() if error.argument is not None:
            return f"{error.argument.name} {error.exception_message}"
    error.verbose = False
    return str(error)


def did_you_mean(word: str, candidates: list[str]) -> str:
    """A question that names the candidate most similar to ``word``; empty if none is similar."""
    matches = difflib.get_close_matches(word, candidates, 1)
    return f"did you mean {matches[0]!r}?" if matches else ""
