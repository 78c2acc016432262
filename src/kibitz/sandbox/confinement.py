"""What binds a player's process: made ready once in the fork server, put on by every child before it sees a file.

    view        the fork server's: see ``view``
    nobody      the user and group 65534: what root's players become
    rules       Landlock's: see ``landlock``
    filter      seccomp's: see ``filters``

The order matters.  The user goes first, because Landlock must not stop it; the filter comes last,
because nothing that the other steps ask of the kernel is allowed after it.
"""

from __future__ import annotations

import errno
import os
import resource
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial

from kibitz.sandbox.filters import Filter
from kibitz.sandbox.landlock import RuleSet
from kibitz.sandbox.linux import (
    MAY_MOUNT,
    SET_DUMPABLE,
    SET_NO_NEW_PRIVS,
    drop_capabilities,
    drop_capability,
    prctl,
)
from kibitz.sandbox.readable_files import clear_the_way, outermost, readable
from kibitz.sandbox.view import enter, inside_bubblewrap, processes

NOBODY = 65534
OPEN_FILES = 64
FIRST_TO_GO = b"1000"
"""The most that ``oom_score_adj`` can be; who sets it needs no rights to raise it."""
NOTHING = ("CORE", "FSIZE", "MEMLOCK", "MSGQUEUE", "NICE", "RTPRIO")
"""Of these a player's process gets none."""


class Confinement:
    """All steps, in two halves; ``landlock`` is the ABI to use, 0 for none, and ``paths`` what may be read."""

    def __init__(self, landlock: int, *, seccomp: bool, paths: Sequence[str] = ()) -> None:
        self.processes = processes()
        self.go_first()
        shown = paths or readable()
        machine = os.uname().machine
        self.filter = Filter(machine) if seccomp else None
        self.root = os.geteuid() == 0
        self.alone = alone(self.processes)
        hidden = inside_bubblewrap()
        self.private = bool(landlock and enter(shown, NOBODY)) or hidden
        if self.root and not self.private:
            clear_the_way(outermost({path for path in shown if os.path.isdir(path)}))
        mount_no_more(self.root)
        self.rules = RuleSet(shown, landlock) if landlock else None

    def go_first(self) -> None:
        """Where the machine runs out of memory, the kernel ends players before any other process of Kibitz's.

        They inherit it from the fork server, which is smaller than any that runs out of memory: each would spend a
        tenth of its start on saying so itself.
        """
        with suppress(OSError):
            score = os.open("self/oom_score_adj", os.O_WRONLY | os.O_CLOEXEC, dir_fd=self.processes)
            os.write(score, FIRST_TO_GO)
            os.close(score)

    def become_nobody(self) -> None:
        """Leave root's rights behind; anybody else only promises to gain none.

        Nor is there anything to be seen or dumped of the process: the kernel would hand a core to a program of root's
        whatever ``RLIMIT_CORE`` says, and show the same user's processes which descriptors are open.
        """
        if self.root:
            change_user(self.alone)
        drop_capabilities()
        prctl("dumpable", SET_DUMPABLE, 0)
        prctl("no_new_privs", SET_NO_NEW_PRIVS, 1)

    def hide_files(self) -> None:
        """Let nothing be read but libraries, and nothing be written."""
        if self.rules:
            self.rules.restrict()

    def restrict(self, memory: int) -> None:
        """Set the kernel's limits on this process."""
        for name in NOTHING:
            resource.setrlimit(getattr(resource, f"RLIMIT_{name}", NO_SUCH_LIMIT[name]), (0, 0))
        resource.setrlimit(resource.RLIMIT_NOFILE, (OPEN_FILES, OPEN_FILES))
        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))

    def bind(self) -> None:
        """Leave only harmless system calls."""
        if self.filter:
            self.filter.load(os.getpid())

    def apply(self, memory: int, between: Callable[[], object] = lambda: None) -> None:
        """All steps; ``between`` is done when files are out of reach, but all calls still allowed."""
        self.become_nobody()
        self.hide_files()
        between()
        self.restrict(memory)
        self.bind()


NO_SUCH_LIMIT = {"CORE": 4, "FSIZE": 1, "MEMLOCK": 8, "MSGQUEUE": 12, "NICE": 13, "RTPRIO": 14}
"""The numbers of limits, for a Python that does not name them all."""


def mount_no_more(root: bool) -> None:
    """Leave behind the right to mount, which a fork server needs only for its view, and players never."""
    if root:
        drop_capability(MAY_MOUNT)
    else:
        drop_capabilities()


def change_user(alone: bool) -> None:
    """Become nobody; inside a user namespace that knows only one user, ``alone``, there is nobody to become."""
    try:
        os.setgroups([])
        os.setresgid(NOBODY, NOBODY, NOBODY)
        os.setresuid(NOBODY, NOBODY, NOBODY)
    except OSError as error:
        if error.errno == errno.EINVAL or alone:
            return
        raise


def alone(processes: int) -> bool:
    """Whether this user namespace knows a single user; ``processes`` is a descriptor of /proc."""
    with open("self/uid_map", opener=partial(os.open, dir_fd=processes)) as found:
        return sum(int(line.split()[2]) for line in found) == 1
