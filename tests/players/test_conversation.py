"""What is said of a player that took too long, with clocks that the test sets."""

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
from kibitz.players.isolation.wire import LARGEST_CODE
from kibitz.players.limits import Limits
from kibitz.players.rated_game import IdleTime


class Told(Conversation):
    """A conversation with nobody, in which a call has begun after so much idleness."""

    def __init__(self, before=0.0, now=0.0, most=4.0):
        super().__init__(Limits(bank=60), IdleTime())
        self.idled, self.most, self.doing = before, most, "play(...)"
        self.watch = SimpleNamespace(allowed=4.0, idle=lambda: now, cpu_seconds=lambda: 0.0)

    def ask(self, rest, allowed, used=0.0, most=inf):
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
    ("before", "now", "said"),
    [
        (0.0, 12.0, "play(...) did not answer for 12 s: it slept or waited for something."),
        (0.1, 12.0, "play(...) did not answer for 12 s: it slept or waited for something."),
        (0.2, 12.0, "play(...) and the calls before it did not answer for 12.2 s: they slept or waited for something."),
        (30.0, 10.0, "play(...) and the calls before it did not answer for 40 s: they slept or waited for something."),
    ],
)
def test_idleness_is_told_of_the_calls_before_too_where_they_had_a_part_in_it(before, now, said):
    conversation = Told(before, now)
    assert failure(conversation, "wall") == ("idle", said)
    assert conversation.idle_time.idled == before + now


def test_a_call_that_had_less_than_the_limit_has_used_up_the_bank():
    used_up = ("time", "play(...) used up the 60 s of CPU time that a player has for a game.")
    assert failure(Told(), "cpu", allowed=3.5) == used_up
    assert failure(Told(), "cpu", allowed=4.0) == ("time", "play(...) used more than 4 s of CPU time.")


def test_a_file_that_is_never_loaded_is_told_so():
    loading = Told(now=7.0)
    loading.doing = "The file"
    assert failure(loading, "wall")[1] == (
        "The file did not answer for 7 s while it was loaded: it slept or waited for something."
    )
    loading = Told()
    loading.doing = "The file"
    assert failure(loading, "cpu", allowed=2.0)[1] == "The file used more than 2 s of CPU time while it was loaded."


# ---------------------------------------------------------------- calls and replies, by lines that the test gives


class Counts:
    """Attempts that count when a file is at work."""

    def __init__(self):
        self.idled, self.at_work = [0.0], []

    def starts(self):
        self.at_work.append("starts")

    def stops(self):
        self.at_work.append("stops")


class Scripted(Conversation):
    """A conversation whose process says what the test wants, for as much CPU time as it wants."""

    def __init__(self, *lines, spent=0.0, **more):
        self.ledger = Counts()
        super().__init__(Limits(call=4.0, bank=10.0, reply=100), IdleTime(self.ledger), **more)
        self.lines, self.spent, self.asked, self.caps, self.used = list(lines), spent, [], [], 0
        self.ended = 0

    def ask(self, rest, allowed, used=0.0, most=inf):
        self.seq += 1
        self.asked.append((rest, allowed, used, most))
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


def test_a_call_may_use_the_least_of_its_limit_of_what_is_asked_for_and_of_what_is_left_in_the_bank():
    """The bank of 10 s begins after the load, which took 3 s."""
    talk = Scripted(*(b'["ok",%d,7]' % number for number in range(1, 5)))
    talk.loaded = 3 * 10**9
    for used, most in ((3, inf), (5, 0.5), (10, inf), (12.5, 2.0)):
        talk.used = round(used * 10**9)
        assert talk.call("play", "1", "[]", most=most) == 7
    assert [(allowed, used) for _, allowed, used, _ in talk.asked] == [(4.0, 0.0), (0.5, 2.0), (3.0, 7.0), (0.5, 9.5)]
    assert [most for _, _, _, most in talk.asked] == [inf, 0.5, inf, 2.0]
    assert talk.ledger.at_work == ["starts", "stops"] * 4
    assert talk.caps == [module.CHUNK] * 4
    assert talk.ended == 0


def test_arguments_are_asked_for_where_they_are_wanted_and_bools_are_read_where_they_are_welcome():
    talk = Scripted(b'["ok",1,null]', b'["ok",2,[1,[]]]', b'["ok",3,true]')
    assert talk.call("play", "1", "[2]") is None
    assert talk.call("play", "1", "[2]", after=True) == [1, []]
    assert talk.call("play", "1", "[2]", bools=True) is True
    assert [rest for rest, *_ in talk.asked] == ['"play",1,[2]', '"play",1,[2],1', '"play",1,[2]']
    assert failed(Scripted(b'["ok",1,true]')) == ("invalid", "play returned True, a bool; " + module.SEND_ALLOWED + ".")


def failed(talk, **more):
    """How a call fails."""
    with pytest.raises(PlayerError) as caught:
        talk.call("play", "1", "[]", **more)
    return caught.value.kind, str(caught.value)


STRANGE = "The player's process answered a question it wasn't asked."


