"""Cards are dragged as well as clicked: whole games by mouse and by touch, and drops that are refused."""

import time
from collections.abc import Callable
from random import Random

import pytest
from playwright.sync_api import CDPSession, Error, Page, ViewportSize, expect

from tests.parts import share
from tests.web.browser.conftest import Person
from tests.web.browser.playing import CARDS, OFFERED, PUT_BACK, click, wait_for_turn
from tests.web.browser.test_whole_games import families, smallest

SIZES = {
    "wide": ViewportSize(width=1440, height=900),
    "phone": ViewportSize(width=390, height=844),
    "landscape": ViewportSize(width=844, height=390),
}
LIT = ".place[data-target]"
BESIDE_CARDS = OFFERED.replace(CARDS, ".none").replace(".place[", ".none[")
"""What is said, not shown: words, amounts and the buttons of complete choices."""
CENTRE = """(found) => {
    found.scrollIntoView({ block: "nearest" });
    const { x, y, width, height } = found.getBoundingClientRect();
    return [x + width / 2, y + height / 2];
}"""
OPEN_FELT = """() => {
    const box = document.querySelector(".felt .middle").getBoundingClientRect();
    const foot = document.querySelector(".foot").getBoundingClientRect();
    const low = foot.left < box.right ? Math.min(box.bottom, foot.top) : box.bottom;
    return [box.x + box.width / 2, (Math.max(box.top, 0) + low) / 2];
}"""
"""Where a card is dropped that needs no place."""


class Mouse:
    """Drags by the mouse."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def press(self, x: float, y: float) -> None:
        """Begin."""
        self.page.mouse.move(x, y)
        self.page.mouse.down()

    def move(self, x: float, y: float) -> None:
        """Go on."""
        self.page.mouse.move(x, y, steps=3)

    def drop(self) -> None:
        """End."""
        self.page.mouse.up()


class Finger(Mouse):
    """Drags by touch, as the browser's protocol sends them."""

    def __init__(self, page: Page) -> None:
        super().__init__(page)
        self.protocol: CDPSession = page.context.new_cdp_session(page)

    def send(self, kind: str, *points: tuple[float, float]) -> None:
        """One event of the finger."""
        touches = [{"x": x, "y": y} for x, y in points]
        self.protocol.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touches})

    def press(self, x: float, y: float) -> None:
        """Begin."""
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


def drag(hand: Mouse, card: str, random: Random) -> None:
    """Drag a card to a place that lights up, or to the middle of the table."""
    page = hand.page
    x, y = page.locator(f"[data-spot='{card}']").evaluate(CENTRE)
    hand.press(x, y)
    hand.move(x + 9, y - 9)
    lit = page.query_selector_all(LIT)
    hand.move(*(random.choice(lit).evaluate(CENTRE) if lit else page.evaluate(OPEN_FELT)))
    hand.drop()


def play_by_drags(hand: Mouse, random: Random, seconds: float) -> int:
    """Drag cards that are offered until the game is over, and press what is no card; how many drags that took."""
    page, drags, end = hand.page, 0, time.monotonic() + seconds
    while wait_for_turn(page):
        assert time.monotonic() < end, f"The game is not over after {drags} drags."
        cards = [card.get_attribute("data-spot") for card in page.query_selector_all(CARDS)]
        words = page.query_selector_all(BESIDE_CARDS)
        try:
            if words and (not cards or random.random() < 0.3):
                click(page, random.choice(words))
            elif cards:
                drag(hand, random.choice(cards) or "", random)
                drags += 1
            elif back := page.query_selector_all(PUT_BACK):
                click(page, back[0])
        except Error:
            continue  # the table has changed meanwhile
        page.wait_for_timeout(30)
    return drags


@pytest.mark.long
def test_a_whole_game_by_drags(person: Person) -> None:
    page = person.sit("huxxy-mini")
    assert play_by_drags(Mouse(page), Random(3), 60)
    assert page.locator(".over h2").inner_text()


@pytest.mark.long
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("game", share([smallest(names) for names in families().values()] + ["bo", "cribbage"], 3))
def test_a_whole_game_of_any_kind_by_drags(game: str, size: str, people: Callable[..., Person]) -> None:
    person = people(phone=size != "wide")
    person.page.set_viewport_size(SIZES[size])
    page = person.sit(game)
    play_by_drags(Mouse(page) if size == "wide" else Finger(page), Random(game), 500)
    assert page.locator(".over h2").inner_text()


def closed_and_a_card(page: Page) -> tuple[str, str]:
    """A pile that takes no card of the hand, and a card of the hand that is offered."""
    card = page.locator(f".held {CARDS}").first
    key = card.get_attribute("data-spot") or ""
    click(page, card)
    closed = page.locator(".felt .zone:not(:has(> .place[data-target])):not(:has(button.spot))").filter(visible=True)
    return closed.first.get_attribute("data-zone") or "", key


@pytest.mark.long
def test_a_refused_drop_flies_back_and_says_what_a_click_says(person: Person) -> None:
    person.page.add_init_script("localStorage.setItem('kibitz.confirm', 'yes')")
    page, said = person.sit("bo"), person.page.locator(".said[data-kind=why]")
    assert wait_for_turn(page)
    zone, key = closed_and_a_card(page)
    click(page, page.locator(f"[data-zone='{zone}'] .cards"))
    expect(said).not_to_be_empty()
    sentence = said.inner_text()
    page.keyboard.press("Escape")
    expect(page.locator(".said")).to_be_empty()
    mouse, card = Mouse(page), page.locator(f"[data-spot='{key}']")
    mouse.press(*card.evaluate(CENTRE))
    mouse.move(*page.locator(f"[data-zone='{zone}'] .cards").evaluate(CENTRE))
    expect(page.locator(".dragged")).to_have_count(1)
    mouse.drop()
    expect(said).to_have_text(sentence)
    expect(page.locator(".dragged")).to_have_count(0)
    expect(card).to_have_attribute("aria-pressed", "false")


@pytest.mark.long
def test_a_drag_that_is_not_ended_changes_nothing(person: Person) -> None:
    page = person.sit("huxxy-mini")
    assert wait_for_turn(page)
    card, mouse = page.locator(f".held {CARDS}").first, Mouse(page)
    x, y = card.evaluate(CENTRE)
    mouse.press(x, y)
    mouse.move(x, y - 200)
    page.keyboard.press("Escape")
    mouse.drop()
    expect(page.locator(".dragged")).to_have_count(0)
    expect(page.locator(".said")).to_be_empty()
    expect(page.locator(".held [aria-pressed=true]")).to_have_count(0)
