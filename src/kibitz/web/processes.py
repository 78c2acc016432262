"""Work that would hold up the tables, in processes of their own: one line of JSON in, lines of JSON out.

A process that nobody listens to any more is ended, with all that it has started.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import suppress

LONGEST_LINE = 64 << 20
POLITE = 5.0
"""Seconds in which a process may end by itself once it is asked to."""


async def told_by(module: str, asked: bytes) -> AsyncIterator[bytes]:
    """The lines that ``main`` of a module writes when it is asked something."""
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-c",
        f"from {module} import main; main()",
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
        limit=LONGEST_LINE,
        start_new_session=True,
    )
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


async def ended(process: asyncio.subprocess.Process) -> None:
    """End a process: politely at first, so that what it has played is saved."""
    with suppress(ProcessLookupError):
        process.terminate()
    try:
        await asyncio.wait_for(process.wait(), POLITE)
    except TimeoutError:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
        await process.wait()
