"""Matches played again from the store: from their files, deal and seating alone, to compare with their records.

    stored      the record that the store holds
    replayed    the record of the match as it comes out now
    identical   whether the two are the same, to the last character

A file that reads a clock, or whose calls are cut off by a limit, may play differently each time, and so may another
version of Kibitz or Python.  Otherwise a replay is always the same game.
"""

from __future__ import annotations

from collections.abc import Iterator
from secrets import randbelow

import msgspec

from kibitz import __version__
from kibitz.arena.model import MatchResult, Tournament
from kibitz.arena.proof.proving import Progress, Proof
from kibitz.arena.running.blocks import counted_match
from kibitz.arena.running.runner import file_of
from kibitz.arena.season_reports import match_name
from kibitz.arena.store import Store
from kibitz.engine import record
from kibitz.engine.registry import game as find_game
from kibitz.errors import StoreError


class Replay(msgspec.Struct, frozen=True):
    """A replayed match; ``details`` and ``prints``, by seat, are those of the replay."""

    match: str
    stored: str
    replayed: str
    engine: str
    """The version of Kibitz that played it first."""
    details: tuple[str, ...]
    prints: tuple[str, ...]

    @property
    def identical(self) -> bool:
        """Whether it is the same game again."""
        return self.stored == self.replayed

    @property
    def difference(self) -> str:
        """The first difference of the two records, as a sentence; empty if there is none."""
        if self.identical:
            return ""
        pairs = enumerate(zip(self.stored.split("\n"), self.replayed.split("\n"), strict=False), 1)
        line, (then, now) = next((line, pair) for line, pair in pairs if pair[0] != pair[1])
        other = (
            f"; it was played by Kibitz {self.engine}, and this is {__version__}" if self.engine != __version__ else ""
        )
        return f"line {line} of the record was {then!r} and is {now!r} now{other}."


def replay(store: Store, tournament: str, match: int) -> Replay:
    """Replay a match; StoreError (missing) if it has not been played."""
    found = result(store, tournament, match)
    rules = store.tournament(tournament)
    game = find_game(rules.game)
    players = [file_of(store, seat.submission).spec(game, rules.limits) for seat in found.seats]
    played = counted_match(game, found.deal_seed, players)
    stored = store.record(tournament, match)
    return Replay(
        match_name(tournament, match), stored, record.text(played.record), found.engine, played.details, played.prints
    )


def sampled(store: Store, tournament: Tournament, most: int, progress: Progress) -> Iterator[Proof]:
    """Replay up to ``most`` matches; ``progress`` is called with (played, of).

    They are spread over all matches at random, so a forger can't know which will be played.
    """
    results = store.results(tournament.name)
    count = min(most, len(results))
    wrong = 0
    for number in range(count):
        start, stop = (each * len(results) // count for each in (number, number + 1))
        found = replay(store, tournament.name, results[start + randbelow(stop - start)].match)
        if not found.identical:
            wrong += 1
            yield Proof(False, f"Match {found.match} differs when replayed", found.difference)
        progress(number + 1, count)
    yield Proof(not wrong, f"{count - wrong} of {count} matches, replayed, are identical")


def result(store: Store, tournament: str, match: int) -> MatchResult:
    """One result; StoreError (missing) if there is none."""
    for found in store.results(tournament):
        if found.match == match:
            return found
    raise StoreError("missing", f"the match {match_name(tournament, match)} has not been played.")
