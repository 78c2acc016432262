"""What can be said at a table without writing anything."""

from __future__ import annotations

from kibitz.errors import NotationError
from kibitz.remote.messages import Say

PHRASES = (
    "Hello!",
    "Good luck!",
    "Well played.",
    "Unlucky!",
    "Thank you.",
    "One moment, please.",
    "I am back.",
    "Another game?",
    "Goodbye!",
)


def said(request: Say, *, free: bool) -> str:
    """What somebody says; NotationError for no such phrase, or for free text where only phrases may be said."""
    if request.phrase is not None and request.text is None:
        if request.phrase < len(PHRASES):
            return PHRASES[request.phrase]
        raise NotationError(f"There is no phrase {request.phrase}: they are 0 to {len(PHRASES) - 1}.")
    if request.text is None or request.phrase is not None:
        raise NotationError("Give either a 'phrase' or a 'text' of your own.")
    if not free:
        raise NotationError("Only those who sit at this table can write freely: say one of the set phrases.")
    text = " ".join("".join(c if c.isprintable() else " " for c in request.text).split())
    if not text:
        raise NotationError("There is nothing in it to read: write some words.")
    return text
