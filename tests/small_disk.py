"""Programs that can write no file longer than so many bytes, as if a disk had no more room.

Python keeps what it has compiled even where only the beginning of it could be written, and stumbles over that ever
after: so such a program keeps nothing.
"""

LIMITED = (
    "import resource, signal, sys; sys.dont_write_bytecode = True; signal.signal(signal.SIGXFSZ, signal.SIG_IGN); "
    "limited = lambda size: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size)); "
)
"""The beginning of the source of such a program, which then calls ``limited``."""
