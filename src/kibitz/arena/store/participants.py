"""Tournaments and their participants: phases, seeds, submissions, qualifications, rosters, withdrawals, entrants.

    roster      names of players with their owners, the same for all tournaments; it is replaced as a whole
    owner       the owner of a player on the roster, or else the person who submitted its first version

Everything that changes a tournament locks its row first, so such changes happen one after the other.

The log of every tournament has the digest of its roster, so a lost or changed row is reported when the roster is read.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Any

import msgspec
from sqlalchemy import Connection, Insert, Row, func, insert, select, update

from kibitz.arena.model import (
    KINDS,
    PHASE_NAMES,
    PHASES,
    REGULAR,
    EndCondition,
    Entrant,
    Kind,
    Phase,
    Qualification,
    RosterEntry,
    Stage,
    State,
    Submission,
    Threshold,
    Tournament,
    Withdrawal,
    stage,
)
from kibitz.arena.schedule import (
    FILLER_OWNER,
    choose_filler,
    is_filler,
    needs_filler,
    round_entrants,
    seed_from,
    seed_text,
)
from kibitz.arena.store import log
from kibitz.database import schema
from kibitz.database.damage import digest, file_of
from kibitz.database.schema import (
    disqualifications,
    qualifications,
    roster,
    rounds,
    seeds,
    submissions,
    tournaments,
    withdrawals,
)
from kibitz.database.schema import log as logs
from kibitz.engine.record import commitment
from kibitz.engine.registry import game as find_game
from kibitz.errors import StoreError
from kibitz.players.limits import Limits

SubmissionCheck = Callable[[Sequence[Submission], Sequence[Submission], float], None]

MAX_SEATS = 100
"""The maximum number of seats of any game."""
MAX_LENGTHS = {"tournament": 80, "player": 80, "owner": 200, "file": 255}


def check_word(column: str, word: str) -> None:
    """Raise StoreError unless a word fits its column and a line of the log."""
    if not word or not word.isprintable() or word != word.strip() or len(word) > MAX_LENGTHS[column]:
        raise StoreError(
            "refused",
            f"{word[:40]!a} isn't a valid name for a {column}: "
            f"it needs 1 to {MAX_LENGTHS[column]} printable characters, "
            "with no space at its ends.",
        )


def insert_row(connection: Connection, statement: Insert) -> int:
    """Insert one row and return its id."""
    key = connection.execute(statement).inserted_primary_key
    assert key is not None
    return int(key[0])


# tournaments


def add_tournament(
    connection: Connection,
    name: str,
    game: str,
    kind: Kind,
    seed: int,
    threshold: Threshold,
    limits: Limits,
    goal: EndCondition | None,
    now: float,
) -> Tournament:
    """Insert a tournament with the seed of its regular rounds; a repeated insertion has no effect."""
    check_word("tournament", name)
    if kind not in KINDS:
        raise StoreError("refused", f"{kind!r} isn't a kind of tournament; known kinds: {', '.join(KINDS)}.")
    known_game = find_game(game)
    if connection.scalar(select(tournaments.c.id).where(tournaments.c.name == name)) is not None:
        existing = read_tournament(connection, name)
        same_seed = existing.commitments.get(REGULAR) == commitment(seed)
        if (existing.game, existing.kind) == (known_game.name, kind) and same_seed:
            return existing
        raise StoreError("refused", f"there already is a tournament {name!r}; choose another name.")
    values = {
        "name": name,
        "game": known_game.name,
        "kind": kind,
        "phase": "open",
        "seats": known_game.seats,
        "rules": known_game.rules.VERSION,
        "threshold_games": threshold.games,
        "threshold_share": threshold.share,
        "limits": msgspec.json.encode(limits).decode(),
        "opened_at": now,
        "goal": None if goal is None else msgspec.json.encode(goal).decode(),
    }
    number = insert_row(connection, insert(tournaments).values(values))
    add_seed(connection, number, REGULAR, seed)
    row = connection.execute(select(tournaments).where(tournaments.c.id == number)).one()
    log.append(connection, number, log.tournament_begun(row, commitment(seed)), now)
    roster_rows = connection.execute(select(roster)).all()
    if roster_rows and log.roster_applies(row):
        log.append(connection, number, log.roster_replaced(roster_rows), now)
    return read_tournament(connection, name)


def add_seed(connection: Connection, number: int, stage: Stage, seed: int) -> None:
    """Insert the secret seed of a stage, with its commitment, which is public."""
    row = {"tournament_id": number, "stage": stage, "seed": seed_text(seed), "commitment": commitment(seed)}
    connection.execute(insert(seeds).values(row))


def tournament_id(connection: Connection, name: str, *, lock: bool = False) -> int:
    """The id of the tournament called ``name``. Raises StoreError (missing) if there is none.

    With ``lock``, its row is locked until the transaction ends.
    """
    query = select(tournaments.c.id).where(tournaments.c.name == name)
    number = connection.scalar(query.with_for_update() if lock else query)
    if number is None:
        names = connection.scalars(select(tournaments.c.name).order_by(tournaments.c.name)).all()
        check_tournament_count(connection, len(names))
        hint = f"; known tournaments: {', '.join(names)}." if names else ": none has begun yet."
        raise StoreError("missing", f"there is no tournament {name[:80]!a}{hint}")
    return int(number)


def check_tournament_count(connection: Connection, count: int) -> None:
    """Raise Damage unless there are as many logs as tournaments, whose number is ``count``."""
    log_count = connection.scalar(select(func.count(func.distinct(logs.c.tournament_id))))
    if log_count != count:
        raise schema.Damage(f"in table tournaments: there are {count} rows and {log_count} logs")


def read_tournament(connection: Connection, name: str) -> Tournament:
    """The tournament called ``name``. Raises StoreError (missing), with all names, if there is none."""
    number = tournament_id(connection, name)
    row = schema.check_types(
        tournaments, connection.execute(select(tournaments).where(tournaments.c.id == number)).one()
    )
    query = select(seeds).where(seeds.c.tournament_id == number).order_by(seeds.c.stage.desc())
    seed_rows = [schema.check_types(seeds, line) for line in connection.execute(query)]
    if not 0 < row.seats <= MAX_SEATS:
        raise schema.Damage(f"in {schema.row_name(tournaments, row)}: no game has {row.seats} seats")
    log.check_count(connection, number, "seeds", len(seed_rows), *SEEDED)
    return schema.from_row(
        Tournament,
        row,
        threshold=Threshold(row.threshold_games, row.threshold_share),
        limits=schema.decoded(tournaments, row, lambda: msgspec.json.decode(row.limits, type=Limits)),
        commitments={line.stage: line.commitment for line in seed_rows},
        goal=row.goal and schema.decoded(tournaments, row, lambda: msgspec.json.decode(row.goal, type=EndCondition)),
        deadline=deadline_of(connection, number),
    )


def deadline_of(connection: Connection, number: int) -> float | None:
    """When submissions to a tournament close, by the latest such entry in its log; None if it has no deadline."""
    query = select(*schema.readable(logs)).where(logs.c.tournament_id == number, logs.c.kind == "deadline")
    row = connection.execute(query.order_by(logs.c.number.desc()).limit(1)).one_or_none()
    if row is None:
        return None
    schema.check_types(logs, row)
    return schema.decoded(logs, row, lambda: msgspec.json.decode(row.entry, type=log.DeadlineSet).closes_at)


def all_tournaments(connection: Connection) -> tuple[Tournament, ...]:
    """All tournaments, by name."""
    names = connection.scalars(select(tournaments.c.name)).all()
    check_tournament_count(connection, len(names))
    return tuple(read_tournament(connection, name) for name in sorted(names))


def seed(connection: Connection, name: str, stage: Stage) -> int:
    """The secret seed of a stage, for callers that may see it. Raises StoreError (missing) before the stage has one."""
    number = tournament_id(connection, name)
    query = select(seeds).where(seeds.c.tournament_id == number, seeds.c.stage == stage)
    seed_row = connection.execute(query).one_or_none()
    if seed_row is None:
        raise StoreError("missing", f"{name} has no seed for its {stage} yet.")
    row = schema.check_types(seeds, seed_row)
    return schema.decoded(seeds, row, lambda: seed_from(row.seed))


def enter_phase(connection: Connection, name: str, phase: Phase, final_seed: int, now: float) -> Tournament:
    """Move a tournament to another phase; the final begins with the seed ``final_seed``."""
    if phase not in PHASES:
        raise StoreError("refused", f"{phase!r} isn't a phase; known phases: {', '.join(PHASES)}.")
    number = tournament_id(connection, name, lock=True)
    tournament = read_tournament(connection, name)
    if phase == "open" and tournament.deadline is not None and tournament.deadline <= now:
        log.append(connection, number, log.DeadlineSet(None), now)
    if tournament.phase == phase:
        return read_tournament(connection, name)
    is_earlier = PHASES.index(phase) < PHASES.index(tournament.phase)
    if is_earlier and (tournament.phase, phase) != ("frozen", "open"):
        raise StoreError(
            "refused", f"{name} is at '{PHASE_NAMES[tournament.phase]}' and cannot go back to '{PHASE_NAMES[phase]}'."
        )
    if phase == "final":
        add_seed(connection, number, stage(phase), final_seed)
    connection.execute(update(tournaments).where(tournaments.c.id == number).values(phase=phase))
    entry = log.FinalBegun(commitment(final_seed)) if phase == "final" else log.PhaseEntered(phase)
    log.append(connection, number, entry, now)
    return read_tournament(connection, name)


def set_deadline(connection: Connection, now: float, name: str, closes_at: float | None) -> Tournament:
    """Close submissions at a future time, in UTC seconds since 1970; None removes the deadline.

    Raises StoreError (refused) for a time that has passed, and unless the tournament's phase is open.
    """
    number = tournament_id(connection, name, lock=True)
    tournament = read_tournament(connection, name)
    if tournament.phase != "open":
        raise StoreError("refused", f"{name} takes no more submissions: reopen them to set a deadline.")
    if closes_at is not None and closes_at <= now:
        raise StoreError("refused", "The deadline must be in the future. To stop submissions now, close them instead.")
    if closes_at != tournament.deadline:
        log.append(connection, number, log.DeadlineSet(closes_at), now)
    return read_tournament(connection, name)


def logged_entries(connection: Connection, name: str) -> tuple[log.LoggedEntry, ...]:
    """The decisions, oldest first, each with the head after it (see ``kibitz.arena.store.log``)."""
    return log.logged_entries(connection, tournament_id(connection, name))


# submissions

SEEDED = ("begun", "final")
"""The kinds of log entries that come with a seed."""


def as_submission(row: Row[*tuple[Any, ...]], name: str) -> Submission:
    """A row of ``submissions`` as a Submission; ``name`` is the tournament's."""
    return schema.from_row(Submission, row, tournament=name)


