"""Idleness by figures that the test gives: what counts against a player, and what does not."""

import os
import time
from math import inf
from pathlib import Path
from types import SimpleNamespace

import pytest

from kibitz.errors import MachineError
from kibitz.players.file_player import END_SECONDS, FilePlayer
from kibitz.players.isolation.confined_process import (
    FIRST_LOOK,
    LONGEST_NAP,
    SECOND,
    STALLED_MILLISECONDS,
    TURNS,
    KernelClocks,
    Stopwatch,
    processor_wait,
)
from kibitz.players.limits import IDLE_FACTOR, STANDARD, Limits
from kibitz.players.rated_game import MAX_TIME_FACTOR, SIGN_OF_LIFE_SECONDS, Attempts, IdleTime, Memory
from kibitz.table.match import PastFailure

PID = 4711
STEP = LONGEST_NAP / 1000


class Kernel(KernelClocks):
    """A kernel whose figures the test sets, in seconds."""

    def __init__(self):
        self.wall, self.cpu, self.stood, self.work = 100.0, 7.0, 3.0, 2.0
        self.turns = 1000.0
        self.gone = False

    def now(self):
        return round(self.wall * SECOND)

    def spent(self, pid):
        if self.gone:
            raise ProcessLookupError
        return round(self.cpu * SECOND)

    def processor_wait(self, pid):
        return (0, 0) if self.gone else (round(self.stood * SECOND), round(self.turns))

    def referee(self):
        return round(self.work * SECOND)

    def passes(self, seconds, cpu=0.0, line=0.0, work=0.0, turns=0.0):
        """Time passes, of which shares go to the player, to its wait in line and to us; it gets ``turns`` a second."""
        self.wall += seconds
        self.cpu += cpu * seconds
        self.stood += line * seconds
        self.work += work * seconds
        self.turns += turns * seconds


def watched(kernel, seconds, allowed=4.0, wall=5.0, timeout=400.0, **shares):
    """A watch after looks all ``STEP`` of so many seconds, and what was broken first."""
    watch = Stopwatch(PID, allowed, wall, timeout, kernel)
    kernel.passes(FIRST_LOOK / 1000)
    broken = watch.broken()
    for _ in range(round(seconds / STEP)):
        if broken:
            break
        kernel.passes(STEP, **shares)
        broken = watch.broken()
    return watch, broken


@pytest.mark.parametrize(
    ("shares", "idle"),
    [
        ({}, 3.0),
        ({"cpu": 1.0}, 0.0),
        ({"line": 1.0}, 0.0),
        ({"work": 1.0}, 0.0),
        ({"cpu": 0.25}, 2.25),
        ({"line": 0.25}, 2.25),
        ({"work": 0.25}, 2.25),
        ({"cpu": 0.1, "line": 0.2, "work": 0.3}, 1.2),
        ({"line": 0.9, "work": 0.9}, 0.0),
    ],
    ids=str,
)
def test_idle_is_what_neither_work_nor_a_wait_in_line_nor_we_have_taken(shares, idle):
    watch, _ = watched(Kernel(), 3.0, **shares)
    assert watch.idle() == pytest.approx(idle, abs=0.011)
    assert watch.seconds_passed() == pytest.approx(3.0, abs=0.011)


def test_who_sleeps_breaks_the_limit_on_the_wall_and_not_before():
    assert watched(Kernel(), 4.9)[1] == ""
    assert watched(Kernel(), 5.2)[1] == "wall"


@pytest.mark.parametrize("shares", [{"line": 0.99}, {"work": 0.99}, {"cpu": 0.001, "line": 0.95}], ids=str)
def test_who_waits_for_others_breaks_no_limit_however_long_it_takes(shares):
    assert watched(Kernel(), 60.0, **shares)[1] == ""


def test_who_works_breaks_the_limit_on_work_alone():
    watch, broken = watched(Kernel(), 60.0, cpu=0.5)
    assert (broken, watch.cpu_seconds()) == ("cpu", pytest.approx(4.05, abs=0.06))


