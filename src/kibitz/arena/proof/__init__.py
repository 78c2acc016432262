"""Proof of a tournament: recomputes everything that decides its ranking, and compares it with the store.

    checks              what a check is, what it finds, and the rows of the store that it gets
    tournament_checks   submissions, decisions on them, rounds, deals, lineups, disqualifications, records and results
    chain               the log: each entry contains the hash of the one before, and agrees with the store
    proving             runs all checks, and replays matches to prove what a record alone can't

Checks register themselves. For each check, the tests require a forgery that only this check detects.
"""

from kibitz.arena.proof import chain, tournament_checks

__all__ = ["chain", "tournament_checks"]
