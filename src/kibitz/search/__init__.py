"""Search: small games are solved, all others are searched. Trained players look at the view alone, without searching.

    network_inputs  the inputs of a network: planes of ``kibitz.features``, and the cards of an action
    networks        a network in whole numbers, which chooses the same on every machine; its file
    veterans        the player ``veteran``, which plays what its network rates highest

Trained players need only NumPy. ``examples/learning`` shows how to train one.
"""
