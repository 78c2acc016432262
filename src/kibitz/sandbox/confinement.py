"""The steps that confine a player's process, and bubblewrap around the fork server.

    rootfs      the files that players see; the fork server enters it once for all its players (``filesystem``)
    nobody      user and group 65534; if Kibitz runs as root, players become nobody
    rules       the Landlock rules (``linux``)
    filter      the seccomp filter (``seccomp``)
    outer tier  bubblewrap gives the fork server namespaces of its own

Everything is prepared once in the fork server; each child applies it before it sees a file.  The order matters: the
user changes first, because Landlock must not stop that; the filter comes last, because it forbids the system calls of
the other steps.
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
    BWRAP_DIR,
    enter_rootfs,
    inside_bubblewrap,
    open_closed_directories,
    outermost,
    proc_fd,
    readable_paths,
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
from kibitz.sandbox.seccomp import SeccompFilter

NOBODY = 65534
MAX_OPEN_FILES = 64
OOM_SCORE = b"1000"
"""The highest ``oom_score_adj``; no rights are needed to raise it."""
ZERO_LIMITS = ("CORE", "FSIZE", "MEMLOCK", "MSGQUEUE", "NICE", "RTPRIO")
"""Resources whose limit is 0 for a player's process."""


class Confinement:
    """All steps: the fork server creates this object, and each child applies it.

    ``landlock`` is the ABI to use, 0 for none, and ``paths`` may be read (default: ``readable_paths()``).
    """

    def __init__(self, landlock: int, *, seccomp: bool, paths: Sequence[str] = ()) -> None:
        self.proc_fd = proc_fd()
        self.be_killed_first()
        shown = paths or readable_paths()
        machine = os.uname().machine
        self.filter = SeccompFilter(machine) if seccomp else None
        self.root = os.geteuid() == 0
        self.single_user = is_single_user(self.proc_fd)
        has_rootfs = inside_bubblewrap()
        self.private = bool(landlock and enter_rootfs(shown, NOBODY)) or has_rootfs
        if self.root and not self.private:
            open_closed_directories(outermost({path for path in shown if os.path.isdir(path)}))
        drop_mount_right(self.root)
        self.rules = RuleSet(shown, landlock) if landlock else None

    def be_killed_first(self) -> None:
        """Make the kernel kill players first when the machine runs out of memory.

        Players inherit this from the fork server, which is too small to be killed itself. Setting it in each player
        would take a tenth of the player's startup time.
        """
        with suppress(OSError):
            score = os.open("self/oom_score_adj", os.O_WRONLY | os.O_CLOEXEC, dir_fd=self.proc_fd)
            os.write(score, OOM_SCORE)
            os.close(score)

    def become_nobody(self) -> None:
        """Give up all special rights, and the possibility of gaining any.

        The process also becomes undumpable. Otherwise the kernel could pass a core dump to a program that runs as root,
        even if ``RLIMIT_CORE`` is 0, and other processes of the same user could see which descriptors are open.
        """
        if self.root:
            change_user(self.single_user)
        drop_capabilities()
        prctl("dumpable", SET_DUMPABLE, 0)
        prctl("no_new_privs", SET_NO_NEW_PRIVS, 1)

    def hide_files(self) -> None:
        """Allow reading of libraries only, and no writing."""
        if self.rules:
            self.rules.restrict()

    def set_limits(self, memory: int) -> None:
        """Set the kernel's limits on this process; ``memory`` is in bytes."""
        for name in ZERO_LIMITS:
            resource.setrlimit(getattr(resource, f"RLIMIT_{name}", LIMIT_NUMBERS[name]), (0, 0))
        resource.setrlimit(resource.RLIMIT_NOFILE, (MAX_OPEN_FILES, MAX_OPEN_FILES))
        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))

    def filter_calls(self) -> None:
        """Forbid all system calls except harmless ones."""
        if self.filter:
            self.filter.load(os.getpid())

    def apply(self, memory: int, before_filter: Callable[[], object] = lambda: None) -> None:
        """Apply all steps; ``before_filter`` is called once files are out of reach, while all calls are allowed."""
        self.become_nobody()
        self.hide_files()
        before_filter()
        self.set_limits(memory)
        self.filter_calls()


LIMIT_NUMBERS = {"CORE": 4, "FSIZE": 1, "MEMLOCK": 8, "MSGQUEUE": 12, "NICE": 13, "RTPRIO": 14}
"""The numbers of limits, for Python versions whose module ``resource`` lacks some of them."""


