"""A page of feedback as HTML: one file that needs no other, loads nothing and runs nothing.

Every element is made by ``xml.etree``, which writes each text so that it can only be text.
"""

from __future__ import annotations

from xml.etree.ElementTree import Element, SubElement, tostring

from kibitz.marking.feedback import Sheet, amount, counted, head, how_to_call, how_to_try, more, rows, visible
from kibitz.marking.results import Failing, FunctionOutcome

STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #1b1b1b; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.15rem; margin-top: 2rem; border-top: 1px solid #bbb; padding-top: 1rem; }
h3 { font-size: 1rem; margin-bottom: .3rem; }
table { border-collapse: collapse; } th, td { text-align: left; padding: .2rem 1.2rem .2rem 0; vertical-align: top; }
pre { background: #f4f4f1; padding: .5rem .7rem; margin: 0; white-space: pre-wrap; overflow-wrap: anywhere; }
dt { font-weight: 600; margin-top: .5rem; } dd { margin: 0; }
.mark { font-size: 1.25rem; font-weight: 600; }
@media (prefers-color-scheme: dark) { body { background: #181818; color: #e6e6e6; } pre { background: #262626; } }
"""
POLICY = "default-src 'none'; style-src 'unsafe-inline'"


def html_page(sheet: Sheet) -> str:
    """The page."""
    page = Element("html", lang="en")
    top = SubElement(page, "head")
    SubElement(top, "meta", charset="utf-8")
    SubElement(top, "meta", {"http-equiv": "Content-Security-Policy", "content": POLICY})
    SubElement(top, "meta", name="viewport", content="width=device-width, initial-scale=1")
    SubElement(top, "style").text = STYLE
    add(top, "title", f"{sheet.title}: feedback for {sheet.name}")
    body = SubElement(page, "body")
    add(body, "h1", f"{sheet.title}: feedback for {sheet.name}")
    add(body, "p", f"Mark: {amount(sheet.mark)} of {amount(sheet.plan.out_of)}").set("class", "mark")
    if sheet.marked.why:
        add(body, "p", sheet.note)
        if sheet.marked.detail:
            add(body, "pre", sheet.marked.detail)
    else:
        overview(body, sheet)
    if sheet.marked.prints.strip():
        add(body, "p", "Printed while the file was loaded:")
        add(body, "pre", sheet.marked.prints)
    for outcome in sheet.marked.outcomes:
        section(body, sheet, outcome)
    add(body, "p", how_to_try(sheet))
    return "<!DOCTYPE html>\n" + tostring(page, "unicode", method="html") + "\n"


def add(parent: Element, tag: str, text: str) -> Element:
    """An element with a text."""
    made = SubElement(parent, tag)
    made.text = visible(text)
    return made


def overview(body: Element, sheet: Sheet) -> None:
    """The table of functions."""
    table = SubElement(body, "table")
    top = SubElement(table, "tr")
    for word in ("function", "hidden cases right", "mark"):
        add(top, "th", word)
    for mark in sheet.marks:
        row = SubElement(table, "tr")
        add(row, "td", mark.name)
        add(row, "td", f"{mark.right} of {mark.cases}")
        add(row, "td", f"{amount(mark.earned)} of {amount(mark.worth)}")


def section(body: Element, sheet: Sheet, outcome: FunctionOutcome) -> None:
    """One function."""
    add(body, "h2", outcome.name)
    add(body, "p", f"{counted(outcome)}.")
    if outcome.why:
        add(body, "p", outcome.why)
    for failing in outcome.failings:
        add(body, "h3", head(failing))
        listed(body, sheet, outcome, failing)
    if outcome.more:
        add(body, "p", more(outcome))


def listed(body: Element, sheet: Sheet, outcome: FunctionOutcome, failing: Failing) -> None:
    """One failing case."""
    found = SubElement(body, "dl")
    told = rows(failing)
    if line := how_to_call(sheet, outcome, failing):
        told.append(("try it", line))
    for word, said in told:
        add(found, "dt", word)
        add(SubElement(found, "dd"), "pre", said)
