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

real_trial = tiers.try_tier
servers = {}
"""Running fork servers of other tiers than the one in force."""


@cache
def trial(candidate, *code):
    """The result of a tier's trial, which is repeated only if the code that it runs has changed."""
    return real_trial(candidate)


@pytest.fixture(autouse=True)
def restore_best_tier(monkeypatch):
    monkeypatch.setattr(tiers, "try_tier", lambda tried: trial(tried, tiers.TRIAL_CODE, confinement.bubblewrap))
    tiers.request_tier()
    use_server_of_this_tier()
    yield
    tiers.request_tier()


@pytest.fixture(scope="package", autouse=True)
def end_servers():
    yield
    for server in servers.values():
        server.close()
    servers.clear()


def use_server_of_this_tier():
    """Keep the running fork server for later if it is of another tier; use the one of this tier, if there is one."""
    found = tiers.tier()
    kind = found.name, found.landlock, found.seccomp
    if running := fork_server_client._client:
        servers[running.tier.name, running.tier.landlock, running.tier.seccomp] = running
    fork_server_client._client = servers.pop(kind, None)


def require_tier(name, landlock=99):
    """Run players in this tier; skips the test if this machine doesn't have it."""
    tiers.request_tier(name, landlock)
    found = tiers.tier()
    if not found.confines:
        pytest.skip(found.reason)
    use_server_of_this_tier()
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
