"""Kills at any moment lose no result, count none twice, and leave the table the same to the byte.

undisturbed     the same tournament, played by one worker without kills
victim          a worker, the runner, or the runner's connection; or the runner before its Nth statement
"""

import io
import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from random import Random

import pytest

from kibitz.arena.model import Threshold
from kibitz.arena.rating.export import write_csv
from kibitz.arena.store import open_store
from tests.arena.store.field import entered

HERE = Path(__file__).parents[3]
PLAYERS = ("first", "random", "greedy", "random", "first", "random")
BROKEN = b"def comp10001go_play(*_):\n    return 7\n\n\ndef comp10001go_group(*_):\n    return 7\n"
ROUNDS = 4
SLOW = 240


def create_tournament(where):
    """Create a tournament of built-in players and one file that fails."""
    with open_store(where) as store:
        entered(store, players=0, threshold=Threshold(3, 0.1))
        for number, words in enumerate((*PLAYERS, "broken.py")):
            content = BROKEN if words.endswith(".py") else b""
            made = store.submit("go", f"p{number}", "owner", words, content)
            store.record_check(made.id, passed=True, reason="", report="{}")


def start_runner(where, *options, rounds=ROUNDS):
    """A runner in its own process, once it has started to play."""
    command = [sys.executable, "-m", "tests.arena.play", where, str(rounds), *map(str, options)]
    process = subprocess.Popen(command, cwd=HERE, stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "playing\n"
    return process


def exit_status(process):
    """The exit status of a runner; -9 if it was killed."""
    process.communicate(timeout=SLOW)
    return process.returncode


def outcome(where):
    """The outcome of a tournament: its results as bytes, and the disqualified players."""
    with open_store(where, create=False) as store:
        out = io.StringIO()
        write_csv(out, store.results("go"))
        failures = [(one.match, one.seat, one.kind, one.rule) for one in store.failures("go")]
        rounds = [(one.number, one.entrants, one.blocks, one.unplayed) for one in store.rounds("go")]
        assert not any(void.given_up for void in store.voids("go"))
        return out.getvalue().encode(), failures, rounds, store.disqualifications("go")


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory):
    """The outcome of a run without kills."""
    where = str(tmp_path_factory.mktemp("undisturbed") / "arena.db")
    create_tournament(where)
    assert exit_status(start_runner(where, "--workers", 1)) == 0
    found = outcome(where)
    assert found[3], "the broken file is disqualified, so that decisions are compared too"
    return found


def descendants(process):
    """The process ids of all descendants of a process."""
    try:
        found = [int(pid) for task in Path(f"/proc/{process}/task").iterdir() for pid in
                 (task / "children").read_text().split()]  # fmt: skip
    except OSError:
        return []
    return found + [below for child in found for below in descendants(child)]


def worker_pids(process):
    """The process ids of a runner's workers."""
    found = []
    for pid in descendants(process):
        with suppress(OSError):
            found += [pid] if b"kibitz.executors.worker" in Path(f"/proc/{pid}/cmdline").read_bytes() else []
    return found


def running_processes(pids):
    """Those of the processes that still run."""
    found = []
    for pid in pids:
        try:
            state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
        except OSError:
            continue
        found += [pid] if state not in "ZX" else []
    return found


def surviving_processes(pids, seconds=10):
    """Those of the processes that still run after a while."""
    end = time.monotonic() + seconds
    while (found := running_processes(pids)) and time.monotonic() < end:
        time.sleep(0.05)
    return found


def kill_one(victim, process, where, random):
    """Kill one victim; returns whether there was one."""
    if victim == "runner":
        below = descendants(process.pid)
        process.kill()
        process.wait()
        assert surviving_processes(below) == []
        return True
    if victim == "connection":
        with open_store(where, create=False) as store:
            return store.database.reading(
                lambda c: c.exec_driver_sql(
                    "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE pid <> pg_backend_pid() "
                    "AND backend_type = 'client backend'"
                ).scalar()
            )
    found = worker_pids(process.pid)
    if not found:
        return False
    try:
        os.kill(random.choice(found), signal.SIGKILL)
    except ProcessLookupError:
        return False
    return True


def play_with_kills(where, seed, kills):
    """Play a tournament with random kills; returns the number of kills."""
    random, done = Random(seed), 0
    victims = ["runner", "worker", "worker"] + ["connection"] * 2 * where.startswith("postgresql")
    process = start_runner(where)
    while True:
        try:
            process.wait(random.uniform(0.05, 0.5) if done < kills else SLOW)
        except subprocess.TimeoutExpired:
            done += bool(kill_one(random.choice(victims), process, where, random))
        if process.poll() is not None:
            process.stdout.close()
            if process.returncode == 0:
                return done
            assert process.returncode == -signal.SIGKILL
            process = start_runner(where)


@pytest.mark.long
@pytest.mark.parametrize(("seed", "kills"), [(1, 6), (2, 40), (3, 40), (4, 40)])
def test_kills_at_random_moments_do_not_change_the_outcome(where, undisturbed, seed, kills):
    create_tournament(where)
    assert play_with_kills(where, seed, kills) >= min(kills, 3)
    assert outcome(where) == undisturbed


@pytest.mark.long
def test_a_runner_killed_before_any_statement_loses_nothing(where, undisturbed):
    create_tournament(where)
    random = Random(60)
    for _ in range(60):
        assert exit_status(start_runner(where, "--die-at", random.randrange(1, 60))) in (0, -signal.SIGKILL)
    assert exit_status(start_runner(where)) == 0
    assert outcome(where) == undisturbed
