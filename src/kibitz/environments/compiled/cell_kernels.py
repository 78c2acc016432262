"""Kernels that write single values into cells, in the codings of ``kibitz.tensors.cells``.

out         an array of cells, all zero before the first call
at          the index of the value's first cell
"""

from kibitz.kernel import kernel


@kernel
def relative_seat(p, seat, seats):
    """The number of seat ``p`` counted from ``seat``; ``p`` itself for a spectator."""
    if seat < 0:
        return p
    return p - seat if p >= seat else p - seat + seats


@kernel
def put_seat(out, at, p, seat, seats):
    """Write a seat, if ``p`` is one; -1 for nobody leaves all cells 0."""
    if p >= 0:
        out[at + relative_seat(p, seat, seats)] = 1


@kernel
def put_one(out, at, x, least, most):
    """Write a number one-hot: a cell for every value."""
    out[at + min(max(x, least), most) - least] = 1


@kernel
def put_digits(out, at, x, least, most):
    """Write a number in binary digits, lowest first, after a cell for its sign if it may be negative."""
    x = min(max(x, least), most)
    if least < 0:
        if x < 0:
            out[at] = 1
            x = -x
        at += 1
    while x:
        out[at] = x & 1
        x >>= 1
        at += 1


@kernel
def put_seats(out, at, seats_in, seat, seats):
    """Write a set of seats, given as bits: a cell for every seat."""
    for p in range(seats):
        out[at + relative_seat(p, seat, seats)] = seats_in >> p & 1


@kernel
def put_bits(out, at, x, n):
    """Write the lowest ``n`` bits of a number."""
    for k in range(n):
        out[at + k] = x >> k & 1
