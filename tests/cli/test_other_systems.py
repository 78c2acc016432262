"""Modules that also run on Windows and macOS use no name that Python lacks there.

mypy finds such names from typeshed, so no list has to be kept.
"""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ONLY_THERE = re.compile(r"kibitz/(sandbox/|players/(attacks|isolation/(confined_process|fork_server\w*))\.py)")
"""Modules that run only where the sandbox works."""
WHERE_FORKED = re.compile(r"kibitz/executors/(dask_worker|local)\.py")
"""Modules that run only if ``executors.local.can_start``, which is false on Windows."""
CHECKED_FIRST = {
    "kibitz/database/opening.py": {"statvfs", "ST_RDONLY"},
    "kibitz/engine/contract/checking.py": {"setitimer", "SIGVTALRM", "ITIMER_VIRTUAL"},
    "kibitz/engine/file_io.py": {"set_blocking"},
    "kibitz/executors/worker.py": {"sched_getaffinity", "sched_setaffinity"},
    "kibitz/table/saved.py": {"flock", "LOCK_EX", "LOCK_NB"},
    "kibitz/web/processes.py": {"killpg"},
    "kibitz/web/server.py": {"getrlimit", "setrlimit", "RLIMIT_NOFILE", "RLIM_INFINITY"},
}
"""Names that a module uses only if they exist; ``test_own_machine.py`` runs these modules without them."""
FOUND = re.compile(r"src/(?P<file>[^:]+):\d+: error: (?:Module has no attribute \"(?P<name>\w+)\")?")


@pytest.mark.long
@pytest.mark.parametrize("platform", ["win32", "darwin"])
def test_no_name_missing_on_other_systems_is_used(platform, tmp_path):
    words = ["--platform", platform, "--cache-dir", str(tmp_path), "--no-error-summary", "src/kibitz"]
    ended = subprocess.run(
        [sys.executable, "-m", "mypy", *words], cwd=ROOT, capture_output=True, text=True, timeout=900
    )
    assert ended.stderr == ""
    errors = [line for line in ended.stdout.splitlines() if FOUND.match(line)]
    assert any("sandbox/" in line for line in errors), "mypy reports no known use"
    wrong = []
    for line in errors:
        found = FOUND.match(line)
        assert found
        file, name = found["file"], found["name"]
        if not (ONLY_THERE.match(file) or WHERE_FORKED.match(file) or name in CHECKED_FIRST.get(file, ())):
            wrong.append(line)
    assert wrong == []
