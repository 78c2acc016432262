"""Which submissions share code: renamed copies are found; independent work and starter code are not."""

import re
import time
from random import Random

import pytest

from kibitz.errors import NotationError
from kibitz.marking.similarity import similarity, tokens_of
from kibitz.marking.similarity_page import similarity_page
from tests.players.class_of import write_files

LINES = (
    "{a} = {b} + {c}",
    "{a} = [{b} for {b} in {c} if {b} > 3]",
    "if {a} in {b}: {c} = 1",
    "{a}.append({b}[{c}])",
    "for {a} in range({b}): {c} -= {a}",
    "{a} = sorted({b}, key=len)",
    "{a} = {b} % {c} == 2",
    "while not {a}: {b} = {c} * 2",
)


def program(seed, lines=60):
    """A random program."""
    rng = Random(seed)
    body = [rng.choice(LINES).format(**{name: rng.choice("pqrstuv") for name in "abc"}) for _ in range(lines)]
    return "def play(view, legal):\n" + "".join(f"    {line}\n" for line in body)


def renamed(text):
    """The same program with other names, comments and layout."""
    text = re.sub(r"\b([p-v])\b", r"my_\1", text)
    return "\n\n".join(f"{line}  # step {i}" for i, line in enumerate(text.splitlines())).replace(" = ", "  =   ")


def compare(folder, files, starter=None):
    """The similar pairs by name, the identical files and the groups of a class."""
    write_files(folder / "class", files)
    if starter is not None:
        write_files(folder, {"starter.py": starter})
    seen = similarity(folder / "class", folder / "starter.py" if starter is not None else None)
    pairs = {(pair.first.name, pair.second.name): round(pair.share, 2) for pair in seen.pairs}
    return pairs, [dict(one.copies) for one in seen.identical], seen.groups


def test_renamed_copy_is_found_and_independent_work_is_not(tmp_path):
    files = {f"s{seed}.py": program(seed) for seed in range(8)} | {"copy.py": renamed(program(3))}
    assert compare(tmp_path, files) == ({("copy", "s3"): 1.0}, [], ())


def test_copied_part_is_shown_with_its_lines(tmp_path):
    own, other = program(1), program(2)
    files = {"ann.py": own + other, "bob.py": program(3) + other.replace("def play", "def other")}
    write_files(tmp_path, files)
    (pair,) = similarity(tmp_path).pairs
    (passage,) = [one for one in pair.passages if one.length > 100]
    assert pair.first.positions[passage.first].line in range(60, 64)
    assert 0.4 < pair.share < 0.7


def test_code_from_the_starter_file_is_ignored(tmp_path):
    start = program(99, 120)
    files = {f"s{seed}.py": start + program(seed, 40) for seed in range(4)}
    assert len(compare(tmp_path, files)[0]) == 6
    assert compare(tmp_path, files, start) == ({}, [], ())


def test_code_from_the_handout_folder_is_ignored(tmp_path):
    given = {"my_go.py": program(99, 120), "test_public.py": program(98, 120)}
    own = {f"s{seed}": {**given, "my_go.py": given["my_go.py"] + program(seed, 40)} for seed in range(3)}
    files = {f"{student}/{name}": text for student, those in own.items() for name, text in those.items()}
    write_files(tmp_path / "handout", given)
    write_files(tmp_path / "class", files)
    assert len(similarity(tmp_path / "class").identical) == 1
    seen = similarity(tmp_path / "class", tmp_path / "handout")
    assert (seen.pairs, seen.identical) == ((), ())


def test_code_shared_by_many_is_ignored(tmp_path):
    common = program(99, 120)
    assert compare(tmp_path, {f"s{seed}.py": common + program(seed, 40) for seed in range(12)})[0] == {}


def test_widely_shared_code_is_reported_if_it_is_most_of_their_work(tmp_path):
    write_files(tmp_path, {f"s{seed}.py": program(99, 120) + f"x{seed} = {seed}\n" for seed in range(12)})
    assert similarity(tmp_path).left_out == (
        "code that more than 10 submissions share, as if it had been handed out; it is most of what"
        " 12 submissions have.",
    )


def test_identical_files_and_groups_of_three_or_more_are_named(tmp_path):
    files = {"a/x.py": program(1), "b/y.py": program(1), "c.py": renamed(program(1)), "d.py": program(2), "e.py": ""}
    pairs, same, groups = compare(tmp_path, files)
    assert set(pairs) == {("a", "b"), ("a", "c"), ("b", "c")}
    assert same == [{"a": "x.py", "b": "y.py"}]
    assert groups == (("a", "b", "c"),)


def test_exports_are_read_as_for_marking(tmp_path):
    files = {f"Lee Ann_{n}_assignsubmission_file/x.py": program(1) for n in (1, 2)}
    assert set(compare(tmp_path, files)[0]) == {("Lee Ann (1)", "Lee Ann (2)")}


def test_single_submission_is_rejected(tmp_path):
    write_files(tmp_path, {"a.py": program(1)})
    with pytest.raises(NotationError, match="nothing to compare"):
        similarity(tmp_path)


def test_export_student_without_python_is_named(tmp_path):
    files = {f"Lee Ann_{n}_assignsubmission_file/x.py": program(n) for n in (1, 2)}
    write_files(tmp_path, {**files, "Cem Oz_3_assignsubmission_file/report.pdf": "%PDF"})
    assert similarity(tmp_path).left_out == ("Cem Oz: no Python file.",)


def test_uncomparable_files_are_named(tmp_path):
    files = {"a.py": program(1), "b.py": program(2), "c/c.ipynb": "{", "d/x.py": "x = 1", "d/y.py": "#" * 1_048_575}
    write_files(tmp_path / "class", files)
    seen = similarity(tmp_path / "class")
    assert seen.left_out == (
        "c/c.ipynb: 'c.ipynb' isn't a notebook: its JSON is damaged. Save it again in Jupyter.",
        "'d/y.py' takes its submission over 1 MiB, the limit for a comparison.",
    )
    assert seen.left_out[1] in similarity_page(seen, "class").replace("&#39;", "'")


@pytest.mark.parametrize("content", ["", "%PDF"])
def test_starter_file_that_excludes_nothing_is_rejected(tmp_path, content):
    with pytest.raises(NotationError, match=r"starter\.py' contains too little Python"):
        compare(tmp_path, {"a.py": program(1), "b.py": program(2)}, content)


def test_page_shows_both_sides_escaped(tmp_path):
    write_files(tmp_path, {"<b>.py": program(1) + "x = '<script>'\n", "two.py": program(1) + "x = '<script>'\n# end\n"})
    page = similarity_page(similarity(tmp_path), "class")
    assert "<script" not in page
    assert page.count("&lt;script&gt;") == 2
    assert "&lt;b&gt;: &lt;b&gt;.py, lines 1 to 62" in page


@pytest.mark.parametrize("text", ["(" * 20_000, "x " * 20_000, "'''" * 7_000, "\\" * 20_000, '"a\n' * 7_000])
def test_odd_files_take_no_longer_than_others(tmp_path, text):
    write_files(tmp_path, {"a.py": text, "b.py": text + "\nx = 1"})
    start = time.process_time()
    similarity(tmp_path)
    assert time.process_time() - start < 5


def test_tokens_are_found_in_invalid_python():
    assert tokens_of("print 'x', y1  # no\nif") == (["v", "''", ",", "v", "if"], [1, 1, 1, 1, 2])
