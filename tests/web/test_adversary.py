"""Attacks by somebody who has read the source: stopping games, overloading the server, seeing hidden data."""

from __future__ import annotations

import asyncio
import os
import re
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace
from urllib.parse import quote

import pytest
from sqlalchemy import text as sql
from starlette.websockets import WebSocketDisconnect

import kibitz.arena
from kibitz.database.transactions import TEMPORARY, engine_of
from kibitz.errors import MachineError
from kibitz.web import access, app, guards, processes
from kibitz.web.access import RATES, ConcurrencyLimit, Rates, network
from kibitz.web.app_state import ThreadLimit
from kibitz.web.live_tables import bots
from kibitz.web.processes import QuestionOutcome, SearchPool, WorkerGone
from tests.web.serving import Somebody, play_on, serving


def close_reason(line):
    """Read a connection to its end; returns the reason for closing it."""
    with pytest.raises(WebSocketDisconnect) as cut:
        line.until(lambda message: False)
    return cut.value.reason


# ---------------------------------------------------------------- messages and bodies


def test_deeply_nested_messages_are_refused_and_the_connection_stays(eve):
    table, deep = eve.table("kuhn"), '{"a":' + "[" * 15_000 + "]" * 15_000 + ',"type":"ping","id":"x"}'
    sent = eve.post(f"/api/tables/{table}/requests", content=deep, headers={"Content-Type": "application/json"})
    assert (sent.status_code, "nested too deeply" in sent.text) == (400, True)
    with eve.at(table) as line:
        line.send('{"a":' + "[" * 12_000)
        assert "can't be read" in line.until(lambda m: m["type"] == "refused")["sentence"]
        assert line.ask("ping")["type"] == "pong"


def test_an_endless_body_is_given_up(monkeypatch):
    monkeypatch.setattr(guards, "MAX_BODY_SECONDS", 0.2)
    told = []

    async def drip():
        await asyncio.sleep(0.05)
        return {"type": "http.request", "body": b"{", "more_body": True}

    async def read(scope, receive, send):
        while (await receive()).get("more_body"):
            pass

    async def send(message):
        told.append(message)

    scope = {"type": "http", "path": "/", "headers": []}
    asyncio.run(asyncio.wait_for(guards.Guards(read, "")(scope, drip, send), 5))
    assert told[0]["status"] == 408


def test_waiting_for_a_disconnect_has_no_body_timeout(monkeypatch):
    monkeypatch.setattr(guards, "MAX_BODY_SECONDS", 0.05)
    messages = [{"type": "http.request", "body": b"", "more_body": False}, {"type": "http.disconnect"}]

    async def receive():
        await asyncio.sleep(0.03)
        return messages.pop(0)

    async def both():
        take = guards.limit_body(receive, 10)
        await take()
        await asyncio.sleep(0.1)
        return await take()

    assert asyncio.run(both())["type"] == "http.disconnect"


def test_unknown_tables_leave_nothing_behind(server, eve):
    for number in range(20):
        assert eve.get(f"/api/tables/{'x' * 500}{number}").status_code == 404
    assert not server.app_state.lobby.opening


def test_an_invalid_token_is_refused_on_unknown_pages_too(eve):
    answer = eve.get("/nowhere", headers={"Accept": "text/html", "Authorization": "Bearer kbz_none"})
    assert answer.status_code == 401


# ---------------------------------------------------------------- rates and amounts


def test_ipv6_addresses_of_one_network_are_one_client():
    assert network("2001:db8:1:2::1") == network("2001:db8:1:2:ffff::9%eth0")
    assert network("2001:db8:1:2::1") != network("2001:db8:1:3::1")
    assert network("::ffff:192.0.2.7") == network("192.0.2.7") != network("192.0.2.8")
    assert network("testclient") == "testclient"


def test_one_kind_of_request_does_not_evict_the_limits_of_another(monkeypatch):
    monkeypatch.setattr(access, "MAX_CLIENTS", 50)
    for kind in RATES:
        known = Rates(clock=lambda: 0.0)
        while known.admits(kind, "eve"):
            pass
        for other in RATES:
            for number in range(100 if other != kind else 40):
                known.admits(other, f"eve {number}")
        assert not known.admits(kind, "eve"), kind


