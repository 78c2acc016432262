"""What a runner has in its hands: blocks that wait for a worker, and what workers have reported until it is stored.

    waiting     blocks that are leased and wait for a worker
    finished    blocks that are played and wait for the store; they stay here until it has taken them
    voided      blocks with a match that this machine could not play
    learnt      leases with a memory that the store should have, lest it die with this runner

Whatever the store does not take, because it is locked, full or gone, is handed in again the next time.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterator

from kibitz.arena.model import Lease
from kibitz.arena.running.pool import Finished, Gone, Learnt, Noted, Told, Voided
from kibitz.arena.store import Store
from kibitz.errors import MachineError

DEATHS = 2
"""So often a block is simply played again when its worker has died; the next time it is a void."""
VANISHED = 20
"""So often where its worker's machine is gone with it, which is seldom the block's fault."""
VOIDS_IN_A_ROW = 10
"""So many failures with no block played between them mean that it is this machine."""
DIED = "A worker process has died again and again: is there enough memory?"
AT_ONCE = 64
"""So many blocks go into one transaction."""


class BlockQueue:
    """The blocks of one run that are neither with a worker nor safe in the store.

    One that is not ``patient`` takes the first match that this machine cannot play for the end of the run.
    """

    def __init__(self, *, patient: bool = True) -> None:
        self.patient = patient
        self.waiting: deque[Lease] = deque()
        self.finished: list[Finished] = []
        self.voided: list[Voided] = []
        self.learnt: dict[int, Lease] = {}
        self.died_over: Counter[tuple[int, bool]] = Counter()
        self.voids_in_a_row, self.last_cause = 0, ""
        self.games = 0
        """Of this run, all saved."""

    @property
    def played(self) -> int:
        """Games of this run, saved or not."""
        return self.games + sum(len(one.played) for one in self.finished)

    def take(self, told: Told) -> None:
        """Keep what has been played, and what has to be played again."""
        if isinstance(told, Noted):
            return
        if isinstance(told, Learnt):
            self.learnt[told.lease.id] = told.lease
            return
        self.learnt.pop(told.lease.id, None)
        if isinstance(told, Finished):
            self.finished.append(told)
            self.voids_in_a_row = 0
        elif isinstance(told, Gone) and self.died_over[told.lease.id, told.alone] < (
            DEATHS if told.alone else VANISHED
        ):
            self.died_over[told.lease.id, told.alone] += 1
            self.learnt[told.lease.id] = told.lease
            self.waiting.appendleft(told.lease)
        else:
            if self.patient:
                self.voided.append(Voided(told.lease, told.rotation, told.cause))
            self.voids_in_a_row += 1
            self.last_cause = told.cause if isinstance(told, Voided) else f"{DIED} The last time {told.cause}"

    def save_finished(self, store: Store) -> Iterator[int]:
        """Hand in what is finished; how many blocks counted, transaction by transaction."""
        while self.finished:
            some = self.finished[:AT_ONCE]
            counted = store.complete_all([(one.lease, one.played) for one in some])
            del self.finished[: len(some)]
            for one, counts in zip(some, counted, strict=True):
                self.games += len(one.played) if counts else 0
                for alone in (True, False):
                    self.died_over.pop((one.lease.id, alone), None)
            yield sum(counted)

    def save_learnt(self, store: Store) -> None:
        """Hand in what is to be remembered of blocks that are still to be played."""
        while self.learnt:
            number, lease = next(iter(self.learnt.items()))
            store.remember(lease)
            del self.learnt[number]

    def save_voided(self, store: Store) -> Iterator[str]:
        """Hand in what is void; a sentence on each."""
        while self.voided:
            void = self.voided[0]
            found = store.void(void.lease, void.rotation, void.cause)
            del self.voided[0]
            after = "is given up and does not count" if found and found.given_up else "will be played again"
            yield f"Block {void.lease.block.number} {after}: {void.cause}"

    def check_machine(self) -> None:
        """MachineError where this machine fails and fails."""
        if self.voids_in_a_row and not self.patient:
            raise MachineError(self.last_cause)
        if self.voids_in_a_row >= VOIDS_IN_A_ROW:
            raise MachineError(
                f"This machine has failed {VOIDS_IN_A_ROW} times without playing a block, and {self.games} games are "
                f"saved. The last time: {self.last_cause}"
            )

    def sentence(self) -> str:
        """What is safe and what is not."""
        lost = f", and {len(self.finished)} blocks that are not will be played again" if self.finished else ""
        return f"{self.games} games of this run are saved{lost}."
