"""If workers or runners die during a match, nobody else forfeits, and time that was used up stays used up.

bad         a file during whose call the worker, or the runner too, is killed; a sandboxed file can't do that itself
undone      a season without kills
"""

import os
import signal
import subprocess
import sys

import pytest

from kibitz.arena.running import pool
from kibitz.arena.running.pool import WorkerPool
from kibitz.arena.running.runner import StopCondition, run
from kibitz.executors import local
from kibitz.executors.local import LocalExecutor
from kibitz.players.limits import Limits
from kibitz.sandbox import tier
from tests.arena.store.field import entered
from tests.arena.store.test_faults import HERE
from tests.players.conftest import HONEST, go_with

pytestmark = pytest.mark.skipif(not tier().confines, reason="this machine cannot confine player files")
LIMITS = Limits(load=0.5, call=0.4, bank=1.0, wall_factor=1.0, wall_floor=0.4, memory=256 << 20)
SOON = 0.1
KILLS = """
import os, pathlib
from kibitz.players import file_player, rated_game
rated_game.REPORT_SECONDS = {soon}
real, calls = file_player.FilePlayer.answer, [0]

def answer(self, call, new):
    flags = [pathlib.Path({flag!r} + str(n)) for n in range({times})]
    left = [flag for flag in flags if not flag.exists()]
    calls[0] += self.name == "p0"
    if self.name == "p0" and calls[0] == {at} and left:
        left[0].touch()
        {die}
    return real(self, call, new)

file_player.FilePlayer.answer = answer
"""
WORKER = "os.kill(os.getpid(), 9)"
RUNNER = "os.kill(os.getppid(), 9); os.kill(os.getpid(), 9)"


def season(opened, tmp_path, source, name="arena.db"):
    """A store with a tournament of three players, the first of which is the bad file."""
    store = opened(tmp_path / name)
    entered(store, players=0, limits=LIMITS)
    for number, text in enumerate((source, HONEST, HONEST)):
        made = store.submit("go", f"p{number}", "owner", f"p{number}.py", text.encode())
        store.record_check(made.id, passed=True, reason="", report="{}")
    return store


def start_code(tmp_path, at, times=1, die=WORKER):
    """Start code of workers that die at the bad file's ``at``-th call, ``times`` times."""
    code = KILLS.format(soon=SOON, flag=str(tmp_path / "flag"), times=times, at=at, die=die)
    return f"exec({code!r}); {local.START_CODE}"


def comparable(store):
    """The outcome of a season."""
    return [(one.match, one.status, one.seats) for one in store.results("go")]


@pytest.mark.long
@pytest.mark.parametrize("at", [1, 5])
def test_killed_workers_do_not_change_a_season_with_a_failing_file(opened, tmp_path, monkeypatch, at):
    """With two attempts at a block: the same games, and only the bad file forfeits."""
    bad = go_with("if len(discard_history) == 1 and player_no: 1 / 0\nreturn hand[0]")
    undone, store = season(opened, tmp_path, bad, "undone.db"), season(opened, tmp_path, bad)
    run(undone, "go", 1, until=StopCondition(rounds=1))
    monkeypatch.setattr(local, "START_CODE", start_code(tmp_path, at, times=2))
    run(store, "go", 1, until=StopCondition(rounds=1))
    assert len(list(tmp_path.glob("flag*"))) == 2
    assert comparable(store) == comparable(undone)
    assert {one.player for one in store.failures("go")} == {"p0"}


SLEEPS_ONCE = "import time\nif len(discard_history) == 1: time.sleep(0.9)\nreturn hand[0]"


@pytest.mark.long
def test_a_file_that_sleeps_within_its_limits_does_not_forfeit(opened, tmp_path):
    store = season(opened, tmp_path, go_with(SLEEPS_ONCE))
    run(store, "go", 1, until=StopCondition(rounds=1))
    assert store.failures("go") == ()


