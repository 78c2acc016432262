"""Writing what a command has made, without ever destroying what was there."""

from __future__ import annotations

from pathlib import Path

from kibitz.errors import KibitzError


def ready(path: Path | None, force: bool) -> None:
    """Refuse a file that could not be written later, before any work is done for it."""
    if path is None:
        return
    there = path.exists()
    if there and not force:
        raise KibitzError(f"{path} exists already: name another file, or add --force to overwrite it.")
    try:
        with path.open("a"):
            pass
        if not there:
            path.unlink()
    except OSError as error:
        raise unwritable(path, error) from error


def write(path: Path, text: str, force: bool, *, rescue: bool = True) -> None:
    """Write a text; KibitzError if that fails or would overwrite something, ``rescue`` then prints the text."""
    try:
        with path.open("w" if force else "x", encoding="utf-8", newline="\n") as file:
            file.write(text)
    except OSError as error:
        if rescue:
            print(text)
        if isinstance(error, FileExistsError):
            raise KibitzError(f"{path} exists already: name another file.") from error
        raise unwritable(path, error) from error


def unwritable(path: Path, error: OSError) -> KibitzError:
    """What to say of a file that cannot be written."""
    return KibitzError(f"{path} cannot be written: {(error.strerror or str(error)).lower()}.")
