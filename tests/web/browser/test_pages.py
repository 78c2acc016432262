"""Every page passes axe-core, light and dark, and its forms and buttons wait for their script."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from kibitz.web.app import PAGES, TEMPLATES
from tests.tiers import long
from tests.web.browser.conftest import DESK, PHONE, SCREENS, Person, picture
from tests.web.browser.playing import play_by_clicks, play_to_a_summary

pytestmark = pytest.mark.xdist_group("pages")

AXE = Path(__file__).parent / "vendor" / "axe.min.js"
SMALL = """() => [...document.querySelectorAll("button, summary, select, nav a, .button")]
    .filter((each) => each.checkVisibility())
    .filter((each) => each.getBoundingClientRect().height < 43.5 || each.getBoundingClientRect().width < 43.5)
    .map((each) => each.outerHTML.slice(0, 150))"""
"""Controls that are smaller than a finger."""


def setup(person: Person) -> Page:
    page = person.open("/")
    page.locator(".tile[data-family=president]").click()
    page.locator("dialog summary").first.click()
    return page


def table(person: Person) -> Page:
    page = person.start("huxxy-mini")
    page.locator(".held .spot:not([aria-disabled])").first.click()
    return page


def joker(person: Person) -> Page:
    for _ in range(40):
        page = person.start("huxxy-mini")
        if page.locator(".held .joker").count():
            break
    return page


def settings(person: Person) -> Page:
    page = person.sit("eights-mini")
    page.keyboard.press("?")
    page.wait_for_selector("dialog[open]")
    return page


def summary(person: Person) -> Page:
    page = person.sit("cribbage")
    play_to_a_summary(page, Random(1))
    page.wait_for_timeout(5000)  # until everything is counted
    return page


def waiting(person: Person) -> Page:
    return person.sit("cribbage", chairs=[{"kind": "me"}, {"kind": "open"}])


def finished(person: Person) -> Page:
    page = person.sit("kuhn", options={"hands": 1})
    play_by_clicks(page, Random(1))
    return page


def replay(person: Person) -> Page:
    finished(person).locator(".over a:text-is('Replay')").click()
    person.page.wait_for_selector(".stage .board")
    return person.page


def games(person: Person) -> Page:
    finished(person)
    return person.open("/games")


def profile(person: Person) -> Page:
    finished(person)
    return person.open("/profile")


def puzzle(person: Person) -> Page:
    page = person.open("/puzzles/go")
    page.wait_for_selector(".prompt[data-mine]")
    return page


def answered(person: Person) -> Page:
    page = puzzle(person)
    page.locator(".held .spot:not([aria-disabled])").first.click()
    page.wait_for_selector(".over")
    return page


def watch(person: Person) -> Page:
    page = person.open("/arena/kuhn/watch")
    page.wait_for_selector(".stage .board")
    return page


def reviewed(person: Person) -> Page:
    page = person.open("/games/kuhn.1")
    page.locator("button:text-is('Review every decision')").click()
    page.wait_for_selector(".chances")
    page.locator(".review summary").click()
    page.locator(".review tbody a").last.click()
    page.wait_for_selector(".verdict")
    return page


def another(person: Person) -> Person:
    """Somebody else, with a browser context of their own."""
    return Person(person.context.browser.new_context(), person.address)  # type: ignore[union-attr]


def lobby(person: Person) -> Page:
    made = {"game": "kuhn", "chairs": [{"kind": "me"}, {"kind": "open"}], "settings": {"joining": "listed"}}
    other = another(person)
    other.open(other.ask("POST", "/api/tables", made)["path"])
    other.page.wait_for_selector(".notice")
    page = person.open("/")
    page.wait_for_selector("h2:text-is('Open tables')")
    other.context.close()
    return page


def count(person: Person) -> Page:
    page = person.open("/count")
    for card in ("5 of hearts", "5 of diamonds", "5 of clubs", "J of spades", "5 of spades"):
        page.get_by_label(card, exact=True).click()
    page.wait_for_selector(".items")
    return page


def rules(person: Person) -> Page:
    page = person.sit("president-mini")
    page.get_by_label("Rules").click()
    page.wait_for_selector(".rules h3, .rules p")
    return page


def crowd(person: Person) -> Page:
    chairs = [{"kind": "me"}, *[{"kind": "open"}] * 2, *[{"kind": "computer"}] * 5]
    named, other = another(person), another(person)
    named.ask("PUT", "/api/me", {"name": "Wolfeschlegelsteinhausenbergerdorff Max"})
    made = {"game": "president", "options": {"players": 8}, "chairs": chairs}
    named.open(named.ask("POST", "/api/tables", made)["path"])
    links = [link.input_value() for link in named.page.locator(".link input").all()]
    for each, link in zip((other, person), links, strict=True):
        each.join(link, "Hubert Blaine the elder of eight")
        each.page.wait_for_selector(".me")
    named.page.get_by_role("button", name="Well played.").click()
    for each in (named, other):
        each.context.close()
    return person.page


def invited(person: Person) -> Page:
    made = {"game": "kuhn", "chairs": [{"kind": "me"}, {"kind": "open"}]}
    other = another(person)
    other.open(other.ask("POST", "/api/tables", made)["path"])
    page = person.open("/")
    page.goto(other.page.locator(".link input").input_value())
    page.wait_for_selector("h2:text-matches('You are invited to play')")
    other.context.close()
    return page


SHOWN: dict[str, tuple[str, str | Callable[[Person], Page]]] = {
    "start": ("start.html", "/"),
    "setup": ("start.html", setup),
    "table": ("table.html", table),
    "joker": ("table.html", joker),
    "settings": ("table.html", settings),
    "summary": ("table.html", summary),
    "waiting": ("table.html", waiting),
    "finished": ("table.html", finished),
    "replay": ("game.html", replay),
    "games": ("games.html", games),
    "profile": ("profile.html", profile),
    "puzzles": ("puzzles.html", "/puzzles"),
    "puzzle": ("puzzle.html", puzzle),
    "answered": ("puzzle.html", answered),
    "account": ("account.html", "/account"),
    "welcome": ("welcome.html", "/welcome/any"),
    "arena": ("arena.html", "/arena"),
    "tournament": ("tournament.html", "/arena/kuhn"),
    "player": ("player.html", "/arena/kuhn/players/Ada"),
    "submit": ("submit.html", "/submit"),
    "watch": ("watch.html", watch),
    "reviewed": ("game.html", reviewed),
    "lobby": ("start.html", lobby),
    "marks": ("marks.html", "/marks"),
    "count": ("count.html", count),
    "wrong": ("error.html", "/nowhere"),
    "rules": ("table.html", rules),
    "crowd": ("table.html", crowd),
    "invited": ("table.html", invited),
}
FAST = ("start", "setup")
"""Pages of the fast tier, which need no season."""
FOR_LECTURERS = ("arena", "tournament", "marks", "account", "submit", "games")
"""Pages that lecturers or new visitors see differently from a guest who has played."""


def show(name: str, person: Person) -> Page:
    """Open a page, or bring about one of its states."""
    _, shown = SHOWN[name]
    return person.open(shown) if isinstance(shown, str) else shown(person)


def test_every_template_is_tested() -> None:
    served = {page.template for page in PAGES} | {"error.html"}
    assert {template for template, _ in SHOWN.values()} >= served


def violations(page: Page) -> list[Any]:
    """The violations that axe-core finds on a page."""
    page.evaluate(AXE.read_text(encoding="utf-8"))
    found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
    return [(each["id"], [node["html"][:200] for node in each["nodes"]][:3]) for each in found["violations"]]


@pytest.fixture(scope="module")
def shared_person(browser: Browser, address: str) -> Iterator[Person]:
    """One person for all pages, who loads shared files once; without the policy, which would block axe-core."""
    person = Person(browser.new_context(viewport=DESK, bypass_csp=True), address)
    yield person
    person.context.close()


@pytest.mark.parametrize("name", [name if name in FAST else long(name) for name in SHOWN])
def test_pages_are_accessible(name: str, shared_person: Person, request: pytest.FixtureRequest) -> None:
    if name not in FAST:
        request.getfixturevalue("season")
    check_accessibility(show(name, shared_person), name, shared_person)


@pytest.mark.long
@pytest.mark.usefixtures("season")
@pytest.mark.parametrize("name", FOR_LECTURERS)
def test_pages_for_lecturers_are_accessible(name: str, lecturer: Person) -> None:
    page = show(name, lecturer) if name != "games" else lecturer.open("/games")
    for more in page.locator("details").all():
        more.evaluate("each => (each.open = true)")
    if name == "account":
        page.get_by_label("Purpose").fill("my laptop")
        page.locator("button:text-is('Create token')").click()
        page.wait_for_selector("#tokens li")
    check_accessibility(page, f"lecturer_{name}", lecturer)


def check_accessibility(page: Page, name: str, shared_person: Person) -> None:
    """A page has no violations, light and dark, wide and narrow."""
    found = {}
    for theme in ("light", "dark"):
        page.evaluate("theme => (document.documentElement.dataset.theme = theme)", theme)
        page.wait_for_timeout(50)
        picture(page, f"{name}-desk-{theme}")
        found[theme] = violations(page)
    assert found == {"light": [], "dark": []}
    assert shared_person.faults == []
    page.set_viewport_size(PHONE)
    page.wait_for_timeout(100)
    picture(page, f"{name}-phone-dark")
    if SCREENS:
        page.evaluate("document.documentElement.dataset.theme = 'light'")
        picture(page, f"{name}-phone-light")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert page.evaluate(SMALL) == []
    page.set_viewport_size(DESK)


def test_forms_are_posted_by_a_button() -> None:
    """A form sent by GET would put a password into the URL; its button is disabled until its script runs."""
    found = 0
    for file in TEMPLATES.rglob("*.html"):
        for form in re.findall(r"<form\b.*?</form>", file.read_text(encoding="utf-8"), re.DOTALL):
            found += 1
            assert re.match(r"<form\b[^>]*\smethod=\"post\"", form), f"{file.name}: {form}"
            assert re.search(r"<button(?![^>]*type=\"button\")", form), f"{file.name}: {form}"
    assert found > 5


def test_buttons_cannot_be_pressed_before_their_script_runs() -> None:
    """Scripts enable the buttons they handle: an earlier click would be lost."""
    for file in TEMPLATES.rglob("*.html"):
        for button in re.findall(r"<button[^>]*>", file.read_text(encoding="utf-8")):
            assert re.search(r"\sdisabled\b", button), f"{file.name}: {button}"
