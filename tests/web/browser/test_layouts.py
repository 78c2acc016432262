"""All controls can be scrolled into view and pressed, on a phone either way up and at 200 % zoom."""

from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from kibitz.engine.registry import all_games
from tests.parts import share
from tests.web.browser.conftest import Person
from tests.web.browser.playing import DESELECT, NEXT, OFFERED, Mouse, is_over, play, wait_for_turn

pytestmark = pytest.mark.long

UPRIGHT, SIDEWAYS, LAPTOP, LOW = (390, 844), (844, 390), (720, 450), (640, 360)
"""A phone both ways, and screens of 1440 by 900 and of 1280 by 720 at 200 %."""
HIDDEN = """wanted => document.querySelector(".choice[data-settling], [data-flying]") ? null :
[...document.querySelectorAll(wanted)].filter((each) => {
    if (!each.checkVisibility()) return true;
    each.scrollIntoView({ block: "center", inline: "center" });
    const box = each.getBoundingClientRect();
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    const found = document.elementFromPoint(x, y);
    const inside = box.left >= 0 && box.top >= 0 && box.right <= innerWidth + 1 && box.bottom <= innerHeight + 1;
    return !inside || !found || !(each.contains(found) || each.closest(".zone")?.contains(found));
}).map((each) => each.outerHTML.slice(0, 200))"""
"""The elements that cannot be scrolled fully into view, or whose middle is covered from outside their zone; null while
a card is flying, or while buttons ignore clicks because their prompt has just changed."""
FELT = """() => {
    const [felt, foot] = [".felt", ".foot"].map((each) => document.querySelector(each).getBoundingClientRect());
    const below = foot.left < felt.right ? foot.top : innerHeight;
    return Math.min(felt.bottom, below) - Math.max(felt.top, 0);
}"""
"""The visible part of the table's height."""


def open_table(person: Person, game: str, size: tuple[int, int], **more: Any) -> Page:
    """A table of a game on a screen of the given size."""
    person.page.set_viewport_size(ViewportSize(width=size[0], height=size[1]))
    return person.sit(game, **more)


@pytest.mark.parametrize("size", [UPRIGHT, SIDEWAYS, LAPTOP, LOW])
@pytest.mark.parametrize("game", share([game.name for game in all_games()], 5))
def test_all_controls_of_every_game_can_be_seen_and_pressed(game: str, size: tuple[int, int], person: Person) -> None:
    """Before each click of a game."""
    page, random = open_table(person, game, size), Random(game)
    for _ in range(60):
        page.wait_for_selector(f".prompt[data-mine], .over, {NEXT}", state="attached", timeout=60000)
        page.wait_for_timeout(50)  # until animations have started
        wanted = f"{OFFERED}, .choice .quiet, {NEXT}, .summary .spot, .over :is(button, .button)"
        while (hidden := page.evaluate(HIDDEN, wanted)) is None:
            page.wait_for_timeout(50)
        assert hidden == []
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        if is_over(page):
            return
        offered = page.query_selector_all(f"{OFFERED}, {NEXT}") or page.query_selector_all(DESELECT)
        if offered:
            random.choice(offered).evaluate("each => each.click()")


@pytest.mark.parametrize("size", [SIDEWAYS, LOW])
def test_the_table_gets_most_of_a_low_screen(size: tuple[int, int], person: Person) -> None:
    """Even with the short rules, the prompt, the hand and the history, before the rules are known."""
    page = open_table(person, "holdem", size)
    page.wait_for_selector(".brief-rules")
    assert page.evaluate(FELT) > 0.7 * size[1]
    page.get_by_text("in short").click()
    page.get_by_role("button", name="Got it").click()
    assert page.evaluate(FELT) > 0.8 * size[1]


