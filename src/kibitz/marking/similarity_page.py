"""The similarities of a class as one HTML page: pairs with the passages that they share, side by side.

The page has no scripts and no remote files; ``xml.etree`` escapes every text in it.
"""

from __future__ import annotations

from xml.etree.ElementTree import Element, SubElement

from kibitz.engine.sentences import counted, listed
from kibitz.marking.feedback import add_element, add_table, html_text, new_page
from kibitz.marking.similarity import Pair, Passage, Similarity, StudentCode

CAUTION = (
    "Similar code has many causes: a common source, work in pairs, an obvious idea. "
    "Look at the passages and talk to the students before you judge."
)
SIDE_BY_SIDE_STYLE = """
body { max-width: 96rem; } .sides { table-layout: fixed; width: 100%; } .sides td { width: 50%; }
.sides pre { white-space: pre; overflow-x: auto; font-size: .85rem; }
"""


def similarity_page(found: Similarity, title: str) -> str:
    """The page, as HTML."""
    page, body = new_page(f"Similar work in {title}", SIDE_BY_SIDE_STYLE)
    add_element(body, "p", f"{counted(len(found.submissions), 'submission')} compared. {CAUTION}")
    for why in found.left_out:
        add_element(body, "p", f"Not compared: {why}")
    add_element(body, "h2", "Identical files")
    for one in found.identical:
        add_element(body, "p", listed([f"{name} ({file})" for name, file in one.copies]))
    if not found.identical:
        add_element(body, "p", "None.")
    if found.groups:
        add_element(body, "h2", "Groups")
        for names in found.groups:
            add_element(body, "p", listed(names))
    add_element(body, "h2", "Pairs")
    add_pairs_table(body, found)
    for number, pair in enumerate(found.pairs, start=1):
        add_section(body, number, pair)
    return html_text(page)


def add_pairs_table(body: Element, found: Similarity) -> None:
    """Add the table of pairs."""
    if not found.pairs:
        add_element(body, "p", "None.")
        return
    rows = [
        (
            "",
            pair.first.name,
            f"{pair.shares[0]:.0%}",
            pair.second.name,
            f"{pair.shares[1]:.0%}",
            f"{len(pair.passages)}",
        )
        for pair in found.pairs
    ]
    table = add_table(body, ("", "student", "shared", "student", "shared", "passages"), rows)
    for number, row in enumerate(table[1:], start=1):
        add_element(row[0], "a", str(number)).set("href", f"#pair-{number}")
    if found.more:
        add_element(body, "p", f"{found.more} more pairs with smaller shares are not listed.")


def add_section(body: Element, number: int, pair: Pair) -> None:
    """Add the section on one pair with its passages, the longest first."""
    first, second = pair.shares
    add_element(body, "h2", f"{number}. {pair.first.name} and {pair.second.name}").set("id", f"pair-{number}")
    add_element(
        body, "p", f"{first:.0%} of {pair.first.name}'s code and {second:.0%} of {pair.second.name}'s are in both."
    )
    table = SubElement(body, "table", {"class": "sides"})
    for passage in sorted(pair.passages, key=lambda passage: -passage.length):
        row = SubElement(table, "tr")
        for submission, start in ((pair.first, passage.first), (pair.second, passage.second)):
            cell = SubElement(row, "td")
            file, low, high, code = lines_of(submission, start, passage)
            add_element(
                cell, "p", f"{submission.name}: {file}, {f'lines {low} to {high}' if high > low else f'line {low}'}"
            )
            add_element(cell, "pre", code)


def lines_of(submission: StudentCode, start: int, passage: Passage) -> tuple[str, int, int, str]:
    """A passage's file, its first and last line, and its text; ``start`` is its first token in the submission."""
    number, low = submission.positions[start]
    high = submission.positions[start + passage.length - 1].line
    name, text = submission.files[number]
    return name, low, high, "\n".join(text.split("\n")[low - 1 : high])
