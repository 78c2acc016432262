"""x."""
from random import Random
from kibitz.games.cribbage.view import CribbageView
def greedy(view: CribbageView, legal: list[int], random: Random) -> int:
    return legal[0]
