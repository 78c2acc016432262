"""Files that are written whole or not at all, whatever ends the program meanwhile.

draft       a file beside the one to be written, which takes its name once it is complete
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from secrets import token_hex


def write_whole(path: Path, text: str, force: bool, *, private: bool = False) -> None:
    """Write a file that appears under its name only once all of it is on the disk; OSError if that fails.

    Without ``force`` FileExistsError where there is one; a new ``private`` file is for its owner's eyes alone.
    """
    mode = 0o600 if private else 0o666
    with whole_file(path, force, mode) as draft, draft.open("w", encoding="utf-8", newline="\n") as file:
        file.write(text)


@contextmanager
def whole_file(path: Path, force: bool, mode: int = 0o666) -> Iterator[Path]:
    """A draft that whoever is within this fills; in the end it is on the disk and takes the name of the file.

    Errors as of ``write_whole``; where what is within fails, nothing has changed.
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
