"""``kibitz serve`` as a program: its address, its messages, and how it stops."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import time
import urllib.request

import pytest

from kibitz.cli import main
from tests.parts import share
from tests.web.program import Guest, my_state, running

STOPS = [signal.SIGINT, signal.SIGTERM, signal.SIGHUP]
PASSWORD = "four words are enough"


@pytest.fixture
def serve(capsys):
    """Run ``kibitz serve`` where it can't start; returns its status and error output."""

    def run(*words):
        status = main(["serve", *words])
        return status, capsys.readouterr().err

    return run


@pytest.mark.long
def test_a_server_answers_with_and_without_its_base_path(tmp_path, serve):
    store = tmp_path / "deep" / "server.sqlite"
    with running(store, "--base-path", "kibitz/", "--log-requests") as program:
        assert program.address.endswith("/kibitz")
        code = program.link.rpartition("/")[2]
        root = program.address.removesuffix("/kibitz")
        for address in (program.address, root):
            with urllib.request.urlopen(f"{address}/healthz", timeout=120) as answer:
                assert json.loads(answer.read())["ok"]
        guest = Guest(program.address)
        made = guest.ask("POST", "/api/tables", {"game": "kuhn"})
        assert made["path"] == f"/kibitz/tables/{made['table']}"
        with guest.connect(made["table"]) as socket:
            assert my_state(socket)["mine"]
        with urllib.request.urlopen(f"{program.address}/welcome/{code}", timeout=120) as answer:
            assert "The account that you create below becomes a lecturer account" in answer.read().decode()
        credentials = {"name": "Lecturer", "password": PASSWORD, "welcome": code}
        me = guest.ask("POST", "/api/accounts", credentials)
        assert me.get("roles") == ["student", "lecturer"], me
        second = Guest(program.address)
        again = second.ask("POST", "/api/accounts", {**credentials, "name": "Somebody"})
        assert "has expired" in again["error"]["sentence"]
        port = program.address.split(":")[2].partition("/")[0]
        status, said = serve("--port", port, "--database", str(tmp_path / "other.sqlite"))
        assert status == 2
        assert f"port {port} of 127.0.0.1 is in use" in said
        assert "--port" in said
        status, said = serve("--port", "0", "--database", str(store))
        assert status == 2
        assert "a server that is running" in said
        assert program.stop() == 0
        logged = [json.loads(line) for line in program.logged.splitlines()]
        made = {"method": "POST", "path": "/api/tables", "status": 201}
        assert any(made.items() <= line.items() for line in logged)
        assert not any(hidden in program.logged for hidden in (code, PASSWORD, guest.me["csrf"]))
    with running(store) as program:
        assert "welcome" not in program.link


def test_a_newer_store_is_refused_and_unchanged(tmp_path, serve):
    from kibitz.web.store.server_store import open_store

    store = tmp_path / "server.sqlite"
    open_store(store).close()
    with sqlite3.connect(store) as connection:
        connection.execute("UPDATE kibitz_store SET version = 9999")
    connection.close()
    status, said = serve("--port", "0", "--database", str(store))
    assert status == 2
    assert "newer" in said
    assert "install the newest Kibitz" in said


@pytest.mark.parametrize("content", [b"no database at all, but a text that is long enough" * 40, b"PK\x03\x04" * 2000])
def test_an_invalid_store_is_refused_and_unchanged(tmp_path, serve, content):
    store = tmp_path / "server.sqlite"
    store.write_bytes(content)
    status, said = serve("--port", "0", "--database", str(store))
    assert status == 2
    assert "isn't a store" in said
    assert store.read_bytes() == content


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--host", "256.1.1.1"), "can't be used"),
        (("--host", "no such host", "--port", "0"), "can't be used"),
        (("--port", "99999"), "65535"),
        (("--database", "mysql://somewhere/x"), "postgresql://"),
        (("--database", "/dev/null/x/y"), "cannot be made"),
    ],
)
def test_invalid_options_are_refused(serve, words, sentence):
    status, said = serve("--port", "0", *words) if "--port" not in words else serve(*words)
    assert status == 2
    assert sentence in said
    assert "Traceback" not in said


def ends_cleanly(store, number, seconds):
    """Stop a server's process group, as Ctrl-C does, some seconds after its start; returns its number of children."""
    with running(store) as program:
        time.sleep(seconds)
        children = program.children()
        os.killpg(program.process.pid, number)
        _, said = program.process.communicate(timeout=120)
    assert (program.process.returncode, said) == (0, ""), (number, seconds)
    end = time.monotonic() + 120
    while left := [pid for pid in children if is_there(pid)]:
        assert time.monotonic() < end, f"{left} are left"
        time.sleep(0.05)
    return len(children)


def is_there(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def test_a_server_stops_silently_and_leaves_no_process(tmp_path):
    assert ends_cleanly(tmp_path / "server.sqlite", signal.SIGINT, 0.2) > 0


@pytest.mark.long
@pytest.mark.parametrize("seconds", share([0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.7, 0.9, 1.2, 2, 3], 4))
def test_a_server_stops_silently_at_any_moment(tmp_path, seconds):
    for number in STOPS:
        ends_cleanly(tmp_path / "server.sqlite", number, seconds)
