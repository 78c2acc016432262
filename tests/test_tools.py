"""Scripts outside the package can be imported."""

import importlib
from pathlib import Path

import pytest

from benchmarks.__main__ import NAMES, STUDIES, function

ROOT = Path(__file__).parents[1]


@pytest.mark.parametrize("folder", ["benchmarks", "tools"])
def test_every_script_can_be_imported(folder):
    for path in sorted((ROOT / folder).rglob("[a-z]*.py")):
        importlib.import_module(".".join(path.relative_to(ROOT).with_suffix("").parts))


def test_every_benchmark_and_study_exists():
    assert all(callable(function(place)) for place in (*NAMES.values(), *STUDIES.values()))
