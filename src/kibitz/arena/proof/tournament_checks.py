"""The checks of a tournament: who takes part, by which rules, in which rounds, with what results.

Every match's record must be a true game of its deal and players, and its result must follow from that.  A record can't
prove that the players did choose these actions; replaying the match can (``proving``).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from kibitz.arena.entry.custom_games import lineups as custom_lineups
from kibitz.arena.entry.qualification import Report
from kibitz.arena.model import Count, Lineup, MatchResult, NextRound, Threshold, stage
from kibitz.arena.proof.checks import AnyRow, Mismatch, RoundData, TournamentData, Verbatim, check, lineup_of
from kibitz.arena.rating.ratings import disqualification_reason
from kibitz.arena.running.blocks import places
from kibitz.arena.running.next_round import NumberedPlayers, progress_of
from kibitz.arena.schedule import seed_from, seed_of_block, seed_text
from kibitz.arena.store.participants import as_submission
from kibitz.arena.store.playing import MAX_VOIDS, storable
from kibitz.database import schema
from kibitz.database.damage import record_of
from kibitz.engine import record
from kibitz.engine.player_names import clean_name
from kibitz.engine.registry import game as find_game
from kibitz.errors import KibitzError, NotationError
from kibitz.players.built_in import strategies

# The tournament, its seeds, its submissions and their verdicts.


@check("entry")
def the_games_rules(data: TournamentData) -> Iterator[Mismatch]:
    """The tournament has its game's seats and rules."""
    game = find_game(data.row.game)
    for column, wanted in (("seats", game.seats), ("rules", game.rules.VERSION)):
        if getattr(data.row, column) != wanted:
            yield Mismatch("tournaments", f"{data.row.name}", column, getattr(data.row, column), wanted)


@check("entry")
def sealed_seeds(data: TournamentData) -> Iterator[Mismatch]:
    """Every seed is the one that was sealed; a secret one is not shown."""
    for part, row in data.seeds.items():
        wanted = record.commitment(seed_from(row.seed))
        if row.commitment != wanted:
            yield Mismatch("seeds", f"{data.row.name}, {part}", "commitment", row.commitment, wanted)


@check("entry")
def versions(data: TournamentData) -> Iterator[Mismatch]:
    """The versions of a player are numbered from 1 in the order in which they came."""
    seen: dict[str, int] = {}
    for row in data.submissions.values():
        wanted = seen.get(row.player, 0) + 1
        if row.version != wanted:
            yield Mismatch("submissions", submission_name(row), "version", row.version, wanted)
        seen[row.player] = wanted


@check("entry")
def owners(data: TournamentData) -> Iterator[Mismatch]:
    """All versions of a player have the same owner."""
    first: dict[str, str] = {}
    for row in data.submissions.values():
        if first.setdefault(row.player, row.owner) != row.owner:
            yield Mismatch("submissions", submission_name(row), "owner", row.owner, first[row.player])


@check("entry")
def fillers(data: TournamentData) -> Iterator[Mismatch]:
    """A player that fills seats is a built-in one of the game, under its own name, in its one version."""
    known = strategies(find_game(data.row.game))
    for row in data.submissions.values():
        if not data.fills(row.id):
            continue
        for column, actual, wanted in (("file", row.file, row.player), ("version", row.version, 1)):
            if actual != wanted:
                yield Mismatch("submissions", submission_name(row), column, actual, wanted)
        if row.file not in known:
            yield Mismatch(
                "submissions", submission_name(row), "file", row.file, Verbatim("a built-in player of the game")
            )


@check("entry")
def settled(data: TournamentData) -> Iterator[Mismatch]:
    """A waiting submission is not settled, and every other one is."""
    for row in data.submissions.values():
        if (row.settled_at is None) != (row.state == "waiting"):
            wanted = Verbatim("no moment" if row.state == "waiting" else "a moment")
            yield Mismatch("submissions", submission_name(row), "settled_at", row.settled_at, wanted)


