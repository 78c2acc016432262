"""Playing a game through its page as somebody does who does not know it: again and again something that is offered."""

import time
from random import Random

from playwright.sync_api import ElementHandle, Error, Locator, Page

OFFERED = ", ".join(
    (
        ".choice .put:not([disabled])",
        ".choice .word[aria-pressed=false]:not([disabled])",
        ".amount .primary:not([disabled])",
        ".spot[aria-pressed=false]:not([aria-disabled])",
        ".place[aria-pressed=false]:not([aria-disabled])",
    )
)
CARDS = ".spot[aria-pressed=false]:not([aria-disabled])"
PUT_BACK = ".choice .quiet:text-is('Put back')"


NEXT = ".choice .next"


def is_over(page: Page) -> bool:
    """Whether the page says how the game has ended."""
    return page.locator(".over").count() > 0


def wait_for_turn(page: Page, seconds: float = 60) -> bool:
    """Wait until a choice is asked for, and read what hands and rounds came to; whether it is, or the game is over."""
    while True:
        page.wait_for_selector(f".prompt[data-mine], .over, {NEXT}", timeout=seconds * 1000, state="attached")
        if not page.locator(NEXT).count():
            return not is_over(page)
        page.locator(NEXT).click()


def click(page: Page, found: ElementHandle | Locator) -> None:
    """Click in the middle of something, as a mouse does: whatever lies on top there gets the click."""
    found.evaluate("(found) => found.scrollIntoView({ block: 'center' })")
    if box := found.bounding_box():
        page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


def play_by_clicks(page: Page, random: Random, seconds: float = 60, wanted: str = OFFERED) -> int:
    """Click on something that is offered until the game is over; how many clicks that took."""
    clicks, end = 0, time.monotonic() + seconds
    while wait_for_turn(page):
        assert time.monotonic() < end, f"The game is not over after {clicks} clicks."
        offered = page.query_selector_all(wanted)
        if not offered:
            offered = page.query_selector_all(PUT_BACK)
        if not offered:
            page.wait_for_timeout(20)  # the choice is on its way
            continue
        try:
            click(page, random.choice(offered))
        except Error:
            continue  # the table has changed meanwhile
        clicks += 1
    return clicks


def play_to_a_summary(page: Page, random: Random) -> None:
    """Click on something that is offered until a hand or round is over."""
    for _ in range(2000):
        page.wait_for_selector(f".prompt[data-mine], .over, {NEXT}", state="attached", timeout=60000)
        if page.locator(NEXT).count():
            return
        assert not is_over(page)
        offered = page.query_selector_all(OFFERED) or page.query_selector_all(PUT_BACK)
        if offered:
            random.choice(offered).evaluate("each => each.click()")
        page.wait_for_timeout(20)
    raise AssertionError("No hand or round has ended.")
