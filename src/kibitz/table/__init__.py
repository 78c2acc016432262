"""A game in play, and the referee, which plays one from deal to result by asking its players for actions.

    table       one game without input or output: who is to move, what a seat sees and may do, and the record
    session     a table at which people play: who is asked next, what is played automatically, what can be undone
    match       the referee, the methods of a player that it calls, and the finished game with its record
    outcomes    sentences on how a game, hand or round ended
    saved       saved games

If a player fails, its seat forfeits, and the rules' ``substitute`` chooses the seat's actions from then on.
"""

from kibitz.table.match import Match, Player, play_match
from kibitz.table.table import Table

__all__ = ["Match", "Player", "Table", "play_match"]
