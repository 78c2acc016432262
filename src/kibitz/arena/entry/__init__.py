"""Entry: how players join a season and leave it.

submissions     one player's file is submitted to a tournament; ``class_submission``: a whole class
qualification   what a file must do first, checked on several cores
roster          who owns which player
custom_games    unrated games among copies of chosen players
"""
