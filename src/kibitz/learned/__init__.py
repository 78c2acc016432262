"""Trained players: a network estimates the value of each choice, from the seat's view alone.

    inputs      the inputs of a network: planes of ``kibitz.features``, and the cards of an action
    networks    a network in whole numbers, which chooses the same on every machine; its file
    veterans    the player ``veteran``, which plays what its network rates highest

They need only NumPy. ``examples/learning`` shows how to train one.
"""

GAME = "president"
"""The game with a trained player."""
