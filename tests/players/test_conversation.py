"""Failures of a player's process, with clocks and replies set by the test."""

from math import inf
from types import SimpleNamespace

import pytest

from kibitz.errors import PlayerError
from kibitz.players.files.sources import Sources
from kibitz.players.isolation import conversation as module
from kibitz.players.isolation.conversation import (
    LAST_PRINTS,
    CodeCache,
    Conversation,
    Prints,
    one_line,
    without_kibitz_frames,
)
from kibitz.players.isolation.wire import MAX_CODE
from kibitz.players.limits import Limits
from kibitz.players.rated_game import IdleTime


class Waiting(Conversation):
    """A conversation without a process, in a call that began after ``before`` seconds of idle time."""

    def __init__(self, before=0.0, now=0.0, most=4.0):
        super().__init__(Limits(bank=60), IdleTime())
        self.idled_before, self.call_seconds, self.subject = before, most, "play(...)"
        self.watch = SimpleNamespace(allowed=4.0, idle=lambda: now, cpu_seconds=lambda: 0.0)

    def ask(self, body, allowed, used=0.0, max_seconds=inf):
        raise NotImplementedError

    def wait(self, watch, cap):
        raise NotImplementedError

    def cpu(self):
        return 0

    def drain(self):
        return 0

    def stack(self):
        return "where it was"

    def end(self):
        self.status = 1
        return ""


def failure(conversation, broken, allowed=4.0):
    conversation.watch.allowed = allowed
    with pytest.raises(PlayerError) as caught:
        conversation.out_of_time(conversation.watch, broken)
    assert conversation.status == 1
    assert caught.value.detail == "where it was"
    return caught.value.kind, str(caught.value)


@pytest.mark.parametrize(
    ("before", "now", "message"),
    [
        (0.0, 12.0, "play(...) did not answer for 12 s: it slept or waited for something."),
        (0.1, 12.0, "play(...) did not answer for 12 s: it slept or waited for something."),
        (0.2, 12.0, "play(...) and the calls before it did not answer for 12.2 s: they slept or waited for something."),
        (30.0, 10.0, "play(...) and the calls before it did not answer for 40 s: they slept or waited for something."),
    ],
)
def test_idle_message_mentions_earlier_calls_if_they_took_part(before, now, message):
    conversation = Waiting(before, now)
    assert failure(conversation, "wall") == ("idle", message)
    assert conversation.idle_time.seconds == before + now


def test_call_with_less_than_the_call_limit_has_used_up_the_bank():
    used_up = ("time", "play(...) used up the 60 s of CPU time that a player has for a game.")
    assert failure(Waiting(), "cpu", allowed=3.5) == used_up
    assert failure(Waiting(), "cpu", allowed=4.0) == ("time", "play(...) used more than 4 s of CPU time.")


def test_timeout_while_loading_is_reported_as_such():
    loading = Waiting(now=7.0)
    loading.subject = "The file"
    assert failure(loading, "wall")[1] == (
        "The file did not answer for 7 s while it was loaded: it slept or waited for something."
    )
    loading = Waiting()
    loading.subject = "The file"
    assert failure(loading, "cpu", allowed=2.0)[1] == "The file used more than 2 s of CPU time while it was loaded."


# ---------------------------------------------------------------- calls and replies, with lines given by the test


class Counts:
    """Attempts that note when a file starts and stops working."""

    def __init__(self):
        self.idled, self.at_work = [0.0], []

    def start_call(self):
        self.at_work.append("starts")

    def end_call(self):
        self.at_work.append("stops")


class Scripted(Conversation):
    """A conversation whose process sends the test's lines and uses the test's CPU time."""

    def __init__(self, *lines, spent=0.0, **more):
        self.ledger = Counts()
        super().__init__(Limits(call=4.0, bank=10.0, reply=100), IdleTime(self.ledger), **more)
        self.lines, self.spent, self.asked, self.caps, self.used = list(lines), spent, [], [], 0
        self.ended = 0

    def ask(self, body, allowed, used=0.0, max_seconds=inf):
        self.seq += 1
        self.asked.append((body, allowed, used, max_seconds))
        self.watch = SimpleNamespace(allowed=allowed, idle=lambda: 0.0, cpu_seconds=lambda: self.spent)
        return self.watch

    def wait(self, watch, cap):
        self.caps.append(cap)
        return self.lines.pop(0)

    def cpu(self):
        return self.used

    def drain(self):
        return 0

    def stack(self):
        return "where it was"

    def end(self):
        self.ended += 1
        return ""


