"""A complete trick stays visible for a while, then moves to its winner."""

from random import Random

import pytest
from playwright.sync_api import Page, expect

from tests.web.browser.conftest import Person
from tests.web.browser.playing import NEXT, OFFERED

pytestmark = pytest.mark.long

TRICK = "[data-zone=trick] .spot[data-code]"
COUNT_SWEPT = """() => {
    window.swept = 0;
    const count = (node) => (window.swept += Number(node.className === "swept"));
    const watch = new MutationObserver((all) => all.forEach((one) => one.addedNodes.forEach(count)));
    watch.observe(document.body, { childList: true });
}"""


def play_until_another_leads(page: Page, random: Random) -> None:
    """Play at random until another seat wins a trick; then the clock is stopped."""
    for _ in range(400):
        if page.locator(TRICK).count() == 4 and not page.locator(".prompt[data-mine]").count():
            return
        if page.locator(".prompt[data-mine]").count() and (offered := page.query_selector_all(OFFERED)):
            random.choice(offered).evaluate("each => each.click()")
        page.clock.run_for(100)
        page.wait_for_timeout(30)
    raise AssertionError("The computer players have won no trick.")


@pytest.mark.parametrize("by", ["time", "click", "key"])
def test_a_complete_trick_stays_until_timeout_or_click(by: str, person: Person) -> None:
    person.page.clock.install(time=0)
    page = person.sit("hearts-deal", options={"passed": 0}, settings={"pace": "usual"})
    page.clock.pause_at(60_000)
    play_until_another_leads(page, Random(1))
    page.wait_for_timeout(2000)  # the winner has led
    assert page.locator(TRICK).count() == 4
    page.evaluate(COUNT_SWEPT)
    if by == "time":
        page.clock.run_for(1000)
    elif by == "click":  # plays no card: the lead has not been seen yet
        page.locator(".held .spot[data-code]").last.hover(force=True)
        page.mouse.down()
        page.wait_for_timeout(100)
        assert page.locator(TRICK).count() == 4
        page.mouse.up()
    else:
        page.keyboard.press("Shift")
    expect(page.locator(TRICK)).to_have_count(1)
    assert page.evaluate("swept") == 4
    expect(page.locator(".swept")).to_have_count(0)


def test_the_last_trick_is_shown_before_the_points(person: Person) -> None:
    person.page.clock.install(time=0)
    page, random = person.sit("hearts-mini", settings={"pace": "usual"}), Random(1)
    page.clock.pause_at(60_000)
    for _ in range(400):
        if page.locator(TRICK).count() == 3 and not page.locator(".spot[data-backs], .held [data-code]").count():
            break
        if page.locator(".prompt[data-mine]").count() and (offered := page.query_selector_all(OFFERED)):
            random.choice(offered).evaluate("each => each.click()")
        page.clock.run_for(100)
        page.wait_for_timeout(30)
    expect(page.locator(TRICK)).to_have_count(3)
    page.clock.run_for(700)
    expect(page.locator(NEXT)).to_have_count(0)
    page.clock.run_for(400)
    expect(page.locator(NEXT)).to_be_visible()
