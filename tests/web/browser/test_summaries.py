"""The summary of a hand or round is shown before the next deal, until it is read."""

import re
from collections.abc import Callable
from random import Random

import pytest
from playwright.sync_api import expect

from tests.web.browser.conftest import Person
from tests.web.browser.playing import NEXT, play_by_clicks, play_to_a_summary

INK = "each => getComputedStyle(each).color"

pytestmark = pytest.mark.long


def test_cribbage_counts_both_hands_and_the_crib_by_item(person: Person) -> None:
    page = person.sit("cribbage")
    play_to_a_summary(page, Random(1))
    summary = page.get_by_role("region", name="The show")
    expect(summary.locator("ol h3").nth(2)).to_contain_text("crib")
    assert summary.locator("ol > li").count() == 3
    assert summary.locator(".spot[data-code]").count() == 3 * 4 + 1
    for row in summary.locator("ol > li").all():
        points = sum(int(item.inner_text()) for item in row.locator("ul b").all())
        expect(row.locator(".result span")).to_have_text("1 point" if points == 1 else f"{points} points")
    page.wait_for_timeout(1000)
    assert summary.count() == 1
    assert not page.locator(".log li", has_text="Deal 2").count()
    expect(page.locator(NEXT)).to_be_focused()
    page.keyboard.press("Enter")
    expect(summary).to_have_count(0)
    expect(page.locator(".log li", has_text="Deal 2")).to_be_attached()
    expect(page.locator(".held .spot")).to_have_count(6)


def test_poker_shows_the_winners_and_the_cards_shown(person: Person) -> None:
    page = person.sit("leduc", options={"hands": 30})
    for _ in range(30):
        play_to_a_summary(page, Random(1))
        if page.locator(".summary ol .spot").count():
            break
        page.keyboard.press("Space")
    summary = page.locator(".summary")
    assert summary.get_by_role("group", name="Board").locator(".spot").count() == 1
    won, has = summary.locator("ol > li").first.locator(".result").inner_text().split("\n")
    assert "pot" in won
    assert won.split()[-1] in page.locator(".log li", has_text="pot").last.inner_text()
    assert has.split()[0] in page.locator(".log li", has_text="is over").last.inner_text()


def test_president_shows_the_finishing_order(person: Person) -> None:
    page = person.sit("president-mini", options={"rounds": 2})
    play_to_a_summary(page, Random(1))
    summary = page.get_by_role("region", name="Round 1")
    roles = summary.locator("li p:first-of-type").all_inner_texts()
    assert (roles[0], roles[-1]) == ("President", "Bum")
    out = page.locator(".log li", has_text="is President.").or_(page.locator(".log li", has_text="are President."))
    assert out.last.inner_text().startswith(summary.locator("ol h3").first.inner_text())


def test_unread_summaries_reappear_after_a_reload(person: Person) -> None:
    page = person.sit("cribbage")
    play_to_a_summary(page, Random(2))
    shown = page.locator(".summary").inner_text()
    page.reload()
    expect(page.locator(NEXT)).to_be_focused()
    assert page.locator(".summary").inner_text() == shown
    page.keyboard.press("Space")
    expect(page.locator(".held .spot")).to_have_count(6)
    page.reload()
    expect(page.locator(".held .spot")).to_have_count(6)
    expect(page.locator(".summary")).to_have_count(0)


def test_each_player_reads_a_summary_at_their_own_pace(people: Callable[..., Person]) -> None:
    """Ben plays on while Ann still reads; afterwards Ann gets the events she missed."""
    ann, ben = people(), people()
    ann.sit("leduc", chairs=[{"kind": "me"}, {"kind": "open"}], name="Ann", options={"hands": 30})
    ben.join(ann.page.locator(".link input").input_value(), "Ben")
    hands = 0
    while True:
        for person in (ann, ben):
            person.page.wait_for_timeout(150)
            if not person.page.locator(NEXT).count() and (fold := person.page.query_selector(".word")):
                fold.click()
        if ann.page.locator(NEXT).count() and ben.page.locator(NEXT).count():
            hands += 1
            ben.page.locator(NEXT).click()
            ben.page.wait_for_timeout(300)
            if ben.page.locator(".prompt[data-mine]").count():
                break
            ann.page.locator(NEXT).click()
    ben.page.locator(".word").first.click()
    ben.page.wait_for_timeout(500)
    expect(ann.page.locator(".summary h2")).to_have_text(f"Hand {hands}")
    ann.page.locator(NEXT).click()
    expect(ann.page.locator(".log li", has_text="Ben").last).to_be_attached()
    ann.page.wait_for_selector(".prompt[data-mine], .summary")


def test_spectators_advance_past_summaries_automatically(people: Callable[..., Person]) -> None:
    ann, eve = people(), people()
    page = ann.sit("cribbage")
    eve.page.clock.install()
    eve.page.goto(page.url)
    eve.page.wait_for_selector(".board")
    play_to_a_summary(page, Random(4))
    eve.page.wait_for_selector(".summary")
    eve.page.clock.fast_forward(19000)
    eve.page.clock.run_for(100)
    assert eve.page.locator(".summary").count() == 1
    eve.page.clock.fast_forward(2000)
    expect(eve.page.locator(".board")).to_be_visible()
    assert page.locator(".summary").count() == 1


def test_a_replay_shows_the_summary_of_each_hand(person: Person) -> None:
    page = person.sit("leduc", options={"hands": 2})
    for hand in ("Hand 1", "Hand 2"):
        play_to_a_summary(page, Random(3))
        expect(page.locator(".summary h2")).to_have_text(hand)
        page.locator(NEXT).click()
    page.locator(".over a:text-is('Replay')").click()
    page.wait_for_selector(".stage .board")
    page.keyboard.press("Home")
    expect(page.locator(".summary")).to_have_count(0)
    page.keyboard.press("End")
    expect(page.locator(".summary h2")).to_have_text("Hand 2")
    ink, board = [page.locator(f"{where} h2").first.evaluate(INK) for where in (".summary", ".stage .board")]
    assert ink == board


@pytest.mark.parametrize("motion", ["reduce", "no-preference"])
def test_summary_items_are_animated_unless_motion_is_reduced(person: Person, motion: str) -> None:
    person.page.emulate_media(reduced_motion=motion)  # type: ignore[arg-type]
    page = person.sit("cribbage")
    play_to_a_summary(page, Random(1))
    seen = page.locator(".summary .result").last.evaluate("each => getComputedStyle(each).animationName")
    assert seen == ("none" if motion == "reduce" else "counted")


def test_penalty_points_have_no_minus_sign(person: Person) -> None:
    page = person.sit("hearts-mini")
    play_by_clicks(page, Random(2))
    assert re.fullmatch(r"Points taken:( .+? \d+){3}", " ".join(page.locator(".over .scores").inner_text().split()))
    page.locator(".over a:text-is('Replay')").click()
    page.wait_for_selector("th:text-is('Points taken')")
    assert "-" not in "".join(page.locator("td.number").all_inner_texts())
