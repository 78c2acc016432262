"""What lies in a folder or an archive on this disk: its Python files, read, with the archives in it as folders.

A link in a folder is not followed: a folder of strangers holds what they have handed in and nothing else.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator
from pathlib import Path

from kibitz.errors import NotationError, cause
from kibitz.players.archives import (
    LARGEST_ARCHIVE,
    MOST_FOLDERS,
    MOST_READ,
    Tree,
    class_members,
    is_hidden,
    is_wanted,
    largest,
    members,
    named,
    python_path,
    too_large,
    unfit,
)

MOST_FILES = 100_000
"""Files below a folder: more are those of a whole disk."""


def tree(path: str | Path, *, alone: bool = False) -> Tree:
    """Everything in a folder or an archive; NotationError for one that cannot be read at all.

    An archive that is one player's ``alone`` is refused as a whole for any of its files; of a class, that file is.
    """
    if os.path.isdir(path):
        return folder(Path(path))
    return (members if alone else class_members)(content_of(path, LARGEST_ARCHIVE), Path(path).name)


def folder(path: Path) -> Tree:
    """Everything in a folder; what cannot be read of it is broken alone."""
    found = Tree()

    def unreadable(error: OSError) -> None:
        inner = os.path.relpath(error.filename, path)
        why = f"the folder {named(str(error.filename))} cannot be read: {reason(error)}."
        if inner == ".":
            raise NotationError(why) from error
        found.broken[f"{inner}/"] = why

    for number, (name, inner) in enumerate(walked(path, unreadable)):
        if number == MOST_FILES:
            raise NotationError(f"{named(str(path))} holds more than {MOST_FILES} files: name the folder of players.")
        inner = python_path(inner)
        if name.is_symlink():
            found.broken[inner] = f"{named(inner)} is a link, which is not followed."
        elif not is_wanted(inner):
            found.others.append(inner)
        elif why := unfit(inner):
            found.broken[inner] = f"{named(inner)} {why}."
        elif inner in found.files:
            found.give_up(inner, f"{named(inner)} is there twice, but for capital letters: leave one of them.")
        else:
            try:
                content = content_of(name, largest(inner), inner)
            except NotationError as error:
                found.broken[inner] = str(error)
            else:
                found.add(inner, content)
                found.shrink(MOST_READ)
    return found


def walked(path: Path, unreadable: Callable[[OSError], object] | None = None) -> Iterator[tuple[Path, str]]:
    """Every file, link and empty folder below a folder, with its path from there, in order of names.

    ``unreadable`` is told of folders that cannot be read.  What lies too deep is not gone into.
    """
    for place, folders, files in os.walk(path, onerror=unreadable):
        here = Path(place).relative_to(path)
        folders[:] = sorted(name for name in folders if not is_hidden(name)) if len(here.parts) <= MOST_FOLDERS else []
        links = [name for name in folders if Path(place, name).is_symlink()]
        seen = [name for name in sorted([*files, *links]) if not is_hidden(name)]
        for name in seen:
            yield Path(place, name), (here / name).as_posix()
        if not seen and not folders and here.name:
            yield Path(place), f"{here.as_posix()}/"


def content_of(path: str | Path, most: int, called: str = "") -> bytes:
    """The bytes of a regular file, ``most`` of them; NotationError with one sentence if it cannot be read.

    ``called`` is what the sentence calls it, where its owner need not know where it lies.
    """
    called = called or str(path)
    said = named(called)
    try:
        content = regular_content(path, most)
    except OSError as error:
        raise NotationError(f"{said} cannot be read: {reason(error)}.") from error
    except ValueError as error:
        raise NotationError(f"{said} is no path: {error}.") from error
    if len(content) > most:
        raise NotationError(too_large(called))
    return content


def reason(error: OSError) -> str:
    """Why a file cannot be read."""
    missing = isinstance(error, FileNotFoundError)
    return "there is no such file" if missing else cause(error)


def regular_content(path: str | Path, most: int) -> bytes:
    """The content of a regular file, a little more than is allowed at most; OSError for anything else."""
    fd = os.open(
        path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
    )
    try:
        if not stat.S_ISREG(os.fstat(fd).st_mode):
            raise OSError("it is no regular file")
        parts = []
        while most >= 0 and (chunk := os.read(fd, min(most + 1, 1 << 20))):
            parts.append(chunk)
            most -= len(chunk)
        return b"".join(parts)
    finally:
        os.close(fd)
