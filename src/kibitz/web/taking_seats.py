"""Sitting down at a table before the deal: by invitation, or computer players in the chairs that are still open."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from kibitz.errors import RuleError, SeatError
from kibitz.web import seats as seating
from kibitz.web.connection import Person
from kibitz.web.store import tables
from kibitz.web.store.entries import Chair
from kibitz.web.table_task import NO_LOOKING_ON, TableTask

NO_SEAT = "This invitation leads to no open seat: ask for a new one, or look on."
NO_CHAIR = "There is no seat here that is open to everybody: ask whoever made the table for an invitation, or look on."


async def sit(host: TableTask, person: Person, invite: str, name: str) -> int:
    """Somebody sits down on an open chair; the seat.  SeatError if the code leads to none.

    Without a code it is the first open chair, where everybody may sit down.
    """
    chairs = list(host.kept.chairs)
    for seat, chair in enumerate(chairs):
        if chair.person == person.id:
            return seat
    listed = not invite and host.kept.settings.joining == "listed"
    seat = next(
        (p for p, chair in enumerate(chairs) if chair.kind == "open" and (listed or chair.invite == invite)), -1
    )
    if seat < 0:
        raise SeatError(NO_SEAT if invite else NO_CHAIR)
    chairs[seat] = seating.person(person.id, name)
    await reseat(host, chairs)
    return seat


async def fill(host: TableTask, person: Person) -> None:
    """Computer players take the seats that are still open."""
    if person.id != host.kept.maker:
        raise SeatError("Only who has made the table can give its open seats to computer players.")
    if host.session is not None:
        raise RuleError("Nobody is still to sit down here.")
    chairs = host.kept.chairs
    await reseat(host, [seating.computer(host.game) if chair.kind == "open" else chair for chair in chairs])


async def reseat(host: TableTask, chairs: Sequence[Chair]) -> None:
    """Change who sits where before the deal, and deal once nobody is missing."""
    full = all(chair.kind != "open" for chair in chairs)
    kept = replace(host.kept, chairs=seating.named(chairs), stands="playing" if full else "gathering")
    await host.services.keeper.write(
        lambda connection: tables.change_table(
            connection, kept.id, stands=kept.stands, chairs=kept.chairs, rematch=kept.rematch
        )
    )
    host.kept = kept
    if full:
        host.begin()
    seats = {chair.person: seat for seat, chair in enumerate(kept.chairs) if chair.person}
    for line in host.lines:
        line.seat = seats.get(line.person.id, -1)
        line.send(host.hello(line))
        if line.seat < 0 and not host.may_look_on(line.person):
            line.end(NO_LOOKING_ON)
    host.about.present = [any(line.seat == p for line in host.lines) for p in range(host.game.seats)]
    host.changed = True
