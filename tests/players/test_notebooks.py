"""Notebooks as players and submissions: their code, the lines left out, and where they are found."""

import json

import pytest

from kibitz.engine.registry import game
from kibitz.errors import NotationError
from kibitz.players.files.entries import player_at, players_in
from kibitz.players.files.notebooks import (
    author_note,
    file_text,
    notebook_name,
    python_source,
    with_cell_lines,
    with_missing_names,
)
from kibitz.players.files.sources import one_player
from kibitz.players.specs import files_of
from tests.players.class_of import archive, write_files
from tests.players.conftest import HONEST

PLAY = ("comp10001go_play", "comp10001go_group")


def notebook(*cells, **more):
    """A notebook with these code cells."""
    cell_list = [{"cell_type": "markdown", "metadata": {}, "source": ["# My player\n"]}]
    cell_list += [{"cell_type": "code", "metadata": {}, "source": cell, "outputs": [{"data": "!x"}]} for cell in cells]
    return json.dumps({"cells": cell_list, "metadata": {}, "nbformat": 4, "nbformat_minor": 5} | more).encode()


def code(*cells):
    """The lines of code extracted from a notebook with these cells."""
    source = python_source(notebook(*cells), "x.ipynb").decode()
    return [line for line in source.splitlines() if line and not line.startswith("#")]


@pytest.mark.parametrize(
    ("cell", "lines"),
    [
        ("x = 1\ny = 2", ["x = 1", "y = 2"]),
        (["x = 1\n", "y = 2"], ["x = 1", "y = 2"]),
        ("%matplotlib inline\nx = 1", ["pass  # left out: %matplotlib inline", "x = 1"]),
        ("def f():\n    !ls\n    return 1", ["def f():", "    pass  # left out: !ls", "    return 1"]),
        ("a = !ls", ["pass  # left out: a = !ls"]),
        ("f?", ["pass  # left out: f?"]),
        ("%%bash\nrm -r x", ["pass  # left out: %%bash"]),
        ("%%time\nx = 1", ["pass  # left out: %%time", "x = 1"]),
        ("x = (5\n% 3)", ["x = (5", "% 3)"]),
        ("x = 5 \\\n% 3", ["x = 5 \\", "% 3)"[:3]]),
        ("x = '''\n%a\n'''", ["x = '''", "%a", "'''"]),
        ("x = 5  # (\n%a", ["x = 5  # (", "pass  # left out: %a"]),
        ("x = a != b", ["x = a != b"]),
    ],
)
def test_code_that_only_jupyter_understands_is_left_out(cell, lines):
    assert code(cell) == lines


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"", "JSON is damaged"),
        (b"{", "JSON is damaged"),
        (b"\xff", "JSON is damaged"),
        (b'{"cells": [], "x": ' + b"[" * 100_000, "JSON is damaged"),
        (b"[]", "isn't a notebook of version 4"),
        (b'{"worksheets": []}', "isn't a notebook of version 4"),
        (notebook("x", metadata={"kernelspec": {"language": "R"}}), "is a notebook in R"),
        (notebook("x" * (1 << 20) + "y"), "more than 1 MiB of code"),
    ],
    ids=range(8),
)
def test_invalid_notebook_is_rejected(content, why):
    with pytest.raises(NotationError, match=why) as refused:
        python_source(content, "x.ipynb")
    assert str(refused.value).count("\n") == 0


def test_outputs_do_not_count_towards_the_code_size(tmp_path):
    big = notebook(HONEST, extra="z" * (3 << 20))
    write_files(tmp_path, {"mine.ipynb": big})
    assert player_at(tmp_path / "mine.ipynb", PLAY).sources.main == "mine.py"


def test_note_lists_the_lines_left_out():
    source = python_source(notebook("x = 1", "%cd ..\n!ls"), "a/mine.ipynb")
    assert author_note(source) == "The code cells of mine.ipynb were used, except cell 2: %cd ..; cell 2: !ls."
    assert author_note(b"x = 1") == ""


def test_line_numbers_are_given_as_cell_and_line():
    source = python_source(notebook("x = 1\n", "y\nz ="), "mine.ipynb")
    line = source.decode().splitlines().index("z =") + 1
    assert (
        with_cell_lines(f'  File "mine.py", line {line}, in f', "mine.py", source)
        == '  File "mine.ipynb", cell 2, line 2, in f'
    )
    said = f"The file isn't valid Python: invalid syntax in line {line}."
    assert with_cell_lines(said, "mine.py", source) == "The file isn't valid Python: invalid syntax in cell 2, line 2."
    assert with_cell_lines(said, "mine.py", b"x = 1") == said