def submit(
    connection: Connection,
    name: str,
    player: str,
    owner: str,
    file: str,
    content: bytes,
    account: str | None,
    key: str,
    check: SubmissionCheck | None,
    arrived_at: float | None,
    now: float,
) -> Submission:
    """Insert the next version of a player; a repeated insertion has no effect."""
    for column, word in (("player", player), ("owner", owner), ("file", file)):
        check_word(column, word)
    number = tournament_id(connection, name, lock=True)
    existing = connection.scalar(select(submissions.c.id).where(submissions.c.key == key))
    if existing is not None:
        return submission(connection, existing)
    tournament = read_tournament(connection, name)
    if tournament.phase_at(now if arrived_at is None else arrived_at) != "open":
        raise StoreError("refused", closed_text(tournament))
    earlier = all_submissions(connection, name, player=player)
    if earlier and earlier[0].owner != owner:
        raise StoreError("refused", f"the player {player!r} of {name} belongs to somebody else; choose another name.")
    if check is not None:
        check(earlier, owner_submissions(connection, tournament, player, owner), now)
    row = {"player": player, "version": len(earlier) + 1, "owner": owner, "file": file, "content": content}
    row["account"] = account
    return insert_submission(connection, number, key, row, now)


def closed_text(tournament: Tournament) -> str:
    """Why a tournament takes no submissions, in a sentence."""
    if tournament.phase != "open" or tournament.deadline is None:
        return f"{tournament.name} takes no more submissions."
    closed_at = datetime.fromtimestamp(tournament.deadline, UTC).strftime("%Y-%m-%d at %H:%M UTC")
    return f"Submissions to {tournament.name} closed on {closed_at}."


