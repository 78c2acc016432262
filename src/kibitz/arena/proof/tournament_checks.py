"""The checks of a tournament: its submissions, rules, rounds and results.

Every match's record must be a valid game of its deal and players, and its result must follow from the record.  A record
can't prove that the players really chose these actions; replaying the match can (``proving``).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from kibitz.arena.entry.custom_games import lineups as custom_lineups
from kibitz.arena.entry.qualification import Report
from kibitz.arena.model import GameCounts, Lineup, MatchResult, NextRound, Threshold, stage
from kibitz.arena.proof.checks import (
    AnyRow,
    Mismatch,
    RoundData,
    TournamentData,
    Verbatim,
    check,
    differences,
    lineup_of,
)
from kibitz.arena.rating.ratings import disqualification_reason
from kibitz.arena.running.blocks import places
from kibitz.arena.running.next_round import TournamentPlayers, progress_of
from kibitz.arena.schedule import seed_from, seed_of_block, seed_text
from kibitz.arena.store.participants import as_submission
from kibitz.arena.store.playing import MAX_VOIDS, storable
from kibitz.database import schema
from kibitz.database.damage import record_of
from kibitz.engine import record
from kibitz.engine.player_names import clean_name
from kibitz.engine.record import Record
from kibitz.engine.registry import game as find_game
from kibitz.errors import KibitzError, NotationError
from kibitz.players.built_in import strategies

# The tournament, its seeds, its submissions and the decisions on them.


@check("entry")
def check_game(data: TournamentData) -> Iterator[Mismatch]:
    """The tournament has its game's seats and rules."""
    game, row = find_game(data.row.game), data.row
    yield from differences(
        "tournaments", row.name, ("seats", row.seats, game.seats), ("rules", row.rules, game.rules.VERSION)
    )


@check("entry")
def check_commitments(data: TournamentData) -> Iterator[Mismatch]:
    """Every seed has the SHA-256 that was published for it; a seed that is still secret isn't shown."""
    for part, row in data.seeds.items():
        expected = record.commitment(seed_from(row.seed))
        yield from differences("seeds", f"{data.row.name}, {part}", ("commitment", row.commitment, expected))


@check("entry")
def check_versions(data: TournamentData) -> Iterator[Mismatch]:
    """The versions of a player are numbered from 1 in the order in which they came."""
    last_versions: dict[str, int] = {}
    for row in data.submissions.values():
        expected = last_versions.get(row.player, 0) + 1
        yield from differences("submissions", submission_name(row), ("version", row.version, expected))
        last_versions[row.player] = expected


@check("entry")
def check_owners(data: TournamentData) -> Iterator[Mismatch]:
    """All versions of a player have the same owner."""
    first: dict[str, str] = {}
    for row in data.submissions.values():
        owner = first.setdefault(row.player, row.owner)
        yield from differences("submissions", submission_name(row), ("owner", row.owner, owner))


@check("entry")
def check_fillers(data: TournamentData) -> Iterator[Mismatch]:
    """A player that fills seats is a built-in one of the game, under its own name, in its one version."""
    known = strategies(find_game(data.row.game))
    for row in data.submissions.values():
        if not data.is_filler(row.id):
            continue
        yield from differences(
            "submissions", submission_name(row), ("file", row.file, row.player), ("version", row.version, 1)
        )
        if row.file not in known:
            yield Mismatch(
                "submissions", submission_name(row), "file", row.file, Verbatim("a built-in player of the game")
            )


@check("entry")
def check_settled_times(data: TournamentData) -> Iterator[Mismatch]:
    """A waiting submission is not settled, and every other one is."""
    for row in data.submissions.values():
        if (row.settled_at is None) != (row.state == "waiting"):
            expected = Verbatim("no time" if row.state == "waiting" else "a time")
            yield Mismatch("submissions", submission_name(row), "settled_at", row.settled_at, expected)


@check("entry")
def check_verdicts(data: TournamentData) -> Iterator[Mismatch]:
    """A submission is accepted or refused according to its first check."""
    first_check = first_checks(data)
    for row in data.submissions.values():
        verdict = first_check.get(row.id)
        expected = "waiting" if verdict is None else "accepted" if verdict.passed else "refused"
        yield from differences("submissions", submission_name(row), ("state", row.state, expected))


