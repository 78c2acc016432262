"""Flipping any bit of a store's file gives an answer or one sentence, never a traceback, and ``verify`` finds it.

A flip matters if SQLite then reads other rows or none, or if an answer changes; ``verify`` finds each of those.
"""

import io
import os
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace

import kibitz.arena
from kibitz.arena.store import open_store
from kibitz.cli import main
from kibitz.database import damage, schema
from kibitz.errors import KibitzError, StoreError
from tests.arena.store import season
from tests.arena.store.postgres import as_nobody
from tests.arena.store.season import NAME
from tests.arena.store.test_tampering import irrelevant_columns
from tests.parts import share
from tests.tiers import first_fast

pytestmark = pytest.mark.xdist_group("damaged stores")


def answers(path):
    """All answers about a season as one text, without values that decide nothing; writes nothing."""
    out = io.StringIO(newline="")
    with kibitz.arena.open(path, create=False) as arena:
        for name in (NAME, season.CUSTOM):
            for stage in ("season", "final")[: 1 + (name == NAME)]:
                out.write(arena.ranking(name, stage=stage).text)
            out.write(repr((arena.stage_seeds(name), arena.log(name)[-1].head)))
            arena.export(name, out)
        for player in ("ann", "dot", "eve"):
            out.write(repr([(one.submission, one.rating, one.disqualification) for one in arena.history(player, NAME)]))
            out.write(repr([replace(one, detail="", prints="") for one in arena.failures(player, NAME)]))
        out.write(arena.store.record(NAME, 1) + repr(arena.store.entrants(NAME)))
    return out.getvalue()


def decisive_rows(path):
    """The rows that decide something, as SQLite itself reads them; None if it can't."""
    free = irrelevant_columns()
    try:
        with closing(sqlite3.connect(f"file:{path}?mode=ro&immutable=1", uri=True)) as connection:
            found = []
            for table in schema.metadata.sorted_tables:
                names = [one.name for one in table.columns if (table.name, one.name) not in free]
                rows = connection.execute(f"SELECT {', '.join(names)} FROM {table.name} NOT INDEXED").fetchall()
                found.append((table.name, sorted(rows, key=repr)) if (table.name, "(whole rows)") not in free else 0)
            return found
    except (sqlite3.Error, UnicodeError):
        return None


def is_valid(path):
    """Whether ``verify`` finds no fault."""
    try:
        with open_store(path, create=False) as store:
            return season.true(store)
    except StoreError:
        return False


def answers_or_error(path):
    """The answers, or the error message instead."""
    try:
        return answers(path), ""
    except KibitzError as error:
        return "", str(error)


