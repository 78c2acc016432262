"""Replaying a finished game: steps, viewpoints, key moments, the verified deal, and the record."""

import io
import re
import struct
from random import Random

import pytest
from PIL import Image
from playwright.sync_api import Page, expect

from tests.web.browser.conftest import Person
from tests.web.browser.playing import play_by_clicks

pytestmark = pytest.mark.long

AT_THE_END = """() => {
    const [at, , last] = document.querySelector("output").textContent.split(" ");
    return at === last;
}"""


def finished(person: Person, game: str = "cribbage-mini") -> Page:
    """The replay of a finished game, at its first step; the link opens it at the last."""
    play_by_clicks(person.sit(game), Random(2))
    person.page.locator(".over a:text-is('Replay')").click()
    person.page.wait_for_selector(".stage .board")
    assert person.page.evaluate(AT_THE_END)
    person.page.keyboard.press("Home")
    return person.page


def test_a_replay_is_stepped_by_keys_and_by_url(person: Person) -> None:
    page = finished(person)
    counter = page.locator(".controls output")
    expect(counter).to_contain_text("0 of ")
    last = int(counter.inner_text().split()[-1])
    page.keyboard.press("ArrowRight")
    expect(counter).to_have_text(f"1 of {last}")
    expect(page.locator(".story [aria-current]").first).to_be_visible()
    page.keyboard.press("End")
    expect(counter).to_have_text(f"{last} of {last}")
    assert page.url.endswith(f"#{last}")
    page.keyboard.press("Home")
    page.keyboard.press("n")
    expect(counter).not_to_have_text(f"0 of {last}")
    page.goto(page.url.partition("#")[0] + "#2")
    page.reload()
    expect(counter).to_have_text(f"2 of {last}")


def test_a_link_to_a_moment_scrolls_the_table_into_view(person: Person) -> None:
    page = finished(person)
    page.set_viewport_size({"width": 390, "height": 844})
    page.locator(".moments a").last.click()
    expect(page.locator(".stage .felt h2").first).to_be_in_viewport()


def test_a_replay_plays_automatically(person: Person) -> None:
    page = finished(person, "go-mini")
    page.locator(".controls select").first.select_option("8")
    page.keyboard.press("Space")
    page.wait_for_function(AT_THE_END)
    expect(page.locator(".buttons button[aria-label=Play]")).to_be_visible()


def test_hands_are_shown_open_or_as_one_seat_saw_them(person: Person) -> None:
    page = finished(person)
    expect(page.locator(".board .zone[data-form=hand]")).to_have_count(2)
    page.locator(".controls select").nth(1).select_option("0")
    expect(page.locator(".board .zone[data-form=hand]")).to_have_count(1)
    page.locator(".controls select").nth(1).select_option("spectator")
    expect(page.locator(".board .zone[data-form=hand]")).to_have_count(0)


def test_the_deal_is_verified_and_the_record_imported(person: Person) -> None:
    page = finished(person, "kuhn")
    page.locator("button:text-is('Verify')").click()
    expect(page.locator(".beside [role=status]")).not_to_be_empty()
    assert page.locator(".beside .refusal[role=status]").count() == 0
    with page.expect_download() as download:
        page.locator("a:text-is('Download the record')").click()
    record = download.value.path()
    person.open("/games")
    page.locator("input[name=record]").set_input_files(record)
    page.locator("button:text-is('Open')").click()
    page.wait_for_selector(".stage .board")


def test_a_review_begins_with_the_mistakes_of_the_person(person: Person) -> None:
    page = finished(person, "kuhn")
    page.locator("button:text-is('Review every decision')").click()
    page.wait_for_selector(".chances", timeout=180_000)  # the server compiles the search first
    first = page.locator(".review p").first
    expect(first).to_have_text(re.compile(r"^Guest: (No mistakes|\d+ mistakes?) in \d+ decisions?\.$"))
    expect(page.locator(".review select option:checked")).to_have_text("Guest")


def test_an_invalid_record_is_refused(person: Person) -> None:
    page = person.open("/games")
    nothing = {"name": "x.game", "mimeType": "text/plain", "buffer": b"\x00nothing"}
    page.locator("input[name=record]").set_input_files(nothing)
    page.locator("button:text-is('Open')").click()
    expect(page.locator(".upload .refusal")).not_to_be_empty()


def test_a_star_marks_a_favourite_game(person: Person) -> None:
    page = finished(person)
    page.get_by_role("button", name="Favourite").click()
    expect(page.get_by_role("button", name="Favourite")).to_have_attribute("aria-pressed", "true")
    page = person.open("/games")
    star = page.get_by_role("button", name="Favourite: Cribbage")
    expect(star).to_have_attribute("aria-pressed", "true")
    star.click()
    expect(star).to_have_attribute("aria-pressed", "false")
    page.reload()
    expect(star).to_have_attribute("aria-pressed", "false")


def test_a_position_can_be_played_on_against_the_computer(person: Person) -> None:
    page = finished(person)
    page.keyboard.press("End")
    expect(page.locator(".from-here")).to_contain_text("The game is over here.")
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    page.get_by_role("button", name="Play on from step 1").click()
    page.wait_for_url("**/tables/*")
    expect(page.locator("body")).to_contain_text("plays on from here")
    page.wait_for_selector(".held .spot")


def test_a_picture_of_the_table_can_be_saved(person: Person) -> None:
    page = finished(person)
    with page.expect_download() as download:
        page.get_by_role("button", name="Save a picture").click()
    content = download.value.path().read_bytes()
    width, height = struct.unpack(">II", content[16:24])
    box = page.locator(".replay .felt").bounding_box()
    assert content.startswith(b"\x89PNG")
    for top, what in ((0, "game"), (80, "result")):
        line = Image.open(io.BytesIO(content)).crop((0, top, width, top + 48))
        assert len(line.getcolors(width * 48) or []) > 1, f"The {what} is named above the table."
    assert (width, height) == (pytest.approx(2 * box["width"], abs=1), pytest.approx(2 * box["height"] + 128, abs=1))
