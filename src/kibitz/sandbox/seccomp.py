"""The seccomp filter: the system calls that a player's process may make, as a program that the kernel runs.

allowed     calls with any arguments: for reading, waiting, its own memory, its own signals, the time
checked     calls that are allowed only with harmless arguments
absent      calls that fail with "no such call", so that the C library falls back to an older one
fatal       calls that no player's program needs, so an attempt ends the process
refused     all other calls: they fail with "operation not permitted", which Python raises as PermissionError
"""

from __future__ import annotations

import ctypes
import errno
import struct
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

from kibitz.sandbox.linux import SET_NO_NEW_PRIVS, SET_SECCOMP, check_result, libc, prctl

# Every allowed call: why a process needs it, and what it could reveal about another player's process.
#
# Each line is ``name x86_64 aarch64 | why | what it reveals``. The numbers are the call's on both processors, a dash if
# a processor has no such call; a star before the name means that the filter checks the arguments.  All other calls are
# refused.
#
#     nothing     it reads or changes what belongs to the process alone
#     rootfs      it names a file: it can reveal only the rootfs, in which nothing ever changes
#     names       it looks up a name, which is faster just after another process did so, because of the processor's
#                 cache; the rootfs's directories are in memory, and for these the kernel remembers no look-ups
#     cache       the first to read a page of the library waits for the disk, and later readers don't
#     mappings    the kernel lists the processes that have mapped a file, and takes longer when the list is long
#     clock       it tells the time, and therefore how long another player has thought
#
# tests/sandbox/test_channels.py measures how much of this can be used to pass cards, and docs/sandbox.md states it.


CALL_TABLE = """
    read 0 63                  | requests and files are read                    | cache
    readv 19 65                | buffered files are read by some libraries      | cache
    pread64 17 67              | the loader of libraries reads their headers    | cache
    write 1 64                 | replies and output are written                 | nothing
    writev 20 66               | the C library prints its error messages        | nothing
    close 3 57                 | files that were read are closed                | nothing
    close_range 436 436        | the same for many files at once                | nothing
    lseek 8 62                 | Python asks for the position in an open file   | nothing
    dup 32 23                  | os.dup, of its own descriptors                 | nothing
    dup2 33 -                  | some libraries redirect prints                 | nothing
    dup3 292 24                | the same                                       | nothing
    select 23 -                | waiting for its own descriptors, or for a time | nothing
    pselect6 270 72            | the same                                       | nothing
    poll 7 -                   | the same                                       | nothing
    ppoll 271 73               | the same                                       | nothing
    fstat 5 80                 | Python asks how large an open file is          | rootfs, clock
    stat 4 -                   | imports look for modules                       | rootfs, names
    lstat 6 -                  | paths are resolved                             | rootfs, names
    newfstatat 262 79          | imports look for modules                       | rootfs, names, clock
    statx 332 291              | imports look for modules                       | rootfs, names, clock
    access 21 -                | the loader of libraries looks for its settings | rootfs, names
    faccessat 269 48           | the same                                       | rootfs, names
    faccessat2 439 439         | the same                                       | rootfs, names
    readlink 89 -              | paths are resolved                             | rootfs, names
    readlinkat 267 78          | the same                                       | rootfs, names
    getcwd 79 17               | paths are made absolute                        | nothing
    getdents64 217 61          | imports list directories                       | rootfs
    munmap 11 215              | memory is given back                           | mappings
    mprotect 10 226            | libraries are made executable                  | nothing
    mremap 25 216              | lists grow                                     | nothing
    brk 12 214                 | memory is asked for                            | nothing
    rt_sigaction 13 134        | signal handlers of its own                     | nothing
    rt_sigprocmask 14 135      | the same                                       | nothing
    rt_sigreturn 15 139        | the end of a handler                           | nothing
    rt_sigpending 127 136      | its own signals                                | nothing
    rt_sigsuspend 130 133      | waiting for its own signals                    | nothing
    rt_sigtimedwait 128 137    | the same                                       | nothing
    sigaltstack 131 132        | the stack on which tracebacks are printed      | nothing
    getitimer 36 102           | its own alarm clock                            | clock
    setitimer 38 103           | the same: players limit their search with it   | clock
    alarm 37 -                 | the same                                       | clock
    pause 34 -                 | waiting for its own signals                    | nothing
    nanosleep 35 101           | time.sleep                                     | clock
    restart_syscall 219 128    | sleep goes on after an interruption            | nothing
    gettimeofday 96 169        | the time; most reads of it bypass any filter   | clock
    time 201 -                 | the same                                       | clock
    times 100 153              | its own CPU time                               | clock
    getrusage 98 165           | its own CPU time and memory                    | cache
    getrlimit 97 163           | its own limits                                 | nothing
    getpid 39 172              | Python asks for its own number                 | nothing
    getppid 110 173            | the fork server's number, which never changes  | nothing
    gettid 186 178             | aborting, with a traceback                     | nothing
    getuid 102 174             | the user: the same for all players             | nothing
    geteuid 107 175            | the same                                       | nothing
    getgid 104 176             | the same                                       | nothing
    getegid 108 177            | the same                                       | nothing
    getresuid 118 148          | the same                                       | nothing
    getresgid 120 150          | the same                                       | nothing
    getgroups 115 158          | the same                                       | nothing
    uname 63 160               | the module platform                            | nothing
    getrandom 318 278          | random numbers without a seed                  | nothing
    sched_yield 24 124         | some libraries wait with it                    | clock
    exit 60 93                 | the end                                        | nothing
    exit_group 231 94          | the end                                        | nothing
    *open 2 -                  | files are opened, to be read                   | rootfs, names, cache
    *openat 257 56             | the same                                       | rootfs, names, cache
    *fcntl 72 25               | whether its own descriptors block              | nothing
    *ioctl 16 29               | Python asks whether it writes to a terminal    | nothing
    *futex 202 98              | locks within the process                       | nothing
    *clock_gettime 228 113     | the time, and its own CPU time                 | clock
    *clock_getres 229 114      | how exact a clock is                           | nothing
    *clock_nanosleep 230 115   | time.sleep                                     | clock
    *prlimit64 302 261         | its own limits                                 | nothing
    *tgkill 234 131            | it aborts itself                               | nothing
    *mmap 9 222                | memory is asked for, and libraries are loaded  | cache, mappings
    *madvise 28 233            | memory is given back                           | nothing
    *sched_getaffinity 204 123 | how many processors there are                  | nothing
"""
REVEALED_WORDS = frozenset(("nothing", "rootfs", "names", "cache", "mappings", "clock"))
"""The words in the table for what a call could reveal."""


