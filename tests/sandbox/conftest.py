"""Fixtures of the sandbox tests; after each test the best tier is in force again.

Trials and fork servers take a second each, so both are reused where they would be the same again. A test that changes
``START_CODE`` closes the server before and afterwards.
"""

import ast
import contextlib
import os
from functools import cache

import pytest

from kibitz.players.isolation import fork_server_client
from kibitz.sandbox import confinement, tiers

try_tier = cache(lambda candidate, *code, real=tiers.try_tier: real(candidate))


@pytest.fixture(autouse=True)
def restore_best_tier(monkeypatch):
    monkeypatch.setattr(
        tiers, "try_tier", lambda candidate: try_tier(candidate, tiers.TRIAL_CODE, confinement.bubblewrap)
    )
    close_server_of_another_tier()
    yield
    tiers.request_tier()


def close_server_of_another_tier():
    """End the running fork server unless it is one of the tier in force."""
    running = fork_server_client._client
    kinds = [(one.name, one.landlock, one.seccomp) for one in (running.tier, tiers.tier())] if running else []
    if len({*kinds}) > 1:
        fork_server_client.close()


def require_tier(name, landlock=99):
    """Run players in this tier; skips the test if this machine doesn't have it."""
    tiers.request_tier(name, landlock)
    found = tiers.tier()
    if not found.confines:
        pytest.skip(found.reason)
    close_server_of_another_tier()
    return found


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
