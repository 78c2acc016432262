"""What a Python file defines and imports, by a look at its text: nothing of it is compiled or run.

    outline     the functions and names defined at the left margin, and the modules that are imported anywhere

A file need not be Python that this version can compile: a player of the days of Python 2 is found and told so.
Texts and comments are left out of the look, and every step is linear in the file's length.
"""

from __future__ import annotations

import codecs
import re
from functools import lru_cache
from typing import NamedTuple

TEXTS = re.compile(
    r"""(?s)'''(?:\\.|[^\\])*?(?:'''|\Z)|\"\"\"(?:\\.|[^\\])*?(?:\"\"\"|\Z)"""
    r"""|'(?:\\.|[^'\\\n])*'?|"(?:\\.|[^"\\\n])*"?|\#[^\n]*"""
)
DEFINED = re.compile(r"^(?:(?:async[ \t]+)?def[ \t]+(\w+)[ \t]*\(|(\w+)[ \t]*(?::[^=\n]*)?=(?!=))", re.MULTILINE)
FROM = re.compile(r"^[ \t]*from[ \t]+([\w.]+)[ \t]+import[ \t]*(?:\(([^()]*)\)|([^\n;]*))", re.MULTILINE)
IMPORT = re.compile(r"^[ \t]*import[ \t]+([^\n;]+)", re.MULTILINE)
CONTROL = bytes({*range(32)} - {*b"\t\n\v\f\r\x1a\x1b"})
"""Bytes that stand in no text of one byte a character."""
UTF_16 = codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE


class Outline(NamedTuple):
    """Names that a file defines, that it takes from modules (``*`` for all), and the modules that it imports."""

    defined: frozenset[str]
    taken: frozenset[tuple[str, str]]
    modules: frozenset[str]


def is_text(content: bytes) -> bool:
    """Whether a file's bytes may be a text at all, in whatever encoding."""
    return content.startswith(UTF_16) or len(content.translate(None, CONTROL)) == len(content)


@lru_cache(maxsize=256)
def outline(content: bytes) -> Outline:
    """The outline of a file's bytes, whatever their encoding: names of functions are ASCII in all that matter."""
    encoding = "utf-16" if content.startswith(UTF_16) else "latin-1"
    text = content.decode(encoding, "replace").removeprefix("\xef\xbb\xbf")
    text = TEXTS.sub(lambda found: "''", text.replace("\r\n", "\n").replace("\r", "\n")).replace("\\\n", " ")
    defined = {a or b for a, b in DEFINED.findall(text)}
    taken, modules = set(), set()
    for module, within, alone in FROM.findall(text):
        modules.add(module)
        for part in (within or alone).split(","):
            words = part.split()
            if words:
                taken.add((module, words[-1]))
                modules.add(f"{module}.{words[0]}")
    for line in IMPORT.findall(text):
        modules |= {part.split()[0] for part in line.split(",") if part.split()}
    return Outline(frozenset(defined), frozenset(taken), frozenset(modules))
