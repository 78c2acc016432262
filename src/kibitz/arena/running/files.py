"""The player files that a runner's blocks need, read from the store once, and the confinement that they play in."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress

from kibitz.arena.model import Lease, Tournament
from kibitz.arena.running.blocks import PlayerFile
from kibitz.arena.store import Store
from kibitz.errors import MachineError
from kibitz.sandbox import Tier, require_rated, tier

TRIALS = 3
"""So often confinement is tried before this machine is taken to have none."""


class Files:
    """What is known of the files of submissions, by their ids.

    ``tier`` is None while no player is a file, and always where they are not played ``here``: each worker elsewhere
    finds out its own.
    """

    def __init__(self, store: Store, tournament: Tournament, *, here: bool = True) -> None:
        self.store, self.rated, self.here = store, tournament.kind != "custom", here
        self.known: dict[int, PlayerFile] = {}
        self.tier: Tier | None = None

    def learn(self, leases: Iterable[Lease]) -> None:
        """Read the player files that these blocks need; MachineError where they could not be confined."""
        for submission in {submission for lease in leases for submission in lease.block.lineup}:
            if submission not in self.known:
                file = file_of(self.store, submission)
                if file.is_code and self.tier is None and self.here:
                    self.tier = self.confinement()
                self.known[submission] = file

    def confinement(self) -> Tier:
        """The tier of this run, tried again where its trial may just have had bad luck; rated games need one."""
        needed = require_rated if self.rated else tier
        for _ in range(TRIALS - 1):
            with suppress(MachineError):
                return needed()
            tier.cache_clear()
        return needed()


def file_of(store: Store, submission: int) -> PlayerFile:
    """A submission as those who play it know it."""
    found = store.submission(submission)
    return PlayerFile(submission, found.player, found.file, store.content(submission))
