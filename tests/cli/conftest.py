"""The command line, called in this process."""

import io
import sys
from typing import NamedTuple

import pytest

from kibitz.cli import main


class Run(NamedTuple):
    """The result of a command."""

    status: int
    out: str
    err: str

    @property
    def lines(self):
        return self.out.splitlines()


@pytest.fixture
def kibitz(capsys, monkeypatch):
    """Run ``kibitz`` with these arguments and standard input."""
    monkeypatch.delenv("COLUMNS", raising=False)
    monkeypatch.delenv("KIBITZ_DEBUG", raising=False)

    def run(*words, typed=""):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(typed.encode())))
        capsys.readouterr()
        status = main([str(word) for word in words])
        return Run(status, *capsys.readouterr())

    return run


@pytest.fixture
def refused(kibitz):
    """Run a command that must fail with status 2 and a one-line message, which is returned."""

    def run(*words, typed=""):
        answer = kibitz(*words, typed=typed)
        assert answer.status == 2, answer
        assert answer.err.startswith("kibitz: "), answer
        assert answer.err.count("\n") == 1, answer
        assert "Traceback" not in answer.out + answer.err
        return answer.err.removeprefix("kibitz: ").rstrip("\n")

    return run


@pytest.fixture(scope="session")
def record_file(tmp_path_factory):
    """The record of a game of Bo."""
    path = tmp_path_factory.mktemp("records") / "bo.game"
    assert main(["match", "bo", "first", "random", "first", "random", "--seed", "4", "-q", "-o", str(path)]) == 0
    return path