def test_the_machine_is_blamed_where_a_player_stood_in_line_for_too_long():
    with pytest.raises(MachineError, match="too busy"):
        watched(Kernel(), 60.0, timeout=50.0, line=0.99)


@pytest.mark.parametrize(
    ("shares", "broken"),
    [
        ({"cpu": 0.002, "line": 0.99, "turns": 70}, "wall"),
        ({"cpu": 0.06, "line": 0.9, "turns": 2500}, "wall"),
        ({"cpu": 0.01, "line": 0.98, "turns": 10}, ""),
        ({"cpu": 0.05, "line": 0.95, "turns": 50}, ""),
    ],
    ids=["yields", "takes naps", "hardly runs", "is cut off every millisecond"],
)
def test_who_gives_the_processor_back_at_once_cannot_blame_the_machine_for_the_wait(shares, broken):
    """The first two are what the kernel says of such files where others want the processor."""
    assert watched(Kernel(), 45.0, wall=10.0, timeout=50.0, **shares)[1] == broken


def test_who_has_waited_in_line_by_no_choice_of_its_own_keeps_that_excuse():
    kernel = Kernel()
    watch, _ = watched(kernel, 4.0, line=1.0, turns=10)
    assert watch.idle() == pytest.approx(0.0, abs=0.011)
    kernel.passes(STEP, turns=100_000)
    assert watch.idle() == pytest.approx(STEP, abs=0.011)


def test_an_answer_before_the_first_look_costs_nothing():
    kernel = Kernel()
    watch = Stopwatch(PID, 4.0, 5.0, 400.0, kernel)
    kernel.passes(0.004)
    assert watch.idle() == 0.0


@pytest.mark.parametrize("still", [2.0, 60.0, 86_400.0])
def test_a_machine_that_stood_still_costs_nobody_anything(still):
    """We have come too late to look, and have neither worked nor stood in line: everything stood still."""
    kernel = Kernel()
    watch, _ = watched(kernel, 1.0)
    before = watch.idle()
    for _ in range(3):
        kernel.passes(still + STEP)
        assert watch.broken() == ""
    assert watch.idle() - before == pytest.approx(3 * STEP, abs=0.001)


def test_it_did_not_stand_still_where_we_had_work_to_do_or_were_hardly_late():
    """What is our own work is told from it, and is not the player's idleness either."""
    kernel = Kernel()
    watch, _ = watched(kernel, 1.0)
    before, gone = watch.idle(), watch.seconds_passed()
    kernel.passes(10.0, work=1.0)
    assert watch.broken() == ""
    assert (watch.idle(), watch.seconds_passed()) == (pytest.approx(before), pytest.approx(gone + 10.0))
    kernel.passes(STEP + STALLED_MILLISECONDS / 1000)
    assert watch.idle() == pytest.approx(before + STEP + STALLED_MILLISECONDS / 1000)


def test_what_a_process_had_worked_still_counts_for_it_when_it_has_ended():
    kernel = Kernel()
    watch, _ = watched(kernel, 2.0, cpu=0.5, line=0.5)
    watch.idle()
    kernel.gone = True
    assert watch.idle() == pytest.approx(0.0, abs=0.011)
    assert watch.cpu_seconds() == pytest.approx(1.0, abs=0.011)


def test_a_limit_is_broken_by_more_than_it_and_idleness_by_as_much():
    """To the nanosecond; the wall is looked at from the first look on, five milliseconds before it."""
    kernel = Kernel()
    watch = Stopwatch(PID, 4.0, 5.0, 400.0, kernel)
    kernel.passes(4.0, cpu=1.0)
    assert watch.broken() == ""
    kernel.cpu += 1e-9
    assert watch.broken() == "cpu"
    kernel = Kernel()
    watch = Stopwatch(PID, 4.0, 5.0, 5.0, kernel)
    watch.broken()
    for _ in range(49):
        kernel.passes(STEP)
        assert watch.broken() == ""
    kernel.passes(STEP - 0.006)
    assert watch.broken() == ""
    kernel.passes(0.001)
    assert (watch.seconds_passed(), watch.broken()) == (5.0, "wall")
    kernel.passes(1e-9)
    with pytest.raises(MachineError, match="too busy"):
        watch.broken()