def test_call_may_use_the_least_of_its_limit_the_request_and_the_bank():
    """The bank of 10 s starts after the load, which took 3 s."""
    talk = Scripted(*(b'["ok",%d,7]' % number for number in range(1, 5)))
    talk.load_cpu = 3 * 10**9
    for used, most in ((3, inf), (5, 0.5), (10, inf), (12.5, 2.0)):
        talk.used = round(used * 10**9)
        assert talk.call("play", "1", "[]", max_seconds=most) == 7
    assert [(allowed, used) for _, allowed, used, _ in talk.asked] == [(4.0, 0.0), (0.5, 2.0), (3.0, 7.0), (0.5, 9.5)]
    assert [most for _, _, _, most in talk.asked] == [inf, 0.5, inf, 2.0]
    assert talk.ledger.at_work == ["starts", "stops"] * 4
    assert talk.caps == [module.CHUNK] * 4
    assert talk.ended == 0


def test_arguments_and_bools_are_read_only_on_request():
    talk = Scripted(b'["ok",1,null]', b'["ok",2,[1,[]]]', b'["ok",3,true]')
    assert talk.call("play", "1", "[2]") is None
    assert talk.call("play", "1", "[2]", with_arguments=True) == [1, []]
    assert talk.call("play", "1", "[2]", bools=True) is True
    assert [body for body, *_ in talk.asked] == ['"play",1,[2]', '"play",1,[2],1', '"play",1,[2]']
    assert failed(Scripted(b'["ok",1,true]')) == (
        "invalid",
        "play returned True, a bool; " + module.RETURNABLE_TYPES + ".",
    )


def failed(talk, **more):
    """The kind and message of a failing call."""
    with pytest.raises(PlayerError) as caught:
        talk.call("play", "1", "[]", **more)
    return caught.value.kind, str(caught.value)


STRANGE = "The player's process answered a question it wasn't asked."


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (b'["ok",2,7]', ("protocol", STRANGE)),
        (b'["ok",1]', ("protocol", STRANGE)),
        (b"7", ("protocol", STRANGE)),
        (b'["error",1,"time","It was slow.",""]', ("protocol", STRANGE)),
        (b'["error",2,"exception","No.",""]', ("protocol", STRANGE)),
        (b'["error",1,"x","No.",""]', ("protocol", STRANGE)),
        (b'["code",1,"AAAA"]', ("protocol", STRANGE)),
        (b'["ok",1,{"a":1}]', ("invalid", "play returned a dict; " + module.RETURNABLE_TYPES + ".")),
        (b'["error",1,"exception","No.",""]', ("exception", "No.")),
        (b'["error",1,"memory","No.",""]', ("memory", "No.")),
        (b"x", ("protocol", "The player's process sent something that is not JSON to the referee.")),
        (b"\xff", ("protocol", "The player's process sent bytes that are not UTF-8 to the referee.")),
        (b'["ok",1,1.5]', ("invalid", "play returned a float; " + module.RETURNABLE_TYPES + ".")),
    ],
)
def test_invalid_reply_ends_the_process_with_the_reason(line, expected):
    talk = Scripted(line)
    assert failed(talk) == expected
    assert talk.ended == 1


def test_second_answer_or_exceeded_time_limit_is_a_failure():
    talk = Scripted(b'["ok",1,7]')
    talk.unread = b"more"
    assert failed(talk) == ("protocol", "The player's process answered twice.")
    assert Scripted(b'["ok",1,7]', spent=4.0).call("play", "1", "[]") == 7
    late = Scripted(b'["ok",1,7]', spent=4.001)
    assert failed(late) == ("time", "play used more than 4 s of CPU time.")
    assert failed(Scripted(b'["ok",1,7]', spent=1.0), max_seconds=0.5, subject="end(...)") == (
        *("time", "end(...) used more than 0.5 s of CPU time."),
    )


def test_slowest_call_excludes_the_load():
    talk = Scripted(*(b'["ok",%d,7]' % number for number in range(1, 5)))
    for spent, loaded, slowest in ((3.0, 0, 0.0), (1.0, 1, 1.0), (2.0, 1, 2.0), (0.5, 1, 2.0)):
        talk.spent, talk.load_cpu = spent, loaded
        talk.call("play", "1", "[]")
        assert talk.slowest == slowest


