"""Draw the charts of docs/push-or-fold.md: ``python docs/push_or_fold.py [FOLDER]``.

A cell tells up to which stack, in big blinds, a hand is pushed or called; a hand with a gap has its stacks below.
"""

from __future__ import annotations

import sys
from pathlib import Path

from kibitz.games.poker.hands.pushfold import STACKS, stacks_of
from kibitz.games.poker.hands.ranges import CLASSES, name_of

CELL, HEAD = 52, 40
SIDE = 13 * CELL
CHARTS = (
    ("push", "Small blind: push with at most this many big blinds", False),
    ("call", "Big blind: call a push with at most this many big blinds", True),
)


def colour(stack: float) -> str:
    """From white for never to a deep green for always."""
    share = stack / STACKS[-1]
    red, green, blue = (round(255 + share**0.7 * (dark - 255)) for dark in (46, 139, 87))
    return f"#{red:02x}{green:02x}{blue:02x}"


def amount(stack: float) -> str:
    """A stack as charts write it."""
    return f"{STACKS[-1]:g}+" if stack == STACKS[-1] else f"{stack:.1f}"


def cell(number: int, spans: list[tuple[float, float]]) -> str:
    """One hand: its name, up to which stack, and its stacks where it has a gap."""
    row, column = divmod(number, 13)
    x, y, most = column * CELL, HEAD + row * CELL, spans[-1][1] if spans else 0.0
    middle = x + CELL / 2
    parts = [
        f'<rect x="{x}" y="{y}" width="{CELL}" height="{CELL}" fill="{colour(most)}" stroke="#888"/>',
        f'<text x="{middle}" y="{y + 19}" class="hand">{name_of(number)}</text>',
        f'<text x="{middle}" y="{y + 35}">{amount(most) if spans else "–"}</text>',
    ]
    if len(spans) > 1:
        gaps = " ".join(f"{first:.1f}–{last:.1f}" for first, last in spans)
        parts.append(f'<text x="{middle}" y="{y + 47}" class="gap">{gaps}</text>')
    return "".join(parts)


def picture(title: str, calling: bool) -> str:
    """A whole chart as SVG."""
    cells = [cell(number, stacks_of(number, calling=calling)) for number in range(CLASSES)]
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {SIDE} {HEAD + SIDE}" role="img">',
            f"<title>{title}</title>",
            "<style>text{font:13px sans-serif;text-anchor:middle;fill:#111}.hand{font-weight:bold}"
            ".gap{font-size:6.5px}.title{font-size:18px}</style>",
            f'<rect width="{SIDE}" height="{HEAD + SIDE}" fill="#fff"/>',
            f'<text x="{SIDE / 2}" y="26" class="title">{title}</text>',
            *cells,
            "</svg>",
            "",
        ]
    )


def main(folder: str = "") -> None:
    """Write the charts into a folder, that of the page if none is named."""
    home = Path(folder) if folder else Path(__file__).parent / "pictures"
    home.mkdir(parents=True, exist_ok=True)
    for name, title, calling in CHARTS:
        home.joinpath(f"push-or-fold-{name}.svg").write_text(picture(title, calling), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
