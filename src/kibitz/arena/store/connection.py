"""Opening a store (skeleton: being filled in)."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kibitz.arena.store.store import Store


def open_store(where: str | Path, *, create: bool = True, patience: float = 30.0) -> Store:
    """The store at a path (SQLite) or a ``postgresql://`` URL, brought up to date if it is older.

    ``patience``: seconds for which a locked database or a lost connection is tried again.  StoreError with one
    sentence where there is none and none may be made, it is newer than this Kibitz, no store, or cannot be reached.
    """
    raise NotImplementedError
