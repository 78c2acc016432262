"""The seccomp filter, run by our own interpreter with the call numbers of both architectures."""

import errno
import os
import re
import struct
from pathlib import Path

import pytest

from kibitz.sandbox import seccomp
from kibitz.sandbox.seccomp import (
    ABSENT,
    ALLOW,
    ALLOWED,
    CALLS,
    CHECKED,
    FATAL_CALLS,
    KILL,
    NO_SUCH_CALL,
    REFUSE,
    REFUSED,
    REVEALED_WORDS,
    call_numbers,
)
from tests.sandbox.machine import PID, verdict

BOTH = pytest.mark.parametrize("machine", ["x86_64", "aarch64"])
LISTS = {"allowed": ALLOWED, "checked": CHECKED, "absent": ABSENT, "deadly": FATAL_CALLS, "refused": REFUSED}
AT_CWD = -100
HEADERS = {
    "x86_64": ("/usr/include/x86_64-linux-gnu/asm/unistd_64.h", r"#define __NR_(\w+)\s+(\d+)"),
    "aarch64": ("/usr/include/asm-generic/unistd.h", r"#define __NR(?:3264)?_(\w+)\s+(\d+)"),
}


def call(machine, name, *arguments):
    (number,) = call_numbers(
        next(entry for entry in " ".join(LISTS.values()).split() if entry.startswith(f"{name}:")), machine
    ).values()
    return verdict(machine, number, arguments)


@BOTH
def test_every_listed_call_gets_its_verdict(machine):
    for listed, wanted in ((ALLOWED, ALLOW), (ABSENT, NO_SUCH_CALL), (FATAL_CALLS, KILL), (REFUSED, REFUSE)):
        assert {
            name: verdict(machine, number) for name, number in call_numbers(listed, machine).items()
        } == dict.fromkeys(call_numbers(listed, machine), wanted)


@BOTH
def test_no_call_is_in_two_lists(machine):
    found = [number for listed in LISTS.values() for number in call_numbers(listed, machine).values()]
    assert len(found) == len(set(found))


@BOTH
def test_unlisted_calls_are_refused_or_absent(machine):
    listed = {number for one in LISTS.values() for number in call_numbers(one, machine).values()}
    for number in range(1200):
        if number not in listed:
            assert verdict(machine, number) == (NO_SUCH_CALL if number > seccomp.LAST_KNOWN_CALL else REFUSE), number


@pytest.mark.parametrize("machine", HEADERS)
def test_call_numbers_match_the_kernel_headers(machine):
    path, pattern = HEADERS[machine]
    if not Path(path).exists():
        pytest.skip("the kernel's headers are not installed")
    official = {name: int(number) for name, number in re.findall(pattern, Path(path).read_text())}
    official["newfstatat"] = official.get("newfstatat", official.get("fstatat"))
    for listed in LISTS.values():
        for entry in listed.split():
            name = entry.split(":")[0]
            if name in official:
                assert call_numbers(entry, machine) == {name: official[name]}
            else:
                assert call_numbers(entry, machine) == {}, name


@BOTH
def test_calls_of_another_architecture_kill_the_process(machine):
    for architecture in (0x40000003, 0xC000003E, 0xC00000B7, 0, 0xFFFFFFFF):
        if architecture != seccomp.MACHINES[machine][0]:
            assert verdict(machine, call_numbers("read:0:63", machine)["read"], architecture=architecture) == KILL


@BOTH
def test_x32_calls_kill_the_process(machine):
    assert verdict(machine, seccomp.X32 | 0) == KILL
    assert verdict(machine, -1) == KILL


