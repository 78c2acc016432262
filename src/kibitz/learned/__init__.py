"""Players that were trained: a network says what each choice is worth, from what the seat sees alone.

    inputs      what a network is fed with: planes of ``kibitz.features``, and what an action takes
    networks    a network in whole numbers, which chooses alike on every machine; its file
    veterans    the player ``veteran``, which plays what its network thinks most of

They need NumPy and nothing else.  How one is trained is shown in ``examples/learning``.
"""

GAME = "president"
"""The game that there is a trained player for."""
