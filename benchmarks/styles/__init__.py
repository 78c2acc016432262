"""Simple players in different styles, written from the rules alone, to try the built-in players against.

A module per game holds ``STYLES``: by name a strategy, ``(view, legal, random) -> action``. They are not shipped.
``python -m benchmarks.strength GAME DEALS --pool`` plays against each of them.
"""
