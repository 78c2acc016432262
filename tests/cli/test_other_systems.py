"""What is written for Windows and macOS too: no module but those that run on Linux alone uses what they lack.

mypy knows by typeshed what Python has where, so nobody has to think of a name for its use to be found.
"""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ONLY_THERE = re.compile(r"kibitz/(sandbox/|players/(attacks|isolation/(confined_process|fork_server\w*))\.py)")
"""What runs only where files can be confined."""
WHERE_FORKED = re.compile(r"kibitz/executors/(dask_worker|executor)\.py")
"""What runs only where ``executors.worker.can_fork``, which is not on Windows."""
ASKED_FIRST = {
    "kibitz/database/opening.py": {"statvfs", "ST_RDONLY"},
    "kibitz/engine/contract/checking.py": {"setitimer", "SIGVTALRM", "ITIMER_VIRTUAL"},
    "kibitz/engine/file_io.py": {"set_blocking"},
    "kibitz/executors/worker.py": {"sched_getaffinity", "sched_setaffinity"},
    "kibitz/table/saved.py": {"flock", "LOCK_EX", "LOCK_NB"},
    "kibitz/web/processes.py": {"killpg"},
    "kibitz/web/server.py": {"getrlimit", "setrlimit", "RLIMIT_NOFILE", "RLIM_INFINITY"},
}
"""What a module uses once it has asked whether it is there; ``test_own_machine.py`` runs them without it."""
FOUND = re.compile(r"src/(?P<file>[^:]+):\d+: error: (?:Module has no attribute \"(?P<name>\w+)\")?")


@pytest.mark.long
@pytest.mark.parametrize("platform", ["win32", "darwin"])
def test_nothing_missing_on_other_systems_is_used(platform, tmp_path):
    words = ["--platform", platform, "--cache-dir", str(tmp_path), "--no-error-summary", "src/kibitz"]
    ended = subprocess.run(
        [sys.executable, "-m", "mypy", *words], cwd=ROOT, capture_output=True, text=True, timeout=900
    )
    assert ended.stderr == ""
    told = [line for line in ended.stdout.splitlines() if FOUND.match(line)]
    assert any("sandbox/" in line for line in told), "mypy has looked at no use that is known"
    wrong = []
    for line in told:
        found = FOUND.match(line)
        assert found
        file, name = found["file"], found["name"]
        if not (ONLY_THERE.match(file) or WHERE_FORKED.match(file) or name in ASKED_FIRST.get(file, ())):
            wrong.append(line)
    assert wrong == []
