"""Idle time with clocks set by the test: what counts against a player and what does not."""

import os
import time
from math import inf
from pathlib import Path
from types import SimpleNamespace

import pytest

from kibitz.errors import MachineError
from kibitz.players.file_player import END_SECONDS, FilePlayer
from kibitz.players.isolation.confined_process import (
    EXTRA_TURNS,
    FIRST_LOOK,
    MAX_LOOK_INTERVAL,
    SECOND,
    STALL_MILLISECONDS,
    KernelClocks,
    Stopwatch,
    processor_wait,
)
from kibitz.players.limits import IDLE_FACTOR, STANDARD, Limits
from kibitz.players.rated_game import MAX_TIME_FACTOR, REPORT_SECONDS, Attempts, IdleTime, Memory
from kibitz.table.match import PastFailure

PID = 4711
STEP = MAX_LOOK_INTERVAL / 1000


class Kernel(KernelClocks):
    """A kernel whose clocks the test sets, in seconds."""

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
        """Let time pass; the player works, queues and the referee works for these shares, with ``turns`` per second."""
        self.wall += seconds
        self.cpu += cpu * seconds
        self.stood += line * seconds
        self.work += work * seconds
        self.turns += turns * seconds


def watch_for(kernel, seconds, allowed=4.0, wall=5.0, timeout=400.0, **shares):
    """A stopwatch checked every ``STEP`` for ``seconds``, and the first limit broken."""
    watch = Stopwatch(PID, allowed, wall, timeout, kernel)
    kernel.passes(FIRST_LOOK / 1000)
    broken = watch.exceeded_limit()
    for _ in range(round(seconds / STEP)):
        if broken:
            break
        kernel.passes(STEP, **shares)
        broken = watch.exceeded_limit()
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
def test_idle_time_excludes_work_queueing_and_the_referees_work(shares, idle):
    watch, _ = watch_for(Kernel(), 3.0, **shares)
    assert watch.idle() == pytest.approx(idle, abs=0.011)
    assert watch.seconds_passed() == pytest.approx(3.0, abs=0.011)


def test_sleeping_player_breaks_the_wall_limit():
    assert watch_for(Kernel(), 4.9)[1] == ""
    assert watch_for(Kernel(), 5.2)[1] == "wall"


@pytest.mark.parametrize("shares", [{"line": 0.99}, {"work": 0.99}, {"cpu": 0.001, "line": 0.95}], ids=str)
def test_player_waiting_for_others_breaks_no_limit(shares):
    assert watch_for(Kernel(), 60.0, **shares)[1] == ""


def test_working_player_breaks_only_the_cpu_limit():
    watch, broken = watch_for(Kernel(), 60.0, cpu=0.5)
    assert (broken, watch.cpu_seconds()) == ("cpu", pytest.approx(4.05, abs=0.06))


def test_long_queueing_is_a_machine_error():
    with pytest.raises(MachineError, match="too busy"):
        watch_for(Kernel(), 60.0, timeout=50.0, line=0.99)


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
def test_yielding_player_cannot_claim_queueing_time(shares, broken):
    """The first two rows are the kernel's figures for such files on a busy processor."""
    assert watch_for(Kernel(), 45.0, wall=10.0, timeout=50.0, **shares)[1] == broken


def test_involuntary_queueing_stays_excused_after_later_yields():
    kernel = Kernel()
    watch, _ = watch_for(kernel, 4.0, line=1.0, turns=10)
    assert watch.idle() == pytest.approx(0.0, abs=0.011)
    kernel.passes(STEP, turns=100_000)
    assert watch.idle() == pytest.approx(STEP, abs=0.011)


def test_answer_before_the_first_check_costs_no_idle_time():
    kernel = Kernel()
    watch = Stopwatch(PID, 4.0, 5.0, 400.0, kernel)
    kernel.passes(0.004)
    assert watch.idle() == 0.0


@pytest.mark.parametrize("still", [2.0, 60.0, 86_400.0])
def test_stalled_machine_costs_no_idle_time(still):
    """The check came late although the referee neither worked nor queued, so everything stood still."""
    kernel = Kernel()
    watch, _ = watch_for(kernel, 1.0)
    before = watch.idle()
    for _ in range(3):
        kernel.passes(still + STEP)
        assert watch.exceeded_limit() == ""
    assert watch.idle() - before == pytest.approx(3 * STEP, abs=0.001)


