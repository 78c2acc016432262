"""Leases outlive any block, by clocks that the test sets."""

import pytest

from kibitz.arena.model import Lease
from kibitz.arena.running.next_round import SeasonScheduler
from kibitz.arena.running.runner import POLL_SECONDS, Runner, StopCondition, pool_of
from kibitz.database.schema import blocks
from kibitz.executors import executor_of
from tests.arena.store.field import Clock, scheduled
from tests.tiers import first_fast


@pytest.fixture
def store(where, opened):
    """An empty store whose clock the test sets."""
    return opened(where, clock=Clock())


@pytest.mark.parametrize("lease_s", first_fast([60.0, 4.0, 600.0]))
def test_heartbeats_keep_a_lease_above_half_its_life(store, lease_s):
    """So one lost heartbeat loses no block."""
    scheduled(store, players=2)
    clock = store.database.clock
    found = store.tournament("go")
    season, pool = SeasonScheduler(store, "go", StopCondition(), None), pool_of(store, found, executor_of("local", 1))
    runner = Runner(store, found, season, pool, lease_s, print, 1.0, clock)
    store.register_runner("go", runner.holder, lease_s)
    runner.queue.waiting.extend(store.claim("go", runner.holder, 2, lease_s))
    (third,) = store.claim("go", "another", 1, lease_s)
    for step in range(100):
        runner.keep_alive()
        clock.time += max(POLL_SECONDS, lease_s / 50)
        left = store.database.reading(
            lambda c: c.execute(blocks.select().where(blocks.c.holder == runner.holder)).all()
        )
        assert [row.expires - clock.time > lease_s / 2 for row in left] == [True, True], step
    assert [lease.id for lease in store.claim("go", "third", 9, lease_s)] == [third.id], "the lease expires"
    runner.pool.end()


def test_a_reclaimed_block_keeps_its_lease_memory(store):
    """After a release, an expired lease or a void; a result deletes the memory."""
    from kibitz.players.rated_game import Memory
    from kibitz.table.match import PastFailure
    from tests.arena.store.field import played

    scheduled(store, players=2, blocks=1)
    memory = Memory((0.0, 12.5), (PastFailure(1, 4, "ab" * 32, "idle", "It slept.", "nul \0 and \N{SNOWMAN}"),))
    (lease,) = store.claim("go", "ann", 1, 60.0)
    assert lease.memory == {}
    lease = lease.remembering(1, memory)
    assert isinstance(lease, Lease)
    assert store.save_memory(lease)
    store.release("ann")
    assert not store.save_memory(lease)
    (lease,) = store.claim("go", "bob", 1, 60.0)
    assert lease.memory == {1: memory}
    store.database.clock.time += 61
    (lease,) = store.claim("go", "cyd", 1, 60.0)
    assert lease.memory == {1: memory}
    store.void(lease.remembering(0, Memory((3.0, 0.0))), 0, "broken")
    store.database.clock.time += 61
    (lease,) = store.claim("go", "dan", 1, 60.0)
    assert lease.memory == {0: Memory((3.0, 0.0)), 1: memory}
    store.complete(lease, played(lease))
    assert store.database.reading(lambda c: c.execute(blocks.select()).one().memory) == "{}"
