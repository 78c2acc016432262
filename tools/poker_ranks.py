"""Computes the strengths of all poker hands without a flush: ``python -m tools.poker_ranks [FILE]``, in a second."""

from __future__ import annotations

import sys
import zlib
from pathlib import Path

from kibitz.games.poker.hands import evaluator, ranking


def strengths() -> bytes:
    """The bytes of the file: the low bytes of all strengths, then the high ones, in the order of ``evaluator.sums``."""
    values = []
    for totals in evaluator.sums():
        for total in totals:
            counts = [total // 5**rank % 5 for rank in range(13)]
            ranks_by_times = [sum(1 << rank for rank in range(13) if counts[rank] >= times) for times in range(1, 5)]
            values.append(ranking.strength_of_ranks(*ranks_by_times))
    return bytes(value & 255 for value in values) + bytes(value >> 8 for value in values)


def main(path: str = "") -> None:
    """Write the strengths to ``path``, by default to the package's own file."""
    place = Path(path) if path else Path(evaluator.__file__).with_name(evaluator.FILE)
    place.write_bytes(zlib.compress(strengths(), 9))
    print(place)


if __name__ == "__main__":
    main(*sys.argv[1:])
