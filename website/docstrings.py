"""Docstrings as Markdown: examples and glossaries, which are set in or begin with ``>>>``, become blocks of code."""

from __future__ import annotations

import re
from typing import Any

import griffe

COLUMNS = re.compile(r"^\S+(?: \S+)* {2,}\S.*(?:\n {4,}\S.*|\n\S+(?: \S+)* {2,}\S.*)+", re.M)
COMMAND = re.compile(r"``([^`\n]+)``")


class Readable(griffe.Extension):
    """Makes every docstring that is read one of Markdown."""

    def on_package(self, *, pkg: griffe.Module, **_: Any) -> None:
        """Change the docstrings of a package and of all that is in it."""
        change(pkg)


def change(found: griffe.Object) -> None:
    """Change the docstring of a module, a class, a function or an attribute, and those below it."""
    if found.docstring is not None:
        found.docstring.value = as_markdown(found.docstring.value)
    for member in found.members.values():
        if isinstance(member, griffe.Object):
            change(member)


def as_markdown(text: str) -> str:
    r"""A docstring whose examples and glossaries are blocks of code.

    >>> as_markdown("One.  Two.\n\n    seat    a place")
    'One. Two.\n\n```text\nseat    a place\n```'
    """
    blocks = [block for block in re.split(r"\n{2,}", text) if block.strip()]
    return "\n\n".join(map(block_of, blocks))


def block_of(block: str) -> str:
    """One paragraph of a docstring."""
    lines = block.split("\n")
    if lines[0].startswith(">>> "):
        return f"```pycon\n{block}\n```"
    if all(line.startswith("    ") for line in lines):
        return "```text\n" + "\n".join(line[4:] for line in lines) + "\n```"
    if COLUMNS.fullmatch(block):
        return f"```text\n{block}\n```"
    return re.sub(r"(?<=[.:;]) {2,}", " ", COMMAND.sub(r"`\1`", block))
