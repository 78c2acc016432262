"""Carries out the requests of people at a table, one after the other, and seats people before the deal."""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Sequence
from typing import Literal

from msgspec.structs import replace

from kibitz.engine.scene import Picking
from kibitz.engine.sentences import listed
from kibitz.engine.views.events import View
from kibitz.errors import KibitzError, NotationError, RuleError, SeatError
from kibitz.players.advice import Hint
from kibitz.remote import messages as wire
from kibitz.table.match import decision_seed
from kibitz.web.access import Identity
from kibitz.web.live_tables import seat_view
from kibitz.web.live_tables.connection import Connection, Person
from kibitz.web.live_tables.live_session import (
    LiveSession,
    filled_seat,
    replaced_seat,
    taken_seat,
    vacated_seat,
    with_distinct_names,
)
from kibitz.web.live_tables.seat_view import chat_text
from kibitz.web.live_tables.table_task import NOT_WATCHABLE, TableTask
from kibitz.web.store import tables
from kibitz.web.store.tables import Chose, Noted, Seat, TakenBack

log = logging.getLogger("kibitz.web")

FAULT = "This is a fault in Kibitz, and nothing has changed: please report it."


async def ask(table_task: TableTask, connection: Connection, request: wire.AnyRequest) -> wire.Message:
    """Have the table's task carry out a request, and send its answer over the connection; returns the answer."""

    async def act() -> wire.Message:
        message = await answer(table_task, connection, request)
        if connection in table_task.connections:
            connection.send(message)
        return message

    return await table_task.call(act)


async def answer(table_task: TableTask, connection: Connection, request: wire.AnyRequest) -> wire.Message:
    """Carry out a request and return its answer; a repeated request gets the same answer, and nothing else happens."""
    table_task.services.counts["requests"] += 1
    earlier_answer = table_task.session.answers.get((connection.person.id, request.id)) if table_task.session else None
    if earlier_answer is not None:
        return earlier_answer
    try:
        message = await carry_out(table_task, connection, request)
    except KibitzError as error:
        return wire.Refused(request.id, str(error))
    except Exception:
        log.exception("table %s: unexpected error in a request", table_task.stored.id)
        return wire.Refused(request.id, FAULT)
    if table_task.session is not None and not isinstance(request, wire.AskWhyNot | wire.Ping):
        table_task.session.remember(connection.person.id, request.id, message)
    return message


async def carry_out(table_task: TableTask, connection: Connection, request: wire.AnyRequest) -> wire.Message:
    """Carry out a request. Raises KibitzError with the reason if it is refused."""
    match request:
        case wire.Ping():
            return wire.Pong(request.id)
        case wire.Say():
            say(table_task, connection, request)
        case wire.Mute():
            (connection.muted.add if request.on else connection.muted.discard)(request.seat)
        case wire.AskRematch() | wire.DeclineRematch():
            await rematch(table_task, connection, accepts=isinstance(request, wire.AskRematch))
        case wire.AskWhyNot():
            return why_not(table_task, connection, request)
        case wire.AskHint():
            return await hint(table_task, connection, request)
        case wire.Act():
            await act(table_task, connection, request)
        case wire.Undo():
            await undo(table_task, connection, request)
        case wire.AskUndo():
            ask_undo(table_task, connection)
        case wire.AnswerUndo():
            await answer_undo(table_task, connection, request)
        case wire.SetPace() | wire.SetAuto():
            set_pace_or_auto(table_task, connection, request)
        case _:
            await change_caretaker(table_task, connection, request)
    return wire.Done(request.id)


def session_and_seat(table_task: TableTask, connection: Connection) -> tuple[LiveSession, int]:
    """The game and the seat of a connection.

    Raises SeatError if it has no seat, RuleError if the game has not begun.
    """
    if connection.seat < 0:
        raise SeatError("Spectators can't do that.")
    if table_task.session is None:
        raise RuleError("The game hasn't begun: not every seat is taken.")
    return table_task.session, connection.seat


