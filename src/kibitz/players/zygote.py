"""Asks the fork server for players' processes; each process of ours has one server, started when first needed.

The server starts with a fixed environment and a fixed hash seed, so that a file that walks through a set plays
the same game again.  Pin a worker to a core before it asks for its first player: the server and its players
inherit that, and a referee on the same core as its players is three times as fast.
"""

from __future__ import annotations

import atexit
import json
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Sequence
from pathlib import Path

import kibitz
from kibitz.errors import MachineError

ENVIRONMENT = {
    "PYTHONHASHSEED": "0",
    "PYTHONCOERCECLOCALE": "0",
    "OPENBLAS_NUM_THREADS": "1",
    "OMP_NUM_THREADS": "1",
}
"""All that a player's process finds in its environment; the last two let NumPy start in little memory."""
OPTIONS = ("-s", "-P", "-B", "-X", "utf8")
"""Not ``-I``, which would ignore the hash seed."""
BOOT = "import sys; sys.path.insert(0, sys.argv[1]); from kibitz.players.fork_server import serve; serve()"
START, ANSWER = 30.0, 20.0
"""Seconds of patience with the machine."""


class Zygote:
    """A fork server of our own; all methods may be called from any thread."""

    def __init__(self) -> None:
        if sys.platform != "linux":
            raise MachineError("Player files run in processes of their own on Linux only; use the trusted mode here.")
        self.owner = os.getpid()
        self.lock = threading.Lock()
        self.number = 0
        self.line, far = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with far:
            self.server = self.boot(far)
        try:
            self.answer(0, START)
        except MachineError:
            self.close()
            raise

    def boot(self, far: socket.socket) -> subprocess.Popen[bytes]:
        """Start the server."""
        home = str(Path(kibitz.__file__).parents[1])
        command = [sys.executable, *OPTIONS, "-c", BOOT, home]
        try:
            return subprocess.Popen(
                command, stdin=far.fileno(), stdout=subprocess.DEVNULL, env=ENVIRONMENT, cwd="/", start_new_session=True
            )
        except OSError as error:
            self.line.close()
            raise MachineError(f"The server for players' processes cannot be started: {error.strerror}.") from error

    def alive(self) -> bool:
        """Whether this server is ours and runs."""
        return self.owner == os.getpid() and self.server.poll() is None

    def fork(self, fds: Sequence[int], memory: int) -> int:
        """The pid of a new player that has the given descriptors: requests, replies, prints."""
        return self.order("fork", memory, fds)

    def kill(self, pid: int) -> int:
        """End a player and everything it has started; its wait status."""
        return self.order("kill", pid)

    def order(self, verb: str, value: int, fds: Sequence[int] = ()) -> int:
        """Have an order carried out; MachineError if it cannot be."""
        with self.lock:
            self.number += 1
            try:
                socket.send_fds(self.line, [json.dumps([self.number, verb, value]).encode()], fds)
                return self.answer(self.number, ANSWER)
            except OSError as error:
                raise MachineError(f"The server for players' processes is gone: {error}.") from error

    def answer(self, number: int, patience: float) -> int:
        """The answer to an order; answers that nobody waited for are passed over."""
        self.line.settimeout(patience)
        while True:
            found = self.line.recv(4096)
            if not found:
                raise MachineError("The server for players' processes has ended.")
            answered, result = json.loads(found)
            if answered == number:
                if isinstance(result, str):
                    raise MachineError(f"The server for players' processes reports: {result}.")
                return int(result)

    def close(self) -> None:
        """End the server, which takes all its players along; a fork of ours only lets go of it."""
        self.line.close()
        if self.owner != os.getpid():
            self.server.returncode = 0
            return
        try:
            self.server.wait(ANSWER)
        except subprocess.TimeoutExpired:
            self.server.kill()
            self.server.wait()


_mine: Zygote | None = None
_starting = threading.Lock()


def zygote() -> Zygote:
    """The server of this process, started now if there is none that runs."""
    global _mine
    with _starting:
        if _mine is None or not _mine.alive():
            if _mine is None:
                atexit.register(close)
            else:
                _mine.close()
            _mine = Zygote()
        return _mine


def close() -> None:
    """End the server of this process; the next player starts another."""
    global _mine
    with _starting:
        if _mine is not None:
            _mine.close()
            atexit.unregister(close)
        _mine = None
