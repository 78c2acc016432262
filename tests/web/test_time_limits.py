"""Absent people, clocks and closed tables, with a clock that the test sets."""

from __future__ import annotations

import asyncio
import json

import pytest

from kibitz.errors import StoreError
from kibitz.remote import messages as wire
from kibitz.web.live_tables import requests
from kibitz.web.live_tables.bots import PlayerFiles
from kibitz.web.live_tables.connection import Connection, Person
from kibitz.web.live_tables.live_session import GRACE, IDLE, READING
from kibitz.web.live_tables.lobby import Lobby
from kibitz.web.store.server_store import open_store
from tests.web.serving import ThreadSearchPool

ANN, BEN = Person("g_ann", "Ann"), Person("g_ben", "Ben")


class ManualClock:
    """A clock that stands still until it is moved."""

    def __init__(self):
        self.now = 1000.0

    def __call__(self):
        return self.now


def at_a_table(game="kuhn", **settings):
    """Make a test of ``scene(lobby, task, ann, ben, turn)``, which is run once Ann and Ben sit at a table."""

    async def whole(folder, scene):
        lobby = Lobby(open_store(folder / "server.sqlite"), ThreadSearchPool(), PlayerFiles())
        clock = lobby.services.clock = ManualClock()
        asked = wire.TableRequest(
            game,
            seats=(wire.SeatRequest("me"), wire.SeatRequest("open")),
            settings=wire.Settings(pace="skip", auto=False, **settings),
        )
        task = await lobby.make(asked, ANN)
        await task.call(lambda: requests.sit(task, BEN, task.stored.seats[1].invite, "Ben"))
        lines = [Connection(person, lobby.seat_of(task, person)) for person in (ANN, BEN)]
        for line in lines:
            await task.call(lambda line=line: task.join(line))

        async def turn(seconds):
            clock.now += seconds
            task.post(task.on_time)
            await wait_until_idle(task)

        try:
            return await scene(lobby, task, *lines, turn)
        finally:
            await lobby.close()
            lobby.server_store.close()

    def as_test(scene):
        def test(tmp_path):
            asyncio.run(whole(tmp_path, scene))

        return test

    return as_test


async def wait_until_idle(task):
    """Wait until the table's task is idle."""
    for _ in range(3):
        await task.call(nothing)
        await asyncio.sleep(0.02)


async def nothing():
    return None


def messages_of(line):
    """All messages of a connection."""
    found = []
    while not line.queue.empty():
        found.append(json.loads(line.queue.get_nowait() or b"null"))
    return found


@at_a_table()
async def test_a_caretaker_plays_only_after_the_grace_period(lobby, task, ann, ben, turn):
    await task.call(lambda: task.disconnect(ann))
    await turn(GRACE - 1)
    assert task.facts.caretakers == [False, False]
    await turn(2)
    assert task.facts.caretakers == [True, False]
    told = [line["note"] for m in messages_of(ben) if m["type"] == "events" for line in m["events"]]
    assert "caretaker" in told
    back = Connection(ANN, 0)
    await task.call(lambda: task.join(back))
    assert task.facts.caretakers == [False, False]


@at_a_table()
async def test_absent_players_are_not_replaced_while_nobody_waits(lobby, task, ann, ben, turn):
    await task.call(lambda: task.disconnect(ann))
    await task.call(lambda: task.disconnect(ben))
    await turn(10 * GRACE)
    assert task.facts.caretakers == [False, False]


@at_a_table()
async def test_a_caretaker_can_be_called_for_an_idle_player(lobby, task, ann, ben, turn):
    early = await requests.ask(task, ben, wire.CallCaretaker("1", 0))
    assert isinstance(early, wire.Refused)
    assert "more seconds" in early.sentence
    await turn(IDLE + 1)
    assert isinstance(await requests.ask(task, ben, wire.CallCaretaker("2", 0)), wire.Done)
    assert task.facts.caretakers[0]
    assert isinstance(await requests.ask(task, ben, wire.CallCaretaker("3", 1)), wire.Refused)


@at_a_table("leduc", bank=10, topup=2)
async def test_a_caretaker_chooses_when_a_clock_runs_out(lobby, task, ann, ben, turn):
    assert task.state(0).clocks[0] == wire.Clock(0, 10.0, True) or task.wait_times.clocks.since
    await turn(4)
    shown = task.wait_times.clocks.shown(task.services.clock())
    assert (shown[0].bank, shown[0].running, shown[1].running) == (6.0, True, False)
    await turn(7)
    assert task.facts.caretakers[0]


