"""A runner's queue: blocks to replay, blocks given up, and results that the store has taken."""

from types import SimpleNamespace

import pytest

from kibitz.arena.running.pool import Finished, LeaseChanged, Voided, WorkerDied, urgent_part
from kibitz.arena.running.runner import BlockQueue
from kibitz.errors import MachineError
from kibitz.executors.worker import Note
from kibitz.players.rated_game import Memory


def lease(number=1):
    return SimpleNamespace(id=number, block=SimpleNamespace(number=number + 100))


def finished(number, games=4):
    return Finished(lease(number), ("a match",) * games)


class FakeStore:
    """A store that takes what it is given; every third block does not count."""

    def __init__(self, *, broken=0):
        self.taken, self.broken, self.remembered = [], broken, []

    def complete_all(self, some):
        if self.broken:
            self.broken -= 1
            raise OSError("locked")
        self.taken.append(len(some))
        return [one.id % 3 != 0 for one, _ in some]

    def void(self, one, rotation, cause):
        return {1: None, 2: SimpleNamespace(given_up=False), 3: SimpleNamespace(given_up=True)}[one.id]

    def save_memory(self, one):
        if self.broken:
            self.broken -= 1
            raise OSError("locked")
        self.remembered.append(one.id)


@pytest.mark.parametrize(("alone", "often"), [(True, 2), (False, 20)])
def test_a_block_is_retried_after_its_worker_died(alone, often):
    queue = BlockQueue()
    for _ in range(often):
        queue.add(WorkerDied(lease(1), 2, "It was killed.", alone))
        assert queue.waiting.popleft().id == 1
    queue.add(WorkerDied(lease(2), 0, "It was killed.", alone))
    assert [one.id for one in queue.waiting] == [2], "others have their own turns"
    queue.add(WorkerDied(lease(1), 0, "It was killed.", not alone))
    assert [one.id for one in queue.waiting] == [1, 2], "what comes back is first"
    queue.add(WorkerDied(lease(1), 2, "It was killed.", alone))
    assert [(void.lease.id, void.rotation, void.cause) for void in queue.voided] == [(1, 2, "It was killed.")]
    assert queue.last_cause == (
        "A worker process died repeatedly. Is there enough memory? The last time It was killed."
    )


def test_lease_memory_is_kept_until_the_block_is_played_or_void():
    queue = BlockQueue()
    queue.add(Note("a place"))
    for number in (1, 2, 3):
        queue.add(LeaseChanged(lease(number)))
    queue.add(finished(1))
    queue.add(Voided(lease(2), 0, "No memory."))
    queue.add(WorkerDied(lease(4), 0, "It was killed."))
    assert list(queue.changed_leases) == [3, 4]
    shop = FakeStore(broken=1)
    with pytest.raises(OSError, match="locked"):
        queue.save_changed_leases(shop)
    assert list(queue.changed_leases) == [3, 4]
    queue.save_changed_leases(shop)
    assert (shop.remembered, queue.changed_leases) == ([3, 4], {})


def test_blocks_are_saved_64_per_transaction_and_rejected_ones_stay():
    queue, shop = BlockQueue(), FakeStore(broken=1)
    for number in range(1, 131):
        queue.add(finished(number))
    assert queue.played == 130 * 4
    with pytest.raises(OSError, match="locked"):
        list(queue.save_finished(shop))
    assert (len(queue.finished), queue.games) == (130, 0)
    assert queue.sentence() == "0 matches played and saved in this run; 130 unsaved blocks will be played again."
    counted = list(queue.save_finished(shop))
    assert shop.taken == [64, 64, 2]
    assert counted == [64 - 64 // 3, 64 - (128 // 3 - 64 // 3), 1]
    assert queue.games == 4 * sum(counted) == queue.played
    assert queue.sentence() == f"{queue.games} matches played and saved in this run."


def test_a_played_block_resets_its_count_of_lost_workers():
    queue = BlockQueue()
    for _ in range(2):
        queue.add(WorkerDied(lease(1), 0, "It was killed."))
        queue.add(WorkerDied(lease(1), 0, "It was killed.", alone=False))
    queue.add(finished(1))
    list(queue.save_finished(FakeStore()))
    assert queue.deaths == {}


def test_voided_blocks_are_reported_with_what_follows():
    queue = BlockQueue()
    for number in (1, 2, 3):
        queue.add(Voided(lease(number), 0, "No memory."))
    assert list(queue.save_voided(FakeStore())) == [
        "Block 101 will be played again: No memory.",
        "Block 102 will be played again: No memory.",
        "Block 103 is given up and does not count: No memory.",
    ]
    assert queue.voided == []


def test_ten_consecutive_voids_mean_a_machine_failure():
    queue = BlockQueue()
    for _ in range(9):
        queue.add(Voided(lease(), 0, "No memory."))
        queue.check_machine()
    queue.add(finished(2))
    for _ in range(9):
        queue.add(Voided(lease(), 0, "No memory."))
        queue.check_machine()
    queue.add(Voided(lease(), 0, "No process."))
    with pytest.raises(MachineError) as caught:
        queue.check_machine()
    assert str(caught.value) == (
        "This machine has failed 10 times without playing a block, and 0 games are saved. The last time: No process."
    )


def test_an_impatient_queue_stops_at_the_first_void():
    queue = BlockQueue(patient=False)
    queue.check_machine()
    queue.add(Voided(lease(), 0, "No memory."))
    assert queue.voided == []
    with pytest.raises(MachineError, match=r"^No memory\.$"):
        queue.check_machine()


def test_idleness_is_saved_in_steps_of_five_seconds_and_failures_at_once():
    """Below five seconds nothing is saved, then every five seconds."""
    known = [urgent_part(Memory((seconds, 0.0))) for seconds in (0.0, 4.99, 5.0, 9.99, 10.0)]
    assert known[0] == known[1] != known[2] == known[3] != known[4]
    assert urgent_part(Memory((0.0, 5.0))) != urgent_part(Memory((5.0, 0.0)))
    assert urgent_part(Memory((), ("a failure",))) != urgent_part(Memory())
