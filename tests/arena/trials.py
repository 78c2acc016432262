"""A clock that tests set, and a qualification that believes what a file says of itself."""

from kibitz.arena.entry.qualification import Report
from kibitz.players.findings import Finding
from kibitz.players.limits import STANDARD


class Clock:
    """The store's clock: it stands still unless it is set."""

    def __init__(self, now):
        self.now = now

    def __call__(self):
        return self.now


def verdict(game, path, content, limits=STANDARD):
    """Whether a file begins with "good"."""
    good = content.packed.startswith(b"good")
    finding = Finding(True, "It was tried") if good else Finding(False, "It was tried", "the file is bad.")
    return Report(game.name, str(path), content.sha256, 0, (finding,))
