"""Standard output and input, and whether the full-screen application opens on them.

On a terminal, lines are folded at its width, preferably at gaps of two spaces. Red cards are red and bold, so people
can tell them without colour. Output to a file, or with ``NO_COLOR``, is plain.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from functools import partial
from typing import TYPE_CHECKING

from kibitz.engine import kernels
from kibitz.engine.columns import cell_len, tabulated
from kibitz.engine.sentences import printable as printable

if TYPE_CHECKING:
    from kibitz.players.findings import ReportLine
    from kibitz.tui.application import Route


RED_CARD = re.compile(r"(?<!\w)(?:(?:10|[A2-9JQK])[♦♥]|\?R)")
RED_CODE = re.compile(r"(?<!\w)(?:(?:10|[A2-90JQK])[DH]|\?R)(?!\w)")
NUMBER = re.compile(r"(?<!\S)\d+\)")
ASCII_SUITS = str.maketrans("♦♣♥♠", "DCHS")
BOLD, DIM, BOLD_RED, CYAN = "1", "2", "1;31", "36"
CLEAR = "\033[H\033[2J\033[3J"
"""Clears the screen and its scrollback."""
SEPARATOR = "-" * 20
"""The line printed between two people's turns if the output isn't a terminal, which would be cleared."""
ANNOUNCE_AFTER = 1.0
"""Seconds after which a slow operation is announced."""


class Screen:
    """Standard output and input, for one person; ``plain`` (for screen readers): no colour, one choice per line."""

    def __init__(self, ascii: bool = False, plain: bool = False) -> None:
        self.plain = plain
        self.ascii = ascii or not encodable("♠")
        self.folds = sys.stdout.isatty() or "COLUMNS" in os.environ
        self.has_cursor = sys.stdout.isatty() and os.environ.get("TERM") != "dumb"
        self.colour = self.has_cursor and not plain and not os.environ.get("NO_COLOR")
        self.script: list[str] = []
        """Lines of input that are used up before the person is asked."""

    @property
    def width(self) -> int:
        """The current width in columns; 80 without a terminal."""
        return max(20, shutil.get_terminal_size().columns)

    def line(self, text: str = "", style: str = "", indent: str = "  ") -> None:
        """Print one line, folded at the width; continuation lines begin with ``indent``."""
        text = self.encoded(text).rstrip()
        for part in folded(text, self.width, indent) if self.folds else [text]:
            print(self.coloured(part, style))

    @property
    def is_watched(self) -> bool:
        """Whether a person reads the output and types the input, rather than a script."""
        return not self.script and is_interactive()

    def clear(self) -> None:
        """Clear the terminal; if it can't be cleared, scroll everything out of sight."""
        if self.has_cursor:
            print(CLEAR, end="", flush=True)
        elif sys.stdin.isatty() or sys.stdout.isatty():
            print("\n" * shutil.get_terminal_size((80, 60)).lines, end="", flush=True)
        else:
            self.line(SEPARATOR)

    def table(self, rows: Sequence[Sequence[str]], left_columns: Sequence[int] = (1,)) -> None:
        """Print a table with a header row; on a terminal that is too narrow, one line for every cell.

        ``left_columns`` are the columns of names. They and the last column are aligned left.
        """
        head, *lines = tabulated(rows, (*left_columns, len(rows[0]) - 1))
        if not self.folds or max(map(cell_len, (head, *lines))) <= self.width:
            self.line(head, BOLD)
            for line in lines:
                self.line(line)
            return
        headings, names = rows[0], max(left_columns) + 1
        for row in rows[1:]:
            self.line("  ".join(row[:names]), BOLD)
            for heading, cell in zip(headings[names:], row[names:], strict=True):
                self.line(f"   {heading:<10}  {cell}")

    def print_report(self, lines: Iterable[ReportLine]) -> None:
        """Print findings about a player."""
        for line in lines:
            if line.kind == "preformatted":
                print_text(line.text)
            else:
                self.line(line.text, {"heading": BOLD, "aside": DIM}.get(line.kind, ""), line.hanging_indent)

    def encoded(self, text: str) -> str:
        """The text as this screen can show it."""
        return printable(text.translate(ASCII_SUITS) if self.ascii else text)

    def coloured(self, text: str, style: str = "") -> str:
        """The text with escape codes for its style and its red cards."""
        if not self.colour:
            return text
        restore = f"\033[0m\033[{style}m" if style else "\033[0m"
        red = (RED_CODE if self.ascii else RED_CARD).sub(lambda card: f"\033[{BOLD_RED}m{card[0]}{restore}", text)
        shown = NUMBER.sub(lambda number: f"\033[{CYAN}m{number[0]}{restore}", red)
        return f"\033[{style}m{shown}\033[0m" if style else shown

    def ask(self, prompt: str = "> ") -> str:
        """Ask for a line. Raises EOFError once there is no more input."""
        if self.script:
            answer = " ".join(self.script.pop(0).split())
            print(prompt + answer)
            return answer
        answer = " ".join(input(prompt).split())
        if not sys.stdin.isatty():
            print(answer)
        return answer

    @contextmanager
    def waiting(self, text: str) -> Iterator[None]:
        """A context that prints ``text`` if it takes long and a person is watching."""
        if not sys.stdout.isatty():
            yield
            return
        with announced_if_slow(lambda: self.line(text, DIM)):
            yield


