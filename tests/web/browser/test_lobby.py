"""Finding people to play with: quick match, open tables, the host, rematch requests."""

from collections.abc import Callable
from hashlib import sha256

import pytest
from playwright.sync_api import Page, expect

from tests.web.browser.conftest import Person
from tests.web.browser.playing import NEXT, is_over, wait_for_turn

HIDDEN = """
window.shown = [];
window.Notification = class {
    static requestPermission = async () => "granted";
    constructor(title, { body }) { shown.push(`${title}: ${body}`); }
};
Object.defineProperty(document, "hidden", { get: () => true });
"""


def quick_match(person: Person, name: str, family: str = "eights") -> Page:
    page = person.open("/")
    page.locator(f".tile[data-family={family}]").click()
    page.get_by_role("button", name="Quick match").click()
    expect(page.get_by_label("Your name")).to_be_focused()
    page.keyboard.type(name)
    page.keyboard.press("Enter")
    return page


@pytest.mark.long
def test_a_quick_match_seats_two_strangers_together(people: Callable[..., Person]) -> None:
    ann, ben = people(), people(phone=True)
    page = quick_match(ann, "Ann")
    page.wait_for_selector("h2:has-text('Waiting for')")
    other = quick_match(ben, "Ben")
    for each, name in ((page, "Ben"), (other, "Ann")):
        expect(each.locator(".others h2", has_text=name)).to_be_visible()


@pytest.mark.long
def test_a_returning_page_joins_the_current_waiting_player(people: Callable[..., Person]) -> None:
    ann, ben = people(), people()
    page = quick_match(ann, "Ann", "cribbage")
    page.wait_for_selector("h2:has-text('Waiting for')")
    left = page.url
    page.goto("about:blank")
    page.wait_for_timeout(10_500)  # until her seat is free again
    other = quick_match(ben, "Ben", "cribbage")
    other.wait_for_selector("h2:has-text('Waiting for')")
    assert other.url != left
    page.goto(left)
    for each, name in ((page, "Ben"), (other, "Ann")):
        expect(each.locator(".others h2", has_text=name)).to_be_visible()
    assert page.url == other.url


@pytest.mark.long
def test_the_reason_for_a_refused_name_is_visible_on_a_phone(people: Callable[..., Person]) -> None:
    """The bar of buttons covers what is scrolled below it."""
    page = people().open("/")
    page.set_viewport_size({"width": 844, "height": 390})
    page.reload()
    page.locator(".tile[data-family=eights]").click()
    page.get_by_role("button", name="Quick match").click()
    page.get_by_label("Your name").fill("Ben <3")
    page.keyboard.press("Enter")
    said = page.locator("dialog .refusal")
    expect(said).to_contain_text("Not a valid name")
    assert said.evaluate(
        "each => each.contains(document.elementFromPoint(each.getBoundingClientRect().x + 5,"
        " each.getBoundingClientRect().y + 5))"
    )


@pytest.mark.long
def test_a_friend_accepts_a_rematch_with_one_click(people: Callable[..., Person]) -> None:
    ann, ben = people(), people(phone=True)
    ann.sit("kuhn", options={"hands": 1}, chairs=[{"kind": "me"}, {"kind": "open"}], name="Ann")
    ben.join(ann.page.locator(".link input").input_value(), "Ben")
    ben.page.wait_for_selector(".held .spot")
    while not (is_over(ann.page) and is_over(ben.page)):
        for person in (ann, ben):
            for offered in person.page.query_selector_all(f".choice .word:not([disabled]), {NEXT}")[:1]:
                offered.evaluate("each => each.click()")
        ann.page.wait_for_timeout(50)
    ann.page.get_by_role("button", name="Rematch").click()
    expect(ann.page.get_by_text("Ben has been asked for a rematch.")).to_be_visible()
    expect(ben.page.get_by_text("Ann wants a rematch.")).to_be_visible()
    ben.page.get_by_role("button", name="Accept").click()
    for person in (ann, ben):
        person.page.wait_for_selector(".held .spot")


@pytest.mark.long
def test_the_host_removes_a_player_by_name_during_the_game(people: Callable[..., Person]) -> None:
    ann, ben = people(), people(phone=True)
    made = ann.ask("POST", "/api/tables", {"game": "bo-mini", "chairs": [{"kind": "me"}, {"kind": "open"}]})
    page = ann.open(made["path"])
    ben.join(ann.address + made["invitations"][0]["path"], "Ben")
    page.get_by_role("button", name="Ben", exact=True).click()
    page.get_by_label("Level").select_option("Hard")
    page.get_by_role("button", name="Remove", exact=True).click()
    expect(page.locator("dialog")).to_have_count(0)
    expect(page.locator(".log")).to_contain_text("The host has removed Ben.")
    expect(page.locator(".others .seat")).to_contain_text("computer plays")
    expect(ben.page.locator(".notice")).to_contain_text("The table's host has removed you")
    expect(ben.page.locator(".others .seat, .me")).to_have_count(2)


@pytest.mark.long
def test_a_hidden_page_notifies_of_a_turn_with_consent(people: Callable[..., Person]) -> None:
    ann, ben = people(), people()
    ann.page.add_init_script(HIDDEN)
    ann.sit("kuhn", options={"hands": 9}, chairs=[{"kind": "open"}, {"kind": "me"}], name="Ann")
    ann.page.keyboard.press("?")
    ann.page.get_by_role("button", name="Notify me of my turn: off").click()
    expect(ann.page.get_by_role("button", name="Notify me of my turn: on")).to_be_visible()
    ann.page.keyboard.press("Escape")
    ben.join(ann.page.locator(".link input").input_value(), "Ben")
    assert wait_for_turn(ben.page)
    expect(ann.page).to_have_title("Kuhn poker · Kibitz")
    assert ann.page.evaluate("shown") == []
    ben.page.locator(".choice .word").first.click()
    expect(ann.page).to_have_title("Your turn · Kuhn poker · Kibitz")
    assert ann.page.evaluate("shown") == ["Your turn: Kuhn poker"]


QR_CODES = {
    "x": "a45ded3cc2244a3a",
    "http://127.0.0.1:8000/tables/24874211a528f826?invite=3HTlRjEJ8OeC": "b5cd4cdb9f551182",
    "https://kibitz.example.edu/cards/tables/24874211a528f826?invite=3HTlRjEJ8OeC"
    "&name=Grüße von Ann-Sofie O'Hara": "a3f960945b4f82fb",
}
"""By text, the beginning of the SHA-256 of the code that python-qrcode 8.2 makes with error correction L and mask 0."""


def test_qr_codes_encode_their_text(person: Person) -> None:
    page = person.open("/")
    rows = """async (texts) => {
        const { qr } = await import(document.documentElement.dataset.base + "/static/js/qr.js");
        return texts.map((text) => qr(text)?.map((row) => row.map((dark) => (dark ? "#" : ".")).join("")).join("\\n"));
    }"""
    *found, too_long = page.evaluate(rows, [*QR_CODES, "x" * 135])
    assert [sha256(each.encode()).hexdigest()[:16] for each in found] == list(QR_CODES.values())
    assert too_long is None