@pytest.mark.parametrize("kind", ["exception", "invalid", "exit", "memory"])
def test_failure_reported_by_the_process_ends_it(kind):
    talk = Scripted(b'["error",1,"%s","No\\nmore.","%s"]' % (kind.encode(), b"d" * (1 << 17)))
    with pytest.raises(PlayerError) as caught:
        talk.call("play", "1", "[]")
    assert (caught.value.kind, str(caught.value)) == (kind, "No more.")
    assert caught.value.detail == "d" * 65536
    assert talk.ended == 1


def loaded(*lines, known=""):
    """A conversation, a code cache and the sources of a file; ``known`` is its cached code."""
    talk, kept = Scripted(*lines), CodeCache(max_size=10**6)
    sources = Sources((("x.py", b"x = 1"),))
    if known:
        kept.put(sources, known)
    return talk, kept, sources


def test_compiled_code_is_kept_and_passed_to_the_next_process(monkeypatch):
    talk, kept, sources = loaded(b'["code",1,"Q09ERQ=="]', b'["ok",1,["observe"]]')
    monkeypatch.setattr(module, "CODE_CACHE", kept)
    talk.used = 5
    assert talk.load("x.py", sources, [("play", 2)], 1) == ["observe"]
    assert kept.get(sources) == "Q09ERQ=="
    assert talk.caps == [2 * MAX_CODE, module.CHUNK]
    assert talk.load_cpu == 5
    assert talk.asked[0][1] == talk.limits.load
    again = Scripted(b'["ok",1,[]]')
    assert again.load("x.py", sources, [("play", 2)], 1) == []
    assert again.caps == [module.CHUNK]
    assert "Q09ERQ==" in again.asked[0][0]


@pytest.mark.parametrize("line", [b'["ok",1,7]', b'["ok",1,["nothing of ours"]]', b'["ok",1,"play"]'])
def test_load_may_report_only_functions_of_the_own_form(line, monkeypatch):
    talk, kept, sources = loaded(line, known="Q09ERQ==")
    monkeypatch.setattr(module, "CODE_CACHE", kept)
    with pytest.raises(PlayerError, match="a question it wasn't asked"):
        talk.load("x.py", sources, [("play", 2)], 1)
    assert talk.ledger.at_work[0] == "starts"


def test_new_output_is_returned_once_up_to_the_stop():
    talk = Scripted()
    talk.prints.add(b"one ")
    assert (talk.new_output(), talk.new_output()) == ("one ", "")
    talk.prints.add(b"two three")
    talk.stack_start = talk.prints.total - 6
    assert talk.new_output() == "two"


def test_sentences_and_stacks_are_shortened():
    assert one_line("a\nb\x1bc") == "a b c"
    assert one_line("x" * 301) == "x" * 300
    stack = [
        "Current thread 0x1 (most recent call first):",
        '  File "x.py", line 3 in play',
        '  File "/home/me/kibitz/players/isolation/child.py", line 9 in answer',
        '  File "<frozen importlib._bootstrap>", line 2 in load',
        '  File "<string>", line 1 in <module>',
    ]
    assert without_kibitz_frames("\n".join(stack)) == "\n".join(stack[:2])


def test_prints_keep_their_first_part_and_last_2048_bytes():
    for size in (0, 1, 951, 952, 953, 2999, 3000, 3001, 9000):
        whole = bytes(65 + n % 26 for n in range(size))
        for step in (1, 7, 1000):
            prints = Prints(3000)
            for at in range(0, size, step):
                prints.add(whole[at : at + step])
            assert prints.total == size
            assert prints.tail() == whole[-LAST_PRINTS:].decode() if size else prints.tail() == ""
            left_out = max(0, size - 3000)
            missing = f"\n[... {left_out} bytes are left out here ...]\n" if left_out else ""
            kept = whole.decode()
            assert prints.text() == (kept[:952] + missing + kept[952 + left_out :] if left_out else kept)
            for mark in (0, size // 2, size):
                assert prints.since(mark).endswith(kept[max(mark, size - LAST_PRINTS) :])
                if not left_out:
                    assert prints.since(mark) == kept[mark:]
                    assert prints.since(0, mark) == kept[:mark]
    assert Prints(10).head_size == 0
