"""A runner's loop, step by step, with a fake store, workers and clock."""

from types import SimpleNamespace

import pytest

from kibitz.arena.model import Block, Lease, MatchInPlay
from kibitz.arena.running.blocks import REPORT_SECONDS
from kibitz.arena.running.pool import Finished, LeaseChanged, Voided
from kibitz.arena.running.runner import (
    BLOCKS_PER_WORKER,
    SAVE_SECONDS,
    Runner,
)
from kibitz.executors.worker import Note
from kibitz.players.limits import STANDARD
from tests.arena.trials import Clock


def lease(number, round=1):
    return Lease(number, "me", 0.0, 1, Block("kuhn", round, number, 7, (1, 2)))


class FakeStore:
    """A store with some blocks; ``temporary`` if nobody else uses it."""

    def __init__(self, blocks=0, *, temporary=False):
        self.blocks, self.temporary = list(range(1, blocks + 1)), temporary
        self.known, self.done = True, []

    def claim(self, name, holder, wanted, seconds):
        self.done.append(("claim", wanted, seconds))
        some, self.blocks = self.blocks[:wanted], self.blocks[wanted:]
        return [lease(number) for number in some]

    def renew_runner(self, holder, seconds):
        self.done.append(("keep", seconds))
        return self.known

    def register_runner(self, name, holder, seconds, *, join):
        self.done.append(("enter", join))

    def heartbeat(self, leases, seconds):
        self.done.append(("beat", [one.id for one in leases], seconds))

    def rounds(self, name, newest):
        return [SimpleNamespace(number=1, blocks=9, unplayed=len(self.blocks) + 5)]

    def save_memory(self, one):
        self.done.append(("remember", one.id))

    def void(self, one, rotation, cause):
        self.done.append(("void", one.id))

    def complete_all(self, some):
        self.done.append(("complete", len(some)))
        return [True] * len(some)

    def save_matches_in_play(self, holder, shown):
        self.done.append(("show", shown))


class FakeWorkers:
    """Workers with some free slots."""

    here = True

    def __init__(self, size=2):
        self.size, self.busy, self.in_play = size, [], ()

    def free_slots(self):
        return self.size - len(self.busy)

    def leases(self):
        return list(self.busy)

    def send(self, one, files, tier):
        self.busy.append(one)

    def matches_in_play(self):
        return self.in_play


class FakeSeason:
    """A season that returns given answers."""

    eager, blocks_needed = False, 0

    def __init__(self, *steps):
        self.steps = list(steps)

    def advance(self):
        return self.steps.pop(0)


def runner(blocks=0, *steps, temporary=False, size=2, goal=None):
    clock, reports = Clock(50.0), []
    store, workers, season = FakeStore(blocks, temporary=temporary), FakeWorkers(size), FakeSeason(*steps)
    tournament = SimpleNamespace(name="kuhn", kind="season", game="kuhn", goal=goal, limits=STANDARD, seats=2)
    loop = Runner(store, tournament, season, workers, 60.0, reports.append, clock=clock)
    return loop, store, workers, season, clock, reports


@pytest.mark.parametrize(("temporary", "wanted"), [(False, 2), (True, 2 * BLOCKS_PER_WORKER)])
def test_a_private_store_claims_eight_times_as_many_blocks(temporary, wanted):
    loop, store, workers, *_ = runner(30, temporary=temporary)
    assert loop.claim_or_advance() == "playing"
    assert store.done == [("claim", wanted, 60.0)]
    assert [one.id for one in workers.busy] == [1, 2]
    assert [one.id for one in loop.queue.waiting] == list(range(3, wanted + 1))
    assert loop.round == 1
    assert loop.unplayed == 30 - wanted + 5


def test_nothing_is_claimed_while_enough_blocks_wait():
    loop, store, workers, *_ = runner(30, temporary=True)
    loop.claim_or_advance()
    workers.busy.clear()
    loop.claim_or_advance()
    assert len(store.done) == 1
    assert [one.id for one in workers.busy] == [3, 4], "what waits is sent all the same"
    while len(loop.queue.waiting) >= 2:
        loop.queue.waiting.pop()
    loop.claim_or_advance()
    assert len(store.done) == 2


