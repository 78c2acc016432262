"""Writing what a command has made: whole or not at all, and without ever destroying what was there.

draft       a file beside the one to be written, which takes its name once it is complete
device      what is no regular file, such as a pipe or /dev/stdout, is written to as it is
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from secrets import token_hex

from kibitz.cli.screen import put
from kibitz.errors import KibitzError


def ready(path: Path | None, force: bool) -> None:
    """Refuse a file that could not be written later, before any work is done for it."""
    if path is None:
        return
    if os.path.lexists(path) and not force:
        raise KibitzError(f"{path} exists already: name another file, or add --force to overwrite it.")
    try:
        if is_device(path):
            with path.open("a"):
                pass
        else:
            with drafted(path):
                pass
    except OSError as error:
        raise unwritable(path, error) from error


def folder_ready(folder: Path, force: bool) -> None:
    """Refuse a folder for new files that is there already, or cannot be, before any work is done for it."""
    if os.path.lexists(folder) and not (folder.is_dir() and (force or not any(folder.iterdir()))):
        raise KibitzError(f"{folder} exists already: name another folder, or add --force to overwrite files in it.")
    above = next(place for place in (folder.absolute(), *folder.absolute().parents) if place.exists())
    if not above.is_dir() or not os.access(above, os.W_OK):
        raise KibitzError(f"{folder} cannot be made: {above} is no folder that can be written.")


def write(path: Path, text: str, force: bool, *, rescue: bool = True) -> None:
    """Write a text; KibitzError if that fails or would overwrite something, ``rescue`` then prints the text."""
    try:
        if force and is_device(path):
            path.write_text(text, encoding="utf-8", newline="\n")
        else:
            write_whole(path, text, force)
    except OSError as error:
        if rescue:
            put(text)
        if isinstance(error, FileExistsError):
            raise KibitzError(f"{path} exists already: name another file.") from error
        raise unwritable(path, error) from error


def write_whole(path: Path, text: str, force: bool) -> None:
    """Write a file that appears under its name only once all of it is on the disk."""
    with drafted(path) as draft:
        with draft.open("w", encoding="utf-8", newline="\n") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        if force:
            os.replace(draft, path.resolve())
        else:
            take_name(draft, path)


def is_device(path: Path) -> bool:
    """Whether a path is there and no regular file; a folder counts, and refuses to be written."""
    return path.exists() and not path.is_file()


@contextmanager
def drafted(path: Path) -> Iterator[Path]:
    """An empty file beside ``path``, as open to others as that is; it is gone in the end if it is still there."""
    target = path.resolve()
    draft = target.with_name(f".{target.name[:50]}.{token_hex(8)}")
    mode = target.stat().st_mode & 0o777 if target.exists() else 0o666
    try:
        os.close(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode))
        yield draft
    finally:
        with suppress(OSError):
            draft.unlink()


def take_name(draft: Path, path: Path) -> None:
    """Give a draft the name of a file that is not there; FileExistsError if it is."""
    try:
        os.link(draft, path)
    except FileExistsError:
        raise
    except OSError:  # a file system that knows no links
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL))
        os.replace(draft, path)


def unwritable(path: Path, error: OSError) -> KibitzError:
    """What to say of a file that cannot be written."""
    return KibitzError(f"{path} cannot be written: {(error.strerror or str(error)).lower()}.")
