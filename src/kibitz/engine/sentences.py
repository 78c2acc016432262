"""Small words that every game's sentences share.

names       what each seat is called by the reader, "You" for the reader's own seat
"""

from collections.abc import Sequence

Names = Sequence[str]
YOU = "You"


def names_for(seat: int, names: Sequence[str]) -> list[str]:
    """The names as ``seat`` reads them."""
    return [YOU if p == seat else name for p, name in enumerate(names)]


def verb(who: int, reader: int, yours: str, theirs: str) -> str:
    """The verb that agrees with the seat ``who`` as ``reader`` reads it: "you play", "Ann plays"."""
    return yours if who == reader else theirs


def whom(who: int, reader: int, names: Names) -> str:
    """A seat inside a sentence: "you" for the reader's own."""
    return "you" if who == reader else names[who]


def counted(number: int, thing: str, things: str = "") -> str:
    """A number of things.

    >>> counted(1, "game"), counted(2, "game"), counted(2, "match", "matches")
    ('1 game', '2 games', '2 matches')
    """
    return f"{number} {thing if number == 1 else things or thing + 's'}"


def listed(parts: Sequence[str]) -> str:
    """Several things in a sentence.

    >>> listed(["Ann", "Ben", "Cem"])
    'Ann, Ben and Cem'
    """
    if len(parts) < 2:
        return "".join(parts) or "nobody"
    return ", ".join(parts[:-1]) + " and " + parts[-1]


def harmless(text: str) -> str:
    """A stranger's text without what would steer a terminal, or turn a line around."""
    return "".join(c if c.isprintable() or c in "\n\t" else "?" for c in text)


def finished(text: str) -> str:
    r"""A text on one line with its full stop.

    >>> finished("no such\ncard")
    'no such card.'
    """
    line = harmless(" ".join(text.split()))
    return line if line.endswith((".", "!", "?")) else line + "."
