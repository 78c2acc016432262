"""Files that fail, cheat, hang and attack: the game ends, the right seat forfeits, and nothing is left behind."""

import os
from dataclasses import replace

import pytest

from tests.players.conftest import AT_WORK, BAD_SEAT, BO, HONEST, HONEST_BO, QUICK, ROOMY, go_with, match_with

LOADING = {
    "no Python": ("def f(:\n", "load", "isn't valid Python"),
    "nested too deep to parse": ("x = " + "(" * 20_000 + ")" * 20_000, "load|memory", ""),
    "exits at import": ("import sys; sys.exit(0)\n", "exit", "called exit"),
    "ends at import": ("import os; os._exit(0)\n", "exit", "exit status 0"),
    "loops at import": ("while True: pass\n", "time", "more than 0.4 s of CPU time while it was loaded"),
    "sleeps at import": ("import time; time.sleep(60)\n", "idle", "it slept or waited"),
    "too large at import": ("x = bytearray(1 << 30)\n", "memory", "ran out of memory"),
}
CALLS = {
    "raises": ("1 / 0", "exception", "ZeroDivisionError"),
    "raises with a message that raises": ("raise Bad", "exception", "Bad"),
    "raises what is no Exception": ("raise BaseException('no')", "exception", "no"),
    "loops": ("while True: pass", "time", "more than 0.3 s of CPU time"),
    "loops in C": ("import re; re.match('(a+)+$', 'a' * 40 + 'b')", "time", "CPU time"),
    "catches everything and loops": (
        "while True:\n try:\n  while True: pass\n except BaseException: pass",
        "time",
        "CPU time",
    ),
    "ignores signals": (
        "import signal\nfor s in range(1, 65):\n try: signal.signal(s, signal.SIG_IGN)\n"
        " except (OSError, ValueError): pass\nwhile True: pass",
        "time",
        "CPU time",
    ),
    "sleeps": ("import time; time.sleep(60)", "idle", "slept or waited"),
    "naps in every call": ("import time; time.sleep(0.3); return hand[0]", "idle", "and the calls before it did not"),
    "stops itself": ("import os, signal; os.kill(os.getpid(), signal.SIGSTOP)", "exception", "PermissionError"),
    "waits for input that never comes": ("import select; select.select([20], [], [])", "idle", "slept or waited"),
    "returns nothing": ("pass", "invalid", "not None"),
    "a card not held": ("return '9Z'", "invalid", "not '9Z'"),
    "the wrong type": ("return 3", "invalid", "not 3"),
    "a float": ("return 1.5", "invalid", "float"),
    "a str subclass": ("return Card(hand[0])", "invalid", "type Card, a class derived from str"),
    "a million cards": ("return hand * 10**5", "invalid", "a list of more than 10000 things"),
    "a lone surrogate": ("return '\\ud800'", "invalid", "surrogate"),
    "lists in lists": ("x = []\nfor _ in range(30_000): x = [x]\nreturn x", "invalid", "nested"),
    "exits": ("import sys; sys.exit('bye')", "exit", "called exit"),
    "ends": ("import os; os._exit(3)", "exit", "exit status 3"),
    "aborts": ("import os; os.abort()", "exit", "SIGABRT"),
    "segfaults": ("import ctypes; ctypes.string_at(0)", "exit", "SIGSEGV"),
    "endless recursion": ("def f(): return f()\nf()", "exception", "RecursionError"),
    "endless recursion, unlimited": (
        "import sys; sys.setrecursionlimit(10**9)\ndef f(): return f()\nf()",
        "exception|memory|exit|time",
        "",
    ),
    "memory bomb": ("x = []\nwhile True: x.append(bytearray(1 << 20))", "memory", "ran out of memory"),
    "closes everything": ("import os; os.closerange(0, 256); return hand[0]", "protocol", "closed its channel"),
    "closes everything and waits": ("import os, time; os.closerange(0, 256); time.sleep(9)", "protocol", "closed its"),
    "garbage for the referee": ("import os; os.write(21, b'hello\\n'); return hand[0]", "protocol", ""),
    "bytes that are no text": ("import os, time; os.write(21, b'\\xff\\n'); time.sleep(9)", "protocol", "UTF-8"),
    "an answer to a later question": (
        'import os, time; os.write(21, b\'["ok",9,"AS"]\\n\'); time.sleep(9)',
        "protocol",
        "wasn't asked",
    ),
    "two answers": ('import os; os.write(21, b\'["ok",2,"AS"]\\n["ok",3,"AS"]\\n\')', "protocol", "twice"),
    "a long card": ("return 'x' * 10**5", "invalid", "more than 64 kB"),
    "an endless answer": ("import os\nwhile True: os.write(21, b'x' * 999)", "invalid", "64 kB"),
    "an answer byte by byte": ("import os\nwhile True: os.write(21, b'x')", "invalid|time|idle", ""),
    "an answer drop by drop": (
        "import os, time\nwhile True:\n  os.write(21, b'x'); time.sleep(0.004)",
        "idle",
        "slept or waited",
    ),
    "raises in many hard letters": ("raise ValueError('\U0001f0a1' * 10**5)", "exception", "ValueError"),
}
TOP = """
class Bad(Exception):
    def __str__(self): raise self
class Card(str): pass
"""
BO_CALLS = {
    "True for 1": ("return 0, hand[0], (0, True)", "True, a bool"),
    "a tuple subclass that equals everything": ("return Play((9, 9, 9))", "type Play, a class derived from tuple"),
    "a list for a tuple": ("return [0, hand[0], (0, 0)]", "must return a tuple"),
    "a pile that is not there": ("return 0, hand[0], (1, (9, 9))", "destination"),
}


