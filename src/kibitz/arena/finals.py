"""Freezing, the final phase, and the proof that nobody chose the cards.

    seal        the SHA-256 of a stage's secret seed, which everybody may see from the stage's first moment on
    published   the seed itself, once no more deal can come from it: the season's when the final begins, the final's
                when the tournament is closed
    proof       one thing about a tournament that was looked at again, and whether it holds

The surprising rule: the final draws its seed only when it begins, after the last file is in.  Nobody can have
written a player for its cards, not even whoever runs the arena.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import msgspec

from kibitz.arena.model import Block, MatchResult, NextRound, Round, Stage, Tournament, stage
from kibitz.arena.reports import called
from kibitz.arena.schedule import deal_seed
from kibitz.arena.store import Store
from kibitz.engine import record
from kibitz.errors import RecordError

STAGES: tuple[Stage, ...] = ("season", "final")
PUBLISHED: dict[Stage, tuple[str, ...]] = {"season": ("final", "closed"), "final": ("closed",)}
"""The phases in which a stage's seed is no secret any more."""

Progress = Callable[[int, int], object]


class Seal(msgspec.Struct, frozen=True):
    """A stage's commitment, and its seed once that is published."""

    stage: Stage
    commitment: str
    seed: int | None


class Proof(msgspec.Struct, frozen=True):
    """One thing that was looked at; ``why`` says what is wrong with it."""

    ok: bool
    what: str
    why: str = ""

    @property
    def sentence(self) -> str:
        """What and why in one."""
        return f"{self.what}: {self.why}" if self.why else f"{self.what}."


def seals(store: Store, tournament: Tournament) -> tuple[Seal, ...]:
    """The seals of the stages that have begun, with the seeds that are published."""
    return tuple(
        Seal(
            part,
            tournament.commitments[part],
            store.seed(tournament.name, part) if tournament.phase in PUBLISHED[part] else None,
        )
        for part in STAGES
        if part in tournament.commitments
    )


def proofs(
    store: Store, tournament: Tournament, next_round: NextRound, progress: Progress | None = None
) -> Iterator[Proof]:
    """Look at a tournament again: seals, deals, the schedule, and every record; ``progress`` counts records."""
    for seal in seals(store, tournament):
        yield sealed(seal)
        if seal.seed is not None:
            yield dealt(store, tournament, seal)
            if tournament.kind != "custom":
                yield scheduled(store, tournament, seal, next_round)
    yield ended(store, tournament)
    yield from told(store, tournament, progress or (lambda done, of: None))


def sealed(seal: Seal) -> Proof:
    """Whether a published seed is the one that was sealed."""
    if seal.seed is None:
        return Proof(True, f"The seed of the {seal.stage} is sealed, and still secret")
    ok = record.commitment(seal.seed) == seal.commitment
    return Proof(
        ok,
        f"The seed of the {seal.stage} is the one that was sealed",
        "" if ok else f"its SHA-256 is {record.commitment(seal.seed)}, not {seal.commitment}.",
    )


def dealt(store: Store, tournament: Tournament, seal: Seal) -> Proof:
    """Whether every deal of a stage comes from its seed."""
    assert seal.seed is not None
    results = store.results(tournament.name, stage=seal.stage)
    blocks = len({result.block for result in results})
    what = f"Every deal of the {seal.stage} comes from its seed ({blocks} deal{'s' * (blocks != 1)})"
    for result in results:
        if result.deal_seed != deal_seed(seal.seed, result.block):
            return Proof(False, what, f"that of match {called(tournament.name, result.match)} does not.")
    return Proof(True, what)


def scheduled(store: Store, tournament: Tournament, seal: Seal, next_round: NextRound) -> Proof:
    """Whether every closed round of a stage is the one that its seed and the results before it give."""
    assert seal.seed is not None
    known: list[MatchResult] = []
    played = [found for found in store.rounds(tournament.name) if stage(found.phase) == seal.stage]
    closed = [found for found in played if found.closed_at is not None]
    rounds = "1 round" if len(closed) == 1 else f"{len(closed)} rounds"
    what = f"Every round of the {seal.stage} follows from its seed and the results before it ({rounds})"
    for found in closed:
        results = store.results(tournament.name, rounds=range(found.number, found.number + 1))
        wanted = next_round(seal.seed, found.number, tournament.seats, found.entrants, known)
        if sentence := differs(found, wanted, results):
            return Proof(False, what, sentence)
        known += results
    return Proof(True, what)


def differs(found: Round, wanted: Sequence[tuple[int, ...]], results: Sequence[MatchResult]) -> str:
    """How a round differs from the one that it should be, as a sentence; empty if it does not."""
    if len(wanted) != found.blocks:
        return f"round {found.number} should have {len(wanted)} blocks, not {found.blocks}."
    for result in results:
        lineup = wanted[result.block - found.first_block]
        block = Block(found.tournament, found.number, result.block, result.deal_seed, lineup)
        if tuple(seat.submission for seat in result.seats) != block.rotations()[result.rotation]:
            return f"others should have played match {called(found.tournament, result.match)}."
    return ""


def ended(store: Store, tournament: Tournament) -> Proof:
    """Whether every match of the complete rounds has ended in one of the three ways that there are."""
    results = store.results(tournament.name, closed=True)
    lost = sum(result.status == "disqualified" for result in results)
    voids = store.voids(tournament.name)
    given_up = sorted({void.block for void in voids if void.given_up})
    blocks = sum(found.blocks for found in store.rounds(tournament.name) if found.closed_at is not None)
    missing = blocks * tournament.seats - len(results) - len(given_up) * tournament.seats
    what = (
        f"{len(results) - lost} matches are finished, {lost} are finished with a disqualified seat, and "
        f"{len(voids)} were void, by a fault of a machine, and played again"
    )
    if given_up:
        what += f"; given up for good, and not counted: block {', '.join(map(str, given_up))}"
    return Proof(not missing, what, f"{missing} matches are missing." if missing else "")


def told(store: Store, tournament: Tournament, progress: Progress) -> Iterator[Proof]:
    """Whether every record tells a true game, on its match's deal and with its match's result."""
    results = store.results(tournament.name)
    untrue = 0
    for done, result in enumerate(results, 1):
        if sentence := untold(store, result):
            untrue += 1
            yield Proof(False, f"The record of match {called(tournament.name, result.match)}", sentence)
        progress(done, len(results))
    yield Proof(not untrue, f"{len(results) - untrue} of {len(results)} records tell true games with these results")


def untold(store: Store, result: MatchResult) -> str:
    """What is wrong with the record of a match, as a sentence; empty if nothing is."""
    try:
        played = record.parse(store.record(result.tournament, result.match))
    except RecordError as error:
        return str(error)
    if played.seed != result.deal_seed:
        return "it is another deal's."
    if played.outcome.scores != tuple(seat.score for seat in result.seats):
        return "its scores are not those of the result."
    failed = {forfeit.seat: forfeit.kind for forfeit in played.forfeits}
    if failed != {seat: found.forfeit for seat, found in enumerate(result.seats) if found.forfeit}:
        return "its forfeits are not those of the result."
    return ""
