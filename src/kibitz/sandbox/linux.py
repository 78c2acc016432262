"""Linux calls that Python lacks: through the C library, and Landlock.

Every failure is an OSError that names the call that failed. Constants are the kernel's, under shorter names.
"""

from __future__ import annotations

import ctypes
import errno
import os
import struct
from collections.abc import Iterable
from contextlib import suppress
from typing import Any

SET_PDEATHSIG, SET_DUMPABLE, SET_SECCOMP, CAPBSET_DROP, SET_CHILD_SUBREAPER = 1, 4, 22, 24, 36
SET_NO_NEW_PRIVS, CAP_AMBIENT = 38, 47
CLEAR_ALL_AMBIENT = 4
CAPABILITY_VERSION = 0x20080522
NEW_MOUNTS, NEW_HOST_NAME, NEW_IPC, NEW_USERS = 0x00020000, 0x04000000, 0x08000000, 0x10000000
READ_ONLY, REMOUNT, BIND, RECURSIVE, PRIVATE = 1, 32, 4096, 16384, 1 << 18
NO_SUID, NO_DEV = 2, 4
UNSHARE = {"x86_64": 272, "aarch64": 97}
PIVOT_ROOT = {"x86_64": 155, "aarch64": 41}
MOUNT_SETATTR = 442
"""This call has the same number on all processors; every kernel with Landlock has it."""
HERE, ALL_BELOW = -100, 0x8000
"""The kernel's ``AT_FDCWD`` (paths start in the current directory) and ``AT_RECURSIVE``."""
DETACH = 2
MAY_MOUNT = 21
"""The number of the capability ``CAP_SYS_ADMIN``, without which nothing can be mounted."""

libc = ctypes.CDLL(None, use_errno=True)
PRELOADED = libc.prctl, libc.capset, libc.syscall, libc.mount
"""Functions that are looked up once here, rather than in every child."""
HEADER, NO_RIGHTS = (ctypes.c_uint32 * 2)(CAPABILITY_VERSION, 0), (ctypes.c_uint32 * 6)()
"""Arguments of ``capset``, made once because making an array type takes longer than the call."""
BOUND, BOUND_WITH_ALL_BELOW = ctypes.c_ulong(BIND), ctypes.c_ulong(BIND | RECURSIVE)
"""Flags for ``bind``, made once because they are passed some ten thousand times."""


def check_result(what: str, result: int) -> int:
    """The result of a call. Raises OSError if it is -1."""
    if result == -1:
        code = ctypes.get_errno()
        raise OSError(code, f"{what}: {os.strerror(code)}")
    return result


def prctl(what: str, option: int, *values: int) -> None:
    """Set an attribute of this process; ``what`` is for the error."""
    arguments = [ctypes.c_ulong(value) for value in (*values, 0, 0, 0, 0)[:4]]
    check_result(what, libc.prctl(option, *arguments))


def system_call(what: str, number: int, *values: Any) -> int:
    """Make a system call by its number; arguments are whole numbers, bytes, or pointers for ctypes."""
    arguments = [ctypes.c_long(value) if isinstance(value, int) else value for value in values]
    return check_result(what, libc.syscall(ctypes.c_long(number), *arguments))


def drop_capabilities() -> None:
    """Give up all of root's special rights (capabilities) for good."""
    libc.prctl(CAP_AMBIENT, CLEAR_ALL_AMBIENT, 0, 0, 0)  # kernels before 4.3 have none to clear
    check_result("capset", libc.capset(HEADER, NO_RIGHTS))


