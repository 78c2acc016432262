"""Programs that can't write more than a number of bytes to a file, as on a full disk.

Python keeps a compiled file even if only its beginning was written, and fails on it ever after: so these programs
write no compiled code.
"""

LIMITED = (
    "import resource, signal, sys; sys.dont_write_bytecode = True; signal.signal(signal.SIGXFSZ, signal.SIG_IGN); "
    "limited = lambda size: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size)); "
)
"""The first lines of such a program; it then calls ``limited(size)``."""
