"""The page for students shows the output of its commands."""

import runpy
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"


@pytest.mark.long
def test_students_page_is_current():
    page = (DOCS / "students.md").read_text(encoding="utf-8")
    assert runpy.run_path(str(DOCS / "students.py"))["told"](page) == page
    assert "can play COMP10001-Go." in page
    assert "can play Kuhn poker." in page