def check(match, kinds, fragment):
    (forfeit,) = match.record.forfeits
    assert forfeit.seat == BAD_SEAT
    assert forfeit.kind in kinds.split("|"), forfeit
    assert fragment in forfeit.sentence
    assert forfeit.sentence.endswith(".")
    assert "\n" not in forfeit.sentence
    assert match.record.outcome is not None


def limits_for(kinds):
    """Limits under which a file with such a failure fails within a second and in no other way."""
    if "idle" in kinds:
        return QUICK
    return AT_WORK if "time" in kinds else ROOMY


@pytest.mark.parametrize("name", LOADING)
def test_file_that_cannot_be_loaded_forfeits_before_the_first_move(name):
    source, kinds, fragment = LOADING[name]
    match = match_with(source, limits_for(kinds))
    check(match, kinds, fragment)
    assert match.record.forfeits[0].moves == 0


@pytest.mark.parametrize("name", CALLS)
def test_file_that_fails_in_a_call_forfeits_with_the_reason(name):
    body, kinds, fragment = CALLS[name]
    match = match_with(go_with(body, TOP), limits_for(kinds))
    check(match, kinds, fragment)
    assert "comp10001go_play([], 1, [" in match.details[BAD_SEAT] or match.record.forfeits[0].moves > 4


@pytest.mark.parametrize("name", BO_CALLS)
def test_bo_accepts_only_plays_of_the_exact_types(name):
    body, fragment = BO_CALLS[name]
    source = (
        "class Play(tuple):\n    def __eq__(self, other): return True\n    __hash__ = None\n"
        f"def comp10001bo_play(player_no, hand, stockpiles, discard_piles, build_piles, history):\n    {body}\n"
    )
    check(match_with(source, game=BO), "invalid", fragment)


def test_referee_detects_an_illegal_play():
    source = "def comp10001bo_play(a, hand, c, d, e, f):\n    return 0, hand[0], (1, (0, 3))\n"
    check(match_with(source, game=BO), "illegal", "Only its owner may start an empty discard pile")


def test_honest_files_forfeit_nothing():
    assert match_with(HONEST).record.forfeits == ()
    assert match_with(HONEST_BO, game=BO).record.forfeits == ()


def test_owner_sees_the_traceback_from_the_files_first_line():
    detail = match_with(go_with("return other(hand)", "def other(hand):\n    return hand[99]")).details[BAD_SEAT]
    assert "return hand[99]" in detail
    assert 'File "bad.py", line' in detail
    assert detail.rstrip().endswith("IndexError: list index out of range")
    assert "kibitz" not in detail


