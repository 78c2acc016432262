"""A view of the machine that holds nothing but what players may read, entered by the fork server for all its players.

    view        a root directory of its own, read-only: the library and the C library at their places, and nothing else
    mirrored    its directories are in memory, and the files alone are the disk's: see ``mirror``
    plain       its directories are the disk's, where the kernel lets nobody mount as many files as there are
    closed      a directory through which nobody can go any more: bubblewrap has put its /proc there
    processes   a descriptor of /proc, which the fork server keeps and no player gets

Landlock hides what files hold, but not that they are there, how large they are and when they were last read.  Some
of that changes as processes go about their work: the size of /proc/7/fd is the number of process 7's descriptors,
a library file that is read gets a new time, and a name that is looked for in vain is remembered.  In a view of its own
there is nothing of the kind.  Root can always make one; anybody else can where the kernel lets users have namespaces.
"""

from __future__ import annotations

import errno
import os
import socket
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import NamedTuple

from kibitz.sandbox import linux
from kibitz.sandbox.linux import NO_DEV, NO_SUID, PRIVATE, RECURSIVE
from kibitz.sandbox.mirror import Mirror, everything, libraries
from kibitz.sandbox.readable_files import outermost, shared, unimportable

CLOSED = "/closed"
NAMESPACES = linux.NEW_MOUNTS | linux.NEW_HOST_NAME | linux.NEW_IPC
SIZE = "mode=755,size=512m,nr_inodes=0"
"""Only links of more than 127 letters take any of its size, a page each: there is room for more than are counted."""


class Source(NamedTuple):
    """What is to be shown: an open directory, and the name of a file in it, or a dot for the directory itself."""

    folder: int
    name: str

    @property
    def whole(self) -> bool:
        """Whether it is a directory."""
        return self.name == "."


Sources = Mapping[str, Source]


def inside_bubblewrap() -> bool:
    """Whether ``outer`` has made a view for this process already."""
    return os.path.isdir(CLOSED)


@cache
def processes() -> int:
    """A descriptor of /proc; where bubblewrap has hidden it, nobody can open another after this."""
    hidden = inside_bubblewrap()
    found = os.open(f"{CLOSED}/proc" if hidden else "/proc", os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    if hidden:
        os.chmod(CLOSED, 0)
    return found


def enter(paths: Sequence[str], user: int) -> bool:
    """Have this process, and all that it starts, see nothing but these paths; False where the kernel does not let it.

    Whoever is not root goes by the number ``user`` then.  The process must have a single thread.  It is tried on a
    child first, with the single files among the paths, since a kernel that refuses half-way would leave half a view.
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
    """Put the view together, and make it the root; OSError where the kernel refuses."""
    os.umask(0o022)
    separate(user)
    linux.mount("mount", "", "/", "", PRIVATE | RECURSIVE)
    sources = {path: source(path) for path in paths if os.path.exists(path)}
    before = os.open("/", os.O_PATH | os.O_CLOEXEC)
    try:
        build(mirrored, sources)
    except OSError as error:
        if error.errno != errno.ENOSPC:
            raise
        leave(before)
        build(plain, sources)
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


def separate(user: int) -> None:
    """Go into namespaces of our own; whoever is neither root nor inside bubblewrap needs one of users for that."""
    uid, gid = os.geteuid(), os.getegid()
    call = linux.UNSHARE[os.uname().machine]
    alone = uid and not inside_bubblewrap()
    linux.system_call("unshare", call, NAMESPACES | (linux.NEW_USERS if alone else 0))
    if alone:
        for name, line in (("setgroups", "deny"), ("uid_map", f"{user} {uid} 1"), ("gid_map", f"{user} {gid} 1")):
            with open(f"/proc/self/{name}", "w") as told:
                told.write(line)


def source(path: str) -> Source:
    """What lies at a path, to be found when the path leads elsewhere."""
    real = os.path.realpath(path)
    folder, name = (real, ".") if os.path.isdir(real) else os.path.split(real)
    return Source(os.open(folder, os.O_PATH | os.O_CLOEXEC), name)


def build(fill: Callable[[Sources], None], sources: Sources) -> None:
    """Go into an empty root directory, the old one lying over it unseen, and put everything into it."""
    stage = CLOSED if inside_bubblewrap() else "/tmp"
    linux.mount("mount", "kibitz", stage, "tmpfs", NO_SUID | NO_DEV, SIZE)
    os.chdir(stage)
    swap()
    for path, found in sources.items():
        if not found.whole:
            show(path, found)
    fill(sources)


def swap() -> None:
    """Make the mount in which this process works its root directory, with the old one over it."""
    linux.system_call("pivot_root", linux.PIVOT_ROOT[os.uname().machine], b".", b".")


def leave(before: int) -> None:
    """Go back into the old root directory, as if nothing had been put together."""
    half = os.open("/", os.O_PATH | os.O_CLOEXEC)
    os.fchdir(before)
    swap()
    os.fchdir(half)
    os.close(half)
    linux.unmount("umount", ".")
    os.chdir("/")


def mirrored(sources: Sources) -> None:
    """Put the directories into the view; one that is there by another name already becomes a link to that.

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
            mirror.add(path, folder, libraries if path in thin else everything)
        else:
            again.append((path, first))
    for path, first in sorted(again, reverse=True):
        if os.path.isdir(path):
            mirror.add(path, folders[path], libraries if path in thin else everything)
        else:
            os.makedirs(os.path.dirname(path), 0o755, exist_ok=True)
            os.symlink(first, path)
    mirror.close()


def plain(sources: Sources) -> None:
    """Put the directories into the view as they are."""
    for path in outermost({path for path, found in sources.items() if found.whole}):
        show(path, sources[path])


def show(path: str, found: Source) -> None:
    """Put a file or a whole directory at its place in the view; being read leaves no mark on it any more."""
    os.makedirs(path if found.whole else os.path.dirname(path), 0o755, exist_ok=True)
    if not found.whole:
        os.close(os.open(path, os.O_CREAT | os.O_CLOEXEC, 0o644))
    os.fchdir(found.folder)
    linux.bind(os.fsencode(found.name), os.fsencode(path), linux.BOUND_WITH_ALL_BELOW)
