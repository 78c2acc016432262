"""Try a built wheel as its first user would: ``python -m tests.try_wheel dist/kibitz-0.1.0-py3-none-any.whl``.

It is installed into an empty environment with what it needs. There it says its version, plays, serves pages and the
documentation, and is imported.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from urllib.request import urlopen

IMPORT = "import kibitz; print(kibitz.play_games('kuhn', ['random', 'random'], n=2, workers=1).scores.shape)"


def try_wheel(wheel: Path, folder: Path) -> None:
    """Install a wheel into a new environment in a folder and try it there; AssertionError where something is wrong."""
    home = folder / "environment"
    subprocess.run([sys.executable, "-m", "venv", home], check=True)
    python, kibitz = home / "bin" / "python", home / "bin" / "kibitz"
    said([python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", f"{wheel.resolve()}[server]"], home)
    version = re.match(r"kibitz-([^-]+)-", wheel.name)
    told = said([kibitz, "--version"], home)
    assert version is not None, wheel
    assert told.startswith(f"kibitz {version[1]}, Python "), told
    assert "Winner: " in said([kibitz, "match", "go", "greedy", "random", "greedy", "random", "--seed", "1"], home)
    assert "Goodbye" in said([kibitz, "play", "go", "--plain", "--seed", "1"], home, typed="1\nq\ny\n")
    assert said([python, "-c", IMPORT], home).strip() == "(2, 2)"
    serve(kibitz, home)


def said(words: Sequence[str | Path], home: Path, typed: str = "") -> str:
    """What a command prints; it must succeed."""
    done = subprocess.run(words, cwd=home, env=alone(home), input=typed, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, f"{words}: {done.stdout}{done.stderr}"
    return done.stdout


def serve(kibitz: Path, home: Path) -> None:
    """The first page and the documentation come from the server of a wheel."""
    words = [kibitz, "serve", "--port", "0", "--store", home / "server.sqlite"]
    with subprocess.Popen(words, cwd=home, env=alone(home), stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            address = re.search(r"http://\S+", server.stdout.readline())
            assert address, "the server says where it is"
            for page, word in (("", "Kibitz"), ("docs/index.html", "Kibitz")):
                with urlopen(address[0] + page, timeout=120) as answer:
                    assert word in answer.read().decode(), page
        finally:
            server.terminate()


def alone(home: Path) -> dict[str, str]:
    """The environment of somebody who has nothing but this installation."""
    kept = {name: os.environ[name] for name in os.environ if not name.startswith(("PYTHON", "KIBITZ", "VIRTUAL_ENV"))}
    return kept | {"HOME": str(home), "XDG_DATA_HOME": str(home / "data"), "PYTHONUNBUFFERED": "1"}


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as made:
        try_wheel(Path(sys.argv[1]), Path(made))
    print(f"{sys.argv[1]} installs, plays, serves and imports.")
