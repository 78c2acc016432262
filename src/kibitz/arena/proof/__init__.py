"""Proving a tournament: everything that decides its table is derived again and compared with what the store says.

    checks      what a check is, what it finds, and the rows of the store that it is given
    tournament  checks of submissions, verdicts, rounds, deals, lineups, disqualifications, records and results
    chain       checks of the log: each entry hashed with the one before, and all of them about what the store says
    proving     asks all of them, and plays matches again for what a record alone can't prove

A new check is asked without further ado; the tests want a forgery for it that no other check finds.
"""

from kibitz.arena.proof import chain, tournament

__all__ = ["chain", "tournament"]