@pytest.mark.long
def test_idleness_survives_a_killed_worker(opened, tmp_path, monkeypatch):
    """It may idle for 1.2 s per match; 0.9 s before the worker died, at its third call, leave 0.3 s."""
    store = season(opened, tmp_path, go_with(SLEEPS_ONCE))
    monkeypatch.setattr(pool, "REPORT_SECONDS", SOON)
    monkeypatch.setattr(local, "START_CODE", start_code(tmp_path, 3))
    run(store, "go", 1, until=StopCondition(rounds=1))
    assert [(one.player, one.kind) for one in store.failures("go")] == [("p0", "idle")]
    assert store.voids("go") == ()


@pytest.mark.long
def test_idleness_survives_a_killed_runner(opened, tmp_path, monkeypatch):
    """The next runner, here or elsewhere, reads the time used from the store."""
    path = tmp_path / "arena.db"
    store = season(opened, tmp_path, go_with(SLEEPS_ONCE))
    code = (
        "from kibitz.arena.running import pool; from kibitz.executors import local; "
        f"pool.REPORT_SECONDS = {SOON}; local.START_CODE = {start_code(tmp_path, 3, die=RUNNER)!r}; "
        "from kibitz.arena.running.runner import run; from kibitz.arena.store import open_store; "
        f"run(open_store({str(path)!r}), 'go', 1)"
    )
    killed = subprocess.run([sys.executable, "-c", code], cwd=HERE, timeout=120, check=False)
    assert killed.returncode == -signal.SIGKILL
    run(store, "go", 1, until=StopCondition(rounds=1))
    assert [(one.player, one.kind) for one in store.failures("go")] == [("p0", "idle")]


def test_a_failure_survives_a_killed_worker(opened, tmp_path, monkeypatch):
    """The file fails only in the first attempt; the failure is kept."""
    flag = str(tmp_path / "flag0")
    source = go_with("if len(discard_history) == 1 and player_no == 0: 1 / 0\nreturn hand[0]")
    store = season(opened, tmp_path, HONEST)
    sources = {True: HONEST, False: source}
    swap = (
        "from kibitz.players import function_player; from kibitz.players.files.sources import sources_of\n"
        "start = function_player.FunctionPlayer.start\ndef swapped(self, *given):\n"
        f"    if self.name == 'p0': self.sources = sources_of('p0.py', {sources!r}[os.path.exists({flag!r})])\n"
        "    start(self, *given)\n"
        "function_player.FunctionPlayer.start = swapped"
    )
    die_over_p1 = start_code(tmp_path, 2).replace('== "p0"', '== "p1"')
    monkeypatch.setattr(local, "START_CODE", f"exec({'import os' + chr(10) + swap!r}); {die_over_p1}")
    run(store, "go", 1, until=StopCondition(rounds=1))
    assert os.path.exists(flag)
    assert {(one.player, one.kind) for one in store.failures("go")} == {("p0", "exception")}


@pytest.mark.long
def test_workers_with_slow_but_allowed_players_are_not_killed(opened, tmp_path, monkeypatch):
    """Matches last longer than the pool waits for a silent worker, but the worker is not silent."""
    real, lost = WorkerPool.__init__, []
    nap = "import time\nend = time.process_time() + 0.03\nwhile time.process_time() < end: pass\n"
    nap = go_with(f"{nap}time.sleep(0.1)\nreturn hand[0]")

    def impatient(self, game, place, limits, timeout, **more):
        assert timeout > limits.longest(2)
        real(self, game, place, limits, 3.0, **more)

    monkeypatch.setattr(WorkerPool, "__init__", impatient)
    monkeypatch.setattr(LocalExecutor, "remove_dead", lambda self, member: lost.append(member))
    monkeypatch.setattr(pool, "REPORT_SECONDS", SOON)
    monkeypatch.setattr(local, "START_CODE", start_code(tmp_path, 0))
    store = opened(tmp_path / "arena.db")
    entered(store, players=2, limits=LIMITS, words="nap.py", content=nap.encode())
    run(store, "go", 1, until=StopCondition(rounds=1))
    assert lost == []
    assert store.results("go")
    assert store.voids("go") == ()
