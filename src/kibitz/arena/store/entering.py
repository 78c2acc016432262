"""Tournaments and who takes part: phases, seeds, submissions, qualifications.

Everything that changes a tournament first locks its row, so such changes come one after the other.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from typing import Any

import msgspec
from sqlalchemy import Connection, Insert, Row, func, insert, select

from kibitz.arena.model import (
    KINDS,
    PHASES,
    Goal,
    Kind,
    Phase,
    Qualification,
    Stage,
    State,
    Submission,
    Threshold,
    Tournament,
    stage,
)
from kibitz.arena.pairing.schedule import seed_from, seed_text
from kibitz.arena.store import entries, log, sums
from kibitz.arena.store.schema import disqualifications, qualifications, rounds, seeds, submissions, tournaments
from kibitz.arena.store.schema import log as logs
from kibitz.engine.record import commitment
from kibitz.engine.registry import game as find_game
from kibitz.errors import StoreError
from kibitz.players.limits import Limits

Check = Callable[[Connection, Tournament, Sequence[Submission], float], None]

MOST_SEATS = 100
"""No game has more."""
LONGEST = {"tournament": 80, "player": 80, "owner": 200, "file": 255}


def check_word(what: str, word: str) -> None:
    """StoreError unless a name fits its column and a log line."""
    if not word or not word.isprintable() or word != word.strip() or len(word) > LONGEST[what]:
        raise StoreError(
            "refused",
            f"{word[:40]!a} is no name of a {what}: it needs 1 to {LONGEST[what]} printable characters, "
            "with no space at its ends.",
        )


def inserted(connection: Connection, statement: Insert) -> int:
    """Insert one row and give its id."""
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
    goal: Goal | None,
    now: float,
) -> Tournament:
    """Insert a tournament with the seed of its season, unless the same insertion has been made already."""
    check_word("tournament", name)
    if kind not in KINDS:
        raise StoreError("refused", f"there is no kind {kind!r} of tournament; there are {', '.join(KINDS)}.")
    found = find_game(game)
    if connection.scalar(select(tournaments.c.id).where(tournaments.c.name == name)) is not None:
        made = tournament(connection, name)
        if (made.game, made.kind) == (found.name, kind) and made.commitments.get("season") == commitment(seed):
            return made
        raise StoreError("refused", f"there already is a tournament {name!r}; choose another name.")
    values = {
        "name": name,
        "game": found.name,
        "kind": kind,
        "phase": "open",
        "seats": found.seats,
        "rules": found.rules.VERSION,
        "threshold_games": threshold.games,
        "threshold_share": threshold.share,
        "limits": msgspec.json.encode(limits).decode(),
        "opened_at": now,
        "goal": None if goal is None else msgspec.json.encode(goal).decode(),
    }
    number = inserted(connection, insert(tournaments).values(values))
    add_seed(connection, number, "season", seed)
    row = connection.execute(select(tournaments).where(tournaments.c.id == number)).one()
    log.note(connection, number, entries.begun(row, commitment(seed)), now)
    for entry in entries.of_roster(connection, row):
        log.note(connection, number, entry, now)
    return tournament(connection, name)


def add_seed(connection: Connection, number: int, stage: Stage, seed: int) -> None:
    """Insert the secret seed of a stage with the commitment that may be shown."""
    row = {"tournament_id": number, "stage": stage, "seed": seed_text(seed), "commitment": commitment(seed)}
    connection.execute(insert(seeds).values(row))


def tournament_id(connection: Connection, name: str, *, lock: bool = False) -> int:
    """The row of a tournament, locked until the end of the transaction if asked; StoreError if there is none."""
    wanted = select(tournaments.c.id).where(tournaments.c.name == name)
    number = connection.scalar(wanted.with_for_update() if lock else wanted)
    if number is None:
        names = connection.scalars(select(tournaments.c.name).order_by(tournaments.c.name)).all()
        check_all_there(connection, len(names))
        there_are = f"there are {', '.join(names)}." if names else "there is none yet."
        raise StoreError("missing", f"there is no tournament {name[:80]!a}; {there_are}")
    return int(number)


def check_all_there(connection: Connection, found: int) -> None:
    """Damage unless every tournament that has a log is there."""
    told = connection.scalar(select(func.count(func.distinct(logs.c.tournament_id))))
    if told != found:
        raise sums.Damage(f"in table tournaments: there are {found} rows and {told} logs")


def tournament(connection: Connection, name: str) -> Tournament:
    """One tournament."""
    number = tournament_id(connection, name)
    row = sums.whole(tournaments, connection.execute(select(tournaments).where(tournaments.c.id == number)).one())
    wanted = select(seeds).where(seeds.c.tournament_id == number).order_by(seeds.c.stage.desc())
    told = [sums.whole(seeds, line) for line in connection.execute(wanted)]
    if not 0 < row.seats <= MOST_SEATS:
        raise sums.Damage(f"in {sums.called(tournaments, row)}: no game has {row.seats} seats")
    log.check_count(connection, number, "seeds", len(told), *SEEDED)
    return Tournament(
        id=row.id,
        name=row.name,
        game=row.game,
        kind=row.kind,
        phase=row.phase,
        seats=row.seats,
        rules=row.rules,
        threshold=Threshold(row.threshold_games, row.threshold_share),
        limits=sums.understood(tournaments, row, lambda: msgspec.json.decode(row.limits, type=Limits)),
        opened_at=row.opened_at,
        commitments={line.stage: line.commitment for line in told},
        goal=sums.understood(tournaments, row, lambda: goal_of(row)),
    )


def goal_of(row: Row[*tuple[Any, ...]]) -> Goal | None:
    """What a tournament's row says that it is played to."""
    return None if row.goal is None else msgspec.json.decode(row.goal, type=Goal)


