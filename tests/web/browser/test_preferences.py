"""Appearance settings: decks, backs, felts and sounds, remembered by the browser."""

import pytest
from playwright.sync_api import Page, expect

from tests.web.browser.conftest import Person
from tests.web.browser.playing import CARDS

pytestmark = pytest.mark.long

COUNT_SOUNDS = """window.sounds = 0;
for (const kind of [AudioBufferSourceNode, OscillatorNode]) {
    const start = kind.prototype.start;
    kind.prototype.start = function (...when) { window.sounds += 1; return start.apply(this, when); };
}"""


def press_settings(page: Page, *settings: str) -> None:
    """Press the settings buttons with these labels."""
    page.get_by_role("button", name="Settings and keys").click()
    for setting in settings:
        page.get_by_role("button", name=setting).click()
    page.get_by_role("button", name="Close").click()


def colour(page: Page, selector: str, value: str = "color") -> str:
    """A computed colour."""
    return str(page.eval_on_selector(selector, f"found => getComputedStyle(found).{value}"))


def test_felt_backs_and_deck_are_remembered(person: Person) -> None:
    page = person.sit("president")
    press_settings(page, "Felt: green", "Card backs: blue", "Suit colours: four")
    before = [colour(page, ".felt", "backgroundImage"), colour(page, ".back", "backgroundImage")]
    page.reload()
    page.wait_for_selector(".playing")
    assert [colour(page, ".felt", "backgroundImage"), colour(page, ".back", "backgroundImage")] == before
    clubs, spades = (f".held .face[data-suit={suit}]" for suit in "CS")
    assert colour(page, clubs) == colour(page, spades)


def test_court_cards_follow_the_two_colour_deck(person: Person) -> None:
    person.page.add_init_script("localStorage.setItem('kibitz.deck', 'two')")
    page = person.sit("huxxy:hand_size=20")
    page.wait_for_function(
        """() => getComputedStyle(document.querySelector('.held [data-suit=C]'), '::after')
            .backgroundImage.includes('0d0d0d')"""
    )


def test_sounds_are_off_by_default(person: Person) -> None:
    person.page.add_init_script(COUNT_SOUNDS)
    page = person.start("huxxy-mini")
    press_settings(page, "Sounds: off")
    assert page.evaluate("window.sounds") == 0
    page.locator(f".held {CARDS}").first.click()
    page.locator(".place[data-target]").first.click()
    page.wait_for_function("() => window.sounds > 0")
    page.reload()
    page.get_by_role("button", name="Settings and keys").click()
    expect(page.get_by_role("button", name="Sounds: on")).to_be_visible()
