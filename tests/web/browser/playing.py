"""Playing a game through its page like a beginner: repeatedly selecting something that is offered."""

import time
from random import Random

from playwright.sync_api import CDPSession, ElementHandle, Error, Locator, Page

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
TAKEN = "button.spot[aria-pressed=true]"
BUTTONS = OFFERED.replace(CARDS, ".none").replace(".place[", ".none[")
"""Offered parts other than cards and places: words, amounts and the buttons of complete choices."""
DESELECT = ".choice .quiet:text-is('Deselect')"
NEXT = ".choice .next"
GOAL = """() => {
    const lit = [...document.querySelectorAll(".place[data-target]")];
    const centre = ({ x, y, width, height }) => [x + width / 2, y + height / 2];
    const felt = document.querySelector(".felt .middle").getBoundingClientRect();
    const foot = document.querySelector(".foot").getBoundingClientRect();
    const low = Math.min(felt.bottom, innerHeight, foot.left < felt.right ? foot.top : innerHeight);
    const middle = [felt.x + felt.width / 2, (Math.max(felt.top, 0) + low) / 2];
    const zone = (x, y) => document.elementFromPoint(x, y)?.closest("[data-zone]");
    const seen = lit.filter((each) => zone(...centre(each.getBoundingClientRect())) === each.closest("[data-zone]"));
    return lit.length ? seen.map((each) => centre(each.getBoundingClientRect())) : [middle];
}"""
"""Where a dragged card can be dropped without scrolling: highlighted places, or the middle of the table."""
CENTRE = """(found) => {
    if (!found.checkVisibility()) throw new Error("It isn't there any more.");
    found.scrollIntoView({ block: "nearest" });
    const { x, y, width, height } = found.getBoundingClientRect();
    return [x + width / 2, y + height / 2];
}"""


class Mouse:
    """Clicks and drags with the mouse."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def click(self, found: ElementHandle | Locator) -> None:
        """Click in the middle of an element; an element that covers it there gets the click."""
        self.page.mouse.click(*found.evaluate(CENTRE.replace("nearest", "center")))

    def press(self, x: float, y: float) -> None:
        """Begin a drag."""
        self.page.mouse.move(x, y)
        self.page.mouse.down()

    def move(self, x: float, y: float) -> None:
        """Go on."""
        self.page.mouse.move(x, y, steps=3)

    def drop(self) -> None:
        """End."""
        self.page.mouse.up()

    def drag(self, card: ElementHandle | Locator, random: Random) -> None:
        """Drag a card to a highlighted place, or to the middle of the table."""
        x, y = card.evaluate(CENTRE)
        self.press(x, y)
        self.move(x + 9, y - 9)
        goals = self.page.evaluate(GOAL)
        if goals:
            self.move(*random.choice(goals))
        self.drop()
        assert goals, "No lit place is in sight."


class Finger(Mouse):
    """Taps and drags by touch, sent through the browser's protocol."""

    def __init__(self, page: Page) -> None:
        super().__init__(page)
        self.protocol: CDPSession = page.context.new_cdp_session(page)

    def send(self, kind: str, *points: tuple[float, float]) -> None:
        """Send one touch event."""
        touches = [{"x": x, "y": y} for x, y in points]
        self.protocol.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touches})

    def click(self, found: ElementHandle | Locator) -> None:
        """Tap in the middle of an element."""
        self.page.touchscreen.tap(*found.evaluate(CENTRE.replace("nearest", "center")))

    def press(self, x: float, y: float) -> None:
        """Begin a drag."""
        self.at = x, y
        self.send("touchStart", (x, y))

    def move(self, x: float, y: float) -> None:
        """Go on."""
        (u, v), self.at = self.at, (x, y)
        for part in (0.3, 0.7, 1):
            self.send("touchMove", (u + part * (x - u), v + part * (y - v)))

    def drop(self) -> None:
        """End."""
        self.send("touchEnd")


def is_over(page: Page) -> bool:
    """Whether the page shows the end of the game."""
    return page.locator(".over").count() > 0


def wait_for_turn(page: Page, seconds: float = 60, hand: Mouse | None = None) -> bool:
    """Dismiss summaries until a choice is asked for or the game is over; returns whether a choice is asked for."""
    while True:
        page.wait_for_selector(f".prompt[data-mine], .over, {NEXT}", timeout=seconds * 1000, state="attached")
        if not (dismiss := page.query_selector(NEXT)):
            return not is_over(page)
        try:
            (hand or Mouse(page)).click(dismiss)
        except Error:
            continue  # the table has changed meanwhile


def click(page: Page, found: ElementHandle | Locator) -> None:
    """Click in the middle of an element with the mouse."""
    Mouse(page).click(found)


def play_by_clicks(page: Page, random: Random, seconds: float = 60, selector: str = OFFERED) -> int:
    """Click on random offered elements until the game is over; returns the number of clicks."""
    return play(Mouse(page), random, seconds, selector)


def play(hand: Mouse, random: Random, seconds: float = 60, selector: str = OFFERED, drags: float = 0) -> int:
    """Click or tap on random offered elements until the game is over; returns the number of clicks and drags.

    ``drags`` is the share of cards that are dragged; at 1, only words and buttons are clicked.
    """
    page, count, end = hand.page, 0, time.monotonic() + seconds
    while wait_for_turn(page, hand=hand):
        assert time.monotonic() < end, f"After {count} clicks and drags: {page.locator('.foot').inner_text()}"
        dragging = random.random() < drags
        cards = (page.query_selector_all(CARDS) or page.query_selector_all(TAKEN)) if dragging else []
        offered = page.query_selector_all(BUTTONS if dragging else selector)
        try:
            if cards and (not offered or random.random() < 0.7):
                hand.drag(random.choice(cards), random)
            elif offered or (offered := page.query_selector_all(DESELECT)):
                hand.click(random.choice(offered))
            else:
                page.wait_for_timeout(20)  # the choice is on its way
                continue
        except Error:
            continue  # the table has changed meanwhile
        count += 1
    return count


def play_to_a_summary(page: Page, random: Random) -> None:
    """Click on random offered elements until a hand or round is over."""
    for _ in range(2000):
        page.wait_for_selector(f".prompt[data-mine], .over, {NEXT}", state="attached", timeout=60000)
        if page.locator(NEXT).count():
            return
        assert not is_over(page)
        offered = page.query_selector_all(OFFERED) or page.query_selector_all(DESELECT)
        if offered:
            random.choice(offered).evaluate("each => each.click()")
        page.wait_for_timeout(20)
    raise AssertionError("No hand or round has ended.")
