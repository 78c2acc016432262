"""Every test of the sandbox leaves the best tier in force behind it."""

import ast
import contextlib
import os

import pytest

from kibitz.players.isolation import fork_server_client
from kibitz.sandbox import tiers


@pytest.fixture(autouse=True)
def best_tier_again():
    yield
    tiers.request_tier()
    fork_server_client.close()


@contextlib.contextmanager
def forced(monkeypatch, tier):
    """Players in a tier that nobody has tried."""
    monkeypatch.setattr(fork_server_client, "tier", lambda: tier)
    fork_server_client.close()
    try:
        yield
    finally:
        fork_server_client.close()
        monkeypatch.undo()


def told_by_a_child(work):
    """What some work comes to in a forked process, which ends there whatever happens."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        status = 1
        try:
            with open(write, "w") as told:
                told.write(repr(work()))
            status = 0
        finally:
            os._exit(status)
    os.close(write)
    with open(read) as heard:
        text = heard.read()
    assert os.waitpid(child, 0)[1] == 0
    return ast.literal_eval(text)
