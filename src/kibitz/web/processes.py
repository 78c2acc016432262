"""Work that would hold up the tables, in processes of their own: one line of JSON in, lines of JSON out.

A process that nobody listens to any more is ended, with all that it has started.  What stops the server from outside,
such as Ctrl-C, is the server's to hear: its processes are apart from the terminal.
"""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import AsyncIterator
from contextlib import suppress

from kibitz.executors.worker import KILL

LONGEST_LINE = 64 << 20
POLITE = 5.0
"""Seconds in which a process may end by itself once it is asked to."""


async def started(module: str, *, errors: int | None = None) -> Process:
    """A process that runs ``main`` of a module, with pipes to it and from it; OSError if there is none to be had.

    Its standard error is the server's own unless ``errors`` says otherwise.
    """
    apart = 0
    if sys.platform == "win32":
        apart = subprocess.CREATE_NEW_PROCESS_GROUP
    return await asyncio.create_subprocess_exec(
        sys.executable,
        "-c",
        f"from {module} import main; main()",
        stdin=PIPE,
        stdout=PIPE,
        stderr=errors,
        limit=LONGEST_LINE,
        process_group=0,
        creationflags=apart,
    )


async def told_by(module: str, asked: bytes) -> AsyncIterator[bytes]:
    """The lines that ``main`` of a module writes when it is asked something."""
    process = await started(module, errors=DEVNULL)
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        process.stdin.write(asked + b"\n")
        with suppress(ConnectionError):
            await process.stdin.drain()
        while line := await process.stdout.readline():
            yield line
        await process.wait()
    finally:
        if process.returncode is None:
            await asyncio.shield(ended(process))


async def ended(process: Process) -> None:
    """End a process: politely at first, so that what it has played is saved."""
    with suppress(ProcessLookupError):
        process.terminate()
    try:
        await asyncio.wait_for(process.wait(), POLITE)
    except TimeoutError:
        await killed(process)


async def killed(process: Process) -> None:
    """End a process at once, with all that it has started where the system has groups of processes."""
    if process.returncode is not None:
        return
    with suppress(ProcessLookupError, PermissionError):
        if KILL and hasattr(os, "killpg"):
            os.killpg(process.pid, KILL)
        else:
            process.kill()
    await process.wait()
