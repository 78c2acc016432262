"""Playing at a table: reasons, targets, hints, undo; other people; reloads and lost connections."""

import json
import re
from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.web.browser.conftest import Person, new_account
from tests.web.browser.playing import click, is_over, play_by_clicks, wait_for_turn
from tests.web.browser.test_whole_games import families, smallest

pytestmark = pytest.mark.long

GREYED = ".held .spot[aria-disabled]"
CUT_OFF = """() => {
    const send = WebSocket.prototype.send;
    WebSocket.prototype.send = function () {
        WebSocket.prototype.send = send;
        this.close();
    };
}"""
"""Loses the next message that is sent, and the connection with it."""


def test_unplayable_cards_explain_why(person: Person) -> None:
    for _ in range(20):
        page = person.start("eights")
        if page.locator(GREYED).count():
            break
    page.locator(GREYED).first.click(force=True)
    expect(page.locator(".said[data-kind=why]")).not_to_be_empty()
    page.keyboard.press("Escape")
    expect(page.locator(".said")).to_be_empty()
    page.locator(GREYED).first.focus()
    page.locator(".held .spot").last.focus()
    page.locator(GREYED).first.focus()
    expect(page.locator(".said[data-kind=why]")).not_to_be_empty()


def test_a_short_introduction_is_shown_until_dismissed(person: Person) -> None:
    page = person.sit("huxxy-mini")
    short = page.get_by_label("In short")
    expect(short).to_contain_text("every group must be valid")
    short.get_by_role("button", name="All rules").click()
    page.wait_for_selector(".rules h3, .rules p")
    page.keyboard.press("Escape")
    short.get_by_role("button", name="Got it").click()
    expect(short).to_have_count(0)
    person.start("huxxy")
    expect(page.get_by_label("In short")).to_have_count(0)
    person.sit("kuhn")
    expect(page.get_by_label("In short")).to_contain_text("jack, a queen and a king")


def test_the_introduction_is_not_repeated_after_a_choice(people: Callable[..., Person]) -> None:
    person = people(phone=True)
    page = person.sit("kuhn")
    short = page.get_by_label("In short")
    expect(short.get_by_role("button", name="Got it")).to_be_hidden()
    short.locator("summary").click()
    expect(short.get_by_role("button", name="Got it")).to_be_visible()
    assert wait_for_turn(page)
    page.locator(".choice .word").first.click()
    expect(short).to_have_count(0)
    person.start("kuhn")
    expect(short).to_have_count(0)


def test_a_double_click_does_not_answer_the_next_question(person: Person) -> None:
    page = person.start("kuhn")
    own = page.locator(".log li", has_text=re.compile("^You (check|bet|call|fold)"))
    settling = page.locator(".choice[data-settling]")
    expect(settling).to_have_count(0)
    click(page, page.locator(".choice button").first)
    expect(own).to_have_count(1)
    page.wait_for_selector(".choice[data-settling]")
    click(page, page.locator(".choice button").first)
    assert settling.count(), "The click came too late to show anything."
    page.wait_for_timeout(500)
    expect(own).to_have_count(1)


def test_the_answer_to_an_early_hint_stays_until_the_turn(people: Callable[..., Person]) -> None:
    ann, ben = people(), people()
    ann.sit("huxxy", chairs=[{"kind": "me"}, {"kind": "open"}], name="Ann", options={"players": 2})
    ben.join(ann.page.locator(".link input").input_value(), "Ben")
    for each in (ann, ben):
        each.page.wait_for_selector(".held .spot")
    mover, other = (ann, ben) if ann.page.locator(".prompt[data-mine]").count() else (ben, ann)
    other.page.keyboard.press("h")
    said = other.page.locator(".said")
    expect(said).to_have_text("You can ask for a hint on your turn.")
    expect(other.page.locator(".asked")).to_contain_text("Waiting for")
    mover.page.locator(".held .spot").first.click()
    mover.page.locator("[data-place=new]").click()
    expect(other.page.locator(".middle [data-kind=group] .spot")).to_have_count(1)
    expect(said).to_have_text("You can ask for a hint on your turn.")