def insert_submission(connection: Connection, tournament: int, key: str, row: dict[str, Any], now: float) -> Submission:
    """Insert and log a waiting submission; ``row`` has its player, version, owner, file, content and account."""
    more = {"key": key, "tournament_id": tournament, "sha256": digest(row["content"])}
    more |= {"state": "waiting", "reason": "", "submitted_at": now, "settled_at": None}
    submission_number = insert_row(connection, insert(submissions).values(row | more))
    log.append(connection, tournament, log.version_submitted(submission_row(connection, submission_number)), now)
    return submission(connection, submission_number)


def submission_row(connection: Connection, number: int) -> Row[*tuple[Any, ...]]:
    """The row of a submission, without the bytes of its file. Raises StoreError (missing) if there is none."""
    query = select(*schema.readable(submissions)).where(submissions.c.id == number)
    row = connection.execute(query).one_or_none()
    if row is None:
        raise StoreError("missing", f"there is no submission {number}.")
    return schema.check_types(submissions, row)


def submission(connection: Connection, number: int) -> Submission:
    """The submission with this id. Raises StoreError (missing) if there is none."""
    row = submission_row(connection, number)
    name = connection.scalar(select(tournaments.c.name).where(tournaments.c.id == row.tournament_id))
    if name is None:
        raise schema.Damage(f"in {schema.row_name(submissions, row)}: its tournament is missing")
    return as_submission(row, name)


