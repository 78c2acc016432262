"""The table: one game that is driven, and the referee, who drives it with players of any kind.

    table       one game as a value: the seats to move, what a seat sees and may do, what happened, its record
    session     a table at which people play: who is asked next, what plays itself, what can be undone
    match       the referee: one game between players, ended, with its record
    player      what players are asked, their names, and where they sit in a rematch
    outcomes    how a game, hand or round ended
    saved       saved games

A seat whose player failed forfeits; the game continues with the rules' substitute in its place.
"""

from kibitz.table.match import Match, play_match
from kibitz.table.player import Player
from kibitz.table.table import Table

__all__ = ["Match", "Player", "Table", "play_match"]
