"""Positions set up from facts, for tests of views, scenes and sentences."""

from random import Random

import kibitz
from kibitz.engine.setup_position import position_from_facts


def view_from_facts(name, facts, seed=0):
    """The game, and the view of the seat to act in a position set up from facts."""
    game = kibitz.game(name)
    state = position_from_facts(game, facts, Random(seed))
    return game, game.view(state, state.player)
