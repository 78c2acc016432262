"""What people ask for at a table, carried out one after the other by its host; and sitting down before the deal."""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Sequence

from msgspec.structs import replace

from kibitz.engine.scene import Picking
from kibitz.errors import KibitzError, NotationError, RuleError, SeatError
from kibitz.remote import messages as wire
from kibitz.web.live_tables import seat_view
from kibitz.web.live_tables import session as seating
from kibitz.web.live_tables.connection import Connection, Person
from kibitz.web.live_tables.seat_view import chat_text
from kibitz.web.live_tables.session import Session
from kibitz.web.live_tables.table_task import NO_LOOKING_ON, TableTask
from kibitz.web.processes import decision_seed
from kibitz.web.store import tables
from kibitz.web.store.tables import Chair, Chose, Noted, TakenBack

log = logging.getLogger("kibitz.web")

FAULT = "This is a fault in Kibitz, and nothing has changed: please report it."


async def ask(host: TableTask, line: Connection, request: wire.AnyRequest) -> wire.Message:
    """Have a request carried out by the host, and get its answer, which is put on the line as well."""

    async def act() -> wire.Message:
        found = await answer(host, line, request)
        if line in host.lines:
            line.send(found)
        return found

    return await host.done(act)


async def answer(host: TableTask, line: Connection, request: wire.AnyRequest) -> wire.Message:
    """The answer to a request; one that was made before is answered again, and nothing happens."""
    host.services.counts["requests"] += 1
    known = host.session.answers.get((line.person.id, request.id)) if host.session else None
    if known is not None:
        return known
    try:
        found = await carry_out(host, line, request)
    except KibitzError as error:
        return wire.Refused(request.id, str(error))
    except Exception:
        log.exception("table %s: a request failed that should not", host.kept.id)
        return wire.Refused(request.id, FAULT)
    if host.session is not None and not isinstance(request, wire.AskWhyNot | wire.Ping):
        host.session.remember(line.person.id, request.id, found)
    return found


async def carry_out(host: TableTask, line: Connection, request: wire.AnyRequest) -> wire.Message:
    """Do what is asked; KibitzError with the reason if it cannot be."""
    match request:
        case wire.Ping():
            return wire.Pong(request.id)
        case wire.Say():
            say(host, line, request)
        case wire.Mute():
            (line.muted.add if request.on else line.muted.discard)(request.seat)
        case wire.AskRematch():
            await rematch(host, line)
        case wire.AskWhyNot():
            return why_not(host, line, request)
        case wire.AskHint():
            return await hint(host, line, request)
        case wire.Act():
            await act(host, line, request)
        case wire.Undo():
            await undo(host, line, request)
        case wire.SetPace() | wire.SetAuto():
            arrange(host, line, request)
        case _:
            await attend(host, line, request)
    return wire.Done(request.id)


def seated(host: TableTask, line: Connection) -> tuple[Session, int]:
    """The game and the seat of a line; SeatError if it has none, RuleError if the game has not begun."""
    if line.seat < 0:
        raise SeatError("You look on here, and have no seat: only those who have one can do this.")
    if host.session is None:
        raise RuleError("The game has not begun: somebody is still to sit down.")
    return host.session, line.seat


async def act(host: TableTask, line: Connection, request: wire.Act) -> None:
    """A person chooses."""
    session, seat = seated(host, line)
    action = request.action
    if (action is None) == (request.text is None):
        raise NotationError("Give either an 'action', as a number, or its 'text'.")
    if request.turn is not None and request.turn != host.about.turns[seat]:
        await another_turn(session, seat, request)
        return
    if request.text is not None:
        session.table.legal(seat)
        action = host.game.parse(session.table.view(seat), request.text)
    assert action is not None
    if sentence := session.table.why_not(seat, min(action, host.game.actions)):
        raise RuleError(sentence)
    back = [Noted("back", seat)] if host.about.caretakers[seat] else []
    await host.save(*back, Chose(seat, action, line.person.id, request.id))


async def another_turn(session: Session, seat: int, request: wire.Act) -> None:
    """A choice for a turn that is not now.  RuleError, unless the very same was made for the seat in that turn.

    While a person's choice is on its way, it can play itself as the only one, or a caretaker can make it: who has asked
    for what has happened is told that it is done.
    """
    turns = session.turns[seat]
    assert request.turn is not None
    if request.turn >= len(turns):
        raise RuleError("You are not asked for that choice yet: look at the table again.")
    made = turns[request.turn]
    if made.own:
        raise RuleError("That choice has been made already: look at the table again.")
    past = await asyncio.to_thread(session.table.at, made.step)
    view = past.view(seat)
    wanted = request.action if request.text is None else session.game.parse(view, request.text)
    if wanted != made.action:
        label = " ".join(session.game.words.label(view, made.action).split())
        raise RuleError(f"That choice was made for you in the meantime ({label}): look at the table again.")


async def undo(host: TableTask, line: Connection, request: wire.Undo) -> None:
    """A person takes a choice back."""
    session, seat = seated(host, line)
    step = await asyncio.to_thread(session.taken_back_to, seat)
    await host.save(TakenBack(seat, step, line.person.id, request.id))


