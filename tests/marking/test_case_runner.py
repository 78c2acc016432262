"""Marking submissions: the results of every kind of file; a bad file harms only itself."""

import marshal
import re
from base64 import b64decode
from contextlib import nullcontext
from functools import cache
from random import Random

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kibitz.errors import PlayerError
from kibitz.marking import assignments as plans
from kibitz.marking.assignments import NAMES, Plan, assignment, plan_from
from kibitz.marking.case_runner import (
    CaseResult,
    CaseRunner,
    mark_submission,
    near_limit_note,
    prepared_cases,
    run_cases,
    run_function,
    shortened,
)
from kibitz.marking.cases.case import Answer
from kibitz.marking.results import total
from kibitz.players.files.sources import Sources
from tests.contract.groups import fast_huxxy, sharing
from tests.marking.students import HONEST
from tests.tiers import first_fast, long

LAB = """
import random
SUITS = ["spades", "clubs", "diamonds", "hearts"]
def generate_deck():
    return [[suit, value] for suit in SUITS for value in range(1, 14)]
def shuffle(deck):
    return random.sample(deck, len(deck))
def deal_card(deck, hand):
    hand.append(deck.pop(0))
"""


ORDER = sorted(NAMES.values(), key=lambda one: one in ("bo", "huxxy"))
"""The assignments whose cases take longest come last."""
EVERY_ASSIGNMENT = pytest.mark.parametrize(
    "name", first_fast([pytest.param(one, marks=[sharing("huxxy")] * (one == "huxxy")) for one in ORDER], 2)
)


@pytest.fixture(autouse=True)
def compile_huxxy(request):
    """Compile our own Huxxy functions for the tests that call them often."""
    if request.node.name.endswith("[huxxy]"):
        fast_huxxy()


def outcome(source, function, name="cribbage-lab", hidden=12, **settings):
    """The outcome of marking one function of a file."""
    found = assignment(name)
    plan = plan_from(found, {"functions": {function: settings}}, hidden, [function])
    files = source if isinstance(source, Sources) else Sources((("mine.py", source.encode()),))
    result = mark_submission(found, files, plan, 3)
    assert not result.why, result.why
    return result.outcomes[0]


def test_honest_file_gets_full_marks_without_remarks():
    found = assignment("go")
    plan = plan_from(found, {"out_of": 20}, 40, [])
    result = mark_submission(found, Sources((("ada.py", HONEST.encode()),)), plan, 1)
    assert total(plan, result) == 20
    assert [(one.right, one.cases, one.published_right, one.failing_cases, one.why) for one in result.outcomes] == [
        (40, 40, shown, (), "") for shown in (8, 4, 1, 1, 4)
    ]


def test_in_place_functions_are_judged_by_their_changed_arguments():
    assert outcome(LAB, "deal_card").right == 12
    assert outcome(LAB, "shuffle").right == 12
    kept = outcome(LAB.replace("hand.append(deck.pop(0))", "hand.append(deck[0])"), "deal_card")
    assert kept.right == 0
    assert kept.failing_cases[0].expected.startswith("It should take the first card, [")
    assert "and left its arguments as [[[" in kept.failing_cases[0].got
    mixed = outcome(LAB.replace("return random", "random.shuffle(deck); return random"), "shuffle")
    assert mixed.right == 0
    assert mixed.failing_cases[0].expected == "It should return a new list, and leave the deck unchanged."


def test_unsendable_arguments_are_reported():
    (failing,) = outcome(LAB.replace("hand.append(deck.pop(0))", "hand.append({1})"), "deal_card").failing_cases
    assert (failing.kind, failing.times) == ("invalid", 12)
    assert failing.got == "deal_card put something of type set into its arguments."


def test_key_argument_is_passed_as_a_function():
    source = "def allmax(iterable, key=None):\n    key = key or (lambda x: x)\n"
    source += "    return [x for x in iterable if key(x) == max(map(key, iterable))] if iterable else []\n"
    found = outcome(source, "allmax", "poker", 24)
    assert found.right == 24, found.failing_cases
    blind = outcome(source.replace("key = key or (lambda x: x)", "key = lambda x: x"), "allmax", "poker", 24)
    assert {one.edge_case for one in blind.failing_cases} == {"a key", "texts with a key"}
    assert any(one.call.endswith(", abs)") for one in blind.failing_cases)