async def act(table_task: TableTask, connection: Connection, request: wire.Act) -> None:
    """Make a person's choice. Raises RuleError if it isn't allowed."""
    session, seat = session_and_seat(table_task, connection)
    action = request.action
    if (action is None) == (request.text is None):
        raise NotationError("Give either an 'action', as a number, or its 'text'.")
    if request.turn is not None and request.turn != table_task.facts.turns[seat]:
        await check_past_turn(session, seat, request)
        return
    if request.text is not None:
        session.table.legal(seat)
        action = table_task.game.parse(session.table.view(seat), request.text)
    assert action is not None
    if sentence := session.table.why_not(seat, min(action, table_task.game.actions)):
        raise RuleError(sentence)
    back_notes = [Noted("back", seat)] if table_task.facts.caretakers[seat] else []
    asker = table_task.facts.undo_asked
    await table_task.save(*back_notes, Chose(seat, action, connection.person.id, request.id))
    if asker not in (-1, seat):
        refuse_undo(table_task, asker, f"{session.table.names[seat]} has played on: your choice stands.")
    if session.has_just_decided(seat):
        await asyncio.to_thread(session.why_no_undo, seat)  # for the next state, which takes it from the cache


async def check_past_turn(session: LiveSession, seat: int, request: wire.Act) -> None:
    """Check a choice for a turn that isn't the current one.

    Raises RuleError unless the same choice was made in that turn.

    While a person's choice is on its way, a forced action may be carried out, or a caretaker may choose. If that
    choice is the same, the request counts as carried out.
    """
    turns = session.turns[seat]
    assert request.turn is not None
    if request.turn >= len(turns):
        raise RuleError("That turn hasn't come yet: look at the table again.")
    choice = turns[request.turn]
    if choice.by_person:
        raise RuleError("That choice has already been made: look at the table again.")
    past = await asyncio.to_thread(session.table.at, choice.step)
    view = past.view(seat)
    requested = request.action if request.text is None else session.game.parse(view, request.text)
    if requested != choice.action:
        label = " ".join(session.game.words.label(view, choice.action).split())
        raise RuleError(f"That choice was made for you in the meantime ({label}): look at the table again.")


async def undo(table_task: TableTask, connection: Connection, request: wire.Undo) -> None:
    """Take back a person's latest choice. Raises RuleError if that isn't possible."""
    session, seat = session_and_seat(table_task, connection)
    if sentence := await asyncio.to_thread(session.why_no_undo, seat):
        raise RuleError(sentence)
    await table_task.save(TakenBack(seat, session.decisions[seat][-1].step, connection.person.id, request.id))


def ask_undo(table_task: TableTask, connection: Connection) -> None:
    """Ask the others to allow a person to take back the latest choice. Raises RuleError if that isn't possible."""
    session, seat = session_and_seat(table_task, connection)
    if sentence := session.why_no_undo_request(seat):
        raise RuleError(sentence)
    table_task.facts.undo_asked, table_task.facts.undo_allowed = seat, ()
    table_task.changed = True


async def answer_undo(table_task: TableTask, connection: Connection, request: wire.AnswerUndo) -> None:
    """Record that a person allows or declines an undo; once all have allowed it, the choice is taken back."""
    session, seat = session_and_seat(table_task, connection)
    facts, asker = table_task.facts, table_task.facts.undo_asked
    if asker < 0 or seat == asker or session.table.over:
        raise RuleError("Nobody has asked you to allow an undo.")
    table_task.changed = True
    if not request.allow:
        facts.undo_asked = -1
        refuse_undo(table_task, asker, f"{session.table.names[seat]} declines: your choice stands.")
        return
    facts.undo_allowed = (*facts.undo_allowed, seat)
    if session.others_present(asker) <= {*facts.undo_allowed}:
        await table_task.save(TakenBack(asker, session.decisions[asker][-1].step, allowed=True))


def refuse_undo(table_task: TableTask, asker: int, sentence: str) -> None:
    """Say to the person who has asked for an undo that it isn't granted."""
    for connection in table_task.connections:
        if connection.seat == asker:
            connection.send(wire.Refused("", sentence))