def all_submissions(
    connection: Connection,
    name: str,
    *,
    player: str | None = None,
    owner: str | None = None,
    state: State | None = None,
) -> tuple[Submission, ...]:
    """Submissions in order of arrival."""
    number = tournament_id(connection, name)
    query = select(*schema.readable(submissions)).where(submissions.c.tournament_id == number)
    rows = connection.execute(query.order_by(submissions.c.id)).all()
    log.check_count(connection, number, "submissions", len(rows), "submitted")
    all_versions = (as_submission(schema.check_types(submissions, row), name) for row in rows)
    requested = (player, owner, state)
    return tuple(
        version
        for version in all_versions
        if all(
            requested_value in (None, value)
            for requested_value, value in zip(requested, (version.player, version.owner, version.state), strict=True)
        )
    )


def latest_accepted(connection: Connection, name: str) -> tuple[Submission, ...]:
    """The newest accepted version of every player, even if it is excluded, sorted by the players' names."""
    newest: dict[str, Submission] = {}
    for version in all_submissions(connection, name, state="accepted"):
        newest[version.player] = version
    return tuple(newest[player] for player in sorted(newest))


def excluded_submissions(connection: Connection, tournament: int) -> set[int]:
    """The ids of a tournament's excluded submissions."""
    query = select(*schema.readable(disqualifications)).join(rounds).where(rounds.c.tournament_id == tournament)
    excluded = {schema.check_types(disqualifications, row).submission_id for row in connection.execute(query)}
    log.check_count(connection, tournament, "disqualifications", len(excluded), "out")
    return excluded


def content(connection: Connection, number: int) -> bytes:
    """The bytes of a submission's file."""
    submission_row(connection, number)
    return file_of(connection.execute(select(submissions).where(submissions.c.id == number)).one())


