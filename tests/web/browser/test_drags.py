"""Refused drops and unfinished drags; whole games by drags are in ``test_whole_games``."""

import pytest
from playwright.sync_api import Page, expect

from tests.web.browser.conftest import Person
from tests.web.browser.playing import CARDS, CENTRE, Mouse, click, wait_for_turn

pytestmark = pytest.mark.long


def closed_pile_and_card(page: Page) -> tuple[str, str]:
    """A pile that accepts no card of the hand, and an offered card of the hand."""
    card = page.locator(f".held {CARDS}").first
    key = card.get_attribute("data-spot") or ""
    click(page, card)
    closed = page.locator(".felt .zone:not(:has(> .place[data-target])):not(:has(button.spot))").filter(visible=True)
    return closed.first.get_attribute("data-zone") or "", key


def test_a_refused_drop_flies_back_with_the_reason(person: Person) -> None:
    person.page.add_init_script("localStorage.setItem('kibitz.confirm', 'yes')")
    page, said = person.sit("bo"), person.page.locator(".said[data-kind=why]")
    assert wait_for_turn(page)
    zone, key = closed_pile_and_card(page)
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


def test_an_unfinished_drag_changes_nothing(person: Person) -> None:
    page = person.start("huxxy-mini")
    card, mouse = page.locator(f".held {CARDS}").first, Mouse(page)
    x, y = card.evaluate(CENTRE)
    mouse.press(x, y)
    mouse.move(x, y - 200)
    page.keyboard.press("Escape")
    mouse.drop()
    expect(page.locator(".dragged")).to_have_count(0)
    expect(page.locator(".said")).to_be_empty()
    expect(page.locator(".held [aria-pressed=true]")).to_have_count(0)


def test_a_press_beside_a_card_selects_no_text(person: Person) -> None:
    """Otherwise the browser would drag the selected text with the next card, and take the pointer from the page."""
    page = person.start("huxxy-mini")
    mouse, (x, y) = Mouse(page), page.locator(".felt .middle").evaluate(CENTRE)
    mouse.press(x, y)
    mouse.move(*page.locator(".held .spot").last.evaluate(CENTRE))
    mouse.drop()
    assert page.evaluate("getSelection().toString()") == ""
