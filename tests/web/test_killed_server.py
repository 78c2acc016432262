"""A killed server loses nothing that it has acknowledged."""

from __future__ import annotations

import json
import time
from contextlib import ExitStack
from socket import SHUT_RDWR

import pytest

from kibitz.sandbox import tier
from tests.web.program import Guest, my_state, running, until
from tests.web.test_markings import LAB, NOTHING, PLAN, RIGHT, class_of, result_times

GAMES = ("go-mini", "bo-mini", "cribbage-mini", "leduc", "president-mini")


def start_game(guest, number, stack):
    """A table with some choices made: its id, its connection, and the number of choices."""
    asked = {"game": GAMES[number % len(GAMES)], "settings": {"pace": "skip", "auto": False}}
    table = guest.ask("POST", "/api/tables", asked)["table"]
    socket = stack.enter_context(guest.connect(table))
    state = my_state(socket)
    for choice in range(number % 3):
        if not state["over"]:
            send(socket, state, f"early{choice}")
            until(socket, lambda m, id=f"early{choice}": m.get("id") == id)
            state = my_state(socket)
    return table, socket, state


def send(socket, state, id):
    """Choose the first action."""
    request = {"type": "act", "id": id, "action": state["legal"][0]["action"], "turn": state["turn"]}
    socket.send(json.dumps(request))


def kill_during_choices(folder, tables):
    """Play at some tables, kill the server during choices, continue with a new one; returns how many went on."""
    store = folder / "server.sqlite"
    with running(store) as first, ExitStack() as stack:
        guest = Guest(first.address)
        games = [start_game(guest, number, stack) for number in range(tables)]
        going = [(table, socket, state) for table, socket, state in games if not state["over"]]
        for _, socket, state in going:
            send(socket, state, "last")
        acknowledged = set()
        for table, socket, _ in going[::2]:
            until(socket, lambda m: m.get("id") == "last")
            acknowledged.add(table)
        first.kill()
    with running(store) as second:
        guest.address = second.address
        for table, _, state in going:
            with guest.connect(table) as socket:
                now = my_state(socket)
                assert now["over"] or now["turn"] in (state["turn"], state["turn"] + 1)
                if table in acknowledged:
                    assert now["over"] or now["turn"] == state["turn"] + 1
                if not now["over"]:
                    send(socket, state, "last")
                    answer = until(socket, lambda m: m.get("id") == "last")
                    assert (answer["type"] == "done") == (answer.get("sentence") is None)
                    finish(socket, state["turn"] + 1)
            assert guest.ask("POST", f"/api/played/{table}/verify")["true"]
        assert second.stop() == 0
    return len(going)


def finish(socket, turn):
    """Play to the end; a repeated choice was carried out once."""
    socket.send('{"type":"ping","id":"there"}')
    state = until(socket, lambda m: m["type"] == "pong")
    socket.send('{"type":"auto","id":"auto","on":false}')
    state = my_state(socket)
    assert state["over"] or state["turn"] <= turn + 1
    number = 0
    while not state["over"]:
        send(socket, state, f"end{number}")
        answer = until(socket, lambda m, id=f"end{number}": m.get("id") == id)
        state = my_state(socket)
        number += answer["type"] == "done"
    return state


def test_games_resume_at_the_last_acknowledged_choice(tmp_path):
    assert kill_during_choices(tmp_path, 6) >= 4


@pytest.mark.long
def test_a_vanished_client_is_away_and_not_logged(tmp_path):
    with running(tmp_path / "server.sqlite") as program:
        ann, ben = Guest(program.address), Guest(program.address)
        chairs = [{"kind": "me"}, {"kind": "computer", "player": "random"}]
        table = ann.ask("POST", "/api/tables", {"game": "bo", "chairs": [*chairs, *chairs[1:] * 2]})["table"]
        with ben.connect(table) as looking:
            with ann.connect(table) as socket:
                until(looking, lambda m: m["type"] == "state" and m["present"][0])
                for number in range(50):
                    socket.send(json.dumps({"type": "say", "id": f"s{number}", "phrase": 0}))
                socket.socket.shutdown(SHUT_RDWR)
            until(looking, lambda m: m["type"] == "state" and not m["present"][0])
        program.process.terminate()
        _, logged = program.process.communicate(timeout=120)
    assert "Traceback" not in logged
    assert '"level"' not in logged


@pytest.mark.long
def test_fifty_games_resume_after_a_kill(tmp_path):
    assert kill_during_choices(tmp_path, 50) >= 35


@pytest.mark.long
@pytest.mark.skipif(not tier().confines, reason="this machine cannot confine player files")
def test_an_interrupted_marking_is_finished_by_the_next_server(tmp_path):
    store, arena = tmp_path / "server.sqlite", ("--store", str(tmp_path / "season.sqlite"))
    slow = {f"S{i}": f"def shuffle(deck):\n    return sum(range(40_000_{i}00))\n" for i in range(3)}
    whole = class_of(Ann=RIGHT, Ben=NOTHING)[1]
    with running(store, *arena) as first:
        lee = Guest(first.address)
        account = {"name": "Lee", "password": "four words are enough", "welcome": first.link.rpartition("/")[2]}
        lee.me = lee.ask("POST", "/api/accounts", account)
        begun = finished_job(lee, lee.upload("/api/marks", **LAB, files=whole, marks=PLAN[1]))
        path = begun["marking"]["path"]
        lee.upload(path, student="", files=class_of(Ann=RIGHT, Ben=RIGHT, **slow)[1])
        while (told := lee.ask("GET", begun["path"]))["done"] < 2:
            assert told["state"] in ("waiting", "running")
            time.sleep(0.05)
        first.kill()
    with running(store, *arena) as second:
        lee.address = second.address
        (one,) = lee.ask("GET", "/api/marks")["markings"]
        assert (one["state"], one["runs"], one["submissions"]) == ("interrupted", 1, 2)
        assert lee.ask("GET", begun["path"])["sheets"] == begun["sheets"]
        there = set(result_times(tmp_path))
        told = finished_job(lee, lee.upload(path, student=""))
        assert told["state"] == "done"
        assert len(told["sheets"]) == 5
        assert told["marking"]["changes"][0] == "Ben: 10, was 0 (another file; shuffle 2/2, was 0/2)."
        assert there < set(result_times(tmp_path))
        assert second.stop() == 0


def finished_job(guest, told):
    """The finished job."""
    while told["state"] not in ("done", "failed"):
        time.sleep(0.1)
        told = guest.ask("GET", told["path"])
    return told
