"""What passes between the referee and a player: everything plain comes through, and nothing else."""

import contextlib
import json
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from kibitz.players.isolation.child import History, has_list
from kibitz.players.isolation.wire import (
    HISTORY,
    MAX_NUMBER,
    WireError,
    as_json,
    exact_text,
    interned,
    packed,
    read_reply,
    read_request,
    unpacked,
)
from tests.parts import times
from tests.players.answers import DOCUMENTS, document, lines

ATOMS = (
    some.none() | some.integers(1 - MAX_NUMBER, MAX_NUMBER - 1) | some.text(some.characters(exclude_categories=["Cs"]))
)
VALUES = some.recursive(ATOMS, lambda parts: some.lists(parts) | some.lists(parts).map(tuple), max_leaves=30)


@given(VALUES)
def test_plain_values_come_through_unchanged_both_ways(value):
    for written in (as_json(value), exact_text(value)):
        assert same(read_request(written), value)
        assert same(read_reply(written.encode(), bools=False), value)


@given(some.binary(max_size=40) | lines() | DOCUMENTS.map(document))
def test_whatever_comes_from_a_player_is_plain_or_refused(line):
    assert_plain_or_refused(line)


@pytest.mark.long
@settings(max_examples=times(20_000, 4))
@given(lines() | DOCUMENTS.map(document))
def test_whatever_comes_from_a_player_is_plain_or_refused_twenty_thousand_times(line):
    assert_plain_or_refused(line)


def assert_plain_or_refused(line):
    try:
        value = read_reply(line, bools=False)
    except WireError as error:
        refused = str(error)
    else:
        refused = ""
        assert same(read_request(exact_text(value)), value)
    assert len(refused) < 200
    assert not refused or refused.isprintable()


def test_a_long_line_takes_no_longer_than_its_length():
    """All of the shapes that make readers slow, as long as a reply may be."""
    room = 64 << 10
    for piece, end in (
        (b"[", b""),
        (b"[],", b"]"),
        (b'{"t":[', b""),
        (b'"\\u0041",', b"1]"),
        (b"9", b""),
        (b"1,", b"1]"),
    ):
        line = b"[" + piece * (room // len(piece)) + end
        start = time.perf_counter()
        with contextlib.suppress(WireError):
            read_reply(line, bools=False)
        assert time.perf_counter() - start < 1


def same(left, right):
    if type(left) is not type(right):
        return False
    if isinstance(left, list | tuple):
        return len(left) == len(right) and all(map(same, left, right))
    return left == right


class Word(str):
    """A string that says it is any other."""

    def __eq__(self, other):
        return True

    __hash__ = str.__hash__


class Pair(tuple):
    """A tuple that says it is any other."""

    def __eq__(self, other):
        return True

    __hash__ = tuple.__hash__


@pytest.mark.parametrize(
    ("value", "name"),
    [
        (1.0, "type float"),
        ({"a": 1}, "type dict"),
        ({1}, "type set"),
        (b"AS", "type bytes"),
        (Word("AS"), "type Word, a class derived from str"),
        ([Word("AS")], "derived from str"),
        (["AS", Word("AS")], "derived from str"),
        (Pair((1, 2)), "type Pair, a class derived from tuple"),
        (MAX_NUMBER, "18 digits"),
        (1 << 9999, "18 digits"),
        ("\ud800", "surrogate"),
        (print, "type builtin_function_or_method"),
    ],
    ids=range(12),
)
def test_other_types_are_refused_by_name(value, name):
    with pytest.raises(WireError, match=name):
        exact_text(value)


@pytest.mark.parametrize(
    "line",
    [
        *(
            b"",
            b"[",
            b"1 2",
            b"\xff",
            b'"\\ud800"',
            b"NaN",
            b"-Infinity",
            b"1e5",
            b"1.0",
            b'{"a":1}',
            b"{}",
            b'{"t":1}',
        ),
        *(b'{"t":[],"t":[]}', b'{"t":[],"h":0}', b"[" * 60_000, b'{"t":' * 9000, b"9" * 60_000, b"true", b"[false]"),
        *(b"1000000000000000000", b"[" * 30 + b"]" * 30, '"\ud83d"'.encode("utf-8", "surrogatepass")),
    ],
    ids=range(22),
)
def test_lines_that_no_honest_process_sends_are_refused(line):
    with pytest.raises(WireError):
        read_reply(line, bools=False)


def test_true_and_false_come_through_where_they_are_welcome():
    assert read_reply(exact_text([True, False]).encode(), bools=True) == [True, False]
    with pytest.raises(WireError, match="True, a bool"):
        read_reply(exact_text((0, True)).encode(), bools=False)


@given(VALUES)
def test_what_is_packed_is_unpacked_with_its_types(value):
    assert same(unpacked(json.loads(packed(value))), value)
    assert same(interned(value), value)


def test_the_place_of_the_history_is_packed_too():
    assert unpacked(json.loads(packed([1, HISTORY]))) == [1, HISTORY]


@given(VALUES)
def test_equal_strings_that_are_packed_interned_are_one_object_in_all_calls(value):
    met = {}
    for _ in range(2):
        for text_ in strings(unpacked(json.loads(packed(interned(value))))):
            assert met.setdefault(text_, text_) is text_


def strings(value):
    if isinstance(value, list | tuple):
        return [text_ for part in value for text_ in strings(part)]
    return [value] if isinstance(value, str) else []


@pytest.mark.parametrize(
    ("values", "there"),
    [([], False), ([1, "a", None, (1, (2, "b"))], False), ([[]], True), ([(1, (2, []))], True), ([1, [2]], True)],
)
def test_a_list_is_found_however_deep_in_tuples_it_lies(values, there):
    assert has_list(values) is there


@pytest.mark.parametrize("item", [("AS", 1), ("AS", ["KS"]), ["AS"]])
def test_what_a_file_does_to_its_copy_of_the_history_no_later_copy_shows(item):
    history = History()
    history.grow([item])
    copy = history.copy()
    for one in (copy, *(part for part in (copy[0], *copy[0]) if type(part) is list)):
        one.append("mine")
    assert history.copy() == [("AS", 1) if item == ("AS", 1) else ("AS", ["KS"]) if type(item) is tuple else ["AS"]]
