"""Games of Huxxy in machine code with ``quick_turn`` in every seat, and data on the start of each turn.

share       a seat's share of first place, in WHOLE parts, because ties divide it by two, three or four
row         one turn: the index of each seat's weight, in order of play from the mover; then the seats' shares
"""

from kibitz.games.huxxy.actions import END, PICK_UP
from kibitz.games.huxxy.policies import weight_index, win_share
from kibitz.games.huxxy.quick_turn import play_turn
from kibitz.games.huxxy.rules import apply, deal
from kibitz.kernel import kernel

WHOLE = 12
SEATS = 4
ROW = 2 * SEATS


@kernel
def record_turn_starts(s, scratch, seeds, rows, first, last):
    """Play games with ``quick_turn`` in every seat and write a row for each turn; return how many."""
    n = 0
    for i in range(first, last):
        deal(s, seeds[4 * i], seeds[4 * i + 1], seeds[4 * i + 2], seeds[4 * i + 3])
        start = n
        while not s.over:
            for k in range(SEATS):
                rows[ROW * n + k] = weight_index(s, scratch, k)
            rows[ROW * n + SEATS] = s.player
            apply(s, END if play_turn(s, scratch) else PICK_UP)
            n += 1
        for k in range(start, n):
            mover = rows[ROW * k + SEATS]
            for turn in range(SEATS):
                rows[ROW * k + SEATS + turn] = win_share(s, (mover + turn) % SEATS, WHOLE)
    return n