def flip(content, bit):
    changed = bytearray(content)
    changed[bit // 8] ^= 1 << bit % 8
    return bytes(changed)


def check_flips(played, folder, bits):
    content = played.read_bytes()
    path = folder / "flipped.sqlite"
    right, rows = answers(played), decisive_rows(played)
    found = 0
    for bit in bits:
        path.write_bytes(flip(content, bit))
        told, sentence = answers_or_error(path)
        assert "\n" not in sentence
        path.write_bytes(flip(content, bit))
        if decisive_rows(path) != rows or told != right:
            assert not is_valid(path), f"bit {bit} matters, and verify does not find it"
            found += 1
        for beside in ("-wal", "-shm"):
            path.with_name(path.name + beside).unlink(missing_ok=True)
    return found


@pytest.fixture
def copied(played, tmp_path):
    """A copy of the small season without its log files."""
    shutil.copy(played, tmp_path / "quiet.sqlite")
    return tmp_path / "quiet.sqlite"


@pytest.mark.long
def test_bit_flips_in_the_schema_text_are_reported_and_found(copied, tmp_path):
    content = copied.read_bytes()
    starts = [at for at in range(len(content)) if content.startswith(b"CREATE TABLE", at)]
    bits = [8 * (at + further) + 7 for at in starts[:4] for further in (0, 13, 40)]
    assert check_flips(copied, tmp_path, bits) > 8


@pytest.mark.long
def test_a_bit_flip_in_every_tenth_byte_is_reported_and_found(copied, tmp_path):
    random = Random(5)
    bits = [8 * byte + random.randrange(8) for byte in range(0, copied.stat().st_size, 10)]
    some = share(bits, 100)
    assert check_flips(copied, tmp_path, some) > 1000 * len(some) / len(bits)


DAMAGE = {
    "a value": ("UPDATE seats SET place = x'00' WHERE block_id = 1 AND rotation = 0 AND seat = 0",
                "table seats, row block_id 1, rotation 0, seat 0: its place is of type bytes, not int"),
    "a file": ("UPDATE submissions SET content = 'other' WHERE player = 'dot'", "table submissions, row id 4"),
    "a record": ("UPDATE matches SET record = substr(record, 1, 60) || x'00' WHERE block_id = 2 AND rotation = 1",
                 "table matches, row block_id 2, rotation 1"),
    "letters": ("UPDATE submissions SET reason = CAST(x'ff' AS TEXT) WHERE id = 2", "table submissions, row id 2"),
    "a missing row": ("DELETE FROM blocks WHERE tournament_id = 1 AND number = 1", "refers to a missing row"),
    "an index": ("DROP INDEX ix_seats_submission_id", "index ix_seats_submission_id differs from the one"),
}  # fmt: skip


@pytest.mark.parametrize("kind", first_fast(DAMAGE))
def test_damage_is_one_sentence_with_table_and_row(copied, kind, capsys):
    statement, words = DAMAGE[kind]
    with closing(sqlite3.connect(copied)) as connection, connection:
        connection.execute(statement)
    status = main(["arena", "verify", NAME, "--store", str(copied)])
    told = capsys.readouterr()
    assert status == 2
    assert words in " ".join((told.out + told.err).split())
    assert "fault in Kibitz" not in told.err


BELOW = {
    "a trigger": (("CREATE TRIGGER mine BEFORE INSERT ON SEATS BEGIN SELECT RAISE(IGNORE); END",), "trigger mine"),
    "a view": (("ALTER TABLE seats RENAME TO other", "CREATE VIEW seats AS SELECT * FROM other"), "no table seats"),
    "a computed column": (("ALTER TABLE seats ADD COLUMN more INTEGER GENERATED ALWAYS AS (place + 1)",),
                          "table seats differs"),
    "an index of some rows": (("DROP INDEX ix_seats_submission_id",
                               "CREATE INDEX ix_seats_submission_id ON seats (submission_id) WHERE seat = 0"),
                              "index ix_seats_submission_id differs"),
    "an index more": (("CREATE UNIQUE INDEX mine ON seats (block_id, rotation, seat, detail)",), "index mine differs"),
}  # fmt: skip


@pytest.mark.parametrize("kind", BELOW)
def test_a_changed_schema_is_reported(copied, kind):
    """A trigger could change incoming data before it is logged."""
    statements, words = BELOW[kind]
    with closing(sqlite3.connect(copied, isolation_level=None)) as connection:
        for statement in statements:
            assert connection.execute(statement).rowcount != 0
    with open_store(copied) as store:
        assert not season.true(store)
        found = store.database.reading(lambda connection: list(damage.all_damage(connection)))
    assert any(words in why for why in found), found


@pytest.mark.long
def test_triggers_and_policies_on_a_server_are_reported(postgres_server):
    with open_store(postgres_server) as store:

        def found():
            return " ".join(store.database.reading(lambda connection: list(damage.schema_damage(connection))))

        assert not found()
        store.database.writing(lambda connection: connection.exec_driver_sql("CREATE POLICY mine ON seats"))
        assert "policy mine on table seats" in found()


ODD = {
    "a number in bytes": ("seats", "place", b"1"),
    "a broken number": ("seats", "place", 1.5),
    "a broken score in bytes": ("seats", "score", b"1.0"),
    "many seats": ("tournaments", "seats", 1 << 62),
    "many blocks": ("rounds", "blocks", 1 << 62),
    "a late block": ("rounds", "first_block", 1 << 62),
    "a late round": ("rounds", "number", 1 << 62),
    "a negative block": ("blocks", "number", -1),
    "a deep list": ("blocks", "lineup", "[" * 5000),
    "a long number": ("blocks", "deal_seed", "9" * 5000),
    "bytes for a name": ("tournaments", "name", b"go-mini"),
    "a deep entry": ("log", "entry", "[" * 5000),
}


@pytest.mark.parametrize("kind", first_fast(ODD, 4))
def test_invalid_values_are_reported_in_one_sentence(copied, kind):
    """Values written past all checks give neither a traceback nor an endless proof."""
    table, column, value = ODD[kind]
    with closing(sqlite3.connect(copied, isolation_level=None)) as connection:
        first = connection.execute(f"SELECT min(rowid) FROM {table}").fetchone()
        connection.execute(f"UPDATE {table} SET {column} = ? WHERE rowid = ?", (value, *first))
    with open_store(copied) as store:
        assert not season.true(store)
    sentence = answers_or_error(copied)[1]
    assert "\n" not in sentence


@pytest.mark.parametrize("value", [0, -5, None])
def test_an_invalid_store_version_is_damage(copied, value):
    with closing(sqlite3.connect(copied)) as connection, connection:
        if value is None:
            connection.execute("DELETE FROM kibitz_store")
        else:
            connection.execute("UPDATE kibitz_store SET version = ?", (value,))
    with pytest.raises(StoreError, match=r"damaged in table kibitz_store: it doesn't hold one version"):
        open_store(copied)


def test_a_file_that_differs_from_its_hash_is_not_played(copied):
    with closing(sqlite3.connect(copied)) as connection, connection:
        connection.execute("UPDATE submissions SET content = 'other' WHERE player = 'dot'")
    with open_store(copied) as store, pytest.raises(StoreError, match="table submissions, row id 4: its file is not"):
        store.content(4)


def test_reading_results_reports_a_deleted_open_round(copied):
    """Only the log still mentions the round: its blocks, matches and seats are gone too."""
    with closing(sqlite3.connect(copied)) as connection, connection:
        (last,) = connection.execute("SELECT max(id) FROM rounds WHERE closed_at IS NULL").fetchone()
        mine = f"SELECT id FROM blocks WHERE round_id = {last}"
        for table in schema.metadata.sorted_tables[::-1]:
            if "block_id" in table.columns:
                connection.execute(f"DELETE FROM {table.name} WHERE block_id IN ({mine})")
        connection.execute(f"DELETE FROM blocks WHERE round_id = {last}")
        connection.execute(f"DELETE FROM rounds WHERE id = {last}")
    with (
        open_store(copied) as store,
        pytest.raises(StoreError, match=r"in table rounds: there are . rows of the tourn"),
    ):
        store.results(NAME)


# folders where nothing can be written


def test_a_copy_without_its_log_files_can_be_read(played, tmp_path):
    right = answers(played)
    with open_store(played) as store:
        store.renew_runner("me")
        shutil.copy(played, tmp_path / "alone.sqlite")
    assert answers(tmp_path / "alone.sqlite") == right
    assert is_valid(tmp_path / "alone.sqlite")


def run_read_only(folder, code, *words):
    """The output of Python code that can't write to ``folder``; skipped where that can't be arranged."""
    if os.geteuid() == 0:
        mounted = 'mount --bind "$0" "$0" && mount -o remount,ro,bind "$0" && exec "$@"'
        command = ["unshare", "-m", "sh", "-c", mounted, str(folder)]
        if subprocess.run([*command, "true"], capture_output=True).returncode:
            command = as_nobody()
    else:
        command = []
    words = [*command, sys.executable, "-c", code, *words]
    return subprocess.run(words, capture_output=True, text=True, cwd=Path(__file__).parents[3])


ASK = """
import sys
from tests.arena.store.test_damage import answers, is_valid
sys.stdout.write(answers(sys.argv[1]) + str(is_valid(sys.argv[1])))
"""
CHANGE = """
import sys
import kibitz.arena
try:
    with kibitz.arena.open(sys.argv[1]) as arena:
        arena.end("custom-1")
except kibitz.errors.StoreError as error:
    sys.stdout.write(str(error))
"""


@pytest.mark.long
@pytest.mark.parametrize("busy", first_fast([False, True]), ids=["at rest", "with changes in a log beside it"])
def test_a_read_only_store_can_be_read(played, tmp_path, busy):
    folder = tmp_path / "there"
    folder.mkdir()
    shutil.copy(played, folder / "season.sqlite")
    if busy:
        with open_store(folder / "season.sqlite") as store:
            store.record_check(7, passed=False, reason="", report="")
            for beside in ("", "-wal"):
                shutil.copy(folder / f"season.sqlite{beside}", tmp_path / f"kept{beside}")
        for beside in ("", "-wal"):
            shutil.copy(tmp_path / f"kept{beside}", folder / f"season.sqlite{beside}")
    right = answers(shutil.copytree(folder, tmp_path / "copy") / "season.sqlite")
    folder.chmod(0o555)
    for file in folder.iterdir():
        file.chmod(0o444)
    try:
        asked = run_read_only(folder, ASK, str(folder / "season.sqlite"))
        assert asked.stdout == right.replace("\r\n", "\n") + "True", asked.stderr
        refused = run_read_only(folder, CHANGE, str(folder / "season.sqlite"))
        assert "season.sqlite can't be written; check the permissions" in refused.stdout, refused.stderr
    finally:
        folder.chmod(0o755)
