"""Proves a tournament: nobody chose the cards, the store is intact, and matches replay identically.

    commitment  the SHA-256 of a stage's secret seed, public from the beginning of the stage
    stage seed  a stage's commitment and, once it is published, its seed: that of the regular rounds when the final
                begins, and that of the final when the tournament is finished, since no more deals come from it then
    proof       one statement about a tournament that was checked, and whether it holds
    replay      a match played again from its files, deal and seating alone, to compare it with its stored record

The seed of the final is drawn only when the final begins, after the last submission.  So nobody can have written a
player for the cards of the final, not even the people who run the arena.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from secrets import randbelow

import msgspec

from kibitz import __version__
from kibitz.arena.model import REGULAR, STAGE_NAMES, MatchResult, NextRound, Stage, Tournament, stage
from kibitz.arena.proof import chain, tournament_checks
from kibitz.arena.proof.checks import (
    UNREADABLE,
    AnyRow,
    CheckGroup,
    Mismatch,
    Problem,
    RoundData,
    Verbatim,
    find_mismatches,
    read_round,
    read_tournament,
)
from kibitz.arena.running.blocks import rated_match
from kibitz.arena.running.runner import file_of
from kibitz.arena.season_reports import match_name
from kibitz.arena.store import Store, log
from kibitz.database import damage
from kibitz.engine import record
from kibitz.engine.registry import game as find_game
from kibitz.engine.sentences import counted
from kibitz.errors import StoreError

STAGES: tuple[Stage, ...] = (REGULAR, "final")
PUBLISHED: dict[Stage, tuple[str, ...]] = {REGULAR: ("final", "closed"), "final": ("closed",)}
"""The phases in which a stage's seed is public."""

MAX_REPORTED = 10
"""The maximum number of errors that are reported for one group."""

READABLE = Verbatim("rows that can be understood")

Progress = Callable[[int, int], object]


class StageSeed(msgspec.Struct, frozen=True):
    """A stage's commitment, and its seed (None until it is published)."""

    stage: Stage
    commitment: str
    seed: int | None


class Proof(msgspec.Struct, frozen=True):
    """One statement that was checked; if it is false, ``why`` says what is wrong and ``check`` names the check."""

    ok: bool
    what: str
    why: str = ""
    check: str = ""

    @property
    def sentence(self) -> str:
        """The statement and the reason in one sentence."""
        return f"{self.what}: {self.why}" if self.why else f"{self.what}."


def stage_seeds(store: Store, tournament: Tournament) -> tuple[StageSeed, ...]:
    """The commitments of the stages that have begun, with the seeds that are published."""
    return tuple(
        StageSeed(
            part,
            tournament.commitments[part],
            store.seed(tournament.name, part) if tournament.phase in PUBLISHED[part] else None,
        )
        for part in STAGES
        if part in tournament.commitments
    )


def proofs(
    store: Store,
    tournament: Tournament,
    next_round: NextRound,
    progress: Progress | None = None,
    published: Sequence[str] = (),
) -> Iterator[Proof]:
    """Recompute a tournament from records, files, seeds and log, and compare it with the store.

    ``progress`` is called with (rows and records checked, rows and records to check); ``published`` are hashes of
    the log that were published. If the store is damaged, only its damage is reported.
    """
    report_progress = progress or (lambda checked, total: None)
    rows, records = store.database.reading(lambda c: damage.row_counts(c, tournament.id))
    damage_errors = damage_proofs(store, lambda done: report_progress(done, rows + records))
    yield from damage_errors or [Proof(True, f"The store's tables, files and records are undamaged ({rows:,} rows)")]
    if not damage_errors:
        proof = TournamentProof(
            store, tournament, next_round, lambda done: report_progress(rows + done, rows + records)
        )
        yield from proof.all(published)


def damage_proofs(store: Store, progress: Callable[[int], object]) -> list[Proof]:
    """The damage in the whole store, as statements that failed; ``progress`` is called with the rows checked."""
    damages = store.database.reading(lambda c: list(damage.all_damage(c, progress)))
    proofs_shown = [Proof(False, "The store is damaged", f"{damage}.", "damage") for damage in damages[:MAX_REPORTED]]
    if len(damages) > MAX_REPORTED:
        proofs_shown.append(
            Proof(False, "The store is damaged", f"and in {len(damages) - MAX_REPORTED} more places.", "damage")
        )
    return proofs_shown


