"""The arena: players' files against one another, and what the results say about who is better.

    open            a season in a store, as a library: ``kibitz.arena.open("season.sqlite")``
    schedule, standings, tournament     one tournament between given players, kept nowhere
    model           the words of a season as values
    store           where a season is kept
    qualification, submissions          how a file gets in
    ratings, pairing, export            what the results say, who meets whom next, the results as CSV
    reports         what the owner of a player needs to know about a failure

Importing this package loads nothing; the store loads SQLAlchemy when a season is opened.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kibitz.arena.api import Arena, open

__all__ = ["Arena", "open"]


def __getattr__(name: str) -> object:
    """Load what is asked for when it is asked for."""
    if name in __all__:
        from importlib import import_module

        return getattr(import_module("kibitz.arena.api"), name)
    raise AttributeError(f"kibitz.arena has no {name!r}")
