"""The seccomp filter: a small program that the kernel runs before every system call of a player's process.

    instruction     (code, jump if true, jump if false, number), as the kernel's BPF machine reads it
    word            the kernel compares 32 bits at a time; an argument is two words, the low one first
    block           the instructions for one call, ending in a verdict: it jumps over the rest of itself only
    span            calls that follow one another by number and share a block; a call is looked for among the spans by
                    halves, since the kernel goes through the whole filter for every call when a process loads it

An argument that the kernel itself takes for an int is compared on its low word alone, because the kernel ignores
the other: whoever compared both could be passed by setting a bit that nobody reads.
"""

from __future__ import annotations

import ctypes
import errno
import struct
from collections.abc import Iterable, Sequence
from itertools import pairwise

from kibitz.sandbox.linux import SET_NO_NEW_PRIVS, SET_SECCOMP, checked, libc, prctl
from kibitz.sandbox.syscalls import ABSENT, ALLOWED, DEADLY, LOOKED_AT, MACHINES, NEWEST, X32, numbers

Instruction = tuple[int, int, int, int]
Program = list[Instruction]

LOAD, EQUAL, GREATER, ANY_BIT, SKIP, VERDICT = 0x20, 0x15, 0x25, 0x45, 0x05, 0x06
"""Load a word; compare with a number: equal, greater (unsigned), any of these bits set; pass over some; the answer."""
ALLOW, ERROR, KILL = 0x7FFF0000, 0x00050000, 0x80000000
REFUSE, NO_SUCH_CALL = ERROR | errno.EPERM, ERROR | errno.ENOSYS
NUMBER, ARCHITECTURE = 0, 4
MODE_FILTER = 2
OWN = 0
"""In the place of a pid: the process that asks."""
OWN_PID = 0xFFFFFFFF
"""Stands in a program for the pid of the process that will load it; no process has this number."""

READING_ONLY = 0o3 | 0o100 | 0o1000 | 0o20000 | 0o10000000 | 0o20000000
"""Bits of open() that must not be set: writing, create, truncate, signal when ready, path only, unnamed file."""
HARMLESS_FCNTL = (0, 1, 2, 3, 1030)
"""Duplicate, and read or set "close on exec"; not the owner of signals, leases, locks or a pipe's size."""
SET_FLAGS, UNUSUAL_FLAGS = 4, 0o20000 | 0o40000 | 0o200000
"""Of a descriptor: signal when ready; and O_DIRECT on either processor, which makes a pipe one of packets."""
HARMLESS_IOCTL = (0x5401, 0x5413, 0x541B, 0x5421, 0x5450, 0x5451)
"""Is it a terminal, how wide, how many bytes wait, blocking or not, close on exec or not."""
PRIVATE_FUTEX = 128
"""Without this bit a futex is seen by everybody who has mapped the same file: a wire between players."""
PLAIN_FUTEX = tuple(PRIVATE_FUTEX | operation for operation in (0, 1, 3, 4, 5, 9, 10, 9 | 256))
"""Wait, wake, pass on, and wait by the clock on the wall; not the locks that hand on a priority."""
HARMLESS_ADVICE = (0, 1, 2, 3, 4, 8, 14, 15, 16, 17, 18, 19)
"""How memory will be read, what is no longer needed, large pages or not, what a dump or a fork leaves out; not to share
pages with whoever has the same (12), which their owner can measure, nor to put pages of libraries out (20, 21)."""
RESERVED_PAGES = 0o1000000
"""Huge pages that somebody has set aside: how many are left is seen by all."""
CLOCKS = 16
"""Greater numbers are the CPU clocks of other processes."""
SIGABRT = 6


def word(argument: int, *, high: bool = False) -> int:
    """Where half of an argument lies in what the kernel shows the filter."""
    return 16 + 8 * argument + 4 * high


def one_of(argument: int, values: Iterable[int]) -> Program:
    """Allow if an int argument has one of these values, and fall through otherwise."""
    found: Program = [(LOAD, 0, 0, word(argument))]
    for value in values:
        found += [(EQUAL, 0, 1, value), (VERDICT, 0, 0, ALLOW)]
    return found


def no_bit(argument: int, bits: int) -> Program:
    """Allow if none of these bits is set in an int argument."""
    return [(LOAD, 0, 0, word(argument)), (ANY_BIT, 1, 0, bits), (VERDICT, 0, 0, ALLOW)]


def at_most(argument: int, value: int) -> Program:
    """Allow an int argument up to ``value``; negative numbers count as great ones."""
    return [(LOAD, 0, 0, word(argument)), (GREATER, 1, 0, value), (VERDICT, 0, 0, ALLOW)]