def test_clicking_the_stock_explains_how_to_draw(person: Person) -> None:
    page = person.start("huxxy")
    click(page, page.locator("[data-zone=stock] .cards"))
    expect(page.locator(".said")).to_contain_text("Pick up a card")
    page.locator(".held .spot").first.click()
    page.locator("[data-place=new]").click()
    expect(page.locator(".middle [data-kind=group] .spot").first).to_be_visible()
    click(page, page.locator("[data-zone=stock] .cards"))
    expect(page.locator(".said")).to_contain_text("not after a play")


def test_a_selected_card_highlights_its_targets_and_can_be_returned(person: Person) -> None:
    page = person.start("bo")
    assert page.locator("[data-target]").count() == 0
    card = page.locator(".held .spot:not([aria-disabled])").first
    card.click()
    expect(card).to_have_attribute("aria-pressed", "true")
    assert page.locator("[data-target]").count() > 0
    card.click()
    expect(card).to_have_attribute("aria-pressed", "false")
    assert page.locator("[data-target]").count() == 0


def test_any_amount_within_the_limits_can_be_bet(person: Person) -> None:
    for _ in range(20):
        page = person.sit(
            "holdem", chairs=[{"kind": "me"}, {"kind": "computer", "player": "random"}], options={"players": 2}
        )
        assert wait_for_turn(page)
        raising = page.locator(".choice .word[data-word=raise]")
        if raising.count():
            break
    raising.click()
    field = page.locator(".amount input[type=number]")
    amount = int(field.get_attribute("min") or 0) + 3
    field.fill(str(amount))
    page.locator(".amount .primary").click()
    expect(page.locator(".log li", has_text=f"{amount}").first).to_be_attached()


def test_a_hint_is_shown_in_the_words_of_its_reason(person: Person) -> None:
    """Which name the judge and the choice: the page adds no words of its own."""
    heard: list[dict[str, Any]] = []
    person.page.on("websocket", lambda line: line.on("framereceived", lambda frame: heard.append(json.loads(frame))))
    page = person.start("cribbage")
    page.keyboard.press("h")
    expect(page.locator(".said[data-kind=hint]")).not_to_be_empty(timeout=60000)
    (hint,) = [message for message in heard if message["type"] == "hint"]
    expect(page.locator(".said[data-kind=hint]")).to_have_text(hint["reason"])
    assert page.locator("[data-hint]").count() > 0


def test_an_account_is_warned_before_the_first_hint(person: Person) -> None:
    new_account(person, "Hinted")
    page = person.sit("kuhn")
    assert wait_for_turn(page)
    page.keyboard.press("h")
    expect(page.locator(".said")).to_contain_text("doesn't count for your rating")
    page.keyboard.press("h")
    expect(page.locator(".said[data-kind=hint]")).not_to_be_empty(timeout=60000)


AT_ONCE = """
window.requestAnimationFrame = (then) => setTimeout(then, 3000);
const watch = new MutationObserver(() => {
    if (!document.querySelector(".prompt[data-mine]")) return;
    watch.disconnect();
    document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "h", bubbles: true }));
});
watch.observe(document, { childList: true, subtree: true, attributes: true });
"""
"""Presses the key for a hint at the moment a choice is asked for, on a machine too busy to draw."""


def test_keys_work_as_soon_as_a_choice_is_asked_for(person: Person) -> None:
    person.page.add_init_script(AT_ONCE)
    expect(person.sit("kuhn").locator(".said[data-kind=hint]")).not_to_be_empty(timeout=60000)


def test_a_digit_selects_the_choice_at_that_position(person: Person) -> None:
    """Digits select by position: 1 is the first of check and bet, or of fold and call."""
    page = person.start("kuhn")
    page.keyboard.press("1")
    expect(page.locator(".log li", has_text=re.compile("^You (check|fold)"))).to_be_attached()


def test_a_choice_can_be_undone_if_nothing_was_revealed(person: Person) -> None:
    page = person.sit("huxxy")
    for _ in range(20):
        assert wait_for_turn(page)
        page.locator(".held .spot:not([aria-disabled])").first.click()
        page.locator("[data-target]").first.click()
        page.wait_for_timeout(300)
        if page.locator(".choice button:text-is('Undo')").count():
            break
    held = page.locator(".held .spot").count()
    page.keyboard.press("u")
    expect(page.locator(".held .spot")).to_have_count(held + 1)


