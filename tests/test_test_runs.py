"""How tests are run: groups, samples, shards, time limits, and resuming after a stop."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests import parts
from tests.parts import share, times
from tests.small_disk import LIMITED

ROOT = Path(__file__).parents[1]
TESTS = """
import os
from pathlib import Path

import pytest

HERE = Path(__file__).parent
GROUPED = [pytest.param(k, marks=pytest.mark.xdist_group("ab"[k % 2])) for k in range(12)]


@pytest.mark.parametrize("k", GROUPED)
def test_grouped(k):
    with open(HERE / "ab"[k % 2], "a") as file:
        file.write(os.environ.get("PYTEST_XDIST_WORKER", "") + "\\n")
    assert k != 3 or (HERE / "repaired").exists()


def test_alone():
    pass
"""


@pytest.fixture
def run(tmp_path):
    """A function that runs a few tests with this configuration, and returns the output."""
    (tmp_path / "conftest.py").write_text("from tests.conftest import *\n")
    (tmp_path / "test_few.py").write_text(TESTS)
    (tmp_path / "pytest.ini").write_text("[pytest]\n")

    def asked(*words):
        words = [sys.executable, "-m", "pytest", "-p", "xdist", *words, "."]
        environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
        environment |= {"PYTHONPATH": str(ROOT), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
        ran = subprocess.run(words, cwd=tmp_path, env=environment, capture_output=True, text=True)
        return ran.stdout + ran.stderr

    return asked


@pytest.mark.long
def test_tests_of_one_group_share_a_process_and_keep_their_names(run, tmp_path):
    said = run("-n", "2", "--dist", "loadgroup", "-rA", "--tb=no")
    assert [len(set((tmp_path / name).read_text().split())) for name in "ab"] == [1, 1]
    assert re.findall("^FAILED (\\S+)", said, re.MULTILINE) == ["test_few.py::test_grouped[3]"]
    assert "@" not in said
    assert "12 passed" in said


@pytest.mark.long
def test_a_crashing_test_stops_the_run_and_is_rerun_by_name(run, tmp_path):
    (tmp_path / "test_few.py").write_text(TESTS.replace("assert k != 3", "k == 3 and os._exit(1)"))
    words = ("--dist", "loadgroup", "--max-worker-restart", "1", "--go-on")
    said = run("-n", "2", *words)
    assert "maximum crashed workers reached" in said
    assert "@" not in "".join(re.findall("^FAILED .*::", said, re.MULTILINE))
    (tmp_path / "test_few.py").write_text(TESTS.replace("assert k != 3", "assert k >= 0"))
    assert re.search(r"PASSED \S+test_grouped\[3\]\s", run("-n", "1", "-v", *words))


def test_go_on_skips_what_has_passed_with_the_same_code(run, tmp_path):
    assert "1 failed, 12 passed" in run("--go-on")
    (tmp_path / "repaired").touch()
    assert "1 passed, 12 deselected" in run("--go-on")


def test_samples_are_disjoint_and_complete(monkeypatch):
    for count in (1, 3, 10, 101):
        monkeypatch.setattr(parts.Options, "exhaustive", False)
        found = []
        for sample in range(min(4, count)):
            monkeypatch.setattr(parts.Options, "sample", sample)
            assert share(range(count), 4) == sorted(share(range(count), 4))
            found += share(range(count), 4)
        assert sorted(found) == list(range(count))
        monkeypatch.setattr(parts.Options, "exhaustive", True)
        assert share(range(count), 4) == list(range(count))


@pytest.mark.parametrize("sample", [0, 1, 7])
def test_no_sample_is_empty(sample, monkeypatch):
    monkeypatch.setattr(parts.Options, "exhaustive", False)
    monkeypatch.setattr(parts.Options, "sample", sample)
    assert share([5], 10) == [5]
    assert share([], 10) == []
    assert (times(1000, 3), times(1, 10)) == (334, 1)
    monkeypatch.setattr(parts.Options, "exhaustive", True)
    assert times(1000, 3) == 1000


@pytest.mark.long
def test_every_file_is_in_one_shard(run, tmp_path):
    for number in range(5):
        (tmp_path / f"test_{number}.py").write_text("def test_one(): pass\n")
    (tmp_path / "repaired").touch()
    names = [re.findall("^PASSED ([^ :]+)", run("--shard", f"{k}/3", "-rA"), re.MULTILINE) for k in (1, 2, 3)]
    assert sorted(set(names[0]) | set(names[1]) | set(names[2])) == [*(f"test_{k}.py" for k in range(5)), "test_few.py"]
    assert sum(map(len, names)) == 5 + 13
    assert "got '4/3'" in run("--shard", "4/3")


@pytest.mark.long
def test_unstarted_tests_are_reported_and_not_marked_as_passed(run, tmp_path):
    said = run("--minutes", "1e-9", "-m", "long or not long", "--go-on")
    assert "13 tests were not begun: 1e-09 minutes are over." in said
    assert "13 skipped" in said
    (tmp_path / "repaired").touch()
    assert "13 passed" in run("--go-on")


@pytest.mark.long
def test_a_replacement_process_keeps_the_time_limit(run, tmp_path):
    (tmp_path / "test_few.py").unlink()
    crash = "import os, time\ndef test_it(): time.sleep(9); os._exit(1)\n"
    (tmp_path / "test_crash.py").write_text(crash + "def test_after(): pass\n")
    said = run("--minutes", "0.15", "-n", "1")
    assert "1 failed, 1 skipped" in said
    assert "1 tests were not begun" in said


def test_programs_on_a_small_disk_write_no_compiled_code():
    """Truncated compiled code would break every later test in this tree."""
    limiting = [path for path in (ROOT / "tests").rglob("*.py") if "RLIMIT" + "_FSIZE" in path.read_text()]
    assert limiting == [ROOT / "tests" / "small_disk.py"]
    code = f"{LIMITED}limited(0); print(sys.dont_write_bytecode)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout == "True\n"
