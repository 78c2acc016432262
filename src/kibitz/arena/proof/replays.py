"""Playing a match of the store again, from its files, its deal and its seating alone.

    then        the record that the store holds
    again       the record of the match as it comes out now
    identical   whether the two are the same, to the last letter

A file that asks a clock, or whose calls are cut off by a limit, may play differently each time; so may another
version of Kibitz or Python.  Everything else is the same game for ever.
"""

from __future__ import annotations

from collections.abc import Iterator
from secrets import randbelow

import msgspec

from kibitz import __version__
from kibitz.arena.model import MatchResult, Tournament
from kibitz.arena.proof.proving import Progress, Proof
from kibitz.arena.reports import called
from kibitz.arena.running.blocks import counted
from kibitz.arena.running.files import file_of
from kibitz.arena.store import Store
from kibitz.engine import record
from kibitz.engine.registry import game as find_game
from kibitz.errors import StoreError


class Replay(msgspec.Struct, frozen=True):
    """A match played again; ``details`` and ``prints`` by seat are what its players left this time."""

    match: str
    then: str
    again: str
    engine: str
    """The version of Kibitz that played it then."""
    details: tuple[str, ...]
    prints: tuple[str, ...]

    @property
    def identical(self) -> bool:
        """Whether it is the same game again."""
        return self.then == self.again

    @property
    def difference(self) -> str:
        """Where the two records part, as a sentence; empty if they do not."""
        if self.identical:
            return ""
        pairs = enumerate(zip(self.then.split("\n"), self.again.split("\n"), strict=False), 1)
        line, (then, now) = next((line, pair) for line, pair in pairs if pair[0] != pair[1])
        other = (
            f"; it was played by Kibitz {self.engine}, and this is {__version__}" if self.engine != __version__ else ""
        )
        return f"line {line} of the record was {then!r} and is {now!r} now{other}."


def replay(store: Store, tournament: str, match: int) -> Replay:
    """Play a match again; StoreError (missing) if it has not been played."""
    found = result(store, tournament, match)
    rules = store.tournament(tournament)
    game = find_game(rules.game)
    players = [file_of(store, seat.submission).spec(game, rules.limits) for seat in found.seats]
    played = counted(game, found.deal_seed, players)
    then = store.record(tournament, match)
    return Replay(
        called(tournament, match), then, record.text(played.record), found.engine, played.details, played.prints
    )


def sampled(store: Store, tournament: Tournament, most: int, progress: Progress) -> Iterator[Proof]:
    """Play up to ``most`` matches again; ``progress`` is told (played, of).

    They are spread over all, and nobody can know beforehand which: whoever has forged one may be caught by any number.
    """
    results = store.results(tournament.name)
    count = min(most, len(results))
    wrong = 0
    for number in range(count):
        start, stop = (each * len(results) // count for each in (number, number + 1))
        found = replay(store, tournament.name, results[start + randbelow(stop - start)].match)
        if not found.identical:
            wrong += 1
            yield Proof(False, f"Match {found.match} is not the same again", found.difference)
        progress(number + 1, count)
    yield Proof(not wrong, f"{count - wrong} of {count} matches, played again, are the same to the last letter")


def result(store: Store, tournament: str, match: int) -> MatchResult:
    """One result; StoreError (missing) if there is none."""
    for found in store.results(tournament):
        if found.match == match:
            return found
    raise StoreError("missing", f"the match {called(tournament, match)} has not been played.")