@pytest.mark.parametrize("body", ["while True: pass", "import ctypes; ctypes.string_at(0)"])
def test_owner_sees_where_the_file_hung_or_crashed(body):
    detail = match_with(go_with("stuck()", f"def stuck():\n    {body}"), AT_WORK).details[BAD_SEAT]
    assert 'File "bad.py", line 2 in stuck' in detail
    assert "kibitz" not in detail


def test_total_cpu_time_of_all_calls_is_limited():
    body = "import time\nend = time.process_time() + 0.2\nwhile time.process_time() < end: pass\nreturn hand[0]"
    check(
        match_with(go_with(body), replace(ROOMY, bank=1)),
        "time",
        "used up the 1 s of CPU time that a player has for a game",
    )


def test_huge_output_neither_blocks_nor_fills_memory():
    body = "print('first')\nfor _ in range(200): print('x' * 10**6)\nprint('last')\nreturn hand[0]"
    top = "import os\n"
    match = match_with(go_with(f"if discard_history: return hand[0]\n{body}", top))
    assert match.record.forfeits == ()
    prints = match.prints[BAD_SEAT]
    assert prints.startswith("first\n")
    assert prints.endswith("last\n")
    assert "bytes are left out here" in prints
    assert len(prints) < 1 << 20 | 1 << 10


def test_output_of_all_kinds_reaches_only_the_owner():
    body = (
        "import os, sys\nprint('out')\nprint('err', file=sys.stderr)\nos.write(1, b'raw\\n')\n"
        "print('no newline', end='')\nreturn hand[0]"
    )
    match = match_with(go_with(body))
    assert match.record.forfeits == ()
    assert sorted(match.prints[BAD_SEAT].split("\n")[:3]) == ["err", "out", "raw"]
    assert "no newline" in match.prints[BAD_SEAT]
    assert [bool(prints) for prints in match.prints] == [False, True, False, False]


def test_file_cannot_start_a_process():
    check(match_with(go_with("import os; os.fork(); return hand[0]")), "exception", "PermissionError")
    check(match_with(go_with("import subprocess; subprocess.run(['true'])")), "exception", "Error")


def test_file_cannot_start_a_thread_and_its_owner_learns_why():
    match = match_with(go_with("import threading\nthreading.Thread(target=print).start()\nreturn hand[0]"))
    check(match, "exception", "can't start new thread")
    assert "It can't start threads or processes" in match.details[BAD_SEAT]


def test_forbidden_system_call_ends_the_process():
    body = "import ctypes\nctypes.CDLL(None).ptrace(0, 0, 0, 0)\nreturn hand[0]"
    check(match_with(go_with(body)), "exit", "made a forbidden system call")


def test_a_file_cannot_write_files(tmp_path):
    target = tmp_path / "secret"
    body = f"with open({str(target)!r}, 'w') as file: file.write('x')\nreturn hand[0]"
    check(match_with(go_with(body)), "exception", "Error")
    assert not target.exists()


def test_player_process_has_only_its_channel_and_output_open():
    body = "import os\nfds = [fd for fd in range(64) if opens(fd)]\nprint(fds)\nreturn hand[0]"
    top = "def opens(fd):\n    try: return bool(os.fstat(fd))\n    except OSError: return False\nimport os"
    shown = match_with(go_with(body, top)).prints[BAD_SEAT].splitlines()[0]
    assert shown == str([0, 1, 2, 20, 21])


def test_environment_holds_no_variables_of_ours():
    os.environ["KIBITZ_SECRET"] = "x"
    try:
        body = "import os\nprint(sorted(os.environ))\nreturn hand[0]"
        shown = match_with(go_with(body)).prints[BAD_SEAT].splitlines()[0]
    finally:
        del os.environ["KIBITZ_SECRET"]
    assert shown == str(["OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "PYTHONCOERCECLOCALE", "PYTHONHASHSEED"])
