"""A guided first hand, from the first page to its last caption, at every size and by keyboard alone."""

import time
from collections.abc import Callable
from contextlib import suppress
from random import Random

import pytest
from playwright.sync_api import ElementHandle, Error, Page, expect

import kibitz
from tests.parts import share
from tests.web.browser.conftest import Person
from tests.web.browser.playing import DESELECT, NEXT, OFFERED
from tests.web.browser.test_layouts import CUT_OFF
from tests.web.browser.test_newcomers import SIZES
from tests.web.browser.test_pages import violations

pytestmark = pytest.mark.long

LESSONS = list({game.lesson: game.name for game in reversed(kibitz.all_games()) if game.lesson}.values())
"""The first game of each lesson."""
COVERED = """() => {
    const box = (each) => each.getBoundingClientRect();
    const caption = box(document.querySelector(".caption"));
    return [...document.querySelectorAll(".prompt, .choice button, .held .spot, .board .spot, .board .place")]
        .filter((each) => {
            const { left, right, top, bottom } = box(each);
            const felt = each.closest(".felt");  // what lies below its edge is scrolled to
            const end = felt ? Math.min(bottom, box(felt).bottom, box(document.querySelector(".foot")).top) : bottom;
            return Math.min(right, caption.right) - Math.max(left, caption.left) > 1
                && Math.min(end, caption.bottom) - Math.max(top, caption.top) > 1;
        }).map((each) => each.outerHTML.slice(0, 120));
}"""
FREE = f".playing:not(:has(.caption)) :is({OFFERED})"
"""What is offered while no caption is shown: one query, as a caption may come between two."""
STEP = "() => ['.prompt .asked', '.caption p'].map((each) => document.querySelector(each)?.innerText)"
"""The prompt and the caption."""


def start_lesson(person: Person, game: str) -> Page:
    """Start a lesson from the first page."""
    page = person.open("/")
    family = next(family for family in person.ask("GET", "/api/games")["families"] if game in names(family))
    page.locator(f".tile[data-family={family['family']}]").click()
    if names(family)[0] != game:
        page.locator("dialog select").first.select_option(game)
    page.get_by_role("button", name="Learn by playing").click()
    page.wait_for_selector(".caption")
    return page


def names(family: dict) -> list[str]:
    return [each["name"] for each in family["games"]]


@pytest.mark.parametrize("game", share(LESSONS, 5))
def test_a_lesson_can_be_followed_by_keyboard_alone(game: str, person: Person) -> None:
    page = start_lesson(person, game)
    captions = [caption.says for caption in kibitz.game(game).lesson.captions]
    met: list[str] = []
    random = Random(game)
    end = time.monotonic() + 240
    while time.monotonic() < end:
        if len(met) == len(captions):
            return
        if page.locator(".caption").count():
            says = page.locator(".caption p").inner_text().replace("\ufe0e", "")
            met += [says] if says not in met else []
            pulsed = page.locator("[data-hint]:not([disabled])")
            if page.locator(".prompt[data-mine]").count() and pulsed.count():
                follow(page)
            else:
                page.keyboard.press("n")
        elif page.locator(NEXT).count():
            page.keyboard.press("Enter")
        elif page.locator(".skip:not([disabled])").count():
            press(page, page.query_selector(".skip"))
        elif page.locator(".prompt[data-mine]").count():
            press(page, random.choice(page.query_selector_all(FREE) or page.query_selector_all(DESELECT) or [None]))
        page.wait_for_timeout(100)
    raise AssertionError(f"{met} of {captions}")


def press(page: Page, button: ElementHandle | None) -> None:
    """Select something by keyboard, if it is still there."""
    with suppress(Error):
        if button:
            button.focus()
            page.keyboard.press("Enter")


def follow(page: Page) -> None:
    """Select everything that is highlighted, one after the other, until the prompt or caption changes."""
    step = page.evaluate(STEP)
    for _ in range(6):
        pulsed = page.locator("[data-hint]:not([aria-pressed=true]):not([aria-disabled])")
        if not pulsed.count() or page.evaluate(STEP) != step:
            break
        pulsed.first.focus()
        page.keyboard.press("Enter")
        page.wait_for_timeout(60)
    page.keyboard.press("Enter")
    page.wait_for_timeout(60)
    button = page.locator(".choice .put.primary, .amount .primary")
    if button.count() and page.evaluate(STEP) == step:
        button.first.focus()
        page.keyboard.press("Enter")


@pytest.mark.parametrize("game", share(LESSONS, 3))
def test_a_caption_covers_neither_board_nor_buttons(game: str, people: Callable[..., Person]) -> None:
    person = people()
    page = start_lesson(person, game)
    page.wait_for_selector(".prompt[data-mine]")
    expect(page.locator("[data-hint]").first).to_be_visible()
    expect(page.locator(".first-step, .brief-rules, [data-settling]")).to_have_count(0)
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_timeout(200)
        assert page.evaluate(COVERED) == [], (width, height)
        assert page.evaluate(CUT_OFF) == [], (width, height)
        expect(page.get_by_role("button", name="Got it")).to_be_in_viewport(ratio=1)


def test_captions_are_accessible(browser, address) -> None:
    context = browser.new_context(bypass_csp=True, reduced_motion="reduce")
    page = start_lesson(Person(context, address), "kuhn")
    expect(page.locator("[data-hint]").first).to_be_visible()
    assert violations(page) == []
    still = "(each) => getComputedStyle(each).animationName"
    assert page.locator("[data-hint]").first.evaluate(still) == "none"
    context.close()
