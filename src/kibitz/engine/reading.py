"""Files that people name, read in bounded time and memory: a pipe that nobody writes to is empty, none is endless.

opened      a file to be read from, at once
beginning   its first bytes
content     all of it, if it is no larger than it may be; ``text`` the same as text, ``decoded``
"""

from __future__ import annotations

import errno
import os
from pathlib import Path
from typing import BinaryIO

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
