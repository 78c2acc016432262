"""Tries a confinement on a child process, whose forbidden actions must all fail.

Run as a program, it prints the faults of the confinement as one line of JSON; the list is empty if it passes.
``tiers`` starts it exactly as it would start a fork server.
"""

from __future__ import annotations

import json
import os
import socket
import sys
import threading
from collections.abc import Callable

from kibitz.sandbox.confinement import Confinement
from kibitz.sandbox.filesystem import (
    has_too_many_entries,
    hidden_paths,
    library,
    proc_fd,
    readable_paths,
    readable_without_packages,
)
from kibitz.sandbox.tiers import SEE_LOOKUPS, SEE_OTHERS

MEMORY = 256 << 20
"""The memory limit of the child, in bytes."""


def start_thread() -> None:
    """Start a thread."""
    threading.Thread(target=len, args=((),)).start()


def start_process() -> None:
    """Start a process."""
    pid = os.fork()
    if not pid:
        os._exit(0)
    os.waitpid(pid, 0)


DISKS = {path: os.stat(path).st_dev for path in readable_paths() if os.path.isdir(path)}
"""The disk of each directory that is shown, before anything is confined."""


def directory_of_a_disk() -> str:
    """A directory that is still on its disk, not in memory like a rootfs's directories.

    Raises OSError if there is none.
    """
    for path, disk in DISKS.items():
        if os.path.isdir(path) and os.stat(path).st_dev == disk:
            return path
    raise FileNotFoundError


MUST_FAIL: dict[str, Callable[[], object]] = {
    "list the root directory": lambda: os.listdir("/"),
    "read /etc/passwd": lambda: os.open("/etc/passwd", os.O_RDONLY),
    "look into /proc": lambda: os.listdir("/proc/self/fd"),
    SEE_OTHERS: lambda: os.stat(f"/proc/{os.getppid()}/fd"),
    SEE_LOOKUPS: directory_of_a_disk,
    "write a file": lambda: os.open("/tmp/kibitz-trial", os.O_WRONLY | os.O_CREAT),
    "open a socket": socket.socket,
    "send a signal": lambda: os.kill(os.getppid(), 0),
    "start a process": start_process,
    "start a thread": start_thread,
    "become root": lambda: os.setuid(0),
}


def shortcomings(confinement: Confinement) -> list[str]:
    """Forbidden actions that a confined child can do, or needed abilities that it lacks; empty if there are none.

    A needed ability begins with "be", "find" or "survive".
    """
    read_end, write_end = os.pipe()
    pid = os.fork()
    if not pid:
        faults = ["be confined"]
        try:
            confinement.apply(MEMORY)
            faults = [action for action, attempt in MUST_FAIL.items() if succeeds(attempt)]
            faults += [] if succeeds(lambda: open(os.__file__, "rb").close()) else ["find Python's library"]
        except OSError as error:
            faults = [f"be confined ({error.strerror})"]
        finally:
            os.write(write_end, json.dumps(faults).encode())
            os._exit(0)
    os.close(write_end)
    with open(read_end, "rb") as pipe:
        line = pipe.read()
    os.waitpid(pid, 0)
    return list(json.loads(line)) if line else ["survive its own confinement"]


def succeeds(attempt: Callable[[], object]) -> bool:
    """Whether the kernel allows an attempt."""
    try:
        attempt()
    except (OSError, RuntimeError):
        return False
    return True


def main() -> None:
    """Try the Landlock ABI given on the command line, without installed packages, which would take long to mount.

    The packages' files are only counted: if there are too many to mount, look-ups of missing files can't be hidden.
    """
    abi = int(sys.argv[2])
    try:
        too_many = has_too_many_entries(library(), hidden_paths(), proc_fd())
        faults = shortcomings(Confinement(abi, seccomp=True, paths=readable_without_packages()))
        if too_many and SEE_LOOKUPS not in faults:
            faults.append(SEE_LOOKUPS)
    except (OSError, KeyError) as error:
        faults = [f"be confined ({error})"]
    print(json.dumps(faults), flush=True)
