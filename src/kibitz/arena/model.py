"""The arena's data types: what the store takes and returns.

    tournament      one game, played among submissions; a bonus game has a tournament of its own, and a custom
                    tournament is never rated
    phase           open, frozen (no new submissions), final (new secret seeds), closed
    deadline        the time from which an open tournament takes no more submissions
    stage           the secret seed that deals come from: season (the regular rounds, in the phases open and frozen) or
                    final
    submission      one version of a player's file; the latest accepted version takes part
    round           blocks that are scheduled together, once the round before is complete
    block           one deal, played once for every rotation of a lineup: the unit of leases and of counting
    match           one game of a block; rounds, blocks and matches of a tournament are numbered from 1
    played match    a match as a worker submits it; it becomes a result when its block counts
    void            a match that failed because of a machine, not a player; its block is played again
    lease           a holder's claim on a block until a certain time by the store's clock

Rounds, blocks and matches are named by these numbers, not by the database's ids.  The numbers follow from the schedule
alone, so the same tournament has the same numbers in every database.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, Literal

import msgspec

from kibitz.players.limits import Limits
from kibitz.players.rated_game import Memory

Kind = Literal["standard", "bonus", "custom"]
Phase = Literal["open", "frozen", "final", "closed"]
Stage = Literal["season", "final"]
State = Literal["waiting", "accepted", "refused"]
Status = Literal["finished", "forfeited"]

KINDS: tuple[Kind, ...] = ("standard", "bonus", "custom")
PHASES: tuple[Phase, ...] = ("open", "frozen", "final", "closed")
"""The phases in order; a tournament never goes back, except from frozen to open."""
PHASE_NAMES: dict[str, str] = {
    "open": "submissions open",
    "frozen": "submissions closed",
    "final": "final in progress",
    "closed": "finished",
}
"""The phases as people read them."""
REGULAR: Final = "season"
"""The stage of the regular rounds; stores call it "season"."""
STAGE_NAMES: dict[str, str] = {REGULAR: "regular rounds", "final": "final"}
"""The stages as people read them."""

Lineup = tuple[int, ...]
"""The submissions of a block, by their seats in its first match."""


def stage(phase: Phase) -> Stage:
    """The stage that a phase belongs to; a closed tournament's is the final."""
    return REGULAR if phase in ("open", "frozen") else "final"


def status_text(kind: str, phase: str) -> str:
    """The kind and phase of a tournament as people read them.

    >>> status_text("standard", "open"), status_text("bonus", "final"), status_text("custom", "closed")
    ('submissions open', 'additional tournament, final in progress', 'unrated, finished')
    """
    if kind == "custom" and phase != "closed":
        return "unrated"
    return {"standard": "", "bonus": "additional tournament, ", "custom": "unrated, "}[kind] + PHASE_NAMES[phase]


class Threshold(msgspec.Struct, frozen=True):
    """A submission is excluded once its failures lose at least ``games`` and more than ``share`` of its games."""

    games: int = 5
    share: float = 0.02

    def exceeded(self, failures: int, games: int) -> bool:
        """Whether this many failures in this many games are too many."""
        return failures >= self.games and failures > self.share * games

    def is_excluded(self, failures: int, games: int, playing: int) -> bool | None:
        """Whether a player will be excluded after ``playing`` more games; None if that depends on these games.

        >>> [Threshold().is_excluded(lost, 40, 4) for lost in (0, 1, 5)]
        [False, None, True]
        """
        least, most = (self.exceeded(failures + more, games + playing) for more in (0, playing))
        return least if least == most else None

    def games_until_decided(self, failures: int, games: int, playing: int) -> int:
        """How many of the ``playing`` games must end, at least, before ``is_excluded`` isn't None; 0 if it isn't now.

        >>> [Threshold().games_until_decided(lost, 40, 4) for lost in (0, 1, 4, 5)]
        [0, 1, 1, 0]
        """
        total = games + playing
        least, most = self.exceeded(failures, total), self.exceeded(failures + playing, total)
        return next(
            finished
            for finished in range(playing + 1)
            if self.exceeded(failures + playing - finished, total) == least
            or self.exceeded(failures + finished, total) == most
        )

    def sentence(self, player: str, failures: int, games: int) -> str:
        """The reason why a player is excluded; stores contain this sentence, so it must not change.

        >>> Threshold().sentence("ann", 6, 120)
        'ann is out of the tournament: it forfeited 6 of 120 games (allowed: 4, or 2 % of the games if that is more).'
        """
        return (
            f"{player} is out of the tournament: it forfeited {failures} of {games} games "
            f"(allowed: {self.games - 1}, or {100 * self.share:g} % of the games if that is more)."
        )


