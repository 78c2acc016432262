"""``docs/marking.md`` shows the output of its commands, run again on the example class."""

import re

import pytest

from tests.marking.students import DOCS, HOME

PAGE = (HOME / "docs" / "marking.md").read_text(encoding="utf-8")


@pytest.mark.long
def test_marking_page_matches_the_output_of_its_commands(tmp_path):
    DOCS["hand_in"](tmp_path)
    season = DOCS["SEASON"]
    outputs = season["season"](PAGE, lambda command: season["said"](command, tmp_path))
    assert with_rounded_times(season["rewritten"](PAGE, outputs)) == with_rounded_times(PAGE)


def with_rounded_times(page):
    """The page with measured times rounded to one digit."""
    return re.sub(r"after 0\.2\d s", "after 0.2 s", page)
