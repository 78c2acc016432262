"""The player's hand: a fan that shows each card's corner and middle, and a remembered sort order."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.web.browser.conftest import Person
from tests.web.browser.playing import wait_for_turn

pytestmark = pytest.mark.long

BURIED = """() => [...document.querySelectorAll(".held .spot")].filter((spot) => {
    const { x, y, width, height } = spot.getBoundingClientRect();
    const points = [[x + 12, y + 16], [x + width / 2, y + height / 2]];
    return points.some(([u, v]) => !spot.contains(document.elementFromPoint(u, v)));
}).map((spot) => spot.dataset.code)"""
"""Cards of the hand whose corner or middle is covered."""
PICTURES = """() => [...document.querySelectorAll(".held .face")].every((face) =>
    getComputedStyle(face, "::after").backgroundImage.includes("svg"))"""
"""Whether all cards of the hand have pictures."""
PHONES = [(390, 844), (844, 390)]
SIZES = [(1440, 900), (1280, 720), *PHONES, (720, 450)]


def hand(page: Page) -> list[str]:
    """The cards in hand, from left to right."""
    return page.eval_on_selector_all(".held .spot", "spots => spots.map((spot) => spot.dataset.code)")


@pytest.mark.parametrize("game", ["president:players=4", "huxxy:hand_size=20"])
def test_cards_in_hand_leave_each_others_corners_visible(game: str, people: Callable[..., Person]) -> None:
    page = people().start(game)
    page.get_by_role("button", name="Got it").click()  # on a low screen the open rules leave the hand less room
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_timeout(200)
        page.eval_on_selector(".held", "held => held.scrollIntoView({ block: 'end' })")
        assert page.evaluate(BURIED) == [], (width, height)
        assert page.evaluate(PICTURES) or (width, height) not in PHONES


def test_the_sort_order_of_a_hand_is_remembered(person: Person) -> None:
    page = person.start("huxxy")
    ranks = "A234567890JQK"
    page.get_by_role("button", name="Sort by suit").click()
    expect(page.get_by_role("button", name="Sort by rank")).to_be_visible()
    by_suit = hand(page)
    assert by_suit == sorted(by_suit, key=lambda card: ("CDSH".index(card[1]), ranks.index(card[0])))
    page.get_by_role("button", name="Sort by rank").click()
    page.reload()
    assert wait_for_turn(page)
    by_rank = hand(page)
    assert [ranks.index(card[0]) for card in by_rank] == sorted(ranks.index(card[0]) for card in by_suit)