class AllowedCall(NamedTuple):
    """One line of the table; the numbers are those on both processors, or dashes."""

    name: str
    numbers: tuple[str, str]
    why: str
    reveals: frozenset[str]
    checked: bool
    """Whether it is allowed only with harmless arguments."""


def parse_line(line: str) -> AllowedCall:
    """A line of the table.

    >>> parse_line("*futex 202 98 | locks within the process | nothing").numbers
    ('202', '98')
    """
    call, why, reveals = (part.strip() for part in line.split("|"))
    name, x86, arm = call.split()
    return AllowedCall(name.removeprefix("*"), (x86, arm), why, frozenset(reveals.split(", ")), name.startswith("*"))


CALLS = tuple(parse_line(line) for line in CALL_TABLE.strip().splitlines())


def allowed_calls(*, checked: bool) -> str:
    """The calls that are allowed with any arguments, or those with checked ones, as a list for ``call_numbers``."""
    return " ".join(":".join((call.name, *call.numbers)) for call in CALLS if call.checked == checked)


# The numbers of all other calls, as ``name:number on x86_64:number on aarch64``, with a dash if a processor has no such
# call.  Only the tests use ``REFUSED``, whose calls they try; calls that aren't listed are refused, too.


MACHINES = {"x86_64": (0xC000003E, 0), "aarch64": (0xC00000B7, 1)}
"""The supported processors: the kernel's number for the architecture, and the processor's column in the lists."""
LAST_KNOWN_CALL = 450
"""Calls with greater numbers are newer than these lists, have the same number everywhere, and count as absent."""
X32 = 0x40000000
"""The bit that marks an x32 call, an ABI in which the same calls have other numbers."""

