"""The entry point of ``kibitz``: it handles Ctrl-C and closed streams before anything else is imported.

Ctrl-C during the imports, or after the command, ends the process with one sentence and exit status 130.  If the parent
process has closed standard output, that is an error; closed standard input and standard error are opened on the null
device.

This module is imported first, and imports nothing slow.
"""

import os
import sys

INTERRUPTED = 130
"""The exit status after Ctrl-C."""


def end_process(number: int = 0, frame: object = None) -> None:
    """Handle Ctrl-C by ending the process at once: the command hasn't begun, or is done."""
    try:
        os.write(2, b"\nkibitz: interrupted.\n")
    finally:
        os._exit(INTERRUPTED)


try:
    import signal
except KeyboardInterrupt:
    end_process()


def replace_handler(old: object, new: signal.Handlers | object) -> None:
    """Replace the Ctrl-C handler ``old`` by ``new``; any other stays, such as SIG_IGN set by the parent process."""
    if signal.getsignal(signal.SIGINT) is old:
        signal.signal(signal.SIGINT, new)  # type: ignore[arg-type]


replace_handler(signal.default_int_handler, end_process)


def main() -> int:
    """Run the ``kibitz`` command; return its exit status."""
    stdout_was_closed = open_streams()
    if stdout_was_closed:
        os.write(2, b"kibitz: standard output is closed: open it, or redirect it with '>/dev/null'.\n")
        return 2
    from kibitz.cli import main as command

    replace_handler(end_process, signal.default_int_handler)
    try:
        return command()
    except KeyboardInterrupt:
        end_process()
        return INTERRUPTED
    finally:
        replace_handler(signal.default_int_handler, end_process)


def open_streams() -> bool:
    """Open closed standard streams on the null device; return whether standard output was closed.

    Otherwise the next file to be opened would get the number of a standard stream.
    """
    stdout_was_closed = sys.stdout is None
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)
    sys.stdin = sys.stdin or open(0, encoding="utf-8", closefd=False)  # noqa: SIM115
    sys.stdout = sys.stdout or open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
    sys.stderr = sys.stderr or open(2, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
    return stdout_was_closed
