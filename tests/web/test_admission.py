"""A refused request leaves every row of both stores unchanged."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from pathlib import Path
from types import SimpleNamespace

import pytest

import kibitz.arena
from kibitz.sandbox import tier
from kibitz.web import jobs
from kibitz.web.access import HEADER
from kibitz.web.api import jobs as long_work
from kibitz.web.api import marks, people, players, uploads
from kibitz.web.app import OPERATIONS
from kibitz.web.live_tables import lobby
from tests.web.serving import PASSWORD, Somebody, account, lecturer_of, play_on, serving
from tests.web.test_arena import FIRST

pytestmark = [
    pytest.mark.skipif(not tier().confines, reason="this machine cannot confine player files"),
    pytest.mark.xdist_group("admission"),
]

UNSAFE = [operation for operation in OPERATIONS if operation.method != "GET"]
LAB = {"data": {"assignment": "cribbage-lab"}, "files": [("files", ("lab.py", b"x = 1\n"))]}
ALL = "all"


@pytest.fixture(scope="module")
def world(tmp_path_factory):
    """A server with a lecturer, an owner whose player has played, an open table, a finished game, and a stranger."""
    folder = tmp_path_factory.mktemp("admission")
    store = folder / "season.sqlite"
    with pytest.MonkeyPatch.context() as patch, serving(folder, arena=str(store), names=("testserver",)) as server:
        patch.setattr(jobs.Queue, "run", finish_at_once)
        patch.setattr(server.app_state.rates, "admits", lambda kind, who: True)
        lecturer = lecturer_of(server)
        owner, stranger = account(server, "Ada"), account(server, "Eve")
        with kibitz.arena.open(store) as arena:
            arena.begin("kuhn")
            made = arena.store.submit("kuhn", "Ada", "Ada", "a.py", FIRST, account=owner.me["id"])
            arena.store.record_check(made.id, passed=True, reason="", report="{}")
            arena.run("kuhn", rounds=1, workers=1)
        over = owner.table("kuhn", chairs=[{"kind": "me"}, {"kind": "computer"}])
        with owner.at(over) as line:
            play_on(line)
        chairs = [{"kind": "me"}, {"kind": "open"}, {"kind": "open"}]
        table = owner.post("/api/tables", {"game": "go:players=3", "chairs": chairs}).json()
        yield SimpleNamespace(
            server=server,
            app_state=server.app_state,
            folder=folder,
            lecturer=lecturer,
            owner=owner,
            stranger=stranger,
            guest=Somebody(server),
            over=over,
            table=table["table"],
            invite=table["invitations"][0]["path"].partition("invite=")[2],
            record=owner.get(f"/api/played/{over}/record.game").content,
            token=owner.post("/api/tokens", {"label": "mine"}).json()["id"],
            job=lecturer.post("/api/arena/kuhn/proof", {}).json()["job"],
            marking=lecturer.post("/api/marks", **LAB).json()["job"],
            dropped=lecturer.post("/api/marks", **LAB).json()["job"],
        )


async def finish_at_once(_, work, *__):
    """Do no work."""
    work.state = "done"


def admitted_requests(world):
    """By operation: who may ask and how, and the status for others (0 if everybody may ask)."""
    form = {"data": {"player": "Ada"}, "files": [("files", ("a.py", FIRST + b"#"))]}
    files = [("files", ("lab.py", b"x = 1\n"))]
    name = {"name": "Zoe", "password": PASSWORD}
    say = {"type": "say", "id": "s1", "phrase": 0}
    return {
        "POST /api/tables": (world.owner, {"json": {"game": "kuhn"}}, 0),
        "POST /api/tables/{table}/seat": (world.guest, {"json": {"invite": world.invite}}, 0),
        "POST /api/tables/quick": (world.owner, {"json": {"game": "kuhn"}}, 0),
        "POST /api/tables/{table}/fill": (world.owner, {}, 403),
        "POST /api/tables/{table}/remove": (world.owner, {"json": {"seat": 1}}, 403),
        "POST /api/tables/{table}/requests": (world.owner, {"json": say}, 0),
        "POST /api/played": (world.owner, {"files": [("record", ("a.game", world.record))]}, 0),
        "POST /api/played/{id}/verify": (world.owner, {}, 0),
        "POST /api/played/{id}/table": (world.owner, {"json": {"step": 0, "seat": 0, "level": "Easy"}}, 0),
        "PUT /api/played/{id}/favourite": (world.owner, {}, 0),
        "DELETE /api/played/{id}/favourite": (world.owner, {}, 0),
        "PUT /api/me": (world.guest, {"json": {"name": "Zed"}}, 409),
        "POST /api/accounts": (world.guest, {"json": name}, 0),
        "POST /api/session": (world.guest, {"json": {**name, "name": "Ada"}}, 0),
        "DELETE /api/session": (world.guest, {}, 0),
        "POST /api/tokens": (world.owner, {"json": {"label": "x"}}, 0),
        "DELETE /api/tokens/{token}": (world.owner, {}, 404),
        "POST /api/lecturers": (world.lecturer, {}, 403),
        "POST /api/arena": (world.lecturer, {"json": {"game": "leduc"}}, 403),
        "PUT /api/roster": (world.lecturer, {"files": [("roster", ("r.csv", b"name,owner\nCem,Cem\n"))]}, 403),
        "POST /api/arena/{name}/freeze": (world.lecturer, {}, 403),
        "POST /api/arena/{name}/thaw": (world.lecturer, {}, 403),
        "PUT /api/arena/{name}/deadline": (world.lecturer, {"json": {}}, 403),
        "POST /api/arena/{name}/submissions": (world.owner, form, 0),
        "DELETE /api/jobs/{job}": (world.lecturer, {}, 404),
        "POST /api/played/{id}/review": (world.owner, {}, 0),
        "POST /api/arena/{name}/matches/{match}/calls": (world.owner, {}, 403),
        "POST /api/arena/{name}/custom": (world.owner, {"json": {"players": ["Ada", "random"]}}, 0),
        "POST /api/arena/{name}/rounds": (world.lecturer, {"json": {}}, 403),
        "POST /api/arena/{name}/final": (world.lecturer, {"json": {}}, 403),
        "POST /api/arena/{name}/proof": (world.lecturer, {"json": {"replay": 1}}, 403),
        "POST /api/arena/{name}/feedback": (world.lecturer, {}, 403),
        "POST /api/arena/{name}/class": (world.lecturer, {"files": files}, 403),
        "POST /api/marks": (world.owner, LAB, 0),
        "PUT /api/deadlines/{assignment}": (world.lecturer, {"json": {"due": "2026-10-16T17:00:00+11:00"}}, 403),
        "DELETE /api/deadlines/{assignment}": (world.lecturer, {}, 403),
        "POST /api/marks/{job}": (world.lecturer, {"files": files}, 403),
        "DELETE /api/marks/{job}": (world.lecturer, {}, 403),
        "POST /api/marks/{job}/similar": (world.lecturer, {"files": [("starter", ("a.py", b"x = 1\n"))]}, 403),
    }


def operation_name(operation):
    return f"{operation.method} {operation.path}"


def path_of(world, operation):
    parts = {
        "table": world.table,
        "id": world.over,
        "name": "kuhn",
        "match": 1,
        "token": world.token,
        "assignment": "go",
    }
    job = world.dropped if operation.method == "DELETE" else world.marking
    return operation.path.format(job=job if "/marks/" in operation.path else world.job, **parts)


def rows(world):
    """Every row of both stores, and every upload kept for jobs."""
    found = {}
    for file in ("server.sqlite", "season.sqlite"):
        with closing(sqlite3.connect(world.folder / file)) as store:
            names = [name for (name,) in store.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
            for name in names:
                found[file, name] = sorted(map(repr, store.execute(f'SELECT * FROM "{name}"')))
    folders = [Path(world.app_state.jobs.folder.name), world.app_state.jobs.marks]
    found["uploads"] = sorted(str(path) for folder in folders for path in folder.rglob("*"))
    return found


def send(somebody, operation, path, *, headers=None, **how):
    headers = {HEADER: somebody.me["csrf"], **(headers or {})}
    return somebody.client.request(operation.method, path, headers=headers, **how)


BAD = {"content": b'{"nothing": [', "headers": {"Content-Type": "application/json"}}
STRANGE = {"json": {"no such field": 1}}
BAD_FORMS = (
    {"data": {"nothing": "x"}, "files": [("nothing", ("x", b""))]},
    {"data": {"player": "Ada", "files": "no file", "record": "no file", "assignment": "chess"}, "files": {"x": b""}},
    {"data": {"assignment": "cribbage-lab", "hidden": "many"}, "files": [("files", ("lab.py", b"x = 1\n"))]},
    {"data": {"assignment": "cribbage-lab"}, "files": [(name, ("a.py", b"")) for name in ("files", "marks", "marks")]},
)


def bodies(world, operation, how):
    """Invalid bodies: of another type, unreadable, or with other fields."""
    if operation.json_body:
        yield from (BAD, STRANGE, {"content": b"x", "headers": {"Content-Type": "text/plain"}}, {"json": None})
    if operation.form:
        yield from (BAD, *BAD_FORMS)
    if "record" in (field.name for field in operation.form):
        yield {"files": [("record", ("a.game", world.record)), ("record", (None, "no file"))]}
    if "json" in how:
        yield {"json": {**how["json"], "name": "x" * 5000, "players": ["Nobody"], "rounds": -1, "game": "chess"}}


def limits(world, operation):
    """Limits that can be reached, by the status that reports them."""
    yield 429, world.app_state.rates, "admits", lambda kind, who: kind != "request"
    if operation.rate:
        yield 429, world.app_state.rates, "admits", lambda kind, who: kind != operation.rate
    if operation.status == 202 and operation.handler not in (
        players.submit_player,
        long_work.start_final,
    ):  # no final starts here
        yield 429, jobs, "MAX_RUNNING", 0
        yield 503, jobs, "MAX_WAITING", 0
        if operation.handler not in (long_work.start_review, long_work.start_feedback, marks.compare_submissions):
            yield 503, uploads, "why_no_sandbox", lambda: "not here"
    if operation.handler is players.submit_player:
        yield 503, jobs, "MAX_CHECKS_WAITING", 0
        yield 503, uploads, "why_no_sandbox", lambda: "not here"
    if operation.path in ("/api/tables", "/api/tables/quick"):
        yield 409, lobby, "MAX_OPEN", 0
    if operation.path == "/api/tokens":
        yield 409, people, "MAX_TOKENS", 0
    if operation.path == "/api/session" and operation.method == "POST":
        for each in ("guess", "name"):
            yield 429, world.app_state.rates, "admits", lambda kind, who, each=each: kind != each


@pytest.mark.parametrize("operation", UNSAFE, ids=operation_name)
def test_a_refused_request_changes_nothing(world, operation):
    somebody, how, other = admitted_requests(world)[operation_name(operation)]
    path = path_of(world, operation)
    before = rows(world)

    def refused(answer, status, why):
        assert answer.status_code == status or (status == ALL and 400 <= answer.status_code < 500), (why, answer.text)
        assert "error" in answer.json()
        assert rows(world) == before, why

    csrf = dict(how, headers={HEADER: "0" * 32})
    refused(send(somebody, operation, path, **csrf), 403, "no code of our pages")
    refused(send(somebody, operation, path, **dict(how, headers={"Host": "evil.example"})), 403, "another host")
    token = {"Authorization": "Bearer kbz_none"}
    refused(send(somebody, operation, path, **dict(how, headers=token)), 401, "a token of nobody")
    if operation.role:
        refused(send(Somebody(world.server), operation, path, **how), 401, "not signed in")
    if other:
        refused(send(world.stranger, operation, path, **how), other, "somebody else")
    for body in bodies(world, operation, how):
        refused(send(somebody, operation, path, **body), ALL, f"body {body}")
    if "/marks/" in operation.path:
        refused(
            send(somebody, operation, path.replace(world.marking, "0" * 16).replace(world.dropped, ".."), **how),
            404,
            "none",
        )
    if "{name}" in operation.path:
        refused(send(somebody, operation, path.replace("kuhn", "nowhere"), **how), 404, "no such tournament")
    for status, place, name, value in limits(world, operation):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(place, name, value)
            refused(send(somebody, operation, path, **how), status, f"{name} {status}")


def test_only_admitted_custom_games_are_started(world, monkeypatch):
    monkeypatch.setattr(jobs.Queue, "run", lambda *_: asyncio.sleep(0))  # it never ends
    before = rows(world)["season.sqlite", "tournaments"]

    def custom(_):
        return world.stranger.post("/api/arena/kuhn/custom", {"players": ["random"]}).status_code

    with ThreadPoolExecutor(12) as threads:
        told = sorted(threads.map(custom, range(12)))
    assert told == [202] * jobs.MAX_RUNNING + [429] * (12 - jobs.MAX_RUNNING)
    assert len(rows(world)["season.sqlite", "tournaments"]) == len(before) + jobs.MAX_RUNNING


def test_every_unsafe_operation_has_an_admitted_request(world):
    asked = admitted_requests(world)
    assert {operation_name(operation) for operation in UNSAFE} == asked.keys()
    last = ("seat", "remove", "fill", "me", "accounts", "session", "freeze", "final")  # each makes others impossible
    order = sorted(UNSAFE, key=lambda one: next((n for n, end in enumerate(last, 1) if one.path.endswith(end)), 0))
    for operation in order:
        somebody, how, _ = asked[operation_name(operation)]
        answer = send(somebody, operation, path_of(world, operation), **how)
        with suppress(json.JSONDecodeError):
            somebody.me = somebody.me | ({"csrf": answer.json()["csrf"]} if "csrf" in answer.json() else {})
        assert answer.status_code < 400, (operation_name(operation), answer.text)
