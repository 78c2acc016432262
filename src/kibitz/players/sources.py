"""The files that one player consists of, as bytes: exactly what was handed in, and nothing else.

    main        the file that defines the game's functions
    helpers     the other files, which it can import: ``common.py``, or ``tools/search.py`` as ``tools.search``
    packed      all of them as one file: the main file itself, or an archive that begins with it

Nothing here reads or runs what is in the files: their encoding, too, is the player's process's business.
"""

from __future__ import annotations

import hashlib
import io
import zipfile
from dataclasses import dataclass
from functools import cached_property
from pathlib import PurePosixPath

from kibitz.players.archives import ARCHIVE, members

LARGEST_PLAYER = 1 << 20
MOST_FILES = 100
EPOCH = (1980, 1, 1, 0, 0, 0)


@dataclass(frozen=True)
class Sources:
    """A player's files; ``files`` are pairs of name and content, the main one first and the helpers by name."""

    files: tuple[tuple[str, bytes], ...]

    @property
    def main(self) -> str:
        """The name of the file that defines the game's functions."""
        return self.files[0][0]

    @property
    def helpers(self) -> tuple[str, ...]:
        """The names of the other files."""
        return tuple(name for name, _ in self.files[1:])

    @property
    def size(self) -> int:
        """Bytes of all files together."""
        return sum(len(content) for _, content in self.files)

    @cached_property
    def sha256(self) -> str:
        """Of the files as ``packed`` gives them."""
        return hashlib.sha256(self.packed).hexdigest()

    @cached_property
    def packed(self) -> bytes:
        """All files as one, the same bytes whenever and wherever they are packed."""
        if len(self.files) == 1:
            return self.files[0][1]
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as archive:
            for name, content in self.files:
                member = zipfile.ZipInfo(name, EPOCH)
                member.create_system = 3
                archive.writestr(member, content)
        return out.getvalue()

    def packed_name(self, name: str) -> str:
        """What the packed file of the player ``name`` is called."""
        return self.main if len(self.files) == 1 else f"{name}{ARCHIVE}"


Source = str | bytes | Sources
"""What a player is made of: all its files, or its only one as text or as bytes."""


def sources_of(file: str, source: Source) -> Sources:
    """All files of a player; ``file`` is what its only one is called, where that is given alone."""
    if isinstance(source, str):
        source = source.encode("utf-8", "surrogatepass")
    return Sources(((file, source),)) if isinstance(source, bytes) else source


def unpacked(file: str, content: bytes) -> Sources:
    """The files of a player as ``packed`` has made them; NotationError for a damaged archive."""
    if not file.endswith(ARCHIVE):
        return Sources(((file, content),))
    found = members(content, file)
    return Sources(tuple(found.files.items()))


def module_name(file: str) -> str:
    """What a file is imported as; its own functions are there under the name of the file, without folders.

    >>> module_name("tools/search.py"), module_name("tools/__init__.py")
    ('tools.search', 'tools')
    """
    parts = PurePosixPath(file.removesuffix(".py")).parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
