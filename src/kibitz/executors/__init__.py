"""Executors: where blocks of work are done, on the cores of this machine or on the workers of a Dask cluster.

    executor    ``Executor``: takes blocks, reports what comes of them; ``executor_of("local")``, ``"dask://HOST:PORT"``
    mapping     ``results``: a function of many items, done by an executor
    work        what goes to a worker and what comes back
    worker      a worker process; ``member`` is one as its owner sees it, ``cores`` what it is bound to
    local       this machine's worker processes
    cluster     a Dask cluster, a ``seat`` for each of its workers; ``loop`` is the thread that talks with
                it, ``host`` what runs on its workers

A block gives the same result wherever and however often it is done, so whatever dies, it is done again.
"""

from kibitz.executors.executor import Executor, address_of, executor_of, opened
from kibitz.executors.mapping import results

__all__ = ["Executor", "address_of", "executor_of", "opened", "results"]