@check("entry")
def check_reports(data: TournamentData) -> Iterator[Mismatch]:
    """The report on a player file of a rated tournament is about that file, and agrees with the decision."""
    for row in data.qualifications:
        submission = data.submissions[row.submission_id]
        if data.row.kind == "custom" or not submission.sha256 or (submission.state == "refused" and not row.report):
            continue
        where = f"of {submission_name(submission)}"
        try:
            report = Report.from_json(row.report)
        except NotationError:
            yield Mismatch("qualifications", where, "report", row.report, Verbatim("a report on the file"))
            continue
        yield from differences(
            "qualifications",
            where,
            ("report (game)", report.game, data.row.game),
            ("report (sha256)", report.sha256, submission.sha256),
            ("passed", bool(row.passed), report.passed),
        )


@check("entry")
def check_reasons(data: TournamentData) -> Iterator[Mismatch]:
    """A refused submission's reason is the one in its report; no other has a reason."""
    first_check = first_checks(data)
    for row in data.submissions.values():
        verdict = first_check.get(row.id)
        expected = ""
        if row.state == "refused" and verdict is not None:
            try:
                expected = Report.from_json(verdict.report).reason
            except NotationError:
                expected = row.reason
        yield from differences("submissions", submission_name(row), ("reason", row.reason, expected))


def first_checks(data: TournamentData) -> dict[int, AnyRow]:
    """By submission, its first check, which decided whether it was accepted."""
    checks: dict[int, AnyRow] = {}
    for row in data.qualifications:
        checks.setdefault(row.submission_id, row)
    return checks


def submission_name(row: AnyRow) -> str:
    """A submission as mismatches name it."""
    return f"version {row.version} of {row.player} (id {row.id})"


# Rounds and their contents: numbers, entrants, deals, lineups, the states of blocks, and exclusions.


SECRET_SEED = Verbatim("the one that its stage's seed gives")


@check("schedule")
def check_block_numbers(data: TournamentData, round_data: RoundData, next_round: NextRound) -> Iterator[Mismatch]:
    """A round's blocks continue the numbering of the round before, and are as many as it says."""
    before = data.rounds[: data.rounds.index(round_data.row)]
    first_block = "first_block", round_data.row.first_block, 1 + sum(row.blocks for row in before)
    yield from differences("rounds", f"round {round_data.row.number}", first_block)
    actual = [block.number for block in round_data.blocks]
    if not schema.are_consecutive(actual, round_data.row.first_block, round_data.row.blocks):
        expected = Verbatim(f"{round_data.row.blocks} consecutive numbers from {round_data.row.first_block}")
        yield Mismatch("blocks", f"round {round_data.row.number}", "number (of all)", actual, expected)


@check("schedule")
def check_closings(data: TournamentData, round_data: RoundData, next_round: NextRound) -> Iterator[Mismatch]:
    """Every round but the last is closed, unless there is an end condition; no round is closed with unplayed blocks.

    A block that was given up counts as played.
    """
    unplayed = sum(block.state not in ("played", "given-up") for block in round_data.blocks)
    if round_data.row.closed_at is None and round_data.row is not data.rounds[-1] and data.tournament.goal is None:
        yield Mismatch("rounds", f"round {round_data.row.number}", "closed_at", None, Verbatim("a time"))
    if round_data.row.closed_at is not None and unplayed:
        expected = Verbatim(f"nothing while {unplayed} of its blocks are not played")
        yield Mismatch("rounds", f"round {round_data.row.number}", "closed_at", round_data.row.closed_at, expected)


