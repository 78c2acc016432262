"""The daily puzzle: answered by pointer or keyboard, explained, and remembered in the list."""

import pytest
from playwright.sync_api import Page, expect

from kibitz.arena.puzzles import puzzles
from tests.tiers import first_fast
from tests.web.browser.conftest import Person
from tests.web.browser.test_newcomers import SIZES


def opened(person: Person, game: str) -> Page:
    page = person.open("/puzzles")
    page.locator(f"a[data-game={game}]").click()
    page.wait_for_selector(".prompt[data-mine]")
    return page


def choose(page: Page, action: int) -> None:
    """Make a choice by its parts, as the page offers them."""
    choice = next(one for one in state(page)["legal"] if one["action"] == action)
    for index in choice["parts"]:
        key = state(page)["parts"][index]["key"]
        part = page.locator(f'button:is([data-spot="{key}"], [data-place="{key}"], [data-word="{key}"])').first
        if page.locator(".over").count() or part.get_attribute("aria-pressed") == "true":
            continue
        part.focus()
        page.keyboard.press("Enter")
    page.wait_for_selector(".over, .choice .put.primary:not([disabled])")
    if not page.locator(".over").count():
        page.locator(".choice .put.primary").click()
        page.wait_for_selector(".over")


def state(page: Page) -> dict:
    return page.evaluate("JSON.parse(document.getElementById('data').textContent).state")


def todays_puzzle(page: Page, game: str):
    number = page.evaluate("JSON.parse(document.getElementById('data').textContent).number")
    return puzzles()[game][number]


@pytest.mark.parametrize("game", first_fast(puzzles()))
def test_the_best_choice_is_correct_and_remembered(game: str, person: Person) -> None:
    page = opened(person, game)
    choose(page, todays_puzzle(page, game).best)
    expect(page.locator(".over h2")).to_have_text("Correct")
    parts = next(one["parts"] for one in state(page)["legal"] if one["action"] == todays_puzzle(page, game).best)
    cards = [page.locator(f'[data-spot="{state(page)["parts"][index]["key"]}"]').count() for index in parts]
    assert page.locator("[data-hint]").count() > 0 or not any(cards), "a word such as pass isn't shown any more"
    page.get_by_role("link", name="More puzzles").click()
    expect(page.locator(f"a[data-game={game}] .summary")).to_have_text("Solved today")


@pytest.mark.long
@pytest.mark.parametrize("game", puzzles())
def test_a_wrong_choice_shows_the_better_one_and_its_cost(game: str, person: Person) -> None:
    page = opened(person, game)
    worst = todays_puzzle(page, game).costs[-1]
    choose(page, worst.action)
    expect(page.locator(".over h2")).to_have_text("Not the best choice")
    expect(page.locator(".over")).to_contain_text(f"lowers your chance of winning by {int(100 * worst.chance + 0.5)} ")
    expect(page.locator(".over")).to_contain_text("percentage points.")
    expect(page.locator(".choice")).to_have_count(0)
    page.get_by_role("link", name="More puzzles").click()
    expect(page.locator(f"a[data-game={game}] .summary")).to_have_text("Tried today")


@pytest.mark.long
@pytest.mark.parametrize("game", puzzles())
def test_a_puzzle_fits_every_screen(game: str, person: Person) -> None:
    page = opened(person, game)
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_timeout(100)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        expect(page.locator(".prompt .asked")).to_be_in_viewport()
