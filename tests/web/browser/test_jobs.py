"""Long work started from the pages: rounds, proofs, custom games, player replays and marking; the lobby."""

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.web.browser.conftest import Person
from tests.web.browser.test_pages import SMALL, violations
from tests.web.serving import zipped

pytestmark = pytest.mark.long

TIMEOUT = 240_000
"""Milliseconds: long work has low priority and takes minutes on a busy machine."""


def test_a_lecturer_plays_rounds_and_verifies_the_tournament(season: Person, lecturer: Person) -> None:
    page = lecturer.open("/arena/kuhn")
    page.wait_for_selector(".latest li")
    assert violations(page) == []
    assert page.evaluate(SMALL) == []
    listing = season.open("/arena").locator("[data-so-far=kuhn]")
    expect(listing).to_contain_text("1 round complete")
    with page.expect_navigation(timeout=TIMEOUT):
        page.locator("[data-work$='rounds'] button").click()
    expect(page.locator("h1 + p")).to_contain_text("2 rounds complete")
    expect(listing).to_contain_text("2 rounds complete", timeout=10_000)
    page.locator("[data-work$='proof'] button").click()
    expect(page.locator(".job [role=status]")).to_contain_text("kuhn is verified", timeout=TIMEOUT)
    assert page.locator(".findings li[data-ok]").count() > 5
    assert lecturer.faults == []


def test_a_lecturer_enters_a_class_from_the_course_page(lecturer: Person) -> None:
    lecturer.ask("POST", "/api/arena", {"game": "leduc"})
    bea, cem = (f"def play(view, legal):\n    return {choice}\n" for choice in ("legal[0]", "'dance'"))
    archive = zipped({"Bea/bea.py": bea, "Cem/cem.py": cem})
    page = lecturer.open("/arena")
    page.locator("li", has=page.locator("a:text-is('leduc')")).get_by_role("link", name="Enter a class").click()
    export = {"name": "class.zip", "mimeType": "application/zip", "buffer": archive}
    page.locator("#class [name=files]").set_input_files(export)  # type: ignore[arg-type]
    page.locator("#class button").click()
    expect(page.locator("#job .findings li").first).to_have_text("✓ Bea: accepted, version 1.", timeout=TIMEOUT)
    expect(page.locator("#job .findings li").last).to_contain_text("Cem: refused, version 1: ")
    assert violations(page) == []
    assert lecturer.faults == []


def test_a_student_plays_custom_games_and_compares_players(season: Person) -> None:
    page = season.open("/arena/kuhn")
    page.locator("[data-custom] input[value=Ada]").check()
    page.locator("[data-custom] input[value=random]").check()
    page.locator("[data-custom] button").click()
    page.wait_for_url("**/arena/custom-*", timeout=TIMEOUT)
    expect(page.locator(".ranking tr", has_text="Ada")).to_be_visible()
    page = season.open("/arena/kuhn")
    page.wait_for_selector("[data-watch] select")
    page.locator("[data-watch] button").click()
    page.wait_for_selector(".playing")
    assert season.faults == []


def test_the_owner_of_a_file_sees_its_calls_and_output(season: Person, people: Callable[..., Person]) -> None:
    page = season.open("/games/kuhn.1")
    page.locator("button:text-is('Show calls, return values and output')").click()
    page.locator("button:text-is('Next call')").or_(page.locator(".prints")).first.wait_for(timeout=TIMEOUT)
    if not page.locator(".prints").count():
        page.locator("button:text-is('Next call')").click()
    expect(page.locator(".prints pre").first).to_contain_text("play(View(")
    stranger = people().open("/games/kuhn.1")
    stranger.locator("button:text-is('Show calls, return values and output')").click()
    expect(stranger.locator(".refusal", has_text="Only a player's owner")).to_be_visible()


def test_files_are_marked_with_feedback(season: Person) -> None:
    page = season.open("/marks")
    page.locator("[name=assignment]").select_option("cribbage-lab")
    mine = {"name": "lab.py", "mimeType": "text/x-python", "buffer": b"def generate_deck():\n    return 7\n"}
    page.locator("[name=files]").set_input_files(mine)
    page.locator("button:text-is('Mark')").click()
    expect(page.locator("#marks pre")).to_contain_text("generate_deck", timeout=TIMEOUT)
    expect(page.locator("a", has_text="with a page for each student, as ZIP")).to_be_visible()
    page.reload()
    expect(page.locator("pre", has_text="generate_deck")).to_be_visible()
    page.locator("th a").click()
    expect(page.locator("h2", has_text="of 100")).to_be_visible()
    page.locator("[name=files]").set_input_files({**mine, "name": "lab.zip"})
    page.locator("button:text-is('Mark')").click()
    expect(page.locator(".job .refusal")).to_be_visible(timeout=TIMEOUT)


def test_a_free_seat_is_taken_from_the_first_page(people: Callable[..., Person]) -> None:
    ann, ben = people(), people(phone=True)
    made = {"game": "kuhn", "chairs": [{"kind": "me"}, {"kind": "open"}], "settings": {"joining": "listed"}}
    ann.open(ann.ask("POST", "/api/tables", made)["path"])
    ann.page.wait_for_selector("h2:text-is('Waiting for one more person')")
    page = ben.open("/")
    page.get_by_role("link", name="Sit down").first.click()
    ben.sit_down("Ben")
    page.wait_for_selector(".playing .me")
    expect(ann.page.locator(".playing .me")).to_be_visible()
