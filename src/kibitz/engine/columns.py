"""Text in columns on a terminal: a Chinese character takes two cells, a combining accent none."""

from collections.abc import Sequence

from rich.cells import cell_len as cell_len


def padded(text: str, width: int, *, right: bool = False) -> str:
    """A text padded with blanks to ``width`` cells, aligned left or ``right``.

    >>> padded("李", 4), padded("7", 3, right=True)
    ('李  ', '  7')
    """
    blanks = " " * (width - cell_len(text))
    return blanks + text if right else text + blanks


def tabulated(rows: Sequence[Sequence[str]], left: Sequence[int] = (1,)) -> list[str]:
    """Rows as lines with aligned columns; columns in ``left`` are aligned left, others, such as numbers, right."""
    widths = [max(map(cell_len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(
            padded(cell, width, right=i not in left) for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]
