"""Sandbox: what the kernel keeps players' processes from, on any Linux that has Landlock and seccomp.

    tiers           ``tier``: which confinement is in force here, and why; ``require_rated``
    confinement     all steps that bind one process, in their order
    view            a root directory that holds nothing else, so that nothing is seen that changes
    mirror          its directories, which lie in memory, and the disk's files in them
    landlock        which files may be read
    filters         which system calls may be made: a program for the kernel
    allowed         the calls that players may make: why they need each, and what it could tell of others
    syscalls        all calls' numbers, and what becomes of those that are not allowed
    readable_files  which directories a player file needs
    outer           bubblewrap around the fork server
    trial           proves a tier on a child that has to fail
    linux           calls to the C library that Python lacks
    attacks         hostile player files, to run anywhere: ``kibitz arena doctor --attack``

Needs only the standard library, because the fork server and its players load it.

>>> from kibitz.sandbox import tier
>>> tier().name in ("outer", "default", "none")
True
"""

from kibitz.sandbox.tiers import Tier, adopt, require_rated, tier, wish

__all__ = ["Tier", "adopt", "require_rated", "tier", "wish"]
