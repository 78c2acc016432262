"""``docs/data.md`` and its pictures match what its commands write."""

import re
import runpy
from pathlib import Path

import pytest

HOME = Path(__file__).parents[2]
DOCS = runpy.run_path(str(HOME / "docs" / "data.py"))
JUDGE = re.compile("compiled|plain Python")
"""The judge says what it runs as; what it finds is the same."""


@pytest.mark.long
def test_the_page_on_data_is_current(tmp_path, monkeypatch):
    monkeypatch.delenv("COLUMNS", raising=False)
    page, pictures = DOCS["played"](tmp_path)
    assert page == DOCS["PAGE"].read_text(encoding="utf-8")
    for name, picture in pictures.items():
        shown = (DOCS["PICTURES"] / name).read_text(encoding="utf-8")
        assert JUDGE.sub("", picture) == JUDGE.sub("", shown), name
        assert f"(pictures/{name})" in page
