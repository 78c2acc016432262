"""The conversation with a player's process of either kind: load, calls, replies, failures and output.

    subject         the subject of error sentences: the function's name, or "The file" while it is loaded
    idle_time       the seat's idle time in the game; ``idled_before`` is what it was before the current call
    load_cpu        nanoseconds of CPU time that the process had used once the file was loaded; 0 before
    bank            the CPU time left for all further calls of the game
    call_seconds    the limit of CPU time for the current call; less is allowed if the bank has less
    unread          bytes that the process sent after the line that was read last
    stack_start     where, in bytes of the output, the stack begins that Kibitz made the process print; None without one

Every failure ends the process and is a PlayerError.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Sequence
from math import inf
from typing import Any, NoReturn, Protocol

from kibitz.engine.sentences import printable
from kibitz.errors import FailureKind, PlayerError
from kibitz.players.files.notebooks import with_cell_lines, with_missing_names
from kibitz.players.files.sources import Source, Sources, sources_of
from kibitz.players.isolation.child import PLAY_FUNCTIONS, RequiredFunction
from kibitz.players.isolation.wire import MAX_CODE, NO_FUNCTION, STACK, GarbageError, WireError, as_json, read_reply
from kibitz.players.limits import Limits
from kibitz.players.rated_game import IdleTime

# What a player prints: the first part and the last 2 kB are kept, so that a gigabyte of output takes little memory.
#
# Before people see it, ``printable`` removes characters that control a terminal or reverse a line.


LAST_PRINTS = 2048


class Prints:
    """What a player prints; if that is more than ``max_bytes``, the middle is dropped."""

    def __init__(self, max_bytes: int) -> None:
        self.head_size = max(0, max_bytes - LAST_PRINTS)
        self.head, self.last = bytearray(), b""
        self.dropped = 0

    def add(self, chunk: bytes) -> None:
        """Add output, within the bounds."""
        if space := self.head_size - len(self.head):
            self.head += chunk[:space]
            chunk = chunk[space:]
        kept = self.last + chunk
        self.last = kept[-LAST_PRINTS:]
        self.dropped += len(kept) - len(self.last)

    def text(self) -> str:
        """The output that was kept, with a line that says how much is missing in the middle."""
        missing = f"\n[... {self.dropped} bytes are left out here ...]\n".encode() if self.dropped else b""
        return readable(bytes(self.head) + missing + self.last)

    @property
    def total(self) -> int:
        """The number of bytes so far, kept or not."""
        return len(self.head) + self.dropped + len(self.last)

    def since(self, mark: int, until: int | None = None) -> str:
        """The output between the byte counts ``mark`` and ``until`` (default: its end), as far as it was kept."""
        last_start = len(self.head) + self.dropped
        kept = bytes(self.head[mark:]) + self.last[max(0, mark - last_start) :]
        cut = 0 if until is None else self.total - until
        return readable(kept[: len(kept) - cut])

    def tail(self) -> str:
        """The last 2 kB, unchanged."""
        return (bytes(self.head[-LAST_PRINTS:]) + self.last)[-LAST_PRINTS:].decode("utf-8", "replace")


def readable(prints: bytes) -> str:
    """The output in a form that is safe to show."""
    return printable(prints.decode("utf-8", "replace").replace("\r\n", "\n"))


# The compiled code of player files, received from their processes, so that the next process need not compile them.
# The referee never unpacks it, and sends it only to processes with exactly the same files.


class CodeCache:
    """A cache of compiled code by player files; a full cache is emptied.

    It is full once code and files together have more than ``max_size`` characters.

    >>> one, other = Sources((("one.py", b"x = 1"),)), Sources((("other.py", b"x = 2"),))
    >>> cache = CodeCache(max_size=20)
    >>> cache.put(one, "0123456789")
    >>> cache.get(one), cache.get(other)
    ('0123456789', '')
    >>> cache.put(other, "9876543210")
    >>> cache.get(one), cache.get(other)
    ('', '9876543210')
    """

    def __init__(self, max_size: int) -> None:
        self.max_size, self.size = max_size, 0
        self.codes: dict[Sources, str] = {}

    def get(self, sources: Sources) -> str:
        """The code of a player's files; empty if it isn't in the cache."""
        return self.codes.get(sources, "")

    def put(self, sources: Sources, code: str) -> None:
        """Add the code of a player's files."""
        old_code = self.codes.pop(sources, None)
        self.size -= 0 if old_code is None else sources.size + len(old_code)
        if self.size + sources.size + len(code) > self.max_size:
            self.codes.clear()
            self.size = 0
        self.codes[sources] = code
        self.size += sources.size + len(code)