@pytest.mark.parametrize("size", [SIDEWAYS, LOW])
@pytest.mark.parametrize("game", ["bo", "go"])
def test_all_piles_are_visible_on_a_low_screen(game: str, size: tuple[int, int], person: Person) -> None:
    """From the first choice on; targets are large enough for a finger."""
    page, random = open_table(person, game, size), Random(game)
    for _ in range(12):
        assert wait_for_turn(page)
        page.wait_for_function(  # once no card is flying, which may be off the screen
            """() => {
                const { scrollHeight, clientHeight } = document.querySelector(".felt");
                return scrollHeight <= clientHeight;
            }"""
        )
        sizes = page.eval_on_selector_all(".place", "all => all.map((each) => [each.offsetWidth, each.offsetHeight])")
        assert all(min(size) >= 44 for size in sizes if min(size))
        if offered := page.query_selector_all(OFFERED) or page.query_selector_all(DESELECT):
            random.choice(offered).evaluate("each => each.click()")


CUT_OFF = """() => [...document.querySelectorAll(
        ".asked, .first-step, .said, .then, .choice .primary, .choice .word, .choice .quiet, .held .spot")]
    .filter((each) => {
        const { left, top, right, bottom } = each.getBoundingClientRect();
        const [x, y] = [(left + right) / 2, (top + bottom) / 2];
        const ends = [[left + 4, y], [right - 4, y], [x, top + 4], [x, bottom - 4]];
        const within = each.matches(".spot") ? each.closest(".held") : each; // cards of a fan lie over each other
        return each.textContent && !ends.every((end) => within.contains(document.elementFromPoint(...end)));
    }).map((each) => each.outerHTML.slice(0, 200))"""
"""Prompts, messages, controls and cards in hand that are covered or outside the screen."""


@pytest.mark.parametrize("size", [UPRIGHT, SIDEWAYS, LAPTOP, LOW])
@pytest.mark.parametrize("game", ["huxxy", "go", "cribbage", "holdem", "hearts"])
def test_prompt_hint_and_hand_are_visible_together(game: str, size: tuple[int, int], person: Person) -> None:
    """The first step suggested to a newcomer, and a hint after it."""
    page = open_table(person, game, size)
    assert wait_for_turn(page)
    page.wait_for_selector(".first-step")
    page.wait_for_timeout(400)
    assert page.evaluate(CUT_OFF) == []
    page.keyboard.press("h")
    page.wait_for_selector(".said[data-kind=hint]")
    page.wait_for_timeout(400)
    assert page.evaluate(CUT_OFF) == []


@pytest.mark.parametrize("size", [SIDEWAYS, LOW])
@pytest.mark.parametrize("game", ["bo", "huxxy"])
def test_a_selected_card_shows_its_targets_on_a_low_screen(game: str, size: tuple[int, int], person: Person) -> None:
    """The page does not scroll, the buttons stay visible, and the table scrolls to the highlighted places."""
    page = open_table(person, game, size)
    assert wait_for_turn(page)
    page.wait_for_timeout(400)
    page.locator(".held .spot:not([aria-disabled])").last.click()
    page.wait_for_selector(".felt [data-target]")
    page.wait_for_timeout(400)
    assert page.evaluate(CUT_OFF) == []
    assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")
    expect(page.locator(".felt [data-target]").last).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize("size", [UPRIGHT, SIDEWAYS, LAPTOP])
def test_a_bet_has_one_visible_primary_button(size: tuple[int, int], person: Person) -> None:
    raising = person.page.locator(".choice .word:is([data-word=bet], [data-word=raise])")
    for _ in range(20):
        page = open_table(person, "holdem", size)
        if wait_for_turn(page) and raising.count():
            break
    raising.click()
    page.wait_for_timeout(400)
    assert page.evaluate(CUT_OFF) == []
    gold = """() => {
        const [primary, ...others] = [".choice .primary", ".choice button"]
            .flatMap((each) => [...document.querySelectorAll(each)])
            .map((each) => getComputedStyle(each).backgroundColor);
        return others.filter((colour) => colour === primary).length;
    }"""
    assert page.evaluate(gold) == 1


