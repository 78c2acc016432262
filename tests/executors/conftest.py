"""Dask clusters: a shared one for tests that don't damage it, and private ones."""

import pytest

from tests.executors.dask import Cluster


@pytest.fixture(scope="session")
def cluster(tmp_path_factory):
    """A cluster of two workers."""
    made = Cluster(tmp_path_factory.mktemp("dask"))
    yield made
    made.close()


@pytest.fixture
def fragile(tmp_path):
    """A private cluster, without workers."""
    made = Cluster(tmp_path, workers=0)
    yield made
    made.close()