def test_pause_with_referee_work_or_a_short_delay_is_not_a_stall():
    """The referee's own work isn't a stall, and isn't the player's idle time either."""
    kernel = Kernel()
    watch, _ = watch_for(kernel, 1.0)
    before, gone = watch.idle(), watch.seconds_passed()
    kernel.passes(10.0, work=1.0)
    assert watch.exceeded_limit() == ""
    assert (watch.idle(), watch.seconds_passed()) == (pytest.approx(before), pytest.approx(gone + 10.0))
    kernel.passes(STEP + STALL_MILLISECONDS / 1000)
    assert watch.idle() == pytest.approx(before + STEP + STALL_MILLISECONDS / 1000)


def test_cpu_and_queueing_time_of_an_ended_process_still_count():
    kernel = Kernel()
    watch, _ = watch_for(kernel, 2.0, cpu=0.5, line=0.5)
    watch.idle()
    kernel.gone = True
    assert watch.idle() == pytest.approx(0.0, abs=0.011)
    assert watch.cpu_seconds() == pytest.approx(1.0, abs=0.011)


def test_limits_are_broken_only_when_exceeded():
    """To the nanosecond; wall time is counted from 5 ms before the first check."""
    kernel = Kernel()
    watch = Stopwatch(PID, 4.0, 5.0, 400.0, kernel)
    kernel.passes(4.0, cpu=1.0)
    assert watch.exceeded_limit() == ""
    kernel.cpu += 1e-9
    assert watch.exceeded_limit() == "cpu"
    kernel = Kernel()
    watch = Stopwatch(PID, 4.0, 5.0, 5.0, kernel)
    watch.exceeded_limit()
    for _ in range(49):
        kernel.passes(STEP)
        assert watch.exceeded_limit() == ""
    kernel.passes(STEP - 0.006)
    assert watch.exceeded_limit() == ""
    kernel.passes(0.001)
    assert (watch.seconds_passed(), watch.exceeded_limit()) == (5.0, "wall")
    kernel.passes(1e-9)
    with pytest.raises(MachineError, match="too busy"):
        watch.exceeded_limit()


def test_next_check_comes_just_after_the_limit_within_a_tenth_of_a_second():
    kernel = Kernel()
    watch = Stopwatch(PID, 4.0, 5.0, 400.0, kernel)
    naps = []
    for cpu in (0.0, 3.9, 3.95, 3.999, 4.0, 5.0):
        kernel.cpu = 7.0 + cpu
        naps.append(watch.look_interval())
    assert naps == pytest.approx([100, 100, 51, 2, 1, 1])


def test_clocks_agree_with_the_kernels_figures():
    """Each figure lies between readings taken just before and just after it."""
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
    """A clock that a test sets, in seconds."""

    now = 50.0

    def __call__(self):
        return self.now


def test_longest_match_follows_from_the_limits():
    """By hand: 2 s to load, 60 s of calls, and 3 * 40 s + 10 * 60 s of idle time, for each of four seats."""
    assert IDLE_FACTOR == 2
    assert STANDARD.longest(4) == 4 * (2 + 60 + 3 * 40 + 10 * 60)
    assert Limits(load=1, call=0.1, bank=5, wall_factor=2, wall_floor=3).longest(2) == 2 * (1 + 5 + 9 + 10)


def test_attempts_report_regularly_and_stop_an_overlong_match():
    clock, reports = Clock(), []
    attempts = Attempts(2, [STANDARD] * 2, Memory((1.5, 0.0)), reports.append, clock)
    idle_time = IdleTime(attempts, 1)
    lasts = MAX_TIME_FACTOR * STANDARD.longest(2)
    idle_time.start_call()

    def work():
        while clock.now < 50 + 2 * lasts:
            clock.now += 0.1
            if idle_time.report_due():
                idle_time.seconds += 0.25
                idle_time.check_time()

    with pytest.raises(MachineError, match="too busy to finish"):
        work()
    assert lasts <= clock.now - 50 <= lasts + 3 * REPORT_SECONDS
    assert len(reports) == pytest.approx(lasts / REPORT_SECONDS, rel=0.03)
    assert reports[3] == Memory((1.5, 1.0), ())
    attempts.begin()
    attempts.check_time()


def test_time_of_players_without_limits_does_not_count():
    """A match with a slow search player is not a machine error, even if the file's limits are small."""
    clock = Clock()
    limits = Limits(load=0.1, call=0.1, bank=0.1, wall_factor=1.0, wall_floor=0.1)
    idle_time = IdleTime(Attempts(3, [limits], clock=clock), 1)
    for _ in range(100):
        idle_time.start_call()
        clock.now += 0.01
        assert not idle_time.report_due() or idle_time.check_time() is None
        idle_time.end_call()
        clock.now += 60.0
    idle_time.start_call()
    clock.now += MAX_TIME_FACTOR * limits.longest(1) + REPORT_SECONDS
    with pytest.raises(MachineError, match="too busy to finish"):
        idle_time.check_time()


