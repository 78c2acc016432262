"""All files that the marking of a class writes, by their paths in its folder.

marks.csv               always
feedback/NAME.txt, .html    a page for each submission
moodle-*, canvas-*, results/    what the platform of the export reads
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from kibitz.errors import KibitzError
from kibitz.marking.feedback import Sheet, html_page, text_page
from kibitz.marking.platforms import (
    Filled,
    canvas_gradebook,
    feedback_zip,
    moodle_worksheet,
    plain_csv,
    results_json,
)
from kibitz.players.layouts import Layout

LONGEST_NAME = 80
WORKSHEETS = ("moodle", "canvas")
"""The platforms that have a table of their own to fill in."""

Files = Mapping[str, str | bytes]


def files_of(
    sheets: Sequence[Sheet], layout: Layout, given: Path | None = None, column: str | None = None
) -> tuple[Files, Filled]:
    """Every file, and the platform's table, which says whom it does not know and who has handed in nothing.

    ``given`` is that table, ``column`` a Canvas assignment's title.  NotationError where the table cannot be filled in.
    """
    found: dict[str, str | bytes] = {"marks.csv": plain_csv(sheets)}
    for name, sheet in zip(file_names([sheet.name for sheet in sheets]), sheets, strict=True):
        found[f"feedback/{name}.txt"] = text_page(sheet)
        found[f"feedback/{name}.html"] = html_page(sheet)
    table = Filled("")
    if layout == "moodle":
        table = moodle_worksheet(sheets, given)
        found |= {"moodle-worksheet.csv": table.text, "moodle-feedback.zip": feedback_zip(sheets)}
    elif layout == "canvas":
        table = canvas_gradebook(sheets, given, column)
        found["canvas-gradebook.csv"] = table.text
    elif layout == "gradescope":
        found |= {f"results/{sheet.entry.folder}/results.json": results_json(sheet) for sheet in sheets}
    return found, table


def check_worksheet(layout: Layout, given: Path | None, column: str | None) -> None:
    """Refuse a table for a platform that has none, before anything is marked."""
    if given is not None and layout not in WORKSHEETS:
        raise KibitzError("--worksheet is for the exports of Moodle and Canvas, and this folder is neither.")
    if column is not None and layout != "canvas":
        raise KibitzError("--column is for the exports of Canvas, and this folder is none.")


def file_names(names: Sequence[str]) -> list[str]:
    """Names as files can have them on every system, all different even where case does not count."""
    found: list[str] = []
    taken: set[str] = set()
    for name in names:
        plain = "".join(c if c.isalnum() or c in " -_()" else "_" for c in name)[:LONGEST_NAME].strip() or "_"
        number, called = 1, plain
        while called.casefold() in taken:
            number += 1
            called = f"{plain}-{number}"
        taken.add(called.casefold())
        found.append(called)
    return found