@pytest.mark.parametrize(
    ("body", "kind", "got"),
    [
        ("return 1 / 0", "exception", "score_hand raised ZeroDivisionError: division by zero."),
        ("return {1}", "invalid", "score_hand returned something of type set"),
        ("return 2.0", "invalid", "score_hand returned something of type float"),
        ("raise SystemExit", "exit", "score_hand called exit instead of returning."),
        ("return list(range(9999)) * 2", "invalid", "score_hand returned a list of more than 10000 things"),
        ("import os; os._exit(3)", "exit", "The player's process ended itself with exit status 3."),
        ("return bytearray(1 << 30)", "memory", "score_hand ran out of memory."),
        ("return input()", "exception", "score_hand raised EOFError"),
        ("return open('/etc/passwd').read()", "exception", "score_hand raised "),
    ],
)
def test_every_kind_of_failure_is_reported_with_the_call(body, kind, got):
    found = outcome(f"def score_hand(hand):\n    print('asked', len(hand))\n    {body}\n", "score_hand")
    assert found.right == found.published_right == 0
    first = found.failing_cases[0]
    assert (first.kind, first.prints.strip()) == (kind, "asked 5")
    assert first.got.startswith(got)
    assert first.call.startswith("score_hand([['hearts', 10]")
    assert first.expected == "It should return 4."


def test_every_case_starts_in_a_fresh_process():
    source = "seen = []\ndef score_hand(hand):\n    seen.append(1)\n    print(len(seen))\n    return {}\n"
    found = outcome(source, "score_hand")
    assert (found.failing_cases[0].times, found.failing_cases[0].prints) == (17, "1\n")


def test_every_case_runs_even_if_others_crash():
    source = (
        "import os\ndef score_hand(hand):\n    if any(value > 6 for _, value in hand): os._exit(1)\n    return -1\n"
    )
    found = outcome(source, "score_hand", hidden=30)
    assert sum(one.times for one in found.failing_cases) == 35
    assert found.why == ""


def test_timed_out_case_shows_its_output_and_position():
    source = "def score_hand(hand):\n    print('on my way')\n    while len(hand) > 1: pass\n"
    found = outcome(source, "score_hand", hidden=2, seconds=0.05)
    assert (found.why, found.near_limit_note) == ("", "")
    (failing,) = found.failing_cases
    assert (failing.kind, failing.prints, failing.times) == ("time", "on my way\n", 7)
    assert re.fullmatch(
        r"score_hand used more than 0\.05 s of CPU time:"
        r" in another run, with no other case running, it was stopped after 0\.1\d* s\.",
        failing.got,
    )
    assert 'File "mine.py", line 3 in score_hand' in failing.detail


class Scripted(CaseRunner):
    """A case's text is its CPU time in seconds, times ``contention`` unless it runs ``alone``."""

    def __init__(self, contention=1.0):
        super().__init__(assignment("cribbage-lab"), Sources((("mine.py", b""),)))
        self.contention, self.calls = contention, []

    def check(self, limits, function="", *, alone=False):
        """The file always loads."""

    def run_case(self, limits, one, *, alone=False):
        self.calls.append((one.encoded, alone))
        seconds = float(one.encoded) * (1 if alone else self.contention)
        kind = "time" if seconds > limits.call else ""
        return CaseResult(kind, cpu=min(seconds, 1.01 * limits.call))


FIND = plan_from(assignment("cribbage-lab"), {}, 12, ["score_hand"]).functions[0]


def cases_taking(*seconds):
    """Cases that take these numbers of seconds."""
    some = prepared_cases("cribbage-lab", "score_hand", 1, 1, bonus=False)[-1]
    return [some._replace(encoded=one) for one in seconds]


def test_timed_out_case_is_decided_by_running_it_alone():
    busy = Scripted(contention=3.0)
    found = run_cases(busy, FIND, cases_taking("1", "2", "5", "9"))
    assert [one.kind for one in found] == ["", "", "time", "time"]
    assert busy.calls == [("1", False), ("2", False), ("5", False), ("9", False), ("2", True), ("5", True), ("9", True)]
    assert (
        near_limit_note(FIND, found) == "score_hand took 2 to 8 s in 2 cases (1 of them out of time); the limit is 4 s."
    )


