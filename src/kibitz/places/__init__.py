"""Places: where blocks of work are done, on the cores of this machine or on the workers of a Dask cluster.

    place       ``Place``: takes blocks, reports what comes of them; ``place_of("local")``, ``"dask://HOST:PORT"``
    mapping     ``results``: a function of many items, done in a place
    work        what goes to a worker and what comes back
    worker      a worker process; ``member`` is one as its owner sees it, ``cores`` what it is bound to
    local       this machine's worker processes
    cluster     a Dask cluster, a ``seat`` for each of its workers; ``loop`` is the thread that talks with
                it, ``host`` what runs on its workers

A block gives the same result wherever and however often it is done, so whatever dies, it is done again.
"""

from kibitz.places.mapping import results
from kibitz.places.place import Place, address_of, opened, place_of

__all__ = ["Place", "address_of", "opened", "place_of", "results"]
