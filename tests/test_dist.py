"""The released wheel."""

import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest

from kibitz.web.app import site_folder
from tests.try_wheel import try_wheel

ROOT = Path(__file__).parents[1]


@pytest.mark.long
def test_the_wheel_can_be_installed_and_used(tmp_path):
    if not (site_folder() / "index.html").exists():
        subprocess.run([sys.executable, "-m", "website"], cwd=ROOT, check=True)
    build = ["pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", "-w", str(tmp_path), str(ROOT)]
    subprocess.run([sys.executable, "-m", *build], check=True)
    (wheel,) = tmp_path.glob("kibitz-*.whl")
    assert "kibitz/web/site/index.html" in ZipFile(wheel).namelist()
    try_wheel(wheel, tmp_path)
