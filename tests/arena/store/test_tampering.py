"""``verify`` finds every change of a store, unless docs/arena-store.md lists it as irrelevant.

Tables and columns come from the schema, so new ones are covered. Checksums are recomputed after every change, so it
must be found by derivation or in the log.
"""

import re
import shutil
from pathlib import Path

import pytest
from sqlalchemy import CheckConstraint, Double, Integer, LargeBinary, UniqueConstraint, insert, update
from sqlalchemy.exc import DBAPIError, IntegrityError

from kibitz.arena.schedule import is_filler
from kibitz.arena.store import open_store
from kibitz.database import schema
from tests.arena.store import season
from tests.arena.store.season import TABLES, rows_of, tampered, true
from tests.parts import Options, share

PAGE = Path(__file__).parents[3] / "docs" / "arena-store.md"
WHOLE_ROW = "(whole rows)"


@pytest.fixture
def store(where, played):
    """A private copy of the small season, on either database."""
    with open_store(played) as source:
        found = rows_of(source)
    with open_store(where) as made:
        with season.unbound(made) as connection:
            season.put(connection, found)
        yield made


@pytest.fixture
def season_copy(played, tmp_path):
    """A private copy of the small season in a file."""
    with open_store(shutil.copy(played, tmp_path / "small.sqlite")) as opened:
        yield opened


def irrelevant_columns():
    """The entries that the page lists as irrelevant: table and column, each with its reason."""
    part = PAGE.read_text(encoding="utf-8").partition("## Columns that decide nothing")[2].partition("\n## ")[0]
    found = re.findall(r"^\| `(\w+)` \| (`\w+`(?:, `\w+`)*|\(whole rows\)) \| (.+) \|$", part, re.MULTILINE)
    assert all(len(reason) > 20 for _, _, reason in found)
    return {(table, one.strip("`")) for table, columns, _ in found for one in columns.split(", ")}


def other_values(table, column, value, rows):
    """Other values for a cell: similar ones, those of other rows, and NULL."""
    near = []
    if isinstance(column.type, Integer):
        near = [1] if value is None else [value + 1, value - 1]
    elif isinstance(column.type, Double):
        near = [1.0] if value is None else [value + 1.0, 1 - value]
    elif isinstance(column.type, LargeBinary):
        near = [value[:-1] + bytes([value[-1] ^ 1]) if value else b"x"]
    else:
        words = "x" if not value else value[:-1] + ("0" if value[-1] != "0" else "1")
        near = [words[: getattr(column.type, "length", None) or None]]
    near = allowed_words(table, column) or near
    elsewhere = [row[column.name] for row in rows if row[column.name] not in (value, None)]
    nothing = [None] if column.nullable else []
    return [one for one in (*near, *elsewhere[:1], *elsewhere[-1:], *nothing) if one != value]


def allowed_words(table, column):
    """The words that a column may hold, if they are restricted."""
    for one in table.constraints:
        if isinstance(one, CheckConstraint) and str(one.sqltext).startswith(f"{column.name} IN"):
            return re.findall(r"'([\w-]+)'", str(one.sqltext))
    return []


