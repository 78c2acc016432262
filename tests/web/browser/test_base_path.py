"""A server below a base path: links have the right address, and chat shows names."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.web.browser.conftest import Person, people_at
from tests.web.program import running

pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def below(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server below a base path."""
    with running(Path(tmp_path_factory.mktemp("below")) / "store.sqlite", "--base-path", "/kibitz") as server:
        yield server.address


@pytest.fixture
def friends(browser: Browser, below: str) -> Iterator[Callable[..., Person]]:
    """A function that creates guests of that server."""
    with people_at(browser, below) as found:
        yield found


def test_a_game_below_a_base_path_starts_in_two_clicks(friends: Callable[[], Person], below: str) -> None:
    page = friends().open("/")
    page.locator(".tile[data-family=eights]").click()
    page.locator("button:text-is('Play')").click()
    page.wait_for_selector(".playing .held")
    assert page.url.startswith(f"{below}/tables/")


def test_friends_join_a_private_table_by_link_and_chat_by_name(friends: Callable[[], Person]) -> None:
    ann, ben = friends(), friends()
    chairs = [{"kind": "me"}, {"kind": "open"}]
    asked = {"game": "kuhn", "name": "Ann", "chairs": chairs, "settings": {"watching": "nobody", "auto": False}}
    made = ann.ask("POST", "/api/tables", asked)
    ann.open(made["path"].removeprefix("/kibitz"))
    ben.join(ann.page.locator(".link input").input_value(), "Ben")
    ben.page.wait_for_selector(".held .spot")
    ben.page.locator("button:text-is('Hello!')").click()
    expect(ann.page.locator(".talk li")).to_have_text("Ben: Hello!")
