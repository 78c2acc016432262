"""The steps that confine a player's process, and bubblewrap around the fork server.

    view        the fork server enters it once for all its players (``filesystem``)
    nobody      user and group 65534, which root's players become
    rules       Landlock's (``linux``)
    filter      seccomp's (``seccomp``)
    outer tier  bubblewrap gives the fork server namespaces of its own

Everything is prepared once in the fork server; each child applies it before it sees a file.  The order matters: the
user changes first, because Landlock must not stop that; the filter comes last, because it allows nothing that the other
steps ask of the kernel.
"""

from __future__ import annotations

import errno
import os
import resource
import shutil
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path

from kibitz.sandbox.filesystem import (
    CLOSED,
    enter_view,
    inside_bubblewrap,
    open_closed_directories,
    outermost,
    processes,
    readable,
)
from kibitz.sandbox.linux import (
    MAY_MOUNT,
    SET_DUMPABLE,
    SET_NO_NEW_PRIVS,
    RuleSet,
    drop_capabilities,
    drop_capability,
    prctl,
)
from kibitz.sandbox.seccomp import Filter

NOBODY = 65534
OPEN_FILES = 64
OOM_SCORE = b"1000"
"""The highest ``oom_score_adj``; raising it needs no rights."""
ZERO_LIMITS = ("CORE", "FSIZE", "MEMLOCK", "MSGQUEUE", "NICE", "RTPRIO")
"""Resources that a player's process gets none of."""


class Confinement:
    """All steps: some prepared in the fork server, the rest applied by each child.

    ``landlock`` is the ABI to use, 0 for none, and ``paths`` what may be read.
    """

    def __init__(self, landlock: int, *, seccomp: bool, paths: Sequence[str] = ()) -> None:
        self.processes = processes()
        self.go_first()
        shown = paths or readable()
        machine = os.uname().machine
        self.filter = Filter(machine) if seccomp else None
        self.root = os.geteuid() == 0
        self.alone = is_single_user(self.processes)
        hidden = inside_bubblewrap()
        self.private = bool(landlock and enter_view(shown, NOBODY)) or hidden
        if self.root and not self.private:
            open_closed_directories(outermost({path for path in shown if os.path.isdir(path)}))
        drop_mount_right(self.root)
        self.rules = RuleSet(shown, landlock) if landlock else None

    def go_first(self) -> None:
        """Make the kernel end players first when the machine runs out of memory.

        They inherit this from the fork server, which is too small to be ended itself; setting it in each player would
        take a tenth of its start.
        """
        with suppress(OSError):
            score = os.open("self/oom_score_adj", os.O_WRONLY | os.O_CLOEXEC, dir_fd=self.processes)
            os.write(score, OOM_SCORE)
            os.close(score)

    def become_nobody(self) -> None:
        """Give up root's rights; other users only promise to gain none.

        The process also becomes undumpable: otherwise the kernel would hand a core to a program of root's whatever
        ``RLIMIT_CORE`` says, and show the same user's processes which descriptors are open.
        """
        if self.root:
            change_user(self.alone)
        drop_capabilities()
        prctl("dumpable", SET_DUMPABLE, 0)
        prctl("no_new_privs", SET_NO_NEW_PRIVS, 1)

    def hide_files(self) -> None:
        """Allow reading of libraries only, and no writing."""
        if self.rules:
            self.rules.restrict()

    def restrict(self, memory: int) -> None:
        """Set the kernel's limits on this process."""
        for name in ZERO_LIMITS:
            resource.setrlimit(getattr(resource, f"RLIMIT_{name}", NO_SUCH_LIMIT[name]), (0, 0))
        resource.setrlimit(resource.RLIMIT_NOFILE, (OPEN_FILES, OPEN_FILES))
        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))

    def bind(self) -> None:
        """Leave only harmless system calls."""
        if self.filter:
            self.filter.load(os.getpid())

    def apply(self, memory: int, between: Callable[[], object] = lambda: None) -> None:
        """Apply all steps; ``between`` is called when files are out of reach but all calls are still allowed."""
        self.become_nobody()
        self.hide_files()
        between()
        self.restrict(memory)
        self.bind()