def spread_rows(rows, most):
    """Rows from all over a table."""
    return [rows[k * (len(rows) - 1) // max(1, most - 1)] for k in range(min(most, len(rows)))]


def same_key(table, row):
    return [key == row[key.name] for key in table.primary_key]


def changes(rows, most, values=10, of=None):
    """Changes of values in at most ``most`` rows per table (of ``of``): table, column, description and statement."""
    for table in TABLES:
        for column in table.columns:
            for row in spread_rows((of or rows)[table], most):
                for value in list(dict.fromkeys(other_values(table, column, row[column.name], rows[table])))[:values]:
                    statement = update(table).where(*same_key(table, row)).values({column.name: value})
                    yield table.name, column.name, f"{row[column.name]!r} -> {value!r}"[:200], statement


def row_changes(rows, most):
    """For every table one removed, one duplicated and one added row."""
    for table in TABLES:
        assert rows[table], f"the small season should have something in {table.name}"
        for row in spread_rows(rows[table], most):
            yield table.name, "removed", str(row)[:200], table.delete().where(*same_key(table, row))
        for row in (rows[table][-1], rows[table][0]):
            yield table.name, "doubled", str(row)[:200], insert(table).values(with_unused_keys(table, row, rows[table]))
            new = {
                column.name: other_values(table, column, row[column.name], rows[table])[0]
                for column in table.columns
                if not column.primary_key and not column.foreign_keys
            }
            added = with_unused_keys(table, {**row, **new}, rows[table])
            yield table.name, "added", str(added)[:200], insert(table).values(added)


def with_unused_keys(table, row, rows):
    """A copy of a row with unused keys."""
    keys = [list(table.primary_key)]
    keys += [list(one.columns) for one in table.constraints if isinstance(one, UniqueConstraint)]
    copy = dict(row)
    for key in keys:
        last = key[-1]
        taken = [one[last.name] for one in rows]
        if allowed_words(table, last):
            free = [word for word in allowed_words(table, last) if word not in taken]
            copy[last.name] = free[0] if free else copy[last.name]
        else:
            copy[last.name] = max(taken) + 1 if isinstance(last.type, Integer) else f"x{copy[last.name]}"[:32]
    return copy


def unnoticed_changes(store, statements):
    """The changes that are not found, by table and column, or by table and what was done to a row."""
    before = rows_of(store)
    assert true(store)
    found = {}
    tried = 0
    for table, column, words, statement in statements(before):
        try:
            with tampered(store, before, lambda c, s=statement: c.execute(s) and s.table):
                tried += 1
                if true(store):
                    found.setdefault((table, column), words)
        except (IntegrityError, DBAPIError):
            continue  # the database itself refuses it
    assert tried > 30
    assert true(store), "everything is put back"
    return found


@pytest.mark.long
def test_every_changed_value_is_found_or_listed_as_irrelevant(season_copy):
    found = unnoticed_changes(season_copy, lambda rows: changes(rows, 1, 2))
    allowed_to = {pair for pair in irrelevant_columns() if pair[1] != WHOLE_ROW}
    assert set(found) == allowed_to, {pair: found.get(pair) for pair in set(found) ^ allowed_to}


@pytest.mark.long
def test_removed_doubled_and_added_rows_are_found_or_listed(store):
    found = unnoticed_changes(store, lambda rows: row_changes(rows, 1))
    allowed_to = {table for table, column in irrelevant_columns() if column == WHOLE_ROW}
    assert {table for table, _ in found} == allowed_to, found


def filler_rows(rows):
    """For each table, a row that concerns the built-in filler, if there is one."""
    filler = next(row for row in rows[schema.submissions] if is_filler(row["owner"], row["sha256"]))
    found = {table: [row for row in rows[table] if row.get("submission_id") == filler["id"]] for table in TABLES}
    found[schema.submissions] = [filler]
    found[schema.rounds] = [row for row in rows[schema.rounds] if filler["player"] in row["entrants"]]
    found[schema.log] = [row for row in rows[schema.log] if filler["player"] in row["entry"]]
    return found


@pytest.mark.long
def test_every_changed_value_of_a_filler_is_found(season_copy):
    about = filler_rows(rows_of(season_copy))
    assert {table.name for table in about if about[table]} == {
        "submissions",
        "qualifications",
        "rounds",
        "seats",
        "log",
    }
    found = unnoticed_changes(season_copy, lambda rows: changes(rows, 1, 2, about))
    assert set(found) <= irrelevant_columns()


@pytest.mark.long
def test_every_changed_value_of_every_row_is_found_or_listed(store):
    found = unnoticed_changes(store, lambda rows: share(changes(rows, 10**6), 40))
    known = {pair for pair in irrelevant_columns() if pair[1] != WHOLE_ROW}
    assert set(found) <= known, found
    if Options.exhaustive:
        assert set(found) == known, "what the page lists is really not noticed"
