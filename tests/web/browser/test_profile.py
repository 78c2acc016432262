"""The page of one's own games, stored in the browser: finished games are listed, and a file moves them elsewhere."""

import json
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from playwright.sync_api import Page, expect

from tests.web.browser.conftest import Person, new_account
from tests.web.browser.playing import play_by_clicks

GAME = {"id": "a1", "at": 1_700_000_000_000, "title": "Go", "opponents": ["Easy"], "result": "Won"}
FORMAT = "kibitz-games-1"


def file_of(*games: object) -> bytes:
    return json.dumps({"format": FORMAT, "games": games}).encode()


def import_file(page: Page, content: bytes) -> None:
    """Import a file."""
    page.locator("[type=file]").set_input_files(
        {"name": "games.json", "mimeType": "application/json", "buffer": content}
    )


def rows(page: Page, region: str) -> list[list[str]]:
    """The cells of a table's rows."""
    body = page.get_by_role("region", name=region).locator("tbody tr")
    return [row.locator("th, td").all_inner_texts() for row in body.all()]


def test_a_finished_game_is_counted_and_listed_with_its_replay(person: Person) -> None:
    page = person.open("/profile")
    import_file(page, file_of(*({**GAME, "id": f"k{n}", "at": n, "title": "Kuhn poker"} for n in range(2))))
    expect(page.get_by_role("status")).to_have_text("2 games imported.")
    person.sit("kuhn", options={"hands": 1}, chairs=[{"kind": "me"}, {"kind": "computer", "name": "Easy"}])
    play_by_clicks(page, Random(1))
    won = page.locator(".over h2").inner_text() == "You win"
    told = "3 of 3 games of Kuhn poker, the last 3 in a row" if won else "2 of 3 games of Kuhn poker"
    expect(page.locator(".over a[href$='/profile']")).to_have_text(f"You have won {told}.")
    page.reload()
    page.wait_for_selector(".over")
    page = person.open("/profile")
    assert rows(page, "By game") == [["Kuhn poker", f"{2 + won} of 3", str(3 * won), str(2 + won)]]
    (game, against, result, _), *_ = rows(page, "All games")
    assert (game, against, result) == ("Kuhn poker", "Easy", "Won" if won else "Lost")
    page.locator("td a").first.click()
    page.wait_for_selector(".stage .board")


@pytest.mark.long
def test_a_new_account_says_how_to_get_a_rating(person: Person) -> None:
    new_account(person, "Rae")
    expect(person.page.locator("#ratings")).to_contain_text("No rating yet. Play a game to the end")


def test_games_move_to_another_browser_in_a_file(people: Callable[..., Person], tmp_path: Path) -> None:
    """Streaks count recent and consecutive wins, shared ones too."""
    first, second = people(), people()
    page = first.open("/profile")
    results = ["Won", "Won", "Won", "Lost", "Won", "Shared"]
    import_file(page, file_of(*({**GAME, "id": f"g{n}", "at": n, "result": each} for n, each in enumerate(results))))
    with page.expect_download() as download:
        page.get_by_role("button", name="Export", exact=True).click()
    download.value.save_as(tmp_path / "games.json")
    page = second.open("/profile")
    import_file(page, (tmp_path / "games.json").read_bytes())
    expect(page.get_by_role("status")).to_have_text("6 games imported.")
    import_file(page, (tmp_path / "games.json").read_bytes())
    expect(page.get_by_role("status")).to_have_text("All these games were already here.")
    assert rows(page, "By game") == [["Go", "5 of 6", "2", "3"]]


@pytest.mark.long
def test_all_games_can_be_deleted(person: Person) -> None:
    page = person.open("/profile")
    import_file(page, file_of(GAME))
    page.once("dialog", lambda asked: asked.dismiss())
    page.get_by_role("button", name="Delete").click()
    assert len(rows(page, "All games")) == 1
    page.once("dialog", lambda asked: asked.accept())
    page.get_by_role("button", name="Delete").click()
    expect(page.get_by_text("No games yet.")).to_be_visible()


BAD = {
    "null": b"null",
    "another format": json.dumps({"format": "x", "games": [GAME]}).encode(),
    "games that aren't a list": json.dumps({"format": FORMAT, "games": {"length": 1}}).encode(),
    "null as a game": file_of(GAME, None),
    "a path as an id": file_of({**GAME, "id": "../x"}),
    "an endless time": file_of({**GAME, "at": 1e300}),
    "an unknown result": file_of({**GAME, "result": "Drawn"}),
    "opponents that aren't texts": file_of({**GAME, "opponents": [[]]}),
    "a long title": file_of({**GAME, "title": "x" * 201}),
}


IMPORT = """async (texts) => {
    const { importGames } = await import(document.documentElement.dataset.base + "/static/js/played.js");
    return texts.map((text) => { try { return importGames(text); } catch (error) { return error.message; } });
}"""


def test_a_bad_file_is_refused_and_changes_nothing(person: Person) -> None:
    page, stored = person.open("/profile"), "localStorage.getItem('kibitz.played')"
    import_file(page, file_of(GAME))
    expect(page.get_by_role("status")).to_have_text("1 game imported.")
    before = page.evaluate(stored)
    for what, said in zip(BAD, page.evaluate(IMPORT, [each.decode() for each in BAD.values()]), strict=True):
        assert "nothing was imported" in str(said) or "choose a file saved with Export" in str(said), what
    import_file(page, b"\xff")
    expect(page.get_by_role("alert")).to_have_text("This is not a file of games: choose a file saved with Export.")
    import_file(page, b" " * 5_000_001)
    expect(page.get_by_role("alert")).to_have_text("This file is larger than 5 MB: choose a file saved with Export.")
    assert page.evaluate(stored) == before
