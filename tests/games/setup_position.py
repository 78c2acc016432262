"""Positions that are told in words, for tests of what is seen, drawn and said of them."""

from random import Random

import kibitz
from kibitz.engine.setup_position import position_from_facts


def seen(name, told, seed=0):
    """The game, and what the seat that is to act sees of a position that is told."""
    game = kibitz.game(name)
    state = position_from_facts(game, told, Random(seed))
    return game, game.view(state, state.player)
