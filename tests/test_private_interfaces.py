"""Private interfaces of dependencies are used in a few files only, and were tested with these versions.

After an update, run the tests named here, then write the new version here.
"""

import re
from importlib.metadata import version
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
TRIED = {
    "distributed": ("2026.8", "tests/executors/test_cluster.py -m long"),
    "numba": ("0.68", "tests/engine/test_numba_compiler.py"),
    "numba-cuda": ("0.30", "tests/engine/test_gpu.py"),
    "pytest": ("9.2", "tests/test_test_runs.py -m long"),
    "pytest-xdist": ("3.8", "tests/test_test_runs.py -m long"),
    "textual": ("8.2", "tests/tui"),
}
PRIVATE = re.compile(
    r"""^\s*(?:from|import)\s+(?:_pytest|xdist|textual\._|numba\.core|numba\.cuda\.\w|llvmlite)"""
    r"""|import_module\("(?:numba\.cuda\.|llvmlite)"""
    r"""|"_nrt":|\bconfig\.CACHE_DIR|\bdef _fatal_error"""
    r"""|\._(?:compositor|notifications|exception|linking_libraries)\b|vars\(client\)""",
    re.MULTILINE,
)
FILES = {
    "src/kibitz/engine/kernels/gpu_code.py",
    "src/kibitz/engine/kernels/numba_compiler.py",
    "src/kibitz/executors/cluster.py",
    "src/kibitz/tui/application.py",
    "tests/conftest.py",
    "tests/engine/gpus.py",
    "tests/engine/test_numba_compiler.py",
    "tests/tui/playing.py",
}


@pytest.mark.parametrize("package", TRIED)
def test_private_interfaces_were_tried_with_this_version(package):
    tried, tests = TRIED[package]
    assert f"{version(package)}.".startswith(f"{tried}."), f"run pytest {tests}, then name the version here"


def test_private_interfaces_are_used_in_few_files():
    files = [
        path for folder in ("src", "tests", "benchmarks", "tools", "website") for path in (ROOT / folder).rglob("*.py")
    ]
    found = {path.relative_to(ROOT).as_posix() for path in files if PRIVATE.search(path.read_text("utf-8", "replace"))}
    assert found - {"tests/test_private_interfaces.py"} == FILES
