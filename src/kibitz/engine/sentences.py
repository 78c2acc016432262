"""Building blocks of sentences: names and verbs, numbers with nouns, lists, intervals.

names       what the reader calls each seat; "You" for the reader's own seat
"""

from __future__ import annotations

from collections.abc import Sequence
from math import floor, log10

Names = Sequence[str]
YOU = "You"


def names_for(seat: int, names: Sequence[str]) -> list[str]:
    """The names as ``seat`` reads them."""
    return [YOU if p == seat else name for p, name in enumerate(names)]


def verb(seat: int, reader: int, second_person: str, third_person: str) -> str:
    """The form of a verb for the seat ``seat`` in a sentence that ``reader`` reads: "you play", "Ann plays"."""
    return second_person if seat == reader else third_person


def whom(seat: int, reader: int, names: Names) -> str:
    """A seat as an object in a sentence: "you" for the reader's own."""
    return "you" if seat == reader else names[seat]


def counted(number: int, singular: str, plural: str = "") -> str:
    """A number with its noun, whose plural is ``plural``, or ``singular`` with an s.

    >>> counted(1, "game"), counted(2, "game"), counted(2, "match", "matches")
    ('1 game', '2 games', '2 matches')
    """
    return f"{number} {singular if number == 1 else plural or singular + 's'}"


def share_text(share: float, margin: float | None) -> str:
    """A share with its 95 % interval, which is written as a range if it reaches 0 or 100 %, and as "?" if unknown.

    >>> share_text(0.8, 0.164), share_text(0.0, 0.308), share_text(0.5, None)
    ('80.0 % ± 16.4', '0.0 % (0–30.8 %)', '50.0 % ± ?')
    """
    if margin is None or margin <= share <= 1 - margin:
        value, *half = mean_text(100 * share, None if margin is None else 100 * margin, 1).split(" ± ")
        return " ± ".join([f"{value} %", *half])
    digits = max(1, -floor(log10(100 * margin)))
    low, high = (f"{round(100 * min(max(end, 0.0), 1.0), digits):g}" for end in (share - margin, share + margin))
    return f"{100 * share:.{digits}f} % ({low}–{high} %)"


def mean_text(value: float, margin: float | None, digits: int = 2) -> str:
    """A mean with its 95 % interval, with at least ``digits`` decimals, and more where the margin would round to 0.

    Results that are all equal have no interval, and none is shown.

    >>> mean_text(0.25, 0.163), mean_text(0.25, 0.00163), mean_text(-1.0, None), mean_text(0.0, 0.0)
    ('0.25 ± 0.16', '0.250 ± 0.002', '-1.00 ± ?', '0.00')
    """
    if margin is None:
        return f"{value:.{digits}f} ± ?"
    if margin < 1e-9:
        return f"{value:.{digits}f}"
    digits = max(digits, -floor(log10(margin)))
    return f"{value:.{digits}f} ± {margin:.{digits}f}"


def listed(parts: Sequence[str], conjunction: str = "and") -> str:
    """Several things joined in a sentence.

    >>> listed(["Ann", "Ben", "Cem"])
    'Ann, Ben and Cem'
    """
    if len(parts) < 2:
        return "".join(parts) or "nobody"
    return f"{', '.join(parts[:-1])} {conjunction} {parts[-1]}"


def printable(text: str) -> str:
    """A text from outside, in which characters that control a terminal or the direction of text become "?"."""
    return "".join(c if c.isprintable() or c in "\n\t" else "?" for c in text)


def as_sentence(text: str) -> str:
    r"""A text as a sentence: on one line, printable, with a full stop at its end.

    >>> as_sentence("no such\ncard")
    'no such card.'
    """
    line = printable(" ".join(text.split()))
    return line if line.endswith((".", "!", "?")) else line + "."
