"""Rows and records describe the same games."""

from pathlib import Path

import msgspec
import pytest

import kibitz
from kibitz.data.result_tables import batches
from kibitz.data.rows import COLUMNS, REQUIRED_COLUMNS, ResultRow, record_rows
from kibitz.engine.registry import all_games


def rows_in(path):
    """The rows of a table."""
    return [
        ResultRow(**dict(zip(batch, values, strict=True)))
        for batch in batches(path)
        for values in zip(*batch.values(), strict=True)
    ]


QUICK = [game.name for game in all_games() if "mini" in game.name or game.name in ("kuhn", "leduc")]


def rows_and_records_agree(name, tmp_path, games):
    for records in (False, True):
        path = tmp_path / f"{records}.jsonl"
        done = kibitz.simulate(name, ["random", "random"], games, path, seed=3, workers=1, records=records)
        assert (done.complete, done.games, done.path) == (True, games, path)
    told = rows_in(tmp_path / "False.jsonl")
    found = kibitz.records(tmp_path / "True.jsonl")
    proved = [one.record for one in found]
    assert (len(proved), found.problems) == (games, [])
    seats = kibitz.game(name).seats
    for match, record in enumerate(proved):
        rows = told[match * seats : (match + 1) * seats]
        assert rows == record_rows(record, match, match // seats, match % seats)
        assert {row.seed for row in rows} == {str(record.seed)}
        assert tuple(row.player for row in rows) == record.seats
        assert {row.player for row in rows} <= {"random-1", "random-2"}
    study = [kibitz.stats(tmp_path / f"{records}.jsonl").games for records in (False, True)]
    assert study[0] == study[1]


@pytest.mark.parametrize("name", QUICK)
def test_rows_and_records_of_the_same_games_agree(name, tmp_path):
    rows_and_records_agree(name, tmp_path, 5)


@pytest.mark.long
@pytest.mark.parametrize("name", [game.name for game in all_games() if game.name not in QUICK])
def test_rows_and_records_agree_in_every_game(name, tmp_path):
    rows_and_records_agree(name, tmp_path, 3)


def test_the_columns_are_the_fields_of_a_row_and_documented():
    assert tuple(COLUMNS) == ResultRow.__struct_fields__
    assert set(REQUIRED_COLUMNS) == {field.name for field in msgspec.structs.fields(ResultRow) if field.required}
    page = (Path(__file__).parents[2] / "docs" / "data.md").read_text(encoding="utf-8")
    assert all(f"| `{column}`" in page for column in COLUMNS)
