"""A runner in its own process, to be killed: ``python -m tests.arena.play STORE ROUNDS [--die-at N]``.

With ``--die-at`` it kills itself before its Nth database statement, counting commits: within transactions and between
them.
"""

import argparse
import os
import signal

from sqlalchemy import event

from kibitz.arena.running.runner import StopCondition, run
from kibitz.arena.store import open_store


def main():
    """Play some rounds, or die at the given statement."""
    parser = argparse.ArgumentParser()
    parser.add_argument("store")
    parser.add_argument("rounds", type=int)
    parser.add_argument("--die-at", type=int, default=0)
    parser.add_argument("--workers", type=int, default=2)
    arguments = parser.parse_args()
    store = open_store(arguments.store, create=False)
    left = [arguments.die_at]

    def count(*_):
        left[0] -= 1
        if left[0] == 0:
            os.kill(os.getpid(), signal.SIGKILL)

    for moment in ("before_cursor_execute", "commit"):
        event.listen(store.database.engine, moment, count)
    print("playing", flush=True)
    ended = run(store, "go", arguments.workers, until=StopCondition(rounds=arguments.rounds), lease_s=20.0)
    print(ended.sentence, flush=True)


if __name__ == "__main__":
    main()
