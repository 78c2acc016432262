"""A process that has everything imported and forks players on request: a new one is ready in about a millisecond.

    order       ``[id, "fork", memory]`` with three descriptors: requests, replies, prints
                ``[id, "kill", pid]``: kill the player and everything it has started, and reap it
    answer      ``[id, number]``: the pid, or the wait status; ``[id, "sentence"]`` where the machine failed

The server is the parent of all players and, as a subreaper, inherits whatever they leave behind: a child of its
own that is no player is such a stray and is killed.  It reads and compiles nothing of the players'.
"""

import ctypes
import faulthandler
import fcntl
import gc
import importlib
import json
import os
import resource
import signal
import socket
import sys
from contextlib import suppress
from typing import NoReturn

from kibitz.players.child import REPLIES, REQUESTS, serve_referee
from kibitz.players.wire import LOST_CHANNEL

PREPARED = (
    *("abc", "bisect", "collections", "copy", "dataclasses", "decimal", "enum", "fractions", "functools", "heapq"),
    *("itertools", "math", "operator", "re", "statistics", "string", "time", "typing"),
)
"""What students import; a player's process then need not."""
SET_PDEATHSIG, SET_CHILD_SUBREAPER = 1, 36
PATIENCE = 2.0
"""Seconds between looks at whether the owner of this process still lives."""
ORDER = 4096
OPEN_FILES = 64


def serve() -> NoReturn:
    """Take orders from descriptor 0 until the owner is gone, then take all players along."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for name in PREPARED:
        importlib.import_module(name)
    open_streams()
    libc = ctypes.CDLL(None)
    libc.prctl(SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    faulthandler.enable(2)
    faulthandler.register(signal.SIGUSR1, 2, all_threads=False)
    gc.disable()
    gc.freeze()
    server = ForkServer(socket.socket(fileno=os.dup(0)), libc)
    try:
        server.work()
    finally:
        server.kill_all()
        os._exit(0)


class ForkServer:
    """Forks and kills players; one order at a time."""

    def __init__(self, orders: socket.socket, libc: ctypes.CDLL) -> None:
        self.orders, self.libc = orders, libc
        self.players: set[int] = set()
        self.owner = os.getppid()

    def work(self) -> None:
        """Carry out orders while there is somebody to give them."""
        self.orders.settimeout(PATIENCE)
        self.orders.send(b"[0,0]")
        while os.getppid() == self.owner:
            try:
                order, fds, _, _ = socket.recv_fds(self.orders, ORDER, 3)
            except TimeoutError:
                continue
            if not order:
                return
            number, verb, value = json.loads(order)
            try:
                result: int | str = self.fork(fds, value) if verb == "fork" else self.kill(value)
            except OSError as error:
                result = f"{verb} failed: {error.strerror or error}"
            finally:
                for fd in fds:
                    os.close(fd)
            self.orders.send(json.dumps([number, result]).encode())

    def fork(self, fds: list[int], memory: int) -> int:
        """A new player's pid."""
        server = os.getpid()
        pid = os.fork()
        if not pid:
            self.libc.prctl(SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
            if os.getppid() != server:
                os._exit(0)
            signal.signal(signal.SIGINT, signal.default_int_handler)
            os.close(self.orders.detach())
            become_player(fds[0], fds[1], fds[2], memory)
        self.players.add(pid)
        return pid

    def kill(self, pid: int) -> int:
        """End a player with all that it has started; its wait status."""
        if pid not in self.players:
            raise OSError(f"{pid} is no player")
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
            os.killpg(pid, signal.SIGKILL)
        status = os.waitpid(pid, 0)[1]
        self.players.discard(pid)
        self.sweep()
        return status

    def sweep(self) -> None:
        """Kill what players have left behind: killing one stray may bring its own children here."""
        while strays := children(os.getpid()) - self.players:
            for pid in strays:
                with suppress(ProcessLookupError, ChildProcessError):
                    os.kill(pid, signal.SIGKILL)
                    os.waitpid(pid, 0)

    def kill_all(self) -> None:
        """Leave no player behind."""
        for pid in tuple(self.players):
            with suppress(OSError):
                self.kill(pid)


def children(pid: int) -> set[int]:
    """The children of a process whose only thread has forked them."""
    try:
        with open(f"/proc/{pid}/task/{pid}/children", "rb") as found:
            return {int(word) for word in found.read().split()}
    except FileNotFoundError:
        return {int(name) for name in os.listdir("/proc") if name.isdigit() and parent(name) == pid}


def parent(pid: str) -> int:
    """The parent of a process, 0 if it is gone."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as found:
            return int(found.read().rpartition(b")")[2].split()[1])
    except OSError:
        return 0


def become_player(requests: int, replies: int, output: int, memory: int) -> NoReturn:
    """Turn this freshly forked process into a player's, and answer until the referee hangs up."""
    status = LOST_CHANNEL
    try:
        os.setsid()
        rewire(requests, replies, output)
        restrict(memory)
        gc.enable()
        serve_referee()
        status = 0
    except (OSError, ValueError):
        pass
    finally:
        os._exit(status)


def open_streams() -> None:
    """Put fresh streams over descriptors 0, 1 and 2: once in the fork server, for all the players to come."""
    sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115
    sys.stdout = open(1, "w", 1, "utf-8", "backslashreplace", closefd=False)  # noqa: SIM115
    sys.stderr = open(2, "w", 1, "utf-8", "backslashreplace", closefd=False)  # noqa: SIM115


def rewire(requests: int, replies: int, output: int) -> None:
    """Give every descriptor its place and close all others."""
    requests, replies, output = (fcntl.fcntl(fd, fcntl.F_DUPFD, REPLIES + 1) for fd in (requests, replies, output))
    for source, place in ((requests, REQUESTS), (replies, REPLIES), (output, 1), (output, 2)):
        os.dup2(source, place, inheritable=place < 3)
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.closerange(3, REQUESTS)
    os.closerange(REPLIES + 1, 4096)


def restrict(memory: int) -> None:
    """Set the kernel's limits on this process."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    resource.setrlimit(resource.RLIMIT_NOFILE, (OPEN_FILES, OPEN_FILES))
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
