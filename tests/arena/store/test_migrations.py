"""Revisions: they make what the schema says, older stores are brought up to date with all that is in them."""

import subprocess
import sys

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import inspect, text

from kibitz.arena.pairing import next_round
from kibitz.arena.proof import proving
from kibitz.arena.store import migrations, open_store, schema
from kibitz.arena.store.database import Database, url_of
from kibitz.engine.record import commitment
from kibitz.players.limits import STANDARD
from tests.arena.store.field import entered


def test_the_revisions_make_exactly_the_tables_of_the_schema(store):
    def differences(connection):
        context = MigrationContext.configure(
            connection,
            opts={
                "compare_type": True,
                "compare_server_default": True,
                "include_name": lambda name, kind, _: (kind, name) != ("table", migrations.VERSION_TABLE),
            },
        )
        return compare_metadata(context, schema.metadata)

    assert store.database.reading(differences) == []


def test_the_checks_of_the_tables_are_made_too(store):
    def checks(connection):
        found = inspect(connection)
        return {(name, check["name"]) for name in schema.metadata.tables for check in found.get_check_constraints(name)}

    wanted = {
        (table.name, constraint.name)
        for table in schema.metadata.tables.values()
        for constraint in table.constraints
        if type(constraint).__name__ == "CheckConstraint"
    }
    assert store.database.reading(checks) == wanted


def test_the_revisions_are_one_line_and_all_named():
    script = ScriptDirectory(migrations.__path__[0])
    assert tuple(reversed([one.revision for one in script.walk_revisions()])) == migrations.REVISIONS
    assert script.get_current_head() == migrations.NEWEST


def test_a_store_of_the_first_revision_is_brought_up_to_date_with_all_that_is_in_it(where):
    database = Database(url_of(where), 1.0, None)
    database.writing(lambda c: migrations.upgrade(c, database, "0001"))
    assert database.reading(migrations.revision) == "0001"
    insert = (
        "INSERT INTO tournaments (name, game, kind, phase, seats, rules, threshold_games, threshold_share, opened_at) "
        "VALUES ('old', 'go', 'standard', 'frozen', 4, 1, 5, 0.02, 0)"
    )
    seed = "INSERT INTO seeds (tournament_id, stage, seed, commitment) VALUES (1, 'season', :seed, :commitment)"
    sealed = {"seed": f"{5:032x}", "commitment": commitment(5)}
    database.writing(lambda c: (c.execute(text(insert)), c.execute(text(seed), sealed)))
    database.close()
    with open_store(where) as store:
        assert store.database.reading(migrations.revision) == migrations.NEWEST
        assert [(one.name, one.phase, one.limits) for one in store.tournaments()] == [("old", "frozen", STANDARD)]
        assert store.enter_runner("old", "me") == 0
        assert [one.kind for one in store.log("old")] == ["begun", "moved", "taken-over"]
        proofs = list(proving.proofs(store, store.tournament("old"), next_round))
        assert all(proof.ok for proof in proofs)
        assert "The log begins with entry 3" in proofs[-1].sentence


@pytest.mark.long
def test_processes_that_open_a_new_store_at_once_all_find_one_store(where, opened):
    code = "import sys; from kibitz.arena.store import open_store; open_store(sys.argv[1])"
    processes = [subprocess.Popen([sys.executable, "-c", code, where]) for _ in range(4)]
    assert [process.wait(60) for process in processes] == [0, 0, 0, 0]
    assert len(entered(opened(where, create=False))) == 4