NO_SUCH_LIMIT = {"CORE": 4, "FSIZE": 1, "MEMLOCK": 8, "MSGQUEUE": 12, "NICE": 13, "RTPRIO": 14}
"""The numbers of limits, for a Python that does not name them all."""


def drop_mount_right(root: bool) -> None:
    """Give up the right to mount, which a fork server needs only for its view, and players never."""
    if root:
        drop_capability(MAY_MOUNT)
    else:
        drop_capabilities()


def change_user(alone: bool) -> None:
    """Become nobody; in a user namespace with a single user (``is_single_user``) there is nobody to become."""
    try:
        os.setgroups([])
        os.setresgid(NOBODY, NOBODY, NOBODY)
        os.setresuid(NOBODY, NOBODY, NOBODY)
    except OSError as error:
        if error.errno == errno.EINVAL or alone:
            return
        raise


def is_single_user(processes: int) -> bool:
    """Whether this user namespace knows a single user; ``processes`` is a descriptor of /proc."""
    with open("self/uid_map", opener=partial(os.open, dir_fd=processes)) as file:
        return sum(int(line.split()[2]) for line in file) == 1


# The outer tier. The fork server sees only its own processes, no network, no shared memory, no devices except /dev/null
# and the like, and only the library's files, all read-only. Its players are confined inside as well, so each layer is
# enough by itself. Its /proc lies behind a directory that the fork server closes after using it. Inside, the fork
# server makes the same view as in the tier "default", so it keeps the right to mount until then.
#
# For an ordinary user the namespaces include a user namespace, and further ones are forbidden inside.  Root needs
# none: the fork server keeps the right to change users, so that players become nobody even outside.


NAMESPACES = ("--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try")
BASE_OPTIONS = ("--cap-drop", "ALL", "--new-session", "--die-with-parent", "--clearenv", "--hostname", "kibitz")
MOUNT = ("--cap-add", "CAP_SYS_ADMIN")
USER = ("--unshare-user", "--disable-userns", "--uid", str(NOBODY), "--gid", str(NOBODY), *MOUNT)
KEPT_CAPABILITIES = ("SETUID", "SETGID", "SETPCAP", "KILL")
ROOT = (*MOUNT, *(word for right in KEPT_CAPABILITIES for word in ("--cap-add", f"CAP_{right}")))


def bubblewrap() -> str | None:
    """The path of the program, if there is one; root runs no program from a folder that others may write."""
    return shutil.which("bwrap", path="/usr/bin:/bin:/usr/local/bin")


def confined_command(command: Sequence[str], environment: Mapping[str, str], home: str) -> list[str]:
    """A command inside the namespaces; ``home`` is the directory that has the package ``kibitz``."""
    arguments = [bubblewrap() or "bwrap", *NAMESPACES, *BASE_OPTIONS, *(USER if os.geteuid() else ROOT)]
    for name, value in environment.items():
        arguments += ["--setenv", name, value]
    for parent in parents(visible_paths(home)):
        arguments += ["--perms", "0755", "--dir", parent]
    for path in visible_paths(home):
        arguments += ["--dev-bind" if path.startswith("/dev/") else "--ro-bind", path, path]
    arguments += ["--perms", "0700", "--tmpfs", CLOSED, "--proc", f"{CLOSED}/proc"]
    return [*arguments, "--remount-ro", "/", "--chdir", "/", "--", *command]


def visible_paths(home: str) -> list[str]:
    """All paths that exist inside: what players may read, the interpreter, and this package for the fork server."""
    interpreter = (sys.executable, os.path.realpath(sys.executable), os.path.join(sys.prefix, "pyvenv.cfg"))
    package = os.path.join(home, "kibitz")
    return list(outermost({path for path in (*readable(), *interpreter, package) if os.path.exists(path)}))


def parents(paths: Sequence[str]) -> list[str]:
    """The directories on the way to these paths, which bubblewrap would otherwise make for their owner alone.

    >>> parents(["/usr/lib", "/a/b/c"])
    ['/a', '/usr', '/a/b']
    """
    folders = {str(parent) for path in paths for parent in Path(path).parents if str(parent) != "/"}
    inside = {one for one in folders if any(f"{one}/".startswith(f"{path}/") for path in paths)}
    return sorted(folders - inside, key=lambda path: (path.count("/"), path))
