"""A player file in a process of its own, for one game and seat.

    bank        what is left of the CPU time for the whole game
    account     the seconds in which it has slept or waited so far; the load and all calls together may do so for as
                long as ``Limits.idleness`` says, and longer only as they have worked
    lost        the process has ended or has closed its channel
    table       the processes that a thread of ours has at once: the players of its game
    stopped     halted by us: while one of a table thinks for long, the others stand still, for their timers and
                naps would interrupt it at the cost of its own CPU time

Every failure ends the process and is a PlayerError.  A process that the machine does not give us is a
MachineError, for which nobody forfeits.
"""

from __future__ import annotations

import os
import re
import select
import signal
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, NoReturn
from weakref import WeakSet

from kibitz.errors import FailureKind, MachineError, PlayerError
from kibitz.players.child import Wanted
from kibitz.players.clocks import FIRST_LOOK, SECOND, STARVED, Stopwatch, cpu_time
from kibitz.players.ledger import Account
from kibitz.players.limits import FORGIVEN, Limits
from kibitz.players.prints import Prints
from kibitz.players.sources import Source, Sources, sources_of
from kibitz.players.wire import LARGEST_CODE, LOST_CHANNEL, NO_FUNCTION, GarbageError, WireError, read_reply, text
from kibitz.players.zygote import Forked, zygote

CHUNK = 1 << 16
TRICKLE, PAUSE = 1 << 12, 0.001
"""Bytes that are too few to come again for them at once; seconds until more may have come."""
SEND_ALLOWED = "only whole numbers, strings, None, tuples and lists can be returned"
REPORTED: tuple[FailureKind, ...] = ("load", "exception", "invalid", "memory", "exit")
"""Kinds of failure that the player's process reports itself."""
SURVIVED = frozenset(("exception", "invalid", "exit"))
"""Those after which a lasting process can be asked again.  An exit is one that Python has raised and we have caught."""
STACK = "(most recent call first):\n"
CODES: dict[Sources, str] = {}
"""The compiled code of files, as their processes have told it; only processes of the same files ever read it."""
MOST_CODE = 64 << 20
"""Characters of code and sources that are kept; files that are made to be long could fill the memory otherwise."""
CODE_LINE = re.compile(rb'\["code",\d+,"([A-Za-z0-9+/=]*)"\]')


class Table(threading.local):
    """The processes of this thread."""

    def __init__(self) -> None:
        self.processes: WeakSet[PlayerProcess] = WeakSet()


TABLE = Table()


