"""Markdown as people write it, made such that every reader of it agrees.

fence       a block of code between two lines of backticks
prose       what lies outside of fences and of code in a line
"""

from __future__ import annotations

import re
from collections.abc import Callable

FENCE = re.compile(
    r"^(?P<indent> *)(?P<ticks>```+)(?P<language>[^\n`]*)\n(?P<body>.*?)^(?P=indent)(?P=ticks) *$", re.M | re.S
)
CODE = re.compile(r"(?P<quote>`+)(?!`).+?(?<!`)(?P=quote)(?!`)", re.S)
COMMENT = re.compile(r"<!--.*?-->\n?", re.S)
TARGET = re.compile(r"\]\((?P<target>[^()\s]+)\)")
ITEM = re.compile(r" *(?:[*+-]|\d+\.) +\S")
HEADING = re.compile(r"^(#+) ", re.M)


def outside_fences(text: str, change: Callable[[str], str], fence: Callable[[re.Match[str]], str]) -> str:
    """A text with a change made to what lies outside of fences, and another to each of these."""
    parts, end = [], 0
    for found in FENCE.finditer(text):
        parts += [change(text[end : found.start()]), fence(found)]
        end = found.end()
    return "".join([*parts, change(text[end:])])


def as_it_is(found: re.Match[str]) -> str:
    """A fence without a change."""
    return found[0]


def relinked(text: str, place: Callable[[str], str]) -> str:
    """A text with the targets of its links changed; code is left alone."""

    def prose(part: str) -> str:
        kept: list[str] = []

        def away(found: re.Match[str]) -> str:
            kept.append(found[0])
            return f"\0{len(kept) - 1}\0"

        masked = TARGET.sub(lambda found: f"]({place(found['target'])})", CODE.sub(away, part))
        return re.sub("\0(\\d+)\0", lambda found: kept[int(found[1])], masked)

    return outside_fences(text, prose, as_it_is)


def plainly(text: str) -> str:
    """A page in the Markdown that Python-Markdown reads as others do: lists, indents, languages; without comments."""
    return outside_fences(text, lambda part: spaced(COMMENT.sub("", part)), with_language)


def spaced(part: str) -> str:
    """Prose with an empty line before every list, and what belongs to an item set in by four spaces."""
    lines: list[str] = []
    for line in part.split("\n"):
        if ITEM.match(line) and lines and lines[-1].strip() and not in_list(lines[-1]):
            lines.append("")
        lines.append(re.sub(r"^ {2,3}(?=\S)", "    ", line))
    return "\n".join(lines)


def in_list(line: str) -> bool:
    """Whether a line is an item, or goes on with one."""
    return bool(ITEM.match(line)) or line.startswith("  ")


def with_language(found: re.Match[str]) -> str:
    """A fence that says what is in it, set in by four spaces where it belongs to an item."""
    body, language = found["body"], found["language"].strip()
    if language in ("", "python"):
        language = "pycon" if body.lstrip().startswith(">>> ") else language
    if not language:
        language = "console" if body.lstrip().startswith("$ ") else "text"
    block = f"{found['ticks']}{language}\n{body}{found['indent']}{found['ticks']}"
    if not found["indent"]:
        return block
    width = len(found["indent"])
    lines = [line[width:] if line[:width].isspace() else line for line in f"{found['indent']}{block}".split("\n")]
    return "\n".join(f"    {line}" if line else "" for line in lines)


def demoted(text: str, by: int) -> str:
    """A text whose headings stand some levels lower."""
    return outside_fences(text, lambda part: HEADING.sub(lambda found: f"{'#' * by}{found[1]} ", part), as_it_is)


def title_of(text: str) -> str:
    """The first heading of a page, without marks; empty if it has none."""
    found = re.search(r"^# (.+)$", text, re.M)
    return re.sub(r"[`*]", "", found[1]).strip() if found else ""