ALLOWED, CHECKED = allowed_calls(checked=False), allowed_calls(checked=True)
ABSENT = """
    clone3:435:435 openat2:437:437 rseq:334:293
"""
FATAL_CALLS = """
    ptrace:101:117 process_vm_readv:310:270 process_vm_writev:311:271 process_madvise:440:440
    process_mrelease:448:448 kcmp:312:272 pidfd_open:434:434 pidfd_getfd:438:438 pidfd_send_signal:424:424
    io_uring_setup:425:425 io_uring_enter:426:426 io_uring_register:427:427 bpf:321:280 perf_event_open:298:241
    userfaultfd:323:282 add_key:248:217 request_key:249:218 keyctl:250:219 mount:165:40 umount2:166:39
    pivot_root:155:41 open_tree:428:428 move_mount:429:429 fsopen:430:430 fsconfig:431:431 fsmount:432:432
    fspick:433:433 mount_setattr:442:442 name_to_handle_at:303:264 open_by_handle_at:304:265 fanotify_init:300:262
    fanotify_mark:301:263 init_module:175:105 finit_module:313:273 delete_module:176:106 kexec_load:246:104
    kexec_file_load:320:294 reboot:169:142 swapon:167:224 swapoff:168:225 acct:163:89 syslog:103:116 quotactl:179:60
    quotactl_fd:443:443 iopl:172:- ioperm:173:- modify_ldt:154:- lookup_dcookie:212:18 seccomp:317:277
    landlock_create_ruleset:444:444 landlock_add_rule:445:445 landlock_restrict_self:446:446 migrate_pages:256:238
    move_pages:279:239 vmsplice:278:75 execveat:322:281 memfd_secret:447:447
    settimeofday:164:170 clock_settime:227:112 adjtimex:159:171 clock_adjtime:305:266 sethostname:170:161
    setdomainname:171:162
"""
REFUSED = """
    pipe:22:- pipe2:293:59 getpriority:140:141 sched_getparam:143:121 sched_getscheduler:145:120 sched_getattr:315:275
    sched_rr_get_interval:148:127 get_robust_list:274:100 getpgid:121:155 getsid:124:156 getpgrp:111:-
    clone:56:220 fork:57:- vfork:58:- execve:59:221 kill:62:129 tkill:200:130 rt_sigqueueinfo:129:138
    rt_tgsigqueueinfo:297:240 socket:41:198 socketpair:53:199 connect:42:203 bind:49:200 listen:50:201 accept:43:202
    accept4:288:242 sendto:44:206 sendmsg:46:211 sendmmsg:307:269 memfd_create:319:279 shmget:29:194 shmat:30:196
    semget:64:190 msgget:68:186 mq_open:240:180 unshare:272:97 setns:308:268 chroot:161:51 chmod:90:- fchmod:91:52
    fchmodat:268:53 chown:92:- fchownat:260:54 mkdir:83:- mkdirat:258:34 unlink:87:- unlinkat:263:35 rename:82:-
    renameat2:316:276 link:86:- linkat:265:37 symlinkat:266:36 mknodat:259:33 truncate:76:45 ftruncate:77:46
    fallocate:285:47 utimensat:280:88 setxattr:188:5 flock:73:32 inotify_init1:294:26 timer_create:222:107
    eventfd2:290:19 epoll_create1:291:20 prctl:157:167 sched_setaffinity:203:122 sched_setscheduler:144:119
    setpriority:141:140 ioprio_set:251:30 mlock:149:228 mlock2:325:284 membarrier:324:283 mincore:27:232
    setuid:105:146 setresuid:117:147 setgroups:116:159 setsid:112:157 chdir:80:49 creat:85:- personality:135:92
    arch_prctl:158:- splice:275:76 tee:276:77 copy_file_range:326:285 sendfile:40:71 signalfd4:289:74
    timerfd_create:283:85 sysinfo:99:179 set_mempolicy_home_node:450:450 capset:126:91 setrlimit:160:164
    mbind:237:235 set_mempolicy:238:237 preadv2:327:286 fadvise64:221:223 readahead:187:213 statfs:137:43 fstatfs:138:44
    sync:162:81 syncfs:306:267 fsync:74:82 fdatasync:75:83 msync:26:227 set_robust_list:273:99 getcpu:309:168
"""


def call_numbers(calls: str, machine: str) -> dict[str, int]:
    """The calls of a list that a processor has, with their numbers.

    >>> call_numbers("read:0:63 open:2:-", "aarch64")
    {'read': 63}
    """
    column = MACHINES[machine][1]
    entries = (entry.split(":") for entry in calls.split())
    return {name: int(both[column]) for name, *both in entries if both[column] != "-"}


# The program.
#
# instruction     (code, instructions to skip if true, to skip if false, number), as the kernel's BPF machine reads it
# word            the kernel compares 32 bits at a time; an argument is two words, the low one first
# verdict         the action for a call: allow, refuse, or kill the process
# block           the instructions for one call, ending in a verdict: it jumps only over the rest of itself
# span            calls with consecutive numbers that share a block; spans are searched by halves, since the kernel
#                 runs the whole filter for every call while a process loads it
#
# Of an argument that the kernel treats as an int, only the low word is compared, because the kernel ignores the high
# one. If both were compared, a player could get around the check by setting a bit that the kernel ignores.


