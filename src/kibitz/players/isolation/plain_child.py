"""The code of an unconfined player's process: ``child``, adapted to any system that has Python.

channel     standard input and output, moved to the descriptors of ``child``; the file's output goes to standard error
watchdog    a thread that ends the process once a call has used up its CPU time; nothing else works on every system
"""

import faulthandler
import os
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from typing import NoReturn

from kibitz.players.isolation import child
from kibitz.players.isolation.wire import LOST_CHANNEL

POLL_SECONDS = 0.05
"""Seconds between two looks at the clock."""
OUT_OF_TIME = 118
"""Exit status after too much CPU time."""
STOPPED = "\nOut of time:\n"
"""Printed before the stacks of a process that is ended."""


class Watchdog(threading.Thread):
    """Ends the process when a call has used more CPU time than it is allowed."""

    def __init__(self, allowed: float) -> None:
        super().__init__(daemon=True)
        self.end = time.process_time() + allowed
        self.call_over = False

    def run(self) -> None:
        """Look at the clock at intervals."""
        while not self.call_over:
            if time.process_time() > self.end:
                os.write(2, STOPPED.encode())
                faulthandler.dump_traceback(2)
                os._exit(OUT_OF_TIME)
            time.sleep(POLL_SECONDS)


def main() -> NoReturn:
    """Answer until the channel is closed; requests begin with the CPU seconds allowed, replies with those used."""
    rewire()
    child.lines, child.answer = watched_lines, answer
    with suppress(OSError):
        child.serve_referee()
    os._exit(LOST_CHANNEL)


def rewire() -> None:
    """Move the channel to its descriptors, and let everything that is printed go to standard error."""
    os.dup2(0, child.REQUESTS)
    os.dup2(1, child.REPLIES)
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.dup2(2, 1)
    sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115
    sys.stdout = open(1, "w", 1, "utf-8", "backslashreplace", closefd=False)  # noqa: SIM115
    sys.stderr = open(2, "w", 1, "utf-8", "backslashreplace", closefd=False)  # noqa: SIM115


def watched_lines() -> Iterator[str]:
    """The referee's lines without their limits; each call is watched until the next line is read."""
    for line in received():
        allowed, _, request = line.partition(" ")
        watchdog = Watchdog(float(allowed))
        watchdog.start()
        yield request
        watchdog.call_over = True


def answer(word: str, seq: int, rest: str) -> None:
    """Send a reply that begins with the CPU time of the process."""
    child.flush()
    os.write(child.REPLIES, f"{time.process_time():.6f} ".encode())
    send(word, seq, rest)


received, send = child.lines, child.answer