@check("entry")
def verdicts(data: TournamentData) -> Iterator[Mismatch]:
    """A submission is accepted or refused as its first check says."""
    tries = first_checks(data)
    for row in data.submissions.values():
        verdict = tries.get(row.id)
        wanted = "waiting" if verdict is None else "accepted" if verdict.passed else "refused"
        if row.state != wanted:
            yield Mismatch("submissions", submission_name(row), "state", row.state, wanted)


@check("entry")
def reports(data: TournamentData) -> Iterator[Mismatch]:
    """The report on a player file of a rated tournament is about that file, and agrees with the decision."""
    for row in data.qualifications:
        one = data.submissions[row.submission_id]
        if data.row.kind == "custom" or not one.sha256 or (one.state == "refused" and not row.report):
            continue
        where = f"of {submission_name(one)}"
        try:
            found = Report.from_json(row.report)
        except NotationError:
            yield Mismatch("qualifications", where, "report", row.report, Verbatim("a report on the file"))
            continue
        for column, actual, wanted in (
            ("report (game)", found.game, data.row.game),
            ("report (sha256)", found.sha256, one.sha256),
            ("passed", bool(row.passed), found.passed),
        ):
            if actual != wanted:
                yield Mismatch("qualifications", where, column, actual, wanted)


@check("entry")
def reasons(data: TournamentData) -> Iterator[Mismatch]:
    """A refused submission's reason is the one in its report; no other has a reason."""
    tries = first_checks(data)
    for row in data.submissions.values():
        verdict = tries.get(row.id)
        wanted = ""
        if row.state == "refused" and verdict is not None:
            try:
                wanted = Report.from_json(verdict.report).reason
            except NotationError:
                wanted = row.reason
        if row.reason != wanted:
            yield Mismatch("submissions", submission_name(row), "reason", row.reason, wanted)


def first_checks(data: TournamentData) -> dict[int, AnyRow]:
    """The check by which each submission was settled."""
    found: dict[int, AnyRow] = {}
    for row in data.qualifications:
        found.setdefault(row.submission_id, row)
    return found


def submission_name(row: AnyRow) -> str:
    """The name of a submission for people."""
    return f"version {row.version} of {row.player} (id {row.id})"


# Rounds and their contents: numbers, entrants, deals, lineups, the states of blocks, and who is out.


SECRET_SEED = Verbatim("the one that its stage's seed gives")


@check("schedule")
def first_blocks(data: TournamentData, round_data: RoundData, next_round: NextRound) -> Iterator[Mismatch]:
    """A round's blocks continue the numbering of the round before, and are as many as it says."""
    before = data.rounds[: data.rounds.index(round_data.row)]
    wanted = 1 + sum(row.blocks for row in before)
    if round_data.row.first_block != wanted:
        yield Mismatch("rounds", f"round {round_data.row.number}", "first_block", round_data.row.first_block, wanted)
    actual = [block.number for block in round_data.blocks]
    if not schema.are_consecutive(actual, round_data.row.first_block, round_data.row.blocks):
        expected = Verbatim(f"{round_data.row.blocks} on from {round_data.row.first_block}")
        yield Mismatch("blocks", f"round {round_data.row.number}", "number (of all)", actual, expected)


@check("schedule")
def closings(data: TournamentData, round_data: RoundData, next_round: NextRound) -> Iterator[Mismatch]:
    """A round is closed before the next one, unless there is an end condition, and after its blocks are settled."""
    left = sum(block.state not in ("played", "given-up") for block in round_data.blocks)
    if round_data.row.closed_at is None and round_data.row is not data.rounds[-1] and data.tournament.goal is None:
        yield Mismatch("rounds", f"round {round_data.row.number}", "closed_at", None, Verbatim("a moment"))
    if round_data.row.closed_at is not None and left:
        words = Verbatim(f"nothing while {left} of its blocks are not played")
        yield Mismatch("rounds", f"round {round_data.row.number}", "closed_at", round_data.row.closed_at, words)


