"""A player file in a plain process leaves nothing behind, whichever way it ends."""

import pytest

from kibitz.errors import PlayerError
from kibitz.players.isolation.process import PlainProcess, WallClock
from kibitz.players.isolation.wire import packed
from kibitz.players.limits import Limits

WANTED = (("play", 1),)


@pytest.fixture
def process():
    found = PlainProcess(Limits())
    yield found
    found.end()


def call_play(process, number):
    """The result of the file's function for a number."""
    return process.call("play", packed([number]), "[]")


def test_cpu_time_of_a_call_starts_at_the_call_and_is_capped(process):
    process.used = 3.0
    watch = WallClock(process, allowed=4.0, idle=1.0)
    for used, spent in ((3.0, 0.0), (5.5, 2.5), (8.0, 4.0)):
        process.used = used
        assert watch.cpu_seconds() == spent


def is_gone(process):
    """Whether the process has been reaped, its pipes are closed and its readers have ended."""
    pipes = process.requests, process.replies, process.output
    return (
        process.process.returncode is not None
        and all(pipe.closed for pipe in pipes)
        and not any(reader.is_alive() for reader in process.readers)
    )


def test_ended_process_is_gone_when_end_returns(process):
    process.load("a.py", "print('hello')\ndef play(n):\n    return n + 1\n", WANTED, seed=1)
    assert call_play(process, 2) == 3
    assert not is_gone(process)
    assert process.end() == "hello\n"
    assert is_gone(process)
    assert process.end() == "hello\n"


def test_exit_status_of_a_process_that_ends_itself_is_reported(process):
    process.load("a.py", "import os\ndef play(n):\n    os._exit(n)\n", WANTED, seed=1)
    with pytest.raises(PlayerError, match=r"ended itself with exit status 7\.") as caught:
        call_play(process, 7)
    assert caught.value.kind == "exit"
    assert is_gone(process)
    with pytest.raises(PlayerError, match="has ended"):
        call_play(process, 7)


@pytest.mark.parametrize("then", ["return n", "time.sleep(60)"])
def test_closed_channel_is_reported_as_for_confined_processes(process, then):
    process.load("a.py", f"import os, time\ndef play(n):\n    os.closerange(0, 256)\n    {then}\n", WANTED, seed=1)
    with pytest.raises(PlayerError, match="closed its channel to the referee") as caught:
        call_play(process, 1)
    assert caught.value.kind == "protocol"
    assert is_gone(process)


BURNING = """
import time
def play(n):
    end = time.process_time() + n / 10
    while time.process_time() < end: pass
    return n
"""


@pytest.mark.long
def test_every_call_has_the_same_cpu_limit_and_an_overrun_is_located():
    process = PlainProcess(Limits(call=0.4))
    try:
        process.load("a.py", BURNING, WANTED, seed=1)
        assert [call_play(process, 2) for _ in range(4)] == [2, 2, 2, 2]
        with pytest.raises(PlayerError, match=r"used more than 0\.4 s of CPU time\.") as caught:
            call_play(process, 50)
        assert caught.value.kind == "time"
        assert caught.value.detail == '  File "a.py", line 5 in play'
        assert is_gone(process)
    finally:
        process.end()


def test_signal_that_killed_a_process_is_reported(process):
    process.load("a.py", "import os, signal\ndef play(n):\n    os.kill(os.getpid(), n)\n", WANTED, seed=1)
    with pytest.raises(PlayerError, match=r"was stopped by signal 9\."):
        call_play(process, 9)
    assert is_gone(process)
