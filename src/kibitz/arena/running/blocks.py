"""Playing a block: one deal in every rotation of its lineup, every match with its whole record.

    player file     what a match needs to know of a submission: its player's name, and its file or its files packed
    broken          a match that this machine could not play: void, and nobody's fault

What comes out depends on the files, the deal, the tournament's limits and the versions of Kibitz and the rules, not
on who plays it where.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import partial
from types import MappingProxyType

import msgspec

import kibitz
from kibitz.arena.model import Block, Lineup, Played, PlayedSeat
from kibitz.engine.events import Outcome
from kibitz.engine.forfeits import Forfeit
from kibitz.engine.game import Game
from kibitz.engine.record import text
from kibitz.errors import MachineError
from kibitz.players.attempts import NOTHING, Account, Memory, Sign
from kibitz.players.limits import Limits
from kibitz.players.rated_game import Follow, play_counted
from kibitz.players.sources import unpacked
from kibitz.players.specs import PlayerSpec, is_network, network_spec
from kibitz.sandbox import tier
from kibitz.table import Match, Table
from kibitz.table.match import DETAIL
from kibitz.table.player import Player

Memories = Mapping[int, Memory]
"""What is remembered of the matches of a block, by rotation."""
NONE: Memories = MappingProxyType({})
RotationSign = Callable[[int, Memory], object]
RotationFollow = Callable[[int, Table], None]
BUILT_IN = "built-in"
"""Stands for the tier of confinement where no player is a file."""
TRUSTED = "trusted"
"""Stands for it where files run as part of Kibitz, unconfined."""
PRINTS = 2000
"""Characters of the last prints, kept for the owner."""


class PlayerFile(msgspec.Struct, frozen=True):
    """A submission as a worker needs it; without ``content`` it is the built-in strategy called ``file``."""

    submission: int
    player: str
    file: str
    content: bytes

    @property
    def is_code(self) -> bool:
        """Whether it is a player file, which has to be confined."""
        return bool(self.content) and not is_network(self.file)

    def spec(self, game: Game, limits: Limits) -> PlayerSpec:
        """The player, ready to be made for every match."""
        if not self.content:
            return NamedSpec(self.file, self.file, game.name, "", limits=limits, player=self.player)
        if not self.is_code:
            return named(network_spec(game, self.file, self.content), self.player)
        sources = unpacked(self.file, self.content)
        return NamedSpec(self.player, self.file, game.name, sources.sha256, sources, limits=limits, player=self.player)


@dataclass(frozen=True)
class NamedSpec(PlayerSpec):
    """A player that is called by its own name, even if it plays a built-in strategy."""

    player: str = ""

    def make(self, account: Account | None = None) -> Player:
        """A fresh player for one match."""
        made = super().make(account)
        made.name = self.player
        return made


def named(spec: PlayerSpec, player: str) -> NamedSpec:
    """A player under a name of its own."""
    given = {part.name: getattr(spec, part.name) for part in fields(PlayerSpec)}
    return NamedSpec(**given, player=player)


class Unplayable(Exception):
    """The machine failed in a match again and again; the message is the cause."""


def play(
    game: Game,
    block: Block,
    players: Mapping[int, PlayerSpec],
    memory: Memories = NONE,
    sign: RotationSign = lambda rotation, memory: None,
    *,
    follow: RotationFollow | None = None,
    recorded: bool = True,
) -> Iterator[Played]:
    """The matches of a block, one after the other; Unplayable where the machine cannot play one.

    ``memory``: what is remembered of earlier attempts, by rotation; ``sign`` is told what comes to it, and
    ``follow`` is shown the table after every step.  Matches that are not ``recorded`` have an empty record.
    """
    confined = confinement([players[submission] for submission in block.lineup])
    for rotation, lineup in enumerate(block.rotations()):
        start = time.monotonic()
        seated, known = [players[submission] for submission in lineup], memory.get(rotation, NOTHING)
        watch = None if follow is None else partial(follow, rotation)
        match = counted(game, block.deal_seed, seated, known, partial(sign, rotation), watch)
        record = text(match.record) if recorded else ""
        yield played(rotation, lineup, match, record, confined, time.monotonic() - start)


def confinement(players: Sequence[PlayerSpec]) -> str:
    """The name of what confines these players."""
    if any(player.trusted for player in players):
        return TRUSTED
    return tier().name if any(player.is_file for player in players) else BUILT_IN


def counted(
    game: Game,
    seed: int,
    players: Sequence[PlayerSpec],
    memory: Memory = NOTHING,
    sign: Sign = lambda memory: None,
    follow: Follow | None = None,
) -> Match:
    """One match that counts, played again where it is void (see ``kibitz.players.rated_game``)."""
    try:
        return play_counted(game, players, seed, memory, sign, follow)
    except MachineError as error:
        raise Unplayable(str(error)) from error


def played(rotation: int, lineup: Lineup, match: Match, told: str, tier: str, seconds: float) -> Played:
    """What is kept of a match; ``told`` is its record as text."""
    record = match.record
    failed = {forfeit.seat: forfeit for forfeit in record.forfeits}
    place = places(record.outcome, record.forfeits)
    seats = tuple(
        played_seat(submission, seat, place[seat], match, failed.get(seat)) for seat, submission in enumerate(lineup)
    )
    return Played(rotation, seats, record.outcome.reason, told, tier, kibitz.__version__, seconds)


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
