"""Playing a block: one deal in every rotation of its lineup, every match with its whole record.

    player file     what a match needs to know of a submission: its player's name, its file's name and text
    broken          a match that this machine could not play: void, and nobody's fault

What comes out depends on the files, the deal and the versions of Kibitz and the rules, not on who plays it where.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Iterator, Mapping, Sequence

import msgspec

import kibitz
from kibitz.arena.model import Block, Lineup, Played, PlayedSeat
from kibitz.engine.events import Outcome
from kibitz.engine.game import Game
from kibitz.engine.record import Forfeit, text
from kibitz.errors import MachineError
from kibitz.players.limits import STANDARD, Limits
from kibitz.players.specs import PlayerSpec
from kibitz.sandbox import tier as confinement
from kibitz.table import Match, play_match

BUILT_IN = "built-in"
"""Stands for the tier of confinement where no player is a file."""
TRIES = 3
"""How often a match is played at once again when the machine has failed."""
REST = 0.2
"""Seconds between these tries, and twice as many before the last."""
DETAIL, PRINTS = 26_000, 2000
"""Characters of a failure's detail (a call, its answer and a traceback) and of the last prints, kept for the owner."""


class PlayerFile(msgspec.Struct, frozen=True):
    """A submission as a worker needs it; without ``source`` it is the built-in strategy called ``file``."""

    submission: int
    player: str
    file: str
    source: str

    def spec(self, game: Game, limits: Limits) -> PlayerSpec:
        """The player, ready to be made for every match."""
        if not self.source:
            return PlayerSpec(self.file, self.file, game.name, "")
        digest = hashlib.sha256(self.source.encode()).hexdigest()
        return PlayerSpec(self.player, self.file, game.name, digest, self.source, limits=limits)


class Broken(Exception):
    """The machine failed in a match again and again; the message is the cause."""


class WrongTier(Exception):
    """This process confines players in another way than the run's first; another process may do better."""


def play(
    game: Game, block: Block, files: Mapping[int, PlayerFile], tier: str = "", limits: Limits = STANDARD
) -> Iterator[Played]:
    """The matches of a block, one after the other; Broken where the machine cannot play one.

    ``tier``: the confinement that player files must run in; WrongTier where this process has another.
    """
    confined = BUILT_IN
    if any(files[submission].source for submission in block.lineup):
        confined = confinement().name
        if tier not in ("", confined):
            raise WrongTier(f"players would be confined by tier {confined!r} here, and it should be {tier!r}.")
    for rotation, lineup in enumerate(block.rotations()):
        start = time.monotonic()
        match = tried(game, block.deal_seed, [files[submission] for submission in lineup], limits)
        yield played(rotation, lineup, match, confined, time.monotonic() - start)


def tried(game: Game, seed: int, files: Sequence[PlayerFile], limits: Limits) -> Match:
    """One match, tried again where the machine fails."""
    for attempt in range(1, TRIES + 1):
        players = [file.spec(game, limits).make() for file in files]
        for player, file in zip(players, files, strict=True):
            player.name = file.player
        try:
            return play_match(game, players, seed)
        except MachineError as error:
            if attempt == TRIES:
                raise Broken(str(error)) from error
            time.sleep(REST * attempt)
    raise AssertionError("the last try returns or raises")


def played(rotation: int, lineup: Lineup, match: Match, tier: str, seconds: float) -> Played:
    """What is kept of a match."""
    record = match.record
    failed = {forfeit.seat: forfeit for forfeit in record.forfeits}
    place = places(record.outcome, record.forfeits)
    seats = tuple(
        played_seat(submission, seat, place[seat], match, failed.get(seat)) for seat, submission in enumerate(lineup)
    )
    return Played(rotation, seats, record.outcome.reason, text(record), tier, kibitz.__version__, seconds)


def played_seat(submission: int, seat: int, place: int, match: Match, failed: Forfeit | None) -> PlayedSeat:
    """What is kept of one seat; what a player printed is kept only where it failed."""
    outcome = match.record.outcome
    share = 1 / len(outcome.winners) if seat in outcome.winners else 0.0
    if failed is None:
        return PlayedSeat(submission, outcome.scores[seat], place, share)
    detail, prints = match.details[seat][-DETAIL:], match.prints[seat][-PRINTS:]
    return PlayedSeat(
        submission, outcome.scores[seat], place, share, failed.kind, failed.sentence, failed.moves, detail, prints
    )


def places(outcome: Outcome, forfeits: Sequence[Forfeit]) -> tuple[int, ...]:
    """Every seat's place: the winners, then the others by score, then who failed, the first to fail last.

    Equal seats share the better place, so two winners are 1st and who follows is 3rd.

    >>> places(Outcome("", (1.0, 5.0, 3.0, 3.0), (1,)), [Forfeit(7, 0, "illegal", "")])
    (4, 1, 2, 2)
    """
    failed = {forfeit.seat: forfeit.moves for forfeit in forfeits}
    worth = [
        (False, False, float(failed[seat])) if seat in failed else (True, seat in outcome.winners, score)
        for seat, score in enumerate(outcome.scores)
    ]
    return tuple(1 + sum(other > mine for other in worth) for mine in worth)
