"""A server in its own process, and guests who reach it over the network."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from http.cookiejar import CookieJar
from pathlib import Path
from typing import Any

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
        self.address, self.jar = address, CookieJar()
        self.opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(self.jar))
        self.me = self.ask("GET", "/api/me")

    def ask(self, method: str, path: str, body: Any = None, **headers: str) -> Any:
        data = None if body is None else json.dumps(body).encode()
        more = {"Content-Type": "application/json", "X-Kibitz-CSRF": getattr(self, "me", {}).get("csrf", ""), **headers}
        request = urllib.request.Request(self.address + path, data, more, method=method)
        try:
            with self.opener.open(request, timeout=120) as answer:
                return json.loads(answer.read())
        except urllib.error.HTTPError as error:
            return json.loads(error.read())

    def upload(self, path: str, **fields: str | tuple[str, bytes]) -> Any:
        """Send a form; a file is given as its name and content."""
        body = b""
        for field, value in fields.items():
            name, content = value if isinstance(value, tuple) else ("", value.encode())
            file = f'; filename="{name}"' if name else ""
            body += f'--form\r\nContent-Disposition: form-data; name="{field}"{file}\r\n\r\n'.encode()
            body += content + b"\r\n"
        more = {"Content-Type": "multipart/form-data; boundary=form", "X-Kibitz-CSRF": self.me["csrf"]}
        request = urllib.request.Request(self.address + path, body + b"--form--\r\n", more, method="POST")
        with self.opener.open(request, timeout=120) as answer:
            return json.loads(answer.read())

    def connect(self, table: str) -> AbstractContextManager[ClientConnection]:
        cookie = "; ".join(f"{cookie.name}={cookie.value}" for cookie in self.jar)
        address = f"{self.address.replace('http', 'ws', 1)}/tables/{table}/live"
        return connect(address, additional_headers={"Cookie": cookie}, open_timeout=120)


def until(socket: ClientConnection, condition: Any) -> dict[str, Any]:
    """The next message for which ``condition`` is true."""
    while True:
        message: dict[str, Any] = json.loads(socket.recv(timeout=60))
        if condition(message):
            return message


def my_state(socket: ClientConnection) -> dict[str, Any]:
    """The next state in which this guest must choose, or the game is over."""
    return until(socket, lambda m: m["type"] == "state" and (m["mine"] or m["over"]))