class PlayerProcess:
    """One running player file; ``end`` must be called in the end, and may be called again.

    ``account`` is the seat's, if its match may be begun again.  A ``lasting`` one goes on after calls that have raised
    something or returned what cannot be returned.
    """

    def __init__(self, limits: Limits, account: Account | None = None, *, lasting: bool = False) -> None:
        self.limits, self.account, self.prints = limits, account or Account(), Prints(limits.output)
        self.lasting = lasting
        self.seq, self.loaded, self.slowest, self.heard = 0, 0, 0.0, 0
        self.watch: Stopwatch | None = None
        self.idled = 0.0
        self.unsent, self.rest, self.doing = b"", b"", "The file"
        self.stopped_at: int | None = None
        self.status: int | None = None
        self.orphaned, self.stopped = False, False
        self.cap = max(limits.reply, CHUNK)
        self.server = zygote()
        (self.name, self.pid, self.gone), self.requests, self.replies, self.output = self.fork()
        os.set_blocking(self.requests, False)
        os.set_blocking(self.output, False)
        self.quick, self.slow, self.exit = select.poll(), select.poll(), select.poll()
        for fd, polls in (
            (self.replies, (self.quick, self.slow)),
            (self.gone, (self.quick, self.slow, self.exit)),
            (self.output, (self.slow,)),
        ):
            for poll in polls:
                poll.register(fd, select.POLLIN)
        TABLE.processes.add(self)

    def fork(self) -> tuple[Forked, int, int, int]:
        """A new process and our ends of its three pipes; MachineError if there is none."""
        fds: list[int] = []
        try:
            for _ in range(3):
                fds += os.pipe()
            forked = self.server.fork((fds[0], fds[3], fds[5]), self.limits.memory)
        except BaseException as error:
            for fd in fds:
                os.close(fd)
            if isinstance(error, OSError):
                raise MachineError(f"No process for a player can be started: {error.strerror}.") from error
            raise
        for fd in (fds[0], fds[3], fds[5]):
            os.close(fd)
        return forked, fds[1], fds[2], fds[4]

    def load(self, file: str, source: Source, wanted: Sequence[Wanted], seed: int) -> None:
        """Load a file that must define the functions ``wanted``, each with its number of arguments.

        ``source`` is its text, or all files of a player.  A process that compiles them passes the code on to the
        next.  We never look into it.
        """
        sources = sources_of(file, source)
        code = CODES.get(sources, "")
        files = [[name, content.decode("latin-1")] for name, content in sources.files]
        order = text([files, code, [list(one) for one in wanted], seed, self.limits.reply])
        watch = self.ask(f'"{NO_FUNCTION}",{order},[]', self.limits.load)
        line = self.wait(watch, self.cap if code else 2 * LARGEST_CODE)
        if not code and (found := CODE_LINE.fullmatch(line)):
            keep(sources, found[1].decode())
            line = self.wait(watch, self.cap)
        self.reply(watch, line, bools=False)
        self.loaded = self.cpu()

    def call(self, function: str, arguments: str, items: str, *, bools: bool = False, after: bool = False) -> Any:
        """The value of ``function``; the arguments are packed (``wire.packed``), ``items`` a JSON list of packed ones.

        PlayerError if it gives none, or one that holds anything but the plainest values; True and False only
        with ``bools``.  With ``after`` it is a list of the value and of the arguments as the function has left them.
        """
        self.doing = function
        used = (self.cpu() - self.loaded) / SECOND
        allowed = min(self.limits.call, self.limits.bank - used)
        more = ",1" if after else ""
        watch = self.ask(f'"{function}",{arguments},{items}{more}', allowed, used)
        return self.reply(watch, self.wait(watch, self.cap), bools=bools)

    def ask(self, rest: str, allowed: float, used: float = 0.0) -> Stopwatch:
        """Send a request that may cost ``allowed`` seconds of CPU time, where calls before it have ``used`` some."""
        if self.status is not None:
            raise PlayerError("exit", "The player's process has ended.")
        if self.quick.poll(0):
            self.unasked()
        self.stop(stopped=False)
        self.idled = self.account.idled
        wall, patient = self.limits.wall(allowed), self.account.patient
        left = self.limits.idleness(used, patient=patient) - self.idled
        idle = min(left, wall * (1 + FORGIVEN * patient))
        try:
            self.watch = watch = Stopwatch(self.pid, allowed, idle, STARVED * wall)
        except OSError:  # ended since the poll, and is nobody's child any more
            self.lost()
        self.seq += 1
        self.unsent = f"[{self.seq},{rest}]\n".encode()
        self.send()
        return watch

    def reply(self, watch: Stopwatch, line: bytes, *, bools: bool) -> Any:
        """The value of a reply that has come within the limits and with nothing after it."""
        self.charge()
        self.watch = None
        if self.rest:
            self.fail("protocol", "The player's process answered twice.")
        spent = watch.spent()
        self.slowest = max(self.slowest, spent if self.loaded else 0.0)
        if spent > watch.allowed:
            self.out_of_time(watch, "cpu")
        return self.read(line, bools=bools)

    def charge(self) -> None:
        """Put what the call at hand has idled so far on the account."""
        if self.watch is not None:
            self.account.idled = self.idled + self.watch.idle()

    def cpu(self) -> int:
        """CPU time so far, in nanoseconds."""
        with suppress(OSError):
            return cpu_time(self.pid)
        return self.loaded

    def stop(self, *, stopped: bool = True) -> None:
        """Halt the process until it is asked, or let it go on."""
        if self.stopped != stopped and self.status is None:
            with suppress(OSError):
                signal.pidfd_send_signal(self.gone, signal.SIGSTOP if stopped else signal.SIGCONT)
            self.stopped = stopped

    def send(self) -> None:
        """Send what the pipe takes of the request."""
        try:
            self.unsent = self.unsent[os.write(self.requests, self.unsent) :]
        except BlockingIOError:
            pass
        except BrokenPipeError:
            self.lost()
        if self.unsent:
            self.slow.register(self.requests, select.POLLOUT)
        else:
            with suppress(KeyError):
                self.slow.unregister(self.requests)

    def wait(self, watch: Stopwatch, cap: int) -> bytes:
        """The next line of the process; most come before the first look at a clock."""
        got, self.rest = self.rest, b""
        poll, patience = (self.slow if self.unsent else self.quick), float(FIRST_LOOK)
        while b"\n" not in got:
            fds = [fd for fd, _ in poll.poll(patience)]
            if self.replies in fds:
                chunk = os.read(self.replies, CHUNK) or self.lost()
                got += chunk
                if b"\n" in chunk:
                    break
                if len(got) > cap:
                    self.fail("invalid", f"{self.doing} returned more than {cap >> 10} kB.")
                let_more_come(len(chunk))
            elif self.gone in fds:
                self.lost()
            for other in TABLE.processes - {self}:
                other.stop()
            self.look_after(watch, fds)
            poll, patience = self.slow, watch.nap()
        line, _, self.rest = got.partition(b"\n")
        return line

    def look_after(self, watch: Stopwatch, fds: Sequence[int]) -> None:
        """While the process is at work: take what it prints, send what is unsent, look at the clocks."""
        if self.output in fds:
            let_more_come(self.drain())
        if self.unsent:
            self.send()
        if broken := watch.broken():
            self.out_of_time(watch, broken)
        if self.account.due():
            self.charge()
            self.account.look()

    def drain(self) -> int:
        """Take what has been printed; how many bytes that was."""
        taken = 0
        for _ in range(64):
            try:
                chunk = os.read(self.output, CHUNK)
            except BlockingIOError:
                break
            if not chunk:
                with suppress(KeyError):
                    self.slow.unregister(self.output)
                break
            self.prints.add(chunk)
            taken += len(chunk)
        return taken

    def said(self) -> str:
        """What has been printed since this was last asked."""
        if self.status is None:
            self.drain()
        mark, self.heard = self.heard, self.prints.total
        return self.prints.since(mark, self.stopped_at)

    def read(self, line: bytes, *, bools: bool) -> Any:
        """The value that a reply holds."""
        try:
            reply = read_reply(line, bools=bools)
        except GarbageError as error:
            self.fail("protocol", f"The player's process sent {error} to the referee.")
        except WireError as error:
            self.fail("invalid", f"{self.doing} returned {error}; {SEND_ALLOWED}.")
        match reply:
            case ["ok", int(seq), value] if seq == self.seq:
                return value
            case ["error", int(seq), str(named), str(sentence), str(detail)] if seq == self.seq and named in REPORTED:
                kind = next(kind for kind in REPORTED if kind == named)
                if self.lasting and kind in SURVIVED:
                    raise PlayerError(kind, one_line(sentence), detail[:CHUNK])
                self.fail(kind, one_line(sentence), detail[:CHUNK])
        return self.fail("protocol", "The player's process answered something that it was not asked.")

    def unasked(self) -> NoReturn:
        """Something has come from the process before it was asked."""
        if [fd for fd, _ in self.quick.poll(0) if fd == self.replies] and os.read(self.replies, CHUNK):
            self.fail("protocol", "The player's process answered before it was asked.")
        self.lost()

    def lost(self) -> NoReturn:
        """Find out how the process has ended, if it has; MachineError if it had to, because its server has ended."""
        by_itself = self.exit.poll(1000)
        self.end()
        if self.orphaned:
            raise MachineError("The server for players' processes has ended, and its players with it.")
        code = os.waitstatus_to_exitcode(self.status or 0)
        if not by_itself or code == LOST_CHANNEL:
            self.fail("protocol", "The player's process closed its channel to the referee.")
        how = f"was stopped by {signal_name(-code)}" if code < 0 else f"ended itself with exit status {code}"
        if code == -signal.SIGSYS:
            how = "asked the kernel for something that only an attack needs, and was stopped (SIGSYS)"
        self.fail("exit", f"The player's process {how}.", without_ours(self.prints.end()))

    def out_of_time(self, watch: Stopwatch, broken: str) -> NoReturn:
        """The player has broken a limit of time; its owner learns where it was."""
        while_loading = " while it was loaded" if self.doing == "The file" else ""
        if broken == "wall":
            self.charge()
            total = self.account.idled
            waits = f"did not answer for {total - self.idled:.3g} s{while_loading}: it slept or waited for something"
            if self.idled > 0.01 * total:
                waits = f"and the calls before it did not answer for {total:.3g} s: they slept or waited for something"
            self.fail("idle", f"{self.doing} {waits}.", self.stack())
        if watch.allowed < self.limits.call and not while_loading:
            bank = f"the {self.limits.bank:g} s of CPU time that a player has for a game"
            self.fail("time", f"{self.doing} used up {bank}.", self.stack())
        self.fail("time", f"{self.doing} used more than {watch.allowed:g} s of CPU time{while_loading}.", self.stack())

    def stack(self) -> str:
        """Where the process is now, if it still tells: the fork server has set a handler that prints it."""
        self.drain()
        self.stopped_at = self.prints.total
        with suppress(OSError):
            signal.pidfd_send_signal(self.gone, signal.SIGUSR1)
            if self.exit.poll(20):
                return ""
        self.drain()
        shown = self.prints.end().rpartition(STACK)[2]
        return without_ours("\n".join(line for line in shown.splitlines() if line.startswith('  File "')))

    def fail(self, kind: FailureKind, sentence: str, detail: str = "") -> NoReturn:
        """End the process because of the player."""
        self.end()
        raise PlayerError(kind, sentence, detail)

    def end(self) -> str:
        """Kill the process with everything that it has started; what was printed."""
        if self.status is None:
            self.status = signal.SIGKILL
            self.charge()
            try:
                self.status = self.server.kill(self.name)
            except MachineError:
                self.orphaned = True
                self.server.close()
            finally:
                self.drain()
                TABLE.processes.discard(self)
                for fd in (self.requests, self.replies, self.output, self.gone):
                    os.close(fd)
        return self.prints.text()


def let_more_come(taken: int) -> None:
    """Pause after a trickle: who writes byte by byte would have us work a hundred times as long as itself."""
    if taken < TRICKLE:
        time.sleep(PAUSE)


def keep(sources: Sources, code: str) -> None:
    """Keep a player's code for its next game, without its neighbours if there is no room."""
    if sum(len(known) + other.size for other, known in CODES.items()) + sources.size + len(code) > MOST_CODE:
        CODES.clear()
    CODES[sources] = code


def without_ours(stack: str) -> str:
    """A stack without the lines that are the fork server's."""
    ours = "/kibitz/players/", '  File "<string>"', '  File "<frozen importlib'
    return "\n".join(line for line in stack.splitlines() if not any(part in line for part in ours))


def signal_name(number: int) -> str:
    """A signal as people know it."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def one_line(sentence: str) -> str:
    """A sentence from the player's process as a log can hold it."""
    return "".join(c if c.isprintable() else " " for c in sentence[:300])
