"""The page on line mode shows what the program prints."""

import importlib.util
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / "docs" / "line_mode.py"


@pytest.mark.long
def test_sessions_on_the_page_are_current():
    spec = importlib.util.spec_from_file_location("line_mode_page", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    text = module.PAGE.read_text(encoding="utf-8")
    assert len(module.SESSION.findall(text)) == 4
    assert module.page(text) == text
