"""Games of Bo in machine code, with data on the start of each turn."""

from kibitz.engine.kernels.hooks import apply, deal
from kibitz.games.bo.piles import NONE
from kibitz.games.bo.policies import fit_count, stockpile_play_number
from kibitz.games.bo.turn_search import look_ahead, plays_to
from kibitz.kernel import kernel

TURN = 10
"""Integers per turn: for the mover and then the others in order of play, how many cards its stockpile has and how many
piles take the top one; the winner, counted in seats from the mover; and which of the mover's plays is from the
stockpile."""


@kernel
def play_plan(s, scratch, plays):
    """Play the best plan of the seat to move, until the plan ends or the seat sees new cards."""
    look_ahead(s, scratch)
    n = plays_to(scratch, 0, plays, 0)
    for k in range(n):
        apply(s, plays[k])


@kernel
def record_turn_starts(s, scratch, plays, seeds, out, first, last):
    """Play games ``first`` to ``last - 1`` among equal players and write the start of every turn; return how many."""
    n = 0
    for i in range(first, last):
        deal(s, seeds[4 * i], seeds[4 * i + 1], seeds[4 * i + 2], seeds[4 * i + 3])
        start = n
        turn = -1
        while not s.over:
            begins = turn != s.players * s.round + s.player
            turn = s.players * s.round + s.player
            if begins:
                for k in range(s.players):
                    p = (s.player + k) % s.players
                    out[TURN * n + 2 * k] = s.stock_counts[p]
                    out[TURN * n + 2 * k + 1] = fit_count(s, p)
                out[TURN * n + 8] = s.player
            play_plan(s, scratch, plays)
            if begins:
                out[TURN * n + 9] = stockpile_play_number(scratch)
                n += 1
        for k in range(start, n):
            out[TURN * k + 8] = (s.winner - out[TURN * k + 8]) % s.players if s.winner != NONE else NONE
    return n
