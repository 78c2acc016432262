"""Proof of a tournament: derives again everything that decides its ranking, and compares it with the store.

    checks              what a check is, what it finds, and the rows of the store that it gets
    tournament_checks   submissions, verdicts, rounds, deals, lineups, disqualifications, records and results
    chain               the log: each entry contains the hash of the one before, and agrees with the store
    proving             runs all checks, and plays matches again for what a record alone can't prove

New checks register themselves; the tests require a forgery for each that no other check detects.
"""

from kibitz.arena.proof import chain, tournament_checks

__all__ = ["chain", "tournament_checks"]