@contextmanager
def announced_if_slow(announce: Callable[[], object]) -> Iterator[None]:
    """A context that calls ``announce`` if it takes longer than ``ANNOUNCE_AFTER``."""
    timer = threading.Timer(ANNOUNCE_AFTER, announce)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def announce_compiling() -> None:
    """From now on, print a message when a person has to wait for the compiler, once in this process."""

    def announce() -> None:
        kernels.compile_notice = nullcontext
        warn("Compiling, once per machine ...")

    if sys.stderr.isatty():
        kernels.compile_notice = partial(announced_if_slow, announce)


def folded(text: str, width: int, indent: str = "  ") -> list[str]:
    """A line broken into lines of at most ``width`` characters; all but the first begin with ``indent``."""
    lines = []
    text, indent = text.rstrip(), indent[: width // 2]
    while len(text) > width:
        cut = text.rfind("  ", width // 2, width + 1)
        if cut < 0:
            cut = text.rfind(" ", len(indent) + 1, width + 1)
        cut = cut if cut > 0 else width
        lines.append(text[:cut].rstrip())
        text = indent + text[cut:].lstrip()
    return [*lines, text]


def read_number(typed: str, most: int) -> int:
    """The number that was typed, if it is from 1 to ``most``; else 0."""
    number = int(typed) if typed.isascii() and typed.isdigit() and len(typed) < 9 else 0
    return number if number <= most else 0


def is_interactive() -> bool:
    """Whether a person can be asked: input and output are a terminal."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def encodable(text: str) -> bool:
    """Whether standard output can show a text."""
    try:
        text.encode(sys.stdout.encoding or "ascii")
    except UnicodeEncodeError:
        return False
    return True


def print_text(text: str, end: str = "\n") -> None:
    """Write a text without folding it, such as a command to copy, and without terminal control characters."""
    print("\r\n".join(map(printable, text.split("\r\n"))), end=end)


def print_json(value: object, indent: int = 1) -> None:
    """Print a value as JSON; compact, on one line, with an ``indent`` of 0."""
    import msgspec

    encoded = msgspec.json.encode(value)
    print_text((msgspec.json.format(encoded, indent=indent) if indent else encoded).decode())


def warn(text: str) -> None:
    """Write a line to standard error, without folding it, and without terminal control characters."""
    print(printable(text), file=sys.stderr, flush=True)


Progress = Callable[[int, int], None]
"""A function that is called with how much is done, and the total."""


@contextmanager
def progress_bar(
    final_line: str = "played {} of {} games", label: str = "playing", *, quiet: bool = False
) -> Iterator[Progress]:
    """A progress bar with ``label`` and the time left, on a terminal; elsewhere only ``final_line`` with both numbers.

    An empty ``final_line`` isn't printed, and nothing is printed if ``quiet``.
    """
    if quiet or not sys.stderr.isatty():
        latest = [0, 0]
        yield lambda now, total: latest.__setitem__(slice(None), (now, total))
        if latest[1] and final_line and not quiet:
            warn(final_line.format(*latest))
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as RichProgress

    columns = TextColumn(label), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    with RichProgress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=None)
        yield lambda now, total: bar.update(task, completed=now, total=total)


# ---------------------------------------------------------------- the full-screen application

# It needs a terminal with a movable cursor, and a person who hasn't asked for line mode, with ``--plain`` for one
# command or with the variable ``KIBITZ_LINES`` for all.

LINE_MODE_VARIABLE = "KIBITZ_LINES"
"""The environment variable that chooses line mode for all commands, with colours."""


def is_full_screen(plain: bool) -> bool:
    """Whether to open the application: a person is at a capable terminal and hasn't chosen line mode.

    Windows' own terminals don't set ``TERM``.
    """
    line_mode = plain or os.environ.get(LINE_MODE_VARIABLE, "0") not in ("", "0")
    default_term = "windows" if sys.platform == "win32" else "dumb"
    return is_interactive() and not line_mode and os.environ.get("TERM", default_term) != "dumb"


def open_application(route: Route, ascii: bool = False) -> None:
    """Run the application, and print its last message once it is closed."""
    from kibitz.tui.application import run_application

    if farewell := run_application(route, ascii=ascii or not encodable("♠╭")):
        print_text(farewell)
