"""The files that a player's process can see: which ones, and a root directory that holds nothing else.

    library     the interpreter's own modules and the installed ones, which a file may import
    shared      directories of which Python needs only the shared libraries, and the files these read
    system      the machine's own directories of shared libraries, and the few other files that the C library reads
    view        a read-only root directory with the library and the C library at their places, and nothing else
    mirrored    a view whose directories are in memory, while its files are the disk's
    plain       a view whose directories are the disk's, if the kernel allows too few mounts for a mirrored one

Landlock hides the contents of files, but not their existence, size and time of last reading, and some of that changes
as processes work: the size of /proc/7/fd is the number of process 7's descriptors, a library file that is read gets a
new time, and a failed look-up of a name is remembered. A view has none of this. Root can always make one; other users
can where the kernel lets them have namespaces.
"""

from __future__ import annotations

import errno
import os
import socket
import stat
import sys
import sysconfig
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache, partial
from typing import NamedTuple

from kibitz.sandbox import linux
from kibitz.sandbox.linux import NO_DEV, NO_SUID, PRIVATE, RECURSIVE

# Which files may be read, and how user nobody can reach them. No home, no folder of players, no /proc and no /tmp is
# among them. Root's own Python may lie in a directory that only root may enter, such as /root;
# ``open_closed_directories`` then mounts another directory over it, for the fork server alone, which holds only the
# library.


SHARED = ("/usr/lib", "/usr/lib64", "/lib", "/lib64")
SYSTEM = (
    *(*SHARED, "/etc/ld.so.cache", "/etc/localtime", "/usr/share/zoneinfo"),
    *("/dev/null", "/dev/zero", "/dev/urandom"),
)
PACKAGES = ("site-packages", "dist-packages")
NOT_SHOWN = (
    *("test", "ctypes/test", "distutils/tests", "lib2to3/tests", "sqlite3/test", "tkinter/test", "unittest/test"),
    *("idlelib", "turtledemo"),
)
"""Python's editor and tests of itself, two fifths of the files of its library, which players don't need."""


def library() -> tuple[str, ...]:
    """The directories of modules that a player file may import, shortest first and none inside another.

    If the standard library is a single file, that file is included.
    """
    return outermost(importable())


def importable() -> set[str]:
    """All directories in which Python looks for modules, including those inside another one."""
    paths = sysconfig.get_paths()
    folders = {paths[name] for name in ("stdlib", "platstdlib", "purelib", "platlib")}
    folders |= {path for path in sys.path if os.path.basename(path) in PACKAGES}
    archives = {path for path in sys.path if path.endswith(".zip") and os.path.isfile(path)}
    return archives | with_real_paths({path for path in folders if os.path.isdir(path)})


def with_real_paths(paths: set[str]) -> set[str]:
    """Paths as given, and with links resolved."""
    return paths | {os.path.realpath(path) for path in paths}


def shared() -> tuple[str, ...]:
    """The directories of shared libraries, those of the interpreter among them."""
    own = os.path.join(sys.base_prefix, "lib")
    return (*sorted(with_real_paths({own}) if os.path.isdir(own) else ()), *SHARED)


def unimportable() -> set[str]:
    """Paths in the interpreter's library that players don't see: other environments' packages, and ``NOT_SHOWN``."""
    bases = with_real_paths({sysconfig.get_paths()["stdlib"]})
    return {os.path.join(base, name) for base in bases for name in (*PACKAGES, *NOT_SHOWN)} - importable()


def outermost(paths: set[str]) -> tuple[str, ...]:
    """The paths that don't lie inside another one.

    >>> outermost({"/a/b", "/a", "/ab"})
    ('/a', '/ab')
    """
    return tuple(sorted(one for one in paths if not any(one.startswith(f"{other}/") for other in paths)))


def readable() -> tuple[str, ...]:
    """Everything that a player's process may read."""
    return (*library(), *(path for path in shared() if path not in SYSTEM), *SYSTEM)


def standard() -> tuple[str, ...]:
    """What a player's process may read, without installed packages: what every Python has."""
    own = [path for path in with_real_paths({sysconfig.get_paths()["stdlib"]}) if os.path.isdir(path)]
    return (*sorted(own), *(path for path in readable() if path not in library()))


