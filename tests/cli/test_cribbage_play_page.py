"""``docs/cribbage-play.md`` shows exactly the results of the study."""

import importlib.util
from pathlib import Path

from kibitz.games.cribbage import evaluation

SCRIPT = Path(__file__).parents[2] / "docs" / "cribbage_play.py"


def test_page_shows_the_stored_figures():
    spec = importlib.util.spec_from_file_location("cribbage_play_page", SCRIPT)
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    page = script.PAGE.read_text(encoding="utf-8")
    assert page == script.page(page)
    assert page.count("```") == 14
    for win_chance, where in (
        (evaluation.win_chance(0, 0, dealer=True), "56.0 %"),
        (evaluation.win_chance(35, 37, dealer=True), "50.6 %"),
    ):
        assert f"{100 * win_chance.chance:.1f} %" == where
        assert where in page