def test_case_that_is_late_by_chance_is_retried(monkeypatch):
    took = {"1": [4.6, 4.3, 3.9], "2": [4.6, 4.4, 4.1], "3": [5.5]}
    runner = Scripted()
    monkeypatch.setattr(
        runner,
        "run_case",
        lambda limits, one, alone=False: (
            CaseResult("", cpu=took[one.encoded].pop(0)) if alone else CaseResult("time", cpu=4.01)
        ),
    )
    assert [one.kind for one in run_cases(runner, FIND, cases_taking("1", "2", "3"))] == ["", "time", "time"]
    assert not any(took.values())


def test_busy_machine_reaches_as_many_cases_and_retries(monkeypatch):
    monkeypatch.setattr(plans, "FUNCTION_SECONDS", 12.0)
    monkeypatch.setattr("kibitz.marking.case_runner.RETRY_SECONDS", 10.0)
    plan = msgspec.structs.replace(FIND, seconds=1.0)
    cases = cases_taking(*["0.95"] * 12)
    for contention in (1.0, 1.5):
        assert [one.kind for one in run_cases(Scripted(contention), plan, cases)] == [""] * 12


def test_mark_does_not_depend_on_the_order_of_cases(monkeypatch):
    monkeypatch.setattr(plans, "FUNCTION_SECONDS", 12.0)
    monkeypatch.setattr("kibitz.marking.case_runner.RETRY_SECONDS", 10.0)
    cases = cases_taking("1.0", "2.0", "3.0", "3.5", "5.0", "7.0", "9.0")
    one = run_function(Scripted(), FIND, cases)
    assert one.right == 4
    assert one.why == "score_hand used up the 12 s for all its cases, so 2 cases were not run and count as wrong."
    for seed in range(10):
        assert run_function(Scripted(), FIND, Random(seed).sample(cases, len(cases))).right == 4


def test_cases_without_time_for_a_retry_are_noted(monkeypatch):
    monkeypatch.setattr("kibitz.marking.case_runner.RETRY_SECONDS", 10.0)
    found = run_cases(Scripted(), FIND, cases_taking("9", "9", "9"))
    assert [one.repeated for one in found] == [True, True, False]
    assert near_limit_note(FIND, found) == (
        "score_hand ran out of time in 1 case, which counts as wrong; there was no second run, because the 10 s"
        " for second runs were used up."
    )


def test_load_that_times_out_is_retried_alone(monkeypatch):
    turns = []
    runner = CaseRunner(
        assignment("cribbage-lab"),
        Sources((("mine.py", b""),)),
        slot=lambda alone: turns.append(alone) or nullcontext(),
    )
    failures = [PlayerError("time", "The file used more than 2 s of CPU time while it was loaded.")]
    monkeypatch.setattr(
        runner, "start", lambda limits, function: (_ for _ in ()).throw(failures.pop()) if failures else 0
    )
    runner.check(FIND.limits)
    assert turns == [False, True]


def test_strict_time_limit_applies_only_to_best_partitions():
    found = assignment("go")
    seconds = {one.name: one.seconds for one in plan_from(found, {}, None, []).functions}
    assert seconds.pop("comp10001go_best_partitions") == 1
    assert set(seconds.values()) == {4}


@pytest.mark.parametrize(
    ("source", "why"),
    [
        ("print 'hello'\n", "The file isn't valid Python: Missing parentheses in call to 'print'"),
        ("import nothing_like_it\n", "The file raised ModuleNotFoundError: No module named 'nothing_like_it'"),
        long(("while True:\n    pass\n", "The file used more than 2 s of CPU time while it was loaded.")),
    ],
)
def test_error_for_a_file_that_does_not_load_gives_the_reason(source, why):
    found = assignment("cribbage-lab")
    result = mark_submission(found, Sources((("mine.py", source.encode()),)), plan_from(found, {}, 5, []), 3)
    assert result.why.startswith(why)
    assert result.outcomes == ()


