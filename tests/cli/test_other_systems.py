"""What is written for Windows and macOS too: no module but those that run on Linux alone uses what they lack.

mypy knows by typeshed what Python has where, so nobody has to think of a name for its use to be found.
"""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ONLY_THERE = re.compile(r"kibitz/(sandbox/|players/(attacks|isolation/(confined_process|fork_server\w*))\.py)")
"""What runs only where files can be confined."""
WHERE_FORKED = re.compile(r"kibitz/executors/(host|executor)\.py")
"""What runs only where ``executors.worker.can_fork``, which is not on Windows."""
ASKED_FIRST = {
    "kibitz/arena/store/opening.py": {"statvfs", "ST_RDONLY"},
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
def test_nothing_is_used_that_other_systems_lack(platform, tmp_path):
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


@pytest.mark.long
def test_text_is_read_and_written_in_one_encoding_on_every_system():
    """Windows has one of its own wherever none is named."""
    wrong = []
    for path in sorted((ROOT / "src" / "kibitz").rglob("*.py")):
        name = path.relative_to(ROOT / "src").as_posix()
        if ONLY_THERE.match(name):
            continue
        for call in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(call, ast.Call) and is_text(call):
                wrong.append(f"{name}:{call.lineno}: {ast.unparse(call)}")
    assert wrong == []


def is_text(call):
    """Whether a call opens, reads or writes text, or talks to a program in text, and names no encoding."""
    name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    named = {word.arg: word.value for word in call.keywords}
    if "encoding" in named:
        return False
    if name == "read_text":
        return not call.args
    if name == "write_text":
        return len(call.args) < 2
    if name in ("run", "Popen", "check_output"):
        return bool({"text", "universal_newlines"} & named.keys())
    if name == "open" and isinstance(call.func, ast.Name):
        mode = call.args[1] if len(call.args) > 1 else named.get("mode")
        binary = isinstance(mode, ast.Constant) and "b" in str(mode.value)
        return not binary and len(call.args) < 4 and "create" not in named
    return False
