"""A server in the test's process: its store is in a temporary folder; computer players and jobs run in threads."""

from __future__ import annotations

import asyncio
import io
import json
import zipfile
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest
from starlette.testclient import TestClient, WebSocketTestSession

from kibitz.errors import KibitzError
from kibitz.web import jobs
from kibitz.web.api.people import welcome_code
from kibitz.web.app import application
from kibitz.web.app_state import AppState, Config
from kibitz.web.job_process import JobStatus, Order
from kibitz.web.processes import SearchPool

SOON = {"pace": "skip", "auto": False}
"""Table settings without pauses."""
OPEN = [{"kind": "me"}, {"kind": "open"}]
"""The seats of a table for two people."""


class ThreadSearchPool(SearchPool):
    """Computes in threads: the processes of the real pool take seconds to start."""

    async def ask(self, question: Callable[..., Any], *arguments: Any) -> Any:
        return await asyncio.to_thread(question, *arguments)


async def lines_of_thread(module: str, order: bytes) -> AsyncIterator[bytes]:
    """The last status line of a job, done in a thread."""

    def status() -> JobStatus:
        try:
            todo = msgspec.json.decode(order, type=Order)
            return todo.work.carry_out(lambda done, of: None, Path(todo.folder))
        except KibitzError as error:
            return JobStatus(ended=True, sentence=str(error))

    yield msgspec.json.encode(await asyncio.to_thread(status))


class ServerApp:
    """The application; its state is opened and closed by the ASGI lifespan messages."""

    def __init__(self, config: Config) -> None:
        self.config = config
        self.app_state: AppState | None = None

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "lifespan":
            await self.app(scope, receive, send)
            return
        await receive()
        self.app_state = await AppState.open(self.config, ThreadSearchPool())
        self.app = application(self.app_state)
        await send({"type": "lifespan.startup.complete"})
        await receive()
        await self.app_state.close()
        await send({"type": "lifespan.shutdown.complete"})


@contextmanager
def serving(folder: Path, *, processes: bool = False, **config: Any) -> Iterator[ServerApp]:
    """A running server; ``Somebody(server)`` is a person who uses it. ``processes`` do its jobs instead of threads."""
    app = ServerApp(Config(store=str(folder / "server.sqlite"), **config))
    with pytest.MonkeyPatch.context() as patch, TestClient(app, base_url="http://testserver") as client:
        if not processes:
            patch.setattr(jobs, "answer_lines", lines_of_thread)
        app.client = client  # type: ignore[attr-defined]
        yield app


class Somebody:
    """A person with a browser: cookies, the CSRF token, and requests."""

    def __init__(self, server: ServerApp, base: str = "") -> None:
        inner: TestClient = server.client  # type: ignore[attr-defined]
        self.client = TestClient(server, base_url="http://testserver")
        self.client.portal = inner.portal
        self.base = base
        self.me = self.get("/api/me").json()

    def get(self, path: str, **more: Any) -> Any:
        return self.client.get(self.base + path, **more)

    def send(self, method: str, path: str, body: Any = None, **more: Any) -> Any:
        headers = {"X-Kibitz-CSRF": self.me["csrf"], **more.pop("headers", {})}
        if body is not None:
            more["json"] = body
        return self.client.request(method, self.base + path, headers=headers, **more)

    def post(self, path: str, body: Any = None, **more: Any) -> Any:
        return self.send("POST", path, body, **more)

    def table(self, game: str, **more: Any) -> str:
        """The id of a new table without pauses."""
        answer = self.post("/api/tables", {"game": game, "settings": SOON, **more})
        assert answer.status_code == 201, answer.text
        return str(answer.json()["table"])

    def inviting(self, game: str = "kuhn", chairs: Any = OPEN, **more: Any) -> tuple[str, str]:
        """The id of a new table with open seats, and the code of its first invitation."""
        made = self.post("/api/tables", {"game": game, "chairs": chairs, **more}).json()
        return made["table"], made["invitations"][0]["path"].partition("invite=")[2]

    @contextmanager
    def at(self, table: str, query: str = "") -> Iterator[Line]:
        """A connection to a table."""
        with self.client.websocket_connect(f"{self.base}/tables/{table}/live{query}") as socket:
            yield Line(socket)


class Line:
    """A client's WebSocket; ``seen`` has all messages received so far."""

    def __init__(self, socket: WebSocketTestSession) -> None:
        self.socket = socket
        self.seen: list[dict[str, Any]] = []
        self.raw: list[str] = []
        self.number = 0

    def read(self) -> dict[str, Any]:
        text = self.socket.receive_text()
        self.raw.append(text)
        self.seen.append(json.loads(text))
        return self.seen[-1]

    def until(self, condition: Callable[[dict[str, Any]], Any], most: int = 3000) -> dict[str, Any]:
        """The next message for which ``condition`` is true."""
        for _ in range(most):
            if condition(message := self.read()):
                return message
        raise AssertionError(f"no such message among {most}")

    def state(self) -> dict[str, Any]:
        """The next state in which this person must choose, or the game is over."""
        return self.until(lambda m: m["type"] == "state" and (m["mine"] or m["over"]))

    def ask(self, kind: str, **more: Any) -> dict[str, Any]:
        """Send a request; returns its answer."""
        self.number += 1
        request = {"type": kind, "id": f"r{self.number}", **more}
        self.socket.send_text(json.dumps(request))
        return self.until(lambda m: m.get("id") == request["id"])

    def send(self, text: str) -> None:
        self.socket.send_text(text)


PASSWORD = "four words are enough"


def account(server: ServerApp, name: str, **more: Any) -> Somebody:
    """Somebody with a new account."""
    somebody = Somebody(server)
    answer = somebody.post("/api/accounts", {"name": name, "password": PASSWORD, **more})
    assert answer.status_code == 200, answer.text
    somebody.me = answer.json()
    return somebody


def lecturer_of(server: ServerApp) -> Somebody:
    """The lecturer, Lee, who already has an account in an existing store."""
    code = server.client.portal.call(welcome_code, server.app_state)  # type: ignore[attr-defined]
    if code:
        return account(server, "Lee", welcome=code)
    lee = Somebody(server)
    lee.me = lee.post("/api/session", {"name": "Lee", "password": PASSWORD}).json()
    return lee


def zipped(files: Mapping[str, str | bytes]) -> bytes:
    """A ZIP archive of files."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        for name, source in files.items():
            archive.writestr(name, source)
    return content.getvalue()


def unzipped(content: bytes) -> dict[str, str]:
    """The files in a ZIP archive, as text."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return {name: archive.read(name).decode(errors="replace") for name in archive.namelist()}


def play_on(line: Line, choose: Callable[[dict[str, Any]], dict[str, Any]] | None = None) -> dict[str, Any]:
    """Choose the first action, or with ``choose``, until the game is over; returns the last state."""
    state = line.state()
    while not state["over"]:
        chosen = choose(state) if choose else {"action": state["legal"][0]["action"]}
        answer = line.ask("act", turn=state["turn"], **chosen)
        assert answer["type"] == "done", answer
        state = line.state()
    return state
