"""A newcomer's first minute: levels instead of names, rules beside the table, and a suggested first step."""

import pytest
from playwright.sync_api import Page, expect

from tests.web.browser.conftest import Person
from tests.web.browser.playing import wait_for_turn

pytestmark = pytest.mark.long

SIZES = [(1440, 900), (1280, 720), (390, 844), (844, 390), (720, 450), (640, 360)]
COVERED = """() => {
    const rules = document.querySelector(".rules-panel, .brief-rules").getBoundingClientRect();
    return [...document.querySelectorAll(".board, .choice, .held .spot")].filter((each) => {
        const box = each.getBoundingClientRect();
        const hidden = !each.matches(".board") && box.bottom > innerHeight + 1;
        return hidden || Math.min(rules.right, box.right) - Math.max(rules.left, box.left) > 1
            && Math.min(rules.bottom, box.bottom) - Math.max(rules.top, box.top) > 1;
    }).map((each) => each.outerHTML.slice(0, 100));
}"""
"""What the rules cover or push off the screen of the board, the buttons and the hand."""


def check_covered(page: Page) -> None:
    """Check at every size that the open rules cover neither board nor hand."""
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_timeout(150)
        assert page.evaluate(COVERED) == [], (width, height)


def test_a_newcomer_is_offered_the_easy_level_first(person: Person) -> None:
    page = person.open("/")
    page.locator(".tile[data-family=cribbage]").click()
    levels = page.locator(".strengths b")
    expect(levels).to_have_count(3)
    assert [level.split()[0] for level in levels.all_inner_texts()] == ["Easy", "Medium", "Hard"]
    expect(page.locator(".strengths label").first.locator("input")).to_be_checked()
    page.locator(".strengths label", has_text="Medium").click()
    page.locator("dialog .play .primary").click()
    page.wait_for_selector(".held .spot")
    expect(page.get_by_role("region", name="Medium")).to_be_visible()
    person.open("/")
    page.locator(".tile[data-family=cribbage]").click()
    expect(page.locator(".strengths label", has_text="Medium").locator("input")).to_be_checked()


def test_every_game_has_levels(person: Person) -> None:
    page = person.open("/")
    for tile in page.locator(".tile").all():
        tile.click()
        expect(page.locator(".strengths b").first).to_contain_text("Easy")
        assert page.locator(".strengths b").count() > 1
        page.get_by_role("button", name="Close").click()


@pytest.mark.parametrize("game", ["cribbage", "hearts"])
def test_the_rules_never_cover_board_or_hand(game: str, person: Person) -> None:
    page = person.start(game)
    expect(page.get_by_role("button", name="Got it")).to_be_visible()
    check_covered(page)
    page.get_by_role("button", name="Rules", exact=True).click()
    expect(page.locator(".rules-panel h3").first).to_be_visible()
    check_covered(page)
    page.keyboard.press("Escape")
    expect(page.locator(".rules-panel")).to_have_count(0)


def test_got_it_stays_visible_on_a_low_screen(person: Person) -> None:
    person.page.set_viewport_size({"width": 844, "height": 390})
    page = person.sit("bo")
    page.locator(".brief-rules summary").click()
    got_it = page.get_by_role("button", name="Got it")
    expect(got_it).to_be_in_viewport(ratio=1)
    got_it.click()
    expect(page.locator(".brief-rules")).to_have_count(0)


def test_a_turned_screen_still_shows_the_last_lines_of_the_log(person: Person) -> None:
    page = person.start("bo")
    page.set_viewport_size({"width": 390, "height": 844})
    page.locator(".log").scroll_into_view_if_needed()
    page.wait_for_function(
        """() => document.querySelector(".log li:last-child").getBoundingClientRect().bottom
            <= document.querySelector(".log .lines").getBoundingClientRect().bottom + 1"""
    )


def test_a_first_step_is_suggested_until_the_first_choice(person: Person) -> None:
    page = person.start("kuhn")
    expect(page.locator(".prompt .first-step")).to_contain_text("A good first step: Bet with the king")
    page.locator(".choice .word").first.click()
    expect(page.locator(".first-step")).to_have_count(0)
    person.sit("kuhn")
    assert wait_for_turn(page)
    expect(page.locator(".first-step")).to_have_count(0)
