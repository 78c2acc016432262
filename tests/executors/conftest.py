"""One Dask cluster of two workers for all tests that do it no harm."""

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
    """A cluster of a test's own, without workers."""
    made = Cluster(tmp_path, workers=0)
    yield made
    made.close()
