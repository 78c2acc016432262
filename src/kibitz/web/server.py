"""Runs a server, from binding the address to the last acknowledged action.

A signal that stops the process ends the server gracefully: everybody at a table is asked to reconnect, and then the
server closes. Acknowledged actions are already in the store, so even ``kill -9`` loses none of them.
"""

from __future__ import annotations

import asyncio
import errno
import json
import logging
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

import uvicorn

from kibitz.arena.signals import first_signal
from kibitz.errors import KibitzError, cause
from kibitz.web.api.people import welcome_code
from kibitz.web.app import application
from kibitz.web.app_state import AppState, Config
from kibitz.web.live_tables.websocket import MAX_MESSAGE

SHUTDOWN_SECONDS = 3
MAX_FILES = 65_536
Ready = Callable[[str, str], None]
"""Called with the address of the server and the lecturers' one-time link, which may be empty."""


class Server(uvicorn.Server):
    """uvicorn's server, which reports when it is ready and closes tables before it ends."""

    def __init__(self, config: uvicorn.Config, app_state: AppState, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self.app_state, self.ready = app_state, ready

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """The first signal ends the server gracefully; the second one ends it at once."""

        def stop() -> None:
            self.should_exit = True

        with first_signal(stop):
            yield

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start serving, and call ``ready``."""
        await super().startup(sockets)
        self.ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Close the tables, and stop serving."""
        await self.app_state.lobby.close()
        await super().shutdown(sockets)


def serve(config: Config, host: str, port: int, ready: Ready, *, log_requests: bool = False) -> None:
    """Serve until stopped; every request is logged if ``log_requests``.

    Raises KibitzError if the address or the store is not available.
    """
    listening = listening_socket(host, port)
    with listening:
        asyncio.run(run_server(config, listening, ready, log_requests=log_requests))


async def run_server(config: Config, listening: socket.socket, ready: Ready, *, log_requests: bool) -> None:
    """Open the application, serve it, and close it."""
    raise_file_limit()
    app_state = await AppState.open(config)
    log_as_json(log_requests=log_requests)
    try:
        code = await welcome_code(app_state)
        address = address_of(listening) + config.base
        link = f"{address}/welcome/{code}" if code else ""
        settings = uvicorn.Config(
            application(app_state),
            ws="websockets-sansio",
            ws_max_size=4 * MAX_MESSAGE,
            log_config=None,
            access_log=False,
            lifespan="off",
            server_header=False,
            timeout_graceful_shutdown=SHUTDOWN_SECONDS,
        )
        await Server(settings, app_state, lambda: ready(f"{address}/", link)).serve([listening])
    finally:
        await app_state.close()


def raise_file_limit() -> None:
    """Raise the limit on open files as far as allowed: each connection is one, and 1024 are soon used up."""
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return
    _, hard_limit = resource.getrlimit(resource.RLIMIT_NOFILE)
    soft_limit = MAX_FILES if hard_limit == resource.RLIM_INFINITY else min(hard_limit, MAX_FILES)
    with suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft_limit, hard_limit))


def listening_socket(host: str, port: int) -> socket.socket:
    """A socket at an address. Raises KibitzError if the address is not available."""
    try:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        return socket.create_server((host, port), family=family, backlog=512)
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise KibitzError(
                f"port {port} of {host} is in use: stop the program that uses it, or give another --port."
            ) from error
        raise KibitzError(f"{host}, port {port} can't be used: {cause(error)}.") from error
    except (OverflowError, UnicodeError) as error:
        raise KibitzError(f"{host}, port {port} can't be used: give a --host and a --port up to 65535.") from error


def address_of(listening: socket.socket) -> str:
    """The address for a browser on this machine."""
    host, port = listening.getsockname()[:2]
    host = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(host, f"[{host}]" if ":" in host else host)
    return f"http://{host}:{port}"


def log_as_json(*, log_requests: bool) -> None:
    """Log to stderr, one JSON object per line: warnings, and requests if ``log_requests``."""
    handler = logging.StreamHandler()
    handler.setFormatter(JsonFormatter())
    for name in ("kibitz.web", "uvicorn.error"):
        logger = logging.getLogger(name)
        logger.handlers, logger.propagate = [handler], False
        logger.setLevel(logging.INFO if log_requests and name == "kibitz.web" else logging.WARNING)


class JsonFormatter(logging.Formatter):
    """Formats a log record as one line of JSON, with the record's ``fields``."""

    def format(self, record: logging.LogRecord) -> str:
        """One line."""
        line = {
            "at": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(record.created)),
            "level": record.levelname.lower(),
            "says": record.getMessage(),
            **getattr(record, "fields", {}),
        }
        if record.exc_info:
            line["trace"] = self.formatException(record.exc_info)
        return json.dumps(line)
