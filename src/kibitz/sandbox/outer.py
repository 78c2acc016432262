"""The outer tier: the fork server, and so all its players, in namespaces of its own, made by bubblewrap.

It sees no process but its own, no network, no shared memory, no device but /dev/null and its kin, and no file but
the library's, all read-only.  What binds a player's process is put on inside as well, so either layer would do.
Its /proc lies behind a directory that the fork server closes to everybody once it has gone through (``view``).
Inside, the fork server makes the same view as in the tier "default"; for that it keeps the right to mount until then.

For an ordinary user the namespaces are a user's own, and further ones of users are forbidden in them.  Root needs none
of a user's: the fork server keeps the right to change users, so that players become nobody even outside.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from kibitz.sandbox.confinement import NOBODY
from kibitz.sandbox.readable_files import outermost, readable
from kibitz.sandbox.view import CLOSED

NAMESPACES = ("--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try")
FIRM = ("--cap-drop", "ALL", "--new-session", "--die-with-parent", "--clearenv", "--hostname", "kibitz")
MOUNT = ("--cap-add", "CAP_SYS_ADMIN")
USER = ("--unshare-user", "--disable-userns", "--uid", str(NOBODY), "--gid", str(NOBODY), *MOUNT)
KEPT = ("SETUID", "SETGID", "SETPCAP", "KILL")
ROOT = (*MOUNT, *(word for right in KEPT for word in ("--cap-add", f"CAP_{right}")))


def bubblewrap() -> str | None:
    """Where the program is, if there is one; root runs no program out of a folder that others may write."""
    return shutil.which("bwrap", path="/usr/bin:/bin:/usr/local/bin")


def wrapped(command: Sequence[str], environment: Mapping[str, str], home: str) -> list[str]:
    """A command inside the namespaces; ``home`` is the directory that has the package ``kibitz``."""
    found = [bubblewrap() or "bwrap", *NAMESPACES, *FIRM, *(USER if os.geteuid() else ROOT)]
    for name, value in environment.items():
        found += ["--setenv", name, value]
    for parent in parents(seen(home)):
        found += ["--perms", "0755", "--dir", parent]
    for path in seen(home):
        found += ["--dev-bind" if path.startswith("/dev/") else "--ro-bind", path, path]
    found += ["--perms", "0700", "--tmpfs", CLOSED, "--proc", f"{CLOSED}/proc"]
    return [*found, "--remount-ro", "/", "--chdir", "/", "--", *command]


def seen(home: str) -> list[str]:
    """All paths that exist inside: what players may read, the interpreter, and this package for the fork server."""
    interpreter = (sys.executable, os.path.realpath(sys.executable), os.path.join(sys.prefix, "pyvenv.cfg"))
    package = os.path.join(home, "kibitz")
    return list(outermost({path for path in (*readable(), *interpreter, package) if os.path.exists(path)}))


def parents(paths: Sequence[str]) -> list[str]:
    """The directories on the way to these paths, which bubblewrap would otherwise make for their owner alone.

    >>> parents(["/usr/lib", "/a/b/c"])
    ['/a', '/usr', '/a/b']
    """
    found = {str(parent) for path in paths for parent in Path(path).parents if str(parent) != "/"}
    inside = {one for one in found if any(f"{one}/".startswith(f"{path}/") for path in paths)}
    return sorted(found - inside, key=lambda path: (path.count("/"), path))
