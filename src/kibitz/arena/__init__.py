"""The arena: players' files against one another, and what the results say about who is better.

    open        a season in a store, as a library: ``kibitz.arena.open("season.sqlite")``; ``api`` and ``answers``
    model       the words of a season as values
    entry       how players get in and out
    pairing     who meets whom next, and when there is enough
    rating      what the results say: tables, and results as CSV
    running     playing: rounds, workers, and the whole of a tournament (``running.tournament``)
    proof       deriving again all that decides a table
    store       where a season or a tournament is kept
    signals     what stops a run from outside; ``cores`` what a process is bound to; ``sheets`` CSV files
    reports     what the owner of a player needs to know about a failure

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