@check("schedule")
def check_lineups(data: TournamentData, round_data: RoundData, next_round: NextRound) -> Iterator[Mismatch]:
    """A round's lineups follow from its stage's seed, its number, its entrants and the results before it."""
    seed, seats = data.seed(round_data.row), data.row.seats
    if data.tournament.goal is not None:
        expected = expected_lineups(data, round_data)
    elif data.row.kind == "custom":
        expected = custom_lineups(
            sorted(entrant.submission for entrant in round_data.entrants), seats, len(round_data.blocks), seed
        )
    else:
        expected = list(
            next_round(seed, round_data.row.number, seats, round_data.entrants, results_before(data, round_data))
        )
    blocks = "blocks", round_data.row.blocks, len(expected)
    yield from differences("rounds", f"round {round_data.row.number}", blocks)
    for block, lineup in zip(round_data.blocks, expected, strict=False):
        yield from differences("blocks", f"block {block.number}", ("lineup", list(lineup_of(block)), list(lineup)))


def expected_lineups(data: TournamentData, round_data: RoundData) -> list[Lineup]:
    """The lineups of a round of a tournament with an end condition, from the results before it."""
    players = TournamentPlayers(data.row.game, [as_submission(row, data.row.name) for row in data.submissions.values()])
    progress = progress_of(data.tournament, players, data.seed(round_data.row))
    for number in range(1, 1 + data.rounds.index(round_data.row)):
        progress.next_round()
        progress.count(
            number,
            counts_after(progress.rounds[-1], players, [result for result in data.results if result.round == number]),
        )
        progress.results = [players.result(result, {}) for result in data.results if result.round <= number]
    return [tuple(players.submissions[player] for player in lineup) for lineup in progress.next_round()]


def counts_after(
    playing: Mapping[int, GameCounts], players: TournamentPlayers, results: Sequence[MatchResult]
) -> dict[int, GameCounts]:
    """The counts of a round after these results; ``playing`` are its counts before any game."""
    counts = dict(playing)
    for seat in (seat for result in results for seat in result.seats):
        player, lost = players.numbers[seat.submission], seat.forfeit is not None
        count = counts[player]
        counts[player] = GameCounts(count.games + 1, count.failures + lost, count.playing - 1)
    return counts


def results_before(data: TournamentData, round_data: RoundData) -> list[MatchResult]:
    """The results that a round's pairing was based on: the results of earlier rounds of its stage."""
    this_stage = stage(round_data.row.phase)
    return [
        result for result in data.results if stage(result.phase) == this_stage and result.round < round_data.row.number
    ]


@check("deals")
def check_deals(data: TournamentData, round_data: RoundData, public: bool) -> Iterator[Mismatch]:
    """Every deal comes from its stage's seed; the right value is shown once the seed is ``public``."""
    seed = data.seed(round_data.row)
    for block in round_data.blocks:
        expected = seed_text(seed_of_block(seed, block.number, data.tournament.goal))
        if block.deal_seed != expected:
            actual = block.deal_seed if public else Verbatim("another")
            yield Mismatch("blocks", f"block {block.number}", "deal_seed", actual, expected if public else SECRET_SEED)


@check("blocks")
def check_block_tournaments(data: TournamentData, round_data: RoundData) -> Iterator[Mismatch]:
    """A block belongs to the tournament of its round."""
    for block in round_data.blocks:
        tournament = "tournament_id", block.tournament_id, data.row.id
        yield from differences("blocks", f"block {block.number}", tournament)


@check("blocks")
def check_match_counts(data: TournamentData, round_data: RoundData) -> Iterator[Mismatch]:
    """A played block has all its matches, and every other block has none."""
    for block in round_data.blocks:
        count = data.row.seats if block.state == "played" else 0
        actual = [match.rotation for match in round_data.matches_of(block)]
        if not schema.are_consecutive(actual, 0, count):
            expected = Verbatim(f"{count} consecutive numbers from 0")
            yield Mismatch("matches", f"block {block.number} ({block.state})", "rotation (of all)", actual, expected)


@check("blocks")
def check_seat_counts(data: TournamentData, round_data: RoundData) -> Iterator[Mismatch]:
    """A match has all its seats, and there are no seats without a match."""
    number = {block.id: block.number for block in round_data.blocks}
    for key in sorted({*round_data.matches, *round_data.seats}):
        actual = [seat.seat for seat in round_data.seats.get(key, [])]
        count = data.row.seats if key in round_data.matches else 0
        if not schema.are_consecutive(actual, 0, count):
            where = f"block {number[key[0]]}, rotation {key[1]}"
            yield Mismatch("seats", where, "seat (of all)", actual, Verbatim(f"{count} consecutive numbers from 0"))