@pytest.mark.long
def test_an_attacker_cannot_lock_another_account(server, ann, eve, monkeypatch):
    words = {"name": "Ann Other", "password": "four words are enough"}
    ann.me = ann.post("/api/accounts", words).json()
    monkeypatch.setattr(server.app_state, "rates", Rates())
    wrong = [eve.post("/api/session", words | {"password": "wrong"}).status_code for _ in range(12)]
    assert wrong[0] == 401
    assert wrong[-1] == 429
    monkeypatch.setattr("kibitz.web.api.people.address", lambda request: "192.0.2.99")
    assert Somebody(server).post("/api/session", words).status_code == 200


def test_one_address_cannot_take_all_connections(server, eve, monkeypatch):
    monkeypatch.setattr(server.app_state, "connection_limit", ConcurrencyLimit(2))
    table = eve.table("kuhn")
    with eve.at(table) as one, eve.at(table) as other:
        one.state(), other.state()
        with eve.at(table) as third:
            assert "2 connections" in close_reason(third)
        assert eve.get(f"/api/tables/{table}/stream").status_code == 429
    with eve.at(table) as again:
        again.state()


def test_long_work_is_queued_and_leaves_threads_for_tables():
    async def crowded():
        turns, running, most = ThreadLimit(2), [], []

        def work():
            running.append(1)
            most.append(len(running))
            time.sleep(0.02)
            running.pop()

        many = [asyncio.create_task(turns.run(work)) for _ in range(60)]
        await asyncio.sleep(0.01)
        began = time.perf_counter()
        await asyncio.to_thread(int)
        took = time.perf_counter() - began
        await asyncio.gather(*many)
        return max(most), took

    most, took = asyncio.run(crowded())
    assert most == 2
    assert took < 0.3


# ---------------------------------------------------------------- at tables


def test_spectators_cannot_flood_the_chat(server, ann, eve):
    table, _ = ann.inviting(settings={"auto": False})
    with ann.at(table) as line:
        said = []
        for _ in range(3):
            looker = Somebody(server)
            with looker.at(table) as other:
                said += [other.ask("say", phrase=0)["type"] for _ in range(6)]
        assert said.count("done") <= RATES["say"].burst + 2
        assert "Too many requests" in "".join(m.get("sentence", "") for m in other.seen)
        assert line.ask("say", text="Hello")["type"] == "done"


def test_a_private_table_admits_invited_guests_and_ends_watching_at_the_deal(server, ann, eve):
    table, invite = ann.inviting(settings={"auto": False, "watching": "nobody"})
    ben = Somebody(server)
    assert ben.get(f"/tables/{table}?invite={invite}", headers={"Accept": "text/html"}).status_code == 200
    with eve.at(table) as looker, ben.at(table) as line:
        assert looker.read()["seat"] == -1
        assert ben.post(f"/api/tables/{table}/seat", {"invite": invite}).status_code == 200
        assert line.until(lambda m: m["type"] == "hello" and m["seat"] == 1)["started"]
        assert "can't be watched" in close_reason(looker)
        assert all(not m.get("events") and not m.get("scene") for m in looker.seen if m["type"] in ("events", "state"))
    with eve.at(table) as again:
        assert "can't be watched" in close_reason(again)
    assert eve.get(f"/api/tables/{table}").status_code == 403


def test_a_private_game_stays_private_after_its_end(ann, eve):
    table = ann.table("kuhn", settings={"pace": "skip", "auto": False, "watching": "nobody"})
    with ann.at(table) as line:
        play_on(line)
    path = f"/api/played/{table}"
    views = (f"/games/{table}", path, f"{path}/steps", f"{path}/record.game")
    for somebody, status in ((ann, 200), (eve, 403)):
        assert [somebody.get(view).status_code for view in views] == [status] * len(views)
        assert somebody.post(f"{path}/verify").status_code == status
    assert eve.post(f"{path}/review").status_code == 403
    assert table not in eve.get("/api/tables").text + eve.get("/api/played").text


