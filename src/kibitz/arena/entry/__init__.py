"""Entry: how players join a season and leave it.

submissions     how one player's file is submitted to a tournament; ``class_submission`` does it for a whole class
qualification   the checks that a file must pass first
roster          who owns which player
custom_games    unrated games among copies of chosen players
"""
