"""Finds players at a path: archives and folders, the files of one player, and the players of a class."""
