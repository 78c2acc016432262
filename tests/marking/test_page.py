"""``docs/marking.md`` is what its commands say: the class hands in, and is marked again."""

import re

import pytest

from tests.marking.students import DOCS, HOME

PAGE = (HOME / "docs" / "marking.md").read_text(encoding="utf-8")


@pytest.mark.long
def test_the_page_on_marking_is_what_its_commands_say(tmp_path):
    DOCS["hand_in"](tmp_path)
    season = DOCS["SEASON"]
    outputs = season["season"](PAGE, lambda command: season["said"](command, tmp_path))
    assert steady(season["rewritten"](PAGE, outputs)) == steady(PAGE)


def steady(page):
    """The page without the second digit of a measured time."""
    return re.sub(r"after 0\.2\d s", "after 0.2 s", page)
