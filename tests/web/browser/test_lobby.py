"""Finding people to play with: quick match, open tables, the host, a rematch that asks."""

from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.web.browser.conftest import Person


def quick_match(person: Person, name: str) -> Page:
    page = person.open("/")
    page.locator(".tile[data-family=eights]").click()
    page.get_by_role("button", name="Quick match").click()
    expect(page.get_by_label("Your name")).to_be_focused()
    page.keyboard.type(name)
    page.keyboard.press("Enter")
    return page


def test_a_quick_match_seats_two_strangers_together(people: Callable[..., Person]) -> None:
    ann, ben = people(), people(phone=True)
    page = quick_match(ann, "Ann")
    page.wait_for_selector("h2:has-text('Waiting for')")
    other = quick_match(ben, "Ben")
    for each, name in ((page, "Ben"), (other, "Ann")):
        expect(each.locator(".others h2", has_text=name)).to_be_visible()
