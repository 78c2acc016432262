"""The games, one package each; ``kibitz.engine.registry`` finds them by their names.

A package's games are called as it is, ``go`` and ``go-mini``.  Where one set of rules plays several games, they have
names of their own, which stand here so that a game is found without importing the others.
"""

FAMILIES = {"poker": ("holdem", "draw", "kuhn", "leduc")}
"""By package, the names of its games up to the hyphen, where they are not the package's name."""
