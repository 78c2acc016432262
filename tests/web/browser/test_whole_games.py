"""Whole games of each kind in the browser, by pointer, drag, touch and keyboard."""

from collections.abc import Callable
from itertools import product
from random import Random

import pytest
from playwright.sync_api import Page, expect

from kibitz.engine.registry import all_games, package_of
from kibitz.engine.registry import game as find_game
from tests.parts import share
from tests.web.browser.conftest import Person
from tests.web.browser.playing import CARDS, OFFERED, Finger, Mouse, is_over, play, wait_for_turn


def families() -> dict[str, list[str]]:
    """All games, grouped by the first part of their names."""
    found: dict[str, list[str]] = {}
    for game in all_games():
        found.setdefault(game.name.partition("-")[0], []).append(game.name)
    return found


def smallest(names: list[str]) -> str:
    """The variant that ends soonest."""
    return next((name for name in names if name.endswith("-mini")), names[0])


def short(game: str) -> dict[str, int]:
    """The options for a short game."""
    return {"hands": 2} if "hands" in find_game(game).option_ranges else {}


SIZES = {"wide": (1440, 900), "desk": (1280, 720), "phone": (390, 844), "sideways": (844, 390), "zoomed": (640, 360)}
"""Zoomed means 1280 by 720 at 200 %."""
DRAGS = {"pointer": 0, "drag": 1, "touch": 0.5}
FAST = [("bo-mini", "desk", "pointer"), ("huxxy-mini", "wide", "drag"), ("hearts-mini", "phone", "touch")]
GRID = [
    one if one in FAST else pytest.param(*one, marks=pytest.mark.long)
    for one in product((smallest(names) for names in families().values()), SIZES, DRAGS)
]


@pytest.mark.parametrize(("game", "size", "way"), GRID)
def test_a_whole_game(game: str, size: str, way: str, people: Callable[..., Person]) -> None:
    """By touch, cards are both tapped and dragged."""
    viewport = dict(zip(("width", "height"), SIZES[size], strict=True))
    person = people(viewport=viewport, has_touch=way == "touch", device_scale_factor=2 if size == "zoomed" else 1)
    page = person.sit(game, options=short(game))
    hand = Finger(page) if way == "touch" else Mouse(page)
    assert play(hand, Random(f"{game} {size}"), drags=DRAGS[way])
    assert page.locator(".over h2").inner_text()
    assert page.locator(".log li").count() > 2


@pytest.mark.long
@pytest.mark.parametrize("game", share([game.name for game in all_games()], 5))
def test_a_whole_game_of_every_variant_on_a_phone_in_landscape(game: str, people: Callable[..., Person]) -> None:
    page = people(viewport={"width": 844, "height": 390}, has_touch=True).sit(game)
    play(Finger(page), Random(game), seconds=500, drags=0.3)
    assert page.locator(".over h2").inner_text()


def test_a_game_starts_in_two_clicks(person: Person) -> None:
    page = person.open("/")
    page.locator(".tile[data-family=cribbage]").click()
    page.locator("dialog .play .primary").click()
    page.wait_for_selector(".held .spot")
    assert "/tables/" in page.url


@pytest.mark.long
def test_games_of_one_family_share_a_tile(person: Person) -> None:
    page = person.open("/")
    assert page.locator(".tile").count() == len({package_of(game.name) for game in all_games()})
    page.locator(".tile[data-family=poker]").click()
    expect(page.locator("dialog h2")).to_have_text("Texas hold'em")
    page.get_by_label("Game").select_option("kuhn")
    expect(page.locator("dialog h2")).to_have_text("Kuhn poker")
    page.locator("dialog .play .primary").click()
    page.wait_for_selector(".board[data-family=poker]")


@pytest.mark.long
def test_variants_options_and_seats_are_under_more(person: Person) -> None:
    page = person.open("/")
    page.locator(".tile[data-family=president]").click()
    page.locator("dialog summary").first.click()
    page.get_by_label("How many players?").fill("3")
    page.get_by_label("How many rounds?").fill("1")
    expect(page.locator(".seats select")).to_have_count(3)
    page.get_by_label("Seat 3").select_option(label="You")
    page.get_by_label("Seat 2").select_option(label="Random: Plays any legal move, at random.")
    page.locator("input[name=opponent]").first.check()
    page.get_by_label("How fast do computer players play?").select_option(label="As fast as possible.")
    page.locator("dialog .play .primary").click()
    page.wait_for_selector(".playing")
    expect(page.locator(".me")).to_have_attribute("data-seat", "2")
    expect(page.locator(".others .seat")).to_have_count(2)
    page.locator("details.options summary").click()
    expect(page.locator("details.options")).to_contain_text("One round is played")


@pytest.mark.long
@pytest.mark.parametrize("game", [smallest(names) for names in families().values()])
def test_a_whole_game_by_the_keyboard_alone(game: str, person: Person) -> None:
    page, random = person.sit(game, options=short(game)), Random(game)
    press = page.keyboard.press
    for _ in range(500):
        if not wait_for_turn(page):
            break
        if page.locator(".choice .put.primary").count() and random.random() < 0.7:
            page.locator("body").focus()
            press("Enter")
        elif random.random() < 0.5:
            press(random.choice(["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"]))
            press("Space")
        else:
            page.keyboard.type(card_name(page, random) or "1", delay=5)
            page.wait_for_timeout(5)
        if not page.query_selector_all(OFFERED):
            press("Escape")
    assert is_over(page)


def card_name(page: Page, random: Random) -> str:
    """The name of an offered card, as it is typed."""
    codes = [spot.get_attribute("data-code") for spot in page.query_selector_all(CARDS)]
    return random.choice(codes).lower() if codes else ""