def record_check(connection: Connection, number: int, report: Qualification, reason: str) -> Submission:
    """Store a report, and accept or refuse the submission accordingly if it is still waiting."""
    known_submission = submission(connection, number)
    tournament = tournament_id(connection, known_submission.tournament, lock=True)
    if report not in all_qualifications(connection, number):
        row = {"submission_id": number, "passed": int(report.passed), "report": report.report, "at": report.at}
        check_id = insert_row(connection, insert(qualifications).values(row))
        check_row = connection.execute(select(qualifications).where(qualifications.c.id == check_id)).one()
        log.append(connection, tournament, log.version_checked(check_row), report.at)
    if submission_row(connection, number).state == "waiting":
        state = "accepted" if report.passed else "refused"
        values = {"state": state, "reason": "" if report.passed else reason, "settled_at": report.at}
        connection.execute(update(submissions).where(submissions.c.id == number).values(values))
        log.append(connection, tournament, log.version_settled(submission_row(connection, number)), report.at)
    return submission(connection, number)


def all_qualifications(connection: Connection, number: int) -> tuple[Qualification, ...]:
    """Every check of a submission, oldest first."""
    query = select(qualifications).where(qualifications.c.submission_id == number).order_by(qualifications.c.id)
    rows = [schema.check_types(qualifications, row) for row in connection.execute(query)]
    return tuple(Qualification(row.submission_id, bool(row.passed), row.report, row.at) for row in rows)


# The roster, withdrawals and entrants.


def read_roster(connection: Connection) -> tuple[RosterEntry, ...]:
    """The roster, by name."""
    rows = [schema.check_types(roster, row) for row in connection.execute(select(roster))]
    for tournament in connection.execute(select(tournaments)).all():
        if log.roster_applies(tournament):
            check_roster(connection, tournament.id, log.roster_replaced(rows))
    return tuple(sorted((schema.from_row(RosterEntry, row) for row in rows), key=lambda one: one.player))


def check_roster(connection: Connection, tournament: int, entry: log.RosterReplaced) -> None:
    """Raise Damage unless the roster is the latest one in a tournament's log."""
    query = select(logs.c.entry).where(logs.c.tournament_id == tournament, logs.c.kind == log.entry_kind(entry))
    latest = connection.scalar(query.order_by(logs.c.number.desc()).limit(1))
    if latest != log.entry_text(entry) and (latest is not None or entry.names):
        raise schema.Damage("in table roster: its rows don't match the logs")


def replace_roster(connection: Connection, now: float, people: Sequence[RosterEntry]) -> None:
    """Replace the whole roster, and log it in all unfinished tournaments."""
    for person in people:
        for column, word in (("player", person.player), ("owner", person.owner)):
            check_word(column, word)
    query = select(tournaments).order_by(tournaments.c.id).with_for_update()
    unfinished = [row for row in connection.execute(query).all() if log.roster_applies(row)]
    connection.execute(roster.delete())
    if people:
        connection.execute(insert(roster), [{"player": p.player, "owner": p.owner, "number": p.number} for p in people])
    entry = log.roster_replaced(connection.execute(select(roster)).all())
    for row in unfinished:
        log.append(connection, row.id, entry, now)


def owner_submissions(
    connection: Connection, tournament: Tournament, player: str, owner: str
) -> tuple[Submission, ...]:
    """An owner's submissions under all names, oldest first; empty if the player is its own owner.

    A player is its own owner if it isn't on the roster, and its owner has the same name and no other player.
    """
    if tournament.kind == "custom":
        return ()
    owners = {person.player: person.owner for person in read_roster(connection)}
    owner_now = owners.get(player, owner)
    all_versions = all_submissions(connection, tournament.name)
    of_owner = tuple(version for version in all_versions if owners.get(version.player, version.owner) == owner_now)
    has_owner = player in owners or owner_now != player or any(version.player != player for version in of_owner)
    return of_owner if has_owner else ()