@check("schedule")
def lineups(data: TournamentData, round_data: RoundData, next_round: NextRound) -> Iterator[Mismatch]:
    """A round's lineups follow from its stage's seed, its number, its entrants and the results before it."""
    seed, seats = data.seed(round_data.row), data.row.seats
    if data.tournament.goal is not None:
        wanted = expected_lineups(data, round_data)
    elif data.row.kind == "custom":
        wanted = custom_lineups(
            sorted(one.submission for one in round_data.entrants), seats, len(round_data.blocks), seed
        )
    else:
        wanted = list(
            next_round(seed, round_data.row.number, seats, round_data.entrants, results_before(data, round_data))
        )
    if len(wanted) != round_data.row.blocks:
        yield Mismatch("rounds", f"round {round_data.row.number}", "blocks", round_data.row.blocks, len(wanted))
    for block, lineup in zip(round_data.blocks, wanted, strict=False):
        if lineup_of(block) != tuple(lineup):
            yield Mismatch("blocks", f"block {block.number}", "lineup", list(lineup_of(block)), list(lineup))


def expected_lineups(data: TournamentData, round_data: RoundData) -> list[Lineup]:
    """The lineups of a round of a tournament with an end condition, from all that was played before it."""
    field = NumberedPlayers(data.row.game, [as_submission(row, data.row.name) for row in data.submissions.values()])
    progress = progress_of(data.tournament, field, data.seed(round_data.row))
    for number in range(1, 1 + data.rounds.index(round_data.row)):
        progress.next_round()
        progress.count(
            number, counts_after(progress.rounds[-1], field, [one for one in data.results if one.round == number])
        )
        progress.results = [field.result(one, {}) for one in data.results if one.round <= number]
    return [tuple(field.submissions[player] for player in lineup) for lineup in progress.next_round()]


def counts_after(
    playing: Mapping[int, Count], field: NumberedPlayers, results: Sequence[MatchResult]
) -> dict[int, Count]:
    """The counts of a round with this much to play, once these results are in."""
    found = dict(playing)
    for seat in (seat for one in results for seat in one.seats):
        player, lost = field.numbers[seat.submission], seat.forfeit is not None
        one = found[player]
        found[player] = Count(one.games + 1, one.failures + lost, one.playing - 1)
    return found


def results_before(data: TournamentData, round_data: RoundData) -> list[MatchResult]:
    """The results that a round's pairing was based on: those of the earlier rounds of its stage."""
    this = stage(round_data.row.phase)
    return [one for one in data.results if stage(one.phase) == this and one.round < round_data.row.number]


@check("deals")
def deals(data: TournamentData, round_data: RoundData, public: bool) -> Iterator[Mismatch]:
    """Every deal comes from its stage's seed; what it should be is shown once the seed is ``public``."""
    seed = data.seed(round_data.row)
    for block in round_data.blocks:
        wanted = seed_text(seed_of_block(seed, block.number, data.tournament.goal))
        if block.deal_seed != wanted:
            actual = block.deal_seed if public else Verbatim("another")
            yield Mismatch("blocks", f"block {block.number}", "deal_seed", actual, wanted if public else SECRET_SEED)


@check("blocks")
def owned(data: TournamentData, round_data: RoundData) -> Iterator[Mismatch]:
    """A block belongs to the tournament of its round."""
    for block in round_data.blocks:
        if block.tournament_id != data.row.id:
            yield Mismatch("blocks", f"block {block.number}", "tournament_id", block.tournament_id, data.row.id)


@check("blocks")
def all_or_nothing(data: TournamentData, round_data: RoundData) -> Iterator[Mismatch]:
    """A block that is played has all its matches, every other one none."""
    for block in round_data.blocks:
        wanted = data.row.seats if block.state == "played" else 0
        actual = [match.rotation for match in round_data.matches_of(block)]
        if not schema.are_consecutive(actual, 0, wanted):
            expected = Verbatim(f"{wanted} on from 0")
            yield Mismatch("matches", f"block {block.number} ({block.state})", "rotation (of all)", actual, expected)


@check("blocks")
def full_tables(data: TournamentData, round_data: RoundData) -> Iterator[Mismatch]:
    """A match has all its seats, and there are no seats without a match."""
    number = {block.id: block.number for block in round_data.blocks}
    for key in sorted({*round_data.matches, *round_data.seats}):
        actual = [seat.seat for seat in round_data.seats.get(key, [])]
        wanted = data.row.seats if key in round_data.matches else 0
        if not schema.are_consecutive(actual, 0, wanted):
            where = f"block {number[key[0]]}, rotation {key[1]}"
            yield Mismatch("seats", where, "seat (of all)", actual, Verbatim(f"{wanted} on from 0"))


