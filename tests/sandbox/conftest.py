"""Fixtures of the sandbox tests; after each test the best tier is in force again."""

import ast
import contextlib
import os

import pytest

from kibitz.players.isolation import fork_server_client
from kibitz.sandbox import tiers


@pytest.fixture(autouse=True)
def restore_best_tier():
    yield
    tiers.request_tier()
    fork_server_client.close()


@contextlib.contextmanager
def forced_tier(monkeypatch, tier):
    """Run players in this tier without trying it first."""
    monkeypatch.setattr(fork_server_client, "tier", lambda: tier)
    fork_server_client.close()
    try:
        yield
    finally:
        fork_server_client.close()
        monkeypatch.undo()


def run_in_child(work):
    """The result of calling ``work`` in a forked process, which always exits afterwards."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        status = 1
        try:
            with open(write, "w") as pipe_in:
                pipe_in.write(repr(work()))
            status = 0
        finally:
            os._exit(status)
    os.close(write)
    with open(read) as pipe_out:
        text = pipe_out.read()
    assert os.waitpid(child, 0)[1] == 0
    return ast.literal_eval(text)