class EndCondition(msgspec.Struct, frozen=True):
    """When a tournament ends: once everybody has played ``deals_each`` deals, or no margin exceeds ``max_margin``.

    A margin is half the width of an interval, as a share of the wins or, in games that rank by scores, in points of the
    mean score. Older tournaments end after a total number of ``deals`` instead. If ``fills_last_seats``, nobody plays
    more than ``deals_each`` deals, and a built-in player takes the empty seats of the last deals; in older tournaments,
    some players play an extra deal to fill these seats. Stores have other names for three of the fields.
    """

    deals: int | None
    max_margin: float | None = msgspec.field(default=None, name="width")
    deals_each: int | None = msgspec.field(default=None, name="each")
    fills_last_seats: bool = msgspec.field(default=False, name="filled")


class GameCounts(msgspec.Struct, frozen=True):
    """The numbers of a submission's games in one round: played, forfeited, and still to play."""

    games: int = 0
    failures: int = 0
    playing: int = 0


class Tournament(msgspec.Struct, frozen=True):
    """One tournament, without its seeds, which are secret.  Times are UTC seconds since 1970."""

    id: int
    name: str
    game: str
    kind: Kind
    phase: Phase
    seats: int
    rules: int
    """The version of the game's rules, which every match must be played by."""
    threshold: Threshold
    limits: Limits
    """The limits of player files, in their qualification and in every match."""
    opened_at: float
    commitments: dict[str, str]
    """The SHA-256 of the seed of each stage that has one (see ``kibitz.engine.record.commitment``)."""
    goal: EndCondition | None = None
    """When the tournament ends; None if it runs until somebody stops it."""
    deadline: float | None = None
    """When submissions close; None if a person closes them."""

    def phase_at(self, now: float) -> Phase:
        """The phase at a time: from its deadline on, an open tournament is as good as frozen."""
        is_over = self.deadline is not None and self.deadline <= now
        return "frozen" if self.phase == "open" and is_over else self.phase


class Submission(msgspec.Struct, frozen=True):
    """One version of a player, without the content of its file."""

    id: int
    tournament: str
    player: str
    version: int
    owner: str
    file: str
    """The file's name (``mine.py``), the name of an archive of all files (``Ann.zip``), or a built-in player."""
    sha256: str
    """The SHA-256 of the file's bytes, packed if there are several files; empty for a built-in strategy."""
    state: State
    reason: str
    """Why it was refused, in a sentence; empty if it wasn't."""
    submitted_at: float
    settled_at: float | None
    """When it was accepted or refused."""
    account: str | None = None
    """The id of the server's account that submitted it; None for the command line."""

    @property
    def is_file(self) -> bool:
        """Whether this is a player file, not a built-in strategy."""
        return bool(self.sha256)


class Qualification(msgspec.Struct, frozen=True):
    """One check of a submission; ``report`` is a qualification's Report as JSON."""

    submission: int
    passed: bool
    report: str
    at: float


class Entrant(msgspec.Struct, frozen=True, omit_defaults=True):
    """A submission that takes part in a round."""

    submission: int
    player: str
    fills: bool = False
    """Whether it is a built-in player that only fills seats (``kibitz.arena.schedule``)."""


class Round(msgspec.Struct, frozen=True):
    """One round; ``first_block`` to ``first_block + blocks - 1`` are its blocks."""

    tournament: str
    number: int
    phase: Phase
    """The tournament's phase when the round was scheduled."""
    entrants: tuple[Entrant, ...]
    first_block: int
    blocks: int
    unplayed: int
    """Blocks that are neither played nor given up."""
    scheduled_at: float
    closed_at: float | None
    """When its disqualifications were decided; None while it is being played."""


class Extent(msgspec.Struct, frozen=True):
    """How many rounds a stage has, closed or all, and how many of their blocks and matches count."""

    rounds: int
    blocks: int
    matches: int


class Block(msgspec.Struct, frozen=True):
    """One deal and the submissions that play it."""

    tournament: str
    round: int
    number: int
    deal_seed: int
    lineup: Lineup

    def rotations(self) -> tuple[Lineup, ...]:
        """The submissions by seat, once for every rotation."""
        return tuple(self.lineup[r:] + self.lineup[:r] for r in range(len(self.lineup)))

    def match(self, rotation: int) -> int:
        """The number of the block's match in a rotation."""
        return (self.number - 1) * len(self.lineup) + rotation + 1


