"""Computes the all-in equity of each class of starting hands against each: ``python -m tools.poker_matchups [FILE]``.

Some 47,000 pairs of hands differ in more than the names of their suits; machine code counts the boards of each pair.
That takes about five minutes on one core, and gives the same bytes on every machine.
"""

from __future__ import annotations

import os
import sys
import zlib
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import permutations
from pathlib import Path

from kibitz.cards import CardSet
from kibitz.games.poker.hands import ranges
from kibitz.games.poker.hands.equity import hand_equity, renamed

Pair = tuple[CardSet, CardSet]
SUITS = tuple(permutations(range(4)))


def standard(first: CardSet, second: CardSet) -> Pair:
    """The least of all pairs of hands that differ from this one only in the names of the suits."""
    return min((renamed(first, suits), renamed(second, suits)) for suits in SUITS)


def pairs(first: int, second: int) -> Counter[Pair]:
    """The standard pairs of hands of a matchup, each with how often it occurs.

    By the symmetry of suits all hands of the first class meet the same pairs, so one of them is enough.
    """
    hand = ranges.combos(first)[0]
    counts = Counter(standard(hand, other) for other in ranges.combos(second) if not hand & other)
    return Counter({pair: times * len(ranges.combos(first)) for pair, times in counts.items()})


def every_matchup() -> Iterator[tuple[int, int]]:
    """All matchups in the order of the file."""
    for first in range(ranges.CLASSES):
        for second in range(first, ranges.CLASSES):
            yield first, second


def with_wins(pair: Pair) -> tuple[Pair, tuple[int, int]]:
    """A pair with the boards that its first hand wins and ties."""
    equity = hand_equity(pair)
    return pair, (equity.wins[0], equity.ties[0])


def file_content() -> bytes:
    """The file: for each matchup the boards that the first hand wins, then those that it ties, compressed."""
    all_pairs = [pairs(*matchup) for matchup in every_matchup()]
    distinct_pairs = sorted({pair for matchup_pairs in all_pairs for pair in matchup_pairs})
    with_wins(distinct_pairs[0])
    known_counts: dict[Pair, tuple[int, int]] = {}
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for pair, counts in pool.map(with_wins, distinct_pairs):
            known_counts[pair] = counts
            if len(known_counts) % 500 == 0 or len(known_counts) == len(distinct_pairs):
                print(f"\r{len(known_counts):,} of {len(distinct_pairs):,} pairs", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    columns = []
    for column in (0, 1):
        sums = (
            sum(times * known_counts[pair][column] for pair, times in matchup_pairs.items())
            for matchup_pairs in all_pairs
        )
        columns.append(b"".join(total.to_bytes(4, "little") for total in sums))
    return zlib.compress(b"".join(columns), 9)


def main(path: str = "") -> None:
    """Write the file; without a path, that of the package."""
    file = Path(path) if path else Path(ranges.__file__).with_name(ranges.FILE)
    file.write_bytes(file_content())
    print(file)


if __name__ == "__main__":
    main(*sys.argv[1:])
