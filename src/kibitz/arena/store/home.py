"""Where a season is kept unless one says otherwise: one file in the user's data folder."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from kibitz.errors import StoreError, cause

VARIABLE = "KIBITZ_STORE"
"""The environment's word on where the season is."""
FILE = "arena.sqlite"


def is_path(where: str | Path) -> bool:
    """Whether an address is a file's."""
    return "://" not in str(where)


def default_store() -> Path:
    """Where a season is kept unless one says otherwise."""
    from platformdirs import user_data_path

    return user_data_path("kibitz") / FILE


def make_private(path: Path) -> None:
    """Make a store that only its owner can read: what is secret until a game or a season is over is in it.

    One that is there keeps the rights that somebody has given it; what cannot be made is told when it is opened.
    """
    with suppress(OSError):
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))


def prepare(path: Path) -> None:
    """Make the folder of the default store; other folders must be there."""
    try:
        if path == default_store():
            path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StoreError("refused", f"{path.parent} cannot be made: {cause(error)}.") from error
