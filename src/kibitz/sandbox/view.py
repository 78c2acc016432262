"""A view of the machine that holds nothing but what players may read, entered by the fork server for all its players.

    view        a root directory of its own, read-only: the library and the C library at their places, and nothing else
    closed      a directory through which nobody can go any more: bubblewrap has put its /proc there
    processes   a descriptor of /proc, which the fork server keeps and no player gets

Landlock hides what files hold, but not that they are there, how large they are and when they were last read.  Some
of that changes as processes go about their work: the size of /proc/7/fd is the number of process 7's descriptors,
and a library file that is read gets a new time.  In a view of its own there is nothing of the kind.  Root can always
make one; anybody else can where the kernel lets users have namespaces.
"""

from __future__ import annotations

import os
import socket
from collections.abc import Sequence
from functools import cache

from kibitz.sandbox import linux
from kibitz.sandbox.linux import BIND, NO_DEV, NO_SUID, PRIVATE, READ_ONLY, RECURSIVE, REMOUNT

CLOSED = "/closed"
NAMESPACES = linux.NEW_MOUNTS | linux.NEW_HOST_NAME | linux.NEW_IPC
KEPT = {2: NO_SUID, 4: NO_DEV, 8: 8, 1024: 1024, 2048: 2048, 4096: 1 << 21}
"""What ``statvfs`` tells of a mount, and the flag that keeps it: a user may take none away."""
STAGE = "/tmp"
"""Where the view is put together before it is the root; only this process sees it there."""


def inside_bubblewrap() -> bool:
    """Whether ``outer`` has made this process's view already."""
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
    child first, since a kernel that refuses half-way would leave half a view.
    """
    pid = os.fork()
    if not pid:
        status = 1
        try:
            change_root(paths, user)
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
    places = {path: os.open(path, os.O_PATH | os.O_CLOEXEC) for path in paths if os.path.exists(path)}
    linux.mount("mount", "kibitz", STAGE, "tmpfs", NO_SUID | NO_DEV, "mode=755,size=1m")
    for path, found in places.items():
        show(path, found)
        os.close(found)
    socket.sethostname("kibitz")
    os.chdir(STAGE)
    linux.system_call("pivot_root", linux.PIVOT_ROOT[os.uname().machine], b".", b".")
    linux.unmount("umount", ".")
    os.chdir("/")
    linux.mount("mount", "", "/", "", REMOUNT | BIND | READ_ONLY | NO_SUID | NO_DEV)
    if user == os.geteuid():
        linux.drop_capabilities()


def separate(user: int) -> None:
    """Go into namespaces of our own; whoever is not root needs one of users for that."""
    uid, gid = os.geteuid(), os.getegid()
    call = linux.UNSHARE[os.uname().machine]
    linux.system_call("unshare", call, NAMESPACES | (linux.NEW_USERS if uid else 0))
    if uid:
        for name, line in (("setgroups", "deny"), ("uid_map", f"{user} {uid} 1"), ("gid_map", f"{user} {gid} 1")):
            with open(f"/proc/self/{name}", "w") as told:
                told.write(line)


def show(path: str, found: int) -> None:
    """Put an open file or directory at its place in the view; being read leaves no mark on it any more."""
    place, source = STAGE + path, f"/proc/self/fd/{found}"
    directory = os.path.isdir(source)
    os.makedirs(place if directory else os.path.dirname(place), 0o755, exist_ok=True)
    if not directory:
        os.close(os.open(place, os.O_CREAT | os.O_CLOEXEC, 0o644))
    linux.mount("mount", source, place, "", BIND | RECURSIVE)
    told = os.statvfs(place).f_flag
    kept = sum(flag for bit, flag in KEPT.items() if told & bit)
    linux.mount("mount", "", place, "", REMOUNT | BIND | READ_ONLY | kept)
