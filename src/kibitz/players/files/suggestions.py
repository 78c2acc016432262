"""What a file may have meant by a function that it does not define: a name of its own that is close to it."""

from __future__ import annotations

import difflib
from collections.abc import Collection, Iterable

from kibitz.games.published import ASSIGNMENTS

CLOSE = 0.9
"""How like two names must be, from 0 to 1, whatever the case of their letters."""


def suggestion(missing: Iterable[str], defined: Collection[str]) -> str:
    """What to rename so that the functions are found; empty if no name among those defined is like a missing one."""
    assigned = {function.name for those in ASSIGNMENTS.values() for function in those}
    free = {name.lower(): name for name in sorted(set(defined) - assigned)}
    close = [
        f"{free[found]} to {name}"
        for name in missing
        if name not in defined
        for found in difflib.get_close_matches(name, free, 1, CLOSE)
    ]
    return f"Rename {' and '.join(close)}." if close else ""
