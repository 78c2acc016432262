"""``kibitz similar``: which submissions of a class share code, as a table and as a page."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from kibitz.cli.files import ready, write
from kibitz.cli.options import Force
from kibitz.cli.screen import BOLD, DIM, Screen
from kibitz.engine.columns import tabulated
from kibitz.engine.sentences import counted, listed

MAX_SHOWN = 20


def similar(
    folder: Annotated[Path, Parameter(help="A class: a folder, an archive or an export, as for 'kibitz mark'.")],
    /,
    *,
    starter: Annotated[
        Path | None, Parameter(help="Starter code to ignore: a file or folder that everybody was given.")
    ] = None,
    output: Annotated[
        Path | None, Parameter(name=["--output", "-o"], help="Write an HTML page with the passages side by side.")
    ] = None,
    force: Force = False,
) -> None:
    """Show which submissions share code: identical files, and pairs that share passages.

    Names, comments and layout are ignored. Similar code has many causes: read the passages before you judge.
    """
    from kibitz.marking.feedback import visible
    from kibitz.marking.similarity import similarity
    from kibitz.marking.similarity_page import CAUTION, similarity_page

    ready(output, force)
    screen = Screen()
    with screen.waiting("Comparing the submissions ..."):
        found = similarity(folder, starter)
    screen.line(f"{counted(len(found.works), 'submission')} compared.")
    for why in found.left_out:
        screen.line(f"Not compared: {visible(why)}", BOLD)
    for one in found.identical:
        screen.line(f"Identical: {visible(listed([f'{name} ({file})' for name, file in one.found]))}.")
    for names in found.groups:
        screen.line(f"A group of {len(names)}: {visible(listed(names))}.")
    if found.pairs:
        rows = [("#", "student", "shared", "student", "shared", "passages")]
        for number, pair in enumerate(found.pairs[:MAX_SHOWN], start=1):
            first, second = (f"{share:.0%}" for share in pair.shares)
            names = visible(pair.first.name), visible(pair.second.name)
            rows.append((str(number), names[0], first, names[1], second, str(len(pair.passages))))
        head, *lines = tabulated(rows, (1, 3))
        screen.line()
        screen.line(head, BOLD)
        for line in lines:
            screen.line(line)
        screen.line()
        more = len(found.pairs) + found.more - MAX_SHOWN
        if more > 0:
            screen.line(f"{counted(more, 'pair')} more.")
        screen.line(CAUTION, DIM)
    else:
        screen.line("No two submissions share much of their code.")
    if output is not None:
        write(output, similarity_page(found, folder.resolve().name), force)
        screen.line(f"The passages of each pair are in {output}.")
