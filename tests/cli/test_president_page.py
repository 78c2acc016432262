"""``docs/president.md`` and its transcript are exactly what the program prints."""

import importlib.util
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / "docs" / "president.py"


@pytest.fixture(scope="module")
def script():
    spec = importlib.util.spec_from_file_location("president_page", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_transcript_in_the_docs_is_current(script):
    """The game is set up by the dialogue, and three people at one keyboard play two computer players."""
    transcript = script.played()
    assert transcript == script.TRANSCRIPT.read_text(encoding="utf-8")
    page = script.PAGE.read_text(encoding="utf-8")
    assert page == script.page(page, transcript)
    for sentence in (
        "Which kinds of five cards count?",
        "Round 1 is over: ",
        "The game is over: ",
        "You are Cem.",
        " for any ",
        "Winner: ",
    ):
        assert sentence in transcript
