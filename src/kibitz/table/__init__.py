"""The table: runs one game between players of any kind and keeps its record.

player      anything with the methods of ``Player``
match       one game between players, ended, with its record
forfeit     a seat whose player failed; the game goes on with the rules' substitute in its place
"""

from kibitz.table.match import Match, play_match
from kibitz.table.player import Player

__all__ = ["Match", "Player", "play_match"]
