"""The store against a small model, through random calls of runners, with connections that break.

luck    well: the transaction succeeds; before: the connection breaks before the commit; after: it breaks after the
        commit, which the store can't know.  The store retries, and must be right in all three cases.
"""

from dataclasses import dataclass, field
from itertools import count

import hypothesis.strategies as st
import pytest
from hypothesis import settings
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from sqlalchemy.exc import OperationalError

from kibitz.arena.store import open_store
from kibitz.arena.store.playing import FIRST_DELAY, MAX_DELAY, MAX_VOIDS
from kibitz.database.transactions import Database
from tests.arena.store.field import Clock, entered, played

LUCK = st.sampled_from(["well", "well", "well", "before", "after"])
HOLDERS = st.sampled_from(["ann", "bob"])
LEASE = 60.0
names = count()


class Unlucky(Database):
    """A database whose next transaction may lose its connection."""

    luck = "well"

    def transact_once(self, work, *, writing):
        luck, self.luck = self.luck, "well"
        if luck == "before":
            with self.engine.connect() as connection:
                work(connection)
                connection.rollback()
        elif luck == "after":
            super().transact_once(work, writing=writing)
        if luck != "well":
            raise OperationalError("", {}, LostError(), connection_invalidated=True)
        return super().transact_once(work, writing=writing)


class LostError(Exception):
    """What a database driver raises when its connection is lost."""


@dataclass
class ModelBlock:
    """A block of the model."""

    state: str = "queued"
    holder: str = ""
    expires: float = 0.0
    voids: int = 0
    rests_until: float = 0.0

    def free(self, now):
        """Whether it can be claimed."""
        return (self.state == "queued" and self.rests_until <= now) or (self.state == "leased" and self.expires <= now)


@dataclass
class Model:
    """The expected state of the store."""

    blocks: dict[int, ModelBlock] = field(default_factory=dict)
    round: int = 0
    closed: bool = True
    counted: set[int] = field(default_factory=set)

    def running(self):
        """The blocks that are not finished."""
        return [block for block in self.blocks.values() if block.state in ("queued", "leased")]

    def claim(self, holder, n, now):
        """Lease the first free blocks."""
        free = sorted((b.voids, k) for k, b in self.blocks.items() if b.free(now))[:n]
        for _, k in free:
            block = self.blocks[k]
            block.state, block.holder, block.expires = "leased", holder, now + LEASE
        return [k for _, k in free]