def test_the_season_advances_only_when_no_block_is_in_hand():
    loop, _, workers, season, clock, _ = runner(2, "scheduled", "done")
    loop.claim_or_advance()
    clock.now += 10
    assert loop.claim_or_advance() == "playing", "two blocks are being played"
    workers.busy.clear()
    loop.queue.add(Finished(lease(1), ("a match",)))
    clock.now += 10
    assert loop.claim_or_advance() == "playing", "one is not saved yet"
    loop.save()
    assert loop.claim_or_advance() == "done"
    assert (loop.rounds, season.steps) == (1, [])


@pytest.mark.parametrize(("temporary", "asked"), [(False, 3), (True, 1)])
def test_a_tournament_with_a_goal_advances_once_enough_is_saved(temporary, asked):
    """Two more blocks must be saved before the next round can be computed."""
    loop, _, workers, season, clock, _ = runner(0, *["playing"] * 9, temporary=temporary)
    season.eager, season.blocks_needed = True, 2
    workers.busy.append(lease(1))
    for saved in (0, 1, 2):
        loop.saved = saved
        loop.claim_or_advance()
        clock.now = loop.next_claim
    assert 9 - len(season.steps) == asked
    assert loop.saved == 0


@pytest.mark.parametrize("temporary", [False, True])
def test_finished_blocks_are_saved_at_once_or_twice_a_second_if_private(temporary):
    loop, store, _, _, clock, _ = runner(0, temporary=temporary)
    loop.save()
    loop.queue.waiting.append(lease(9))
    loop.queue.add(Finished(lease(1), ("a match",)))
    clock.now += SAVE_SECONDS - 0.01
    loop.save_if_due()
    assert store.done == ([] if temporary else [("complete", 1)])
    clock.now += 0.01
    loop.save_if_due()
    assert store.done == [("complete", 1)]
    loop.queue.waiting.clear()
    loop.queue.add(Finished(lease(2), ("a match",)))
    loop.save_if_due()
    assert store.done == [("complete", 1)] * 2, "there is nothing else to do"


def test_lease_memory_and_voids_are_saved_with_finished_blocks():
    loop, store, _, _, _, reports = runner(0)
    loop.queue.add(LeaseChanged(lease(3)))
    loop.queue.add(Voided(lease(4), 0, "No memory."))
    loop.save()
    assert store.done == [("remember", 3), ("void", 4)]
    assert [news.note for news in reports] == ["Block 4 will be played again: No memory."]


def test_remaining_blocks_of_a_round_are_counted_and_reported():
    loop, _, _, _, _, reports = runner(0)
    loop.unplayed = 1
    for number in (1, 2):
        loop.queue.add(Finished(lease(number), ("a match",) * 2))
    loop.save()
    assert (loop.unplayed, loop.saved) == (0, 2)
    assert [(news.unplayed, news.games, news.note) for news in reports] == [(0, 4, "")]
    loop.handle_report(Note("A machine is gone."))
    assert reports[-1].note == "A machine is gone."
    assert len(reports) == 2, "a shared store reports only what is saved"


@pytest.mark.parametrize("temporary", [False, True])
def test_a_reporting_worker_gets_its_next_block_at_once(temporary):
    """A private store reports every block; a shared one reports what is saved."""
    loop, _, workers, _, _, reports = runner(0, temporary=temporary)
    loop.queue.waiting.extend([lease(5), lease(6), lease(7)])
    loop.handle_report(Finished(lease(1), ("a match",) * 2))
    assert [one.lease.id for one in loop.queue.finished] == [1]
    assert [one.id for one in workers.busy] == [5, 6]
    assert [one.id for one in loop.queue.waiting] == [7]
    assert [news.games for news in reports] == ([2] if temporary else [])


def test_matches_in_play_are_shown_every_second_if_changed():
    loop, store, workers, _, clock, _ = runner(0)
    workers.in_play = (MatchInPlay(1, "a record"),)
    loop.show_matches()
    assert store.done == [("show", workers.in_play)]
    clock.now += REPORT_SECONDS
    loop.show_matches()
    assert len(store.done) == 1
    workers.in_play = ()
    clock.now += REPORT_SECONDS - 0.001
    loop.show_matches()
    assert len(store.done) == 1
    clock.now += 0.001
    loop.show_matches()
    assert store.done[1:] == [("show", ())]
    alone, store, workers, *_ = runner(0, temporary=True)
    workers.in_play = (MatchInPlay(1, "a record"),)
    alone.show_matches()
    assert store.done == []
