"""Pictures for the README: tables in the middle of games, on a desktop and on phones.

``KIBITZ_SCREENS=docs/images python -m pytest tests/web/browser/test_pictures.py -m long`` takes new pictures. Deals
are random, so look at the pictures, and take them again if they show little.
"""

import io
import re
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from PIL import Image
from playwright.sync_api import Error, Page

from tests.web.browser.conftest import DESK, PHONE, SCREENS, Person
from tests.web.browser.playing import CARDS, OFFERED, click, is_over, wait_for_turn

pytestmark = pytest.mark.long

QUALITY = 82
GAMES = 20
MIDDLES = {
    "bo": r"Turn ([4-9]|1\d) of 20, play [12] ",
    "president": r"play 2 cards",
    "cribbage": r"The count is 1\d",
    "go": r"Select the cards of a group with ([4-9]|10|J|Q|K)",
    "holdem": r"check, or bet",
}
"""By game, a prompt from the middle of it."""


def table_in_the_middle(person: Person, game: str, random: Random, **more: object) -> Page:
    """A table of a game that has reached its prompt in ``MIDDLES``."""
    for _ in range(GAMES):
        page = person.sit(game, **more)
        if (known := page.get_by_role("button", name="Got it")).count():
            known.click()
        while wait_for_turn(page) and not re.search(MIDDLES[game], page.locator(".asked").inner_text()):
            for offered in random.sample(found := page.query_selector_all(OFFERED), len(found))[:1]:
                try:
                    click(page, offered)
                except Error:
                    continue  # the table has changed meanwhile
            page.wait_for_timeout(40)
        if not is_over(page):
            page.wait_for_timeout(400)
            return page
    raise AssertionError(f"In {GAMES} games of {game} nobody was asked for what is asked in its middle.")


def save_picture(image: Image.Image, name: str) -> None:
    """Save a picture if pictures are wanted."""
    if SCREENS:
        image.save(Path(SCREENS) / f"{name}.webp", quality=QUALITY)


def screenshot(page: Page) -> Image.Image:
    """A screenshot of the visible part of a page."""
    return Image.open(io.BytesIO(page.screenshot())).convert("RGB")


def test_a_selected_card_highlights_its_targets_on_a_desktop(person: Person) -> None:
    chairs = [{"kind": "me"}, *[{"kind": "computer", "player": "random"}] * 3]
    page = table_in_the_middle(person, "bo", Random(2), chairs=chairs)
    for card in page.locator(".held .spot:not([aria-disabled])").all():
        card.click()
        if page.locator("[data-target]").count() > 3:
            break
        page.keyboard.press("Escape")
    page.mouse.move(5, 790)
    page.wait_for_timeout(300)
    picture = screenshot(page)
    assert picture.size == (DESK["width"], DESK["height"])
    save_picture(picture, "bo")


def test_four_games_fit_on_phones(people: Callable[..., Person]) -> None:
    pictures = []
    for game, dark in (("president", True), ("cribbage", False), ("go", False), ("holdem", True)):
        page = table_in_the_middle(people(phone=True, dark=dark), game, Random(game))
        if game == "president" and (cards := page.query_selector_all(CARDS)):
            cards[-1].click()
            page.wait_for_timeout(300)
        pictures.append(screenshot(page))
    whole = Image.new("RGB", (len(pictures) * PHONE["width"], PHONE["height"]))
    for place, picture in enumerate(pictures):
        assert picture.size == (PHONE["width"], PHONE["height"])
        whole.paste(picture, (place * PHONE["width"], 0))
    save_picture(whole, "phones")
