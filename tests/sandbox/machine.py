"""A small BPF interpreter: it runs the filter's assembled bytes on a system call, as the kernel would."""

import struct
from functools import cache

from kibitz.sandbox import seccomp
from kibitz.sandbox.seccomp import MACHINES

PID = 4242
WORDS = 1 << 32


def verdict(machine, number, arguments=(), architecture=None, pid=PID):
    """The filter's verdict: ALLOW, KILL, or an errno with ERROR."""
    program = unpacked(machine, pid)
    six_arguments = [argument % (1 << 64) for argument in (*arguments, 0, 0, 0, 0, 0, 0)[:6]]
    arch = MACHINES[machine][0] if architecture is None else architecture
    data = struct.pack("<iIQ6Q", signed(number), arch, 0, *six_arguments)
    return run(program, data)


@cache
def unpacked(machine, pid):
    """The filter's instructions, read back from its bytes."""
    code = seccomp.program_bytes(seccomp.program(machine), pid)
    return [struct.unpack_from("=HBBI", code, at) for at in range(0, len(code), 8)]


def signed(number):
    return struct.unpack("<i", struct.pack("<I", number % WORDS))[0]


def run(program, data):
    at, accumulator = 0, 0
    while True:
        code, true, false, k = program[at]
        at += 1
        if code == 0x06:
            return k
        if code == 0x20:
            assert k % 4 == 0
            (accumulator,) = struct.unpack_from("<I", data, k)
        elif code == 0x05:
            at += k
        elif code == 0x15:
            at += true if accumulator == k else false
        elif code == 0x25:
            at += true if accumulator > k else false
        elif code == 0x45:
            at += true if accumulator & k else false
        else:
            raise AssertionError(f"no such instruction: {code:#x}")