def test_computer_players_can_take_open_seats(person: Person) -> None:
    page = person.sit("cribbage", chairs=[{"kind": "me"}, {"kind": "open"}])
    page.locator("button:has-text('computer players')").click()
    assert wait_for_turn(page)


def test_a_player_who_left_can_take_the_seat_back(person: Person) -> None:
    page = person.sit("eights")
    page.keyboard.press("?")
    page.locator("dialog button:text-is('Leave the table')").click()
    page.locator("button:text-is('Take my seat back')").click()
    assert wait_for_turn(page)
    expect(page.locator(".me .mark", has_text="the computer is playing")).to_have_count(0)


def test_a_reload_during_a_turn_loses_nothing(person: Person) -> None:
    page = person.start("huxxy")
    page.locator(".held .spot:not([aria-disabled])").first.click()
    page.locator("[data-target]").first.click()
    page.wait_for_timeout(300)
    assert wait_for_turn(page)
    lines, board = page.locator(".log li").all_inner_texts(), page.locator(".board").inner_text()
    page.reload()
    assert wait_for_turn(page)
    assert page.locator(".log li").all_inner_texts() == lines
    assert page.locator(".board").inner_text() == board


def test_a_lost_connection_is_restored_automatically(person: Person) -> None:
    page = person.start("cribbage")
    lines = page.locator(".log li").count()
    page.evaluate(CUT_OFF)
    page.locator(".held .spot").nth(0).click()
    page.locator(".held .spot").nth(1).click()
    page.locator(".choice .put.primary").click()
    expect(page.locator(".held .spot")).to_have_count(4)
    expect(page.locator(".link-lost")).to_have_count(0)
    page.wait_for_function("n => document.querySelectorAll('.log li').length > n", arg=lines)


def test_a_rematch_starts_another_game_with_the_same_people(person: Person) -> None:
    page = person.sit("kuhn", options={"hands": 1})
    play_by_clicks(page, Random(1))
    before = page.url
    page.locator(".over .next button").click()
    page.wait_for_function("before => location.href !== before", arg=before)
    page.wait_for_selector(".playing")
    assert wait_for_turn(page) or is_over(page)


@pytest.mark.parametrize("game", [smallest(names) for names in families().values()])
def test_phones_show_the_hand_at_the_lower_edge(game: str, people: Callable[..., Person]) -> None:
    page = people(phone=True).start(game)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    for spot in page.locator(".held .spot").all():
        box = spot.bounding_box()
        assert box
        assert box["width"] >= 43.9
        assert 844 / 2 < box["y"] < box["y"] + box["height"] <= 845


def test_an_invitation_from_the_first_page_works_once(people: Callable[..., Person]) -> None:
    ann, ben, eve = people(), people(), people()
    page = ann.open("/")
    page.locator(".tile[data-family=cribbage]").click()
    page.get_by_role("button", name="Play with a friend").click()
    expect(page.get_by_label("Your name")).to_be_focused()
    page.keyboard.type("Ann <3")
    page.keyboard.press("Enter")
    expect(page.locator("dialog [role=alert]")).to_contain_text("Not a valid name: '<' isn't allowed")
    page.get_by_label("Your name").fill("Ann-Sofie O'Hara")
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Copy link")).to_have_class("primary")
    link = page.locator(".link input").input_value()
    ben.page.goto(link)
    expect(ben.page.locator(".invited")).to_contain_text("Ann-Sofie O'Hara is at the table")
    ben.sit_down("Ben")
    expect(page.locator(".others h2")).to_have_text("Ben")
    eve.page.goto(link)
    expect(eve.page.get_by_role("alert").first).to_have_text(
        "This invitation is no longer valid: ask for a new one, or watch."
    )
    expect(eve.page.locator(".invited")).to_have_count(0)


