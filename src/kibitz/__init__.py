"""Kibitz: card games in Python, played, judged, studied and computed with.

    game, all_games     the games: deals, legal actions, views, determinizations, words (``Game``)
    Table               one game, driven step by step by a person, a server or a study
    play_games          many games between built-in players, your own functions and player files, as arrays
    decisions           the decisions in such games: what a player saw, could do and did
    random_games        millions of random games, in machine code
    simulate, stats     any number of games into a file; statistics of such files and of records, with intervals
    features            what a seat sees as a tensor, every cell of it documented
    read_record         the record of a game, verified line by line (``Record``, ``UnfinishedRecord``)
    records, tabulate   all records in files, folders and archives, verified and filtered; the same as a table
    View, Event, Outcome    what a seat may know, what has happened, how a game ended
    KibitzError         the base of every error that is raised on purpose

>>> import kibitz
>>> go = kibitz.game("go")
>>> table = kibitz.Table.deal(go, seed=3)
>>> table.act(0, table.legal(0)[0])
>>> games = kibitz.play_games(go, ["greedy", "random"], n=4, workers=1)
>>> games.scores.shape
(4, 4)

Importing this package loads neither NumPy nor Numba; machine code is made when a batch is first played.  docs/api.md
describes everything.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from kibitz.arena.games import Decision, PlayedGames, decisions, play_games
    from kibitz.data.collections import records
    from kibitz.data.simulation import simulate
    from kibitz.data.statistics import stats
    from kibitz.data.tabulation import tabulate
    from kibitz.engine.game import Game
    from kibitz.engine.kernels.batch import Batch, random_games
    from kibitz.engine.record import Record, UnfinishedRecord
    from kibitz.engine.record import read_any as read_record
    from kibitz.engine.registry import all_games, game
    from kibitz.engine.views.events import Event, Outcome, View
    from kibitz.errors import KibitzError
    from kibitz.table.table import Table
    from kibitz.tensors.features import Features, features

__version__ = "0.1.0"
__all__ = [
    "Batch",
    "Decision",
    "Event",
    "Features",
    "Game",
    "KibitzError",
    "Outcome",
    "PlayedGames",
    "Record",
    "Table",
    "UnfinishedRecord",
    "View",
    "all_games",
    "decisions",
    "features",
    "game",
    "play_games",
    "random_games",
    "read_record",
    "records",
    "simulate",
    "stats",
    "tabulate",
]

_HOMES = {
    "Batch": "engine.kernels.batch",
    "Decision": "arena.games",
    "Event": "engine.views.events",
    "Features": "tensors.features",
    "Game": "engine.game",
    "KibitzError": "errors",
    "Outcome": "engine.views.events",
    "PlayedGames": "arena.games",
    "Record": "engine.record",
    "Table": "table.table",
    "UnfinishedRecord": "engine.record",
    "View": "engine.views.events",
    "all_games": "engine.registry",
    "decisions": "arena.games",
    "features": "tensors.features",
    "game": "engine.registry",
    "play_games": "arena.games",
    "random_games": "engine.kernels.batch",
    "read_record": "engine.record",
    "records": "data.collections",
    "simulate": "data.simulation",
    "stats": "data.statistics",
    "tabulate": "data.tabulation",
}


def __getattr__(name: str) -> object:
    """Import a public name on first use."""
    if name in _HOMES:
        from importlib import import_module

        found = getattr(import_module(f"kibitz.{_HOMES[name]}"), {"read_record": "read_any"}.get(name, name))
        globals()[name] = found
        return found
    raise AttributeError(f"kibitz has no {name!r}; it has {', '.join(__all__)}")


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