def test_the_next_look_comes_just_after_the_limit_and_within_a_tenth_of_a_second():
    kernel = Kernel()
    watch = Stopwatch(PID, 4.0, 5.0, 400.0, kernel)
    naps = []
    for cpu in (0.0, 3.9, 3.95, 3.999, 4.0, 5.0):
        kernel.cpu = 7.0 + cpu
        naps.append(watch.nap())
    assert naps == pytest.approx([100, 100, 51, 2, 1, 1])


def test_time_is_measured_by_the_figures_of_the_kernel():
    """Whatever the machine does besides: what we say lies between what is read just before and just after."""
    figures = KernelClocks()

    def ours():
        return time.thread_time_ns() + processor_wait("thread-self")[0]

    before = ours()
    found = figures.referee()
    assert before <= found <= ours()
    waited, turns = processor_wait(os.getpid())
    assert 0 <= waited <= figures.processor_wait(os.getpid())[0]
    assert 0 < turns <= figures.processor_wait(os.getpid())[1]
    assert processor_wait("no such process") == (0, 0)
    used = time.process_time_ns()
    assert used <= figures.spent(os.getpid()) <= time.process_time_ns()


class Clock:
    """Seconds that a test sets."""

    now = 50.0

    def __call__(self):
        return self.now


def test_the_bound_of_a_match_is_what_its_limits_come_to():
    """By hand: 2 s to load, 60 s of calls, three times 40 s and ten times 60 s of idleness, for four seats."""
    assert IDLE_FACTOR == 2
    assert STANDARD.longest(4) == 4 * (2 + 60 + 3 * 40 + 10 * 60)
    assert Limits(load=1, call=0.1, bank=5, wall_factor=2, wall_floor=3).longest(2) == 2 * (1 + 5 + 9 + 10)


def test_a_ledger_gives_a_sign_again_and_again_and_ends_what_takes_too_long():
    clock, told = Clock(), []
    attempts = Attempts(2, [STANDARD] * 2, Memory((1.5, 0.0)), told.append, clock)
    idle_time = IdleTime(attempts, 1)
    lasts = MAX_TIME_FACTOR * STANDARD.longest(2)
    idle_time.starts()

    def work():
        while clock.now < 50 + 2 * lasts:
            clock.now += 0.1
            if idle_time.report_due():
                idle_time.idled += 0.25
                idle_time.check_time()

    with pytest.raises(MachineError, match="too busy to finish"):
        work()
    assert lasts <= clock.now - 50 <= lasts + 3 * SIGN_OF_LIFE_SECONDS
    assert len(told) == pytest.approx(lasts / SIGN_OF_LIFE_SECONDS, rel=0.03)
    assert told[3] == Memory((1.5, 1.0), ())
    attempts.begin()
    attempts.check_time()


def test_what_players_without_limits_take_is_not_the_files_time():
    """A match with a player that searches for long is no failure of the machine, however small the file's limits."""
    clock = Clock()
    limits = Limits(load=0.1, call=0.1, bank=0.1, wall_factor=1.0, wall_floor=0.1)
    idle_time = IdleTime(Attempts(3, [limits], clock=clock), 1)
    for _ in range(100):
        idle_time.starts()
        clock.now += 0.01
        assert not idle_time.report_due() or idle_time.check_time() is None
        idle_time.stops()
        clock.now += 60.0
    idle_time.starts()
    clock.now += MAX_TIME_FACTOR * limits.longest(1) + SIGN_OF_LIFE_SECONDS
    with pytest.raises(MachineError, match="too busy to finish"):
        idle_time.check_time()


def test_a_sign_is_due_the_moment_its_time_has_come():
    clock, told = Clock(), []
    attempts = Attempts(1, [STANDARD], Memory(), told.append, clock)
    idle_time, begun = IdleTime(attempts), clock.now
    clock.now = begun + SIGN_OF_LIFE_SECONDS - 0.125
    idle_time.check_time()
    assert (idle_time.report_due(), told) == (False, [])
    clock.now = begun + SIGN_OF_LIFE_SECONDS
    assert idle_time.report_due()
    idle_time.check_time()
    assert len(told) == 1
    assert not idle_time.report_due()


