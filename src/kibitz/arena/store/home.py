"""Where a season is kept unless one says otherwise: one file in the user's data folder."""

from __future__ import annotations

from pathlib import Path

from kibitz.errors import StoreError

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


def prepare(path: Path) -> None:
    """Make the folder of the default store; other folders must be there."""
    try:
        if path == default_store():
            path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StoreError("refused", f"{path.parent} cannot be made: {str(error.strerror).lower()}.") from error
