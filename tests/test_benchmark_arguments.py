"""What follows a benchmark's name is read by ``benchmarks.harness`` alone: all else is refused in a sentence."""

import ast
from argparse import ArgumentTypeError
from pathlib import Path

import pytest

from benchmarks.harness import LONGEST, a_game, fraction, games, one_of, whole, wholes

FILES = sorted((Path(__file__).parents[1] / "benchmarks").rglob("*.py"))
BARE = {"int", "float"}


def bare_numbers(source):
    """The lines that read a number without bounds from the command line."""
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.Call):
            continue
        name = ast.unparse(node.func)
        read = [w.value for w in node.keywords if w.arg == "type"] if name.endswith("add_argument") else []
        given = [*node.args, *(w.value for w in node.keywords)]
        by_hand = (name in BARE or (name == "map" and ast.unparse(node.args[0]) in BARE)) and any(
            "argv" in ast.unparse(value) or ast.unparse(value) == "arguments" for value in given
        )
        if by_hand or any(ast.unparse(value) in BARE for value in read):
            yield node.lineno


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(FILES[0].parent)))
def test_no_benchmark_reads_a_number_without_bounds(file):
    assert list(bare_numbers(file.read_text(encoding="utf-8"))) == []


@pytest.mark.parametrize(
    "line",
    [
        'p.add_argument("n", type=int)',
        'p.add_argument("--x", type=float, default=1)',
        "int(sys.argv[1])",
        "map(int, sys.argv[1:3])",
        "int((sys.argv[1:] or ['3'])[0])",
    ],
)
def test_a_number_without_bounds_is_found(line):
    assert list(bare_numbers(line)) == [1]


@pytest.mark.parametrize(
    ("read", "text", "sentence"),
    [
        (whole(2), "1", "2 to 10000000 is wanted, not 1"),
        (whole(0, 9), "10", "0 to 9 is wanted, not 10"),
        (whole(0), "9" * 5000, f"a whole number is wanted, not '{'9' * LONGEST}'"),
        (whole(0), "1.5", "a whole number is wanted, not '1.5'"),
        (whole(0), "", "a whole number is wanted, not ''"),
        (whole(0), "--1", "a whole number is wanted, not '--1'"),
        (whole(0), "²", "a whole number is wanted, not '²'"),
        (wholes(1), "3,0", "1 to 10000000 is wanted, not 0"),
        (fraction(0, 2), "nan", "0 to 2 is wanted, not nan"),
        (fraction(0, 2), "2.1", "0 to 2 is wanted, not 2.1"),
        (fraction(0, 2), "much", "a number is wanted, not 'much'"),
        (one_of({"a": 1, "b": 2}), "a,c", "there is no 'c'; there are a, b"),
        (a_game, "chess", "Unknown game 'chess'"),
        (games, "go,chess", "Unknown game 'chess'"),
    ],
)
def test_what_does_not_fit_is_refused_in_a_sentence(read, text, sentence):
    with pytest.raises(ArgumentTypeError) as found:
        read(text)
    assert str(found.value).startswith(sentence)


def test_what_fits_is_read():
    assert (whole(2)("2"), whole(-5, 5)("-5"), whole(0)("10000000")) == (2, -5, 10_000_000)
    assert (wholes(1)("100,20"), fraction(0, 2)("1.5"), one_of("ab")("b,a")) == ([100, 20], 1.5, ["b", "a"])
    assert a_game("bo").name == "bo"
    assert [game.name for game in games("go,kuhn")] == ["go", "kuhn"]
