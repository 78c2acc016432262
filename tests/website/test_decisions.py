"""Decisions are short, and the index lists each with its title and status."""

import re
from pathlib import Path

DECISIONS = Path(__file__).parents[2] / "docs" / "decisions"
PAGES = sorted(DECISIONS.glob("0*.md"))
PAGE = 620
"""The maximum number of words."""


def test_a_decision_is_at_most_one_page_long():
    assert {path.name: count for path in PAGES if (count := len(path.read_text(encoding="utf-8").split())) > PAGE} == {}


def test_the_index_lists_every_decision_with_title_and_status():
    index = (DECISIONS / "README.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (\d+) \| \[(.+?)\]\((.+?)\) \| (.+?) \| .+ \|$", index, re.M)
    heads = []
    for path in PAGES:
        title, _, status = path.read_text(encoding="utf-8").splitlines()[:3]
        number, text = title.removeprefix("# ").split(". ", 1)
        assert int(path.name[:4]) == int(number)
        heads.append((number, text, path.name, status.removeprefix("**Status:** ").removesuffix(".")))
    assert rows == heads
