"""Plays the games that ``docs/data.md`` tells of, and writes what its commands say into the page, and its pictures.

    python docs/data.py            play and regenerate page and pictures (half a minute)
    python docs/data.py --show     play and print the page

The page is the script, as that of ``docs/season.py`` is; its commands run in this process, in a folder of their own.
"""

from __future__ import annotations

import io
import os
import runpy
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from pathlib import Path

from kibitz.cli import main as kibitz

HOME = Path(__file__).resolve().parents[1]
PAGE, PICTURES = HOME / "docs" / "data.md", HOME / "docs" / "pictures"
SEASON = runpy.run_path(str(HOME / "docs" / "season.py"))
SHOWN = {
    "plots/go-mini-wins.svg": "data-wins.svg",
    "plots/go-mini-scores.svg": "data-scores.svg",
    "plots/go-mini-seats.svg": "data-seats.svg",
    "plots/go-mini-lengths.svg": "data-lengths.svg",
    "chances.svg": "data-chances.svg",
}
"""The pictures of the page, by the files that its commands write."""


def said(command: str) -> str:
    """What a command says on both its outputs, in the order in which it does."""
    if not command.startswith("kibitz "):
        return in_shell(command, "")
    ours, pipe, theirs = command.partition(" | ")
    out = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True)
    with redirect_stdout(out), redirect_stderr(out):
        kibitz(shlex.split(ours)[1:])
    told = out.buffer.getvalue().decode()
    return in_shell(theirs, told) if pipe else told


def in_shell(command: str, given: str) -> str:
    """What another command says, which is given something to read."""
    both = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
    return subprocess.run(["sh", "-c", command], input=given, encoding="utf-8", check=False, **both).stdout


@contextmanager
def within(folder: Path) -> Iterator[None]:
    """What is done within this is done in a folder."""
    before = Path.cwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)


def played(folder: Path) -> tuple[str, dict[str, str]]:
    """The page and its pictures, by their names, as the commands write them in a folder."""
    (folder / "examples").mkdir()
    for record in sorted((HOME / "docs" / "examples").glob("go-mini_*.game")):
        shutil.copy(record, folder / "examples")
    page = PAGE.read_text(encoding="utf-8")
    with within(folder):
        new = SEASON["rewritten"](page, SEASON["season"](page, said))
        made = {name: Path(file).read_text(encoding="utf-8") for file, name in SHOWN.items()}
    return new, made


def main(words: list[str]) -> None:
    """Write the page and its pictures, or print the page."""
    with tempfile.TemporaryDirectory() as folder:
        page, pictures = played(Path(folder))
    if words:
        print(page, end="")
        return
    PAGE.write_text(page, encoding="utf-8")
    for name, picture in pictures.items():
        (PICTURES / name).write_text(picture, encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
