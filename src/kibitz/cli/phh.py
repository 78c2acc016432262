"""``kibitz phh``: hands of hold'em to and from PHH, the open format of poker hand histories."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter

from kibitz.cli.files import ready, unwritable, write
from kibitz.cli.options import Count, Force
from kibitz.cli.screen import Screen, put
from kibitz.cli.tournament import progress_bar
from kibitz.engine import file_io
from kibitz.engine.record import Record, read_file, text
from kibitz.errors import KibitzError, RecordError, cause

LARGEST = 16 << 20


def phh(
    what: Annotated[Literal["export", "import"], Parameter(help="export a record, or import a hand as a record.")],
    file: Annotated[Path, Parameter(help="A record of hold'em to export, or a PHH or PHHS file to import.")],
    /,
    *,
    hand: Annotated[Count | None, Parameter(help="Which hand to import, where there are several.")] = None,
    output: Annotated[
        Path | None,
        Parameter(name=["--output", "-o"], help="Write it here; several hands go into a folder of this name."),
    ] = None,
    force: Force = False,
) -> int | None:
    """Write a record of hold'em as PHH, or hands in PHH as records that can be shown and verified."""
    from kibitz.games.poker.phh import exported, hands_of, imported

    screen = Screen()
    unknown: list[str] = []
    if what == "export":
        ready(output, force)
        content = exported(read_file(file))
    else:
        phhs = content_of(file)
        if output is not None and hand is None and len(hands_of(phhs)) > 1:
            return import_all(phhs, file, output, force, screen)
        ready(output, force)
        record, unknown = imported(phhs, hand)
        content = text(record)
    if output is None:
        put(content, end="")
    else:
        write(output, content, force)
        screen.line(f"The {'PHH' if what == 'export' else 'record'} is saved in {output}.")
    if unknown and output is not None:
        screen.line(f"Unknown cards of players who folded or mucked: {', '.join(unknown)}; any took their place.")
    return None


def import_all(phhs: str, file: Path, folder: Path, force: bool, screen: Screen) -> int:
    """Write every hand that can be read into a folder, and say of the others why not; then the status is 2."""
    from kibitz.games.poker.phh import hands_of, imported_all

    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise unwritable(folder, error) from error
    total, written, refused = len(hands_of(phhs)), 0, list[str]()
    with progress_bar("read {} of {} hands", "reading") as progress:
        for number, (name, found) in enumerate(imported_all(phhs), start=1):
            if isinstance(found, Record):
                write_hand(folder / f"{file.stem}-{number:0{len(str(total))}}.game", found, force)
                written += 1
            else:
                refused.append(f"Hand {number} ({name[:40]}): {found}")
            progress(number, total)
    for sentence in refused:
        screen.line(sentence)
    screen.line(f"{written} of {total} hands are saved in {folder}.")
    return 2 if refused else 0


def write_hand(path: Path, record: Record, force: bool) -> None:
    """Write one hand of several; what is there already is kept, unless it is to be overwritten."""
    if os.path.exists(path) and not force:
        raise KibitzError(f"{path} exists already: name another folder, or add --force to overwrite its hands.")
    write(path, text(record), force, rescue=False)


def content_of(file: Path) -> str:
    """The text of a file; RecordError if it has none."""
    try:
        return file_io.text(file, LARGEST)
    except UnicodeDecodeError as error:
        raise RecordError("this is no PHH: it is not UTF-8 text.", str(file)) from error
    except OSError as error:
        raise RecordError(f"cannot be read: {cause(error)}.", str(file)) from error