@BOTH
def test_files_can_only_be_opened_for_reading(machine):
    for flags in (os.O_RDONLY, os.O_RDONLY | os.O_CLOEXEC, os.O_RDONLY | os.O_NOFOLLOW, 0o200000):
        assert call(machine, "openat", AT_CWD, 1, flags) == ALLOW
    for flags in (
        os.O_WRONLY,
        os.O_RDWR,
        3,
        os.O_CREAT,
        os.O_TRUNC,
        0o20000,
        os.O_PATH,
        0o20000000 | 0o200000,
        os.O_WRONLY | 1 << 40,
    ):
        assert call(machine, "openat", AT_CWD, 1, flags) == REFUSE
    if machine == "x86_64":
        assert call(machine, "open", 1, os.O_RDONLY) == ALLOW
        assert call(machine, "open", 1, os.O_WRONLY | os.O_CREAT) == REFUSE


@BOTH
def test_high_half_of_an_int_argument_is_ignored(machine):
    """The kernel reads only the low 32 bits of these arguments, and so does the filter."""
    high = 1 << 32
    assert call(machine, "ioctl", 0, 0x5413 | high) == ALLOW
    assert call(machine, "ioctl", 0, 0x5412 | high) == REFUSE
    assert call(machine, "ioctl", 0, 0x541C) == REFUSE
    assert call(machine, "fcntl", 0, 8 | high, 1) == REFUSE
    assert call(machine, "openat", AT_CWD, 1, os.O_WRONLY | high) == REFUSE
    assert call(machine, "tgkill", (PID + 1) | high, PID, 6) == REFUSE


@BOTH
def test_six_terminal_requests_are_allowed(machine):
    """TCGETS, TIOCGWINSZ, FIONREAD, FIONBIO, FIONCLEX and FIOCLEX of asm-generic/ioctls.h."""
    allowed = [request for request in range(0x5390, 0x5480) if call(machine, "ioctl", 0, request) == ALLOW]
    assert allowed == [0x5401, 0x5413, 0x541B, 0x5421, 0x5450, 0x5451]


@BOTH
def test_every_file_flag_is_harmless_or_refused(machine):
    """O_WRONLY, O_RDWR, O_CREAT, O_TRUNC, O_ASYNC, O_PATH and __O_TMPFILE of asm-generic/fcntl.h."""
    refused = [bit for bit in range(32) if call(machine, "openat", AT_CWD, 1, 1 << bit) == REFUSE]
    assert refused == [0, 1, 6, 9, 13, 21, 22]
    set_refused = [bit for bit in range(32) if call(machine, "fcntl", 3, 4, 1 << bit) == REFUSE]
    assert set_refused == [13, 14, 16]
    assert [bit for bit in range(32) if call(machine, "mmap", 0, 4096, 3, 1 << bit) == REFUSE] == [18]


@BOTH
def test_no_descriptor_can_be_set_to_send_signals(machine):
    assert [call(machine, "fcntl", 3, command) for command in (0, 1, 2, 3, 1030)] == [ALLOW] * 5
    assert call(machine, "fcntl", 3, 4, os.O_NONBLOCK) == ALLOW
    assert call(machine, "fcntl", 3, 4, os.O_NONBLOCK | 0o20000) == REFUSE
    assert call(machine, "fcntl", 3, 4, {"x86_64": 0o40000, "aarch64": 0o200000}[machine]) == REFUSE
    refused = (5, 6, 7, 8, 9, 10, 15, 36, 37, 38, 1024, 1025, 1026, 1031, 1033)
    assert [call(machine, "fcntl", 3, command) for command in refused] == [REFUSE] * len(refused)


@BOTH
def test_pipes_are_refused(machine):
    assert [call(machine, "pipe2", 1, flags) for flags in (0, os.O_CLOEXEC, os.O_EXCL, os.O_DIRECT)] == [REFUSE] * 4


@BOTH
def test_filter_allows_only_calls_explained_in_the_table(machine):
    """Found by trying every number with arguments that pass every check."""
    known = {int(call.numbers[seccomp.MACHINES[machine][1]].replace("-", "-1")): call for call in CALLS}
    guesses = [(first, second, third) for first in (0, PID) for second in (0, 129) for third in (0, 6)]
    for number in range(1200):
        if any(verdict(machine, number, guess) == ALLOW for guess in guesses):
            assert number in known, number
    for found in known.values():
        assert len(found.why) > 6, found.name
        assert found.reveals, found.name
        assert found.reveals <= REVEALED_WORDS, found.name


