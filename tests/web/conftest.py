"""A server for all tests of a module, and people who use it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.web.serving import ServerApp, Somebody, serving


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerApp]:
    """A server with a season."""
    folder = tmp_path_factory.mktemp("web")
    with serving(folder, arena=str(folder / "season.sqlite")) as found:
        yield found


@pytest.fixture
def ann(server: ServerApp) -> Somebody:
    """A guest."""
    return Somebody(server)


@pytest.fixture
def ben(server: ServerApp) -> Somebody:
    """Another guest."""
    return Somebody(server)


@pytest.fixture
def eve(server: ServerApp) -> Somebody:
    """A third guest."""
    return Somebody(server)
