"""Writes a command's output files: completely or not at all (``engine.file_io``), without destroying existing files.

Anything but a regular file, such as a pipe or /dev/stdout, is written to directly.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from kibitz.cli.screen import print_text
from kibitz.engine.file_io import draft_file, write_atomically
from kibitz.errors import KibitzError, cause


def check_writable(path: Path | None, force: bool) -> None:
    """Raise KibitzError, before any work is done, if a file exists (without ``force``) or could not be written."""
    if path is None:
        return
    if os.path.lexists(path) and not force:
        raise KibitzError(f"{path} already exists: name another file, or add --force to overwrite it.")
    try:
        if is_device(path):
            with path.open("a"):
                pass
        else:
            with draft_file(path):
                pass
    except OSError as error:
        raise unwritable_error(path, error) from error


def check_folder_writable(folder: Path, force: bool) -> None:
    """Raise KibitzError, before any work is done, if a folder has content (without ``force``) or can't be created."""
    if os.path.lexists(folder) and not (folder.is_dir() and (force or not any(folder.iterdir()))):
        raise KibitzError(f"{folder} already exists: name another folder, or add --force to overwrite files in it.")
    parent = next(path for path in (folder.absolute(), *folder.absolute().parents) if path.exists())
    if not parent.is_dir() or not os.access(parent, os.W_OK):
        raise KibitzError(f"{folder} can't be created: {parent} is not a writable folder.")


def write(path: Path, text: str, force: bool, *, rescue: bool = True) -> None:
    """Write a text to a file. Raises KibitzError if that fails or would overwrite a file without ``force``.

    With ``rescue``, a text that can't be written is printed, so that it isn't lost.
    """
    try:
        if force and is_device(path):
            path.write_text(text, encoding="utf-8", newline="\n")
        else:
            write_atomically(path, text, force)
    except OSError as error:
        if rescue:
            print_text(text)
        if isinstance(error, FileExistsError):
            raise KibitzError(f"{path} already exists: name another file.") from error
        raise unwritable_error(path, error) from error


def write_files(folder: Path, texts: Mapping[str, str], force: bool) -> None:
    """Write texts into a folder, by path; makes the folders. Raises KibitzError like ``make_folder`` and ``write``."""
    make_folder(folder)
    for name in texts:
        make_folder((folder / name).parent)
        check_writable(folder / name, force)
    for name, text in texts.items():
        write(folder / name, text, force, rescue=False)


def make_folder(folder: Path) -> None:
    """Make a folder. Raises KibitzError if that can't be done."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise KibitzError(f"{folder} can't be created: {cause(error)}.") from error


def is_device(path: Path) -> bool:
    """Whether a path exists and isn't a regular file; a folder counts, and can't be written to."""
    return os.path.exists(path) and not os.path.isfile(path)


def unwritable_error(path: Path, error: OSError) -> KibitzError:
    """The error for a file that cannot be written."""
    return KibitzError(f"{path} cannot be written: {cause(error)}.")
