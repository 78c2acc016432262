"""What a worker process is bound to: one core, and the life of the process that has started it.

A worker stays on one core with the processes of its player files, because a question and its answer are three times
faster on one core than across two.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys

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