def all_tournaments(connection: Connection) -> tuple[Tournament, ...]:
    """All tournaments, by name."""
    names = connection.scalars(select(tournaments.c.name)).all()
    check_all_there(connection, len(names))
    return tuple(tournament(connection, name) for name in sorted(names))


def seed(connection: Connection, name: str, stage: Stage) -> int:
    """The secret seed of a stage."""
    number = tournament_id(connection, name)
    wanted = select(seeds).where(seeds.c.tournament_id == number, seeds.c.stage == stage)
    found = connection.execute(wanted).one_or_none()
    if found is None:
        raise StoreError("missing", f"{name} has no seed for its {stage} yet.")
    row = sums.whole(seeds, found)
    return sums.understood(seeds, row, lambda: seed_from(row.seed))


def enter_phase(connection: Connection, name: str, phase: Phase, fresh: int, now: float) -> Tournament:
    """Move a tournament on; the final begins with the seed ``fresh``."""
    if phase not in PHASES:
        raise StoreError("refused", f"there is no phase {phase!r}; there are {', '.join(PHASES)}.")
    number = tournament_id(connection, name, lock=True)
    found = tournament(connection, name)
    if found.phase == phase:
        return found
    back = PHASES.index(phase) < PHASES.index(found.phase)
    if back and (found.phase, phase) != ("frozen", "open"):
        raise StoreError("refused", f"{name} is {found.phase} and cannot go back to {phase}.")
    if phase == "final":
        add_seed(connection, number, stage(phase), fresh)
    sums.rewrite(connection, tournaments, number, {"phase": phase})
    entry = entries.Final(commitment(fresh)) if phase == "final" else entries.Moved(phase)
    log.note(connection, number, entry, now)
    return tournament(connection, name)


# submissions

SEEDED = ("begun", "final")
"""The kinds of entries in a log that come with a seed."""


def as_submission(row: Row[*tuple[Any, ...]], name: str) -> Submission:
    """A row as a value."""
    return Submission(
        id=row.id,
        tournament=name,
        player=row.player,
        version=row.version,
        owner=row.owner,
        file=row.file,
        sha256=row.sha256,
        state=row.state,
        reason=row.reason,
        submitted_at=row.submitted_at,
        settled_at=row.settled_at,
        account=row.account,
    )


def submit(
    connection: Connection,
    name: str,
    player: str,
    owner: str,
    file: str,
    content: bytes,
    account: str | None,
    key: str,
    check: Check,
    now: float,
) -> Submission:
    """Insert the next version of a player, unless the same insertion has been made already."""
    for what, word in (("player", player), ("owner", owner), ("file", file)):
        check_word(what, word)
    number = tournament_id(connection, name, lock=True)
    done = connection.scalar(select(submissions.c.id).where(submissions.c.key == key))
    if done is not None:
        return submission(connection, done)
    found = tournament(connection, name)
    if found.phase != "open":
        raise StoreError("refused", f"{name} is {found.phase} and takes no more submissions.")
    before = all_submissions(connection, name, player=player, owner=None, state=None)
    if before and before[0].owner != owner:
        raise StoreError("refused", f"the player {player!r} of {name} is somebody else's; choose another name.")
    check(connection, found, before, now)
    row = {"player": player, "version": len(before) + 1, "owner": owner, "file": file, "content": content}
    row["account"] = account
    return enter(connection, number, key, row, now)


