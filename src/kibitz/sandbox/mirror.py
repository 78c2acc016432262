"""Directories of a disk mirrored in a view, so that nothing of them but their files is the disk's.

    mirrored    directories and links are made anew in memory; at the place of every file the disk's own is mounted
    blank       an empty file: what files are mounted on are links to it, of all things that which takes least memory
    wanted      which entries of a directory are mirrored at all

Linux remembers for everybody which names a directory of a disk has been asked for in vain, and whoever asks again is
told sooner.  Of a directory in a tmpfs it remembers none.  No directory of the disk can be reached from a mounted
file: it has no name in it, and nothing above it but the directory in memory.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager
from functools import partial

from kibitz.sandbox import linux

Wanted = Callable[[str, "os.DirEntry[str]"], bool]
BLANK = "/.blank"
DEPTH = 2
"""Directories of shared libraries lie no deeper than that below /usr/lib: /usr/lib/x86_64-linux-gnu/blas."""
DATA = ("gconv", "locale", "ssl")
"""What the C library and OpenSSL read besides, at any depth."""
FOR_OTHERS = (
    *(".opt-1.pyc", ".opt-2.pyc", ".pyx", ".pxd", ".pxi", ".exe"),
    *(".h", ".hh", ".hpp", ".c", ".cc", ".cpp", ".cu", ".f", ".f90", ".a", ".o"),
    *(".svg", ".woff", ".woff2", ".map"),
)
"""What files end in that only others read: another Python, compilers, which no player can start, and browsers.

Pages, style sheets, scripts and type stubs are shown: there are packages that read theirs when they are imported.
"""
CHANGED = frozenset(
    (errno.ENOENT, errno.ENOTDIR, errno.EACCES, errno.EINVAL, errno.ELOOP, errno.ENAMETOOLONG, errno.EEXIST)
)
"""Why an entry is left out: it is another than it was a moment before, may not be looked at, or has too long a path."""
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
        self.modes: dict[str, int] = {}
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
        try:
            with entered(f".{below}", source) as (found, mode), os.scandir(found) as listed:
                self.modes[place] = mode
                if wanted is everything:
                    self.make(place)
                for entry in listed:
                    to = f"{place}/{entry.name}"
                    if to in self.without or not wanted(below, entry):
                        continue
                    if entry.is_dir(follow_symlinks=False):
                        inner.append(f"{below}/{entry.name}")
                    else:
                        self.entry(entry, place, to)
        except OSError as error:
            pass_over(error)
        return inner

    def entry(self, entry: os.DirEntry[str], place: str, to: str) -> None:
        """Mirror what is no directory; what is neither a file nor a link is left out."""
        try:
            if entry.is_file(follow_symlinks=False):
                self.make(place)
                self.file(entry.name, to)
            elif entry.is_symlink():
                self.make(place)
                os.symlink(os.readlink(entry.name), to)  # what is wanted by this name may be there already
        except OSError as error:
            pass_over(error)

    def make(self, place: str) -> None:
        """Make a directory, and those above it, with the modes of the disk's, which keep out whom they kept out.

        Only this process, whose they are, goes in in any case.
        """
        missing = []
        while place in self.modes:
            missing.append(place)
            place = os.path.dirname(place)
        if missing:
            os.makedirs(place, 0o755, exist_ok=True)
        for one in reversed(missing):
            mode = self.modes.pop(one)
            if not os.path.isdir(one):
                os.mkdir(one, mode | 0o700)

    def file(self, source: str, place: str) -> None:
        """Put a file at its place; nothing is left there of one that cannot be shown."""
        os.link(BLANK, place)
        try:
            linux.bind(os.fsencode(source), os.fsencode(place))
        except OSError:
            os.unlink(place)
            raise


def pass_over(error: OSError) -> None:
    """Leave out what could not be shown; whatever else has gone wrong is raised again."""
    if error.errno not in CHANGED:
        raise error


@contextmanager
def entered(path: str, source: int) -> Iterator[tuple[int, int]]:
    """A directory below an open one, this process standing in it, and its mode."""
    found = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=source)
    try:
        os.fchdir(found)
        yield found, stat.S_IMODE(os.fstat(found).st_mode)
    finally:
        os.close(found)


def too_many(paths: Iterable[str], without: Collection[str], processes: int) -> bool:
    """Whether directories hold nearly as many entries as files may be mounted; ``processes`` is a descriptor of /proc.

    Not only files count, since of links there may be no more either (``view.SIZE``).
    """
    entries, waiting = 0, [*paths]
    while waiting:
        try:
            with os.scandir(waiting.pop()) as listed:
                for entry in listed:
                    if entry.path not in without and everything("", entry):
                        entries += 1
                        if entry.is_dir(follow_symlinks=False):
                            waiting.append(entry.path)
        except OSError:  # a directory that may not be listed is shown empty
            continue
    try:
        with open("sys/fs/mount-max", opener=partial(os.open, dir_fd=processes)) as told:
            return entries > int(told.read()) - SPARE
    except OSError:
        return False
