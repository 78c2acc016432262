"""The task that owns a table: only this task changes it.

    inbox       the queue of the table's work, done in order: requests, connections that come and go, bots' choices
    save        write to the journal; nothing is acknowledged or sent to anybody before it is saved
    closed      whether the task has ended, so that nothing more may be put into the inbox

The journal is the whole game: after a crash, a task that is rebuilt from it continues after the last acknowledged
action.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import Counter, deque
from collections.abc import Awaitable, Callable, Sequence
from typing import TypeVar

from msgspec.structs import replace
from sqlalchemy import Connection as DatabaseConnection

from kibitz.engine.record import commitment
from kibitz.engine.registry import family_of, option_sentences
from kibitz.engine.registry import game as find_game
from kibitz.errors import KibitzError, MachineError, PlayerError
from kibitz.players.compiling import compile_notice
from kibitz.remote import messages as wire
from kibitz.table.outcomes import new_deal_steps
from kibitz.web.access import Rates
from kibitz.web.live_tables import seat_view
from kibitz.web.live_tables.bots import Bots
from kibitz.web.live_tables.connection import Connection, Person
from kibitz.web.live_tables.live_session import READING, ChosenAction, Clocks, LiveSession, WaitTimes, shown_seats
from kibitz.web.live_tables.seat_view import PHRASES
from kibitz.web.processes import SearchPool
from kibitz.web.store import tables
from kibitz.web.store.server_store import ServerStore
from kibitz.web.store.tables import AnyEntry, Chose, Failed, Noted, Seat, StoredTable, TakenBack

T = TypeVar("T")
log = logging.getLogger("kibitz.web")

RETRY_DELAY = 5.0
"""Seconds before a failed operation of this machine is retried."""

KEPT_CHATS = 50
"""The number of chat messages that are kept for people who connect later."""

NOT_WATCHABLE = "This table can't be watched."

Act = Callable[[], Awaitable[None]]
Rematch = Callable[["TableTask", Person, bool], Awaitable[str]]
Files = Callable[[LiveSession, int], Awaitable[int]]


class Services:
    """What all tables share: the store, the search processes, and these functions.

    rematch     records a request about a rematch; returns the id of its table
    files       asks the player file of a seat for its choice
    clock       the time in seconds, for measuring how long people wait
    now         the time of day, in seconds since the epoch
    """

    def __init__(
        self, server_store: ServerStore, search_pool: SearchPool, base: str, rematch: Rematch, files: Files
    ) -> None:
        self.server_store, self.search_pool, self.base = server_store, search_pool, base
        self.rematch, self.files = rematch, files
        self.clock: Callable[[], float] = time.monotonic
        self.now: Callable[[], float] = time.time
        self.counts = Counter[str]()


class TableTask:
    """One table, from the first seat taken until the last person leaves; ``run`` is its task.

    stored      the table as it is stored
    session     the game, None while seats are open
    connections the connections of people at the table and of spectators
    waiting_room    the table's public facts while seats are open
    chat_rates  rate limits for each seat's chat messages
    chats       the latest messages of the chat, which people who connect later get too
    rematch     the latest message about a rematch, which people who connect later get too
    auto        by seat, whether a person's forced actions are played automatically
    pace        the current pace of computer players; ``usual_pace`` is the pace after skipping ahead
    retry_at    the time at which a paused table tries again, or 0
    quiet_since the time at which the last connection was lost
    changed     whether anything has changed that connections haven't been sent yet
    """

    def __init__(self, stored: StoredTable, services: Services) -> None:
        self.stored, self.services = stored, services
        self.game = find_game(stored.game)
        self.session: LiveSession | None = None
        self.bots: Bots | None = None
        self.connections: list[Connection] = []
        self.waiting_room = seat_view.TableFacts.of(self.game.seats)
        self.chat_rates = Rates(services.clock)
        self.chats = deque[wire.Chat](maxlen=KEPT_CHATS)
        self.rematch: wire.Rematch | None = None
        self.auto = [stored.settings.auto] * self.game.seats
        self.wait_times = WaitTimes(Clocks(stored.settings.bank, stored.settings.topup, self.game.seats))
        self.pace = self.usual_pace = stored.settings.pace
        self.inbox: asyncio.Queue[Act | None] = asyncio.Queue()
        self.timer: asyncio.TimerHandle | None = None
        self.retry_at = 0.0
        self.quiet_since = services.clock()
        self.changed = False
        self.closing = self.closed = False

    # ---------------------------------------------------------------- beginning, running, ending

    def begin(self, entries: Sequence[AnyEntry] = ()) -> None:
        """Deal, and apply the journal's entries."""
        self.session = LiveSession(self.game, self.stored.seed, self.stored.seats)
        self.session.people |= {entry.seat for entry in entries if isinstance(entry, Noted) and entry.note == "removed"}
        self.session.hinted = self.stored.settings.lesson
        facts = self.session.facts
        facts.present, facts.pace = self.waiting_room.present, self.pace
        facts.hints, facts.open_hands = self.stored.settings.hints, self.stored.settings.open_hands
        players = [seat.player for seat in self.stored.seats if seat.kind == "computer"]
        if weaker := compile_notice(self.game, players):
            self.session.note("weaker", -1, weaker)
        for entry in entries:
            self.apply(entry)
        session, services = self.session, self.services
        self.bots = Bots(
            session, services.search_pool, self.post, self.player_failed, lambda seat: services.files(session, seat)
        )

    @property
    def facts(self) -> seat_view.TableFacts:
        """The public facts besides the game."""
        return self.session.facts if self.session else self.waiting_room

    def post(self, act: Act) -> None:
        """Put an operation into the inbox."""
        self.inbox.put_nowait(act)

    async def run(self) -> None:
        """Carry out the operations in the inbox, one after the other, until the table is closed."""
        self.post(self.on_time)
        while (act := await self.inbox.get()) is not None or not self.inbox.empty():
            if act is not None:
                await self.carry_out(act)
        self.closed = True

    async def carry_out(self, act: Act) -> None:
        """Carry out one operation, and send everybody the new state."""
        try:
            await act()
        except KibitzError as error:
            self.pause(str(error))
        except Exception:
            log.exception("table %s: unexpected error", self.stored.id)
            self.pause("Something went wrong. Trying again.")
        await asyncio.sleep(0)  # the answer is sent before the new state
        self.broadcast()
        self.set_timer()

    def close(self, why: str) -> None:
        """Close all connections, and end the task once it has carried out the operations in its inbox."""
        self.closing = True
        for connection in self.connections:
            connection.end(why)
        if self.bots:
            self.bots.close()
        if self.timer:
            self.timer.cancel()
        self.inbox.put_nowait(None)

    def pause(self, why: str) -> None:
        """Pause the game for a reason that everybody sees, and retry after a while."""
        self.facts.paused, self.changed = why, True
        self.retry_at = self.services.clock() + RETRY_DELAY
        if self.bots:
            self.bots.close()

    async def save(self, *entries: AnyEntry, new_seats: tuple[Seat, ...] | None = None) -> None:
        """Write entries, and ``new_seats`` if they change, and then apply them; if writing fails, nothing changes."""
        session = self.session
        assert session is not None
        stored, number, now = self.stored, session.number, self.services.now()

        def keep(connection: DatabaseConnection) -> None:
            tables.append_entries(connection, stored.id, number, entries, now)
            if new_seats is not None:
                tables.change_table(connection, stored.id, phase=stored.phase, seats=new_seats, rematch=stored.rematch)

        await self.services.server_store.write(keep)
        if new_seats is not None:
            self.stored, session.seats = replace(stored, seats=new_seats), new_seats
        self.services.counts["entries"] += len(entries)
        taken_back = any(isinstance(entry, TakenBack) for entry in entries)
        seats = {connection.seat for connection in self.connections} if taken_back else ()
        lines_before = {seat: list(session.log.lines(seat)) for seat in seats}
        since = session.table.step
        for entry in entries:
            self.apply(entry)
        if any(new_deal_steps(session.table, since)):
            self.wait_times.clocks.rest(self.services.clock(), READING)
        if taken_back:
            self.resend_changed_lines(lines_before)
        self.changed = True
        if session.table.over and self.stored.phase != "finished":
            await self.finish()

    def apply(self, entry: AnyEntry) -> None:
        """Apply a saved entry; applying a whole journal rebuilds exactly the same session."""
        session = self.session
        assert session is not None
        session.number += 1
        if isinstance(entry, Chose):
            session.turns[entry.seat].append(ChosenAction(session.table.step, entry.action, bool(entry.person)))
            session.facts.turns[entry.seat] += 1
            session.act(entry.seat, entry.action)
            session.remember(entry.person, entry.by)
            if entry.person:  # somebody plays on, so a request for an undo has lapsed
                session.facts.undo_asked = -1
        elif isinstance(entry, Failed):
            session.table.forfeit(entry.seat, entry.kind, entry.sentence)
        elif isinstance(entry, TakenBack):
            session.undo(entry.step)
            session.taken_back = session.taken_back or entry.allowed
            session.facts.undo_asked = -1
            session.facts.epoch += 1
            session.log.back_to(entry.step)
            session.note("undo", entry.seat)
            session.remember(entry.person, entry.by)
        else:
            session.hinted = session.hinted or entry.note in ("hint", "played_on")
            if entry.note in ("caretaker", "back", "removed"):
                session.facts.caretakers[entry.seat] = entry.note != "back"
                (session.people.add if entry.note == "back" else session.people.discard)(entry.seat)
            if entry.note == "removed":
                session.facts.undo_asked = -1
            session.note(entry.note, entry.seat)
        session.note_events()

    def resend_changed_lines(self, lines_before: dict[int, list[wire.LogLine]]) -> None:
        """After an undo, mark the lines that every connection must be sent again: those from the first changed line on.

        ``lines_before`` has the lines before the undo, by seat.
        """
        assert self.session is not None
        for connection in self.connections:
            unchanged_lines = 0
            for old, new in zip(lines_before[connection.seat], self.session.log.lines(connection.seat), strict=False):
                if old != new:
                    break
                unchanged_lines += 1
            connection.lines_sent, connection.epoch = min(connection.lines_sent, unchanged_lines), -2

    async def finish(self) -> None:
        """Store the finished game."""
        assert self.session is not None
        finished = self.session.finished(self.stored, self.services.now())
        await self.services.server_store.write(lambda connection: tables.add_game(connection, finished))
        self.stored = replace(self.stored, phase="finished")

    # ---------------------------------------------------------------- connections

    async def join(self, connection: Connection) -> None:
        """Add a connection; a caretaker returns the seat to the person who connects."""
        self.connections.append(connection)
        connection.send(self.hello(connection))
        for message in self.chats if connection.epoch < 0 else ():
            connection.send(message)
        if self.rematch is not None:
            connection.send(self.rematch)
        if connection.seat >= 0:
            self.wait_times.away.pop(connection.seat, None)
            self.facts.present[connection.seat] = True
            if self.facts.caretakers[connection.seat]:
                await self.save(Noted("back", connection.seat))
        self.changed = True
        self.facts.paused = ""

    async def disconnect(self, connection: Connection) -> None:
        """Remove a connection."""
        if connection in self.connections:
            self.connections.remove(connection)
        if connection.seat >= 0 and not any(other.seat == connection.seat for other in self.connections):
            self.facts.present[connection.seat] = False
            self.wait_times.away[connection.seat] = self.services.clock()
        self.quiet_since = self.services.clock()
        self.changed = True

    def may_watch(self, person: Person) -> bool:
        """Whether a person without a seat may connect; before the deal everybody may, so as to accept an invitation."""
        return self.stored.shows(person.id) or self.stored.phase == "gathering"

    def hello(self, connection: Connection) -> wire.Hello:
        """The first message of a connection: facts about the table that don't change during a game."""
        stored, game = self.stored, self.game
        is_maker = connection.person.id == stored.maker
        return wire.Hello(
            table=stored.id,
            game=game.name,
            family=family_of(game),
            title=game.title,
            options=tuple(option_sentences(game)),
            seat=connection.seat,
            names=tuple(seat.name for seat in stored.seats),
            commitment=commitment(stored.seed),
            rules=stored.rules,
            seats=shown_seats(game, stored.seats),
            settings=stored.settings,
            is_host=is_maker,
            started=self.session is not None,
            removed=connection.seat < 0 and any(connection.person.id in seat.removed for seat in stored.seats),
            invitations=self.invitations() if is_maker else (),
            phrases=PHRASES,
            brief=game.rules_summary,
            first_step=game.first_step,
            captions=game.lesson.captions if stored.settings.lesson and game.lesson else (),
        )

    def invitations(self) -> tuple[wire.Invitation, ...]:
        """The invitations to open seats, with their links."""
        address = f"{self.services.base}/tables/{self.stored.id}"
        return tuple(
            wire.Invitation(p, f"{address}?invite={seat.invite}")
            for p, seat in enumerate(self.stored.seats)
            if seat.kind == "open"
        )

    def broadcast(self) -> None:
        """If anything has changed, send every connection its new log lines and state."""
        self.ask_bots()
        if not self.changed:
            return
        self.changed = False
        self.facts.clocks = self.wait_times.clocks.shown(self.services.clock())
        encoded_states: dict[tuple[int, bool, bool], bytes] = {}
        for connection in list(self.connections):
            if self.session is not None:
                self.send_events(connection)
            key = connection.seat, connection.wants_view, connection.wants_exact
            if key not in encoded_states:
                seat, view, exact = key
                encoded_states[key] = wire.encoded(self.state(seat, view=view, exact=exact))
            connection.send(encoded_states[key])

    def send_events(self, connection: Connection) -> None:
        """Send a connection the lines of the log that it hasn't been sent yet."""
        assert self.session is not None
        log, epoch = self.session.log.lines(connection.seat), self.facts.epoch
        if connection.epoch not in (epoch, -2) or connection.lines_sent > len(log):
            connection.lines_sent = 0
        if connection.lines_sent < len(log) or connection.epoch != epoch:
            connection.send(wire.Events(epoch, connection.lines_sent, tuple(log[connection.lines_sent :])))
        connection.epoch, connection.lines_sent = epoch, len(log)

    def state(self, seat: int, *, view: bool = False, exact: bool = False) -> wire.State:
        """The state of the table as one seat sees it."""
        session = self.session
        if session is None:
            return seat_view.before_the_deal(self.game, self.facts)
        forced = seat in session.table.waiting and self.auto[seat] and session.plays_automatically(seat)
        return seat_view.state_for(
            session.table,
            seat,
            session.facts,
            len(session.log.lines(seat)),
            session.result(self.stored.id, self.services.base),
            view=view,
            exact=exact,
            undo=not forced and session.has_just_decided(seat) and session.why_no_undo(seat) is None,
            ask_undo=seat >= 0 and session.why_no_undo_request(seat) is None,
            forced=forced,
        )

    # ---------------------------------------------------------------- time

    @property
    def people(self) -> set[int]:
        """The seats that people have."""
        return {p for p, seat in enumerate(self.stored.seats) if seat.kind == "person"}

    def ask_bots(self) -> None:
        """Have computer players and files choose, and run people's clocks; pause if nobody watches."""
        session, now = self.session, self.services.clock()
        if session is None or self.bots is None or now < self.retry_at:
            return
        self.facts.paused = "" if self.people or self.connections else "Paused while nobody watches."
        if self.facts.paused:
            self.bots.close()
            return
        deciding = session.people.intersection(session.table.waiting)
        if self.pace == "skip" != self.usual_pace and deciding:
            self.pace = self.usual_pace
            self.changed = True
        self.facts.pace = self.pace
        self.wait_times.start_waiting(deciding, self.facts.turns, now)
        self.bots.ask_pending(now, self.auto)

    def set_timer(self) -> None:
        """Set the timer for the next deadline, choice of a bot, or retry."""
        if self.timer:
            self.timer.cancel()
        now = self.services.clock()
        times = self.wait_times.deadlines(self.waited_for())
        if self.bots and (bots_time := self.bots.next_due()) is not None:
            times.append(bots_time)
        if self.retry_at > now:
            times.append(self.retry_at)
        self.timer = None
        if times and not self.closing:
            wait = max(0.0, min(times) - now)
            self.timer = asyncio.get_running_loop().call_later(wait, self.post, self.on_time)

    def waited_for(self) -> set[int]:
        """The seats of people who are to choose while others wait; seats with a caretaker are left out."""
        if self.session is None:
            return set()
        present = {seat for seat in self.people if self.facts.present[seat]}
        waiting = self.session.people.intersection(self.session.table.waiting)
        return {seat for seat in waiting if present - {seat}}

    async def on_time(self) -> None:
        """Carry out everything that is due: retries, caretakers, and bots' choices."""
        now = self.services.clock()
        if self.retry_at and now >= self.retry_at:
            self.retry_at, self.facts.paused, self.changed = 0.0, "", True
        if self.session is None or self.bots is None:
            return
        for seat in self.wait_times.overdue(self.waited_for(), now):
            await self.save(Noted("caretaker", seat))
        if (choice := self.bots.take_due(now)) is not None:
            seat, action = choice
            sentence = self.session.table.why_not(seat, action)
            await self.save(Failed(seat, "illegal", sentence) if sentence else Chose(seat, action))

    async def player_failed(self, seat: int, error: Exception) -> None:
        """Handle the failure of a computer player or a file: a forfeit, or a pause if the machine is at fault."""
        if isinstance(error, PlayerError) and not self.facts.caretakers[seat]:
            await self.save(Failed(seat, error.kind, error.sentence))
        else:
            log.error("table %s: no answer for seat %d: %s", self.stored.id, seat, error)
            by_machine = isinstance(error, MachineError)
            self.pause(str(error) if by_machine else "A player doesn't answer. Trying again.")

    async def call(self, act: Callable[[], Awaitable[T]]) -> T:
        """Have this table's task call a function, and return its result; raises what the function raises."""
        if self.closed:
            raise MachineError("The table is closing. Try again in a moment.")
        answer: asyncio.Future[T] = asyncio.get_running_loop().create_future()

        async def run() -> None:
            try:
                result = await act()
            except Exception as error:
                if not answer.done():
                    answer.set_exception(error)
            else:
                if not answer.done():
                    answer.set_result(result)

        self.post(run)
        return await answer
