"""What the first card of a draft is worth in COMP10001-Go, by its value and by how many of its kind the hand has.

    python -m benchmarks.go_opening [DEALS [WORLDS]]

Each card of an opening hand is laid in the same imagined worlds, and the draft goes on as ``quick`` plays, for all
seats.  A figure is what a card brings beyond the mean of its hand, in points, with its 95 %
interval; the deal is the unit, so cards of one hand count together.
"""

from __future__ import annotations

import argparse
from collections import Counter, defaultdict
from statistics import fmean, stdev

import kibitz
from benchmarks.words import whole
from kibitz.cards import VALUE_NAMES
from kibitz.search.thinking import Search, SearchConfig

DEALS, WORLDS, FEWEST = 300, 60, 12


def gains(deals: int, worlds: int) -> dict[tuple[int, int], list[float]]:
    """By value and number of its kind in the hand: what such cards bring beyond the mean of their hand, by deal."""
    game = kibitz.game("go")
    found: dict[tuple[int, int], list[float]] = defaultdict(list)
    for seed in range(deals):
        state = game.deal(seed)
        hand = game.legal(state)
        search = Search(game, game.view(state, 0), hand, seed, SearchConfig(policy="quick"))
        earned = {card: fmean(end[0] for end in search.ends(card, worlds)) for card in hand}
        mean, kinds = fmean(earned.values()), Counter(card >> 2 for card in hand)
        for value, held in kinds.items():
            found[value, held].append(fmean(earned[card] - mean for card in hand if card >> 2 == value))
    return found


def main() -> None:
    """Print the table; fewer than FEWEST hands tell nothing."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.go_opening", description=main.__doc__)
    parser.add_argument("deals", type=whole(1), nargs="?", default=DEALS)
    parser.add_argument("worlds", type=whole(1), nargs="?", default=WORLDS)
    asked = parser.parse_args()
    deals, worlds = asked.deals, asked.worlds
    found = gains(deals, worlds)
    print(f"{deals} opening hands, {worlds} imagined drafts a card")
    print(f"{'':8}" + "".join(f"{text:>16}" for text in ("one of it", "two", "three")))
    for value in range(13):
        cells = []
        for held in (1, 2, 3):
            some = found.get((value, held), [])
            margin = 1.96 * stdev(some) / len(some) ** 0.5 if len(some) >= FEWEST else None
            cells.append("" if margin is None else f"{fmean(some):+.1f} ± {margin:.1f}")
        print(f"{VALUE_NAMES[value]:8}" + "".join(f"{cell:>16}" for cell in cells))


if __name__ == "__main__":
    main()