class Machine(RuleBasedStateMachine):
    """Two holders in one tournament; subclasses choose the database."""

    @initialize()
    def begin(self):
        self.clock = self.store.database.clock
        self.name = f"t{next(names)}"
        self.entrants = entered(self.store, self.name, players=3)
        self.model, self.leases = Model(), []

    def do(self, luck, action):
        """Do something, with a given luck."""
        self.store.database.luck = luck
        return action()

    @precondition(lambda self: self.model.closed)
    @rule(luck=LUCK, blocks=st.integers(1, 5))
    def schedule(self, luck, blocks):
        lineups = [tuple(one.submission for one in self.entrants[k % 2 : k % 2 + 2]) for k in range(blocks)]
        number = self.model.round + 1
        made = self.do(luck, lambda: self.store.schedule_round(self.name, number, self.entrants, lineups))
        assert (made is None) == (luck == "after")
        first = len(self.model.blocks) + 1
        self.model.blocks |= {k: ModelBlock() for k in range(first, first + blocks)}
        self.model.round, self.model.closed = number, False

    @rule(luck=LUCK, holder=HOLDERS, n=st.integers(1, 3))
    def claim(self, luck, holder, n):
        leases = self.do(luck, lambda: self.store.claim(self.name, holder, n, LEASE))
        now = self.clock()
        if luck == "after":
            self.model.claim(holder, n, now)
        expected = self.model.claim(holder, n, now)
        assert [lease.block.number for lease in leases] == expected
        assert [lease.attempt for lease in leases] == [self.model.blocks[k].voids + 1 for k in expected]
        self.leases += leases

    @precondition(lambda self: self.leases)
    @rule(luck=LUCK, data=st.data())
    def complete(self, luck, data):
        some = data.draw(st.lists(st.sampled_from(self.leases), min_size=1, max_size=3))
        counted = self.do(luck, lambda: self.store.complete_all([(lease, played(lease)) for lease in some]))
        for lease, counts in zip(some, counted, strict=True):
            block = self.model.blocks[lease.block.number]
            fresh = block.state in ("queued", "leased")
            assert counts == (fresh and luck != "after")
            if fresh:
                block.state = "played"
                self.model.counted.add(lease.block.number)

    @precondition(lambda self: self.leases)
    @rule(luck=LUCK, data=st.data(), rotation=st.integers(0, 1))
    def void(self, luck, data, rotation):
        lease = data.draw(st.sampled_from(self.leases))
        block = self.model.blocks[lease.block.number]
        found = self.do(luck, lambda: self.store.void(lease, rotation, "broken"))
        if block.state == "leased" and block.holder == lease.holder and block.voids == lease.attempt - 1:
            assert (found.match, found.attempt) == (lease.block.match(rotation), lease.attempt)
            rest = min(MAX_DELAY, FIRST_DELAY * 4**block.voids)
            block.voids, block.rests_until = lease.attempt, self.clock() + rest
            block.state = "given-up" if block.voids == MAX_VOIDS else "queued"
            assert found.given_up == (block.state == "given-up")

    @precondition(lambda self: self.leases)
    @rule(luck=LUCK, data=st.data())
    def heartbeat(self, luck, data):
        some = data.draw(st.lists(st.sampled_from(self.leases), max_size=4))
        alive = {
            lease.block.number
            for lease in some
            if (b := self.model.blocks[lease.block.number]).state == "leased" and b.holder == lease.holder
        }
        assert self.do(luck, lambda: self.store.heartbeat(some, LEASE)) == len(alive)
        for k in alive:
            self.model.blocks[k].expires = self.clock() + LEASE

    @rule(luck=LUCK, holder=HOLDERS)
    def release(self, luck, holder):
        mine = [b for b in self.model.running() if b.state == "leased" and b.holder == holder]
        assert self.do(luck, lambda: self.store.release(holder)) == (0 if luck == "after" else len(mine))
        for block in mine:
            block.state, block.holder = "queued", ""

    @rule(seconds=st.sampled_from([0.5, 1.0, 30.0, LEASE, 1000.0]))
    def time_passes(self, seconds):
        self.clock.time += seconds

    @precondition(lambda self: self.model.round)
    @rule(luck=LUCK)
    def close(self, luck):
        decisions = self.do(luck, lambda: self.store.close_round(self.name, self.model.round))
        assert (decisions is None) == bool(self.model.running())
        self.model.closed = self.model.closed or decisions is not None

    @rule()
    def killed_and_opened_again(self):
        self.store.database.engine.dispose()

    @invariant()
    def what_counts_is_what_was_completed_once(self):
        if not hasattr(self, "model"):
            return
        found = [(result.block, result.rotation) for result in self.store.results(self.name)]
        assert found == [(k, rotation) for k in sorted(self.model.counted) for rotation in (0, 1)]
        if self.model.round:
            (last,) = self.store.rounds(self.name, newest=1)
            assert (last.number, last.unplayed) == (self.model.round, len(self.model.running()))
            assert (last.closed_at is not None) == self.model.closed

    def teardown(self):
        """The round can always be finished from here: nothing is stuck."""
        while hasattr(self, "model") and self.model.running():
            self.clock.time += 1000
            for lease in self.store.claim(self.name, "cyd", 9, LEASE):
                assert self.store.complete(lease, played(lease))
                self.model.blocks[lease.block.number].state = "played"


def explore(where, monkeypatch, examples, **options):
    """Run the machine in a new store."""
    monkeypatch.setattr("kibitz.database.opening.Database", Unlucky)
    monkeypatch.setattr("kibitz.database.transactions.FIRST_WAIT", 0.0)
    with open_store(where, clock=Clock()) as opened_store:

        class InThisDatabase(Machine):
            store = opened_store

        case = InThisDatabase.TestCase
        case.settings = settings(max_examples=examples, stateful_step_count=25, **options)
        case().runTest()


@pytest.mark.parametrize("examples", [8, pytest.param(150, marks=pytest.mark.long)])
def test_the_store_behaves_like_its_model(where, monkeypatch, examples):
    explore(where, monkeypatch, examples)