CHUNK = 1 << 16
SECOND = 1_000_000_000
CHANNEL_CLOSED = "The player's process closed its channel to the referee."
RETURNABLE_TYPES = "only whole numbers, strings, None, tuples and lists can be returned"
REPORTED_KINDS: tuple[FailureKind, ...] = ("load", "exception", "invalid", "memory", "exit")
"""Kinds of failure that the player's process reports itself."""
PLAY_FUNCTION_NAMES = frozenset(name for name, _, _ in PLAY_FUNCTIONS)
CODE_CACHE = CodeCache(max_size=64 << 20)
"""The code that players' processes have sent to this process."""
CODE_LINE = re.compile(rb'\["code",\d+,"([A-Za-z0-9+/=]*)"\]')


class Watch(Protocol):
    """Times one call, which may use ``allowed`` seconds of CPU time."""

    allowed: float

    def cpu_seconds(self) -> float:
        """Seconds of CPU time since the start."""

    def idle(self) -> float:
        """Seconds of idle time since the start."""


class Conversation(ABC):
    """A running player file; its owner must call ``end``, and may call it again."""

    def __init__(self, limits: Limits, idle_time: IdleTime | None) -> None:
        self.limits, self.idle_time, self.prints = limits, idle_time or IdleTime(), Prints(limits.output)
        self.seq, self.load_cpu, self.slowest, self.output_read = 0, 0, 0.0, 0
        self.idled_before, self.call_seconds, self.unread, self.subject = 0.0, limits.call, b"", "The file"
        self.watch: Watch | None = None
        self.stack_start: int | None = None
        self.status: int | None = None
        self.max_bytes = max(limits.reply, CHUNK)
        self.sources = sources_of("", b"")

    def load(
        self, file: str, source: Source, required: Sequence[RequiredFunction], seed: int, *, allow_play: bool = False
    ) -> list[str]:
        """Load a file that must define the functions ``required``, each with its number of arguments.

        ``source`` is its text, or all files of a player.  With ``allow_play`` it may define ``play`` instead; then the
        functions of the play interface that it defines are returned, otherwise an empty list.
        """
        self.sources = sources = sources_of(file, source)
        code = CODE_CACHE.get(sources)
        files = [[name, content.decode("latin-1")] for name, content in sources.files]
        arguments = as_json(
            [files, code, [list(function) for function in required], allow_play, seed, self.limits.reply]
        )
        self.idle_time.start_call()
        watch = self.ask(f'"{NO_FUNCTION}",{arguments},[]', self.limits.load)
        line = self.wait(watch, self.max_bytes if code else 2 * MAX_CODE)
        if not code and (match := CODE_LINE.fullmatch(line)):
            CODE_CACHE.put(sources, match[1].decode())
            line = self.wait(watch, self.max_bytes)
        defined = self.reply(watch, line, bools=False)
        self.load_cpu = self.cpu()
        if type(defined) is not list or not set(map(str, defined)) <= PLAY_FUNCTION_NAMES:
            self.fail("protocol", "The player's process answered a question it wasn't asked.")
        return defined

    def call(
        self,
        function: str,
        arguments: str,
        items: str,
        *,
        bools: bool = False,
        with_arguments: bool = False,
        max_seconds: float = inf,
        subject: str = "",
    ) -> Any:
        """Call ``function`` and return its value; with ``with_arguments``, a list: value, arguments afterwards.

        ``arguments`` are packed (``wire.packed``), and ``items`` is a JSON list of packed items of the history. The
        value consists of whole numbers, strings, None, tuples and lists, and with ``bools`` of True and False. Raises
        PlayerError otherwise, or if the call fails. It may use up to ``max_seconds`` of CPU time, and be idle as long.
        ``subject`` is its name in error sentences.
        """
        self.subject = subject or function
        used = (self.cpu() - self.load_cpu) / SECOND
        self.call_seconds = min(self.limits.call, max_seconds)
        allowed = min(self.call_seconds, self.limits.bank - used)
        more = ",1" if with_arguments else ""
        self.idle_time.start_call()
        watch = self.ask(f'"{function}",{arguments},{items}{more}', allowed, used, max_seconds)
        return self.reply(watch, self.wait(watch, self.max_bytes), bools=bools)

    def reply(self, watch: Watch, line: bytes, *, bools: bool) -> Any:
        """The value of a reply; fails the player if it came too late or was followed by another."""
        self.update_idle_time()
        self.idle_time.end_call()
        self.watch = None
        if self.unread:
            self.fail("protocol", "The player's process answered twice.")
        spent = watch.cpu_seconds()
        self.slowest = max(self.slowest, spent if self.load_cpu else 0.0)
        if spent > watch.allowed:
            self.out_of_time(watch, "cpu")
        return self.value(line, bools=bools)

    def value(self, line: bytes, *, bools: bool) -> Any:
        """The value in a line; fails the player if the line isn't a reply to the latest request."""
        try:
            reply = read_reply(line, bools=bools)
        except GarbageError as error:
            self.fail("protocol", f"The player's process sent {error} to the referee.")
        except WireError as error:
            self.fail("invalid", f"{self.subject} returned {error}; {RETURNABLE_TYPES}.")
        match reply:
            case ["ok", int(seq), value] if seq == self.seq:
                return value
            case ["error", int(seq), str(kind_name), str(sentence), str(detail)] if (
                seq == self.seq and kind_name in REPORTED_KINDS
            ):
                kind = next(kind for kind in REPORTED_KINDS if kind == kind_name)
                self.fail(kind, one_line(sentence), detail[:CHUNK])
        return self.fail("protocol", "The player's process answered a question it wasn't asked.")

    def out_of_time(self, watch: Watch, limit: str) -> NoReturn:
        """Fail the player for exceeding a limit, "cpu" or "wall"; the detail shows the stack."""
        while_loading = " while it was loaded" if self.subject == "The file" else ""
        if limit == "wall":
            self.update_idle_time()
            total = self.idle_time.seconds
            explanation = (
                f"did not answer for {total - self.idled_before:.3g} s{while_loading}: it slept or waited for something"
            )
            if self.idled_before > 0.01 * total:
                explanation = (
                    f"and the calls before it did not answer for {total:.3g} s: they slept or waited for something"
                )
            self.fail("idle", f"{self.subject} {explanation}.", self.stack())
        if watch.allowed < self.call_seconds and not while_loading:
            bank = f"the {self.limits.bank:g} s of CPU time that a player has for a game"
            self.fail("time", f"{self.subject} used up {bank}.", self.stack())
        self.fail(
            "time", f"{self.subject} used more than {watch.allowed:g} s of CPU time{while_loading}.", self.stack()
        )

    def fail(self, kind: FailureKind, sentence: str, detail: str = "") -> NoReturn:
        """End the process, and raise the player's error."""
        self.idle_time.end_call()
        self.end()
        main, content = self.sources.files[0]
        raise PlayerError(
            kind,
            with_missing_names(with_cell_lines(sentence, main, content), content),
            with_cell_lines(printable(without_folders(detail)), main, content),
        )

    def update_idle_time(self) -> None:
        """Update ``idle_time`` with the idle time of the current call so far."""
        if self.watch is not None:
            self.idle_time.seconds = self.idled_before + self.watch.idle()

    def new_output(self) -> str:
        """What has been printed since the last call of this method."""
        self.drain()
        mark, self.output_read = self.output_read, self.prints.total
        return self.prints.since(mark, self.stack_start)

    def printed_stack(self) -> str:
        """The files and lines of the stack that the process printed last, without Kibitz's own."""
        lines = self.prints.tail().rpartition(STACK)[2].splitlines()
        return without_kibitz_frames("\n".join(line for line in lines if line.startswith('  File "')))

    @abstractmethod
    def ask(self, body: str, allowed: float, used: float = 0.0, max_seconds: float = inf) -> Any:
        """Send a request; ``body`` is JSON: function, arguments, items. Return what times it.

        It may use ``allowed`` seconds of CPU time, after earlier calls have used ``used``, and may be idle for
        ``max_seconds`` (default: as the limits say).
        """

    @abstractmethod
    def wait(self, watch: Any, max_bytes: int) -> bytes:
        """The next line of the process."""

    @abstractmethod
    def cpu(self) -> int:
        """CPU time so far, in nanoseconds."""

    @abstractmethod
    def drain(self) -> int:
        """Read what has been printed; returns the number of bytes."""

    @abstractmethod
    def stack(self) -> str:
        """The process's current stack; empty if it doesn't answer."""

    @abstractmethod
    def end(self) -> str:
        """Kill the process; returns what was printed."""


def without_kibitz_frames(stack: str) -> str:
    """A stack without the lines of Kibitz's own code."""
    kibitz_parts = "/kibitz/players/", '  File "<string>"', '  File "<frozen importlib'
    return "\n".join(line for line in stack.splitlines() if not any(part in line for part in kibitz_parts))


def without_folders(stack: str) -> str:
    """A stack without the folders of files, which differ from machine to machine.

    >>> without_folders('  File "/usr/lib/python3.12/random.py", line 374 in choice')
    '  File "random.py", line 374 in choice'
    """
    return re.sub(r'(?m)^(  File ")/[^"\n]*/', r"\1", stack)


def one_line(sentence: str) -> str:
    """A sentence from the player's process as a log can hold it."""
    return "".join(c if c.isprintable() else " " for c in sentence[:300])
