"""``docs/marking.md`` is what its commands say: the class hands in, and is marked again."""

import pytest

from tests.marking.students import DOCS, HOME

PAGE = (HOME / "docs" / "marking.md").read_text(encoding="utf-8")


@pytest.mark.long
def test_the_page_on_marking_is_what_its_commands_say(tmp_path):
    DOCS["hand_in"](tmp_path)
    season = DOCS["SEASON"]
    outputs = season["season"](PAGE, lambda command: season["said"](command, tmp_path))
    assert season["rewritten"](PAGE, outputs) == PAGE
