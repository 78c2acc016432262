"""CSV: no cell starts a formula, numbers stay numbers, and a round trip changes nothing."""

import ast
import io

import pytest
from hypothesis import example, given
from hypothesis import strategies as some

from kibitz.arena.csv_files import FORMULA_STARTS, cell_text, read_rows, read_table, unescape, write_rows
from kibitz.errors import RecordError

texts = some.text(some.characters(exclude_categories=("Cs",))) | some.builds(
    str.__add__, some.sampled_from([*FORMULA_STARTS, "'", " ", " =", "''", '"', "\n", ";", ","]), some.text(max_size=4)
)
numbers = some.integers() | some.floats(allow_nan=False, allow_infinity=False)


def file_of(rows):
    out = io.StringIO(newline="")
    write_rows(out, rows)
    return out.getvalue()


def read_back(content):
    return [row for _, row in read_rows(io.StringIO(content, newline=""))]


@given(some.lists(some.lists(texts, min_size=2, max_size=4), max_size=4))
@example([["=cmd|' /C calc'!A0", "'=1"]])
def test_texts_survive_a_round_trip_and_never_start_a_formula(rows):
    found = read_back(file_of(rows))
    assert [[unescape(cell) for cell in row] for row in found] == rows
    for cell in (cell for row in found for cell in row):
        assert not cell.startswith(FORMULA_STARTS)
        assert not cell.lstrip().startswith(FORMULA_STARTS)


@given(some.lists(numbers, min_size=1))
def test_numbers_stay_numbers(row):
    (found,) = read_back(file_of([row]))
    assert [ast.literal_eval(cell) for cell in found] == row


@pytest.mark.parametrize("text", ["-1 for the docstrings", "'tis", "+"])
def test_a_table_survives_repeated_round_trips(tmp_path, text):
    path = tmp_path / "rubric.csv"
    path.write_text(f"student,comment\nAnn,{text}\n")
    for _ in range(3):
        (_, head), (_, row) = read_table(path)
        assert row[1] == text
        path.write_text(file_of([head, row]), newline="")


@given(texts)
def test_only_cells_that_are_written_that_way_are_read(cell):
    """A cell is read only if it is exactly how its text would be written."""
    try:
        found = unescape(cell)
    except ValueError:
        assert all(cell_text(cell[start:]) != cell for start in (0, 1))
    else:
        assert cell_text(found) == cell


@pytest.mark.parametrize("content", ['"', 'a"b"\nc,"d', '"a"b'])
def test_invalid_csv_is_refused_with_its_line(content):
    with pytest.raises(RecordError, match=r"x.csv:\d: this isn't valid CSV"):
        list(read_rows(io.StringIO(content, newline=""), "x.csv"))