def why_not(table_task: TableTask, connection: Connection, request: wire.AskWhyNot) -> wire.WhyNot:
    """The reason why something on the table cannot be selected."""
    session, seat = session_and_seat(table_task, connection)
    table = session.table
    picking = Picking(table_task.game, table.view(seat), table.legal(seat), table.names)
    for key in request.selected:
        picking.take(key)
    return wire.WhyNot(request.id, request.key, picking.why_not(request.key))


async def hint(table_task: TableTask, connection: Connection, request: wire.AskHint) -> wire.Hint:
    """A strong player's choice for a person; everybody sees that somebody has asked for a hint."""
    session, seat = session_and_seat(table_task, connection)
    if not table_task.stored.settings.hints:
        raise RuleError("Hints are switched off at this table.")
    table = session.table
    legal, view = table.legal(seat), table.view(seat)
    hints, key = session.advice, (session.facts.epoch, table.step, seat)
    if key not in hints:
        seed = decision_seed(table_task.stored.seed, seat, table.step)
        count = table_task.game.scene(view, table.names).together
        hints[key] = await choose_together(table_task, view, legal, count, seed)
    first, *more = hints[key]
    if not session.hinted:
        await table_task.save(Noted("hint", seat))
    choices = seat_view.SeatChoices(table, seat, view, legal)
    parts_of = {choice.action: choice.parts for choice in choices.choices}
    parts = tuple(part for each in hints[key] for part in parts_of.get(each.action, ()))
    words = table_task.game.words
    label = " ".join(words.label(view, first.action).split())
    # Reasons say "player 2", since labels don't know the players' names.
    reason = re.sub(r"\bplayer (\d+)\b", lambda match: table.names[int(match[1])], first.reason)
    if more:
        cards = listed([words.advice(view, first.action), *(words.short_label(view, each.action) for each in more)])
        reason = f"Hint: {cards}. {more[-1].reason}"
    return wire.Hint(request.id, first.action, parts, label, first.judge, reason)


async def choose_together(
    table_task: TableTask, view: View, legal: list[int], count: int, seed: int
) -> tuple[Hint, ...]:
    """The hints for the ``count`` choices that a person makes together, such as cards to pass, one after the other.

    The last one's reason is what the choices do together.
    """
    game, ask = table_task.game, table_task.services.search_pool.advise
    found = [await ask(game.name, view, legal, seed)]
    if count > 1:
        state = game.imagine(view, seed)
        while len(found) < count:
            game.advance(state, found[-1].action)
            while state.player != view.seat:  # what the others choose is hidden
                game.advance(state, game.legal(state)[0])
            view = game.view(state, view.seat)
            found.append(await ask(game.name, view, game.legal(state), seed))
        found[-1] = replace(found[-1], reason=game.words.explain(view, found[-1].action))
    return tuple(found)


def set_pace_or_auto(table_task: TableTask, connection: Connection, request: wire.SetPace | wire.SetAuto) -> None:
    """Set the pace of computer players, or whether a person's forced actions are played automatically."""
    _, seat = session_and_seat(table_task, connection)
    if isinstance(request, wire.SetAuto):
        table_task.auto[seat] = request.on
        if table_task.bots and seat in table_task.bots.questions and not table_task.facts.caretakers[seat]:
            table_task.bots.forget(seat)
    elif len(table_task.people) > 1:
        raise RuleError("The pace can't be changed while several people play at the table.")
    else:
        table_task.pace = request.pace
        if request.pace != "skip":
            table_task.usual_pace = request.pace
        elif table_task.bots:
            table_task.bots.hurry()
    table_task.changed = True


async def change_caretaker(table_task: TableTask, connection: Connection, request: wire.AnyRequest) -> None:
    """Let a caretaker play for another seat or for one's own, or take one's own seat back."""
    _, seat = session_and_seat(table_task, connection)
    has_caretaker = table_task.facts.caretakers[seat]
    if isinstance(request, wire.CallCaretaker):
        await call_caretaker(table_task, request.seat, connection.person)
    elif isinstance(request, wire.Retake) and has_caretaker:
        await table_task.save(Noted("back", seat))
    elif isinstance(request, wire.Leave) and not has_caretaker:
        await table_task.save(Noted("caretaker", seat))


