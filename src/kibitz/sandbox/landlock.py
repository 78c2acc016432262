"""Landlock: which files a player's process may read, everything else being out of its reach.

    ABI         what the kernel knows of it: 1 (Linux 5.13) files, 2 moving them, 3 truncating, 4 TCP,
                5 devices, 6 signals and abstract sockets, 7 no noise in the audit log
    rule set    a descriptor: made once in the fork server, taken on by every child

Everything that the kernel can take away is taken away; rules give back reading below a few directories.
"""

from __future__ import annotations

import ctypes
import errno
import os
import struct
from collections.abc import Iterable

from kibitz.sandbox.linux import SET_NO_NEW_PRIVS, libc, prctl, system_call

CREATE, ADD_RULE, RESTRICT = 444, 445, 446
"""The same on all processors."""
TELL_VERSION, PATH_BENEATH, NO_LOG = 1, 1, 1
READ_FILE, READ_DIR = 1 << 2, 1 << 3
RIGHTS = {1: (1 << 13) - 1, 2: 1 << 13, 3: 1 << 14, 5: 1 << 15}
"""The rights over files that each ABI adds."""
NETWORK, SCOPES = {4: 0b11}, {6: 0b11}
"""Binding and connecting TCP; abstract sockets and signals."""
NEWEST_ABI = 7


def kernel_abi() -> int:
    """What this kernel offers; 0 if nothing."""
    found = libc.syscall(ctypes.c_long(CREATE), None, ctypes.c_size_t(0), ctypes.c_uint32(TELL_VERSION))
    return max(0, int(found))


def attributes(abi: int) -> bytes:
    """All that an ABI can take away, in the layout of its kernel.

    >>> [len(attributes(abi)) for abi in (1, 3, 4, 5, 6, 7)]
    [8, 8, 16, 16, 24, 24]
    """
    words = [sum(bits for least, bits in kind.items() if least <= abi) for kind in (RIGHTS, NETWORK, SCOPES)]
    return struct.pack(f"={1 + (abi >= 4) + (abi >= 6)}Q", *words[: 1 + (abi >= 4) + (abi >= 6)])


class RuleSet:
    """What may be read; OSError where the kernel has no Landlock."""

    def __init__(self, readable: Iterable[str], abi: int) -> None:
        self.flags = NO_LOG if abi >= 7 else 0
        taken = attributes(abi)
        self.fd = system_call("landlock", CREATE, ctypes.c_char_p(taken), len(taken), 0)
        for path in readable:
            self.allow(path)

    def allow(self, path: str) -> None:
        """Let everything below a path be read, if there is such a path."""
        try:
            place = os.open(path, os.O_PATH | os.O_CLOEXEC)
        except OSError as error:
            if error.errno in (errno.ENOENT, errno.ENOTDIR, errno.EACCES):
                return
            raise
        try:
            rights = READ_FILE | READ_DIR if os.path.isdir(path) else READ_FILE
            rule = struct.pack("=Qi", rights, place)
            system_call("landlock", ADD_RULE, self.fd, PATH_BENEATH, ctypes.c_char_p(rule), 0)
        finally:
            os.close(place)

    def restrict(self) -> None:
        """Bind this process, for good."""
        prctl("no_new_privs", SET_NO_NEW_PRIVS, 1)
        system_call("landlock", RESTRICT, self.fd, self.flags)
