"""A process that has everything imported and forks players on request: a new one is ready in about a millisecond.

    order       ``[id, "fork", memory]`` with three descriptors: requests, replies, prints; or
                ``[id, "kill", pid]``, to kill the player and everything it has started, and to reap it
    answer      to "fork" ``[id, pid]`` with a descriptor of the process, and to "kill" ``[id, wait status]``;
                or ``[id, "sentence"]`` if the machine failed

The server is the parent of all players. As a subreaper, it also inherits the processes that they leave behind, and
kills them.  It never reads or compiles players' files.  It reports a player only once that player is confined; if it
can't be confined, that is the machine's failure.
"""

import faulthandler
import fcntl
import gc
import importlib
import json
import os
import signal
import socket
import sys
from contextlib import suppress
from typing import NoReturn

from kibitz.players.isolation.child import REPLIES, REQUESTS, open_streams, serve_referee
from kibitz.players.isolation.wire import LOST_CHANNEL
from kibitz.sandbox.confinement import Confinement
from kibitz.sandbox.filesystem import library
from kibitz.sandbox.linux import SET_CHILD_SUBREAPER, SET_PDEATHSIG, prctl

PRELOADED_MODULES = (
    *("abc", "bisect", "collections", "copy", "dataclasses", "decimal", "enum", "fractions", "functools", "heapq"),
    *("itertools", "math", "operator", "random", "re", "statistics", "string", "time", "typing"),
)
"""Modules that students import, so that a player's process need not."""
OWNER_CHECK_SECONDS = 2.0
"""Seconds between two checks that the owner of this process is alive."""
MAX_ORDER = 4096
"""The maximum number of bytes of an order; files are read in pieces of the same size."""
set_handler = importlib.import_module("_signal").signal
"""``signal.signal`` without converting the previous handler to an enum, which takes a tenth of a player's start."""
READY_FD = REPLIES + 1
"""The descriptor on which a new player reports that it is confined."""


def serve() -> NoReturn:
    """Carry out orders from descriptor 0 until the owner has ended, then end all players."""
    gc.disable()
    os.environ.pop("PWD", None)  # bubblewrap sets it
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    preload_modules()
    open_streams()
    confinement = Confinement(int(sys.argv[2]), seccomp=bool(int(sys.argv[3])))
    sys.path[:] = [path for path in sys.path if f"{path}/".startswith(tuple(f"{folder}/" for folder in library()))]
    prctl("subreaper", SET_CHILD_SUBREAPER, 1)
    faulthandler.enable(2)
    faulthandler.register(signal.SIGUSR1, 2, all_threads=False)
    gc.freeze()
    server = ForkServer(socket.socket(fileno=os.dup(0)), confinement)
    try:
        server.carry_out_orders()
    finally:
        server.kill_all()
        os._exit(0)


def preload_modules() -> None:
    """Import what students import, without the hooks that would run in every new process.

    That of ``random`` draws a seed, which takes a tenth of a player's start; every player gets its match's seed anyway.
    """
    real_function = os.register_at_fork
    vars(os)["register_at_fork"] = lambda **_hooks: None
    try:
        for name in PRELOADED_MODULES:
            importlib.import_module(name)
    finally:
        vars(os)["register_at_fork"] = real_function