def entrants(connection: Connection, name: str) -> tuple[Entrant, ...]:
    """The entrants of a round scheduled now: ``eligible_entrants``, but fillers only while there are seats to fill."""
    tournament = read_tournament(connection, name)
    return round_entrants(eligible_entrants(connection, name), tournament.seats, tournament.goal)


def eligible_entrants(connection: Connection, name: str) -> list[Entrant]:
    """The latest accepted version of every player and filler, without withdrawn players and excluded versions."""
    number = tournament_id(connection, name)
    excluded = excluded_submissions(connection, number)
    withdrawn_at = {withdrawal.player: withdrawal.submission for withdrawal in all_withdrawals(connection, name)}
    return [
        Entrant(submission.id, submission.player, is_filler(submission.owner, submission.sha256))
        for submission in latest_accepted(connection, name)
        if submission.id not in excluded and submission.id > withdrawn_at.get(submission.player, 0)
    ]


def fill_seats(connection: Connection, now: float, name: str) -> tuple[Entrant, ...]:
    """Enter a built-in player if there are too few players for the seats; returns the entrants.

    Nothing changes in a custom or closed tournament, or if nobody plays.
    """
    number = tournament_id(connection, name, lock=True)
    tournament = read_tournament(connection, name)
    entrants_before = entrants(connection, name)
    if tournament.kind == "custom" or tournament.phase == "closed" or not entrants_before:
        return entrants_before
    taken_names = {submission.player for submission in all_submissions(connection, name)}
    filler = choose_filler(find_game(tournament.game), taken_names)
    if filler is None or not needs_filler(entrants_before, tournament.seats):
        return entrants_before
    row = {"player": filler, "version": 1, "owner": FILLER_OWNER, "file": filler, "content": b""}
    filler_submission = insert_submission(connection, number, uuid.uuid4().hex, row, now)
    record_check(connection, filler_submission.id, Qualification(filler_submission.id, True, "", now), "")
    return entrants(connection, name)


def withdraw(connection: Connection, now: float, name: str, player: str) -> Withdrawal:
    """Withdraw a player: none of its versions so far plays in rounds that are scheduled from now on.

    Raises StoreError (refused) if it has already left or the tournament is closed, (missing) for an unknown player.
    """
    number = tournament_id(connection, name, lock=True)
    tournament = read_tournament(connection, name)
    versions = all_submissions(connection, name, player=player)
    if tournament.kind == "custom" or tournament.phase == "closed":
        custom = "holds custom games, from which nobody can be withdrawn"
        why = custom if tournament.kind == "custom" else "is finished, so nobody can be withdrawn from it"
        raise StoreError("refused", f"{name} {why}.")
    if not versions:
        raise StoreError("missing", f"{name} has no player called {player[:80]!a}.")
    newest = versions[-1]
    if is_filler(newest.owner, newest.sha256):
        raise StoreError("refused", f"{player} is built in, and leaves once there are enough players.")
    if any(withdrawal.submission == newest.id for withdrawal in all_withdrawals(connection, name)):
        raise StoreError("refused", f"{player} has already left {name}; a new submission brings it back.")
    connection.execute(insert(withdrawals).values(submission_id=newest.id, at=now))
    log.append(connection, number, log.PlayerWithdrawn(newest.id, now), now)
    return Withdrawal(name, newest.id, player, newest.version, now)


def all_withdrawals(connection: Connection, name: str) -> tuple[Withdrawal, ...]:
    """The withdrawals, in order of the versions that were newest when players withdrew.

    A player may have come back since, with a new submission.
    """
    number = tournament_id(connection, name)
    query = select(*schema.readable(withdrawals)).join(submissions).where(submissions.c.tournament_id == number)
    rows = [
        schema.check_types(withdrawals, row) for row in connection.execute(query.order_by(withdrawals.c.submission_id))
    ]
    log.check_count(connection, number, "withdrawals", len(rows), "withdrawn")
    versions = (submission_row(connection, row.submission_id) for row in rows)
    return tuple(
        Withdrawal(name, row.submission_id, version.player, version.version, row.at)
        for row, version in zip(rows, versions, strict=True)
    )
