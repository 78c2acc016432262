"""Directories of a disk mirrored in a view, so that nothing of them but their files is the disk's.

    mirrored    directories and links are made anew in memory; at the place of every file the disk's own is mounted
    blank       an empty file: what files are mounted on are links to it, of all things that which takes least memory
    wanted      which entries of a directory are mirrored at all

Linux remembers for everybody which names a directory of a disk has been asked for in vain, and whoever asks again is
told sooner.  Of a directory in a tmpfs it remembers none.  No directory of the disk can be reached from a mounted
file: it has no name in it, and nothing above it but the directory in memory.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import suppress
from functools import partial

from kibitz.sandbox import linux

Wanted = Callable[[str, "os.DirEntry[str]"], bool]
BLANK = "/.blank"
DEPTH = 2
"""Directories of shared libraries lie no deeper than that below /usr/lib: /usr/lib/x86_64-linux-gnu/blas."""
DATA = ("gconv", "locale", "ssl")
"""What the C library and OpenSSL read besides, at any depth."""
FOR_OTHERS = (
    *(".opt-1.pyc", ".opt-2.pyc", ".pyi", ".pyx", ".pxd", ".pxi", ".exe"),
    *(".h", ".hh", ".hpp", ".c", ".cc", ".cpp", ".cu", ".f", ".f90", ".a", ".o"),
    *(".svg", ".html", ".css", ".scss", ".js", ".mjs", ".map", ".woff", ".woff2"),
)
"""What files end in that no program in Python reads to compute: another Python's, a compiler's, a browser's."""
SPARE = 10_000
"""So many mounts are left to the shared libraries, and to whatever a machine has mounted before."""


def everything(_below: str, entry: os.DirEntry[str]) -> bool:
    """All that there is, but for what others read: packages bring more of that than of Python, each a mount."""
    return not entry.name.endswith(FOR_OTHERS) or entry.is_dir(follow_symlinks=False)


def libraries(below: str, entry: os.DirEntry[str]) -> bool:
    """Shared libraries, what they read, and links: a machine's /usr/lib has whole trees of other languages besides."""
    way = below.split("/")[1:]
    if any(name in DATA for name in way):
        return True
    if entry.is_dir(follow_symlinks=False):
        return len(way) < DEPTH or entry.name in DATA
    return ".so" in entry.name or entry.is_symlink()


class Mirror:
    """Mirrors directories in this process's root directory, which must be a tmpfs of its own."""

    def __init__(self, without: Collection[str]) -> None:
        self.without = without
        os.close(os.open(BLANK, os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o444))

    def close(self) -> None:
        """Take away what was needed only to mirror."""
        os.unlink(BLANK)

    def add(self, path: str, source: int, wanted: Wanted) -> None:
        """Mirror at ``path`` the directory that is open as ``source``, but for what is left out."""
        waiting = [""]
        while waiting:
            waiting += self.folder(path, source, waiting.pop(), wanted)

    def folder(self, path: str, source: int, below: str, wanted: Wanted) -> list[str]:
        """Mirror one of its directories; those inside it are left to be mirrored."""
        place, inner = path + below, []
        if wanted is everything:
            os.makedirs(place, 0o755, exist_ok=True)
        for entry in entries(f".{below}", source):
            to = f"{place}/{entry.name}"
            if to in self.without or not wanted(below, entry):
                continue
            if entry.is_dir(follow_symlinks=False):
                inner.append(f"{below}/{entry.name}")
                continue
            if wanted is not everything:
                os.makedirs(place, 0o755, exist_ok=True)
            if entry.is_symlink():
                with suppress(FileExistsError):  # what is wanted by this name is there already
                    os.symlink(os.readlink(entry.name), to)
            elif entry.is_file(follow_symlinks=False):
                self.file(entry.name, to)
        return inner

    def file(self, source: str, place: str) -> None:
        """Put a file at its place; one that has gone meanwhile is left out."""
        os.link(BLANK, place)
        try:
            linux.bind(os.fsencode(source), os.fsencode(place))
        except FileNotFoundError:
            os.unlink(place)


def entries(path: str, source: int) -> Iterator[os.DirEntry[str]]:
    """What a directory below an open one holds, this process standing in it; nothing if it may not be listed."""
    try:
        found = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=source)
    except (PermissionError, FileNotFoundError):
        return
    os.fchdir(found)
    with os.scandir(found) as listed:
        yield from listed
    os.close(found)


def too_many(paths: Iterable[str], without: Collection[str], processes: int) -> bool:
    """Whether directories hold nearly as many files as may be mounted; ``processes`` is a descriptor of /proc."""
    files = 0
    for path in paths:
        for place, folders, names in os.walk(path):
            folders[:] = [name for name in folders if f"{place}/{name}" not in without]
            files += sum(not name.endswith(FOR_OTHERS) for name in names)
    try:
        with open("sys/fs/mount-max", opener=partial(os.open, dir_fd=processes)) as told:
            return files > int(told.read()) - SPARE
    except OSError:
        return False
