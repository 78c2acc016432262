"""Writes the figures of ``docs/cribbage-play.md``: what the study found, and what ``kibitz best`` prints.

python docs/cribbage_play.py      regenerate the page's figures
"""

from __future__ import annotations

import io
import re
from contextlib import redirect_stdout
from itertools import combinations_with_replacement
from pathlib import Path

import numpy as np

from kibitz.cards import VALUES
from kibitz.cli import main as kibitz
from kibitz.games.cribbage import evaluation
from kibitz.games.cribbage.evaluation import (
    CLASSES,
    FIRST_OF_FOUR,
    HANDS_OF_FOUR,
    PEG_BINS,
    RANKS,
    SCALE,
    SHOW_SCORES,
    group_of,
    load_table,
)

PAGE = Path(__file__).resolve().parent / "cribbage-play.md"
BLOCK = re.compile(r"<!-- ([\w-]+) -->\n```\n.*?```", re.DOTALL)
NAMES = [value.replace("0", "10") for value in VALUES]
ASKED = ("best", "cribbage", "5H 6S 7D JC QD KS", "--crib", "mine")
LATE = (*ASKED[:-1], "theirs", "--score", "114-117")
EDGE = 6
"""How many of the best and of the worst hands for the play are shown."""


def printed(words: tuple[str, ...], lines: int) -> str:
    """A command and the first lines that it prints."""
    buffer = io.BytesIO()
    stream = io.TextIOWrapper(buffer, encoding="utf-8")
    with redirect_stdout(stream):
        kibitz(list(words))
    stream.flush()
    shown = " ".join(f'"{word}"' if " " in word else word for word in words)
    said = [line.rstrip() for line in buffer.getvalue().decode("utf-8").splitlines()[:lines]]
    return "\n".join([f"$ kibitz {shown}", *said])


def crib_means() -> np.ndarray:
    """What a crib scores by two ranks laid away, the dealer's and the other seat's: shape (2, RANKS, RANKS)."""
    spread = np.array(load_table("cribs"), np.float64).reshape(2 * CLASSES, SHOW_SCORES) / SCALE
    by_class = (spread @ np.arange(SHOW_SCORES)).reshape(2, RANKS, RANKS)
    found = np.zeros_like(by_class)
    for low, high in combinations_with_replacement(range(RANKS), 2):
        suited, other = by_class[:, high, low], by_class[:, low, high]
        found[:, low, high] = found[:, high, low] = other if low == high else 0.25 * suited + 0.75 * other
    return found


def cribs(seat: int) -> str:
    """One table of cribs."""
    rows = [" " * 2 + "".join(f"{name:>6}" for name in NAMES)]
    rows += [
        f"{name:>2}" + "".join(f"{mean:6.2f}" for mean in row)
        for name, row in zip(NAMES, crib_means()[seat], strict=True)
    ]
    return "\n".join(rows)


def hands() -> str:
    """The hands that peg best and worst, each as the dealer and as the other seat."""
    pegged = np.array(load_table("pegged"), np.float64).reshape(2, HANDS_OF_FOUR, 2, PEG_BINS)
    means = pegged @ np.arange(PEG_BINS) / pegged.sum(3)
    names = {}
    for ranks in combinations_with_replacement(range(RANKS), 4):
        cards = sum(1 << 4 * rank + ranks[:i].count(rank) for i, rank in enumerate(ranks))
        names[group_of(cards) - FIRST_OF_FOUR] = " ".join(NAMES[rank] for rank in ranks)
    often = np.array(load_table("kept"), np.int64).reshape(2, HANDS_OF_FOUR)
    lines = []
    for seat, who in enumerate(("dealer", "other seat")):
        kept = [group for group in range(HANDS_OF_FOUR) if often[seat, group] >= 40]
        order = sorted(kept, key=lambda group: means[seat, group, 0] - means[seat, group, 1])
        for title, some in (("best", order[: -EDGE - 1 : -1]), ("worst", order[:EDGE])):
            lines.append(f"{who}, {title}:")
            lines += [
                f"  {names[group]:<12} pegs {means[seat, group, 0]:.2f}, the other {means[seat, group, 1]:.2f}"
                for group in some
            ]
    return "\n".join(lines)


def positions() -> str:
    """The dealer's chance to win in per cent, every tenth score and 115 and 120."""
    marks = [*range(0, 111, 10), 115, 120]
    rows = ["dealer" + "".join(f"{other:>6}" for other in marks)]
    for mine in marks:
        chances = (evaluation.win_chance(mine, other, dealer=True).chance for other in marks)
        rows.append(f"{mine:>6}" + "".join(f"{100 * chance:6.1f}" for chance in chances))
    return "\n".join(rows)


def page(text: str) -> str:
    """The page with new figures."""
    made = {
        "best": lambda: printed(ASKED, 6),
        "late": lambda: printed(LATE, 5),
        "before": lambda: printed(("best", "cribbage", "--crib", "mine", "--score", "35-37"), 1),
        "own-cribs": lambda: cribs(0),
        "other-cribs": lambda: cribs(1),
        "hands": hands,
        "board": positions,
    }
    return BLOCK.sub(lambda block: f"<!-- {block[1]} -->\n```\n{made[block[1]]()}\n```", text)


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