@check("blocks")
def check_voids(data: TournamentData, round_data: RoundData) -> Iterator[Mismatch]:
    """A block has as many void attempts (the machine failed) as its row says, numbered from 1."""
    for block in round_data.blocks:
        actual = [row.attempt for row in round_data.voids.get(block.id, [])]
        if not schema.are_consecutive(actual, 1, block.voids):
            expected = Verbatim(f"1 to {block.voids}, as many as the block says")
            yield Mismatch("voids", f"block {block.number}", "attempt (of all)", actual, expected)


@check("blocks")
def check_given_up(data: TournamentData, round_data: RoundData) -> Iterator[Mismatch]:
    """A block is given up after the allowed number of void attempts, and never before."""
    for block in round_data.blocks:
        if (block.state == "given-up") != (block.voids >= MAX_VOIDS):
            expected = Verbatim("given-up" if block.voids >= MAX_VOIDS else "another")
            yield Mismatch("blocks", f"block {block.number} ({block.voids} voids)", "state", block.state, expected)


@check("exclusions")
def check_disqualifications(data: TournamentData) -> Iterator[Mismatch]:
    """A submission is excluded at the end of the round in which it has too many failures, or never."""
    numbers = {row.id: row.number for row in data.rounds}
    all_expected = expected_disqualifications(data)
    all_actual = {
        row.submission_id: (numbers[row.round_id], row.games, row.failures, row.reason)
        for row in data.disqualifications
    }
    for submission in sorted({*all_expected, *all_actual}):
        row_name = f"{data.player(submission)} (id {submission})"
        expected, actual = all_expected.get(submission), all_actual.get(submission)
        if expected is None or actual is None:
            missing, present = Verbatim("missing"), Verbatim("there")
            values = (missing, present) if actual is None else (present, missing)
            yield Mismatch("disqualifications", row_name, "the row", *values)
            continue
        columns = ("round_id", "games", "failures", "reason")
        yield from differences("disqualifications", row_name, *zip(columns, actual, expected, strict=True))


def expected_disqualifications(data: TournamentData) -> dict[int, tuple[int, int, int, str]]:
    """The exclusions that follow from the results: by submission, the round, games, failures and reason."""
    excluded: dict[int, tuple[int, int, int, str]] = {}
    if data.row.kind == "custom" and data.tournament.goal is None:
        return excluded
    threshold = Threshold(data.row.threshold_games, data.row.threshold_share)
    games: Counter[int] = Counter()
    failures: Counter[int] = Counter()
    closed = [row.number for row in data.rounds if row.closed_at is not None]
    for number in closed:
        for seat in (seat for result in data.results if result.round == number for seat in result.seats):
            games[seat.submission] += 1
            failures[seat.submission] += seat.forfeit is not None
        for submission, lost in failures.items():
            if submission not in excluded and threshold.exceeded(lost, games[submission]):
                row = data.submissions[submission]
                reason = disqualification_reason(row.player, row.version, lost, games[submission], threshold)
                excluded[submission] = (number, games[submission], lost, reason)
    return excluded


# Matches.


@dataclass
class PlayedMatch:
    """A match with its parsed record (``record``); ``lineup`` has the submissions that should have played, by seat."""

    row: AnyRow
    block: AnyRow
    seats: list[AnyRow]
    lineup: tuple[int, ...]
    number: int
    record: Record

    @property
    def name(self) -> str:
        """The match as mismatches name it."""
        return f"match {self.number} (block {self.block.number}, rotation {self.row.rotation})"

    def compared_seat(self, seat: int, *values: tuple[str, object, object]) -> Iterator[Mismatch]:
        """The mismatches in the row of a seat."""
        return differences("seats", f"{self.name}, seat {seat}", *values)


