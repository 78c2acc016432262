"""Plays the season that ``docs/season.md`` tells, and writes what its commands say into the page.

    python docs/season.py             play it and regenerate the page (some minutes)
    python docs/season.py --small     play it in small and print the page

The page is the script: every line after a ``$`` is run, in order, in a folder of its own with a new store.  A block
with several commands shows the last line that each of them says.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

HOME = Path(__file__).resolve().parents[1]
PAGE = HOME / "docs" / "season.md"
WIDEST = 160
"""Characters of a line that the page shows."""
BLOCK = re.compile(r"```\n(\$ .*?)```", re.DOTALL)
ROUND = re.compile(r": round \d+ complete")
KIBITZ = "import sys; from kibitz.cli import main; sys.exit(main(sys.argv[1:]))"
SMALL = {
    r"(arena submit .*)": r"\1 --games 2",
    r"--rounds \d+": "--rounds 2",
    r"--margin \d+": "--margin 500",
    r"--deals \d+": "--deals 1",
    r"--replay \d+": "--replay 2",
    r"replay go/\d+": "replay go/1",
}
"""How commands are changed for a season in small."""


def season(page: str, say: Callable[[str], str], small: bool = False) -> Iterator[tuple[str, str]]:
    """Every command of a page with all that it says, as ``say`` runs it; a small season is over in half a minute."""
    for block in BLOCK.finditer(page):
        for command in commands(block[1]):
            played = command
            for pattern, shorter in SMALL.items() if small else ():
                played = re.sub(pattern, shorter, played)
            yield command, say(played)


def commands(block: str) -> list[str]:
    """The commands of a block."""
    return [line.removeprefix("$ ") for line in block.splitlines() if line.startswith("$ ")]


def said(command: str, folder: Path) -> str:
    """What a command says on both its outputs."""
    environment = {
        "PATH": os.environ.get("PATH", ""),
        "HOME": str(folder),
        "PYTHONPATH": str(HOME / "src"),
        "PYTHONUNBUFFERED": "1",
        "KIBITZ_STORE": "season.sqlite",
    }
    kibitz = f"{shlex.quote(sys.executable)} -c {shlex.quote(KIBITZ)}"
    words = re.sub(r"^kibitz\b", lambda _: kibitz, command)
    both = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
    return subprocess.run(["sh", "-c", words], cwd=folder, env=environment, encoding="utf-8", **both).stdout


def rewritten(page: str, outputs: Iterator[tuple[str, str]]) -> str:
    """A page with what its commands have said."""

    def block(found: re.Match[str]) -> str:
        inside = commands(found[1])
        shown = []
        for command in inside:
            played, told = next(outputs)
            assert played == command
            lines = list(without_rounds(told.splitlines()))
            shown += [f"$ {command}", *map(shortened, lines[-1:] if len(inside) > 1 else lines)]
        return "\n".join(["```", *shown, "```"])

    return BLOCK.sub(block, page)


def without_rounds(lines: list[str]) -> Iterator[str]:
    """The lines of a command, with dots for all rounds but the first and the last."""
    rounds = [number for number, line in enumerate(lines) if ROUND.search(line)]
    for number, line in enumerate(lines):
        if number not in rounds[1:-1]:
            yield line
        elif number == rounds[1]:
            yield "..."


def shortened(line: str) -> str:
    """A line that fits the page."""
    return line if len(line) <= WIDEST else line[: WIDEST - 4] + " ..."


def told(outputs: Iterator[tuple[str, str]], tell: Callable[[str], object]) -> Iterator[tuple[str, str]]:
    """The same, telling each command as it is over."""
    for command, output in outputs:
        tell(f"{command}: {output.splitlines()[-1] if output else ''}"[:WIDEST])
        yield command, output


def main(words: list[str]) -> None:
    """Write the page, or print the small one."""
    small = "--small" in words
    page = PAGE.read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "examples").symlink_to(HOME / "examples")
        outputs = season(page, lambda command: said(command, Path(folder)), small)
        new = rewritten(page, told(outputs, lambda line: print(line, file=sys.stderr)))
    if small:
        print(new, end="")
    else:
        PAGE.write_text(new, encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
