"""If two games differ only in what a seat cannot know, the seat is sent the same bytes."""

from __future__ import annotations

import asyncio
from collections import Counter
from itertools import islice
from random import Random
from types import SimpleNamespace

import msgspec
import pytest

from kibitz.engine.registry import all_games, game
from kibitz.engine.views.events import SPECTATOR
from kibitz.remote import messages as wire
from kibitz.web.live_tables import live_session
from kibitz.web.live_tables.connection import Connection, Person
from kibitz.web.live_tables.requests import answer
from kibitz.web.live_tables.table_task import TableTask
from kibitz.web.store.tables import Chose, StoredTable
from tests.tiers import tiered

ENOUGH = 4
"""The number of differing states that makes a test meaningful."""


def table_task(found, seed=1):
    """A table of people, without a server."""
    services = SimpleNamespace(
        clock=lambda: 0.0, now=lambda: 0.0, base="", search_pool=None, files=None, counts=Counter()
    )
    seats = live_session.with_distinct_names(
        [live_session.person_seat(f"g_{seat}", f"P{seat}") for seat in range(found.seats)]
    )
    kept = StoredTable(
        "t", found.name, found.rules.VERSION, seed, "g_0", seats, wire.Settings(auto=True), "playing", "", 0.0
    )
    task = TableTask(kept, services)
    task.begin()
    return task


def messages(task, seat):
    """All bytes that a seat is sent in this position, including refusals and reasons."""
    line = Connection(Person(f"g_{seat}", "P"), seat, wants_view=True)
    line.send(task.hello(line))
    task.send_events(line)
    line.send(wire.encoded(task.state(seat, view=True)))
    keys = sorted(task.session.table.game.scene(task.session.table.view(seat), task.session.table.names).labels)
    requests = [wire.AskWhyNot("w", key) for key in keys[:6]] + [wire.Act("a", -1)]
    if seat not in task.session.table.waiting:
        requests.append(wire.Act("b", 0))

    async def ask():
        for request in requests:
            line.send(await answer(task, line, request))

    asyncio.run(ask())
    return [line.queue.get_nowait() for _ in range(line.queue.qsize())]


def positions(found, seed, most):
    """Table tasks at some positions of a random game."""
    random = Random(f"{found.name} {seed}")
    task = table_task(found, seed)
    table = task.session.table
    for number in range(most):
        yield number, task
        if table.over:
            return
        for _ in range(random.randrange(1, 8)):
            if not table.over:
                seat = random.choice(table.waiting)
                task.apply(Chose(seat, random.choice(table.legal(seat))))


def other_states(task, seat, random):
    """States of a seat's information set."""
    table = task.session.table
    return islice(table.game.infoset_states.determinizations(table.state(), seat, random), 0, 9, 8)


def count_differing(found, seed=1, most=10):
    """The number of compared states that differ from the real one; AssertionError if a seat could tell."""
    random, key, looked = Random(found.name), found.infoset_states.key, 0
    for number, task in positions(found, seed, most):
        table = task.session.table
        truth = table.state()
        if table.over:
            return looked  # the seed is revealed with the result: from then on all hands are open
        for seat in {SPECTATOR, number % found.seats, *table.waiting[:1]}:
            seen = messages(task, seat)
            for other in other_states(task, seat, random):
                looked += key(other) != key(truth)
                table._state = other.copy()
                try:
                    assert messages(task, seat) == seen, f"{found.name}: seat {seat} can tell after {table.step} steps"
                finally:
                    table._state = truth.copy()
    return looked


@pytest.mark.parametrize("found", tiered(all_games()))
def test_hidden_information_changes_no_byte_sent_to_a_seat(found):
    assert count_differing(found) + count_differing(found, 2, 4) >= ENOUGH


def test_whole_games_look_the_same_until_views_differ():
    """Every seed is a real game; games with the same views for seat 0 must have sent it the same bytes."""
    found, sent, equal = game("leduc"), {}, 0
    for seed in range(40):
        task = table_task(found, seed)
        task.stored = msgspec.structs.replace(task.stored, seed=0)
        views = []
        while not task.session.table.over:
            table = task.session.table
            views.append(msgspec.json.encode(table.view(0)))
            known, stream = tuple(views), messages(task, 0)
            equal += known in sent
            assert sent.setdefault(known, stream) == stream
            task.apply(Chose(table.waiting[0], table.legal()[0]))
    assert equal > 20
