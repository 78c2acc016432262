"""Which files a player's process may read, and how they stay in reach of a user who is nobody.

    library     the interpreter's own modules and the installed ones: what a file may import
    shared      directories of which a Python program needs nothing but the shared libraries, and what these read
    system      these of the machine's own, and the few files besides that the C library reads

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
"""Python's tests of itself, two fifths of the files of its library and of use to nobody else, and its editor."""


def library() -> tuple[str, ...]:
    """The directories of modules that a player file may import, shortest first and none inside another.

    Where the standard library is a single file, it is one of them.
    """
    return outermost(importable())


def importable() -> set[str]:
    """The same, and those inside them: where Python looks for modules."""
    paths = sysconfig.get_paths()
    found = {paths[name] for name in ("stdlib", "platstdlib", "purelib", "platlib")}
    found |= {path for path in sys.path if os.path.basename(path) in PACKAGES}
    archives = {path for path in sys.path if path.endswith(".zip") and os.path.isfile(path)}
    return archives | both({path for path in found if os.path.isdir(path)})


def both(paths: set[str]) -> set[str]:
    """Paths as they are said, and as they are without links."""
    return paths | {os.path.realpath(path) for path in paths}


def shared() -> tuple[str, ...]:
    """The directories of shared libraries, those of the interpreter among them."""
    own = os.path.join(sys.base_prefix, "lib")
    return (*sorted(both({own}) if os.path.isdir(own) else ()), *SHARED)


def unimportable() -> set[str]:
    """What lies in the interpreter's library and is no player's: packages of another environment, and ``NOT_SHOWN``."""
    bases = both({sysconfig.get_paths()["stdlib"]})
    return {os.path.join(base, name) for base in bases for name in (*PACKAGES, *NOT_SHOWN)} - importable()


def outermost(paths: set[str]) -> tuple[str, ...]:
    """The paths that lie in no other of them.

    >>> outermost({"/a/b", "/a", "/ab"})
    ('/a', '/ab')
    """
    return tuple(sorted(one for one in paths if not any(one.startswith(f"{other}/") for other in paths)))


def readable() -> tuple[str, ...]:
    """All that a player's process may read."""
    return (*library(), *(path for path in shared() if path not in SYSTEM), *SYSTEM)


def standard() -> tuple[str, ...]:
    """The part of it that every Python has: no installed packages."""
    own = [path for path in both({sysconfig.get_paths()["stdlib"]}) if os.path.isdir(path)]
    return (*sorted(own), *(path for path in readable() if path not in library()))


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