def test_report_is_due_at_the_exact_interval():
    clock, reports = Clock(), []
    attempts = Attempts(1, [STANDARD], Memory(), reports.append, clock)
    idle_time, begun = IdleTime(attempts), clock.now
    clock.now = begun + REPORT_SECONDS - 0.125
    idle_time.check_time()
    assert (idle_time.report_due(), reports) == (False, [])
    clock.now = begun + REPORT_SECONDS
    assert idle_time.report_due()
    idle_time.check_time()
    assert len(reports) == 1
    assert not idle_time.report_due()


def test_match_time_limit_is_exact_and_per_attempt():
    """Without files the limit is one report interval; each attempt has its own time."""
    clock = Clock()
    attempts = Attempts(1, [], clock=clock)
    idle_time = IdleTime(attempts)
    for part in (1.5, 2.0):
        idle_time.start_call()
        clock.now += part
        idle_time.end_call()
        idle_time.end_call()
        clock.now += 100.0
    idle_time.start_call()
    clock.now += REPORT_SECONDS - 3.5
    idle_time.check_time()
    clock.now += 0.25
    with pytest.raises(MachineError, match="too busy to finish"):
        idle_time.check_time()
    attempts.begin()
    idle_time.check_time()
    clock.now += 1000.0
    idle_time.check_time()
    idle_time.start_call()
    clock.now += REPORT_SECONDS
    idle_time.check_time()


def test_idle_time_is_kept_by_seat_and_a_failure_is_reported_at_once():
    clock, reports = Clock(), []
    fresh, known = Attempts(3, [STANDARD], clock=clock), Attempts(3, [STANDARD], Memory((1.0, 2.0, 3.0)), clock=clock)
    assert (fresh.idled, known.idled) == ([0.0] * 3, [1.0, 2.0, 3.0])
    assert [IdleTime(known, seat).seconds for seat in range(3)] == [1.0, 2.0, 3.0]
    assert IdleTime(known).seconds == 1.0
    assert IdleTime(known).rated
    attempts = Attempts(2, [STANDARD], Memory((1.0, 2.0)), reports.append, clock)
    IdleTime(attempts, 1).seconds += 0.5
    lapse = PastFailure(0, 3, "digest", "time", "It was slow.", "")
    clock.now += REPORT_SECONDS - 1
    attempts.add(lapse)
    assert reports == [Memory((1.0, 2.5), (lapse,))]
    clock.now += 1
    assert not IdleTime(attempts).report_due(), "the next report is due after a full interval"


def test_idle_time_without_attempts_is_for_one_game_and_not_patient():
    idle_time = IdleTime()
    idle_time.seconds += 2.0
    assert (idle_time.seconds, idle_time.rated, idle_time.report_due()) == (2.0, False, False)
    idle_time.check_time()


def test_only_the_end_call_has_a_short_limit():
    """A file has the full call limit for every question, but only a second for ``end``."""
    asked = []

    class Process:
        def call(self, function, arguments, items, *, max_seconds, subject):
            asked.append((function, max_seconds))

    player = FilePlayer("p", "p.py", "")
    player.process, player.interface = Process(), None
    for function in ("play", "end"):
        player.answer(SimpleNamespace(function=function, arguments=()), [])
    assert asked == [("play", inf), ("end", END_SECONDS)]
    assert STANDARD.call > END_SECONDS


@pytest.mark.parametrize(("more", "idle"), [(0, 0.0), (400, 40.0), (1200, 120.0)])
def test_documented_figures_for_a_crowded_core_are_right(more, idle):
    """The file worked for 2 s, and queued for 0.1 s before each turn on the processor."""
    kernel = Kernel()
    watch = Stopwatch(PID, 4.0, 500.0, 5000.0, kernel)
    watch.exceeded_limit()
    turns = EXTRA_TURNS + 2000 + more
    kernel.passes(1, cpu=2, line=0.1 * turns, turns=turns)
    assert watch.seconds_waited() == pytest.approx(0.1 * (turns - more))
    assert 0.1 * turns - watch.seconds_waited() == pytest.approx(idle)


EXCUSED_TURNS = {
    "sandbox.md": f"only {EXTRA_TURNS} of its turns on the processor per call",
    "decisions/0025-only-machine-failures-void-games.md": f" {EXTRA_TURNS} a call",
}


@pytest.mark.parametrize("page", EXCUSED_TURNS)
def test_docs_state_the_number_of_excused_turns(page):
    assert EXCUSED_TURNS[page] in (Path(__file__).parents[2] / "docs" / page).read_text()
