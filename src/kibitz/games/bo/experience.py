"""The experience that ``best`` plays Bo by, as it is kept beside this module: the numbers of ``standing``, packed.

``learning`` makes such numbers.  These are from three rounds of 6000 games, begun with the numbers of ``lookahead``.
"""

from __future__ import annotations

import sys
import zlib
from array import array
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path

NAME = "experience.z"


@cache
def experience() -> Sequence[int]:
    """The numbers, which must not be changed."""
    numbers = array("h", zlib.decompress(files(__package__).joinpath(NAME).read_bytes()))
    if sys.byteorder == "big":
        numbers.byteswap()
    return tuple(numbers)


def store(folder: Path, numbers: Sequence[int]) -> None:
    """Pack the numbers into a folder."""
    told = array("h", numbers)
    if sys.byteorder == "big":
        told.byteswap()
    folder.joinpath(NAME).write_bytes(zlib.compress(told.tobytes(), 9))