@pytest.mark.parametrize("game", ["hearts", "holdem", "eights", "president"])
@pytest.mark.parametrize("size", [UPRIGHT, SIDEWAYS, LAPTOP])
def test_card_backs_can_be_seen_and_cover_no_text(
    game: str, size: tuple[int, int], people: Callable[..., Person]
) -> None:
    page = open_table(people(), game, size)
    page.wait_for_selector(".others .count")
    assert page.locator(".others .face.back").first.evaluate("each => each.offsetWidth") >= 20
    covered = """() => [...document.querySelectorAll(".others .seat")].flatMap((seat) => {
        const badge = seat.querySelector(".cards")?.getBoundingClientRect() ?? {};
        const meets = ({ left, right, top, bottom }) =>
            right > badge.left && left < badge.right && bottom > badge.top && top < badge.bottom && right - left > 1;
        const range = document.createRange();
        return [...seat.querySelectorAll("header *:not(:has(*))")].map((each) => {
            range.selectNodeContents(each);
            return [...range.getClientRects()].some(meets) ? each.textContent : "";
        }).filter(Boolean);
    })"""
    assert page.evaluate(covered) == []


def test_ten_players_fit_above_the_prompt_on_a_phone(person: Person) -> None:
    """From the first hand on, when the prompt suggests a first step."""
    page = open_table(person, "holdem", UPRIGHT, options={"players": 10})
    assert wait_for_turn(page)
    page.wait_for_selector(".first-step")
    bottoms = page.eval_on_selector_all(".seat", "all => all.map((each) => each.getBoundingClientRect().bottom)")
    assert len(bottoms) == 10
    assert max(bottoms) <= page.locator(".foot").bounding_box()["y"]


@pytest.mark.parametrize("size", [SIDEWAYS, LAPTOP, LOW])
def test_the_end_of_a_game_shows_its_buttons_on_a_low_screen(size: tuple[int, int], person: Person) -> None:
    page = open_table(person, "huxxy", size, settings={"pace": "skip"})
    play(Mouse(page), Random(1))
    for name in ("Rematch", "Replay", "Another game"):
        expect(page.locator(".over").get_by_text(name, exact=True)).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize("size", [UPRIGHT, SIDEWAYS, LAPTOP])
def test_names_at_a_trick_are_not_cut(size: tuple[int, int], person: Person) -> None:
    names = ("Wilhelmina Slater", "Bartholomew-James", "Christopher-John")
    chairs = [{"kind": "me"}, *({"kind": "computer", "player": "random", "name": name} for name in names)]
    page = open_table(person, "hearts-deal", size, chairs=chairs)
    for _ in range(200):
        if page.locator(".middle [data-side]").count() > 2:
            break
        if offered := page.query_selector_all(OFFERED):
            offered[0].evaluate("each => each.click()")
        page.wait_for_timeout(20)
    cut = "all => all.filter((each) => each.scrollWidth > each.clientWidth).map((each) => each.textContent)"
    assert page.eval_on_selector_all(".middle .note", cut) == []


def test_the_chat_leaves_the_hand_visible(people: Callable[..., Person]) -> None:
    ann, ben = people(), people()
    link = (
        open_table(ann, "cribbage", SIDEWAYS, chairs=[{"kind": "me"}, {"kind": "open"}])
        .locator(".link input")
        .input_value()
    )
    ben.join(link, "Ben")
    ann.page.wait_for_selector(".talk")
    ann.page.wait_for_function(  # once the layout has settled
        """() => {
            const bottoms = [...document.querySelectorAll('.held .spot')].map((s) => s.getBoundingClientRect().bottom);
            const talk = document.querySelector('.playing aside').getBoundingClientRect().top;
            return bottoms.length && bottoms.every((bottom) => bottom <= talk);
        }"""
    )
