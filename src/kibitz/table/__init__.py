"""The table: one game that is driven, and the referee, who drives it with players of any kind.

table       one game as a value: who is waited for, what a seat sees and may do, what happened, its record
player      anything with the methods of ``Player``
match       one game between players, ended, with its record
forfeit     a seat whose player failed; the game goes on with the rules' substitute in its place
"""

from kibitz.table.match import Match, play_match
from kibitz.table.player import Player
from kibitz.table.table import Table

__all__ = ["Match", "Player", "Table", "play_match"]
