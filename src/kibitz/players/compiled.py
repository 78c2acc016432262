"""The compiled code of player files, as their processes have told it, so that the next process need not compile them.

It is never looked into, and given to processes of the very same files only.
"""

from __future__ import annotations

from kibitz.players.sources import Sources


class Compiled:
    """The code of files, of ``most`` characters with the files themselves; where there is no room, all is forgotten.

    >>> one, other = Sources((("one.py", b"x = 1"),)), Sources((("other.py", b"x = 2"),))
    >>> known = Compiled(most=20)
    >>> known.keep(one, "0123456789")
    >>> known.of(one), known.of(other)
    ('0123456789', '')
    >>> known.keep(other, "9876543210")
    >>> known.of(one), known.of(other)
    ('', '9876543210')
    """

    def __init__(self, most: int) -> None:
        self.most, self.size = most, 0
        self.codes: dict[Sources, str] = {}

    def of(self, sources: Sources) -> str:
        """The code of files; empty if it is not known."""
        return self.codes.get(sources, "")

    def keep(self, sources: Sources, code: str) -> None:
        """Remember the code of files."""
        known = self.codes.pop(sources, None)
        self.size -= 0 if known is None else sources.size + len(known)
        if self.size + sources.size + len(code) > self.most:
            self.codes.clear()
            self.size = 0
        self.codes[sources] = code
        self.size += sources.size + len(code)
