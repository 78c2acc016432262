"""``kibitz join``: a seat at a table of a server, from the terminal."""

from __future__ import annotations

import sys
from typing import Annotated

from cyclopts import Parameter

from kibitz.cli.full_screen import fits, opened
from kibitz.cli.options import Ascii, Plain
from kibitz.cli.screen import Screen


def join(
    address: Annotated[str, Parameter(help="The link of a table or of an invitation; or a server, to choose a table.")],
    /,
    *,
    name: Annotated[str | None, Parameter(help="What you are called there, if you sit down; Guest otherwise.")] = None,
    plain: Plain = False,
    ascii: Ascii = False,
) -> int | None:
    """Sit down at a table of a Kibitz server, or look on: the same screen and the same keys as at home.

    You are a guest there, whom the server knows again from this computer: a terminal that is closed loses no seat. With
    a token of your account in the variable KIBITZ_TOKEN you are that account.
    """
    from kibitz.remote.client import place_of

    place = place_of(address)
    if fits(plain):
        from kibitz.tui.app import visit

        opened(visit(place, name), ascii)
        return None
    from kibitz.cli.joining import joined

    sys.stdin.reconfigure(errors="replace")  # type: ignore[union-attr]
    return joined(Screen(ascii, plain), place, name)
