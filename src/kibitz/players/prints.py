"""What a player prints: the first part and the last 2 kB are kept, so a gigabyte costs no memory.

What people read of it is ``harmless``: nothing in it steers a terminal, or turns a line around.
"""

from kibitz.engine.sentences import harmless

LAST_PRINTS = 2048


class Prints:
    """What a player prints, within bounds."""

    def __init__(self, room: int) -> None:
        self.room = max(0, room - LAST_PRINTS)
        self.head, self.last = bytearray(), b""
        self.dropped = 0

    def add(self, chunk: bytes) -> None:
        """Keep what there is room for."""
        if fits := self.room - len(self.head):
            self.head += chunk[:fits]
            chunk = chunk[fits:]
        kept = self.last + chunk
        self.last = kept[-LAST_PRINTS:]
        self.dropped += len(kept) - len(self.last)

    def text(self) -> str:
        """All that is kept, with a line where something is missing."""
        missing = f"\n[... {self.dropped} bytes are left out here ...]\n".encode() if self.dropped else b""
        return readable(bytes(self.head) + missing + self.last)

    @property
    def total(self) -> int:
        """Bytes so far, kept or not."""
        return len(self.head) + self.dropped + len(self.last)

    def since(self, mark: int, until: int | None = None) -> str:
        """What is kept of all that has come after the first ``mark`` bytes, up to the first ``until``."""
        gone = len(self.head) + self.dropped
        found = bytes(self.head[mark:]) + self.last[max(0, mark - gone) :]
        after = 0 if until is None else self.total - until
        return readable(found[: len(found) - after])

    def end(self) -> str:
        """The last 2 kB, as they are."""
        return (bytes(self.head[-LAST_PRINTS:]) + self.last)[-LAST_PRINTS:].decode("utf-8", "replace")


def readable(prints: bytes) -> str:
    """What was printed, as people read it."""
    return harmless(prints.decode("utf-8", "replace").replace("\r\n", "\n"))
