"""Asks the fork server for players' processes; each of Kibitz's processes starts its own server when it needs one.

The server starts in the best tier of the sandbox that this machine has, with a fixed environment and a fixed hash seed,
so that a file that iterates over a set plays the same game again. It may have pids of its own (a PID namespace); a
player's descriptor tells which pid the player has here. Pin a worker to a core before it asks for its first player: the
server and its players inherit the core, and a referee on the same core as its players is three times as fast.
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
from concurrent.futures import Future
from typing import NamedTuple

from kibitz.errors import MachineError
from kibitz.sandbox.tiers import ENVIRONMENT, tier

START_CODE = (
    "import sys; sys.path.insert(0, sys.argv[1]); from kibitz.players.isolation.fork_server import serve; serve()"
)
START_SECONDS, ANSWER_SECONDS = 30.0, 20.0
"""How long to wait for the server to start, and for each of its answers."""


class ForkedPlayer(NamedTuple):
    """A new player: its pid in the server's namespace and in ours, and a descriptor that is readable once it ends."""

    server_pid: int
    pid: int
    pidfd: int


class ForkServerClient:
    """This process's fork server; all methods may be called from any thread."""

    def __init__(self) -> None:
        if sys.platform != "linux":
            raise MachineError("The sandbox for player files needs Linux; here --trusted runs your own files.")
        self.owner = os.getpid()
        self.lock = threading.Lock()
        self.number = 0
        self.channel, server_end = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with server_end:
            self.server = self.start(server_end)
        try:
            self.pid = self.read_pid(self.answer(0, START_SECONDS)[1])
        except MachineError:
            self.close()
            raise

    def start(self, server_end: socket.socket) -> subprocess.Popen[bytes]:
        """Start the server."""
        self.tier = tier()
        command = self.tier.command(START_CODE, str(self.tier.landlock), str(int(self.tier.seccomp)))
        try:
            return start_server(command, server_end.fileno())
        except OSError as error:
            self.channel.close()
            raise MachineError(f"The server for players' processes cannot be started: {error.strerror}.") from error

    def read_pid(self, fds: list[int]) -> int:
        """The pid of the server itself, from the descriptor that it sent; bubblewrap may be the direct child."""
        pids = [local_pid(fd) for fd in fds]
        for fd in fds:
            os.close(fd)
        return (*pids, 0)[0] or self.server.pid

    def alive(self) -> bool:
        """Whether the server runs and belongs to this process, rather than to the one that forked it."""
        return self.owner == os.getpid() and self.server.poll() is None

    def fork(self, fds: Sequence[int], memory: int) -> ForkedPlayer:
        """Fork a new player with the given descriptors: requests, replies, prints."""
        server_pid, pidfds = self.order("fork", memory, fds)
        if len(pidfds) != 1:
            raise MachineError("The server for players' processes didn't report a process's end.")
        return ForkedPlayer(server_pid, local_pid(pidfds[0]) or server_pid, pidfds[0])

    def kill(self, server_pid: int) -> int:
        """End a player and everything it has started; returns its wait status."""
        return self.order("kill", server_pid)[0]

    def order(self, verb: str, value: int, fds: Sequence[int] = ()) -> tuple[int, list[int]]:
        """Have the server carry out an order; return the number and the descriptors that it answers."""
        with self.lock:
            self.number += 1
            try:
                socket.send_fds(self.channel, [json.dumps([self.number, verb, value]).encode()], fds)
                return self.answer(self.number, ANSWER_SECONDS)
            except OSError as error:
                raise MachineError(f"The server for players' processes is gone: {error}.") from error

    def answer(self, number: int, timeout: float) -> tuple[int, list[int]]:
        """The answer to an order with its descriptors; answers to earlier orders that timed out are skipped."""
        self.channel.settimeout(timeout)
        while True:
            message, fds, _, _ = socket.recv_fds(self.channel, 4096, 1, socket.MSG_CMSG_CLOEXEC)
            if not message:
                raise MachineError("The server for players' processes has ended.")
            answered_number, result = json.loads(message)
            if answered_number == number:
                if isinstance(result, str):
                    raise MachineError(f"The server for players' processes reports: {result}.")
                return int(result), fds
            for fd in fds:
                os.close(fd)

    def close(self) -> None:
        """End the server, which ends all its players; in a fork of this process, only close the channel."""
        self.channel.close()
        if self.owner != os.getpid():
            self.server.returncode = 0
            return
        try:
            self.server.wait(ANSWER_SECONDS)
        except subprocess.TimeoutExpired:
            self.server.kill()
            self.server.wait()


def start_server(command: list[str], orders: int) -> subprocess.Popen[bytes]:
    """Start the server from a long-lived thread, since bubblewrap ends with the thread that started it."""
    if threading.current_thread() is threading.main_thread():
        return popen(command, orders)
    outcome: Future[subprocess.Popen[bytes]] = Future()

    def run_server() -> None:
        try:
            outcome.set_result(popen(command, orders))
        except OSError as error:
            outcome.set_exception(error)
        else:
            outcome.result().wait()

    threading.Thread(target=run_server, daemon=True, name="kibitz-fork-server").start()
    return outcome.result()


def popen(command: list[str], orders: int) -> subprocess.Popen[bytes]:
    """The server's process."""
    return subprocess.Popen(
        command, stdin=orders, stdout=subprocess.DEVNULL, env=ENVIRONMENT, cwd="/", start_new_session=True
    )


def local_pid(process: int) -> int:
    """The pid of a process in our namespace, from a descriptor of it; 0 if it is unknown."""
    try:
        with open(f"/proc/self/fdinfo/{process}", "rb") as lines:
            return next((int(line[4:]) for line in lines if line.startswith(b"Pid:")), 0)
    except OSError:
        return 0


_client: ForkServerClient | None = None
_starting = threading.Lock()


def client() -> ForkServerClient:
    """The server of this process, started now unless one is running."""
    global _client
    with _starting:
        if _client is None or not _client.alive():
            if _client is None:
                atexit.register(close)
            else:
                _client.close()
            _client = ForkServerClient()
        return _client


def close() -> None:
    """End the server of this process; the next player starts another."""
    global _client
    with _starting:
        if _client is not None:
            _client.close()
            atexit.unregister(close)
        _client = None
