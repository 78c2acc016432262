"""The arena: players' files against one another, and what the results say about who is better.

    open        a season in a store, as a library: ``kibitz.arena.open("season.sqlite")``; ``api`` and ``reports``
    model       what a season consists of, as values
    entry       how players get in and out
    pairing     who meets whom next; ``schedule``: on which deal, in which seat, and when there is enough
    rating      what the results say: tables, and results as CSV
    running     playing: rounds, workers, and the whole of a tournament (``running.tournament``)
    proof       deriving again all that decides a table
    store       where a season or a tournament is kept
    games       many games between any players: ``kibitz.play_games``, ``ladder``, ``reviews``; in ``chunks``
    feedback    what a player's owner should know of it
    signals     what stops a run from outside; ``csv_files``: reading and writing CSV

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
