"""A clock that tests set, and a qualification that accepts files by their first word."""

from kibitz.arena.entry.qualification import Report
from kibitz.players.findings import Finding
from kibitz.players.limits import STANDARD


class Clock:
    """A clock for the store that stands still unless the test sets it."""

    def __init__(self, now):
        self.now = now

    def __call__(self):
        return self.now


def verdict(game, path, content, limits=STANDARD):
    """The report on a file, which passes if it begins with "good"."""
    good = content.packed.startswith(b"good")
    finding = Finding(True, "It was tried") if good else Finding(False, "It was tried", "the file is bad.")
    return Report(game.name, str(path), content.sha256, 0, (finding,))