def played_matches(data: TournamentData, round_data: RoundData) -> Iterator[PlayedMatch | Mismatch]:
    """The matches of a round with their records; a mismatch in place of a match whose record isn't a valid game."""
    for block in round_data.blocks:
        lineup = lineup_of(block)
        for row in round_data.matches_of(block):
            rotation = row.rotation
            number = (block.number - 1) * data.row.seats + rotation + 1
            try:
                played = record.parse(record_of(row))
            except KibitzError as error:
                where = f"match {number} (block {block.number}, rotation {rotation})"
                expected = Verbatim(f"the record of a valid game: {error}".rstrip("."))
                yield Mismatch("matches", where, "record", Verbatim("no record"), expected, "check_records")
                continue
            seat_rows = round_data.seats.get((block.id, rotation), [])
            yield PlayedMatch(row, block, seat_rows, lineup[rotation:] + lineup[:rotation], number, played)


@check("matches")
def check_record_game(data: TournamentData, match: PlayedMatch) -> Iterator[Mismatch]:
    """The record is of the tournament's game."""
    return differences("matches", match.name, ("record (game)", match.record.game, data.row.game))


@check("matches")
def check_record_deal(data: TournamentData, match: PlayedMatch) -> Iterator[Mismatch]:
    """The record is of its block's deal."""
    return differences("matches", match.name, ("record (seed)", match.record.seed, seed_from(match.block.deal_seed)))


@check("matches")
def check_record_players(data: TournamentData, match: PlayedMatch) -> Iterator[Mismatch]:
    """The record names the players of the lineup, by seat."""
    expected = [clean_name(data.player(submission)) for submission in match.lineup]
    return differences("matches", match.name, ("record (seats)", list(match.record.seats), expected))


@check("matches")
def check_record_notes(data: TournamentData, match: PlayedMatch) -> Iterator[Mismatch]:
    """A record has no notes, since nobody at the table could add one."""
    if match.record.notes:
        yield Mismatch("matches", match.name, "record (note)", match.record.notes[0], Verbatim("none"))


@check("matches")
def check_seat_lineups(data: TournamentData, match: PlayedMatch) -> Iterator[Mismatch]:
    """The seats are those of the lineup in this rotation."""
    for seat, (row, expected) in enumerate(zip(match.seats, match.lineup, strict=False)):
        yield from match.compared_seat(seat, ("submission_id", row.submission_id, expected))


@check("matches")
def check_scores(data: TournamentData, match: PlayedMatch) -> Iterator[Mismatch]:
    """The scores are the record's."""
    for seat, (row, expected) in enumerate(zip(match.seats, match.record.outcome.scores, strict=False)):
        yield from match.compared_seat(seat, ("score", row.score, expected))


@check("matches")
def check_places(data: TournamentData, match: PlayedMatch) -> Iterator[Mismatch]:
    """The places follow from the record's scores, winners and forfeits."""
    expected = places(match.record.outcome, match.record.forfeits)
    for seat, (row, place) in enumerate(zip(match.seats, expected, strict=False)):
        yield from match.compared_seat(seat, ("place", row.place, place))


@check("matches")
def check_win_shares(data: TournamentData, match: PlayedMatch) -> Iterator[Mismatch]:
    """The winners share the win, and other seats have no part of it."""
    winners = match.record.outcome.winners
    for seat, row in enumerate(match.seats):
        expected = 1 / len(winners) if seat in winners else 0.0
        yield from match.compared_seat(seat, ("win_share", row.win_share, expected))


@check("matches")
def check_failures(data: TournamentData, match: PlayedMatch) -> Iterator[Mismatch]:
    """The kind, rule and step of every failure are the record's."""
    failed = {forfeit.seat: forfeit for forfeit in match.record.forfeits}
    for seat, row in enumerate(match.seats):
        forfeit = failed.get(seat)
        expected = (forfeit.kind, storable(forfeit.sentence), forfeit.moves) if forfeit else (None, None, None)
        actual = (row.forfeit, row.rule, row.moves)
        yield from match.compared_seat(seat, *zip(("forfeit", "rule", "moves"), actual, expected, strict=True))


@check("matches")
def check_endings(data: TournamentData, match: PlayedMatch) -> Iterator[Mismatch]:
    """The match ended as its record says."""
    return differences("matches", match.name, ("reason", match.row.reason, match.record.outcome.reason))
