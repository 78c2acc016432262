"""What the study of cribbage has found, as it is kept beside this module: numbers, packed by zlib.

    scores      what five ranks score, in the order in which ``itertools`` combines them
    weights     experience of the play (``pegging``)
    chosen      how often each class of two cards is laid away, by the dealer and by the other seat
    kept        how often each group of four cards is kept, likewise
    cribs       for each class, laid away by the dealer and by the other seat, how likely the crib scores 0, 1, 2 ...
                points, in parts of WHOLE
    pegged      for each group of four cards, kept by the dealer and by the other seat, in how many deals it pegs
                0, 1, 2 ... points, and in how many the other seat does
    shows       in how many deals the other seat's hand, the dealer's and the crib score 0, 1, 2 ... points
    chances     by the dealer's and the other seat's score, the dealer's chance to win, in parts of WHOLE
    errors      half the 95 % intervals of the chances, in parts of WHOLE

``python -m kibitz.games.cribbage.study`` makes them (docs/cribbage-play.md says from how many deals).
"""

from __future__ import annotations

import sys
import zlib
from array import array
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from pathlib import Path

WHOLE = 65535
KINDS: Mapping[str, str] = {
    "scores": "B",
    "weights": "h",
    "chosen": "i",
    "kept": "i",
    "cribs": "H",
    "pegged": "H",
    "shows": "i",
    "chances": "H",
    "errors": "H",
}
"""How wide the numbers of each are, as ``array`` calls it."""


@cache
def stored(name: str) -> array[int]:
    """The numbers of a name; they must not be changed."""
    packed = files(__package__).joinpath("found", f"{name}.z").read_bytes()
    numbers = array(KINDS[name], zlib.decompress(packed))
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers


def store(folder: Path, name: str, numbers: array[int]) -> None:
    """Pack the numbers of a name into a folder."""
    told = array(KINDS[name], numbers)
    if sys.byteorder == "big":
        told.byteswap()
    folder.mkdir(parents=True, exist_ok=True)
    folder.joinpath(f"{name}.z").write_bytes(zlib.compress(told.tobytes(), 9))