class TournamentProof:
    """The proof of one tournament; ``progress`` is called with the number of records checked."""

    def __init__(
        self, store: Store, tournament: Tournament, next_round: NextRound, progress: Callable[[int], object]
    ) -> None:
        self.store, self.next_round, self.progress = store, next_round, progress
        self.tournament = tournament
        self.data = read_tournament(store, tournament)
        self.derived = Counter(log.entry_text(entry) for entry in chain.tournament_entries(self.data))
        self.mismatches: dict[tuple[Stage, CheckGroup], list[Problem]] = {}
        self.states: Counter[str] = Counter()
        """The number of blocks in each state, and of voids."""
        self.matching_records = self.records = 0

    def all(self, published: Sequence[str]) -> Iterator[Proof]:
        """Check everything, and yield all statements."""
        data = self.data
        number = counted(len(data.submissions), "submission")
        entered = f"The decisions on {number} match the reports on their checks"
        if len(data.submissions) == 1:
            entered = "The decision on 1 submission matches the report on its check"
        yield from group_proofs(list(find_mismatches("entry", data)), entered)
        for row in data.rounds:
            self.check_round(row)
        for stage_seed in stage_seeds(self.store, self.tournament):
            yield from self.stage_proofs(stage_seed)
        yield from self.round_proofs("blocks", "Every block has all its matches, or none")
        records = f"{self.matching_records} of {self.records} records replay to these results"
        yield from self.round_proofs("matches", records)
        yield Proof(True, self.endings())
        number = counted(len(data.disqualifications), "submission")
        exclusions = f"All submissions that failed too often were excluded, and no others ({number})"
        yield from group_proofs(list(find_mismatches("exclusions", data)), exclusions)
        yield from self.log_proofs(published)

    def check_round(self, row: AnyRow) -> None:
        """Check a round, and record its mismatches."""
        data, this_stage = self.data, stage(row.phase)
        public = self.tournament.phase in PUBLISHED[this_stage]
        try:
            round_data = read_round(self.store, data, row)
            self.derived.update(log.entry_text(entry) for entry in chain.round_entries(round_data))
            self.record(this_stage, "schedule", find_mismatches("schedule", data, round_data, self.next_round))
            self.record(this_stage, "deals", find_mismatches("deals", data, round_data, public))
            self.record(this_stage, "blocks", find_mismatches("blocks", data, round_data))
            self.record(this_stage, "matches", self.match_mismatches(round_data))
            data.results += round_data.results(data)
        except UNREADABLE as error:
            mismatch = Mismatch("rounds", f"round {row.number}", "what it holds", Verbatim(error), READABLE)
            self.record(this_stage, "schedule", [mismatch])
            return
        self.states.update(block.state for block in round_data.blocks)
        self.states["void"] += sum(map(len, round_data.voids.values()))

    def match_mismatches(self, round_data: RoundData) -> Iterator[Problem]:
        """The mismatches in a round's matches."""
        for match in tournament_checks.played_matches(self.data, round_data):
            self.records += 1
            mismatches = [match] if isinstance(match, Mismatch) else list(find_mismatches("matches", self.data, match))
            self.matching_records += not mismatches
            self.progress(self.records)
            yield from mismatches

    def record(self, of_stage: Stage, group: CheckGroup, mismatches: Iterable[Problem]) -> None:
        """Add to the mismatches of a stage and group."""
        self.mismatches.setdefault((of_stage, group), []).extend(mismatches)

    def round_proofs(self, group: CheckGroup, statement: str) -> list[Proof]:
        """The statement about the rounds of both stages if it holds, else the group's mismatches."""
        of_both = [mismatch for of_stage in STAGES for mismatch in self.mismatches.get((of_stage, group), [])]
        return group_proofs(of_both, statement)

    def stage_proofs(self, stage_seed: StageSeed) -> Iterator[Proof]:
        """The statements about the seed, deals and rounds of a stage."""
        seed_state = "has the SHA-256 that was published" if stage_seed.seed is not None else "is still secret"
        rounds = STAGE_NAMES[stage_seed.stage]
        yield Proof(True, f"The seed of the {rounds} {seed_state}")
        rows = [row for row in self.data.rounds if stage(row.phase) == stage_seed.stage]
        deals = counted(sum(row.blocks for row in rows), "deal")
        mismatches = self.mismatches.get((stage_seed.stage, "deals"), [])
        yield from group_proofs(mismatches, f"Every deal of the {rounds} comes from the seed ({deals})")
        mismatches = self.mismatches.get((stage_seed.stage, "schedule"), [])
        round_word = "regular round" if stage_seed.stage == REGULAR else "round of the final"
        statement = f"Every {round_word} follows from the seed and the results before it"
        yield from group_proofs(mismatches, f"{statement} ({counted(len(rows), 'round')})")

    def endings(self) -> str:
        """A sentence on how many matches and blocks ended in each way."""
        results = self.data.results
        forfeited = sum(result.status == "forfeited" for result in results)
        sentence = (
            f"{len(results) - forfeited} matches are complete without a forfeit, {forfeited} with a forfeit, and "
            f"{self.states['void']} were void after a machine failure and played again"
        )
        given_up = self.states["given-up"]
        return sentence + f"; {counted(given_up, 'block')} given up for good, and not counted" * bool(given_up)

    def log_proofs(self, published: Sequence[str]) -> Iterator[Proof]:
        """The statements about the log and its published hashes."""
        log = self.data.log
        head = f"; latest hash: {log[-1].head}" if log else ""
        entries = counted(len(log), "entry", "entries")
        what = f"The log is an unbroken hash chain of {entries} and matches the store{head}"
        yield from group_proofs(list(find_mismatches("log", self.data, self.derived)), what)
        for published_hash in published:
            entry = next((row for row in log if row.head == published_hash.strip().lower()), None)
            what = f"The published hash {published_hash.strip()[:16]}..."
            if entry is None:
                yield Proof(False, what, "it isn't in the log, so something before it has changed.", "head")
            else:
                statement = f"is that of entry {entry.number} ({entry.kind}): nothing up to there has changed"
                yield Proof(True, f"{what} {statement}")


