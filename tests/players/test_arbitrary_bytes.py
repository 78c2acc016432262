"""Any bytes that a player's process sends, at any time and in any pieces, are a plain value or its own failure."""

import time
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from kibitz.errors import PlayerError
from kibitz.players.isolation.confined_process import PlayerProcess
from kibitz.players.isolation.conversation import REPORTED_KINDS
from kibitz.players.isolation.wire import packed, strict_json
from kibitz.players.limits import STANDARD
from tests.parts import times
from tests.players.answers import lines

SOURCE = """
import os, sys, time
def say(pieces, how):
    for fd, piece, pause in pieces:
        os.write(fd, bytes.fromhex(piece))
        if pause: time.sleep(pause / 1000)
    if how == "ends": os._exit(0)
    if how == "goes on": sys.modules["kibitz.players.isolation.child"].answer = lambda *given: None
    if how == "closes": os.closerange(0, 256)
    if how == "hangs": time.sleep(9)
    return how
"""
LIMITS = replace(STANDARD, load=2.0, call=1.0, wall_factor=0.1, wall_floor=0.1)
WAYS = some.sampled_from(["goes on"] * 5 + ["ends", "returns", "closes", "hangs"])


@some.composite
def messages(draw, seq):
    """The bytes a process sends in one call, mostly one line in up to six pieces, and what it does afterwards."""
    sent = b"".join(
        draw(lines(seq)) + draw(some.sampled_from([b"\n", b"\n", b"", b"\n\n"])) for seq in draw(numbers_of_lines(seq))
    )
    cuts = sorted(draw(some.lists(some.integers(0, len(sent)), max_size=5)))
    pieces = [sent[start:end] for start, end in zip([0, *cuts], [*cuts, len(sent)], strict=True)]
    return [
        (21, piece.hex(), draw(some.sampled_from([0] * 9 + [1, 7]))) for piece in pieces if len(piece) < 30_000
    ], draw(WAYS)


def numbers_of_lines(seq):
    """The sequence numbers of the lines of one call."""
    return some.just([seq]) | some.just([seq]) | some.lists(some.sampled_from([seq, seq + 1, seq - 1]), max_size=3)


@settings(max_examples=40)
@given(messages(2), messages(3))
def test_any_bytes_give_a_plain_value_or_a_known_failure(first, second):
    assert_plain_or_failed(first, second)


@pytest.mark.long
@settings(max_examples=times(2_000, 4))
@given(messages(2), messages(3))
def test_any_bytes_give_a_plain_value_or_a_failure_two_thousand_times(first, second):
    assert_plain_or_failed(first, second)


def assert_plain_or_failed(*said):
    process, start, failed = PlayerProcess(LIMITS), time.monotonic(), None
    try:
        process.load("says.py", SOURCE, [("say", 2)], 1)
        for pieces, how in said:
            strict_json(process.call("say", packed([[list(piece) for piece in pieces], how]), "[]"))
    except PlayerError as error:
        failed = error
        ended = process.status
    finally:
        process.end()
    if failed:
        assert ended is not None
        assert failed.kind in {*REPORTED_KINDS, "protocol", "idle", "time"}
        assert failed.sentence.isprintable()
    assert time.monotonic() - start < 10
