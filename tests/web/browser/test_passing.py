"""Choices of several cards, such as passing in Hearts."""

import re
from collections.abc import Callable
from random import Random

import pytest
from playwright.sync_api import expect

from tests.web.browser.conftest import Person
from tests.web.browser.playing import Mouse

HAND = ".held .spot[data-code]"


def test_selected_cards_are_passed_with_one_button(person: Person) -> None:
    page = person.sit("hearts")
    cards, pass_on = page.locator(HAND), page.locator(".choice .put")
    codes = [cards.nth(place).get_attribute("data-code") for place in range(3)]
    for place in range(2):
        cards.nth(place).click()
    cards.nth(1).click()  # returns it to the hand
    for place in (1, 2):
        expect(pass_on).to_have_count(0)
        cards.nth(place).click()
    cards.nth(5).click(force=True)
    expect(page.locator(".said")).to_have_text("You have chosen 3 cards. Click one of them to deselect it.")
    expect(page.locator(".asked")).to_have_text("Choose 3 cards to pass left.")
    pass_on.click()
    expect(page.locator(".asked")).to_contain_text("You were passed", timeout=20_000)
    left = [card.get_attribute("data-code") for card in page.query_selector_all(HAND)]
    assert not set(codes) & set(left)
    expect(page.locator(f"{HAND}[aria-pressed=true]")).to_have_count(0)


@pytest.mark.long
def test_two_people_pass_their_cards_at_the_same_time(people: Callable[..., Person]) -> None:
    ann, zoe = people(), people()
    chairs = [{"kind": "me"}, {"kind": "open"}, *[{"kind": "computer", "player": "random"}] * 2]
    page = ann.sit("hearts", chairs=chairs)
    zoe.join(page.locator(".link input").input_value(), "Zoë")
    passed = {}
    for each in (ann, zoe):
        passed[each] = [each.page.locator(HAND).nth(place).get_attribute("data-code") for place in range(3)]
        for place in range(3):
            each.page.locator(HAND).nth(place).click()
        each.page.locator(".choice .put").click()
    for each, codes in passed.items():
        for code in codes:
            expect(each.page.locator(f"{HAND}[data-code='{code}']")).to_have_count(0, timeout=20_000)


@pytest.mark.long
def test_chosen_cards_stay_chosen_after_a_reload(person: Person) -> None:
    page = person.sit("hearts")
    for place in range(2):
        page.locator(HAND).nth(place).click()
    page.reload()
    expect(page.locator(f"{HAND}[aria-pressed=true]")).to_have_count(2)
    expect(page.locator(".choice .then")).to_have_text("Chosen: 2 of 3.")


@pytest.mark.long
def test_a_hint_names_all_cards_to_pass_and_the_reason(person: Person) -> None:
    page = person.sit("hearts")
    page.get_by_role("button", name="Hint", exact=True).click()
    expect(page.locator(".said[data-kind=hint]")).to_have_text(
        re.compile(r"^Hint: pass \S+, \S+ and \S+\. That passes \S")
    )
    expect(page.locator(f"{HAND}[data-hint]")).to_have_count(3)


@pytest.mark.long
def test_a_drag_goes_on_to_the_next_caption(person: Person) -> None:
    page = person.sit("hearts-deal", settings={"lesson": True})
    expect(page.locator(".caption")).to_contain_text("start with Q♠")
    Mouse(page).drag(page.locator(f"{HAND}[data-hint]"), Random(1))
    expect(page.locator(".caption")).to_contain_text("Pass Q♣ as well")
