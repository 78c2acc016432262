"""The conversation with a player's process, whatever kind of process it is: load, calls, replies, failures, prints.

    most        the CPU seconds that the current call may use: the limit of a call, or fewer
    doing       what error sentences call the process: the function's name, or "The file" while it is loaded
    idle_time   the seat's idleness; ``idled`` is the idleness before this call

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
from kibitz.players.isolation.wire import LARGEST_CODE, NO_FUNCTION, GarbageError, WireError, as_json, read_reply
from kibitz.players.limits import Limits
from kibitz.players.rated_game import IdleTime

# What a player prints: the first part and the last 2 kB are kept, so that a gigabyte of output takes no memory.
#
# People see it ``printable``: without characters that control a terminal or reverse a line.


LAST_PRINTS = 2048


class Prints:
    """What a player prints; of more than ``room`` bytes, the middle is dropped."""

    def __init__(self, room: int) -> None:
        self.room = max(0, room - LAST_PRINTS)
        self.head, self.last = bytearray(), b""
        self.dropped = 0

    def add(self, chunk: bytes) -> None:
        """Add output, within the bounds."""
        if space := self.room - len(self.head):
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

    def end(self) -> str:
        """The last 2 kB, as they are."""
        return (bytes(self.head[-LAST_PRINTS:]) + self.last)[-LAST_PRINTS:].decode("utf-8", "replace")


def readable(prints: bytes) -> str:
    """The output in a form that is safe to show."""
    return printable(prints.decode("utf-8", "replace").replace("\r\n", "\n"))


# The compiled code of player files, as their processes have sent it, so that the next process need not compile them.
# The referee never looks into it, and gives it only to processes with exactly the same files.


class CodeCache:
    """Compiled code by player files, up to ``most`` characters with the files; a full cache is emptied.

    >>> one, other = Sources((("one.py", b"x = 1"),)), Sources((("other.py", b"x = 2"),))
    >>> cache = CodeCache(most=20)
    >>> cache.put(one, "0123456789")
    >>> cache.get(one), cache.get(other)
    ('0123456789', '')
    >>> cache.put(other, "9876543210")
    >>> cache.get(one), cache.get(other)
    ('', '9876543210')
    """

    def __init__(self, most: int) -> None:
        self.most, self.size = most, 0
        self.codes: dict[Sources, str] = {}

    def get(self, sources: Sources) -> str:
        """The code of a player's files; empty if it isn't in the cache."""
        return self.codes.get(sources, "")

    def put(self, sources: Sources, code: str) -> None:
        """Add the code of a player's files."""
        old_code = self.codes.pop(sources, None)
        self.size -= 0 if old_code is None else sources.size + len(old_code)
        if self.size + sources.size + len(code) > self.most:
            self.codes.clear()
            self.size = 0
        self.codes[sources] = code
        self.size += sources.size + len(code)


CHUNK = 1 << 16
SECOND = 1_000_000_000
CHANNEL_CLOSED = "The player's process closed its channel to the referee."
SEND_ALLOWED = "only whole numbers, strings, None, tuples and lists can be returned"
REPORTED: tuple[FailureKind, ...] = ("load", "exception", "invalid", "memory", "exit")
"""Kinds of failure that the player's process reports itself."""
OWN_NAMES = frozenset(name for name, _, _ in PLAY_FUNCTIONS)
CODE_CACHE = CodeCache(most=64 << 20)
"""The code that players' processes have sent to this process."""
CODE_LINE = re.compile(rb'\["code",\d+,"([A-Za-z0-9+/=]*)"\]')


class Watch(Protocol):
    """Times one call."""

    allowed: float

    def cpu_seconds(self) -> float:
        """Seconds of CPU time since the start."""

    def idle(self) -> float:
        """Seconds of idleness since then."""


