"""Seats around the table do not overlap, and labels name what they mark."""

from random import Random

import pytest
from playwright.sync_api import Page, expect

from kibitz.engine.registry import all_games
from tests.parts import share
from tests.web.browser.conftest import Person
from tests.web.browser.playing import DESELECT, NEXT, OFFERED, is_over, play_by_clicks, wait_for_turn

pytestmark = pytest.mark.long

SIZES = [(1440, 900), (1280, 720), (390, 844), (844, 390), (720, 450)]
"""Wide screens, a phone both ways, and 1440 by 900 at 200 %."""
NAME = "Maximiliana-Josephine von Braun-Westerhoff"
OVERLAPS = """(name) => {
    for (const named of document.querySelectorAll(".others .seat h2")) named.textContent = name;
    const apart = [...document.querySelectorAll(".board .seat, .board .middle")];
    const box = (each) => each.getBoundingClientRect();
    const meet = ([a, b]) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1
        && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1;
    const pairs = apart.flatMap((each, index) => apart.slice(index + 1).map((other) => [each, other]));
    const outside = (part, whole) => part.left < whole.left - 1 || part.right > whole.right + 1
        || part.top < whole.top - 10 || part.bottom > whole.bottom + 1;
    const called = (each) => each.getAttribute("aria-label");
    return [
        ...pairs.filter((pair) => meet(pair.map(box))).map((pair) => pair.map(called).join(" lies over ")),
        ...apart.flatMap((each) => [...each.querySelectorAll(".spot, h2, :not([data-label=bet]) > dd")]
            .filter((part) => part.checkVisibility() && !part.matches("[data-flying]") && outside(box(part), box(each)))
            .map((part) => `${part.outerHTML.slice(0, 120)} sticks out of ${called(each)}`)),
    ];
}"""


OTHERS_FIRST = """() => {
    const box = (each) => each.getBoundingClientRect();
    const others = [...document.querySelectorAll(".others .seat")].map((each) => box(each).bottom);
    const me = document.querySelector(".me");
    return !me || Math.max(...others) <= box(me).top + 1;
}"""
"""Whether the user's own seat is below all others, unless the result of a hand hides them."""


def check_no_overlap(page: Page) -> None:
    """Check that nothing overlaps at any size, with long names, and that the user's own seat is at the bottom."""
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_timeout(300)
        assert page.evaluate(OVERLAPS, NAME) == [], (width, height)
        assert page.evaluate(OTHERS_FIRST), (width, height)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), (width, height)


def test_ten_seats_with_long_names_do_not_overlap(person: Person) -> None:
    page = person.start("holdem:players=10")
    check_no_overlap(page)


MOST = {game.name: game.option_ranges["players"][1] for game in all_games() if "players" in game.option_ranges}


@pytest.mark.parametrize("game", share([game.name for game in all_games()], 4))
def test_seats_do_not_overlap_in_any_game(game: str, person: Person) -> None:
    page = person.sit(f"{game}:players={MOST[game]}" if game in MOST else game)
    random = Random(game)
    for looks in range(4):
        for _ in range(4 * looks):
            page.wait_for_selector(f".prompt[data-mine], .over, {NEXT}", state="attached", timeout=60000)
            if is_over(page):
                break
            offered = page.query_selector_all(f"{OFFERED}, {NEXT}") or page.query_selector_all(DESELECT)
            if offered:
                random.choice(offered).evaluate("each => each.click()")
            page.wait_for_timeout(100)
        if not page.locator(NEXT).count():
            check_no_overlap(page)


def test_labels_name_what_they_mark(person: Person) -> None:
    page = person.start("holdem:players=3")
    expect(page.locator("dd", has_text="Dealer")).to_have_count(1)
    page.get_by_role("button", name="Fold").click()
    expect(page.locator(".me dd", has_text="Folded").or_(page.locator(NEXT))).to_be_visible()
    expect(page.locator("dt:visible", has_text="State")).to_have_count(0)


def test_seats_are_in_order_of_play_from_the_left(person: Person) -> None:
    page = person.sit("president:players=6")
    page.set_viewport_size({"width": 1440, "height": 900})
    assert wait_for_turn(page)
    seats = page.eval_on_selector_all(
        ".others .seat",
        "all => all.map((seat) => ({ seat: +seat.dataset.seat, x: seat.getBoundingClientRect().x }))",
    )
    assert [each["seat"] for each in seats] == [1, 2, 3, 4, 5]
    assert [each["x"] for each in seats] == sorted(each["x"] for each in seats)


def test_cribbage_has_a_pegging_board_with_the_scores(person: Person) -> None:
    page = person.start("cribbage")
    expect(page.get_by_role("img", name="Pegging board to 121")).to_be_visible()
    expect(page.locator(".pegging .hole")).to_have_count(2 * 121)
    expect(page.locator(".pegging .front")).to_have_count(2)


SIDES = """() => {
    const box = (each) => each.getBoundingClientRect();
    const middle = (each) => [box(each).left + box(each).width / 2, box(each).top + box(each).height / 2];
    const cards = Object.fromEntries([...document.querySelectorAll("[data-kind=trick] [data-side]")]
        .map((each) => [each.dataset.side, { at: middle(each), by: each.querySelector(".note").textContent }]));
    const seats = Object.fromEntries([...document.querySelectorAll(".others .seat")]
        .map((each) => [each.dataset.side, each.querySelector("h2").textContent]));
    return { cards, seats };
}"""


def test_a_trick_card_lies_towards_its_player(person: Person) -> None:
    page = person.start("hearts-deal:passed=0")
    page.locator(OFFERED).first.click()
    expect(page.locator("[data-kind=trick] [data-side='0'] .note")).to_have_text("You")
    play_by_clicks(page, Random(1), seconds=120)  # the last trick lies there to the end
    page.wait_for_timeout(400)
    found = page.evaluate(SIDES)
    mine, left, across, right = (found["cards"][side]["at"] for side in "0123")
    assert left[0] < mine[0] < right[0]
    assert across[1] < left[1] < mine[1]
    assert abs(left[1] - right[1]) < 1
    assert {side: card["by"] for side, card in found["cards"].items()} == {"0": "You", **found["seats"]}
