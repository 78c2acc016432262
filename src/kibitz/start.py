"""Where ``kibitz`` begins: handles Ctrl-C and closed streams before anything else is imported.

interrupt   Ctrl-C during the imports: the process ends with one sentence and status 130
streams     the three standard ones; those that our parent process closed are reopened or refused here

This module is imported first, and imports nothing slow.
"""

import os
import sys

INTERRUPTED = 130
SENTENCE = b"\nkibitz: interrupted.\n"


def interrupted(number: int = 0, frame: object = None) -> None:
    """End the process at once: either nothing has begun or everything is done."""
    try:
        os.write(2, SENTENCE)
    finally:
        os._exit(INTERRUPTED)


try:
    import signal
except KeyboardInterrupt:
    interrupted()


def on_interrupt(handler: signal.Handlers | object, instead_of: object) -> None:
    """Install this Ctrl-C handler, unless the parent process has Ctrl-C ignored."""
    if signal.getsignal(signal.SIGINT) is instead_of:
        signal.signal(signal.SIGINT, handler)  # type: ignore[arg-type]


on_interrupt(interrupted, signal.default_int_handler)


def main() -> int:
    """Run the ``kibitz`` command; return its exit status."""
    closed = open_streams()
    if closed:
        os.write(2, b"kibitz: standard output is closed: open it, or send it away with '>/dev/null'.\n")
        return 2
    from kibitz.cli import main as command

    on_interrupt(signal.default_int_handler, interrupted)
    try:
        return command()
    except KeyboardInterrupt:
        interrupted()
        return INTERRUPTED
    finally:
        on_interrupt(interrupted, signal.default_int_handler)


def open_streams() -> bool:
    """Open closed standard streams on the null device, to keep their numbers; return whether stdout was closed."""
    closed = sys.stdout is None
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)
    sys.stdin = sys.stdin or open(0, encoding="utf-8", closefd=False)  # noqa: SIM115
    sys.stdout = sys.stdout or open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
    sys.stderr = sys.stderr or open(2, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
    return closed
