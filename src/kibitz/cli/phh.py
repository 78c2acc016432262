"""``kibitz phh``: hands of hold'em to and from PHH, the open format of poker hand histories."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter

from kibitz.cli.files import ready, write
from kibitz.cli.options import Count, Force
from kibitz.cli.screen import Screen, put
from kibitz.engine.record import read_file, text
from kibitz.errors import RecordError

LARGEST = 1 << 20


def phh(
    what: Annotated[Literal["export", "import"], Parameter(help="export a record, or import a hand as a record.")],
    file: Annotated[Path, Parameter(help="A record of hold'em to export, or a PHH or PHHS file to import.")],
    /,
    *,
    hand: Annotated[Count | None, Parameter(help="Which hand to import, where there are several.")] = None,
    output: Annotated[Path | None, Parameter(name=["--output", "-o"], help="Write the PHH or the record here.")] = None,
    force: Force = False,
) -> None:
    """Write a record of hold'em as PHH, or a hand in PHH as a record that can be shown and verified."""
    from kibitz.games.poker.phh import exported, imported

    ready(output, force)
    screen = Screen()
    unknown: list[str] = []
    if what == "export":
        content = exported(read_file(file))
    else:
        record, unknown = imported(content_of(file), hand)
        content = text(record)
    if output is None:
        put(content, end="")
    else:
        write(output, content, force)
        screen.line(f"The {'PHH' if what == 'export' else 'record'} is saved in {output}.")
    if unknown and output is not None:
        screen.line(f"Unknown cards of players who folded, or won unseen: {', '.join(unknown)}; any took their place.")


def content_of(file: Path) -> str:
    """The text of a file; RecordError if it has none."""
    try:
        if file.stat().st_size > LARGEST:
            raise RecordError("this is larger than 1 MiB, the most that is read.", str(file))
        return file.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise RecordError("this is no PHH: it is not UTF-8 text.", str(file)) from error
    except OSError as error:
        raise RecordError(f"cannot be read: {error.strerror or error}.", str(file)) from error
