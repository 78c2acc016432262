"""What blocks of the tests do."""

import os
import signal
import time
from pathlib import Path
from typing import NamedTuple

from kibitz.errors import NotationError


def squared(given, item):
    """A number's square, and something more."""
    return item * item + given


class Found(NamedTuple):
    """What came of an item, in a class that no worker has."""

    square: int


def found(given, item):
    """A number's square."""
    return Found(item * item)


def slow_first(given, item):
    """Fails for odd numbers, the later ones sooner."""
    time.sleep(0.2 if item < 3 else 0)
    if item % 2:
        raise NotationError(f"{item} is odd.")
    return item


def dies_once(given, item):
    """Kills its process the first time that it is asked for item 2."""
    flag = Path(given)
    if item == 2 and not flag.exists():
        flag.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return item


def dies(given, item):
    """Always kills its process."""
    os.kill(os.getpid(), signal.SIGKILL)


def waits(given, item):
    """Takes a while."""
    time.sleep(given)
    return item


def whereabouts(given, item):
    """Its process and that of its parent."""
    time.sleep(0.05)
    return os.getpid(), os.getppid()


def large(given, item):
    """Many bytes."""
    return bytes([item]) * given


def nothing(block, parts, sign):
    """A task that gives nothing."""
    sign(b"")
    return b""


def gets_ready(block, parts, sign):
    """Writes its process's number into a file, or dies, as the block says."""
    if block == b"die":
        os.kill(os.getpid(), signal.SIGKILL)
    if block == b"fail":
        raise NotationError("this cannot be made ready.")
    with Path(os.fsdecode(block)).open("a") as told:
        told.write(f"{os.getpid()}\n")
    return b""
