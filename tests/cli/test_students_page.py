"""The page for students shows what its commands say."""

import runpy
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"


@pytest.mark.long
def test_the_page_shows_what_its_commands_say():
    page = (DOCS / "students.md").read_text(encoding="utf-8")
    assert runpy.run_path(str(DOCS / "students.py"))["told"](page) == page
    assert "is fit to play COMP10001-Go." in page
    assert "is fit to play Kuhn poker." in page
