"""Findings about a player as text, and the choice of the example call."""

from kibitz.players.calls import example_of, most_informative, type_in_words
from kibitz.players.findings import INDENT, Finding, ReportLine, as_text, finding_lines

FINDINGS = [
    Finding(True, "It loads"),
    Finding(True, "It prints", "too much.", "prints", detail="call 1\n  x", warning=True),
    Finding(False, "Failure", "No.", "time", "kibitz again", "call(1)\nreturned 2", "line 1\nline 2", "kibitz call"),
    Finding(False, "Failure", "No.", "exception", detail="a traceback"),
]
EXPECTED = """\
ok      It loads.
warning It prints: too much.
        By call:
        call 1
          x
FAILED  Failure: No.
        What your player saw:
        line 1
        line 2
        The call:
        call(1)
        returned 2
        To repeat it:
kibitz again
        To repeat only the call:
kibitz call
FAILED  Failure: No.
        What happened:
        a traceback
"""


def test_every_finding_is_printed_with_its_details_and_commands():
    assert as_text(finding_lines(FINDINGS)) == EXPECTED


def test_wrapped_lines_hang_and_preformatted_lines_are_kept():
    lines = list(finding_lines(FINDINGS))
    assert {line.hanging_indent for line in lines if line.kind == "plain"} == {INDENT}
    assert [line.text for line in lines if line.kind == "preformatted"][-2:] == ["kibitz call", f"{INDENT}a traceback"]
    assert as_text([ReportLine("a \nb"), ReportLine("a\nb ", "preformatted"), ReportLine()]).splitlines()[-3:] == [
        "a",
        "b ",
        "",
    ]


def test_most_informative_call_has_no_empty_part_and_about_150_characters():
    def call(*parts, length):
        return (*parts, "x" * (length - len(repr((*parts, "")))))

    short, right, long = (call([1], length=length) for length in (100, 148, 210))
    empty = call([], length=150)
    assert len(repr(right)) == 148
    assert most_informative([short, empty, long, right]) == right
    assert most_informative([long, empty]) == long
    assert most_informative([short, long]) == short
    assert most_informative([]) is None
    assert example_of(type("F", (), {"example": (1,)}), [right]) == (1,)
    assert example_of(type("F", (), {"example": None}), [right]) == right


def test_types_are_described_in_words():
    assert type_in_words(list, [[]], False) == "list"
    assert type_in_words(list, [[1], ["a"]], True) == "lists of int or str"
    assert type_in_words(tuple, [(1, "a")], False) == "tuple (int, str)"
    assert type_in_words(tuple, [(1,), (1, 2)], False) == "tuple of int"
    assert type_in_words(tuple, [((1, 2), (3, 4))], False) == "tuple of 2 tuples (int, int)"
    assert type_in_words(tuple, [((1, 2),)], False) == "tuple (tuple (int, int))"
    assert type_in_words(type(None), [None], False) == "None"
