"""The limits of processes that work for strangers, each tested in its own process."""

import os
import subprocess
import sys

import msgspec
import pytest

from kibitz.web import job_process
from kibitz.web.live_tables.connection import Person
from kibitz.web.marking import Marking
from tests.tiers import first_fast

BOUND = "from kibitz.executors.worker import limit_resources; limit_resources({}, {}, {})\n"
SPENDS = "while True: pass"
CHILD = f"import subprocess, sys; print(subprocess.run([sys.executable, '-c', {SPENDS!r}]).returncode)"


def run_python(code, given=b""):
    return subprocess.run([sys.executable, "-c", code], input=given, capture_output=True, check=False, timeout=90)


@pytest.mark.parametrize(
    ("bounds", "code", "error"),
    first_fast(
        [
            ((1 << 28, 60, 60), "bytearray(1 << 30)", "MemoryError"),
            ((1 << 30, 1, 60), SPENDS, "MachineError: Stopped: this may take"),
            ((1 << 30, 60, 1), "import time; time.sleep(50)", "MachineError: Stopped: this may take"),
        ]
    ),
    ids=["memory", "CPU time", "the wall"],
)
def test_a_process_that_exceeds_a_limit_is_stopped(bounds, code, error):
    last = run_python(BOUND.format(*bounds) + code).stderr.decode().splitlines()[-1]
    assert error in last


@pytest.mark.long
def test_a_child_process_shares_the_limits():
    assert run_python(BOUND.format(1 << 30, 1, 60) + CHILD).stdout == b"-24\n"


def message(module, changes, order):
    """The last message of a server process, run with some names of its module replaced."""
    code = f"import time, {module} as it\n{changes}\nit.main()"
    lines = run_python(code, msgspec.json.encode(order) + b"\n").stdout.splitlines()
    return msgspec.json.decode(lines[-1])


@pytest.mark.long
def test_a_check_or_marking_that_takes_too_long_is_reported(tmp_path):
    for work, name in (
        (job_process.CheckWork("", "go", "Ann", Person("a1", "Ann"), (), 0.0), "STUDENT_LIMITS"),
        (job_process.MarkWork(Marking("go", str(tmp_path), "", True)), "STUDENT_LIMITS"),
        (job_process.MarkWork(Marking("go", str(tmp_path), "", False)), "CLASS_LIMITS"),
    ):
        order = job_process.Order(work, os.getpid(), str(tmp_path))
        changes = f"it.{name}, it.{type(work).__name__}.carry_out = (60, 1), lambda *given: time.sleep(50)"
        told = message("kibitz.web.job_process", changes, order)
        assert "Stopped: this may take 1 min of CPU time" in told["sentence"]