def test_files_have_twice_as_long_as_they_can_take_and_a_sign_more_to_the_instant():
    """Without files that is a sign alone; what an attempt has taken is its own."""
    clock = Clock()
    attempts = Attempts(1, [], clock=clock)
    idle_time = IdleTime(attempts)
    for part in (1.5, 2.0):
        idle_time.starts()
        clock.now += part
        idle_time.stops()
        idle_time.stops()
        clock.now += 100.0
    idle_time.starts()
    clock.now += SIGN_OF_LIFE_SECONDS - 3.5
    idle_time.check_time()
    clock.now += 0.25
    with pytest.raises(MachineError, match="too busy to finish"):
        idle_time.check_time()
    attempts.begin()
    idle_time.check_time()
    clock.now += 1000.0
    idle_time.check_time()
    idle_time.starts()
    clock.now += SIGN_OF_LIFE_SECONDS
    idle_time.check_time()


def test_what_is_remembered_is_by_seat_and_a_failure_is_told_at_once():
    clock, told = Clock(), []
    fresh, known = Attempts(3, [STANDARD], clock=clock), Attempts(3, [STANDARD], Memory((1.0, 2.0, 3.0)), clock=clock)
    assert (fresh.idled, known.idled) == ([0.0] * 3, [1.0, 2.0, 3.0])
    assert [IdleTime(known, seat).idled for seat in range(3)] == [1.0, 2.0, 3.0]
    assert IdleTime(known).idled == 1.0
    assert IdleTime(known).patient
    attempts = Attempts(2, [STANDARD], Memory((1.0, 2.0)), told.append, clock)
    IdleTime(attempts, 1).idled += 0.5
    lapse = PastFailure(0, 3, "digest", "time", "It was slow.", "")
    clock.now += SIGN_OF_LIFE_SECONDS - 1
    attempts.add(lapse)
    assert told == [Memory((1.0, 2.5), (lapse,))]
    clock.now += 1
    assert not IdleTime(attempts).report_due(), "the next sign is due after a whole interval"


def test_an_account_without_a_ledger_is_one_games_and_has_no_patience():
    idle_time = IdleTime()
    idle_time.idled += 2.0
    assert (idle_time.idled, idle_time.patient, idle_time.report_due()) == (2.0, False, False)
    idle_time.check_time()


def test_only_taking_leave_is_short_whatever_a_call_may_take():
    """A file has the whole limit of a call for every question, and a second once its game is over."""
    asked = []

    class Process:
        def call(self, function, given, told, *, most, doing):
            asked.append((function, most))

    player = FilePlayer("p", "p.py", "")
    player.process, player.form = Process(), None
    for function in ("play", "end"):
        player.answer(SimpleNamespace(function=function, arguments=()), [])
    assert asked == [("play", inf), ("end", END_SECONDS)]
    assert STANDARD.call > END_SECONDS


@pytest.mark.parametrize(("more", "idle"), [(0, 0.0), (400, 40.0), (1200, 120.0)])
def test_what_docs_say_of_an_honest_file_on_a_crowded_core_is_so(more, idle):
    """It worked for 2 s, and waited for 0.1 s before each turn that it was given."""
    kernel = Kernel()
    watch = Stopwatch(PID, 4.0, 500.0, 5000.0, kernel)
    watch.broken()
    turns = TURNS + 2000 + more
    kernel.passes(1, cpu=2, line=0.1 * turns, turns=turns)
    assert watch.queued() == pytest.approx(0.1 * (turns - more))
    assert 0.1 * turns - watch.queued() == pytest.approx(idle)


@pytest.mark.parametrize("page", ["sandbox.md", "decisions/0025-only-machine-failures-void-games.md"])
def test_docs_name_the_turns_that_are_excused(page):
    text = (Path(__file__).parents[2] / "docs" / page).read_text()
    assert f" {TURNS} a call" in text or f" a call has {TURNS}," in text
