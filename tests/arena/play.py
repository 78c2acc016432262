"""A runner as a process of its own, to be killed: ``python -m tests.arena.play STORE ROUNDS [--die-at N]``.

With ``--die-at`` it kills itself before its Nth statement to the database, commits counted too: so it dies in the
middle of transactions as well as between them.
"""

import argparse
import os
import signal

from sqlalchemy import event

from kibitz.arena.running.runner import Until, run
from kibitz.arena.store import open_store


def main():
    """Play, and perhaps die."""
    asked = argparse.ArgumentParser()
    asked.add_argument("store")
    asked.add_argument("rounds", type=int)
    asked.add_argument("--die-at", type=int, default=0)
    asked.add_argument("--workers", type=int, default=2)
    given = asked.parse_args()
    store = open_store(given.store, create=False)
    left = [given.die_at]

    def count(*_):
        left[0] -= 1
        if left[0] == 0:
            os.kill(os.getpid(), signal.SIGKILL)

    for moment in ("before_cursor_execute", "commit"):
        event.listen(store.database.engine, moment, count)
    print("playing", flush=True)
    ended = run(store, "go", given.workers, until=Until(rounds=given.rounds), lease_s=20.0)
    print(ended.sentence, flush=True)


if __name__ == "__main__":
    main()