def enter(connection: Connection, tournament: int, key: str, row: dict[str, Any], now: float) -> Submission:
    """Insert a submission (player, version, owner, file, content and account) that waits to be settled, and log it."""
    more = {"key": key, "tournament_id": tournament, "sha256": digest(row["content"])}
    more |= {"state": "waiting", "reason": "", "submitted_at": now, "settled_at": None}
    made = inserted(connection, insert(submissions).values(row | more))
    log.note(connection, tournament, entries.submitted(row_of(connection, made)), now)
    return submission(connection, made)


def row_of(connection: Connection, number: int) -> Row[*tuple[Any, ...]]:
    """A submission as its row, without the file."""
    wanted = select(*sums.readable(submissions)).where(submissions.c.id == number)
    row = connection.execute(wanted).one_or_none()
    if row is None:
        raise StoreError("missing", f"there is no submission {number}.")
    return sums.whole(submissions, row)


def submission(connection: Connection, number: int) -> Submission:
    """One submission."""
    row = row_of(connection, number)
    name = connection.scalar(select(tournaments.c.name).where(tournaments.c.id == row.tournament_id))
    if name is None:
        raise sums.Damage(f"in {sums.called(submissions, row)}: its tournament is not there")
    return as_submission(row, name)


def all_submissions(
    connection: Connection, name: str, *, player: str | None, owner: str | None, state: State | None
) -> tuple[Submission, ...]:
    """Submissions in the order in which they came in."""
    number = tournament_id(connection, name)
    wanted = select(*sums.readable(submissions)).where(submissions.c.tournament_id == number)
    rows = connection.execute(wanted.order_by(submissions.c.id)).all()
    log.check_count(connection, number, "submissions", len(rows), "submitted")
    found = (as_submission(sums.whole(submissions, row), name) for row in rows)
    asked = (player, owner, state)
    return tuple(
        one
        for one in found
        if all(want in (None, has) for want, has in zip(asked, (one.player, one.owner, one.state), strict=True))
    )


def latest_accepted(connection: Connection, name: str) -> tuple[Submission, ...]:
    """Of every player the newest accepted version."""
    newest: dict[str, Submission] = {}
    for found in all_submissions(connection, name, player=None, owner=None, state="accepted"):
        newest[found.player] = found
    return tuple(newest[player] for player in sorted(newest))


def disqualified(connection: Connection, tournament: int) -> set[int]:
    """The submissions of a tournament that are out."""
    wanted = select(*sums.readable(disqualifications)).join(rounds).where(rounds.c.tournament_id == tournament)
    found = {sums.whole(disqualifications, row).submission_id for row in connection.execute(wanted)}
    log.check_count(connection, tournament, "disqualifications", len(found), "out")
    return found


def content(connection: Connection, number: int) -> bytes:
    """The bytes of a submission's file."""
    row = row_of(connection, number)
    found = connection.scalar(select(submissions.c.content).where(submissions.c.id == number))
    return file_of(row, found)


def file_of(row: Row[*tuple[Any, ...]], content: object) -> bytes:
    """The bytes of the file of a submission's row; Damage unless they are those whose SHA-256 it has."""
    found = bytes(content) if isinstance(content, bytes | memoryview) else None
    if found is None or digest(found) != row.sha256:
        raise sums.Damage(f"in {sums.called(submissions, row)}: its file is not the one whose SHA-256 stands there")
    return found


def digest(content: bytes) -> str:
    """The SHA-256 of a file; empty for the empty one of a built-in strategy."""
    return hashlib.sha256(content).hexdigest() if content else ""


def settle(connection: Connection, number: int, report: Qualification, reason: str) -> Submission:
    """Keep a report and decide a waiting submission by it."""
    found = submission(connection, number)
    tournament = tournament_id(connection, found.tournament, lock=True)
    if report not in reports(connection, number):
        row = {"submission_id": number, "passed": int(report.passed), "report": report.report, "at": report.at}
        made = inserted(connection, insert(qualifications).values(row))
        one = connection.execute(select(qualifications).where(qualifications.c.id == made)).one()
        log.note(connection, tournament, entries.tried(one), report.at)
    if row_of(connection, number).state == "waiting":
        state = "accepted" if report.passed else "refused"
        values = {"state": state, "reason": "" if report.passed else reason, "settled_at": report.at}
        sums.rewrite(connection, submissions, number, values)
        log.note(connection, tournament, entries.settled(row_of(connection, number)), report.at)
    return submission(connection, number)


def reports(connection: Connection, number: int) -> tuple[Qualification, ...]:
    """Every try of a submission."""
    wanted = select(qualifications).where(qualifications.c.submission_id == number).order_by(qualifications.c.id)
    found = [sums.whole(qualifications, row) for row in connection.execute(wanted)]
    return tuple(Qualification(row.submission_id, bool(row.passed), row.report, row.at) for row in found)
