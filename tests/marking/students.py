"""Student files from the example class of ``docs/marking.md``."""

import runpy
from pathlib import Path

HOME = Path(__file__).parents[2]
DOCS = runpy.run_path(str(HOME / "docs" / "marking.py"))
HONEST = DOCS["HONEST"]
CLASS = DOCS["CLASS"]
hand_in = DOCS["hand_in"]
