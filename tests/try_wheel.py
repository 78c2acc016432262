"""Try a built wheel as a user would: ``python -m tests.try_wheel dist/kibitz-0.1.0-py3-none-any.whl``.

The wheel is installed with its dependencies into an empty environment. There the commands print the version, play,
and serve the pages and the documentation, and the package is imported.
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
    """Install a wheel into a new environment in a folder and try it there; raises AssertionError on any fault."""
    home = folder / "environment"
    subprocess.run([sys.executable, "-m", "venv", home], check=True)
    python, kibitz = home / "bin" / "python", home / "bin" / "kibitz"
    output_of(
        [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", f"{wheel.resolve()}[server]"], home
    )
    version = re.match(r"kibitz-([^-]+)-", wheel.name)
    output = output_of([kibitz, "--version"], home)
    assert version is not None, wheel
    assert output.startswith(f"kibitz {version[1]}, Python "), output
    assert "Winner: " in output_of([kibitz, "match", "go", "greedy", "random", "greedy", "random", "--seed", "1"], home)
    assert "Goodbye" in output_of([kibitz, "play", "go", "--plain", "--seed", "1"], home, typed="1\nq\ny\n")
    assert output_of([python, "-c", IMPORT], home).strip() == "(2, 2)"
    serve(kibitz, home)


def output_of(words: Sequence[str | Path], home: Path, typed: str = "") -> str:
    """The output of a command, which must succeed."""
    done = subprocess.run(
        words, cwd=home, env=clean_environment(home), input=typed, capture_output=True, text=True, timeout=600
    )
    assert done.returncode == 0, f"{words}: {done.stdout}{done.stderr}"
    return done.stdout


def serve(kibitz: Path, home: Path) -> None:
    """Check that the installed server serves the first page and the documentation."""
    words = [kibitz, "serve", "--port", "0", "--database", home / "server.sqlite"]
    with subprocess.Popen(words, cwd=home, env=clean_environment(home), stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            address = re.search(r"http://\S+", server.stdout.readline())
            assert address, "the server says where it is"
            for page, word in (("", "Kibitz"), ("docs/index.html", "Kibitz")):
                with urlopen(address[0] + page, timeout=120) as answer:
                    assert word in answer.read().decode(), page
        finally:
            server.terminate()


def clean_environment(home: Path) -> dict[str, str]:
    """The environment variables of a user who has only this installation."""
    kept = {name: os.environ[name] for name in os.environ if not name.startswith(("PYTHON", "KIBITZ", "VIRTUAL_ENV"))}
    return kept | {"HOME": str(home), "XDG_DATA_HOME": str(home / "data"), "PYTHONUNBUFFERED": "1"}


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        try_wheel(Path(sys.argv[1]), Path(folder))
    print(f"{sys.argv[1]} installs, plays, serves and imports.")
