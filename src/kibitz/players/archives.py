"""ZIP archives of strangers, read in memory: nothing is ever unpacked onto a disk.

    member      a file in an archive by its path, with ``/`` between its folders
    refused     archives that reach out of themselves (absolute and climbing paths, links), that would fill the memory,
                or that cannot be read without a password; NotationError with one sentence

Only Python files, archives within and what a platform says about its export are read; the rest is named.
"""

from __future__ import annotations

import io
import stat
import zipfile
import zlib
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from kibitz.errors import NotationError

ARCHIVE = ".zip"
METADATA = "submission_metadata.yml"
LARGEST_FILE = 1 << 20
"""Bytes of a Python file."""
LARGEST_ARCHIVE = 256 << 20
MOST_MEMBERS = 5000
MOST_UNPACKED = 512 << 20
MOST_READ, MOST_READ_WITHIN = 512 << 20, 32 << 20
"""Bytes that are unpacked of a whole export, and of an archive in it with all that it holds."""
DEEPEST = 3
"""So many archives lie within one another at most: a platform's, a student's, and one that was packed twice."""
LONGEST_SHOWN = 100
DAMAGED = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, OSError, ValueError)


@dataclass
class Room:
    """How many bytes may still be unpacked."""

    left: int


@dataclass
class Tree:
    """Files by their path; ``broken`` says of paths why they cannot be read.

    ``others`` are the paths of files that are not read and, with a ``/`` at the end, of folders with nothing in them.
    """

    files: dict[str, bytes] = field(default_factory=dict)
    broken: dict[str, str] = field(default_factory=dict)
    others: list[str] = field(default_factory=list)

    @property
    def paths(self) -> list[str]:
        """Everything that is there, readable or not."""
        return sorted({*self.files, *self.broken})

    def add(self, path: str, content: bytes, depth: int = 0, room: Room | None = None) -> None:
        """Take a file in, and what is in it if it is an archive; one that is damaged is broken alone."""
        if not is_archive(path):
            self.files[path] = content
            return
        try:
            within = members(content, path, depth, room or Room(MOST_READ_WITHIN))
        except NotationError as error:
            self.broken[path] = str(error)
            return
        self.files.update({f"{path}/{name}": found for name, found in within.files.items()})
        self.broken.update({f"{path}/{name}": why for name, why in within.broken.items()})
        self.others += [f"{path}/{name}" for name in within.others]


def named(path: str) -> str:
    """A path for a sentence, in quotes and without what cannot be shown."""
    return repr(path if len(path) <= LONGEST_SHOWN else f"...{path[-LONGEST_SHOWN:]}")


def is_archive(path: str) -> bool:
    """Whether a path is that of an archive, by its name."""
    return path.lower().endswith(ARCHIVE)


def is_wanted(path: str) -> bool:
    """Whether a file is read at all."""
    name = path.rpartition("/")[2]
    return name.endswith(".py") or is_archive(name) or name == METADATA


def is_hidden(path: str) -> bool:
    """Whether a path is one of those that systems and tools leave behind, and nobody writes."""
    parts = path.split("/")
    return any(part.startswith(".") or part in ("__MACOSX", "__pycache__", "node_modules", "venv") for part in parts)


def largest(path: str) -> int:
    """How many bytes a file may have."""
    return LARGEST_ARCHIVE if is_archive(path) else LARGEST_FILE


def too_large(path: str) -> str:
    """What is said of a file that is larger."""
    kind = "an archive" if is_archive(path) else "a player file"
    return f"{named(path)} is larger than {largest(path) >> 20} MiB, the most that {kind} may have."


def members(content: bytes, called: str, depth: int = 0, room: Room | None = None) -> Tree:
    """The Python files of an archive and of those within it; NotationError for one that is refused or damaged."""
    room = room or Room(MOST_READ)
    if depth >= DEEPEST:
        raise NotationError(f"{named(called)} is refused: archives lie more than {DEEPEST} deep in one another.")
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            return unzipped(archive, called, depth, room)
    except DAMAGED as error:
        if isinstance(error, NotationError):
            raise
        raise NotationError(f"{named(called)} is no ZIP archive that can be read: pack it again.") from error


def unzipped(archive: zipfile.ZipFile, called: str, depth: int, room: Room) -> Tree:
    """The files of an open archive, once nothing in it is refused."""
    infos = archive.infolist()
    if why := objection(infos):
        raise NotationError(f"{named(called)} is refused: {why}.")
    found = Tree()
    for info in infos:
        path = inner_path(info)
        if is_hidden(path.rstrip("/")):
            continue
        if info.is_dir() or not is_wanted(path):
            found.others.append(path)
        elif info.file_size > largest(path):
            found.broken[path] = too_large(path)
        elif info.file_size > room.left:
            found.broken[path] = f"{named(called)} holds more than can be read of one archive."
        else:
            room.left -= info.file_size
            found.add(path, archive.read(info), depth + 1, room if depth else None)
    return found


def objection(infos: list[zipfile.ZipInfo]) -> str:
    """Why an archive is not read at all; empty if it may be."""
    if len(infos) > MOST_MEMBERS:
        return f"it holds {len(infos)} files, more than {MOST_MEMBERS}"
    if (size := sum(info.file_size for info in infos)) > MOST_UNPACKED:
        return f"unpacked it would be {-(-size >> 20)} MiB, more than {MOST_UNPACKED >> 20} MiB"
    seen = set()
    for info in infos:
        path = inner_path(info)
        parts = path.split("/")
        if path.startswith("/") or ".." in parts or parts[0].endswith(":"):
            return f"{named(path)} in it leads out of the archive"
        if stat.S_ISLNK(info.external_attr >> 16):
            return f"{named(path)} in it is a link"
        if info.flag_bits & 1:
            return "it is encrypted; pack it without a password"
        if not path.isprintable():
            return f"{named(path)} in it has a name with a character that cannot be shown"
        if path in seen and not info.is_dir():
            return f"{named(path)} is in it twice"
        seen.add(path)
    return ""


def inner_path(info: zipfile.ZipInfo) -> str:
    """A member's path as its folders and its name; some programs of Windows write other separators."""
    return info.orig_filename.replace("\\", "/").partition("\0")[0].removeprefix("./")


def stem(path: str) -> str:
    """The name of a file, an archive or a folder without what says which of them it is.

    >>> stem("class/ann.zip"), stem("ann.py"), stem("ann")
    ('ann', 'ann', 'ann')
    """
    name = PurePosixPath(path).name
    return name[: -len(ARCHIVE)] if is_archive(name) else name.removesuffix(".py")
