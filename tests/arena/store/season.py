"""A small season with an example of everything, and tampering by somebody who can write to the store.

tampered    a change to rows, undone afterwards
reforge     rewrite the logs to match the tables, as somebody who knows the source would
"""

from contextlib import contextmanager
from functools import cache

from sqlalchemy import insert, select, text

import kibitz.arena
from kibitz.arena.entry.qualification import Report
from kibitz.arena.model import RosterEntry, Threshold
from kibitz.arena.pairing import next_round
from kibitz.arena.proof import proving
from kibitz.arena.running.next_round import SeasonScheduler, StopCondition
from kibitz.arena.store import log
from kibitz.database import schema
from kibitz.database.damage import digest
from kibitz.errors import StoreError
from kibitz.players.findings import Finding
from tests.arena.store.field import Clock, run_here

NAME, CUSTOM, FILLED = "go-mini", "custom-1", "second"
NAMES = NAME, CUSTOM, FILLED
BROKEN = b"def comp10001go_play(*_):\n    return 7\n\n\ndef comp10001go_group(*_):\n    return 7\n"
TABLES = [
    one for one in schema.metadata.sorted_tables if one.name != "kibitz_store" and not one.name.startswith("web_")
]
paired = cache(lambda *about: tuple(next_round(*about)))


def pair(seed, number, seats, entrants, results):
    """``next_round``, cached from one proof to the next because it is slow."""
    return paired(seed, number, seats, tuple(entrants), tuple(results))


def make(path):
    """Play the season: two rounds, a new version, a final with one closed and one open round, and a custom game.

    In a second tournament a built-in player fills a seat in the first round, not in the second, and again in the final.
    """
    clock = Clock()
    with kibitz.arena.open(path, clock=clock) as arena:
        store = arena.store
        store.add_tournament(NAME, NAME, seed=7, threshold=Threshold(2, 0.1))
        for player, strategy in (("ann", "greedy"), ("bob", "random"), ("cy", "first")):
            enter(store, player, strategy)
        enter(store, "dot", "dot.py", BROKEN)
        enter(store, "eve", "eve.py", b"# nothing", passed=False)
        run_here(store, NAME, 2)
        clock.time += 1000
        enter(store, "ann", "random")
        store.submit(NAME, "fay", "fay", "fay.py", b"# waits")
        store.refuse(NAME, "kit", "kit@uni", "kit.zip", "'kit.zip' can't be read as a ZIP archive: pack it again.")
        store.refuse(NAME, "ann", "ann", "ann.py", "A new version may come 10 minutes after the last one was accepted.")
        store.replace_roster([RosterEntry("ann", "ann@uni", "11"), RosterEntry("bob", "bob@uni")])
        enter(store, "gus", "first")
        store.withdraw(NAME, "gus")
        store.replace_roster([RosterEntry("ann", "a.lee@uni", "11"), RosterEntry("gus", "gus@uni", "13")])
        run_here(store, NAME, 3)
        arena.begin_custom(NAME, ["greedy", "random", "first"], deals=2, seed=5)
        run_here(store, CUSTOM, 1, next_round=lambda *_: ())
        arena.begin(NAME, name=FILLED, seed=4)
        enter(store, "ida", "first", name=FILLED)
        run_here(store, FILLED, 1)
        enter(store, "jo", "random", name=FILLED)
        run_here(store, FILLED, 2)
        store.withdraw(FILLED, "jo")
        arena.freeze(FILLED)
        arena.final(FILLED, seed=8)
        run_here(store, FILLED, 1)
        arena.freeze(NAME)
        arena.final(NAME, seed=9)
        run_here(store, NAME, 1)
        SeasonScheduler(store, NAME, StopCondition()).advance()
        for rotation in (0, 1, 0, 1, 0):
            clock.time += 1000
            store.void(store.claim(NAME, "me")[0], rotation, "the disk was full")
            store.release("me")
        clock.time += 10000
        leases = store.claim(NAME, "me", 3)
        for lease in leases[-1:]:
            store.void(lease, 0, "no process was to be had")
        store.register_runner(NAME, "me")
    return path


def enter(store, player, file, content=b"", passed=True, name=NAME):
    """Submit a version and decide on it, with a report if it is a file."""
    made = store.submit(name, player, player, file, content)
    found = () if passed else (Finding(False, "It does nothing", "it has no functions.", "load"),)
    report = Report(NAME, file, digest(content), 0, found)
    store.record_check(made.id, passed=passed, reason=report.reason, report=report.to_json() if content else "")


