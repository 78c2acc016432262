"""Messages between the referee and a player: only plain values pass, and they pass unchanged."""

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
    interned,
    packed,
    read_reply,
    read_request,
    strict_json,
    unpacked,
)
from tests.parts import times
from tests.players.answers import DOCUMENTS, document, lines

ATOMS = (
    some.none() | some.integers(1 - MAX_NUMBER, MAX_NUMBER - 1) | some.text(some.characters(exclude_categories=["Cs"]))
)
VALUES = some.recursive(ATOMS, lambda parts: some.lists(parts) | some.lists(parts).map(tuple), max_leaves=30)


@given(VALUES)
def test_plain_values_round_trip_in_both_directions(value):
    for written in (as_json(value), strict_json(value)):
        assert same(read_request(written), value)
        assert same(read_reply(written.encode(), bools=False), value)


@given(some.binary(max_size=40) | lines() | DOCUMENTS.map(document))
def test_any_reply_is_plain_or_refused(line):
    assert_plain_or_refused(line)


@pytest.mark.long
@settings(max_examples=times(20_000, 4))
@given(lines() | DOCUMENTS.map(document))
def test_any_reply_is_plain_or_refused_twenty_thousand_times(line):
    assert_plain_or_refused(line)


def assert_plain_or_refused(line):
    try:
        value = read_reply(line, bools=False)
    except WireError as error:
        refused = str(error)
    else:
        refused = ""
        assert same(read_request(strict_json(value)), value)
    assert len(refused) < 200
    assert not refused or refused.isprintable()


def test_time_is_linear_in_the_length_of_a_line():
    """Inputs of the maximum length that make naive parsers slow."""
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
    """A string that claims to equal any other."""

    def __eq__(self, other):
        return True

    __hash__ = str.__hash__


class Pair(tuple):
    """A tuple that claims to equal any other."""

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
def test_unsupported_types_are_rejected_by_name(value, name):
    with pytest.raises(WireError, match=name):
        strict_json(value)


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
def test_malformed_lines_are_rejected(line):
    with pytest.raises(WireError):
        read_reply(line, bools=False)


def test_bools_are_read_only_if_allowed():
    assert read_reply(strict_json([True, False]).encode(), bools=True) == [True, False]
    with pytest.raises(WireError, match="True, a bool"):
        read_reply(strict_json((0, True)).encode(), bools=False)


@given(VALUES)
def test_packed_values_round_trip_with_their_types(value):
    assert same(unpacked(json.loads(packed(value))), value)
    assert same(interned(value), value)


def test_history_placeholder_round_trips():
    assert unpacked(json.loads(packed([1, HISTORY]))) == [1, HISTORY]


@given(VALUES)
def test_interned_strings_are_one_object_across_calls(value):
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
def test_list_is_found_at_any_depth_inside_tuples(values, there):
    assert has_list(values) is there


@pytest.mark.parametrize("item", [("AS", 1), ("AS", ["KS"]), ["AS"]])
def test_changes_to_a_history_copy_do_not_show_in_later_copies(item):
    history = History()
    history.grow([item])
    copy = history.copy()
    for one in (copy, *(part for part in (copy[0], *copy[0]) if type(part) is list)):
        one.append("mine")
    assert history.copy() == [("AS", 1) if item == ("AS", 1) else ("AS", ["KS"]) if type(item) is tuple else ["AS"]]
