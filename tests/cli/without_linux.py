"""Runs ``kibitz`` as on a system without Linux: ``python without_linux.py LIST ARGUMENTS...``.

The listed names are removed after Python's own modules that depend on them are loaded, since those modules would have
alternatives on a real system; files under /proc and /sys are hidden too.
"""

import _socket
import asyncio
import builtins
import importlib
import io
import os
import select
import signal
import socket
import sys
import tempfile
import warnings
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

LOADED = (
    "subprocess",
    "tempfile",
    "threading",
    "socket",
    "selectors",
    "multiprocessing.connection",
    "asyncio",
    "ctypes",
    "shutil",
)


def hide(listed: str) -> None:
    """Remove the listed names."""
    for module in (*LOADED, *(line.partition(":")[0] for line in listed.splitlines() if ":" in line)):
        with suppress(ImportError), warnings.catch_warnings(action="ignore"):
            importlib.import_module(module)
    # Elsewhere these modules end processes and open files in other ways; here they keep the Linux ways.
    tempfile._os = SimpleNamespace(**vars(os))  # type: ignore[attr-defined]
    for name in ("subprocess", "socket", "selectors", *(name for name in sys.modules if name.startswith("asyncio."))):
        for part in (os, signal, socket, _socket, select):
            if vars(sys.modules[name]).get(part.__name__) is part:
                setattr(sys.modules[name], part.__name__, SimpleNamespace(**vars(part)))
    asyncio.selector_events.socket.socketpair = partial(socket.socketpair, socket.AF_UNIX)
    for line in listed.splitlines():
        name, colon, parts = line.partition(":")
        if name.startswith("asyncio."):
            continue  # its internals, which differ elsewhere
        if not colon:
            sys.modules[name.strip()] = None  # type: ignore[assignment]
        for part in parts.split():
            if hasattr(sys.modules.get(name), part):
                delattr(sys.modules[name], part)


def unreadable(opened: Callable[..., Any]) -> Callable[..., Any]:
    """``open`` that can't find files in Linux's own folders."""

    def with_care(file: Any, *args: Any, **named: Any) -> Any:
        if str(file).startswith(("/proc", "/sys/")):
            raise FileNotFoundError(2, "No such file or directory", str(file))
        return opened(file, *args, **named)

    return with_care


def hide_linux(listed: str) -> None:
    """Remove the names listed in this file, and hide Linux's own folders."""
    hide(Path(listed).read_text(encoding="utf-8"))
    builtins.open = io.open = unreadable(open)
    for name in ("listdir", "readlink"):
        setattr(os, name, unreadable(getattr(os, name)))


if __name__ == "__main__":
    hide_linux(sys.argv[1])
    sys.argv = ["kibitz", *sys.argv[2:]]
    from kibitz.start import main

    sys.exit(main())
