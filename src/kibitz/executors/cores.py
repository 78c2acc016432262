"""What a worker process is bound to: one core, the life of the process that has started it, memory and time.

A worker stays on one core with the processes of its player files, because a question and its answer are three times
faster on one core than across two.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys
from types import FrameType

from kibitz.errors import MachineError

SET_PDEATHSIG = 1
KILL: int = getattr(signal, "SIGKILL", 0)
"""The signal that ends a process at once; 0 where there is none, as on Windows."""


def cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def stay_on_core(number: int) -> None:
    """Pin this process, and so all it starts, to one of the cores it may use, where the system can."""
    if hasattr(os, "sched_setaffinity"):
        cores = sorted(os.sched_getaffinity(0))
        os.sched_setaffinity(0, {cores[number % len(cores)]})


def die_with(parent: int) -> None:
    """Have the kernel kill this process when its parent dies; end now if it is dead already.

    On Windows neither can be: the Python of a virtual environment is a launcher there, which starts the real one, so
    whoever has asked for a process is never its parent.
    """
    if sys.platform == "win32":
        return
    if sys.platform == "linux" and KILL:
        ctypes.CDLL(None).prctl(SET_PDEATHSIG, KILL, 0, 0, 0)
    if os.getppid() != parent:
        sys.exit(0)


def stay_within(memory: int, cpu: int, wall: int) -> None:
    """Bound this process, and each that it starts, in bytes and seconds of CPU time, and itself in seconds on the wall.

    What is too large raises MemoryError, what takes too long MachineError; on Windows neither can be.
    """
    if sys.platform == "win32":
        return
    import resource

    def too_long(number: int, frame: FrameType | None) -> None:
        raise MachineError(f"Stopped: this may take {cpu // 60} min of CPU time and {wall // 60} min in all.")

    for which, most in ((resource.RLIMIT_DATA, memory), (resource.RLIMIT_CPU, cpu)):
        _, hard = resource.getrlimit(which)
        resource.setrlimit(which, (most if hard == resource.RLIM_INFINITY else min(most, hard), hard))
    signal.signal(signal.SIGXCPU, too_long)
    signal.signal(signal.SIGALRM, too_long)
    signal.setitimer(signal.ITIMER_REAL, wall, 1)
