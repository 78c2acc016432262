"""The arena: tournaments and seasons among player files, and ratings from their results.

    open            a season in a store, as a library: ``kibitz.arena.open("season.sqlite")``
    api             ``Arena``, which ``open`` returns; ``season_reports``: its rankings, histories and failures
    model           the data types of a season
    entry           submissions, rosters and qualification
    pairing         draws the lineups of a round; ``schedule``: deals, seats, and when a tournament ends
    rating          standings, ratings, and results as CSV
    running         plays rounds on workers; ``running.tournament`` plays a whole tournament
    proof           recomputes everything that decides a ranking, and compares
    store           where a season or a tournament is kept
    games           many games between any players: ``kibitz.play_games``; workers play them in ``chunks``
    ladder          rates a game's built-in players; ``reviews``: judges every decision of a game; ``puzzles``
    player_reports  a page for a player's owner
    signals         stops a run on Ctrl-C or SIGTERM; ``csv_files``: reads and writes CSV

Importing this package loads nothing; the store loads SQLAlchemy when a season is opened.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kibitz.arena.api import Arena, open

__all__ = ["Arena", "open"]


def __getattr__(name: str) -> object:
    """Import a public name on first use."""
    if name in __all__:
        from importlib import import_module

        return getattr(import_module("kibitz.arena.api"), name)
    raise AttributeError(f"kibitz.arena has no {name!r}")