class ForkServer:
    """Forks and kills players; one order at a time."""

    def __init__(self, orders: socket.socket, confinement: Confinement) -> None:
        self.orders, self.confinement = orders, confinement
        self.players: set[int] = set()
        self.owner = os.getppid()

    def carry_out_orders(self) -> None:
        """Carry out orders until the channel closes or the owner has ended."""
        self.orders.settimeout(OWNER_CHECK_SECONDS)
        self.reply(0, 0, [os.pidfd_open(os.getpid())])
        while os.getppid() == self.owner:
            try:
                order, fds, _, _ = socket.recv_fds(self.orders, MAX_ORDER, 3)
            except TimeoutError:
                continue
            if not order:
                return
            number, verb, value = json.loads(order)
            pidfds: list[int] = []
            result: int | str
            try:
                if verb == "fork":
                    result = pid = self.fork(fds, value)
                    pidfds = [os.pidfd_open(pid)]
                else:
                    result = self.kill(value)
            except OSError as error:
                result = f"{verb} failed: {error.strerror or error}"
            self.reply(number, result, pidfds)
            for fd in fds:
                os.close(fd)

    def reply(self, number: int, result: int | str, fds: list[int]) -> None:
        """Answer an order, and close this process's copies of the descriptors sent with the answer."""
        socket.send_fds(self.orders, [json.dumps([number, result]).encode()], fds)
        for fd in fds:
            os.close(fd)

    def fork(self, fds: list[int], memory: int) -> int:
        """Fork a new player and return its pid once it is confined."""
        server = os.getpid()
        confirmation, ready = os.pipe()
        pid = os.fork()
        if not pid:
            set_handler(signal.SIGINT, signal.default_int_handler)
            become_player(self.confinement, server, [*fds, ready], memory)
        self.players.add(pid)
        os.close(ready)
        confirmed = os.read(confirmation, 1)
        os.close(confirmation)
        if not confirmed:
            self.kill(pid)
            raise OSError("the kernel did not confine the player's process")
        return pid

    def kill(self, pid: int) -> int:
        """End a player with everything that it has started; returns its wait status."""
        if pid not in self.players:
            raise OSError(f"{pid} is not a player")
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
            os.killpg(pid, signal.SIGKILL)
        status = os.waitpid(pid, 0)[1]
        self.players.discard(pid)
        self.kill_strays()
        return status

    def kill_strays(self) -> None:
        """Kill the processes that players have left behind, and their children, which this process then inherits."""
        while strays := child_pids(os.getpid(), self.confinement.proc_fd) - self.players:
            for pid in strays:
                with suppress(ProcessLookupError, ChildProcessError):
                    os.kill(pid, signal.SIGKILL)
                    os.waitpid(pid, 0)

    def kill_all(self) -> None:
        """Kill all players."""
        for pid in tuple(self.players):
            with suppress(OSError):
                self.kill(pid)


def child_pids(pid: int, proc_fd: int | None = None) -> set[int]:
    """The pids of the children of a single-threaded process; ``proc_fd`` is a descriptor of /proc."""
    proc = os.open("/proc", os.O_RDONLY | os.O_CLOEXEC) if proc_fd is None else proc_fd
    try:
        return {int(word) for word in file_content(f"{pid}/task/{pid}/children", proc).split()}
    except FileNotFoundError:
        return {int(name) for name in os.listdir(proc) if name.isdigit() and parent_pid(name, proc) == pid}
    finally:
        if proc_fd is None:
            os.close(proc)


def file_content(path: str, directory: int) -> bytes:
    """The content of a file in a directory. It uses no file object, so that a fork copies fewer memory pages."""
    result, file = b"", os.open(path, os.O_RDONLY | os.O_CLOEXEC, dir_fd=directory)
    try:
        while chunk := os.read(file, MAX_ORDER):
            result += chunk
    finally:
        os.close(file)
    return result


def parent_pid(pid: str, proc_fd: int) -> int:
    """The pid of a process's parent; 0 if the process has ended."""
    try:
        return int(file_content(f"{pid}/stat", proc_fd).rpartition(b")")[2].split()[1])
    except OSError:
        return 0


def become_player(confinement: Confinement, server: int, fds: list[int], memory: int) -> NoReturn:
    """Turn this freshly forked process into a player's, and answer until the referee closes the channel."""
    status = LOST_CHANNEL
    try:
        os.setsid()
        confinement.apply(memory, lambda: rewire(server, fds))
        os.write(READY_FD, b"1")
        os.close(READY_FD)
        gc.enable()
        serve_referee()
        status = 0
    except (OSError, ValueError):
        pass
    finally:
        os._exit(status)


def rewire(server: int, fds: list[int]) -> None:
    """Make this process die with the server, move every descriptor to its number, and close all others.

    A later change of user would undo the first of these steps.
    """
    prctl("parent's death", SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != server:
        os._exit(0)
    requests, replies, output, ready = (fcntl.fcntl(fd, fcntl.F_DUPFD, READY_FD + 1) for fd in fds)
    for source, target in ((requests, REQUESTS), (replies, REPLIES), (ready, READY_FD), (output, 1), (output, 2)):
        os.dup2(source, target, inheritable=target < 3)
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.closerange(3, REQUESTS)
    os.closerange(READY_FD + 1, 1 << 16)
