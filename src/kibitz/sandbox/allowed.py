"""Every system call that a player's process may make: why it needs it, and what it could tell another player's.

Each line is ``name x86_64 aarch64 | why | what it tells``, with a dash where that processor has no such call, and a
star before the name where ``filters`` looks at the arguments.  The filter is made from these lines and nothing else,
so a call that nobody has thought about is refused.

    nothing     it reads or changes what belongs to the process alone
    view        it names a file: what it tells rests on ``view``, in which nothing ever changes
    names       it looks for a name: one that somebody has just looked for is found, or missed, sooner, as long as the
                processor has it at hand; the directories lie in memory, where the kernel remembers none (``mirror``)
    cache       the first to read a page of the library waits for the disk, and who comes later does not
    mappings    the kernel keeps in one place who has mapped a file, and takes longer where that is long
    clock       it tells the time, and so how long another player has thought

What of this can really be used to pass cards is measured by ``tests/sandbox/test_channels.py``, and stated in
docs/sandbox.md.
"""

from __future__ import annotations

from typing import NamedTuple

LINES = """
    read 0 63                  | requests come by it, and files are read        | cache
    readv 19 65                | buffered files are read by some libraries      | cache
    pread64 17 67              | the loader of libraries reads their headers    | cache
    write 1 64                 | answers and prints go out by it                | nothing
    writev 20 66               | the C library prints its last words with it    | nothing
    close 3 57                 | files that were read are closed                | nothing
    close_range 436 436        | the same for many                              | nothing
    lseek 8 62                 | Python asks where a file that it opens is at   | nothing
    dup 32 23                  | os.dup, of its own descriptors                 | nothing
    dup2 33 -                  | prints are turned elsewhere by some libraries  | nothing
    dup3 292 24                | the same                                       | nothing
    select 23 -                | waiting for its own descriptors, or for a time | nothing
    pselect6 270 72            | the same                                       | nothing
    poll 7 -                   | the same                                       | nothing
    ppoll 271 73               | the same                                       | nothing
    fstat 5 80                 | Python asks how large an open file is          | view, clock
    stat 4 -                   | imports look for modules                       | view, names
    lstat 6 -                  | paths are resolved                             | view, names
    newfstatat 262 79          | imports look for modules                       | view, names, clock
    statx 332 291              | imports look for modules                       | view, names, clock
    access 21 -                | the loader of libraries looks for its settings | view, names
    faccessat 269 48           | the same                                       | view, names
    faccessat2 439 439         | the same                                       | view, names
    readlink 89 -              | paths are resolved                             | view, names
    readlinkat 267 78          | the same                                       | view, names
    getcwd 79 17               | paths are made absolute                        | nothing
    getdents64 217 61          | imports list directories                       | view
    munmap 11 215              | memory is given back                           | mappings
    mprotect 10 226            | libraries are made ready to run                | nothing
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
    setitimer 38 103           | the same, by which files limit their search    | clock
    alarm 37 -                 | the same                                       | clock
    pause 34 -                 | waiting for its own signals                    | nothing
    nanosleep 35 101           | time.sleep                                     | clock
    restart_syscall 219 128    | sleep goes on after it was halted              | nothing
    gettimeofday 96 169        | the time; no filter sees most calls of it      | clock
    time 201 -                 | the same                                       | clock
    times 100 153              | its own CPU time                               | clock
    getrusage 98 165           | its own CPU time and memory                    | cache
    getrlimit 97 163           | its own limits                                 | nothing
    getpid 39 172              | Python asks who it is                          | nothing
    getppid 110 173            | the same; the fork server's, for ever the same | nothing
    gettid 186 178             | aborting, with a traceback                     | nothing
    getuid 102 174             | who it runs as: the same for all               | nothing
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
    *open 2 -                  | files are opened, to be read                   | view, names, cache
    *openat 257 56             | the same                                       | view, names, cache
    *fcntl 72 25               | whether its own descriptors wait               | nothing
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
TELLS = frozenset(("nothing", "view", "names", "cache", "mappings", "clock"))


class Allowed(NamedTuple):
    """One call: its numbers on both processors, if it has one, and what is known about it."""

    name: str
    numbers: tuple[str, str]
    why: str
    tells: frozenset[str]
    looked_at: bool


def parsed(line: str) -> Allowed:
    """A line of the table.

    >>> parsed("*futex 202 98 | locks within the process | nothing").numbers
    ('202', '98')
    """
    call, why, tells = (part.strip() for part in line.split("|"))
    name, x86, arm = call.split()
    return Allowed(name.removeprefix("*"), (x86, arm), why, frozenset(tells.split(", ")), name.startswith("*"))


CALLS = tuple(parsed(line) for line in LINES.strip().splitlines())


def listed(*, looked_at: bool) -> str:
    """The calls that are allowed whatever their arguments, or those that are looked at, as ``syscalls`` lists them."""
    return " ".join(":".join((call.name, *call.numbers)) for call in CALLS if call.looked_at == looked_at)
