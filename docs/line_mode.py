"""Plays the sessions that ``docs/line-mode.md`` shows, and writes them into the page.

    python docs/line_mode.py          play them and regenerate the page

The page is the script: before every block stands what is typed, and its first line is the command.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

PAGE = Path(__file__).with_name("line-mode.md")
SESSION = re.compile(r"<!-- typed: (.*?) -->\n```\n\$ (kibitz .*?)\n.*?```", re.DOTALL)
KIBITZ = "import sys; from kibitz.cli import main; sys.exit(main(sys.argv[1:]))"


def played(command: str, typed: str) -> str:
    """What a command prints when some lines are typed into it."""
    with tempfile.TemporaryDirectory() as folder:
        places = {"PYTHONPATH": str(PAGE.parents[1] / "src"), "XDG_DATA_HOME": folder, "PYTHONUTF8": "1"}
        ran = subprocess.run(
            [sys.executable, "-c", KIBITZ, *shlex.split(command)[1:]],
            input="".join(f"{line.strip()}\n" for line in typed.split(",")),
            env={"PATH": os.environ.get("PATH", ""), **places},
            encoding="utf-8",
            capture_output=True,
            check=True,
        )
    return ran.stdout


def page(text: str) -> str:
    """The page with its sessions as they go now."""
    return SESSION.sub(
        lambda found: f"<!-- typed: {found[1]} -->\n```\n$ {found[2]}\n{played(found[2], found[1]).strip()}\n```", text
    )


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