def test_a_slow_players_seat_is_offered_to_the_computer_after_two_minutes(people: Callable[..., Person]) -> None:
    ann, ben = people(), people()
    ann.sit("eights", chairs=[{"kind": "open"}, {"kind": "me"}], options={"players": 2})  # seat 0, Ben's, begins
    ann.page.clock.install()
    ann.page.reload()
    ben.join(ann.page.locator(".link input").input_value(), "Ben")
    ann.page.locator(".prompt").wait_for()
    offer = ann.page.get_by_role("button", name="Let the computer play for Ben")
    ann.page.clock.fast_forward(100_000)
    expect(offer).to_have_count(0)
    ann.page.clock.fast_forward(25_000)
    expect(offer).to_be_visible()


def test_the_requested_number_of_friends_is_invited(person: Person) -> None:
    page = person.open("/")
    page.locator(".tile[data-family=president]").click()
    page.get_by_role("button", name="Play with a friend").click()
    page.get_by_label("Your name").fill("Ann")
    page.get_by_label("Friends").select_option("2")
    expect(page.locator("dialog")).to_contain_text("Computer players take the other seat.")
    expect(page.get_by_label("Your name")).to_have_value("Ann")
    page.get_by_role("button", name="Get the link").click()
    expect(page.locator(".link")).to_have_count(2)


def test_the_chat_button_on_a_phone_counts_unread_messages(people: Callable[..., Person]) -> None:
    ann, ben = people(), people(phone=True)
    ann.sit("huxxy", chairs=[{"kind": "me"}, {"kind": "open"}], name="Ann", options={"players": 2})
    page = ben.join(ann.page.locator(".link input").input_value(), "Ben")
    chat = page.get_by_role("button", name="Chat")
    expect(chat).to_have_text("Chat")
    hello = ann.page.get_by_role("button", name="Hello!")
    colours = "each => [getComputedStyle(each).color, getComputedStyle(each).backgroundColor]"
    before = hello.evaluate(colours)
    hello.hover()
    assert hello.evaluate(colours) == before, "It stays readable under the mouse."
    hello.click()
    hello.click()
    expect(chat).to_have_text("Chat 2 unread")
    chat.tap()
    for control in (page.get_by_label("Message", exact=True), page.get_by_role("button", name="Send")):
        expect(control).to_be_in_viewport(ratio=1)
    page.touchscreen.tap(195, 700)
    expect(chat).to_have_text("Chat")


def test_a_message_written_while_waiting_is_there_for_the_friend_who_comes(people: Callable[..., Person]) -> None:
    ann, ben = people(), people(phone=True)
    page = ann.sit("kuhn", chairs=[{"kind": "me"}, {"kind": "open"}], name="Ann!")
    page.get_by_label("Message", exact=True).fill("Back at 5")
    page.get_by_role("button", name="Send").click()
    expect(page.get_by_role("log", name="Chat messages")).to_have_text("Ann!: Back at 5")
    page.reload()
    expect(page.get_by_role("log", name="Chat messages")).to_have_text("Ann!: Back at 5")
    ben.page.goto(page.locator(".link input").input_value())
    expect(ben.page.locator(".invited")).to_contain_text("Ann!: Back at 5")
    ben.sit_down("Ben")
    expect(ben.page.get_by_role("button", name="Chat")).to_have_text("Chat 1 unread")


def test_the_options_panel_closes_like_a_menu(person: Person) -> None:
    page = person.sit("hearts")
    panel, name = page.locator("details.options[open]"), page.locator("details.options summary")
    for closes in (name.click, lambda: page.keyboard.press("Escape"), lambda: page.locator(".board").click()):
        name.click()
        expect(panel).to_have_count(1)
        closes()
        expect(panel).to_have_count(0)


def test_the_icon_shows_whose_turn_it_is(person: Person) -> None:
    page = person.sit("kuhn", options={"hands": 5})
    icon = page.locator("link[rel=icon]")
    assert wait_for_turn(page)
    expect(icon).to_have_attribute("href", re.compile(r"/turn\.svg$"))
    play_by_clicks(page, Random(1))
    expect(icon).to_have_attribute("href", re.compile(r"/kibitz\.svg$"))
