"""How players get into a season or a tournament, and out of it.

beginning       what a tournament is called and of which kind it is
submissions     one player's file comes in; ``intake`` a whole class; ``owners`` whose players there are
qualification   what a file must do first; ``trying`` tries several at once
customs         custom games, among copies of chosen players
entrance        a tournament's players, all at once and without a trial
filling         the built-in player that takes seats which nobody has
"""