def test_undefined_name_set_by_a_left_out_line_is_explained():
    source = python_source(notebook("x = 1", "files = !ls"), "mine.ipynb")
    said = "The file raised NameError: name 'files' is not defined while it was loaded."
    why = " A line that only Jupyter understands sets files (cell 2: files = !ls)."
    assert with_missing_names(f"{said} Did you mean filter?", source) == said + why
    assert with_missing_names(said.replace("files", "file"), source) == said.replace("files", "file")


@pytest.mark.parametrize(
    ("files", "main", "left_out"),
    [
        ({"a.ipynb": HONEST}, ["a.py"], []),
        ({"a.ipynb": HONEST, "b.py": HONEST}, ["b.py"], ["a.ipynb: b.py was used instead"]),
        ({"a.ipynb": HONEST, "a.py": HONEST}, ["a.py"], ["a.ipynb: a.py was used instead"]),
        ({"a.ipynb": HONEST, "a.py": "x = 1"}, ["a_notebook.py", "a.py"], []),
        ({"a.ipynb": HONEST, "b.ipynb": "x = 1"}, ["a.py"], ["b.ipynb: a.ipynb was used instead"]),
    ],
)
def test_python_file_is_preferred_to_a_notebook(files, main, left_out):
    found = one_player({path: content.encode() for path, content in files.items()}, PLAY)
    assert [name for name, _ in found.sources.files] == main
    assert [str(one) for one in found.left_out] == left_out


def test_notebook_is_accepted_wherever_a_file_is(tmp_path):
    whole = notebook(HONEST)
    write_files(
        tmp_path, {"class/ann.ipynb": whole, "class/bob.py": HONEST, "class/cat/x.ipynb": whole, "class/dee.ipynb": "{"}
    )
    (tmp_path / "class.zip").write_bytes(archive({"ann.ipynb": whole, "bob.IPYNB": whole}))
    found = players_in(tmp_path / "class", PLAY)
    assert {each.name: each.why for each in found.entries} == {
        "ann": "",
        "bob": "",
        "cat": "",
        "dee": "'dee.ipynb' isn't a notebook: its JSON is damaged. Save it again in Jupyter.",
    }
    assert [each.name for each in players_in(tmp_path / "class.zip", PLAY).entries] == ["ann", "bob"]
    assert files_of(game("go"), "up.ipynb", whole).main == "up.py"
    assert files_of(game("go"), "up.zip", archive({"up.ipynb": whole})).main == "up.py"


def test_notebook_beside_its_python_export_is_one_player(tmp_path):
    write_files(tmp_path, {"ann.py": HONEST, "ann.ipynb": notebook(HONEST), "bob.py": HONEST})
    found = players_in(tmp_path, PLAY)
    assert [each.name for each in found.entries] == ["ann", "bob"]
    assert [str(one) for one in found.left_out] == [f"{tmp_path}/ann.ipynb: ann.py was used instead"]


@pytest.mark.parametrize(
    "files",
    [
        {"Lee Ann_1101_assignsubmission_file/x.ipynb": HONEST},
        {"leeann_12345_67890_x.ipynb": HONEST, "ozcem_LATE_12346_67891_x-1.ipynb": HONEST},
        {"submission_1/x.ipynb": HONEST},
    ],
)
def test_notebooks_are_read_from_platform_exports(tmp_path, files):
    write_files(tmp_path, {path: notebook(content) for path, content in files.items()})
    found = players_in(tmp_path, PLAY)
    assert found.layout != "folders"
    assert [each.sources.main for each in found.entries] == ["x.py"] * len(files)
    assert [notebook_name(each.sources.files[0][1]) for each in found.entries] == ["x.ipynb"] * len(files)


def test_notebook_renamed_by_canvas_is_reported_under_its_own_name(tmp_path):
    write_files(tmp_path, {"leeann_12345_67890_x.ipynb": "{"})
    (found,) = players_in(tmp_path, PLAY).entries
    assert found.why.startswith("'x.ipynb' isn't a notebook")


def test_starter_file_round_trips_through_a_notebook():
    text = '"""About.\n\nMore.\n"""\n\n\ndef f():\n    return 1\n\n\ndef g():\n    return 2\n'
    cells = json.loads(file_text("x.ipynb", text))["cells"]
    assert [cell["source"] for cell in cells] == ["About.\n\nMore.", "def f():\n    return 1", "def g():\n    return 2"]
    assert code(*[cell["source"] for cell in cells[1:]]) == [line for line in text.splitlines()[5:] if line]
    assert file_text("x.py", text) == text
