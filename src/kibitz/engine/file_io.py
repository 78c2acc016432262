"""Reads and writes files whose paths come from users.

Reading is bounded in time and memory: a pipe that nobody writes to counts as empty, and endless files are cut off. A
file is written completely or not at all.

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


MAX_SIZE = 256 << 20
"""The maximum number of bytes that are read of a file that a user names."""


def can_be_file(path: object) -> bool:
    """Whether a value can be the path of a file: a text or Path that isn't empty and has no NUL."""
    try:
        return isinstance(path, str | Path) and bool(str(path)) and b"\0" not in os.fsencode(path)
    except UnicodeEncodeError:
        return False


def open_binary(path: str | Path) -> BinaryIO:
    """A file to read bytes from. Raises OSError if it doesn't exist.  Never waits for a pipe's writer."""
    descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    try:
        if hasattr(os, "O_NONBLOCK"):
            os.set_blocking(descriptor, True)
        return open(descriptor, "rb")
    except BaseException:
        os.close(descriptor)
        raise


def read_start(path: str | Path, most: int) -> bytes:
    """The first ``most`` bytes of a file. Raises OSError if it cannot be read."""
    with open_binary(path) as file:
        return file.read(most)


def read_bytes(path: str | Path, most: int = MAX_SIZE) -> bytes:
    """The bytes of a file. Raises OSError if it cannot be read or has more than ``most`` bytes."""
    result = read_start(path, most + 1)
    if len(result) > most:
        raise OSError(errno.EFBIG, f"it is larger than {most >> 20} MiB, the limit for a file", str(path))
    return result


def read_text(path: str | Path, most: int = MAX_SIZE) -> str:
    """The text of a file, as ``decode_text``. Raises OSError or UnicodeDecodeError if that fails."""
    return decode_text(read_bytes(path, most))


def decode_text(content: bytes) -> str:
    """A file's text, with the line endings of any system. Raises UnicodeDecodeError if it isn't text."""
    return content.decode("utf-8").replace("\r\n", "\n")


# Writing


def write_atomically(path: Path, content: str | bytes, force: bool, *, private: bool = False) -> None:
    """Write a file that appears under its name only when complete. Raises OSError if that fails.

    Without ``force``, raises FileExistsError if the file exists. Only its owner can read a new ``private`` file.
    """
    with atomic_file(path, force, 0o600 if private else 0o666) as draft:
        draft.write_bytes(content.encode() if isinstance(content, str) else content)


@contextmanager
def atomic_file(path: Path, force: bool, mode: int = 0o666) -> Iterator[Path]:
    """A draft for the ``with`` block to fill; when the block ends, the draft is synced and takes the file's name.

    Errors are those of ``write_atomically``; if the block fails, nothing has changed.
    """
    with draft_file(path, mode) as draft:
        yield draft
        with draft.open("rb+") as file:
            os.fsync(file.fileno())
        if force:
            os.replace(draft, path.resolve())
        else:
            link_draft(draft, path)


@contextmanager
def draft_file(path: Path, mode: int = 0o666) -> Iterator[Path]:
    """An empty file beside ``path``, with its permissions or else ``mode``; deleted at the end if it still exists."""
    target = path.resolve()
    draft = target.with_name(f"{draft_prefix(target)}{token_hex(8)}")
    mode = target.stat().st_mode & 0o777 if target.exists() else mode
    try:
        os.close(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode))
        yield draft
    finally:
        with suppress(OSError):
            draft.unlink()


def draft_prefix(target: Path) -> str:
    """The common prefix of a file's drafts."""
    return f".{target.name[:50]}."


def link_draft(draft: Path, path: Path) -> None:
    """Rename a draft to a file that doesn't exist. Raises FileExistsError if it does."""
    try:
        os.link(draft, path)
    except FileExistsError:
        raise
    except OSError:  # a file system without links
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL))
        os.replace(draft, path)
