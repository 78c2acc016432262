"""Proving a tournament: everything that decides its table is derived again and compared with what the store says.

    checks      what a check is, and what it finds: table, row, column, what stands there and what should
    book        a tournament's rows as they stand in the store
    entry       tournament, seeds, submissions and their verdicts
    rounds      rounds, deals, lineups, blocks, disqualifications
    matches     every record and the result that follows from it
    chain       the log: each entry hashed with the one before, and all of them about what the store says
    proving     asks all of them
    replays     matches played again, for what a record alone cannot prove

A check that is added here is asked without more ado, and the tests want a forgery for it that no other check finds.
"""

from kibitz.arena.proof import chain, entry, matches, rounds

__all__ = ["chain", "entry", "matches", "rounds"]