async def call_caretaker(table_task: TableTask, seat: int, person: Person) -> None:
    """Have a caretaker play for somebody who keeps others waiting; the host can do this for absent people at once."""
    if seat not in table_task.people:
        raise SeatError("Nobody sits there.")
    is_away = not table_task.facts.present[seat]
    if is_away and person.id == table_task.stored.maker and not table_task.facts.caretakers[seat]:
        await table_task.save(Noted("caretaker", seat))
        return
    if seat not in table_task.waited_for():
        raise RuleError("It isn't their turn.")
    if (seconds := table_task.wait_times.seconds_left(seat, table_task.services.clock())) > 0:
        raise RuleError(f"Give them {round(seconds) or 1} more seconds.")
    await table_task.save(Noted("caretaker", seat))


def say(table_task: TableTask, connection: Connection, request: wire.Say) -> None:
    """Send a chat message to everybody who hasn't muted its sender; muting one spectator mutes all spectators."""
    table_task.chat_rates.check("say", str(connection.seat))
    message = wire.Chat(
        connection.person.name,
        connection.seat,
        chat_text(request, free=connection.seat >= 0),
        table_task.services.now(),
    )
    if connection.seat >= 0:
        message = replace(message, name=table_task.stored.seats[connection.seat].name)
    table_task.chats.append(message)
    for other in table_task.connections:
        if connection.seat not in other.muted:
            other.send(message)


async def rematch(table_task: TableTask, connection: Connection, *, accepts: bool) -> None:
    """Ask for, accept or decline a rematch, which is played at a new table; everybody sees what has changed."""
    session, seat = session_and_seat(table_task, connection)
    if not session.table.over:
        raise RuleError("The game is not over yet.")
    name, previous = table_task.stored.seats[seat].name, table_task.rematch
    if not accepts and not table_task.stored.rematch:
        raise RuleError("Nobody has asked for a rematch.")
    table = await table_task.services.rematch(table_task, connection.person, accepts)
    message = previous or wire.Rematch(table, f"{table_task.services.base}/tables/{table}", name)
    others = tuple(other for other in message.declined if other != name)
    message = replace(message, declined=others if accepts else (*others, name))
    table_task.rematch = message
    for receiver in table_task.connections if message != previous else [connection]:
        receiver.send(message)


# ---------------------------------------------------------------- sitting down before the deal

STALE_INVITATION = "This invitation is no longer valid: ask for a new one, or watch."
REMOVED = "The table's host has removed you: ask for a new invitation."
NO_OPEN_SEAT = "No open seats here: ask the table's host for an invitation, or watch."


def refused_invitation(table_task: TableTask, invite: str) -> str:
    """Why an invitation's code is invalid, in a sentence; "" if it is valid, or if there is no code."""
    valid = any(seat.kind == "open" and seat.invite == invite for seat in table_task.stored.seats)
    return STALE_INVITATION if invite and not valid else ""


async def sit(table_task: TableTask, person: Person, invite: str, name: str) -> int:
    """Give a person the open seat that an invitation's code leads to; returns its number.

    Raises SeatError if there is none.

    Without a code, the person gets the first open seat of a table that everybody may join, or the seat that is kept for
    them in a rematch. A person who has a seat keeps it.
    """
    seats = list(table_task.stored.seats)
    for p, seat in enumerate(seats):
        if seat.person == person.id:
            return p
    may_take_any = not invite and table_task.stored.settings.joining == "listed"
    number = next(
        (
            p
            for p, seat in enumerate(seats)
            if seat.kind == "open" and (may_take_any or seat.invite == invite or seat.reserved_for == person.id)
        ),
        -1,
    )
    if number < 0:
        raise SeatError(STALE_INVITATION if invite else NO_OPEN_SEAT)
    if may_take_any and any(person.id in seat.removed for seat in seats):
        raise SeatError(REMOVED)
    seats[number] = taken_seat(seats[number], person.id, name)
    await reseat(table_task, seats)
    return number


async def decline(table_task: TableTask, person: Person) -> None:
    """Decline a rematch: the seat that was kept for a person is open to others from now on."""
    seats = table_task.stored.seats
    if any(seat.kind == "open" and seat.reserved_for == person.id for seat in seats):
        await reseat(
            table_task, [replace(seat, reserved_for="") if seat.reserved_for == person.id else seat for seat in seats]
        )