def test_latin_1_is_read_if_declared_and_rejected_otherwise():
    found = assignment("cribbage-lab")
    plan = plan_from(found, {}, 5, ["shuffle"])
    declared = f"# coding: latin-1\nwho = 'M\xfcller'\n{LAB}".encode("latin-1")
    assert mark_submission(found, Sources((("mine.py", declared),)), plan, 3).outcomes[0].right == 5
    bare = mark_submission(found, Sources((("mine.py", declared.partition(b"\n")[2]),)), plan, 3)
    assert bare.why == "The file is not UTF-8 text: look at line 1, and save it as UTF-8."


def test_missing_functions_and_wrong_signatures_are_explained():
    assert outcome("x = 1\n", "score_hand").why == "The file does not define score_hand."
    assert outcome("score_hand = 3\n", "score_hand").why == "score_hand is not a function."
    wrong = outcome("def deal_card(deck):\n    return 1\n", "deal_card")
    assert wrong.why == "deal_card must take 2 arguments: deal_card(deck, hand), and is defined as deal_card(deck)."
    assert (wrong.right, wrong.cases, wrong.failing_cases) == (0, 12, ())


def test_helper_files_are_imported():
    files = (("main.py", b"from common import *\n"), ("common.py", LAB.encode()))
    assert outcome(Sources(files), "deal_card").right == 12


def test_forged_replies_count_as_the_files_own_failures():
    """A reply must hold a value and the arguments; otherwise the file has failed."""
    forged = "import os\ndef deal_card(deck, hand):\n    os.write(21, b'[\"ok\",2,%s]\\n')\n    os._exit(0)\n"
    for value in ("7", "[1,2]", "[1,[]]", "[null,[[],[],[]]]", "{}"):
        found = outcome(forged % value, "deal_card", hidden=2)
        assert found.right == 0, value
        assert found.failing_cases[0].kind in ("protocol", "invalid"), value


@EVERY_ASSIGNMENT
def test_requests_hold_only_arguments_and_no_right_answers(name):
    for signature in assignment(name).signatures:
        for one in prepared_cases(name, signature.name, 15, 9, bonus=True):
            sent = marshal.loads(b64decode(one.encoded.strip('"')))
            required = [part.__name__.encode() if callable(part) else part for part in one.case.arguments]
            assert sent == required


PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers(-20, 20) | st.sampled_from(["", "AS", "0H", "?B", "hearts", "TH"]),
    lambda parts: st.lists(parts, max_size=4) | st.lists(parts, max_size=4).map(tuple),
    max_leaves=12,
)


@cache
def few_cases(name):
    """A few cases of every function of an assignment, cached."""
    found = assignment(name)
    return [one for function in found.functions for one in prepared_cases(name, function, 4, 2, bonus=True)]


@EVERY_ASSIGNMENT
@given(value=PLAIN, after=st.lists(PLAIN, min_size=5, max_size=5))
@settings(max_examples=20)
def test_no_answer_makes_a_judge_raise(name, value, after):
    for one in few_cases(name):
        verdict = one.case.judge(Answer(value, tuple(after[: len(one.case.arguments)])))
        assert verdict is None or isinstance(verdict, str)


def test_long_texts_are_shortened_in_the_middle():
    text = "".join(f"line {i}\n" for i in range(1000))
    short = shortened(text)
    assert short.startswith("line 0\nline 1\n")
    assert short.endswith("line 998\nline 999\n")
    assert len(short) < 2100
    assert shortened("x" * 2000) == "x" * 2000
    assert "characters are left out here" in shortened("x" * 2001)


def test_marks_are_proportional_or_all_or_nothing():
    source = LAB + "def score_hand(hand):\n    return 0\n"
    found = assignment("cribbage-lab")
    files = Sources((("mine.py", source.encode()),))
    marks = {"out_of": 10, "functions": {"score_hand": {"weight": 3}, "play": {"weight": 0}}}
    plan = plan_from(found, marks, 20, [])
    assert [one.name for one in plan.functions] == ["generate_deck", "shuffle", "deal_card", "score_hand"]
    result = mark_submission(found, files, plan, 3)
    right = result.outcomes[3].right
    assert 0 < right < 20
    assert total(plan, result) == round(5 + 5 * right / 20, 2)
    strict = plan_from(found, marks | {"partial": False}, 20, [])
    assert total(strict, result) == 5
    assert isinstance(plan, Plan)
