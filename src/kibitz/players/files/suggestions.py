"""Suggestions for a missing function: a similar name that the file does define."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from difflib import get_close_matches

from kibitz.engine.sentences import listed
from kibitz.games.published import ASSIGNMENTS
from kibitz.players.isolation.child import PLAY

COURSES = [{function.name for function in those} for those in ASSIGNMENTS.values()]
CLOSE = 0.9
"""How similar two names must be, from 0 to 1, ignoring case."""


def assigned(wanted: Sequence[str]) -> list[str]:
    """The functions of an assignment, without ``play`` unless the assignment has it."""
    own = any(PLAY in course and course <= set(wanted) for course in COURSES)
    return [name for name in wanted if name != PLAY or own]


def suggestion(wanted: Sequence[str], defined: Collection[str], indented: Collection[str] = ()) -> str:
    """The advice to rename or move functions so that they are found; empty if no name resembles a missing one.

    ``indented`` are functions that are defined inside a class, a function or another statement.
    """
    free = {name.lower(): name for name in sorted(set(defined).difference(*COURSES))}
    missing = [name for name in assigned(wanted) if name not in defined]
    close = [f"{free[found]} to {name}" for name in missing for found in get_close_matches(name, free, 1, CLOSE)]
    told = [f"Rename {' and '.join(close)}."] if close else []
    inside = [name for name in missing if name in indented]
    if inside:
        each = "Each" if 1 < len(inside) == len(missing) else listed(inside)
        told.append(f"{each} must begin at the left margin, not inside a class, a function or an if.")
    return " ".join(told)