async def remove(table_task: TableTask, person: Person, number: int, level: str) -> None:
    """Remove somebody from a seat.

    Before the deal, the seat is open again, with a new invitation. During a game, the computer player at ``level``
    ("" for the easiest) plays on.
    """
    if person.id != table_task.stored.maker:
        raise SeatError("Only the table's host can remove somebody.")
    seats, session = list(table_task.stored.seats), table_task.session
    seat = seats[number] if number < len(seats) else None
    if seat is None or seat.kind != "person" or seat.person == person.id:
        raise SeatError(f"Nobody else is in seat {number + 1}.")
    if session is None:
        seats[number] = vacated_seat(seat)
        await reseat(table_task, seats)
        return
    if session.table.over:
        raise RuleError("The game is over.")
    seats[number] = replaced_seat(table_task.game, seat, level)
    await table_task.save(Noted("removed", number), new_seats=tuple(seats))
    table_task.wait_times.away.pop(number, None)
    greet(table_task)


async def fill(table_task: TableTask, person: Person) -> None:
    """Give the seats that are still open to computer players."""
    table, game = table_task.stored, table_task.game
    sits_at_listed_table = table.settings.joining == "listed" and any(seat.person == person.id for seat in table.seats)
    if person.id != table.maker and not sits_at_listed_table:
        raise SeatError("Only the table's host can fill open seats with computer players.")
    if table_task.session is not None:
        raise RuleError("All seats are taken.")
    await reseat(table_task, [filled_seat(game, seat) if seat.kind == "open" else seat for seat in table.seats])


async def withdraw(table_task: TableTask, person: Person) -> bool:
    """Delete a table whose host waits at another table now; returns whether it was deleted.

    It isn't if somebody else has sat down in the meantime.
    """
    table = table_task.stored
    if not table.waits_alone(person.id):
        return False
    await table_task.services.server_store.write(lambda connection: tables.delete_table(connection, table.id))
    table_task.stored = replace(table, seats=())  # nobody can sit down any more
    return True


async def reseat(table_task: TableTask, seats: Sequence[Seat]) -> None:
    """Change the seats before the deal, and deal once all seats are taken."""
    is_full = all(seat.kind != "open" for seat in seats)
    phase: Literal["gathering", "playing"] = "playing" if is_full else "gathering"
    table = replace(table_task.stored, seats=with_distinct_names(seats), phase=phase)
    await table_task.services.server_store.write(
        lambda connection: tables.change_table(
            connection, table.id, phase=table.phase, seats=table.seats, rematch=table.rematch
        )
    )
    table_task.stored = table
    if is_full:
        table_task.begin()
    greet(table_task)


async def hand_over(table_task: TableTask, old: str, identity: Identity) -> None:
    """Give the seats of the guest ``old`` to the account that they have signed in to."""
    table, person = table_task.stored, identity.person
    await table_task.services.server_store.write(tables.hand_over, [table.id], old, person.id)
    table_task.stored = tables.handed_over(table, old, person.id)
    if table_task.session is not None:
        table_task.session.seats = table_task.stored.seats
    for other in table_task.connections:
        if other.person.id == old:
            other.person, other.key, other.ends_at = person, identity.key, identity.ends_at
    greet(table_task)


def greet(table_task: TableTask) -> None:
    """Send everybody the current seats, and the whole log again to each person whose seat has changed."""
    numbers = {seat.person: p for p, seat in enumerate(table_task.stored.seats) if seat.person}
    for other in table_task.connections:
        seat = numbers.get(other.person.id, -1)
        if seat != other.seat:
            other.seat, other.epoch, other.lines_sent = seat, -1, 0
        other.send(table_task.hello(other))
        if other.seat < 0 and not table_task.may_watch(other.person):
            other.end(NOT_WATCHABLE)
    table_task.facts.present = [
        any(other.seat == p for other in table_task.connections) for p in range(table_task.game.seats)
    ]
    table_task.changed = True
