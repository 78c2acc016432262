"""Sandbox: confines players' processes, on any Linux that has Landlock and seccomp.

    tiers           ``tier``: which confinement is in force here, and why; ``require_confinement``
    confinement     the steps that confine one process, in their order; bubblewrap around the fork server
    filesystem      the files that a player sees: a root directory with nothing else
    seccomp         which system calls may be made, why each is needed, and the filter that the kernel runs
    linux           calls to the C library that Python lacks, and Landlock
    trial           tests a tier on a child process, whose forbidden actions must all fail
    attacks         hostile player files, to run anywhere: ``kibitz arena doctor --attack``

Needs only the standard library, because the fork server and its players load it.

>>> from kibitz.sandbox import tier
>>> tier().name in ("outer", "default", "none")
True
"""

from kibitz.sandbox.tiers import Tier, adopt, request_tier, require_confinement, tier

__all__ = ["Tier", "adopt", "request_tier", "require_confinement", "tier"]
