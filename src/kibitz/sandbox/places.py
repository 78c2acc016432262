"""Which files a player's process may read, and how they stay in reach of a user who is nobody.

    library     the interpreter's own modules and the installed ones: what a file may import
    system      the C library and what it reads

Nothing else is named: no home, no folder of players, no /proc, no /tmp.  Root's own Python may lie in a directory
that only root may enter, such as /root; ``clear_the_way`` then puts an empty one over it, for the fork server
alone, in which the library can still be found.
"""

from __future__ import annotations

import os
import stat
import sys
import sysconfig
from collections.abc import Sequence

from kibitz.sandbox import linux

SYSTEM = (
    *("/lib", "/lib64", "/usr/lib", "/usr/lib64", "/etc/ld.so.cache", "/etc/localtime", "/usr/share/zoneinfo"),
    *("/dev/null", "/dev/zero", "/dev/urandom"),
)
PACKAGES = ("site-packages", "dist-packages")


def library() -> tuple[str, ...]:
    """The directories of modules that a player file may import, shortest first and none inside another."""
    paths = sysconfig.get_paths()
    found = {paths[name] for name in ("stdlib", "platstdlib", "purelib", "platlib")}
    found |= {path for path in sys.path if os.path.basename(path) in PACKAGES}
    found.add(os.path.join(sys.base_prefix, "lib"))
    real = {os.path.realpath(path) for path in found if os.path.isdir(path)}
    return outermost(real | {path for path in found if os.path.isdir(path)})


def outermost(paths: set[str]) -> tuple[str, ...]:
    """The paths that lie in no other of them.

    >>> outermost({"/a/b", "/a", "/ab"})
    ('/a', '/ab')
    """
    return tuple(sorted(one for one in paths if not any(one.startswith(f"{other}/") for other in paths)))


def readable() -> tuple[str, ...]:
    """All that a player's process may read."""
    return (*library(), *SYSTEM)


def closed_door(path: str) -> str | None:
    """The first directory on the way to ``path`` that strangers may not enter."""
    way = ""
    for part in path.split("/")[1:]:
        way = f"{way}/{part}"
        if not stat.S_IMODE(os.stat(way).st_mode) & 0o001 and os.path.isdir(way):
            return way
    return None


def clear_the_way(paths: Sequence[str]) -> None:
    """Let strangers reach these directories in this process and its children; OSError if even root cannot."""
    doors: dict[str, list[str]] = {}
    for path in paths:
        if door := closed_door(path):
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