def drop_mount_right(root: bool) -> None:
    """Give up the right to mount, which the fork server needs only to make its rootfs."""
    if root:
        drop_capability(MAY_MOUNT)
    else:
        drop_capabilities()


def change_user(single_user: bool) -> None:
    """Become nobody; if that fails because the user namespace has a single user, stay that user."""
    try:
        os.setgroups([])
        os.setresgid(NOBODY, NOBODY, NOBODY)
        os.setresuid(NOBODY, NOBODY, NOBODY)
    except OSError as error:
        if error.errno == errno.EINVAL or single_user:
            return
        raise


def is_single_user(proc_fd: int) -> bool:
    """Whether this user namespace has only one user; ``proc_fd`` is a descriptor of /proc."""
    with open("self/uid_map", opener=partial(os.open, dir_fd=proc_fd)) as file:
        return sum(int(line.split()[2]) for line in file) == 1


# The outer tier. The fork server sees only its own processes, no network, no shared memory, no devices except /dev/null
# and the like, and only the library's files, all read-only. Players are confined inside as in the tier "default", so
# each layer is enough by itself. The fork server's /proc is in a directory that it closes after using it. Inside, the
# fork server makes the same rootfs as in the tier "default", so it keeps the right to mount until then.
#
# For an ordinary user, the namespaces include a user namespace, inside which no other can be made.  Root needs no user
# namespace: the fork server keeps the right to change users, so that players become nobody outside too.


NAMESPACES = ("--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try")
BASE_OPTIONS = ("--cap-drop", "ALL", "--new-session", "--die-with-parent", "--clearenv", "--hostname", "kibitz")
MOUNT_OPTIONS = ("--cap-add", "CAP_SYS_ADMIN")
USER_OPTIONS = ("--unshare-user", "--disable-userns", "--uid", str(NOBODY), "--gid", str(NOBODY), *MOUNT_OPTIONS)
KEPT_CAPABILITIES = ("SETUID", "SETGID", "SETPCAP", "KILL")
ROOT_OPTIONS = (*MOUNT_OPTIONS, *(word for right in KEPT_CAPABILITIES for word in ("--cap-add", f"CAP_{right}")))


def bubblewrap() -> str | None:
    """The path of bubblewrap; None if it isn't installed.

    Only system folders are searched, so that root never runs a program that another user has put into another folder.
    """
    return shutil.which("bwrap", path="/usr/bin:/bin:/usr/local/bin")


def confined_command(command: Sequence[str], environment: Mapping[str, str], home: str) -> list[str]:
    """The command line that runs ``command`` in the namespaces; ``home`` is the folder of the package ``kibitz``."""
    user_options = USER_OPTIONS if os.geteuid() else ROOT_OPTIONS
    arguments = [bubblewrap() or "bwrap", *NAMESPACES, *BASE_OPTIONS, *user_options]
    for name, value in environment.items():
        arguments += ["--setenv", name, value]
    for parent in parents(visible_paths(home)):
        arguments += ["--perms", "0755", "--dir", parent]
    for path in visible_paths(home):
        arguments += ["--dev-bind" if path.startswith("/dev/") else "--ro-bind", path, path]
    arguments += ["--perms", "0700", "--tmpfs", BWRAP_DIR, "--proc", f"{BWRAP_DIR}/proc"]
    return [*arguments, "--remount-ro", "/", "--chdir", "/", "--", *command]


def visible_paths(home: str) -> list[str]:
    """All paths that exist in the namespaces: those that players may read, the interpreter, and Kibitz's package."""
    interpreter = (sys.executable, os.path.realpath(sys.executable), os.path.join(sys.prefix, "pyvenv.cfg"))
    package = os.path.join(home, "kibitz")
    return list(outermost({path for path in (*readable_paths(), *interpreter, package) if os.path.exists(path)}))


def parents(paths: Sequence[str]) -> list[str]:
    """The parent directories of these paths, outermost first; bubblewrap would make them accessible to one user only.

    >>> parents(["/usr/lib", "/a/b/c"])
    ['/a', '/usr', '/a/b']
    """
    folders = {str(parent) for path in paths for parent in Path(path).parents if str(parent) != "/"}
    inside = {folder for folder in folders if any(f"{folder}/".startswith(f"{path}/") for path in paths)}
    return sorted(folders - inside, key=lambda path: (path.count("/"), path))