@BOTH
def test_futex_must_be_private_and_plain(machine):
    for operation in range(14):
        assert call(machine, "futex", 1, operation) == REFUSE
        assert call(machine, "futex", 1, operation | 128) == (ALLOW if operation in (0, 1, 3, 4, 5, 9, 10) else REFUSE)
        assert call(machine, "futex", 1, operation | 256) == REFUSE
    assert call(machine, "futex", 1, 9 | 128 | 256) == ALLOW


@BOTH
def test_memory_advice_affects_only_the_process_itself(machine):
    allowed = [advice for advice in range(128) if call(machine, "madvise", 1 << 40, 4096, advice) == ALLOW]
    assert allowed == [0, 1, 2, 3, 4, 8, 14, 15, 16, 17, 18, 19]
    assert call(machine, "mmap", 0, 4096, 3, 0o42) == ALLOW
    assert call(machine, "mmap", 0, 4096, 3, 0o42 | 0x40000) == REFUSE


@BOTH
def test_clocks_of_other_processes_are_refused(machine):
    for name in ("clock_gettime", "clock_getres", "clock_nanosleep"):
        assert [call(machine, name, clock) for clock in range(18)] == [ALLOW] * 16 + [REFUSE] * 2
        for pid in (1, 77, 1 << 22):
            assert call(machine, name, (~pid << 3) | 2) == REFUSE
            assert call(machine, name, ((~pid << 3) | 2) % (1 << 32)) == REFUSE


@BOTH
def test_own_limits_can_be_read_but_not_set(machine):
    assert call(machine, "prlimit64", 0, 7, 0, 1) == ALLOW
    assert call(machine, "sched_getaffinity", 0, 128, 1) == ALLOW
    for pid in (1, PID, -1):
        assert call(machine, "prlimit64", pid, 7, 0, 1) == REFUSE
        assert call(machine, "sched_getaffinity", pid, 128, 1) == REFUSE
    for pointer in (1, 1 << 32, 1 << 63, 0x7FFF_0000_1000):
        assert call(machine, "prlimit64", 0, 7, pointer, 0) == REFUSE


@BOTH
def test_process_may_abort_itself_but_signal_no_other(machine):
    assert call(machine, "tgkill", PID, PID, 6) == ALLOW
    for pid, signal in ((PID, 9), (PID, 19), (PID + 1, 6), (1, 6), (0, 6), (-1, 6), (seccomp.OWN_PID, 6)):
        assert call(machine, "tgkill", pid, PID, signal) == REFUSE


@BOTH
def test_filter_is_bound_to_the_pid_of_its_process(machine):
    assembled = seccomp.SeccompFilter(machine)
    assert seccomp.program_bytes(seccomp.program(machine), 77) == (
        assembled.bytes[: assembled.pid_offset] + struct.pack("=I", 77) + assembled.bytes[assembled.pid_offset + 4 :]
    )
    assert sum(k == seccomp.OWN_PID for *_, k in seccomp.program(machine)) == 1


@BOTH
def test_jumps_stay_in_the_program_and_every_path_ends(machine):
    program = seccomp.program(machine)
    assert len(program) < 4096
    for at, (code, true, false, number) in enumerate(program):
        if code in (seccomp.EQUAL, seccomp.GREATER, seccomp.ANY_BIT):
            assert max(true, false) < 256
            assert at + 1 + max(true, false) < len(program)
        else:
            assert (true, false) == (0, 0), "only a comparison has two branches"
            assert code != seccomp.SKIP or at + 1 + number < len(program)
    assert program[-1] == (seccomp.VERDICT, 0, 0, REFUSE)


def test_refusals_are_errnos_that_python_knows():
    assert REFUSE & 0xFFFF == errno.EPERM
    assert NO_SUCH_CALL & 0xFFFF == errno.ENOSYS