def drop_capability(number: int) -> None:
    """Give up one of root's rights for good, for this process and all its descendants."""
    rights = (ctypes.c_uint32 * 6)()
    check_result("capget", libc.capget(HEADER, rights))
    # Two groups of 32 rights, each as three words: effective, permitted and inheritable rights.
    first_word, bit = 3 * (number // 32), 1 << number % 32
    for kind in range(3):
        rights[first_word + kind] &= ~bit
    libc.prctl(CAP_AMBIENT, CLEAR_ALL_AMBIENT, 0, 0, 0)
    with suppress(OSError):
        prctl("bounding set", CAPBSET_DROP, number)
    check_result("capset", libc.capset(HEADER, rights))


def mount(what: str, source: str, target: str, kind: str, flags: int, data: str = "") -> None:
    """Mount ``source`` at ``target``; ``kind`` is the type of the file system, and ``what`` is for the error."""
    words = [word.encode() if word else None for word in (source, target, kind)]
    check_result(what, libc.mount(*words, ctypes.c_ulong(flags), data.encode() if data else None))


def bind(source: bytes, target: bytes, flags: ctypes.c_ulong = BOUND) -> None:
    """Make the file or directory ``source`` also appear at ``target`` (a bind mount)."""
    check_result("bind", libc.mount(source, target, None, flags, None))


def make_read_only(target: str) -> None:
    """Make a mount and all mounts below it read-only and without set-user-ID rights; nothing else changes."""
    added = struct.pack("=4Q", READ_ONLY | NO_SUID, 0, 0, 0)
    arguments = HERE, target.encode(), ALL_BELOW, ctypes.c_char_p(added), len(added)
    system_call("mount_setattr", MOUNT_SETATTR, *arguments)


def unmount(what: str, target: str) -> None:
    """Unmount ``target`` as soon as nothing uses it; ``what`` is for the error."""
    check_result(what, libc.umount2(target.encode(), DETACH))


# Landlock: which files a process may read.
#
# ABI         the version of Landlock; each can restrict something more: 1 (Linux 5.13) files, 2 moving files,
#             3 truncating, 4 TCP, 5 devices, 6 signals and abstract sockets; 7 keeps refusals out of the audit log
# rule set    a descriptor; the fork server makes it once, and every child applies it
#
# A rule set removes every right that the kernel can remove, except reading below a few directories.


CREATE, ADD_RULE, RESTRICT = 444, 445, 446
"""The numbers of Landlock's system calls, the same on all processors."""
GET_VERSION, PATH_BENEATH, NO_LOG = 1, 1, 1
READ_FILE, READ_DIR = 1 << 2, 1 << 3
RIGHTS = {1: (1 << 13) - 1, 2: 1 << 13, 3: 1 << 14, 5: 1 << 15}
"""The rights over files that each ABI adds."""
NETWORK, SCOPES = {4: 0b11}, {6: 0b11}
"""Other rights, by the ABI that adds them: binding and connecting TCP; abstract sockets and signals."""
NEWEST_ABI = 7


def kernel_abi() -> int:
    """The ABI of this kernel; 0 without Landlock."""
    abi = libc.syscall(ctypes.c_long(CREATE), None, ctypes.c_size_t(0), ctypes.c_uint32(GET_VERSION))
    return max(0, int(abi))


def attributes(abi: int) -> bytes:
    """All rights that an ABI can remove, as the kernel's ``landlock_ruleset_attr``.

    >>> [len(attributes(abi)) for abi in (1, 3, 4, 5, 6, 7)]
    [8, 8, 16, 16, 24, 24]
    """
    words = [sum(bits for first, bits in kind.items() if first <= abi) for kind in (RIGHTS, NETWORK, SCOPES)]
    size = 1 + (abi >= 4) + (abi >= 6)
    return struct.pack(f"={size}Q", *words[:size])


class RuleSet:
    """The paths that may be read. Raises OSError if the kernel has no Landlock."""

    def __init__(self, readable: Iterable[str], abi: int) -> None:
        self.flags = NO_LOG if abi >= 7 else 0
        removed = attributes(abi)
        self.fd = system_call("landlock", CREATE, ctypes.c_char_p(removed), len(removed), 0)
        for path in readable:
            self.allow(path)

    def allow(self, path: str) -> None:
        """Allow reading everything below a path, if it exists."""
        try:
            descriptor = os.open(path, os.O_PATH | os.O_CLOEXEC)
        except OSError as error:
            if error.errno in (errno.ENOENT, errno.ENOTDIR, errno.EACCES):
                return
            raise
        try:
            rights = READ_FILE | READ_DIR if os.path.isdir(path) else READ_FILE
            rule = struct.pack("=Qi", rights, descriptor)
            system_call("landlock", ADD_RULE, self.fd, PATH_BENEATH, ctypes.c_char_p(rule), 0)
        finally:
            os.close(descriptor)

    def restrict(self) -> None:
        """Restrict this process for good."""
        prctl("no_new_privs", SET_NO_NEW_PRIVS, 1)
        system_call("landlock", RESTRICT, self.fd, self.flags)
