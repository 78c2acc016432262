"""Simple players in different styles, written from the rules alone, as opponents for the built-in players.

Each game's module has ``STYLES``: strategies ``(view, legal, random) -> action`` by name.  They are not shipped.
``python -m benchmarks strength GAME DEALS --pool`` plays against each of them.
"""