@check("blocks")
def void_attempts(data: TournamentData, round_data: RoundData) -> Iterator[Mismatch]:
    """A block has as many voids as it says, for attempts that are numbered from 1."""
    for block in round_data.blocks:
        actual = [row.attempt for row in round_data.voids.get(block.id, [])]
        if not schema.are_consecutive(actual, 1, block.voids):
            wanted = Verbatim(f"1 to {block.voids}, as many as the block says")
            yield Mismatch("voids", f"block {block.number}", "attempt (of all)", actual, wanted)


@check("blocks")
def given_up(data: TournamentData, round_data: RoundData) -> Iterator[Mismatch]:
    """A block is given up after the allowed number of voids, and never before."""
    for block in round_data.blocks:
        if (block.state == "given-up") != (block.voids >= MAX_VOIDS):
            wanted = Verbatim("given-up" if block.voids >= MAX_VOIDS else "another")
            yield Mismatch("blocks", f"block {block.number} ({block.voids} voids)", "state", block.state, wanted)


@check("out")
def disqualifications(data: TournamentData) -> Iterator[Mismatch]:
    """A submission is excluded at the end of the round by which it has lost too many games by failures, or never."""
    numbers = {row.id: row.number for row in data.rounds}
    wanted = expected_disqualifications(data)
    actual = {row.submission_id: (numbers[row.round_id], row.games, row.failures, row.reason) for row in data.out}
    for submission in sorted({*wanted, *actual}):
        theirs = f"{data.player(submission)} (id {submission})"
        expected, found = wanted.get(submission), actual.get(submission)
        if expected is None or found is None:
            there = (
                (Verbatim("missing"), Verbatim("there")) if found is None else (Verbatim("there"), Verbatim("missing"))
            )
            yield Mismatch("disqualifications", theirs, "the row", *there)
            continue
        for column, one, other in zip(("round_id", "games", "failures", "reason"), found, expected, strict=True):
            if one != other:
                yield Mismatch("disqualifications", theirs, column, one, other)


def expected_disqualifications(data: TournamentData) -> dict[int, tuple[int, int, int, str]]:
    """The exclusions that follow from the results: by submission, the round, games, failures and reason."""
    found: dict[int, tuple[int, int, int, str]] = {}
    if data.row.kind == "custom" and data.tournament.goal is None:
        return found
    threshold = Threshold(data.row.threshold_games, data.row.threshold_share)
    games: Counter[int] = Counter()
    failures: Counter[int] = Counter()
    closed = [row.number for row in data.rounds if row.closed_at is not None]
    for number in closed:
        for seat in (seat for result in data.results if result.round == number for seat in result.seats):
            games[seat.submission] += 1
            failures[seat.submission] += seat.forfeit is not None
        for submission, lost in failures.items():
            if submission not in found and threshold.exceeded(lost, games[submission]):
                row = data.submissions[submission]
                reason = disqualification_reason(row.player, row.version, lost, games[submission], threshold)
                found[submission] = (number, games[submission], lost, reason)
    return found


# Matches.


@dataclass
class Game:
    """A match with its record: ``lineup`` are the submissions that should have played it, by seat."""

    row: AnyRow
    block: AnyRow
    seats: list[AnyRow]
    lineup: tuple[int, ...]
    match: int
    played: record.Record

    @property
    def called(self) -> str:
        """The name of the match for people."""
        return f"match {self.match} (block {self.block.number}, rotation {self.row.rotation})"

    def wrong(self, column: str, seat: int, actual: object, expected: object) -> Mismatch:
        """An error about a seat."""
        return Mismatch("seats", f"{self.called}, seat {seat}", column, actual, expected)