def wrong(store, names=NAMES):
    """The names of the checks that find a fault in a store; "refused" for a tournament that cannot be read."""
    found = set()
    for name in names:
        try:
            proofs = proving.proofs(store, store.tournament(name), pair)
            found |= {proof.check for proof in proofs if not proof.ok}
        except StoreError:
            found.add("refused")
    return found


def true(store, names=NAMES):
    """Whether no check finds a fault; stops at the first one."""
    try:
        return all(p.ok for name in names for p in proving.proofs(store, store.tournament(name), pair))
    except StoreError:
        return False


def rows_of(store):
    """All rows of a store, by table."""
    return store.database.reading(
        lambda c: {table: [dict(row._mapping) for row in c.execute(table.select())] for table in TABLES}
    )


@contextmanager
def unbound(store):
    """A transaction without checks of references and column values."""
    sqlite = not store.database.postgres
    with store.database.engine.connect() as connection:
        if sqlite:
            driver = connection.connection.dbapi_connection
            driver.execute("PRAGMA foreign_keys=OFF")
        with connection.begin():
            if not sqlite:
                connection.execute(text("SET LOCAL session_replication_role = replica"))
            yield connection
        if sqlite:
            driver.execute("PRAGMA foreign_keys=ON")


def put(connection, found, tables=TABLES):
    """Replace the content of the tables by these rows."""
    for table in reversed(tables):
        connection.execute(table.delete())
    for table in tables:
        if found[table]:
            connection.execute(insert(table), found[table])


@contextmanager
def tampered(store, before, change, *, forge=False):
    """Apply ``change(connection)`` to a store, and restore the rows ``before`` at the end.

    If only one table is changed, ``change`` returns it, which saves time.
    """
    table = None
    try:
        with unbound(store) as connection:
            table = change(connection)
            if forge:
                reforge(connection)
        yield
    finally:
        with unbound(store) as connection:
            put(connection, before, TABLES if table is None or forge else [table])


def reforge(connection):
    """Rewrite the logs from the rows: entries in the old order, new ones at the end."""
    for tournament in connection.scalars(select(schema.tournaments.c.id)).all():
        mine = schema.log.c.tournament_id == tournament
        rows = connection.execute(select(schema.log).where(mine).order_by("number")).all()
        told = [log.parse_entry(row.entry) for row in rows]
        derived = {}
        for entry in of_tournament(connection, tournament):
            derived.setdefault(about(entry), []).append(entry)
        connection.execute(schema.log.delete().where(mine))
        for entry in told:
            if isinstance(entry, log.PhaseEntered | log.RosterReplaced):
                log.append(connection, tournament, entry, 0.0)
            elif found := derived.get(about(entry)):
                log.append(connection, tournament, found.pop(0), 0.0)
        for entry in (one for found in derived.values() for one in found):
            log.append(connection, tournament, entry, 0.0)


def about(entry):
    """The kind of an entry, and the number of its submission, attempt or round."""
    number = (getattr(entry, name, None) for name in ("submission", "number", "round"))
    return log.entry_kind(entry), next((one for one in number if one is not None), None)


def of_tournament(connection, tournament):
    """All entries that can be derived from a tournament's rows; some are only in the log."""

    def rows(table, *where, order):
        return connection.execute(select(*schema.readable(table)).where(*where).order_by(order)).all()

    row = rows(schema.tournaments, schema.tournaments.c.id == tournament, order="id")[0]
    sealed = rows(schema.seeds, schema.seeds.c.tournament_id == tournament, order="stage")
    commitments = {one.stage: one.commitment for one in sealed}
    yield log.tournament_begun(row, commitments.get("season", ""))
    for one in rows(schema.submissions, schema.submissions.c.tournament_id == tournament, order="id"):
        yield log.version_submitted(one)
        those = schema.qualifications
        yield from map(log.version_checked, rows(those, those.c.submission_id == one.id, order="id"))
        if one.state != "waiting":
            yield log.version_settled(one)
        those = schema.withdrawals
        yield from map(log.player_withdrawn, rows(those, those.c.submission_id == one.id, order="at"))
    those = schema.refusals
    yield from map(log.file_refused, rows(those, those.c.tournament_id == tournament, order="number"))
    if "final" in commitments:
        yield log.FinalBegun(commitments["final"])
    for one in rows(schema.rounds, schema.rounds.c.tournament_id == tournament, order="number"):
        yield log.read_round_scheduled(connection, one)
        if one.closed_at is not None:
            yield log.read_round_closed(connection, one)
            those = schema.disqualifications
            for out in rows(those, those.c.round_id == one.id, order="submission_id"):
                yield log.submission_excluded(out, one.number)
