"""Real pointer events in the middle of cards and piles: what is clicked is selected."""

import re
from collections.abc import Callable
from contextlib import suppress
from random import Random

import pytest
from playwright.sync_api import Error, Page, ViewportSize, expect

from tests.web.browser.conftest import PHONE, Person, picture
from tests.web.browser.playing import CARDS, DESELECT, OFFERED, click, is_over, wait_for_turn
from tests.web.browser.test_whole_games import families, smallest

pytestmark = pytest.mark.long

SIZES: dict[str, ViewportSize] = {
    "wide": {"width": 1440, "height": 900},
    "phone": PHONE,
    "landscape": {"width": 844, "height": 390},
}
CAREFULLY = "localStorage.setItem('kibitz.confirm', 'yes'); localStorage.setItem('kibitz.motion', 'none')"
"""Clicks only select, and nothing is animated."""
COVERED = """(found) => {
    found.scrollIntoView({ block: "center" });
    const { x, y, width, height } = found.getBoundingClientRect();
    return !found.contains(document.elementFromPoint(x + width / 2, y + height / 2));
}"""
BY_CARDS = OFFERED.replace(".place[", ".place[data-target][")
"""Everything offered; places only once a card is selected that can go there."""


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("game", [*(smallest(names) for names in families().values()), "bo", "huxxy", "go"])
def test_a_click_selects_the_card_under_it(game: str, size: str, people: Callable[..., Person]) -> None:
    """Every offered card in some positions; every place that it can go is visible."""
    person, random, clicked = people(phone=size == "phone"), Random(game), 0
    person.page.set_viewport_size(SIZES[size])
    person.page.add_init_script(CAREFULLY)
    page = person.sit(game)
    for _ in range(12):
        if not wait_for_turn(page):
            break
        for key in [card.get_attribute("data-spot") for card in page.locator(CARDS).all()]:
            card = page.locator(f"[data-spot='{key}']")
            assert not card.evaluate(COVERED), key
            click(page, card)
            expect(card).to_have_attribute("aria-pressed", "true")
            for goal in page.locator(".place[data-target]").all():
                assert not goal.evaluate(COVERED), goal.get_attribute("data-place")
            page.keyboard.press("Escape")
            expect(card).to_have_attribute("aria-pressed", "false")
            clicked += 1
        make_a_choice(page, random)
    assert clicked or game != "huxxy"


def make_a_choice(page: Page, random: Random) -> None:
    """Make a random choice, part by part."""
    turn = page.evaluate("document.querySelectorAll('.log li').length")
    for _ in range(30):
        if page.evaluate("document.querySelectorAll('.log li').length") > turn or is_over(page):
            return
        found = page.query_selector_all(".choice .put.primary:not([disabled])") or page.query_selector_all(BY_CARDS)
        if found or (found := page.query_selector_all(DESELECT)):
            with suppress(Error):  # it may be gone by now
                click(page, random.choice(found))
        page.wait_for_timeout(50)


def play_until(person: Person, game: str, selector: str) -> Page:
    """Play at random against random players until ``selector`` is on the page and nothing is selected."""
    chairs = [{"kind": "me"}, *[{"kind": "computer", "player": "random"}] * 3]
    for attempt in range(10):
        page, random = person.sit(game, chairs=chairs), Random(attempt)
        while wait_for_turn(page):
            page.keyboard.press("Escape")
            if page.locator(selector).count():
                return page
            make_a_choice(page, random)
    raise AssertionError(f"There is no {selector}.")


def test_a_card_on_an_open_pile_can_be_clicked(person: Person) -> None:
    person.page.add_init_script(CAREFULLY)
    both = f".me .zone:has(> .place:not([aria-disabled])):has({CARDS})"
    page = play_until(person, "bo", both)
    zone = page.locator(f"[data-zone='{page.locator(both).first.get_attribute('data-zone')}']")
    card, place = zone.locator(".spot"), zone.locator(".place")
    click(page, card)
    expect(card).to_have_attribute("aria-pressed", "true")
    expect(place).to_have_attribute("aria-pressed", "false")
    picture(page, "bo-taken", whole=False)


def test_an_empty_pile_can_be_clicked_before_the_card(person: Person) -> None:
    person.page.add_init_script(CAREFULLY)
    page = person.sit("bo")
    wait_for_turn(page)
    place = page.locator(".me .zone.empty > .place").first
    click(page, place)
    expect(place).to_have_attribute("aria-pressed", "true")


@pytest.mark.parametrize("game", ["bo", "huxxy"])
def test_closed_piles_explain_why_the_card_cannot_go_there(game: str, person: Person) -> None:
    person.page.add_init_script(CAREFULLY)
    page = play_until(person, game, f".held {CARDS}")
    click(page, page.locator(f".held {CARDS}").first)
    closed = page.locator(".felt .zone:not(:has(> .place[data-target])):not(:has(button.spot))")
    for key in [zone.get_attribute("data-zone") for zone in closed.filter(visible=True).all()]:
        page.keyboard.press("Escape")
        click(page, page.locator(f".held {CARDS}").first)
        expect(page.locator(".said")).to_be_empty()
        click(page, page.locator(f"[data-zone='{key}'] .cards"))
        expect(page.locator(".said[data-kind=why]")).not_to_be_empty()
        expect(page.locator(".held [aria-pressed=true]")).to_have_count(1)
        picture(page, f"{game}-refused-{key}", whole=False)


def test_an_empty_go_group_is_not_formed(person: Person) -> None:
    page = play_until(person, "go", f".me .zone[data-kind=discards]:has([aria-pressed=true]) {CARDS}")
    groups = page.locator(".me .zone[data-kind=group]")
    before = groups.count()
    expect(page.locator(".asked")).to_contain_text("Select the cards of a group with")
    expect(page.locator(".choice .primary")).to_have_count(0)
    picture(page, "go-grouping", whole=False)
    page.locator("body").press("Enter")
    page.wait_for_timeout(200)
    expect(groups).to_have_count(before)
    closed = page.locator(
        ".me .zone[data-kind=discards] .spot:not([aria-pressed]), .me [data-kind=discards] [aria-disabled]"
    )
    click(page, closed.first)
    expect(page.locator(".said")).to_contain_text("aren't a group")
    while not page.locator(".choice .primary").count():
        click(page, page.locator(CARDS).first)
        taken = page.locator(".me .zone[data-kind=discards] [aria-pressed=true]").count()
        for named in page.locator(".choice .put").all_inner_texts():
            assert len(re.findall("[♠♥♦♣]", named)) == taken
    picture(page, "go-group", whole=False)
    page.locator(".choice .primary").click()
    expect(groups).to_have_count(before + 1)
