"""Where ``kibitz`` begins: before anything else is imported, so that even the first moments end politely.

interrupt   Ctrl-C while the imports are at it: the process ends with one sentence and status 130
streams     the three standard ones; those that our parent process closed are reopened or refused here

This module imports nothing that takes time, and is imported first.
"""

import os
import sys

INTERRUPTED = 130
SENTENCE = b"\nkibitz: interrupted.\n"


def interrupted(number: int = 0, frame: object = None) -> None:
    """End at once: nothing has begun, or all is done."""
    try:
        os.write(2, SENTENCE)
    finally:
        os._exit(INTERRUPTED)


try:
    import signal
except KeyboardInterrupt:
    interrupted()


def on_interrupt(handler: signal.Handlers | object, instead_of: object) -> None:
    """Handle Ctrl-C in this way from now on, unless the parent process has it ignored."""
    if signal.getsignal(signal.SIGINT) is instead_of:
        signal.signal(signal.SIGINT, handler)  # type: ignore[arg-type]


on_interrupt(interrupted, signal.default_int_handler)


def main() -> int:
    """The ``kibitz`` command: its status."""
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
    """Open what is closed of the standard streams on nothing, so that no file gets its number; whether output was."""
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
