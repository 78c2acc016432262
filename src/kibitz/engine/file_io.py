"""Reads and writes files whose paths come from users.

Reading is bounded in time and memory: a pipe that nobody writes to counts as empty, and endless files are cut off. A
file is written completely or not at all.

    opened      a file, open for reading
    beginning   its first bytes
    content     its bytes, up to a limit; ``text`` and ``decoded``: the same as text
    draft       a file beside the target, which is renamed to it once complete
"""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from secrets import token_hex
from typing import BinaryIO

# Reading


LARGEST = 256 << 20
"""No file of people is larger."""


def can_be_file(path: object) -> bool:
    """Whether the system can look for a file of this name."""
    try:
        return isinstance(path, str | Path) and bool(str(path)) and b"\0" not in os.fsencode(path)
    except UnicodeEncodeError:
        return False


def opened(path: str | Path) -> BinaryIO:
    """A file to read bytes from; OSError where there is none.  Nobody is waited for who might write to a pipe."""
    number = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    try:
        if hasattr(os, "O_NONBLOCK"):
            os.set_blocking(number, True)
        return open(number, "rb")
    except BaseException:
        os.close(number)
        raise


def beginning(path: str | Path, most: int) -> bytes:
    """The first ``most`` bytes of a file; OSError where it cannot be read."""
    with opened(path) as file:
        return file.read(most)


def content(path: str | Path, most: int = LARGEST) -> bytes:
    """The bytes of a file; OSError where it cannot be read or has more than ``most``."""
    found = beginning(path, most + 1)
    if len(found) > most:
        raise OSError(errno.EFBIG, f"it is larger than {most >> 20} MiB, the most that is read", str(path))
    return found


def text(path: str | Path, most: int = LARGEST) -> str:
    """The text of a file, as ``decoded``; OSError or UnicodeDecodeError where there is none."""
    return decoded(content(path, most))


def decoded(found: bytes) -> str:
    """A file's text, its lines ended as we end them or as Windows does; UnicodeDecodeError where there is none."""
    return found.decode("utf-8").replace("\r\n", "\n")


# Writing


def write_whole(path: Path, text: str, force: bool, *, private: bool = False) -> None:
    """Write a file that appears under its name only once all of it is on the disk; OSError if that fails.

    Without ``force`` FileExistsError where there is one; a new ``private`` file is for its owner's eyes alone.
    """
    mode = 0o600 if private else 0o666
    with whole_file(path, force, mode) as draft, draft.open("w", encoding="utf-8", newline="\n") as file:
        file.write(text)


@contextmanager
def whole_file(path: Path, force: bool, mode: int = 0o666) -> Iterator[Path]:
    """A draft for the block within to fill; at its end the draft is on the disk and takes the file's name.

    Errors as of ``write_whole``; if the block fails, nothing has changed.
    """
    with drafted(path, mode) as draft:
        yield draft
        with draft.open("rb+") as file:
            os.fsync(file.fileno())
        if force:
            os.replace(draft, path.resolve())
        else:
            take_name(draft, path)


@contextmanager
def drafted(path: Path, mode: int = 0o666) -> Iterator[Path]:
    """An empty file beside ``path``, as open to others as that is, or else ``mode``; gone in the end if still there."""
    target = path.resolve()
    draft = target.with_name(f"{draft_start(target)}{token_hex(8)}")
    mode = target.stat().st_mode & 0o777 if target.exists() else mode
    try:
        os.close(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode))
        yield draft
    finally:
        with suppress(OSError):
            draft.unlink()


def draft_start(target: Path) -> str:
    """What the names of all drafts of a file begin with."""
    return f".{target.name[:50]}."


def take_name(draft: Path, path: Path) -> None:
    """Give a draft the name of a file that is not there; FileExistsError if it is."""
    try:
        os.link(draft, path)
    except FileExistsError:
        raise
    except OSError:  # a file system that knows no links
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL))
        os.replace(draft, path)