def group_proofs(mismatches: Sequence[Problem], statement: str) -> list[Proof]:
    """The first mismatches of a group, as failed statements; without mismatches, ``statement`` as one that holds."""
    errors = [Proof(False, "Wrong", mismatch.sentence, mismatch.check) for mismatch in mismatches[:MAX_REPORTED]]
    if len(mismatches) > MAX_REPORTED:
        errors.append(
            Proof(
                False,
                "Wrong",
                f"{len(mismatches) - MAX_REPORTED} more like the last one.",
                mismatches[MAX_REPORTED].check,
            )
        )
    return errors or [Proof(True, statement)]


# Replays of matches.
#
# A file may play differently each time if it reads a clock, if a limit stops its calls, or if the version of Kibitz or
# Python differs.  Otherwise a replay is always the same game.


class ReplayedMatch(msgspec.Struct, frozen=True):
    """A replayed match; ``details`` and ``prints``, by seat, are from the replay."""

    match: str
    stored: str
    replayed: str
    engine: str
    """The version of Kibitz that played it first."""
    details: tuple[str, ...]
    prints: tuple[str, ...]

    @property
    def identical(self) -> bool:
        """Whether the replay is the same game."""
        return self.stored == self.replayed

    @property
    def difference(self) -> str:
        """The first difference of the two records, as a sentence; empty if there is none."""
        if self.identical:
            return ""
        pairs = enumerate(zip(self.stored.split("\n"), self.replayed.split("\n"), strict=False), 1)
        line, (stored, replayed) = next((line, pair) for line, pair in pairs if pair[0] != pair[1])
        versions = f"; it was played by Kibitz {self.engine}, and this is {__version__}"
        hint = versions if self.engine != __version__ else ""
        return f"line {line} of the record was {stored!r} and is {replayed!r} now{hint}."


def replay(store: Store, tournament: str, match: int) -> ReplayedMatch:
    """Replay a match. Raises StoreError (missing) if it has not been played."""
    result = match_result(store, tournament, match)
    tournament_row = store.tournament(tournament)
    game = find_game(tournament_row.game)
    players = [file_of(store, seat.submission).spec(game, tournament_row.limits) for seat in result.seats]
    played = rated_match(game, result.deal_seed, players)
    stored = store.record(tournament, match)
    return ReplayedMatch(
        match_name(tournament, match), stored, record.text(played.record), result.engine, played.details, played.prints
    )


def replay_sample(store: Store, tournament: Tournament, limit: int, progress: Progress) -> Iterator[Proof]:
    """Replay up to ``limit`` matches; ``progress`` is called with (matches replayed, matches to replay).

    The matches are chosen at random from all parts of the tournament, so a forger can't know which will be replayed.
    """
    results = store.results(tournament.name)
    count = min(limit, len(results))
    differing = 0
    for number in range(count):
        start, stop = (index * len(results) // count for index in (number, number + 1))
        replayed = replay(store, tournament.name, results[start + randbelow(stop - start)].match)
        if not replayed.identical:
            differing += 1
            yield Proof(False, f"Match {replayed.match} differs when replayed", replayed.difference)
        progress(number + 1, count)
    yield Proof(not differing, f"{count - differing} of {count} replayed matches are identical to their records")


def match_result(store: Store, tournament: str, match: int) -> MatchResult:
    """One result. Raises StoreError (missing) if there is none."""
    for result in store.results(tournament):
        if result.match == match:
            return result
    raise StoreError("missing", f"the match {match_name(tournament, match)} has not been played.")
