"""The screens in ``docs/terminal.md`` match the program's."""

import importlib.util
from pathlib import Path

SCRIPT = Path(__file__).parents[2] / "docs" / "terminal.py"


def test_the_screens_in_the_docs_are_current():
    spec = importlib.util.spec_from_file_location("terminal_page", SCRIPT)
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    text = script.PAGE.read_text(encoding="utf-8")
    found = script.screens()
    assert set(script.SCREEN.findall(text)) == set(found)
    assert text == script.page(text, found)
