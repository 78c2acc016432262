"""The table: one game that is driven, and the referee, who drives it with players of any kind.

    table       one game as a value: the seats to move, what a seat sees and may do, what happened, its record
    session     a table at which people play: who is asked next, what is played automatically, what can be undone
    match       the referee: what it asks players, and one game between them, ended, with its record
    outcomes    how a game, hand or round ended
    saved       saved games

A seat whose player failed forfeits; the game continues with the rules' substitute in its place.
"""

from kibitz.table.match import Match, Player, play_match
from kibitz.table.table import Table

__all__ = ["Match", "Player", "Table", "play_match"]
