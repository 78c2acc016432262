"""The few calls to the C library that Python does not have; every failure is an OSError that says what failed."""

from __future__ import annotations

import ctypes
import os
import struct
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
"""The same on all processors; every kernel that has Landlock has it."""
HERE, ALL_BELOW = -100, 0x8000
DETACH = 2
MAY_MOUNT = 21
"""The right of root's, ``CAP_SYS_ADMIN``, without which nothing can be mounted."""

libc = ctypes.CDLL(None, use_errno=True)
prepared = libc.prctl, libc.capset, libc.syscall, libc.mount
"""Looked up here, once, and not by every child again."""
HEADER, NO_RIGHTS = (ctypes.c_uint32 * 2)(CAPABILITY_VERSION, 0), (ctypes.c_uint32 * 6)()
"""Made once, because a type of array costs more to make than the call that takes it."""
BOUND, BOUND_WITH_ALL_BELOW = ctypes.c_ulong(BIND), ctypes.c_ulong(BIND | RECURSIVE)
"""The same: they are given some ten thousand times."""


def checked(what: str, result: int) -> int:
    """The result of a call; OSError where it is -1."""
    if result == -1:
        code = ctypes.get_errno()
        raise OSError(code, f"{what}: {os.strerror(code)}")
    return result


def prctl(what: str, option: int, *values: int) -> None:
    """Set something about this process; ``what`` is for the error."""
    given = [ctypes.c_ulong(value) for value in (*values, 0, 0, 0, 0)[:4]]
    checked(what, libc.prctl(option, *given))


def system_call(what: str, number: int, *values: Any) -> int:
    """A call by its number: whole numbers, bytes, or what ctypes passes as a pointer."""
    given = [ctypes.c_long(value) if isinstance(value, int) else value for value in values]
    return checked(what, libc.syscall(ctypes.c_long(number), *given))


def drop_capabilities() -> None:
    """Give up every special right of root's for good."""
    libc.prctl(CAP_AMBIENT, CLEAR_ALL_AMBIENT, 0, 0, 0)  # kernels before 4.3 have none to clear
    checked("capset", libc.capset(HEADER, NO_RIGHTS))


def drop_capability(number: int) -> None:
    """Give up one of root's rights for good, for this process and all that it starts or becomes."""
    rights = (ctypes.c_uint32 * 6)()
    checked("capget", libc.capget(HEADER, rights))
    at, bit = 3 * (number // 32), 1 << number % 32
    for kind in range(3):
        rights[at + kind] &= ~bit
    libc.prctl(CAP_AMBIENT, CLEAR_ALL_AMBIENT, 0, 0, 0)
    with suppress(OSError):
        prctl("bounding set", CAPBSET_DROP, number)
    checked("capset", libc.capset(HEADER, rights))


def mount(what: str, source: str, target: str, kind: str, flags: int, data: str = "") -> None:
    """Mount something."""
    words = [word.encode() if word else None for word in (source, target, kind)]
    checked(what, libc.mount(*words, ctypes.c_ulong(flags), data.encode() if data else None))


def bind(source: bytes, target: bytes, flags: ctypes.c_ulong = BOUND) -> None:
    """Show at ``target`` what lies at ``source``."""
    checked("bind", libc.mount(source, target, None, flags, None))


def only_read(target: str) -> None:
    """Have a mount and all mounts below it only read, and lend nobody rights; all else about them stays as it is."""
    wanted = struct.pack("=4Q", READ_ONLY | NO_SUID, 0, 0, 0)
    given = HERE, target.encode(), ALL_BELOW, ctypes.c_char_p(wanted), len(wanted)
    system_call("mount_setattr", MOUNT_SETATTR, *given)


def unmount(what: str, target: str) -> None:
    """Take a mount away, as soon as nobody uses it."""
    checked(what, libc.umount2(target.encode(), DETACH))
