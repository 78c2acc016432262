"""A server in its own process, and guests who reach it over the network."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any

import httpx2
from websockets.sync.client import ClientConnection, connect


class Program:
    """``kibitz serve`` at a free port; ``kill`` ends it as a system crash would."""

    def __init__(self, store: Path, *words: str) -> None:
        command = [sys.executable, "-m", "kibitz", "serve", "--port", "0", "--database", str(store), "--workers", "1"]
        self.process = subprocess.Popen(
            [*command, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
        )
        assert self.process.stdout is not None
        first = self.process.stdout.readline()
        found = re.search(r"http://(\S+?):(\d+)(\S*)/$", first.strip())
        if found is None:
            raise AssertionError(first + self.process.stderr.read())
        self.address = f"http://{found[1]}:{found[2]}{found[3]}"
        self.link = self.process.stdout.readline().strip()

    def kill(self) -> None:
        """Kill the server without a warning."""
        os.kill(self.process.pid, signal.SIGKILL)
        self.process.communicate(timeout=120)

    def children(self) -> list[int]:
        """The process ids of its running child processes."""
        found = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text(encoding="ascii")
        return [int(pid) for pid in found.split()]

    def stop(self) -> int:
        """Terminate the server and wait for it; returns its status."""
        self.process.terminate()
        _, self.logged = self.process.communicate(timeout=120)
        return self.process.returncode


@contextmanager
def running(store: Path, *words: str) -> Iterator[Program]:
    """A server that is killed at the end if it is still running."""
    program = Program(store, *words)
    try:
        yield program
    finally:
        if program.process.poll() is None:
            program.kill()


class Guest:
    """A guest with cookies, which stay valid when another server opens the same store."""

    def __init__(self, address: str) -> None:
        self.address, self.me = address, dict[str, Any]()
        self.client = httpx2.Client(headers={"Connection": "close"}, timeout=120, trust_env=False)
        self.me = self.ask("GET", "/api/me")

    @property
    def cookies(self) -> dict[str, str]:
        """The cookies as a header."""
        return {"Cookie": "; ".join(f"{name}={value}" for name, value in self.client.cookies.items())}

    def ask(self, method: str, path: str, body: Any = None, **more: Any) -> Any:
        headers = {"X-Kibitz-CSRF": self.me.get("csrf", "")}
        return self.client.request(method, self.address + path, json=body, headers=headers, **more).json()

    def upload(self, path: str, **fields: str | tuple[str, bytes]) -> Any:
        """Send a form; a file is given as its name and content."""
        form = {name: value if isinstance(value, tuple) else (None, value) for name, value in fields.items()}
        return self.ask("POST", path, files=form)

    def connect(self, table: str) -> AbstractContextManager[ClientConnection]:
        address = f"{self.address.replace('http', 'ws', 1)}/tables/{table}/live"
        return connect(address, additional_headers=self.cookies, open_timeout=120)


def until(socket: ClientConnection, condition: Any) -> dict[str, Any]:
    """The next message for which ``condition`` is true."""
    while True:
        message: dict[str, Any] = json.loads(socket.recv(timeout=60))
        if condition(message):
            return message


def my_state(socket: ClientConnection) -> dict[str, Any]:
    """The next state in which this guest must choose, or the game is over."""
    return until(socket, lambda m: m["type"] == "state" and (m["mine"] or m["over"]))
