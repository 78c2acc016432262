"""The input of Zensical: every page, valid links, the rules of every game, nothing inline."""

from pathlib import PurePosixPath

import pytest

from kibitz.engine.registry import families
from website import building, games, hardening, markdown, reference, staging

HOME = building.HOME
PARTS = ("## How to play well", "## Notation", "## A worked game")


@pytest.fixture(scope="module")
def stage():
    return staging.staged(HOME)


def test_every_page_is_staged_and_every_link_has_a_target(stage):
    for path in staging.pages_of(HOME):
        assert stage.pages[stage.place(path)]
    assert all(stage.pages.values())


def test_a_dead_link_is_reported(tmp_path):
    stage = staging.Stage(HOME)
    with pytest.raises(staging.DeadLink, match=r"docs: the link to nowhere\.md leads nowhere"):
        stage.link(PurePosixPath("docs"), "new.md", "nowhere.md")
    with pytest.raises(staging.DeadLink):
        stage.link(PurePosixPath("docs"), "new.md", "../../outside.md")


def test_links_in_code_are_left_alone():
    said = markdown.relinked("[a](b.md) `[a](b.md)`\n\n```\n[a](b.md)\n```\n", lambda target: "there")
    assert said == "[a](there) `[a](b.md)`\n\n```\n[a](b.md)\n```\n"


def test_every_game_has_a_page():
    assert games.without_page(HOME) == []


@pytest.mark.parametrize("family", families(), ids=lambda family: family.name)
def test_a_game_page_has_rules_advice_notation_and_an_example(family, stage):
    page = stage.pages[f"games/{family.name}.md"]
    assert all(part in page for part in PARTS)
    for game in family.games:
        assert f"`{game.name}`" in page
        title, _, rules = game.rules_text.partition("\n")
        first = next(line for line in rules.splitlines() if line.strip() and not line.startswith("#"))
        assert first.split("](")[0] in page, f"{title} is not on the page of {family.name}"
    assert "kibitz show" in page


def test_the_reference_covers_modules_imported_by_examples():
    names = reference.modules(HOME)
    assert {"kibitz", "kibitz.arena", "kibitz.games.poker.hands", "kibitz.search.game_tree"} <= set(names)
    assert list(reference.imported(">>> from kibitz.games.poker.hands import bulk\n")) == [
        "kibitz.games.poker.hands.bulk"
    ]
    assert list(reference.imported(">>> from kibitz.cards import parse\n")) == ["kibitz.cards"]


def test_pages_missing_from_the_navigation_are_appended(stage):
    stage.pages["unheard-of.md"] = "# New"
    try:
        named = building.navigation([{"Games": "games/"}, "index.md"], stage)
    finally:
        del stage.pages["unheard-of.md"]
    assert "unheard-of.md" in named[-1]["More"]
    assert "games/go.md" in named[0]["Games"]


PAGE = """<html><head></head><body style="color: red" class="a"><script>run()</script><style>b{}</style>
<script id="x" type="application/json">{"a": 1}</script><td style='text-align: right'>1</td></body></html>"""


def test_inline_scripts_and_styles_are_moved_to_files(tmp_path):
    (tmp_path / "below").mkdir()
    page = tmp_path / "below" / "page.html"
    page.write_text(PAGE)
    assert len(list(hardening.faults(tmp_path))) == 4
    hardening.harden(tmp_path)
    assert list(hardening.faults(tmp_path)) == []
    moved = {path.suffix: path.read_text() for path in (tmp_path / hardening.HOME).iterdir()}
    assert moved[".js"] == "run()"
    assert 'src="../assets/kibitz/' in page.read_text()
    assert '{"a": 1}' in page.read_text()


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.js", 'load("https://cdn.example.org/x.js")'),
        ("a.css", "@import url(//fonts.example.com/css);"),
        ("a.html", '<img src="https://example.org/x.png">'),
        ("a.html", '<link rel="stylesheet" href="//example.org/x.css">'),
        ("a.html", '<p onclick="x()">'),
    ],
)
def test_requests_to_other_hosts_and_inline_code_are_found(tmp_path, name, text):
    (tmp_path / name).write_text(text)
    assert len(list(hardening.faults(tmp_path))) == 1
    if name != "a.html":
        hardening.harden(tmp_path)
        assert list(hardening.faults(tmp_path)) == []


def test_ordinary_links_may_lead_to_other_hosts(tmp_path):
    (tmp_path / "a.html").write_text('<a href="https://example.org/">there</a>')
    assert list(hardening.faults(tmp_path)) == []