@pytest.mark.parametrize(
    ("line", "told"),
    [
        (b'["ok",2,7]', ("protocol", STRANGE)),
        (b'["ok",1]', ("protocol", STRANGE)),
        (b"7", ("protocol", STRANGE)),
        (b'["error",1,"time","It was slow.",""]', ("protocol", STRANGE)),
        (b'["error",2,"exception","No.",""]', ("protocol", STRANGE)),
        (b'["error",1,"exception","No.",""]', ("exception", "No.")),
        (b'["error",1,"memory","No.",""]', ("memory", "No.")),
        (b"x", ("protocol", "The player's process sent something that is not JSON to the referee.")),
        (b"\xff", ("protocol", "The player's process sent bytes that are not UTF-8 to the referee.")),
        (b'["ok",1,1.5]', ("invalid", "play returned a float; " + module.SEND_ALLOWED + ".")),
    ],
)
def test_a_reply_that_is_none_ends_the_process_with_one_sentence(line, told):
    talk = Scripted(line)
    assert failed(talk) == told
    assert talk.ended == 1


def test_what_is_not_the_players_to_say_is_so_and_the_bounds_are_exact():
    talk = Scripted(b'["ok",1,7]')
    talk.rest = b"more"
    assert failed(talk) == ("protocol", "The player's process answered twice.")
    assert Scripted(b'["ok",1,7]', spent=4.0).call("play", "1", "[]") == 7
    late = Scripted(b'["ok",1,7]', spent=4.001)
    assert failed(late) == ("time", "play used more than 4 s of CPU time.")
    assert failed(Scripted(b'["ok",1,7]', spent=1.0), most=0.5, doing="end(...)") == (
        *("time", "end(...) used more than 0.5 s of CPU time."),
    )


def test_the_slowest_call_is_known_and_the_load_is_none():
    talk = Scripted(*(b'["ok",%d,7]' % number for number in range(1, 5)))
    for spent, loaded, slowest in ((3.0, 0, 0.0), (1.0, 1, 1.0), (2.0, 1, 2.0), (0.5, 1, 2.0)):
        talk.spent, talk.loaded = spent, loaded
        talk.call("play", "1", "[]")
        assert talk.slowest == slowest


@pytest.mark.parametrize("kind", ["exception", "invalid", "exit", "memory"])
def test_a_failure_that_the_process_reports_ends_it(kind):
    talk = Scripted(b'["error",1,"%s","No\\nmore.","%s"]' % (kind.encode(), b"d" * (1 << 17)))
    with pytest.raises(PlayerError) as caught:
        talk.call("play", "1", "[]")
    assert (caught.value.kind, str(caught.value)) == (kind, "No more.")
    assert caught.value.detail == "d" * 65536
    assert talk.ended == 1


def loaded(*lines, known=""):
    """What loading a file comes to, with the code of files that is kept by then."""
    talk, kept = Scripted(*lines), CodeCache(most=10**6)
    sources = Sources((("x.py", b"x = 1"),))
    if known:
        kept.put(sources, known)
    return talk, kept, sources


def test_the_code_of_a_file_is_kept_for_the_next_process_and_then_given_to_it(monkeypatch):
    talk, kept, sources = loaded(b'["code",1,"Q09ERQ=="]', b'["ok",1,["observe"]]')
    monkeypatch.setattr(module, "CODE_CACHE", kept)
    talk.used = 5
    assert talk.load("x.py", sources, [("play", 2)], 1) == ["observe"]
    assert kept.get(sources) == "Q09ERQ=="
    assert talk.caps == [2 * LARGEST_CODE, module.CHUNK]
    assert talk.loaded == 5
    assert talk.asked[0][1] == talk.limits.load
    again = Scripted(b'["ok",1,[]]')
    assert again.load("x.py", sources, [("play", 2)], 1) == []
    assert again.caps == [module.CHUNK]
    assert "Q09ERQ==" in again.asked[0][0]


@pytest.mark.parametrize("line", [b'["ok",1,7]', b'["ok",1,["nothing of ours"]]', b'["ok",1,"play"]'])
def test_a_load_tells_functions_of_the_own_form_and_nothing_else(line, monkeypatch):
    talk, kept, sources = loaded(line, known="Q09ERQ==")
    monkeypatch.setattr(module, "CODE_CACHE", kept)
    with pytest.raises(PlayerError, match="a question it wasn't asked"):
        talk.load("x.py", sources, [("play", 2)], 1)
    assert talk.ledger.at_work[0] == "starts"


def test_what_was_printed_since_is_told_once_and_up_to_where_it_was_stopped():
    talk = Scripted()
    talk.prints.add(b"one ")
    assert (talk.new_output(), talk.new_output()) == ("one ", "")
    talk.prints.add(b"two three")
    talk.stopped_at = talk.prints.total - 6
    assert talk.new_output() == "two"


def test_a_sentence_is_one_line_of_three_hundred_characters_and_a_stack_is_the_files_own():
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


def test_of_prints_the_first_part_and_the_last_two_thousand_and_forty_eight_bytes_are_kept():
    for size in (0, 1, 951, 952, 953, 2999, 3000, 3001, 9000):
        whole = bytes(65 + n % 26 for n in range(size))
        for step in (1, 7, 1000):
            prints = Prints(3000)
            for at in range(0, size, step):
                prints.add(whole[at : at + step])
            assert prints.total == size
            assert prints.end() == whole[-LAST_PRINTS:].decode() if size else prints.end() == ""
            left_out = max(0, size - 3000)
            missing = f"\n[... {left_out} bytes are left out here ...]\n" if left_out else ""
            kept = whole.decode()
            assert prints.text() == (kept[:952] + missing + kept[952 + left_out :] if left_out else kept)
            for mark in (0, size // 2, size):
                assert prints.since(mark).endswith(kept[max(mark, size - LAST_PRINTS) :])
                if not left_out:
                    assert prints.since(mark) == kept[mark:]
                    assert prints.since(0, mark) == kept[:mark]
    assert Prints(10).room == 0