def first_closed_directory(path: str) -> str | None:
    """The first directory on the way to ``path`` that other users may not enter."""
    way = ""
    for part in path.split("/")[1:]:
        way = f"{way}/{part}"
        if not stat.S_IMODE(os.stat(way).st_mode) & 0o001 and os.path.isdir(way):
            return way
    return None


def open_closed_directories(paths: Sequence[str]) -> None:
    """Let other users reach these directories in this process and its children; OSError if even root cannot."""
    doors: dict[str, list[str]] = {}
    for path in paths:
        if door := first_closed_directory(path):
            doors.setdefault(door, []).append(path)
    if not doors:
        return
    linux.system_call("unshare", linux.UNSHARE[os.uname().machine], linux.NEW_MOUNTS)
    linux.mount("mount", "", "/", "", linux.PRIVATE | linux.RECURSIVE)
    for door, wanted in doors.items():
        places = [os.open(path, os.O_PATH | os.O_CLOEXEC) for path in wanted]
        linux.mount("mount", "kibitz", door, "tmpfs", linux.NO_SUID | linux.NO_DEV, "mode=755,size=64k")
        for path, place in zip(wanted, places, strict=True):
            os.makedirs(path, 0o755, exist_ok=True)
            linux.mount("mount", f"/proc/self/fd/{place}", path, "", linux.BIND)
            os.close(place)
        flags = linux.REMOUNT | linux.READ_ONLY | linux.NO_SUID | linux.NO_DEV
        linux.mount("mount", "", door, "", flags)


# Mirrored directories and their links are created in memory; each file is mounted from the disk at its place. The mount
# points are links to one empty file, which takes the least memory.
#
# Linux remembers failed look-ups of names in a directory of a disk, and answers faster the next time, to every process.
# It remembers none for a directory in a tmpfs. No directory of the disk can be reached from a mounted file.


Wanted = Callable[[str, "os.DirEntry[str]"], bool]
EMPTY_FILE = "/.blank"
DEPTH = 2
"""Directories of shared libraries lie no deeper than this below /usr/lib, as in /usr/lib/x86_64-linux-gnu/blas."""
DATA = ("gconv", "locale", "ssl")
"""Other files that the C library and OpenSSL read, at any depth."""
NOT_FOR_PLAYERS = (
    *(".opt-1.pyc", ".opt-2.pyc", ".pyx", ".pxd", ".pxi", ".exe"),
    *(".h", ".hh", ".hpp", ".c", ".cc", ".cpp", ".cu", ".f", ".f90", ".a", ".o"),
    *(".svg", ".woff", ".woff2", ".map"),
)
"""Endings of files that players can't use: another Python's, compilers' and browsers'.

Pages, style sheets, scripts and type stubs are shown, because some packages read theirs when they are imported.
"""
SKIPPED_ERRORS = frozenset(
    (errno.ENOENT, errno.ENOTDIR, errno.EACCES, errno.EINVAL, errno.ELOOP, errno.ENAMETOOLONG, errno.EEXIST)
)
"""Errors for which an entry is left out: it has just changed, may not be looked at, or has too long a path."""
RESERVED_MOUNTS = 10_000
"""How many mounts are reserved for the shared libraries and for whatever the machine has mounted before."""


def any_entry(_below: str, entry: os.DirEntry[str]) -> bool:
    """Everything except files that only others read: packages have more of those than of Python, each one a mount."""
    return not entry.name.endswith(NOT_FOR_PLAYERS) or entry.is_dir(follow_symlinks=False)


