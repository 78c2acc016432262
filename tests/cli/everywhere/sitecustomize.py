"""Removes Linux-only names from every Python that is started with this folder in PYTHONPATH.

KIBITZ_WITHOUT_LINUX is the file that lists the names (``tests/cli/without_linux.py``).
"""

import os
import runpy
from pathlib import Path

if listed := os.environ.get("KIBITZ_WITHOUT_LINUX"):
    runpy.run_path(str(Path(__file__).parents[1] / "without_linux.py"))["hide_linux"](listed)
