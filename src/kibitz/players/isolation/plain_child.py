"""The code of an unconfined player's process: ``child``, adapted to run wherever Python runs.

channel     standard input and output, moved to the descriptors of ``child``; the file's output goes to standard error
watchdog    a thread that ends the process once a call has used up its CPU time; that works on every system
"""

import faulthandler
import os
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from typing import NoReturn

from kibitz.players.isolation import child
from kibitz.players.isolation.wire import LOST_CHANNEL

POLL_SECONDS = 0.05
"""Seconds between two checks of the CPU time."""
OUT_OF_TIME = 118
"""The exit status of a process that has used too much CPU time."""
STACK_HEADING = "\nOut of time:\n"
"""Printed before the stacks of a process that ran out of time."""


class Watchdog(threading.Thread):
    """Ends the process when a call has used more CPU time than it is allowed."""

    def __init__(self, allowed: float) -> None:
        super().__init__(daemon=True)
        self.deadline = time.process_time() + allowed
        self.call_over = False

    def run(self) -> None:
        """Check the CPU time at intervals."""
        while not self.call_over:
            if time.process_time() > self.deadline:
                os.write(2, STACK_HEADING.encode())
                faulthandler.dump_traceback(2)
                os._exit(OUT_OF_TIME)
            time.sleep(POLL_SECONDS)


def main() -> NoReturn:
    """Answer until the channel closes: a request begins with its limit in CPU seconds, a reply with those it used."""
    rewire()
    child.request_lines, child.answer = watched_lines, answer
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
    child.open_streams()


def watched_lines() -> Iterator[str]:
    """The referee's lines, without the limits in front; a watchdog times each call until the next line is read."""
    for line in received():
        allowed, _, request = line.partition(" ")
        watchdog = Watchdog(float(allowed))
        watchdog.start()
        yield request
        watchdog.call_over = True


def answer(status: str, seq: int, body: str) -> None:
    """Send a reply that begins with the CPU time of the process."""
    child.flush()
    os.write(child.REPLIES, f"{time.process_time():.6f} ".encode())
    send(status, seq, body)


received, send = child.request_lines, child.answer