def is_null(argument: int) -> Program:
    """Allow a null pointer: both words count."""
    low, high = word(argument), word(argument, high=True)
    return [(LOAD, 0, 0, low), (EQUAL, 0, 3, 0), (LOAD, 0, 0, high), (EQUAL, 0, 1, 0), (VERDICT, 0, 0, ALLOW)]


def only_own(rest: Program) -> Program:
    """Allow what ``rest`` allows, if the first argument names the process itself."""
    return [(LOAD, 0, 0, word(0)), (EQUAL, 0, len(rest), OWN), *rest]


CONDITIONS: dict[str, Program] = {
    "open": no_bit(1, READING_ONLY),
    "openat": no_bit(2, READING_ONLY),
    "fcntl": [
        *one_of(1, HARMLESS_FCNTL),
        (EQUAL, 0, 3, SET_FLAGS),
        *no_bit(2, UNUSUAL_FLAGS),
    ],
    "ioctl": one_of(1, HARMLESS_IOCTL),
    "futex": one_of(1, PLAIN_FUTEX),
    "clock_gettime": at_most(0, CLOCKS - 1),
    "clock_getres": at_most(0, CLOCKS - 1),
    "clock_nanosleep": at_most(0, CLOCKS - 1),
    "prlimit64": only_own(is_null(2)),
    "tgkill": [(LOAD, 0, 0, word(0)), (EQUAL, 0, 3, OWN_PID), *one_of(2, (SIGABRT,))],
    "mmap": no_bit(3, RESERVED_PAGES),
    "madvise": one_of(2, HARMLESS_ADVICE),
    "sched_getaffinity": one_of(0, (OWN,)),
}
"""What is asked of the arguments; what no verdict allows is refused."""


def program(machine: str) -> Program:
    """The whole filter for a processor."""
    found: Program = [
        (LOAD, 0, 0, ARCHITECTURE),
        (EQUAL, 1, 0, MACHINES[machine][0]),
        (VERDICT, 0, 0, KILL),
        (LOAD, 0, 0, NUMBER),
        (ANY_BIT, 0, 1, X32),
        (VERDICT, 0, 0, KILL),
        (GREATER, 0, 1, NEWEST),
        (VERDICT, 0, 0, NO_SUCH_CALL),
    ]
    return found + halved(spans(machine))


def spans(machine: str) -> list[tuple[int, Program]]:
    """The last number of every span, in order, with its block; the last span has all numbers that are left."""
    blocks: dict[int, Program] = {}
    for listed, verdict in ((ALLOWED, ALLOW), (ABSENT, NO_SUCH_CALL), (DEADLY, KILL)):
        blocks |= {number: [(VERDICT, 0, 0, verdict)] for number in numbers(listed, machine).values()}
    for name, number in numbers(LOOKED_AT, machine).items():
        blocks[number] = [*CONDITIONS[name], (VERDICT, 0, 0, REFUSE)]
    refused: Program = [(VERDICT, 0, 0, REFUSE)]
    each = [blocks.get(number, refused) for number in range(max(blocks) + 2)]
    return [(last, block) for last, (block, after) in enumerate(pairwise([*each, []])) if block != after]


def halved(given: Sequence[tuple[int, Program]]) -> Program:
    """The block for the number that is loaded."""
    if len(given) == 1:
        return given[0][1]
    middle = len(given) // 2
    lower, upper = halved(given[:middle]), halved(given[middle:])
    return [(GREATER, 0, 1, given[middle - 1][0]), (SKIP, 0, 0, len(lower)), *lower, *upper]


def assembled(instructions: Program, pid: int) -> bytes:
    """A program as the kernel reads it, for the process ``pid``."""
    return b"".join(struct.pack("=HBBI", *code, pid if k == OWN_PID else k) for *code, k in instructions)


class Filter:
    """The filter of this machine, ready to be loaded by any child."""

    def __init__(self, machine: str) -> None:
        instructions = program(machine)
        self.bytes = assembled(instructions, OWN_PID)
        self.pid_at = 8 * next(i for i, (*_, k) in enumerate(instructions) if k == OWN_PID) + 4
        self.held = ctypes.create_string_buffer(self.bytes, len(self.bytes))
        self.loader = ctypes.c_char_p(struct.pack("@HP", len(instructions), ctypes.addressof(self.held)))

    def load(self, pid: int) -> None:
        """Bind this process, for good; OSError if the kernel has no seccomp."""
        struct.pack_into("=I", self.held, self.pid_at, pid)
        prctl("no_new_privs", SET_NO_NEW_PRIVS, 1)
        checked("seccomp", libc.prctl(SET_SECCOMP, ctypes.c_ulong(MODE_FILTER), self.loader, 0, 0))