class Conversation(ABC):
    """A running player file; ``end`` must be called in the end, and may be called again."""

    def __init__(self, limits: Limits, idle_time: IdleTime | None) -> None:
        self.limits, self.idle_time, self.prints = limits, idle_time or IdleTime(), Prints(limits.output)
        self.seq, self.loaded, self.slowest, self.output_read = 0, 0, 0.0, 0
        self.idled, self.most, self.rest, self.doing = 0.0, limits.call, b"", "The file"
        self.watch: Watch | None = None
        self.stopped_at: int | None = None
        self.status: int | None = None
        self.cap = max(limits.reply, CHUNK)
        self.sources = sources_of("", b"")

    def load(
        self, file: str, source: Source, required: Sequence[RequiredFunction], seed: int, *, allow_play: bool = False
    ) -> list[str]:
        """Load a file that must define the functions ``required``, each with its number of arguments.

        ``source`` is its text, or all files of a player.  With ``allow_play`` it may define ``play`` instead; then the
        functions of Kibitz's own form that it defines are returned, otherwise an empty list.
        """
        self.sources = sources = sources_of(file, source)
        code = CODE_CACHE.get(sources)
        files = [[name, content.decode("latin-1")] for name, content in sources.files]
        arguments = as_json(
            [files, code, [list(function) for function in required], allow_play, seed, self.limits.reply]
        )
        self.idle_time.start_call()
        watch = self.ask(f'"{NO_FUNCTION}",{arguments},[]', self.limits.load)
        line = self.wait(watch, self.cap if code else 2 * LARGEST_CODE)
        if not code and (match := CODE_LINE.fullmatch(line)):
            CODE_CACHE.put(sources, match[1].decode())
            line = self.wait(watch, self.cap)
        defined = self.reply(watch, line, bools=False)
        self.loaded = self.cpu()
        if type(defined) is not list or not set(map(str, defined)) <= OWN_NAMES:
            self.fail("protocol", "The player's process answered a question it wasn't asked.")
        return defined

    def call(
        self,
        function: str,
        arguments: str,
        items: str,
        *,
        bools: bool = False,
        after: bool = False,
        most: float = inf,
        doing: str = "",
    ) -> Any:
        """The value of ``function``; the arguments are packed (``wire.packed``), ``items`` a JSON list of packed ones.

        PlayerError if there is none, or it isn't made of whole numbers, strings, None, tuples and lists; ``bools``
        allows True and False.  With ``after``, a list: the value, and the arguments after the call.
        The call may use ``most`` seconds of work or idleness.  ``doing`` is its name in error sentences.
        """
        self.doing = doing or function
        used = (self.cpu() - self.loaded) / SECOND
        self.most = min(self.limits.call, most)
        allowed = min(self.most, self.limits.bank - used)
        more = ",1" if after else ""
        self.idle_time.start_call()
        watch = self.ask(f'"{function}",{arguments},{items}{more}', allowed, used, most)
        return self.reply(watch, self.wait(watch, self.cap), bools=bools)

    def reply(self, watch: Watch, line: bytes, *, bools: bool) -> Any:
        """The value of a reply that came within the limits, with nothing after it."""
        self.charge()
        self.idle_time.end_call()
        self.watch = None
        if self.rest:
            self.fail("protocol", "The player's process answered twice.")
        spent = watch.cpu_seconds()
        self.slowest = max(self.slowest, spent if self.loaded else 0.0)
        if spent > watch.allowed:
            self.out_of_time(watch, "cpu")
        return self.read(line, bools=bools)

    def read(self, line: bytes, *, bools: bool) -> Any:
        """The value in a reply."""
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
                self.fail(kind, one_line(sentence), detail[:CHUNK])
        return self.fail("protocol", "The player's process answered a question it wasn't asked.")

    def out_of_time(self, watch: Watch, broken: str) -> NoReturn:
        """Fail the player for exceeding a time limit; the detail shows the stack."""
        while_loading = " while it was loaded" if self.doing == "The file" else ""
        if broken == "wall":
            self.charge()
            total = self.idle_time.idled
            explanation = (
                f"did not answer for {total - self.idled:.3g} s{while_loading}: it slept or waited for something"
            )
            if self.idled > 0.01 * total:
                explanation = (
                    f"and the calls before it did not answer for {total:.3g} s: they slept or waited for something"
                )
            self.fail("idle", f"{self.doing} {explanation}.", self.stack())
        if watch.allowed < self.most and not while_loading:
            bank = f"the {self.limits.bank:g} s of CPU time that a player has for a game"
            self.fail("time", f"{self.doing} used up {bank}.", self.stack())
        self.fail("time", f"{self.doing} used more than {watch.allowed:g} s of CPU time{while_loading}.", self.stack())

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

    def charge(self) -> None:
        """Add the idleness of the current call so far to ``idle_time``."""
        if self.watch is not None:
            self.idle_time.idled = self.idled + self.watch.idle()

    def new_output(self) -> str:
        """What has been printed since the last call of this method."""
        self.drain()
        mark, self.output_read = self.output_read, self.prints.total
        return self.prints.since(mark, self.stopped_at)

    @abstractmethod
    def ask(self, rest: str, allowed: float, used: float = 0.0, most: float = inf) -> Any:
        """Send a request that may cost ``allowed`` seconds of CPU time, where calls before it have ``used`` some.

        It may be idle for ``most`` seconds (default: as the limits say).
        """

    @abstractmethod
    def wait(self, watch: Any, cap: int) -> bytes:
        """The next line of the process."""

    @abstractmethod
    def cpu(self) -> int:
        """CPU time so far, in nanoseconds."""

    @abstractmethod
    def drain(self) -> int:
        """Read what has been printed; returns the number of bytes."""

    @abstractmethod
    def stack(self) -> str:
        """The process's present stack, if it still answers."""

    @abstractmethod
    def end(self) -> str:
        """Kill the process; returns what was printed."""


def without_kibitz_frames(stack: str) -> str:
    """A stack without the lines of Kibitz's own code."""
    kibitz_parts = "/kibitz/players/", '  File "<string>"', '  File "<frozen importlib'
    return "\n".join(line for line in stack.splitlines() if not any(part in line for part in kibitz_parts))


def without_folders(stack: str) -> str:
    """A stack without the folders of files, which only say where this machine keeps them.

    >>> without_folders('  File "/usr/lib/python3.12/random.py", line 374 in choice')
    '  File "random.py", line 374 in choice'
    """
    return re.sub(r'(?m)^(  File ")/[^"\n]*/', r"\1", stack)


def one_line(sentence: str) -> str:
    """A sentence from the player's process as a log can hold it."""
    return "".join(c if c.isprintable() else " " for c in sentence[:300])
