"""The host of a table: the one task that owns it.

    inbox       what is to be done at this table, one after the other: requests, lines that come and go, answers
    saved       written into the journal; nothing is acknowledged, and nobody is told, before that
    grace       seconds after which a caretaker plays for somebody who is away, where others wait
    idle        seconds after which one may be called for somebody who is there and does nothing

The journal is the game: a host that is made again from it, after whatever has ended the server, goes on where the last
acknowledged action was.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from msgspec.structs import replace

from kibitz.engine.record import commitment
from kibitz.engine.registry import game as find_game
from kibitz.engine.registry import parse_options
from kibitz.engine.scene import Picking
from kibitz.engine.settings import described
from kibitz.errors import KibitzError, MachineError, NotationError, PlayerError, RuleError, SeatError
from kibitz.web import chairs as seating
from kibitz.web import showing, wire
from kibitz.web.clocks import Clocks
from kibitz.web.lines import Line, Person
from kibitz.web.movers import Movers
from kibitz.web.phrases import PHRASES, said
from kibitz.web.sitting import Sitting
from kibitz.web.store import games, tables
from kibitz.web.store.entries import AnyEntry, Chair, Chose, Failed, Kept, Noted, TakenBack
from kibitz.web.store.keeping import Keeper
from kibitz.web.thinking import Thinker, decision_seed

log = logging.getLogger("kibitz.web")

GRACE, IDLE, AGAIN = 45.0, 120.0, 5.0
"""Seconds; ``AGAIN`` until something is tried again that this machine could not do."""
FAULT = "This is a fault in Kibitz, and nothing has changed: please report it."

Act = Callable[[], Awaitable[None]]
Rematch = Callable[["Host", Person], Awaitable[str]]
Files = Callable[[Sitting, int], Awaitable[int]]


class Services:
    """What hosts share: the store, the thinkers, ways to files and to another table; and the time.

    clock   for whatever is waited for; ``now`` is the moment for people
    """

    def __init__(self, keeper: Keeper, thinker: Thinker, base: str, rematch: Rematch, files: Files) -> None:
        self.keeper, self.thinker, self.base, self.rematch, self.files = keeper, thinker, base, rematch, files
        self.clock: Callable[[], float] = time.monotonic
        self.now: Callable[[], float] = time.time
        self.counts = Counter[str]()


class Host:
    """One table, from the first chair to the last look at it; ``run`` is its task.

    kept        the table as the store keeps it
    sitting     the game, None while chairs are open
    lines       who is connected
    """

    def __init__(self, kept: Kept, services: Services) -> None:
        self.kept, self.services = kept, services
        self.game = find_game(kept.game)
        self.sitting: Sitting | None = None
        self.movers: Movers | None = None
        self.lines: list[Line] = []
        self.waiting_room = showing.About(
            0, [0] * self.game.seats, [False] * self.game.seats, [False] * self.game.seats
        )
        self.auto = [kept.settings.auto] * self.game.seats
        self.clocks = Clocks(kept.settings.bank, kept.settings.topup, self.game.seats)
        self.away: dict[int, float] = {}
        self.asked_at: dict[int, tuple[int, float]] = {}
        self.pace = self.slower = kept.settings.pace
        self.inbox: asyncio.Queue[Act | None] = asyncio.Queue()
        self.timer: asyncio.TimerHandle | None = None
        self.again = 0.0
        self.quiet_since = services.clock()
        self.changed = False

    # ---------------------------------------------------------------- beginning, going on, ending

    def begin(self, entries: Sequence[AnyEntry] = ()) -> None:
        """Deal, and live through what has happened already."""
        self.sitting = Sitting(self.game, self.kept.seed, self.kept.chairs)
        about = self.sitting.about
        about.present, about.pace = self.waiting_room.present, self.pace
        about.hints, about.open_hands = self.kept.settings.hints, self.kept.settings.open_hands
        for entry in entries:
            self.sitting.apply(entry)
        sitting, services = self.sitting, self.services
        self.movers = Movers(
            sitting, services.thinker, self.post, self.player_failed, lambda seat: services.files(sitting, seat)
        )

    @property
    def about(self) -> showing.About:
        """What everybody may know besides the game."""
        return self.sitting.about if self.sitting else self.waiting_room

    def post(self, act: Act) -> None:
        """Have something done, after all that is waiting."""
        self.inbox.put_nowait(act)

    async def run(self) -> None:
        """Do what is in the inbox, one after the other, until the host is closed."""
        self.post(self.on_time)
        while (act := await self.inbox.get()) is not None:
            try:
                await act()
            except KibitzError as error:
                self.pause(str(error))
            except Exception:
                log.exception("table %s: something failed that should not", self.kept.id)
                self.pause("Something has failed here; it is tried again.")
            if self.inbox.empty() or self.changed:
                self.broadcast()
            self.set_timer()

    def close(self, why: str) -> None:
        """Let everybody go; what is in the inbox is still done."""
        for line in self.lines:
            line.end(why)
        if self.movers:
            self.movers.close()
        if self.timer:
            self.timer.cancel()
        self.inbox.put_nowait(None)

    def pause(self, why: str) -> None:
        """Say why nothing goes on, and try again in a while."""
        self.about.paused, self.changed = why, True
        self.again = self.services.clock() + AGAIN
        if self.movers:
            self.movers.close()

    async def save(self, *entries: AnyEntry) -> None:
        """Write entries into the journal, and then let them happen; nothing has happened if that fails."""
        sitting = self.sitting
        assert sitting is not None
        id, number, now = self.kept.id, sitting.number, self.services.now()
        await self.services.keeper.write(lambda connection: tables.append(connection, id, number, entries, now))
        self.services.counts["entries"] += len(entries)
        before = {line.seat: list(sitting.log.lines(line.seat)) for line in self.lines}
        for entry in entries:
            sitting.apply(entry)
        if any(isinstance(entry, TakenBack) for entry in entries):
            self.void(before)
        self.changed = True
        if sitting.table.over and self.kept.stands != "finished":
            await self.finish()

    def void(self, before: dict[int, list[wire.Told]]) -> None:
        """After a choice is taken back: what everybody has been told is void from where it differs."""
        assert self.sitting is not None
        for line in self.lines:
            now = self.sitting.log.lines(line.seat)
            same = 0
            for old, new in zip(before[line.seat], now, strict=False):
                if old != new:
                    break
                same += 1
            line.told, line.epoch = min(line.told, same), -2

    async def finish(self) -> None:
        """Keep the game as a finished one."""
        assert self.sitting is not None
        finished = self.sitting.finished(self.kept, self.services.now())
        await self.services.keeper.write(lambda connection: games.keep_game(connection, finished))
        self.kept = replace(self.kept, stands="finished")

    # ---------------------------------------------------------------- lines

    async def join(self, line: Line) -> None:
        """Somebody connects."""
        self.lines.append(line)
        line.send(self.hello(line))
        if line.seat >= 0:
            self.away.pop(line.seat, None)
            self.about.present[line.seat] = True
            if self.about.caretakers[line.seat]:
                await self.save(Noted("back", line.seat))
        self.changed = True
        self.about.paused = ""

    async def part(self, line: Line) -> None:
        """Somebody's connection is gone."""
        if line in self.lines:
            self.lines.remove(line)
        if line.seat >= 0 and not any(other.seat == line.seat for other in self.lines):
            self.about.present[line.seat] = False
            self.away[line.seat] = self.services.clock()
        self.quiet_since = self.services.clock()
        self.changed = True

    def hello(self, line: Line) -> wire.Hello:
        """What does not change, for one line."""
        kept, game = self.kept, self.game
        name, _, chosen = game.name.partition(":")
        options = described(game.words.OPTIONS, parse_options(chosen)) if chosen else []
        mine = line.person.id == kept.maker
        return wire.Hello(
            table=kept.id,
            game=game.name,
            family=name.partition("-")[0],
            title=game.title,
            options=tuple(options),
            seat=line.seat,
            names=tuple(chair.name for chair in kept.chairs),
            commitment=commitment(kept.seed),
            rules=kept.rules,
            chairs=seating.shown(game, kept.chairs),
            settings=kept.settings,
            mine=mine,
            started=self.sitting is not None,
            invitations=self.invitations() if mine else (),
            phrases=PHRASES,
        )

    def invitations(self) -> tuple[wire.Invitation, ...]:
        """The paths that lead to chairs that are open."""
        place = f"{self.services.base}/tables/{self.kept.id}"
        return tuple(
            wire.Invitation(seat, f"{place}?invite={chair.invite}")
            for seat, chair in enumerate(self.kept.chairs)
            if chair.kind == "open"
        )

    def broadcast(self) -> None:
        """Tell every line what is new for it."""
        self.arrange()
        if not self.changed:
            return
        self.changed = False
        self.about.clocks = self.clocks.shown(self.services.clock())
        made: dict[tuple[int, bool], bytes] = {}
        for line in list(self.lines):
            if self.sitting is not None:
                self.tell_events(line)
            key = line.seat, line.view
            if key not in made:
                made[key] = wire.encoded(self.state(line.seat, view=line.view))
            line.send(made[key])

    def tell_events(self, line: Line) -> None:
        """The lines of the log that are new to a line."""
        assert self.sitting is not None
        log, epoch = self.sitting.log.lines(line.seat), self.about.epoch
        if line.epoch not in (epoch, -2) or line.told > len(log):
            line.told = 0
        if line.told < len(log) or line.epoch != epoch:
            line.send(wire.Events(epoch, line.told, tuple(log[line.told :])))
        line.epoch, line.told = epoch, len(log)

    def state(self, seat: int, *, view: bool = False) -> wire.State:
        """How the table stands, for one seat."""
        sitting = self.sitting
        if sitting is None:
            return showing.before_the_deal(self.game, self.about)
        return showing.state_for(
            sitting.table,
            seat,
            sitting.about,
            len(sitting.log.lines(seat)),
            sitting.result(self.kept.id, self.services.base),
            view=view,
            undo=sitting.may_take_back(seat),
            auto=seat >= 0 and self.auto[seat],
        )

    # ---------------------------------------------------------------- time

    @property
    def people(self) -> set[int]:
        """The seats of people."""
        return {seat for seat, chair in enumerate(self.kept.chairs) if chair.kind == "person"}

    def arrange(self) -> None:
        """Have those choose who are no people, and let the clocks of people run."""
        sitting, now = self.sitting, self.services.clock()
        if sitting is None or self.movers is None or now < self.again:
            return
        self.about.paused = "" if self.people or self.lines else "Nobody looks on."
        if self.about.paused:
            self.movers.close()
            return
        own = {seat for seat in sitting.table.waiting if seat in self.people and not self.about.caretakers[seat]}
        if self.pace == "skip" != self.slower and own:
            self.pace = self.slower
            self.changed = True
        self.about.pace = self.pace
        for seat in own:
            if self.asked_at.get(seat, (-1, 0.0))[0] != self.about.turns[seat]:
                self.asked_at[seat] = self.about.turns[seat], now
        self.clocks.run(own, now)
        self.movers.arrange(now, self.auto)

    def set_timer(self) -> None:
        """Come back when something is due."""
        if self.timer:
            self.timer.cancel()
        now = self.services.clock()
        dues = [*self.clocks.ends().values()]
        if self.movers and (due := self.movers.due()) is not None:
            dues.append(due)
        if self.again > now:
            dues.append(self.again)
        dues += [since + GRACE for seat, since in self.away.items() if self.waits_for(seat)]
        self.timer = None
        if dues:
            wait = max(0.0, min(dues) - now)
            self.timer = asyncio.get_running_loop().call_later(wait, self.inbox.put_nowait, self.on_time)

    def waits_for(self, seat: int) -> bool:
        """Whether others wait for a person to choose, who does it without a caretaker."""
        if self.sitting is None or seat not in self.sitting.table.waiting or self.about.caretakers[seat]:
            return False
        return seat in self.people and any(self.about.present[other] for other in self.people - {seat})

    async def on_time(self) -> None:
        """Carry out what is due."""
        now = self.services.clock()
        if self.again and now >= self.again:
            self.again, self.about.paused, self.changed = 0.0, "", True
        if self.sitting is None or self.movers is None:
            return
        for seat, end in self.clocks.ends().items():
            if now >= end and not self.about.caretakers[seat]:
                await self.save(Noted("caretaker", seat))
        for seat, since in list(self.away.items()):
            if now >= since + GRACE and self.waits_for(seat):
                await self.save(Noted("caretaker", seat))
        if (chosen := self.movers.take_due(now)) is not None:
            seat, action = chosen
            sentence = self.sitting.table.why_not(seat, action)
            await self.save(Failed(seat, "illegal", sentence) if sentence else Chose(seat, action))

    async def player_failed(self, seat: int, error: Exception) -> None:
        """A computer player or a file has given no answer."""
        if isinstance(error, PlayerError) and not self.about.caretakers[seat]:
            await self.save(Failed(seat, error.kind, error.sentence))
        else:
            log.error("table %s: no answer for seat %d: %s", self.kept.id, seat, error)
            self.pause(
                str(error) if isinstance(error, MachineError) else "A player cannot be asked; it is tried again."
            )

    # ---------------------------------------------------------------- requests

    async def ask(self, line: Line, request: wire.AnyRequest) -> wire.Message:
        """Have a request carried out, and get its answer."""
        answer: asyncio.Future[wire.Message] = asyncio.get_running_loop().create_future()

        async def act() -> None:
            found = await self.answer(line, request)
            if line in self.lines:
                line.send(found)
            if not answer.done():
                answer.set_result(found)

        self.post(act)
        return await answer

    async def answer(self, line: Line, request: wire.AnyRequest) -> wire.Message:
        """The answer to a request; one that was made before is answered again, and nothing happens."""
        self.services.counts["requests"] += 1
        known = self.sitting.answers.get((line.person.id, request.id)) if self.sitting else None
        if known is not None:
            return known
        try:
            found = await self.carry_out(line, request)
        except KibitzError as error:
            return wire.Refused(request.id, str(error))
        except Exception:
            log.exception("table %s: a request failed that should not", self.kept.id)
            return wire.Refused(request.id, FAULT)
        if self.sitting is not None and not isinstance(request, wire.AskWhyNot | wire.Ping):
            self.sitting.remember(line.person.id, request.id, found)
        return found

    async def carry_out(self, line: Line, request: wire.AnyRequest) -> wire.Message:
        """Do what is asked; KibitzError with the reason if it cannot be."""
        match request:
            case wire.Ping():
                return wire.Pong(request.id)
            case wire.Say():
                self.say(line, request)
            case wire.Mute():
                (line.muted.add if request.on else line.muted.discard)(request.seat)
            case wire.AskRematch():
                await self.rematch(line)
            case wire.AskWhyNot():
                return await self.why_not(line, request)
            case wire.AskHint():
                return await self.hint(line, request)
            case _:
                await self.move(line, request)
        return wire.Done(request.id)

    async def move(self, line: Line, request: wire.AnyRequest) -> None:
        """What only somebody with a seat may ask."""
        sitting, seat = self.seated(line)
        match request:
            case wire.Act():
                await self.act(line, request)
            case wire.Undo():
                step = await asyncio.to_thread(sitting.taken_back_to, seat)
                await self.save(TakenBack(seat, step, line.person.id, request.id))
            case wire.SetPace():
                if len(self.people) > 1:
                    raise RuleError("Several people sit here, and the pace is the same for all: it stays as it is.")
                self.pace, self.changed = request.pace, True
                self.slower = self.slower if request.pace == "skip" else request.pace
                if self.movers and request.pace == "skip":
                    self.movers.hurry()
            case wire.SetAuto():
                self.auto[seat], self.changed = request.on, True
                if self.movers and seat in self.movers.asked and self.kept.chairs[seat].kind == "person":
                    self.movers.forget(seat)
            case wire.CallCaretaker():
                await self.call_caretaker(request.seat)
            case wire.Retake():
                if self.about.caretakers[seat]:
                    await self.save(Noted("back", seat))
            case wire.Leave():
                if not self.about.caretakers[seat]:
                    await self.save(Noted("caretaker", seat))

    def seated(self, line: Line) -> tuple[Sitting, int]:
        """The game and the seat of a line; SeatError if it has none, RuleError if the game has not begun."""
        if line.seat < 0:
            raise SeatError("You look on here, and have no seat: only those who have one can do this.")
        if self.sitting is None:
            raise RuleError("The game has not begun: somebody is still to sit down.")
        return self.sitting, line.seat

    async def act(self, line: Line, request: wire.Act) -> None:
        """A person chooses."""
        sitting, seat = self.seated(line)
        turn = self.about.turns[seat]
        if request.turn is not None and request.turn != turn:
            raise RuleError("That choice has been made already: look at the table again.")
        action = request.action
        if (action is None) == (request.text is None):
            raise NotationError("Give either an 'action', as a number, or its 'text'.")
        if request.text is not None:
            sitting.table.legal(seat)
            action = self.game.parse(sitting.table.view(seat), request.text)
        assert action is not None
        if sentence := sitting.table.why_not(seat, min(action, self.game.actions)):
            raise RuleError(sentence)
        back = [Noted("back", seat)] if self.about.caretakers[seat] else []
        await self.save(*back, Chose(seat, action, line.person.id, request.id))

    async def why_not(self, line: Line, request: wire.AskWhyNot) -> wire.WhyNot:
        """Why something on the table cannot be taken."""
        sitting, seat = self.seated(line)
        table = sitting.table
        picking = Picking(self.game, table.view(seat), table.legal(seat), table.names)
        for key in request.taken:
            picking.take(key)
        return wire.WhyNot(request.id, request.key, picking.why_not(request.key))

    async def hint(self, line: Line, request: wire.AskHint) -> wire.Hint:
        """What a strong player would do; that somebody has asked is told to all."""
        sitting, seat = self.seated(line)
        if not self.kept.settings.hints:
            raise RuleError("There are no hints at this table: it was made without.")
        table = sitting.table
        legal, view = table.legal(seat), table.view(seat)
        seed = decision_seed(self.kept.seed, seat, table.step)
        found = await self.services.thinker.advise(self.game.name, view, legal, seed)
        if not sitting.hinted:
            await self.save(Noted("hint", seat))
        choices = showing.Choices(table, seat, view, legal)
        parts = next(choice.parts for choice in choices.choices if choice.action == found.action)
        label = " ".join(self.game.words.label(view, found.action).split())
        return wire.Hint(request.id, found.action, parts, label, found.judge, found.reason)

    async def call_caretaker(self, seat: int) -> None:
        """Have a caretaker play for somebody who keeps others waiting."""
        now = self.services.clock()
        if seat not in self.people:
            raise SeatError("No person sits there.")
        if not self.waits_for(seat):
            raise RuleError("Nobody has to wait for them.")
        away, (_, asked) = self.away.get(seat), self.asked_at.get(seat, (0, now))
        left = away + GRACE - now if away is not None else asked + IDLE - now
        if left > 0:
            raise RuleError(f"Give them {round(left) or 1} more seconds.")
        await self.save(Noted("caretaker", seat))

    def say(self, line: Line, request: wire.Say) -> None:
        """Pass on what somebody says, to all who have not muted them."""
        message = wire.Chat(line.person.name, line.seat, said(request, free=line.seat >= 0), self.services.now())
        if line.seat >= 0:
            message = replace(message, name=self.kept.chairs[line.seat].name)
        for other in self.lines:
            if line.seat not in other.muted:
                other.send(message)

    async def rematch(self, line: Line) -> None:
        """The same people once more, at another table."""
        sitting, seat = self.seated(line)
        if not sitting.table.over:
            raise RuleError("The game is not over yet.")
        table = await self.services.rematch(self, line.person)
        by = self.kept.chairs[seat].name
        for other in self.lines:
            other.send(wire.Rematch(table, f"{self.services.base}/tables/{table}", by))

    # ---------------------------------------------------------------- chairs

    async def sit(self, person: Person, invite: str, name: str) -> int:
        """Somebody sits down on an open chair; the seat.  KibitzError if the code leads to none."""
        chairs = list(self.kept.chairs)
        for seat, chair in enumerate(chairs):
            if chair.person == person.id:
                return seat
        seat = next((p for p, chair in enumerate(chairs) if chair.kind == "open" and chair.invite == invite), -1)
        if seat < 0:
            raise SeatError("This invitation leads to no open seat: ask for a new one, or look on.")
        chairs[seat] = seating.person(person.id, name)
        await self.reseat(chairs)
        return seat

    async def fill(self, person: Person) -> None:
        """Computer players take the seats that are still open."""
        if person.id != self.kept.maker:
            raise SeatError("Only who has made the table can give its open seats to computer players.")
        if self.sitting is not None:
            raise RuleError("Nobody is still to sit down here.")
        await self.reseat(
            [seating.computer(self.game) if chair.kind == "open" else chair for chair in self.kept.chairs]
        )

    async def reseat(self, chairs: Sequence[Chair]) -> None:
        """Change who sits where before the deal, and deal once nobody is missing."""
        full = all(chair.kind != "open" for chair in chairs)
        kept = replace(self.kept, chairs=seating.named(chairs), stands="playing" if full else "gathering")
        await self.services.keeper.write(
            lambda connection: tables.change_table(
                connection, kept.id, stands=kept.stands, chairs=kept.chairs, rematch=kept.rematch
            )
        )
        self.kept = kept
        if full:
            self.begin()
        seats = {chair.person: seat for seat, chair in enumerate(kept.chairs) if chair.person}
        for line in self.lines:
            line.seat = seats.get(line.person.id, -1)
            line.send(self.hello(line))
        self.about.present = [any(line.seat == p for line in self.lines) for p in range(self.game.seats)]
        self.changed = True

    async def done(self, act: Callable[[], Awaitable[Any]]) -> Any:
        """Have something done by this host's task, and get what it gives or raises."""
        answer: asyncio.Future[Any] = asyncio.get_running_loop().create_future()

        async def settle() -> None:
            try:
                result = await act()
            except Exception as error:
                if not answer.done():
                    answer.set_exception(error)
            else:
                if not answer.done():
                    answer.set_result(result)

        self.post(settle)
        return await answer