def test_a_repeated_hint_is_not_computed_again(server, eve, monkeypatch):
    asked = []
    search_pool = server.app_state.lobby.search_pool
    advise = search_pool.advise

    async def counted(*given):
        asked.append(given)
        return await advise(*given)

    monkeypatch.setattr(search_pool, "advise", counted)
    with eve.at(eve.table("kuhn", chairs=[{"kind": "me"}, {"kind": "computer"}])) as line:
        line.state()
        first, second = line.ask("hint"), line.ask("hint")
    assert first["type"] == "hint"
    assert {**first, "id": ""} == {**second, "id": ""}
    assert len(asked) == 1


# ---------------------------------------------------------------- processes


class Slow:
    """A process that takes ``seconds`` for each question, and dies during the first ``dying`` ones."""

    dying = 0
    is_gone = False

    def __init__(self, seconds):
        self.seconds = seconds

    async def answer(self, question, *given):
        await asyncio.sleep(self.seconds)
        if Slow.dying:
            Slow.dying -= 1
            raise WorkerGone
        return QuestionOutcome(ok=True, outcome=question(*given))

    async def end(self):
        self.is_gone = True


def slow_pool(monkeypatch, seconds, dying=0):
    """A pool whose processes are slow and may die."""

    async def start():
        return Slow(seconds)

    monkeypatch.setattr(processes.Worker, "start", start)
    monkeypatch.setattr(Slow, "dying", dying)
    return SearchPool(1)


def test_a_queued_question_does_not_time_out(monkeypatch):
    monkeypatch.setattr(processes, "TIMEOUT", 0.5)
    search_pool = slow_pool(monkeypatch, 0.1)

    async def many():
        return await asyncio.gather(*(search_pool.ask(abs, -number) for number in range(9)))

    assert asyncio.run(many()) == list(range(9))
    assert len(search_pool.idle) == 1


def test_a_question_is_retried_once_if_its_process_died(monkeypatch):
    assert asyncio.run(slow_pool(monkeypatch, 0, dying=1).ask(abs, -3)) == 3
    with pytest.raises(MachineError, match="doesn't answer"):
        asyncio.run(slow_pool(monkeypatch, 0, dying=2).ask(abs, -3))


def test_an_abandoned_question_blocks_its_process_only_briefly(monkeypatch):
    monkeypatch.setattr(processes, "TIMEOUT", 0.2)
    search_pool = slow_pool(monkeypatch, 60)

    async def given_up():
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(search_pool.ask(abs, -1), 0.05)
        monkeypatch.setattr(processes.Worker, "start", lambda: asyncio.sleep(0, Slow(0)))
        return await search_pool.ask(abs, -3)

    assert asyncio.run(given_up()) == 3


def test_file_players_are_limited_and_leave_when_their_game_ends(monkeypatch):
    monkeypatch.setattr(bots, "why_no_sandbox", lambda: "")
    monkeypatch.setattr(bots, "MAX_FILE_PLAYERS", 2)

    async def found(game, seat):
        return "spec"

    seats = bots.PlayerFiles(found)
    ended = []

    def sit(over):
        session = SimpleNamespace(table=SimpleNamespace(over=over))
        opponent = SimpleNamespace(end=ended.append)
        thread = SimpleNamespace(submit=lambda act, *given: act(*given), shutdown=lambda wait: None)
        seats.running[id(session), 0] = session, opponent, thread
        return session

    sit(over=False)
    going, seat = sit(over=False), SimpleNamespace(kind="file")
    with pytest.raises(MachineError, match="player files are playing"):
        asyncio.run(seats.find(None, seat))
    going.table.over = True
    assert asyncio.run(seats.find(None, seat)) == "spec"
    assert len(seats.running) == len(ended) == 1


# ---------------------------------------------------------------- files


@pytest.mark.parametrize("name", ["long.game", "long.phhs"])
def test_oversized_records_are_refused_and_others_kept(eve, name):
    with eve.at(eve.table("kuhn", chairs=[{"kind": "me"}, {"kind": "computer"}])) as line:
        id = play_on(line)["outcome"]["game"]
    good = eve.get(f"/api/played/{id}/record.game").content
    told = eve.post("/api/played", files=[("record", (name, good * 10_000)), ("record", ("good.game", good))]).json()
    assert len(told["games"]) == 1
    assert "2 MiB" in told["refused"][0]


