"""The colours of the words that styles are made of.

The two red suits are bold and of one family, the two black ones plain and of another; each suit has a shade of its own.
"""

from __future__ import annotations

from functools import cache

from rich.style import Style

COLOURS = {
    "heart": "bold #ff5f5f",
    "diamond": "bold #ff9a4d",
    "spade": "#e8e8e8",
    "club": "#8fb4ff",
    "joker": "bold #d79bff",
    "dim": "#9a9a9a",
    "bold": "bold",
    "title": "bold #7fd7d7",
    "mine": "#7fd7d7",
    "offered": "#87d787",
    "chosen": "bold #ffd75f",
    "cursor": "reverse",
    "advised": "underline",
    "button": "bold",
    "ready": "bold #ffd75f",
    "told": "#ffd75f",
    "cue": "#9a9a9a",
    "key": "bold #7fd7d7",
}
SUITS = frozenset({"heart", "diamond", "spade", "club", "joker"})


@cache
def style_of(words: str) -> Style:
    """A style from its words; a card keeps the colour of its suit whatever can be done with it."""
    found = Style()
    for word in sorted(words.split(), key=lambda word: word in SUITS):
        found += Style.parse(COLOURS[word])
    return found