@at_a_table("leduc", bank=10, topup=2)
async def test_a_late_choice_is_refused_unless_it_is_the_caretakers(lobby, task, ann, ben, turn):
    legal = task.session.table.legal(0)
    await turn(11)
    for _ in range(500):
        if task.facts.turns[0]:
            break
        await asyncio.sleep(0.02)
        await wait_until_idle(task)
    made = task.session.turns[0][0].action
    late = await requests.ask(task, ann, wire.Act("1", next(a for a in legal if a != made), turn=0))
    assert isinstance(late, wire.Refused)
    assert "made for you in the meantime" in late.sentence
    assert isinstance(await requests.ask(task, ann, wire.Act("2", made, turn=0)), wire.Done)
    early = await requests.ask(task, ann, wire.Act("3", made, turn=5))
    assert isinstance(early, wire.Refused)
    assert "That turn hasn't come yet" in early.sentence
    assert task.facts.turns == [1, 0]


@at_a_table("huxxy:players=2")
async def test_a_forced_action_waits_while_undo_is_possible(lobby, task, ann, ben, turn):
    """Six cards that form no group leave only conceding: nobody should lose by an automatic action."""
    task.auto = [True] * task.game.seats
    table = task.session.table
    for number in range(20):
        if len(legal := table.legal(0)) == 1:
            break
        putting = [a for a in legal if task.game.text(table.view(0), a).endswith((">new", ">1"))]
        await requests.ask(task, ann, wire.Act(str(number), putting[0]))
        await wait_until_idle(task)
    assert task.game.text(table.view(0), table.legal(0)[0]) == "concede"
    await turn(60)
    assert not task.bots.ready
    assert not table.over
    state = task.state(0)
    assert (state.forced, state.undo) == (False, True)
    assert isinstance(await requests.ask(task, ann, wire.Undo("back")), wire.Done)
    assert len(table.legal(0)) > 1


@at_a_table("leduc", bank=10, topup=2)
async def test_a_choice_adds_time_up_to_the_initial_clock(lobby, task, ann, ben, turn):
    await turn(5)
    await requests.ask(task, ann, wire.Act("1", task.session.table.legal(0)[0]))
    await wait_until_idle(task)
    assert task.wait_times.clocks.left[0] == pytest.approx(7)
    await requests.ask(task, ben, wire.Act("1", task.session.table.legal(1)[-1]))
    await wait_until_idle(task)
    assert task.wait_times.clocks.left[1] == pytest.approx(10)


@at_a_table("leduc:hands=3", bank=10, topup=2)
async def test_clocks_stop_while_people_read_a_summary(lobby, task, ann, ben, turn):
    table = task.session.table
    for number in range(20):
        (seat,) = table.waiting
        await requests.ask(task, (ann, ben)[seat], wire.Act(str(number), table.legal(seat)[0]))
        await wait_until_idle(task)
        if any(line.summary for line in task.session.log.lines(0)):
            break
    (seat,) = table.waiting
    before = task.wait_times.clocks.left[seat]
    await turn(READING - 1)
    assert task.wait_times.clocks.shown(task.services.clock())[seat].bank == before
    await turn(before)
    assert not task.facts.caretakers[seat]
    await turn(2)
    assert task.facts.caretakers[seat]


@at_a_table()
async def test_a_closed_table_is_restored_unchanged(lobby, task, ann, ben, turn):
    await requests.ask(task, ann, wire.Act("once", task.session.table.legal(0)[0]))
    before = task.state(1)
    away = asyncio.create_task(lobby.close_table(task.stored.id))
    await asyncio.sleep(0)
    again = await lobby.find(task.stored.id)
    await away
    assert again is not task
    assert lobby.table_tasks[task.stored.id] is again
    assert task.closed
    after = again.state(1)
    assert (after.legal, after.scene, after.turn, after.events) == (
        before.legal,
        before.scene,
        before.turn,
        before.events,
    )
    known = await requests.ask(again, Connection(ANN, 0), wire.Act("once", 0))
    assert isinstance(known, wire.Done)


@at_a_table()
async def test_a_choice_that_cannot_be_saved_is_refused(lobby, task, ann, ben, turn):
    async def full(act):
        raise StoreError("full", "the store can't be written: the disk is full.")

    before = task.state(0)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lobby.server_store, "write", full)
        answer = await requests.ask(task, ann, wire.Act("1", task.session.table.legal(0)[0]))
    assert "disk is full" in answer.sentence
    assert task.state(0).legal == before.legal
    assert isinstance(await requests.ask(task, ann, wire.Act("1", task.session.table.legal(0)[0])), wire.Done)


@at_a_table()
async def test_a_slow_connection_is_cut_and_blocks_nobody(lobby, task, ann, ben, turn):
    for number in range(600):
        await requests.ask(task, ann, wire.SetAuto(f"s{number}", on=bool(number % 2)))
        while not ann.queue.empty():
            ann.queue.get_nowait()
    assert ben.why_cut
    assert not ann.why_cut