class Lease(msgspec.Struct, frozen=True):
    """A claim on a block until ``expires``; ``attempt`` is 1 at first, and increases by 1 with each void."""

    id: int
    """The database's own id of the block."""
    holder: str
    expires: float
    attempt: int
    block: Block
    memory: dict[int, Memory] = {}
    """What earlier attempts at the block's matches have left for the next one, by rotation."""

    def remembering(self, rotation: int, memory: Memory) -> Lease:
        """A copy of the lease with a new memory for the match of one rotation."""
        return msgspec.structs.replace(self, memory={**self.memory, rotation: memory})


class MatchInPlay(msgspec.Struct, frozen=True):
    """A match in play, as last reported; ``record`` is the record of the unfinished game, as text."""

    match: int
    record: str


class PlayedSeat(msgspec.Struct, frozen=True):
    """The result of one seat.

    ``forfeit`` is the kind of the player's failure and ``rule`` a sentence on it; both are None if it did not fail.
    ``moves`` is the number of moves before the failure. ``detail`` is a traceback or the like, and ``prints`` is what
    the player printed; only its owner may see these two.
    """

    submission: int
    score: float
    place: int
    """1 is best, ties share a place; seats that failed come last, and among them the first to fail."""
    win_share: float
    """1 for a win, 1/n for each of n seats that share the win, else 0."""
    forfeit: str | None = None
    rule: str | None = None
    moves: int | None = None
    detail: str = ""
    prints: str = ""


class PlayedMatch(msgspec.Struct, frozen=True):
    """One match as it was played."""

    rotation: int
    seats: tuple[PlayedSeat, ...]
    reason: str
    """How the game ended."""
    record: str
    """The whole record as text (``kibitz.engine.record``)."""
    tier: str
    """The name of the confinement that the player files ran in."""
    engine: str
    """The version of Kibitz that played it."""
    seconds: float

    @property
    def status(self) -> Status:
        """``forfeited`` if any seat has forfeited, else ``finished``; neither excludes a submission by itself."""
        return "forfeited" if any(seat.forfeit for seat in self.seats) else "finished"


class SeatResult(msgspec.Struct, frozen=True):
    """One seat of a result; most of its fields are those of ``PlayedSeat``."""

    submission: int
    player: str
    version: int
    score: float
    place: int
    win_share: float
    forfeit: str | None
    rule: str | None
    fills: bool = False
    """Whether the seat was filled by a built-in player (``kibitz.arena.schedule``)."""


class MatchResult(msgspec.Struct, frozen=True):
    """One rated match.  Matches with the same ``block`` have the same deal, so they form a cluster."""

    tournament: str
    phase: Phase
    round: int
    block: int
    match: int
    rotation: int
    deal_seed: int
    status: Status
    seats: tuple[SeatResult, ...]
    tier: str
    engine: str


class Failure(msgspec.Struct, frozen=True):
    """One game that a submission forfeited, with details for its owner."""

    tournament: str
    phase: Phase
    round: int
    match: int
    deal_seed: int
    submission: int
    player: str
    version: int
    seat: int
    kind: str
    rule: str
    moves: int
    detail: str
    prints: str


class Void(msgspec.Struct, frozen=True):
    """A match that a machine failed to play, and why; the block was played again or given up."""

    tournament: str
    round: int
    block: int
    match: int
    attempt: int
    cause: str
    holder: str
    at: float
    given_up: bool
    """Whether the block was given up after this attempt."""


class Disqualification(msgspec.Struct, frozen=True):
    """A submission that was excluded from its tournament at the end of a round, and why."""

    tournament: str
    round: int
    submission: int
    player: str
    version: int
    games: int
    failures: int
    reason: str


class Withdrawal(msgspec.Struct, frozen=True):
    """The withdrawal of a player: its versions up to ``version`` play no more rounds."""

    tournament: str
    submission: int
    player: str
    version: int
    at: float


class Refusal(msgspec.Struct, frozen=True):
    """A file that was refused before it became a version, with the reason."""

    tournament: str
    number: int
    """The refusals of a tournament are numbered from 1."""
    player: str
    owner: str
    file: str
    reason: str
    at: float


class RosterEntry(msgspec.Struct, frozen=True):
    """A player on the roster: its owner, and the owner's number on a learning platform (may be empty)."""

    player: str
    owner: str
    number: str = ""


NextRound = Callable[[int, int, int, Sequence[Entrant], Sequence[MatchResult]], Sequence[Lineup]]
"""``next_round(seed, number, seats, entrants, results)``: the lineups of a round's blocks, in order.

A pure function: ``number`` is the number of the round, ``entrants`` are sorted by player name, ``results`` are those of
the same stage's closed rounds in order of match. An empty list means that nothing is left to play.
"""
