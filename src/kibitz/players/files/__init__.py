"""Which files of a path are a player: archives and folders, the files of one player, and players of a path."""
