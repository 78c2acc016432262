"""How players get into a season and out of it.

submissions     one player's file comes in, into a tournament of some kind; ``intake``: a whole class
qualification   what a file must do first, tried on several cores
roster          whose players there are
custom_games    games among copies of chosen players, which never count
"""
