"""The similarities of a class as one HTML page: pairs with the passages that they share, side by side.

The page has no scripts and no remote files; ``xml.etree`` escapes every text in it.
"""

from __future__ import annotations

from xml.etree.ElementTree import Element, SubElement, tostring

from kibitz.engine.sentences import counted, listed
from kibitz.marking.feedback import POLICY, STYLE, add
from kibitz.marking.similarity import Pair, Passage, Similarity, StudentCode

CAUTION = (
    "Similar code has many causes: a common source, work in pairs, an obvious idea. "
    "Look at the passages and talk to the students before you judge."
)
BESIDE = """
body { max-width: 96rem; } .sides { table-layout: fixed; width: 100%; } .sides td { width: 50%; }
.sides pre { white-space: pre; overflow-x: auto; font-size: .85rem; }
"""


def similarity_page(found: Similarity, title: str) -> str:
    """The page, as HTML."""
    page = Element("html", lang="en")
    top = SubElement(page, "head")
    SubElement(top, "meta", charset="utf-8")
    SubElement(top, "meta", {"http-equiv": "Content-Security-Policy", "content": POLICY})
    SubElement(top, "meta", name="viewport", content="width=device-width, initial-scale=1")
    SubElement(top, "style").text = STYLE + BESIDE
    add(top, "title", f"Similar work in {title}")
    body = SubElement(page, "body")
    add(body, "h1", f"Similar work in {title}")
    add(body, "p", f"{counted(len(found.submissions), 'submission')} compared. {CAUTION}")
    for why in found.left_out:
        add(body, "p", f"Not compared: {why}")
    add(body, "h2", "Identical files")
    for one in found.identical:
        add(body, "p", listed([f"{name} ({file})" for name, file in one.copies]))
    if not found.identical:
        add(body, "p", "None.")
    if found.groups:
        add(body, "h2", "Groups")
        for names in found.groups:
            add(body, "p", listed(names))
    add(body, "h2", "Pairs")
    overview(body, found)
    for number, pair in enumerate(found.pairs, start=1):
        section(body, number, pair)
    return "<!DOCTYPE html>\n" + tostring(page, "unicode", method="html") + "\n"


def overview(body: Element, found: Similarity) -> None:
    """The table of pairs."""
    if not found.pairs:
        add(body, "p", "None.")
        return
    table = SubElement(body, "table")
    top = SubElement(table, "tr")
    for word in ("", "student", "shared", "student", "shared", "passages"):
        add(top, "th", word)
    for number, pair in enumerate(found.pairs, start=1):
        row = SubElement(table, "tr")
        add(SubElement(row, "td"), "a", str(number)).set("href", f"#pair-{number}")
        for one, share in zip((pair.first, pair.second), pair.shares, strict=True):
            add(row, "td", one.name)
            add(row, "td", f"{share:.0%}")
        add(row, "td", str(len(pair.passages)))
    if found.more:
        add(body, "p", f"{found.more} more pairs with smaller shares are not listed.")


def section(body: Element, number: int, pair: Pair) -> None:
    """One pair with its passages, the longest first."""
    first, second = pair.shares
    add(body, "h2", f"{number}. {pair.first.name} and {pair.second.name}").set("id", f"pair-{number}")
    add(body, "p", f"{first:.0%} of {pair.first.name}'s code and {second:.0%} of {pair.second.name}'s are in both.")
    table = SubElement(body, "table", {"class": "sides"})
    for passage in sorted(pair.passages, key=lambda passage: -passage.length):
        row = SubElement(table, "tr")
        for submission, start in ((pair.first, passage.first), (pair.second, passage.second)):
            cell = SubElement(row, "td")
            file, low, high, code = lines_of(submission, start, passage)
            add(cell, "p", f"{submission.name}: {file}, {f'lines {low} to {high}' if high > low else f'line {low}'}")
            add(cell, "pre", code)


def lines_of(submission: StudentCode, start: int, passage: Passage) -> tuple[str, int, int, str]:
    """The file, the first and the last line of a passage, and its text."""
    number, low = submission.places[start]
    high = submission.places[start + passage.length - 1].line
    name, text = submission.files[number]
    return name, low, high, "\n".join(text.split("\n")[low - 1 : high])