def games(data: TournamentData, round_data: RoundData) -> Iterator[Game | Mismatch]:
    """The matches of a round with their records, or an error where a record isn't a true game."""
    for block in round_data.blocks:
        lineup = lineup_of(block)
        for row in round_data.matches_of(block):
            rotation = row.rotation
            match = (block.number - 1) * data.row.seats + rotation + 1
            try:
                played = record.parse(record_of(row))
            except KibitzError as error:
                where = f"match {match} (block {block.number}, rotation {rotation})"
                wanted = Verbatim(f"the record of a true game: {error}".rstrip("."))
                yield Mismatch("matches", where, "record", Verbatim("no record"), wanted, "true_games")
                continue
            taken = round_data.seats.get((block.id, rotation), [])
            yield Game(row, block, taken, lineup[rotation:] + lineup[:rotation], match, played)


@check("matches")
def same_game(data: TournamentData, game: Game) -> Iterator[Mismatch]:
    """The record is of the tournament's game."""
    if game.played.game != data.row.game:
        yield Mismatch("matches", game.called, "record (game)", game.played.game, data.row.game)


@check("matches")
def same_deal(data: TournamentData, game: Game) -> Iterator[Mismatch]:
    """The record is of its block's deal."""
    if game.played.seed != seed_from(game.block.deal_seed):
        wanted = seed_from(game.block.deal_seed)
        yield Mismatch("matches", game.called, "record (seed)", game.played.seed, wanted)


@check("matches")
def same_players(data: TournamentData, game: Game) -> Iterator[Mismatch]:
    """The record names the players of the lineup, by seat."""
    wanted = tuple(clean_name(data.player(submission)) for submission in game.lineup)
    if game.played.seats != wanted:
        yield Mismatch("matches", game.called, "record (seats)", list(game.played.seats), list(wanted))


@check("matches")
def unremarked(data: TournamentData, game: Game) -> Iterator[Mismatch]:
    """A record has no notes, since nobody watches who could add one."""
    if game.played.notes:
        yield Mismatch("matches", game.called, "record (note)", game.played.notes[0], Verbatim("none"))


@check("matches")
def seated(data: TournamentData, game: Game) -> Iterator[Mismatch]:
    """The seats are those of the lineup in this rotation."""
    for seat, (row, wanted) in enumerate(zip(game.seats, game.lineup, strict=False)):
        if row.submission_id != wanted:
            yield game.wrong("submission_id", seat, row.submission_id, wanted)


@check("matches")
def scores(data: TournamentData, game: Game) -> Iterator[Mismatch]:
    """The scores are the record's."""
    for seat, (row, wanted) in enumerate(zip(game.seats, game.played.outcome.scores, strict=False)):
        if row.score != wanted:
            yield game.wrong("score", seat, row.score, wanted)


@check("matches")
def placings(data: TournamentData, game: Game) -> Iterator[Mismatch]:
    """The places follow from the record's scores, winners and forfeits."""
    wanted = places(game.played.outcome, game.played.forfeits)
    for seat, (row, place) in enumerate(zip(game.seats, wanted, strict=False)):
        if row.place != place:
            yield game.wrong("place", seat, row.place, place)


@check("matches")
def shares(data: TournamentData, game: Game) -> Iterator[Mismatch]:
    """The winners share the win, and other seats have no part of it."""
    winners = game.played.outcome.winners
    for seat, row in enumerate(game.seats):
        wanted = 1 / len(winners) if seat in winners else 0.0
        if row.win_share != wanted:
            yield game.wrong("win_share", seat, row.win_share, wanted)


@check("matches")
def failures(data: TournamentData, game: Game) -> Iterator[Mismatch]:
    """Kind, rule and moment of every failure are the record's."""
    failed = {forfeit.seat: forfeit for forfeit in game.played.forfeits}
    for seat, row in enumerate(game.seats):
        found = failed.get(seat)
        wanted = (found.kind, storable(found.sentence), found.moves) if found else (None, None, None)
        actual = (row.forfeit, row.rule, row.moves)
        for column, one, other in zip(("forfeit", "rule", "moves"), actual, wanted, strict=True):
            if one != other:
                yield game.wrong(column, seat, one, other)


@check("matches")
def endings(data: TournamentData, game: Game) -> Iterator[Mismatch]:
    """The match ended as its record says."""
    if game.row.reason != game.played.outcome.reason:
        yield Mismatch("matches", game.called, "reason", game.row.reason, game.played.outcome.reason)
