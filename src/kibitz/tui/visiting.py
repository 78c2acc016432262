"""The way to tables of a server: who one is there, which table, and from one table to the next."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kibitz.remote.client import Caller, Place, arrive, place_of, tables_at
from kibitz.tui.dialogs import Asking, Choosing
from kibitz.tui.driving import in_thread
from kibitz.tui.server_table import ServerTable

if TYPE_CHECKING:
    from kibitz.tui.app import KibitzApp, Route

LEFT = "Goodbye: the game goes on at {}"


def visit(place: Place, name: str | None) -> Route:
    """The way straight to a table of a server; the menu comes after it only if it is asked for."""

    async def route(app: KibitzApp) -> str:
        from kibitz.tui.app import menu_first

        return await visited(app, place, name) or await menu_first(app)

    return route


async def ask_where(app: KibitzApp) -> str:
    """Let an address be typed, and go there."""
    typed = await app.push_screen_wait(
        Asking("Which table?", "The link of a table or of an invitation, or a server's address. Esc leaves.")
    )
    return await visited(app, place_of(typed), None) if isinstance(typed, str) and typed else ""


async def visited(app: KibitzApp, place: Place, name: str | None) -> str:
    """Sit at tables of a server until one leaves; what is to be said then, "" for the menu."""
    caller, sits = Caller(place), False
    called = await in_thread(caller.sign_in)
    if not place.table:
        there_are = await in_thread(lambda: tables_at(caller))
        number = await app.push_screen_wait(Choosing("Which table?", [each.words for each in there_are]))
        if not isinstance(number, int):
            return ""
        place, sits = place._replace(table=there_are[number].table), there_are[number].sits
    if (place.invite or sits) and name is None and not caller.token:
        asked = await app.push_screen_wait(Asking("What are you called at the table?", "Enter sits down.", called))
        if not isinstance(asked, str):
            return ""
        name = asked or None
    while True:
        table = await in_thread(lambda place=place, sits=sits: arrive(caller, place, name, sits=sits))  # type: ignore[misc]
        what = await app.push_screen_wait(ServerTable(caller, table))
        if what == "menu":
            return ""
        if what == "leave":
            over = table.state is not None and table.state.over
            return "Goodbye." if over or table.seat < 0 else LEFT.format(place.page)
        if not what.startswith("table:"):
            return f"Goodbye: {what}"
        place, sits = Place(place.server, what.partition(":")[2]), False
