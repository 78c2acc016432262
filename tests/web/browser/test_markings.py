"""A lecturer's class is marked through the pages, found again, and marked again after changes."""

from typing import Any

import pytest
from playwright.sync_api import expect

from tests.web.browser.conftest import PHONE, Person, picture
from tests.web.browser.test_pages import SMALL, violations
from tests.web.serving import zipped
from tests.web.test_markings import late_class

pytestmark = pytest.mark.long

TIMEOUT = 60_000
PLAN = b"out_of = 10\nhidden = 1\n[functions]\n" + b"".join(
    name + b".weight = 0\n" for name in (b"generate_deck", b"deal_card", b"score_hand", b"play")
)


def class_of(**students: str) -> Any:
    files = {f"{name}/lab.py": f"def shuffle(deck):\n    return {source}\n" for name, source in students.items()}
    return {"name": "class.zip", "mimeType": "application/zip", "buffer": zipped(files)}


def test_a_class_is_marked_and_can_be_marked_again(lecturer: Person) -> None:
    page = lecturer.open("/")
    page.locator("nav a:text-is('Course')").click()
    page.locator("a:text-is('Mark a class, or one student')").click()
    page.locator("[name=assignment]").select_option("cribbage-lab")
    page.locator("[name=files]").set_input_files(class_of(Ann="None", Ben="deck[::-1]"))
    page.locator("summary", has_text="Weights").click()
    plan = {"name": "marks.toml", "mimeType": "text/plain", "buffer": PLAN}
    page.locator("[name=marks]").set_input_files({**plan, "buffer": b"hiden = 1"})  # type: ignore[arg-type]
    page.locator("button:text-is('Mark')").click()
    expect(page.locator("#marks .refusal")).to_contain_text("did you mean 'hidden'?", timeout=TIMEOUT)
    page.locator("[name=marks]").set_input_files(plan)  # type: ignore[arg-type]
    page.locator("button:text-is('Mark')").click()
    expect(page.locator("#marks tr", has_text="Ben")).to_contain_text("1/1", timeout=TIMEOUT)

    page = lecturer.open("/arena")
    row = page.locator("#markings + .scroll tbody tr").first
    expect(row).to_contain_text("5.00 of 10")
    assert violations(page) == []
    row.locator("a").first.click()
    expect(page.locator("#marks tr", has_text="Ann")).to_contain_text("0/1")
    page.locator("summary", has_text="Mark again with other files").click()
    expect(page.locator("[data-now=marks]")).to_have_text(" (now: marks.toml)")
    page.locator("[name=files]").set_input_files(class_of(Ann="deck[::-1]", Ben="deck[::-1]"))
    page.locator("summary", has_text="Weights").click()
    page.locator("[name=hidden]").fill("1")
    page.locator("[name=overrides]").set_input_files({**plan, "name": "o.csv", "buffer": b"student\nZoe\n"})  # type: ignore[arg-type]
    page.locator("form[data-upload] button").click()
    expect(page.locator("#marks .refusal")).to_contain_text("there is no submission by 'Zoe'", timeout=TIMEOUT)
    page.locator("[name=overrides]").set_input_files([])
    page.locator("form[data-upload] button").click()
    expect(page.locator(".changes li")).to_have_text(
        ["Ann: 10, was 0 (another file; shuffle 1/1, was 0/1)."], timeout=TIMEOUT
    )
    expect(page.locator("a", has_text="Export everything as ZIP")).to_be_visible()
    assert violations(page) == []
    assert page.evaluate(SMALL) == []
    size = page.viewport_size
    page.set_viewport_size(PHONE)  # type: ignore[arg-type]
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    picture(page, "marks-again-phone")
    page.set_viewport_size(size)  # type: ignore[arg-type]

    page.get_by_role("button", name="Mark again: Ben").click()
    expect(page.locator("#marks", has_text="No mark has changed.")).to_be_visible(timeout=TIMEOUT)
    page.once("dialog", lambda asked: asked.accept())
    page.locator("button:text-is('Delete')").click()
    expect(page.locator("#markings + p")).to_have_text("Nothing has been marked yet.")
    assert lecturer.faults == []


def test_the_table_shows_late_penalties(lecturer: Person) -> None:
    export = {"name": "export.zip", "mimeType": "application/zip", "buffer": late_class()[1][1]}
    plan = PLAN + b"[deadline]\ndue = 2026-10-16T17:00:00\nper_day = 10\n"
    page = lecturer.open("/marks")
    page.locator("[name=assignment]").select_option("cribbage-lab")
    page.locator("[name=files]").set_input_files(export)  # type: ignore[arg-type]
    page.locator("summary", has_text="Weights").click()
    page.locator("[name=marks]").set_input_files({"name": "marks.toml", "mimeType": "text/plain", "buffer": plan})
    page.locator("button:text-is('Mark')").click()
    late = page.get_by_role("columnheader", name="Late penalty")
    expect(late).to_be_visible(timeout=TIMEOUT)
    expect(page.locator("#marks tbody td.number")).to_have_text(["8", "−2", "1/1"])
    page.once("dialog", lambda asked: asked.accept())
    page.locator("button:text-is('Delete')").click()
    expect(page.locator("#markings + p")).to_have_text("Nothing has been marked yet.")


def test_deadlines_are_set_on_their_pages(lecturer: Person) -> None:
    page = lecturer.open("/marks")
    page.locator("[name=assignment]").select_option("huxxy")
    page.locator("summary", has_text="Deadline of COMP10001-Huxxy").click()
    for name, value in (("due", "2999-10-16T17:00"), ("grace", "15"), ("per_day", "10"), ("most", "50")):
        page.fill(f"[name={name}]", value)
    page.get_by_label("Number or name").last.fill("Ann")
    page.get_by_label("Extended until").last.fill("2999-10-20T17:00")
    assert violations(page) == []
    page.get_by_role("button", name="Save deadline").click()
    expect(page.locator("#deadline")).to_contain_text("Late work loses 10 % of the marks for each day, at most 50 %.")
    page.reload()
    page.locator("[name=assignment]").select_option("huxxy")
    page.locator("summary", has_text="Deadline of COMP10001-Huxxy").click()
    expect(page.locator("[name=student]")).to_have_count(2)
    page.get_by_role("button", name="Remove deadline").click()
    expect(page.locator("#deadline")).to_have_text("")

    page = lecturer.open("/arena")
    begin = page.locator("form[data-ask='POST /api/arena']")
    begin.locator("select").select_option("leduc")
    begin.locator("button").click()
    page.locator("h2 a:text-is('leduc')").click()
    page.fill("[name=closes_at]", "2999-10-16T17:00")
    page.get_by_role("button", name="Save deadline").click()
    expect(page.get_by_text("Submissions close on")).to_contain_text("2999")
    assert violations(page) == []
    assert lecturer.faults == []
