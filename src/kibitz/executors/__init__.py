"""Executors: they carry out blocks of work, on the cores of this machine or on the workers of a Dask cluster.

    executor    ``Executor`` takes blocks and reports their results; ``executor_of`` finds it by its name, ``"local"``
                or ``"dask://HOST:PORT"``
    local       this machine's cores as an executor
    mapping     ``map_unordered``: calls a function for many items on an executor
    worker      a worker process, its messages and its limits
    cluster     a Dask cluster as an executor; ``dask_worker`` runs on its workers

A block gives the same result wherever and however often it is done, so lost blocks are done again.
"""

from kibitz.executors.executor import Executor, address_of, executor_of, open_executor
from kibitz.executors.mapping import map_unordered

__all__ = ["Executor", "address_of", "executor_of", "map_unordered", "open_executor"]