def why_not(host: TableTask, line: Connection, request: wire.AskWhyNot) -> wire.WhyNot:
    """Why something on the table cannot be taken."""
    session, seat = seated(host, line)
    table = session.table
    picking = Picking(host.game, table.view(seat), table.legal(seat), table.names)
    for key in request.taken:
        picking.take(key)
    return wire.WhyNot(request.id, request.key, picking.why_not(request.key))


async def hint(host: TableTask, line: Connection, request: wire.AskHint) -> wire.Hint:
    """What a strong player would do; everybody sees that somebody has asked."""
    session, seat = seated(host, line)
    if not host.kept.settings.hints:
        raise RuleError("There are no hints at this table: it was made without.")
    table = session.table
    legal, view = table.legal(seat), table.view(seat)
    known, key = session.advice, (session.about.epoch, table.step, seat)
    if key not in known:
        seed = decision_seed(host.kept.seed, seat, table.step)
        known[key] = await host.services.search_pool.advise(host.game.name, view, legal, seed)
    found = known[key]
    if not session.hinted:
        await host.save(Noted("hint", seat))
    choices = seat_view.Choices(table, seat, view, legal)
    parts = next((choice.parts for choice in choices.choices if choice.action == found.action), ())
    label = " ".join(host.game.words.label(view, found.action).split())
    reason = re.sub(r"\bplayer (\d+)\b", lambda seat: table.names[int(seat[1])], found.reason)  # labels know no names
    return wire.Hint(request.id, found.action, parts, label, found.judge, reason)


def arrange(host: TableTask, line: Connection, request: wire.SetPace | wire.SetAuto) -> None:
    """How fast computer players are, and whether forced actions play themselves."""
    _, seat = seated(host, line)
    if isinstance(request, wire.SetAuto):
        host.auto[seat] = request.on
        if host.bots and seat in host.bots.asked and not host.about.caretakers[seat]:
            host.bots.forget(seat)
    elif len(host.people) > 1:
        raise RuleError("Several people sit here, and the pace is the same for all: it stays as it is.")
    else:
        host.pace = request.pace
        if request.pace != "skip":
            host.slower = request.pace
        elif host.bots:
            host.bots.hurry()
    host.changed = True


async def attend(host: TableTask, line: Connection, request: wire.AnyRequest) -> None:
    """Caretakers come and go."""
    _, seat = seated(host, line)
    if isinstance(request, wire.CallCaretaker):
        await call_caretaker(host, request.seat)
    elif isinstance(request, wire.Retake | wire.Leave) and host.about.caretakers[seat] == isinstance(
        request, wire.Retake
    ):
        await host.save(Noted("back" if isinstance(request, wire.Retake) else "caretaker", seat))


async def call_caretaker(host: TableTask, seat: int) -> None:
    """Have a caretaker play for somebody who keeps others waiting."""
    if seat not in host.people:
        raise SeatError("No person sits there.")
    if seat not in host.waited_for():
        raise RuleError("Nobody has to wait for them.")
    if (left := host.wait_times.left(seat, host.services.clock())) > 0:
        raise RuleError(f"Give them {round(left) or 1} more seconds.")
    await host.save(Noted("caretaker", seat))


def say(host: TableTask, line: Connection, request: wire.Say) -> None:
    """Pass on what somebody says, to all who have not muted them; all who look on have one voice between them."""
    host.talk.refuse("say", str(line.seat))
    message = wire.Chat(line.person.name, line.seat, chat_text(request, free=line.seat >= 0), host.services.now())
    if line.seat >= 0:
        message = replace(message, name=host.kept.chairs[line.seat].name)
    for other in host.lines:
        if line.seat not in other.muted:
            other.send(message)


async def rematch(host: TableTask, line: Connection) -> None:
    """The same people once more, at another table."""
    session, seat = seated(host, line)
    if not session.table.over:
        raise RuleError("The game is not over yet.")
    table = await host.services.rematch(host, line.person)
    by = host.kept.chairs[seat].name
    for other in host.lines:
        other.send(wire.Rematch(table, f"{host.services.base}/tables/{table}", by))


# ---------------------------------------------------------------- sitting down before the deal

NO_SEAT = "This invitation is no longer valid: ask for a new one, or watch."
NO_CHAIR = "No open seats here: ask the table's host for an invitation, or watch."


def refused_invitation(host: TableTask, invite: str) -> str:
    """Why an invitation lets nobody sit down; empty if it does, or if there is none."""
    valid = any(chair.kind == "open" and chair.invite == invite for chair in host.kept.chairs)
    return NO_SEAT if invite and not valid else ""


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
    chairs[seat] = seating.person_chair(person.id, name)
    await reseat(host, chairs)
    return seat


async def fill(host: TableTask, person: Person) -> None:
    """Computer players take the seats that are still open."""
    if person.id != host.kept.maker:
        raise SeatError("Only who has made the table can give its open seats to computer players.")
    if host.session is not None:
        raise RuleError("Nobody is still to sit down here.")
    chairs = host.kept.chairs
    await reseat(host, [seating.computer_chair(host.game) if chair.kind == "open" else chair for chair in chairs])


async def reseat(host: TableTask, chairs: Sequence[Chair]) -> None:
    """Change the seats before the deal, and deal once nobody is missing."""
    full = all(chair.kind != "open" for chair in chairs)
    kept = replace(host.kept, chairs=seating.with_distinct_names(chairs), stands="playing" if full else "gathering")
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
