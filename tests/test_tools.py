"""Scripts outside the package can be imported."""

import importlib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


@pytest.mark.parametrize("folder", ["benchmarks", "tools"])
def test_every_script_can_be_imported(folder):
    for path in sorted((ROOT / folder).glob("[a-z]*.py")):
        importlib.import_module(f"{folder}.{path.stem}")
