"""Runs the commands of ``docs/students.md`` and writes what they say into the page.

python docs/students.py
"""

from __future__ import annotations

import re
import runpy
import tempfile
from pathlib import Path

PAGE = Path(__file__).with_suffix(".md")
SEASON = runpy.run_path(str(Path(__file__).with_name("season.py")))


def told(page: str) -> str:
    """The page with what its commands say now; the time that a call took is left out."""
    with tempfile.TemporaryDirectory() as folder:

        def block(found: re.Match[str]) -> str:
            (command,) = SEASON["commands"](found[1])
            said = SEASON["said"](command, Path(folder))
            return f"```\n$ {command}\n{re.sub(r'[0-9.]+ ms', '... ms', said).strip()}\n```"

        return str(SEASON["BLOCK"].sub(block, page))


if __name__ == "__main__":
    PAGE.write_text(told(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
