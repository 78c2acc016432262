"""The pages of the documentation that scripts fill in show what the program prints."""

import runpy
from pathlib import Path
from types import SimpleNamespace

import pytest

from kibitz.games.cribbage import evaluation

DOCS = Path(__file__).parents[1] / "docs"


def script_and_page(name):
    """The names that a page's script defines, and the page's text."""
    script = SimpleNamespace(**runpy.run_path(str(DOCS / f"{name}.py")))
    return script, script.PAGE.read_text(encoding="utf-8")


@pytest.mark.long
def test_students_page_shows_the_output_of_its_commands():
    script, page = script_and_page("students")
    assert script.told(page) == page
    assert "can play Go." in page
    assert "can play Kuhn poker." in page


@pytest.mark.long
def test_sessions_in_line_mode_are_current():
    script, page = script_and_page("line_mode")
    assert len(script.SESSION.findall(page)) == 4
    assert script.page(page) == page


def test_transcript_of_president_is_current():
    """The game is set up by the dialogue, and three people at one keyboard play two computer players."""
    script, page = script_and_page("president")
    transcript = script.played()
    assert transcript == script.TRANSCRIPT.read_text(encoding="utf-8")
    assert page == script.page(page, transcript)
    for sentence in ("Which kinds of five cards count?", "Round 1 is over: ", "You are Cem.", "Winner: "):
        assert sentence in transcript


def test_cribbage_page_shows_the_stored_figures():
    script, page = script_and_page("cribbage_play")
    assert page == script.page(page)
    for scores, chance in (((0, 0), "56.0 %"), ((35, 37), "50.6 %")):
        assert f"{100 * evaluation.win_chance(*scores, dealer=True).chance:.1f} %" == chance
        assert chance in page


def test_screens_of_the_terminal_are_current():
    script, page = script_and_page("terminal")
    found = script.screens()
    assert set(script.SCREEN.findall(page)) == set(found)
    assert page == script.page(page, found)