def library_entry(below: str, entry: os.DirEntry[str]) -> bool:
    """Shared libraries, the files they read, and links: /usr/lib may also have whole trees of other languages."""
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
        os.close(os.open(EMPTY_FILE, os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o444))

    def close(self) -> None:
        """Remove what was needed only for mirroring."""
        os.unlink(EMPTY_FILE)

    def add(self, path: str, source: int, wanted: Wanted) -> None:
        """Mirror at ``path`` the directory that is open as ``source``, without what is left out."""
        waiting = [""]
        while waiting:
            waiting += self.folder(path, source, waiting.pop(), wanted)

    def folder(self, path: str, source: int, below: str, wanted: Wanted) -> list[str]:
        """Mirror one of its directories; inner ones are queued."""
        place, inner = path + below, []
        try:
            with entered(f".{below}", source) as (found, mode), os.scandir(found) as listed:
                self.modes[place] = mode
                if wanted is any_entry:
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
            skip_changed(error)
        return inner

    def entry(self, entry: os.DirEntry[str], place: str, to: str) -> None:
        """Mirror an entry that isn't a directory; anything but a file or a link is left out."""
        try:
            if entry.is_file(follow_symlinks=False):
                self.make(place)
                self.file(entry.name, to)
            elif entry.is_symlink():
                self.make(place)
                os.symlink(os.readlink(entry.name), to)  # this name may already exist
        except OSError as error:
            skip_changed(error)

    def make(self, place: str) -> None:
        """Make a directory and its parents with the modes of the disk's, which keep out the same users.

        Only this process, which owns them, can always enter.
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
        """Put a file at its place; nothing remains there if it cannot be shown."""
        os.link(EMPTY_FILE, place)
        try:
            linux.bind(os.fsencode(source), os.fsencode(place))
        except OSError:
            os.unlink(place)
            raise


def skip_changed(error: OSError) -> None:
    """Skip what could not be shown; raise any other error again."""
    if error.errno not in SKIPPED_ERRORS:
        raise error


@contextmanager
def entered(path: str, source: int) -> Iterator[tuple[int, int]]:
    """Enter a directory below an open one; returns its descriptor and its mode."""
    descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=source)
    try:
        os.fchdir(descriptor)
        yield descriptor, stat.S_IMODE(os.fstat(descriptor).st_mode)
    finally:
        os.close(descriptor)


def has_too_many_entries(paths: Iterable[str], without: Collection[str], processes: int) -> bool:
    """Whether directories hold almost as many entries as files may be mounted; ``processes`` is a descriptor of /proc.

    All entries count, not only files, since links are limited too (``SIZE``).
    """
    entries, waiting = 0, [*paths]
    while waiting:
        try:
            with os.scandir(waiting.pop()) as listed:
                for entry in listed:
                    if entry.path not in without and any_entry("", entry):
                        entries += 1
                        if entry.is_dir(follow_symlinks=False):
                            waiting.append(entry.path)
        except OSError:  # an unlistable directory is shown empty
            continue
    try:
        with open("sys/fs/mount-max", opener=partial(os.open, dir_fd=processes)) as file:
            return entries > int(file.read()) - RESERVED_MOUNTS
    except OSError:
        return False


# The view, which the fork server enters for all its players.
#
# closed      a directory that nobody can enter any more, in which bubblewrap has put its /proc
# processes   a descriptor of /proc, which the fork server keeps and no player gets


CLOSED = "/closed"
NAMESPACES = linux.NEW_MOUNTS | linux.NEW_HOST_NAME | linux.NEW_IPC
SIZE = "mode=755,size=512m,nr_inodes=0"
"""The size limit of the view: only links of more than 127 letters use any of it, a page each, so there is room for all.
"""


class Source(NamedTuple):
    """Something to show: an open directory, and the name of a file in it, or a dot for the directory itself."""

    folder: int
    name: str

    @property
    def whole(self) -> bool:
        """Whether it is a whole directory."""
        return self.name == "."


Sources = Mapping[str, Source]


def inside_bubblewrap() -> bool:
    """Whether bubblewrap has already made a view for this process."""
    return os.path.isdir(CLOSED)


@cache
def processes() -> int:
    """A descriptor of /proc; where bubblewrap has hidden it, it can be opened only once."""
    hidden = inside_bubblewrap()
    result = os.open(f"{CLOSED}/proc" if hidden else "/proc", os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    if hidden:
        os.chmod(CLOSED, 0)
    return result


def enter_view(paths: Sequence[str], user: int) -> bool:
    """Let this process and its children see only these paths; False if the kernel doesn't allow that.

    Unless it is root, the process has the user number ``user`` from then on.  It must have a single thread.  A child
    tries it first, with the single files among the paths, since a kernel that refuses half-way would leave half a view.
    """
    pid = os.fork()
    if not pid:
        status = 1
        try:
            change_root([path for path in paths if not os.path.isdir(path)], user)
            status = 0
        finally:
            os._exit(status)
    if os.waitpid(pid, 0)[1]:
        return False
    change_root(paths, user)
    return True


def change_root(paths: Sequence[str], user: int) -> None:
    """Build the view and make it the root; OSError if the kernel refuses."""
    os.umask(0o022)
    enter_namespaces(user)
    linux.mount("mount", "", "/", "", PRIVATE | RECURSIVE)
    sources = {path: source(path) for path in paths if os.path.exists(path)}
    before = os.open("/", os.O_PATH | os.O_CLOEXEC)
    try:
        build_view(mirror_directories, sources)
    except OSError as error:
        if error.errno != errno.ENOSPC:
            raise
        restore_root(before)
        build_view(mount_directories, sources)
    for place in {one.folder for one in sources.values()}:
        os.close(place)
    os.fchdir(before)
    os.close(before)
    linux.unmount("umount", ".")
    os.chdir("/")
    linux.only_read("/")
    socket.sethostname("kibitz")
    if user == os.geteuid():
        linux.drop_capabilities()


def enter_namespaces(user: int) -> None:
    """Enter namespaces of our own; without root or bubblewrap that needs a user namespace."""
    uid, gid = os.geteuid(), os.getegid()
    call = linux.UNSHARE[os.uname().machine]
    alone = uid and not inside_bubblewrap()
    linux.system_call("unshare", call, NAMESPACES | (linux.NEW_USERS if alone else 0))
    if alone:
        for name, line in (("setgroups", "deny"), ("uid_map", f"{user} {uid} 1"), ("gid_map", f"{user} {gid} 1")):
            with open(f"/proc/self/{name}", "w") as file:
                file.write(line)


def source(path: str) -> Source:
    """An open source for a path, still usable when the path leads elsewhere."""
    real = os.path.realpath(path)
    folder, name = (real, ".") if os.path.isdir(real) else os.path.split(real)
    return Source(os.open(folder, os.O_PATH | os.O_CLOEXEC), name)


def build_view(fill: Callable[[Sources], None], sources: Sources) -> None:
    """Enter an empty root directory, with the old one mounted over it, and put everything into it."""
    stage = CLOSED if inside_bubblewrap() else "/tmp"
    linux.mount("mount", "kibitz", stage, "tmpfs", NO_SUID | NO_DEV, SIZE)
    os.chdir(stage)
    pivot_root()
    for path, found in sources.items():
        if not found.whole:
            mount_source(path, found)
    fill(sources)


def pivot_root() -> None:
    """Make the current mount the root directory, with the old one over it."""
    linux.system_call("pivot_root", linux.PIVOT_ROOT[os.uname().machine], b".", b".")


def restore_root(before: int) -> None:
    """Return to the old root directory, as if nothing had been built."""
    half = os.open("/", os.O_PATH | os.O_CLOEXEC)
    os.fchdir(before)
    pivot_root()
    os.fchdir(half)
    os.close(half)
    linux.unmount("umount", ".")
    os.chdir("/")


def mirror_directories(sources: Sources) -> None:
    """Put the directories into the view; one that is there under another name becomes a link to that.

    Links come last, and inner ones first, so that nothing is ever put where a link leads.
    """
    known: dict[tuple[int, int], str] = {}
    folders = {path: found.folder for path, found in sources.items() if found.whole}
    thin, mirror = shared(), Mirror({*folders, *unimportable()})
    again = []
    for path, folder in folders.items():
        about = os.fstat(folder)
        first = known.setdefault((about.st_dev, about.st_ino), path)
        if first == path:
            mirror.add(path, folder, library_entry if path in thin else any_entry)
        else:
            again.append((path, first))
    for path, first in sorted(again, reverse=True):
        if os.path.isdir(path):
            mirror.add(path, folders[path], library_entry if path in thin else any_entry)
        else:
            os.makedirs(os.path.dirname(path), 0o755, exist_ok=True)
            os.symlink(first, path)
    mirror.close()


def mount_directories(sources: Sources) -> None:
    """Put the directories into the view as they are on the disk."""
    for path in outermost({path for path, found in sources.items() if found.whole}):
        mount_source(path, sources[path])


def mount_source(path: str, shown: Source) -> None:
    """Put a file or a whole directory at its place in the view, where reading it leaves no trace."""
    os.makedirs(path if shown.whole else os.path.dirname(path), 0o755, exist_ok=True)
    if not shown.whole:
        os.close(os.open(path, os.O_CREAT | os.O_CLOEXEC, 0o644))
    os.fchdir(shown.folder)
    linux.bind(os.fsencode(shown.name), os.fsencode(path), linux.BOUND_WITH_ALL_BELOW)
