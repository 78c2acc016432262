"""The arena's pages: a submitted file appears in the ranking; a failing file is refused with its call."""

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.web.browser.conftest import Person, new_account, submit_player

pytestmark = pytest.mark.long


def test_a_submitted_file_appears_in_the_ranking(season: Person) -> None:
    assert "Ada will play from the next round on" in season.told
    page = season.open("/arena")
    page.locator("h2 a:text-is('kuhn')").click()
    row = page.locator(".ranking tr", has_text="Ada")
    expect(row).to_be_visible()
    expect(page.locator(".cross")).to_be_visible()
    row.locator("a").click()
    expect(page.locator("h1")).to_have_text("Ada")
    page.locator("table a").first.click()
    page.wait_for_selector(".stage .board")
    assert season.faults == []


def test_a_failing_file_is_refused_with_its_call(people: Callable[..., Person]) -> None:
    bob = people()
    new_account(bob, "Bob")
    submit_player(bob, "Bob", "def play(view, legal):\n    return -7\n")
    failed = bob.page.locator(".findings li:not([data-ok])")
    expect(failed).to_contain_text("-7")
    expect(failed).to_contain_text("kibitz")
    assert "efused" in bob.page.locator(".state").inner_text() or bob.page.locator(".state.refusal").count()


def test_a_file_can_be_dropped_on_the_page(person: Person) -> None:
    page = person.open("/submit")
    page.evaluate(
        """() => {
            const bag = new DataTransfer();
            bag.items.add(new File(["x = 1"], "mine.py"));
            bag.items.add(new File(["notes"], "notes.txt"));
            const drop = new DragEvent("drop", { dataTransfer: bag, bubbles: true, cancelable: true });
            document.querySelector("[data-drop]").dispatchEvent(drop);
        }"""
    )
    expect(page.locator(".chosen li")).to_have_count(1)
    expect(page.locator(".chosen li")).to_contain_text("mine.py")


def test_a_guest_is_asked_to_create_an_account(person: Person) -> None:
    page = person.open("/submit")
    expect(page.locator(".notice a").first).to_have_attribute("href", "/account")
    submit_player(person, "Nobody", "def play(view, legal):\n    return legal[0]\n")
    expect(page.locator(".submit .refusal")).not_to_be_empty()


def test_a_lecturer_starts_and_freezes_a_tournament(lecturer: Person) -> None:
    page = lecturer.open("/arena")
    begin = page.locator("form[data-ask='POST /api/arena']")
    begin.locator("select").select_option("eights-mini")
    begin.locator("button").click()
    page.locator("h2 a:text-is('eights-mini')").click()
    page.locator("button:text-is('Close submissions')").click()
    page.wait_for_load_state()
    expect(page.locator("h1 + p")).to_contain_text("submissions closed")


def test_spectators_see_the_summary_of_a_finished_hand(season: Person) -> None:
    page = season.open("/arena/kuhn/watch")
    page.get_by_role("button", name="Pause").click()
    page.get_by_role("button", name="Latest move").click()
    expect(page.locator(".beside .summary .result").first).to_contain_text("pot")
    assert season.faults == []