Instruction = tuple[int, int, int, int]
Program = list[Instruction]

LOAD, EQUAL, GREATER, ANY_BIT, SKIP, VERDICT = 0x20, 0x15, 0x25, 0x45, 0x05, 0x06
"""Instructions: load a word; compare with a number (equal, greater unsigned, any bit set); jump; return the verdict."""
ALLOW, ERROR, KILL = 0x7FFF0000, 0x00050000, 0x80000000
REFUSE, NO_SUCH_CALL = ERROR | errno.EPERM, ERROR | errno.ENOSYS
NUMBER, ARCHITECTURE = 0, 4
MODE_FILTER = 2
OWN = 0
"""The pid that stands for the calling process in a call's arguments."""
OWN_PID = 0xFFFFFFFF
"""A placeholder, replaced by the pid of the process that loads the program; no process has this number."""

FORBIDDEN_OPEN_BITS = 0o3 | 0o100 | 0o1000 | 0o20000 | 0o10000000 | 0o20000000
"""Flags of open() that must not be set: writing, create, truncate, signal when ready, path only, unnamed file."""
HARMLESS_FCNTL = (0, 1, 2, 3, 1030)
"""Duplicate, and read or set "close on exec"; not among them: owners of signals, leases, locks, a pipe's size."""
SET_FLAGS, FORBIDDEN_FLAGS = 4, 0o20000 | 0o40000 | 0o200000
"""Setting a descriptor's flags, and flags that may not be set: signal when ready, and O_DIRECT on either processor,
which makes a pipe keep packets apart."""
HARMLESS_IOCTL = (0x5401, 0x5413, 0x541B, 0x5421, 0x5450, 0x5451)
"""Ask whether a descriptor is a terminal, its width, how many bytes wait; set blocking and close on exec."""
PRIVATE_FUTEX = 128
"""Without this bit, processes that have mapped the same file share a futex: a channel between players."""
HARMLESS_FUTEX = tuple(PRIVATE_FUTEX | operation for operation in (0, 1, 3, 4, 5, 9, 10, 9 | 256))
"""Wait, wake, requeue, and wait by the wall clock; not among them: locks with priority inheritance."""
HARMLESS_ADVICE = (0, 1, 2, 3, 4, 8, 14, 15, 16, 17, 18, 19)
"""Advice on how memory will be read, what is no longer needed, large pages, and what a dump or a fork leaves out.

Not among them: merging equal pages (12), which other processes can measure, and evicting library pages (20, 21)."""
RESERVED_PAGES = 0o1000000
"""Reserved huge pages: every process sees how many are left."""
CLOCKS = 16
"""The number of clocks that may be read; greater numbers are the CPU clocks of other processes."""
SIGABRT = 6


def argument_offset(argument: int, *, high: bool = False) -> int:
    """The offset of an argument's low or high word in the data that the filter gets.

    That data begins with the call's number and the architecture, four bytes each, and the instruction pointer, eight.
    """
    return 16 + 8 * argument + 4 * high


def allow_one_of(argument: int, values: Iterable[int]) -> Program:
    """Allow if an int argument has one of these values; otherwise continue after these instructions."""
    result: Program = [(LOAD, 0, 0, argument_offset(argument))]
    for value in values:
        result += [(EQUAL, 0, 1, value), (VERDICT, 0, 0, ALLOW)]
    return result


def allow_without_bits(argument: int, bits: int) -> Program:
    """Allow if none of these bits is set in an int argument."""
    return [(LOAD, 0, 0, argument_offset(argument)), (ANY_BIT, 1, 0, bits), (VERDICT, 0, 0, ALLOW)]


def allow_at_most(argument: int, value: int) -> Program:
    """Allow an int argument up to ``value``; negative numbers count as large ones."""
    return [(LOAD, 0, 0, argument_offset(argument)), (GREATER, 1, 0, value), (VERDICT, 0, 0, ALLOW)]


def allow_null(argument: int) -> Program:
    """Allow an argument that is a null pointer; both of its words must be 0."""
    low, high = argument_offset(argument), argument_offset(argument, high=True)
    return [(LOAD, 0, 0, low), (EQUAL, 0, 3, 0), (LOAD, 0, 0, high), (EQUAL, 0, 1, 0), (VERDICT, 0, 0, ALLOW)]


def allow_for_itself(rest: Program) -> Program:
    """Allow what ``rest`` allows, but only if the first argument names the calling process."""
    return [(LOAD, 0, 0, argument_offset(0)), (EQUAL, 0, len(rest), OWN), *rest]


