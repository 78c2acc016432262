"""Numbered choices, laid out in as little room as there is.

cell        ``7) K♠ K♥``
span        a cell longer than most takes the room of several, so that one long choice does not push all apart
page        as many lines as fit; what is left over comes with the next one
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from kibitz.engine.sentences import cell_len, padded


def laid_out(labels: Mapping[int, str], width: int, room: int, *, plain: bool = False) -> list[str]:
    """Choices by number as lines: one a line where they fit in the room or, if ``plain``, wherever that is possible."""
    digits = len(str(max(labels)))
    cells = [f"{number:>{digits}}) {label}" for number, label in labels.items()]
    if len(cells) <= room and (plain or max(map(cell_len, cells)) > width // 3):
        return cells
    return columns(cells, width)


def columns(cells: Sequence[str], width: int) -> list[str]:
    """Cells side by side, in reading order."""
    lengths = sorted(map(cell_len, cells))
    most = lengths[3 * len(cells) // 4]
    broad = min((lengths[-1] if lengths[-1] < 2 * most else most) + 3, width + 3)
    across = max(1, (width + 3) // broad)
    lines, used = [""], 0
    for cell in cells:
        span = min(across, -(-(cell_len(cell) + 3) // broad))
        if used + span > across:
            lines.append("")
            used = 0
        lines[-1] += padded(cell, span * broad)
        used += span
    return [line.rstrip() for line in lines]