def test_a_submission_cannot_start_a_tournament_with_options(eve, monkeypatch):
    monkeypatch.setattr("kibitz.web.api.uploads.why_no_sandbox", lambda: "")
    eve.me = eve.post("/api/accounts", {"name": "Eve Begins", "password": "four words are enough"}).json()
    for name in ("holdem:hands=100000", "kuhn-", "../kuhn", "KUHN"):
        answer = eve.post(
            f"/api/arena/{quote(name, safe='')}/submissions",
            data={"player": "Eve"},
            files=[("files", ("eve.py", b"def play(view, legal):\n    return legal[0]\n"))],
        )
        assert answer.status_code == 404, name


def test_store_errors_omit_the_values_to_be_written(server):
    for database in (server.app_state.server_store.database.engine, engine_of(TEMPORARY)):
        with pytest.raises(Exception, match="web_facts") as error, database.begin() as connection:
            connection.execute(sql("SELECT * FROM web_facts WHERE nothing = :secret"), {"secret": "hidden word"})
        assert "hidden word" not in str(error.value)


@pytest.mark.skipif(os.name != "posix", reason="rights of files are those of POSIX here")
def test_stores_are_unreadable_to_other_users(tmp_path):
    before = os.umask(0o022)
    try:
        with serving(tmp_path) as found, kibitz.arena.open(tmp_path / "season.sqlite") as arena:
            Somebody(found).table("kuhn")
            arena.begin("kuhn")
            kept = [file for file in tmp_path.iterdir() if file.is_file()]
            assert {"server.sqlite-wal", "season.sqlite"} <= {file.name for file in kept}
            assert [file.name for file in kept if file.stat().st_mode & 0o077] == []
    finally:
        os.umask(before)
    (tmp_path / "season.sqlite").chmod(0o640)
    with kibitz.arena.open(tmp_path / "season.sqlite") as arena:
        assert arena.tournaments()
    assert (tmp_path / "season.sqlite").stat().st_mode & 0o777 == 0o640, "a mode that somebody chose is kept"


@pytest.mark.long
def test_a_server_raises_the_limit_on_open_files():
    code = (
        "import resource; from kibitz.web.server import MAX_FILES, raise_file_limit\n"
        "most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]; wanted = min(most, MAX_FILES)\n"
        "resource.setrlimit(resource.RLIMIT_NOFILE, (min(256, wanted), most)); raise_file_limit()\n"
        "assert resource.getrlimit(resource.RLIMIT_NOFILE)[0] == wanted"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_an_oversized_submission_is_refused_at_once(server, eve, monkeypatch):
    monkeypatch.setattr("kibitz.web.api.uploads.why_no_sandbox", lambda: "")
    eve.me = eve.post("/api/accounts", {"name": "Eve Large", "password": "four words are enough"}).json()
    large = [("files", (f"{number}.py", b"#" * (1 << 20))) for number in range(3)]
    answer = eve.post("/api/arena/kuhn/submissions", data={"player": "Large"}, files=large)
    assert answer.status_code == 400
    assert "1 MiB" in answer.text
    assert not server.app_state.submission_checks.by_id


def test_a_record_of_any_tournament_name_can_be_downloaded():
    from kibitz.web.api.finished_games import attachment

    for name in ("go-Ελλάδα.1.game", 'x"; filename="evil.exe', "a\r\nSet-Cookie: kibitz=x", "Ørsted.phh"):
        header = attachment("", name).headers["content-disposition"]
        assert re.fullmatch(r"attachment; filename=\"[\w.-]+\"; filename\*=UTF-8''[\w.%~-]+", header, re.ASCII), header


# ---------------------------------------------------------------- pages


def scripts():
    found = {file.name: file.read_text() for file in Path(guards.__file__).parent.glob("static/js/*.js")}
    assert len(found) > 10
    return found


def test_scripts_create_no_elements_from_text():
    for name, text in scripts().items():
        made = re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function", text)
        assert not made, name
    inline = r"""\|\s*safe\b|autoescape|\son\w+=|<script(?![^>]*(src=|type="application/json"))|style="""
    for file in app.TEMPLATES.rglob("*.html"):
        assert not re.search(inline, file.read_text(encoding="utf-8")), file.name