CONDITIONS: dict[str, Program] = {
    "open": allow_without_bits(1, FORBIDDEN_OPEN_BITS),
    "openat": allow_without_bits(2, FORBIDDEN_OPEN_BITS),
    "fcntl": [
        *allow_one_of(1, HARMLESS_FCNTL),
        (EQUAL, 0, 3, SET_FLAGS),  # ``allow_one_of`` has left argument 1 loaded
        *allow_without_bits(2, FORBIDDEN_FLAGS),
    ],
    "ioctl": allow_one_of(1, HARMLESS_IOCTL),
    "futex": allow_one_of(1, HARMLESS_FUTEX),
    "clock_gettime": allow_at_most(0, CLOCKS - 1),
    "clock_getres": allow_at_most(0, CLOCKS - 1),
    "clock_nanosleep": allow_at_most(0, CLOCKS - 1),
    "prlimit64": allow_for_itself(allow_null(2)),
    "tgkill": [(LOAD, 0, 0, argument_offset(0)), (EQUAL, 0, 3, OWN_PID), *allow_one_of(2, (SIGABRT,))],
    "mmap": allow_without_bits(3, RESERVED_PAGES),
    "madvise": allow_one_of(2, HARMLESS_ADVICE),
    "sched_getaffinity": allow_one_of(0, (OWN,)),
}
"""For each checked call, the instructions that allow harmless arguments; otherwise it is refused."""


def program(machine: str) -> Program:
    """The whole filter for a processor."""
    start: Program = [
        (LOAD, 0, 0, ARCHITECTURE),
        (EQUAL, 1, 0, MACHINES[machine][0]),
        (VERDICT, 0, 0, KILL),
        (LOAD, 0, 0, NUMBER),
        (ANY_BIT, 0, 1, X32),
        (VERDICT, 0, 0, KILL),
        (GREATER, 0, 1, LAST_KNOWN_CALL),
        (VERDICT, 0, 0, NO_SUCH_CALL),
    ]
    return start + binary_search(spans(machine))


def spans(machine: str) -> list[tuple[int, Program]]:
    """Every span as its last number and its block, in order; the last span includes all larger numbers."""
    blocks: dict[int, Program] = {}
    for calls, verdict in ((ALLOWED, ALLOW), (ABSENT, NO_SUCH_CALL), (FATAL_CALLS, KILL)):
        blocks |= {number: [(VERDICT, 0, 0, verdict)] for number in call_numbers(calls, machine).values()}
    for name, number in call_numbers(CHECKED, machine).items():
        blocks[number] = [*CONDITIONS[name], (VERDICT, 0, 0, REFUSE)]
    refused: Program = [(VERDICT, 0, 0, REFUSE)]
    # The range ends one number after the largest listed one, so that the last span refuses all larger numbers.
    by_number = [blocks.get(number, refused) for number in range(max(blocks) + 2)]
    return [(last, block) for last, (block, following) in enumerate(pairwise([*by_number, []])) if block != following]


def binary_search(blocks: Sequence[tuple[int, Program]]) -> Program:
    """A binary search for the block of the loaded number."""
    if len(blocks) == 1:
        return blocks[0][1]
    middle = len(blocks) // 2
    lower, upper = binary_search(blocks[:middle]), binary_search(blocks[middle:])
    return [(GREATER, 0, 1, blocks[middle - 1][0]), (SKIP, 0, 0, len(lower)), *lower, *upper]


def program_bytes(instructions: Program, pid: int) -> bytes:
    """A program as the kernel reads it, for the process ``pid``."""
    return b"".join(struct.pack("=HBBI", *code, pid if k == OWN_PID else k) for *code, k in instructions)


class SeccompFilter:
    """The filter of this machine, ready to be loaded by any child."""

    def __init__(self, machine: str) -> None:
        instructions = program(machine)
        self.bytes = program_bytes(instructions, OWN_PID)
        self.pid_offset = 8 * next(i for i, (*_, k) in enumerate(instructions) if k == OWN_PID) + 4
        self.buffer = ctypes.create_string_buffer(self.bytes, len(self.bytes))
        self.loader = ctypes.c_char_p(struct.pack("@HP", len(instructions), ctypes.addressof(self.buffer)))

    def load(self, pid: int) -> None:
        """Load the filter into this process for good. Raises OSError if the kernel has no seccomp."""
        struct.pack_into("=I", self.buffer, self.pid_offset, pid)
        prctl("no_new_privs", SET_NO_NEW_PRIVS, 1)
        check_result("seccomp", libc.prctl(SET_SECCOMP, ctypes.c_ulong(MODE_FILTER), self.loader, 0, 0))
