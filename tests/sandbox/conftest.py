"""Every test of the sandbox leaves the best tier in force behind it."""

import contextlib

import pytest

from kibitz.players import zygote
from kibitz.sandbox import tiers


@pytest.fixture(autouse=True)
def best_tier_again():
    yield
    tiers.wish()
    zygote.close()


@contextlib.contextmanager
def forced(monkeypatch, tier):
    """Players in a tier that nobody has tried."""
    monkeypatch.setattr(zygote, "tier", lambda: tier)
    zygote.close()
    try:
        yield
    finally:
        zygote.close()
        monkeypatch.undo()
