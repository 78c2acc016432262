"""Functions that executors run in the tests."""

import os
import signal
import time
from pathlib import Path
from typing import NamedTuple

from kibitz.errors import NotationError


def squared(given, item):
    """The square of the item, plus a given number."""
    return item * item + given


class Found(NamedTuple):
    """A result of a class that is defined only in this module."""

    square: int


def found(given, item):
    """The square of the item, as ``Found``."""
    return Found(item * item)


def slow_first(given, item):
    """Fails for odd numbers, the later ones sooner."""
    time.sleep(0.2 if item < 3 else 0)
    if item % 2:
        raise NotationError(f"{item} is odd.")
    return item


def dies_once(given, item):
    """Kills its process the first time it gets item 2."""
    flag = Path(given)
    if item == 2 and not flag.exists():
        flag.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return item


def dies(given, item):
    """Always kills its process."""
    os.kill(os.getpid(), signal.SIGKILL)


def waits(given, item):
    """Sleeps for the given seconds."""
    time.sleep(given)
    return item


def whereabouts(given, item):
    """The ids of its process and the parent process."""
    time.sleep(0.05)
    return os.getpid(), os.getppid()


def large(given, item):
    """The given number of bytes."""
    return bytes([item]) * given


def nothing(block, blobs, send_heartbeat):
    """Work with an empty result."""
    send_heartbeat(b"")
    return b""


def gets_ready(block, blobs, send_heartbeat):
    """Writes its process id to the file named by the block, or fails or dies if the block says so."""
    if block == b"die":
        os.kill(os.getpid(), signal.SIGKILL)
    if block == b"fail":
        raise NotationError("this cannot be made ready.")
    with Path(os.fsdecode(block)).open("a") as file:
        file.write(f"{os.getpid()}\n")
    return b""
