"""Finding people to play with: quick match, open tables, the host's rights, rematch requests."""

from __future__ import annotations

import json
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import pytest

from kibitz.errors import KibitzError
from kibitz.remote.server_table import RemoteTable
from kibitz.web.live_tables import lobby
from kibitz.web.store import tables as kept_tables
from tests.web.serving import SOON, Somebody, play_on

OPEN = [{"kind": "me"}, {"kind": "open", "player": "random", "name": "Easy"}]


def quick_match(person, game, name, **more):
    answer = person.post("/api/tables/quick", {"game": game, "name": name, "settings": SOON, **more})
    assert answer.status_code == 201, answer.text
    return answer.json()["table"]


def listed(person):
    return {table["table"]: table for table in person.get("/api/tables").json()["tables"]}


def hosted(host, game="kuhn", chairs=OPEN, **settings):
    """A table hosted by Ann with open seats, and its first invitation code."""
    return host.inviting(game, chairs, name="Ann", settings={**SOON, **settings})


def test_a_quick_match_pairs_two_people_for_one_game(ann, ben):
    table = quick_match(ann, "kuhn", "Ann")
    assert quick_match(ann, "kuhn", "Ann") == table  # she asked twice, and still has one seat
    assert quick_match(Somebody(ann.client.app), "kuhn:hands=5", "Eve") != table
    assert quick_match(ben, "kuhn", "Ben") == table
    with ann.at(table) as line:
        assert line.read()["names"] == ["Ann", "Ben"]
        assert line.until(lambda m: m["type"] == "state")["scene"]


def test_concurrent_quick_matches_form_pairs(server):
    several = [Somebody(server) for _ in range(6)]
    with ThreadPoolExecutor(len(several)) as pool:
        found = list(pool.map(lambda person: quick_match(person, "cribbage", "Guest"), several))
    assert sorted(Counter(found).values()) == [2, 2, 2]


def test_a_quick_match_skips_abandoned_tables(ann, ben, monkeypatch):
    table = quick_match(ann, "eights-mini", "Ann")
    monkeypatch.setattr(lobby, "ARRIVAL_SECONDS", 0.0)
    other = quick_match(ben, "eights-mini", "Ben")
    assert other != table
    assert table not in listed(ben)
    with ann.at(table) as line:
        line.read()
        assert listed(ben)[table]["people"] == ["Ann"]


def test_a_reconnecting_person_returns_to_the_same_waiting_table(server, ann, monkeypatch):
    monkeypatch.setattr(lobby, "ARRIVAL_SECONDS", 0.0)
    table = quick_match(ann, "eights-mini", "Ann")
    ann.client.portal.call(server.app_state.lobby.close_table, table)
    assert quick_match(ann, "eights-mini", "Ann") == table
    assert list(listed(ann)) == [table]


def test_people_waiting_at_two_tables_are_joined_at_one(ann, ben, monkeypatch):
    monkeypatch.setattr(lobby, "ARRIVAL_SECONDS", 0.0)
    left = quick_match(ann, "eights-mini", "Ann")
    table = quick_match(ben, "eights-mini", "Ben")
    with ben.at(table) as line:
        line.read()
        assert quick_match(ann, "eights-mini", "Ann") == table
    assert ann.get(f"/api/tables/{left}").status_code == 404
    assert list(listed(ann)) == [table]


def test_a_person_waiting_can_play_the_computer_instead(ann, ben):
    chairs = [{"kind": "me"}, *[{"kind": "open", "player": "lowest", "name": "Easy"}] * 2]
    table = quick_match(ann, "president-mini", "Ann", chairs=chairs)
    quick_match(ben, "president-mini", "Ben")
    assert ben.post(f"/api/tables/{table}/fill").status_code == 200
    with ben.at(table) as line:
        assert line.read()["names"] == ["Ann", "Ben", "Easy"]


def test_the_lobby_lists_free_seats_without_codes_until_they_are_taken(server, ann, ben):
    chairs = [{"kind": "me"}, {"kind": "open"}, {"kind": "computer", "player": "lowest", "name": "Easy"}]
    table, code = hosted(ann, "president-mini", chairs, joining="listed")
    assert table not in listed(ben)
    with ann.at(table) as line:
        line.read()
        found = listed(ben)[table]
        told = found["title"], found["people"], found["computers"], found["open"]
        assert told == ("President", ["Ann"], ["Easy"], 1)
        assert code not in json.dumps(found)
        assert listed(ann)[table]["others"] == ["Easy"]
        assert ben.post(f"/api/tables/{table}/seat", {"name": "Ben"}).json() == {"seat": 1}
        line.until(lambda m: m["type"] == "state" and m["scene"])
        assert table not in listed(Somebody(server))
        assert Somebody(server).post(f"/api/tables/{table}/seat", {}).status_code == 403


def test_private_tables_are_neither_listed_nor_open_to_others(ann, ben):
    table, _ = hosted(ann)
    with ann.at(table) as line:
        line.read()
        assert table in listed(ann)
        assert table not in listed(ben)
        refused = ben.post(f"/api/tables/{table}/seat", {})
        assert (refused.status_code, "No open seats here" in refused.text) == (403, True)


@pytest.mark.parametrize("joining", ["link", "listed"])
def test_a_removed_person_needs_another_invitation(ann, ben, joining):
    table, code = hosted(ann, "president-mini", [*OPEN, {"kind": "open"}], joining=joining)
    sit = {"invite": code, "name": "Ben"}
    assert ben.post(f"/api/tables/{table}/seat", sit).json() == {"seat": 1}
    with ben.at(table) as line:
        assert not line.read()["removed"]
        assert ann.post(f"/api/tables/{table}/remove", {"seat": 1}).status_code == 200
        hello = line.until(lambda m: m["type"] == "hello")
        assert (hello["removed"], hello["seat"]) == (True, -1)
        with pytest.raises(KibitzError, match="the table's host has removed you"):
            RemoteTable().receive(json.dumps(hello))  # as terminal clients read it
    for again in (sit, {"name": "Ben"}):
        refused = ben.post(f"/api/tables/{table}/seat", again)
        assert refused.status_code == 403, refused.text
    new = ann.get(f"/api/tables/{table}").json()["invitations"][0]["path"].partition("invite=")[2]
    assert ben.post(f"/api/tables/{table}/seat", {**sit, "invite": new}).json() == {"seat": 1}
    assert not ben.get(f"/api/tables/{table}").json()["removed"]


def test_only_the_host_removes_people(ann, ben):
    table, _ = hosted(ann)
    remove = f"/api/tables/{table}/remove"
    assert ann.post(remove, {"seat": 0}).json()["error"]["sentence"] == "Nobody else is in seat 1."
    assert ann.post(remove, {"seat": 1}).json()["error"]["sentence"] == "Nobody else is in seat 2."
    assert ann.post(remove, {"seat": 9}).json()["error"]["sentence"] == "Nobody else is in seat 10."
    assert ben.post(remove, {"seat": 0}).json()["error"]["sentence"] == "Only the table's host can remove somebody."


def test_the_host_removes_somebody_during_the_game(ann, ben):
    table, code = hosted(ann, "bo-mini")
    remove = f"/api/tables/{table}/remove"
    ben.post(f"/api/tables/{table}/seat", {"invite": code, "name": "Ben"})
    with ann.at(table) as one, ben.at(table) as other:
        for line in (one, other):
            line.until(lambda m: m["type"] == "state" and m["scene"])
        refused = ann.post(remove, {"seat": 1, "level": "Mild"}).json()["error"]["sentence"]
        assert refused == "Bo has the levels Easy, Medium, Hard and Expert, not 'Mild'."
        assert [seat["kind"] for seat in ann.get(f"/api/tables/{table}").json()["chairs"]] == ["person", "person"]
        assert ben.post(remove, {"seat": 0}).status_code == 403

        assert ann.post(remove, {"seat": 1, "level": "Medium"}).status_code == 200
        hello = other.until(lambda m: m["type"] == "hello")
        assert (hello["removed"], hello["seat"]) == (True, -1)
        log = other.until(lambda m: m["type"] == "events" and not m["since"])["events"]
        sentence = "The host has removed Ben. The computer plays on for them: the game is unrated."
        assert log[-1]["text"] == sentence
        assert other.until(lambda m: m["type"] == "state")["legal"] == []
        assert other.ask("act", action=0)["sentence"] == "Spectators can't do that."
        assert one.until(lambda m: m["type"] == "events")["events"][-1]["text"] == sentence
        assert one.until(lambda m: m["type"] == "state")["caretakers"] == [False, True]

        server = ann.client.app.app_state
        task = server.lobby.table_tasks[table]
        again = type(task)(task.stored, task.services)  # as after a restart of the server
        again.begin([entry for entry, _ in ann.client.portal.call(entries, server, table)])
        assert (again.session.people, again.stored.seats[1].player) == ({0}, "quick")
    with ann.at(table) as one:
        one.number = 100  # a request is known by its id
        assert not play_on(one)["outcome"]["rated"]
        one.ask("rematch")
        again = next(m["table"] for m in one.seen if m["type"] == "rematch")
    assert ann.get(f"/api/tables/{again}").json()["names"] == ["Medium", "Ann"]


def finished_table(ann, ben):
    """A table where Ann and Ben have finished a game of Kuhn poker."""
    table, code = hosted(ann)
    ben.post(f"/api/tables/{table}/seat", {"invite": code, "name": "Ben"})
    with ann.at(table) as one, ben.at(table) as other:
        lines, state = (one, other), one.until(lambda m: m["type"] == "state")
        while not state["over"]:
            line = lines[state["waiting"][0]]
            state = next(m for m in reversed(line.seen) if m["type"] == "state") if line.seen else None
            while state is None or not state["mine"]:
                state = line.until(lambda m: m["type"] == "state")
            line.ask("act", action=state["legal"][0]["action"], turn=state["turn"])
            state = line.until(lambda m, turn=state["turn"]: m["type"] == "state" and (m["over"] or m["turn"] > turn))
    return table


def test_a_rematch_waits_for_the_other_player(ann, ben):
    table = finished_table(ann, ben)
    with ann.at(table) as one, ben.at(table) as other:
        one.number = other.number = 100  # a request is known by its id
        assert other.ask("decline_rematch")["sentence"] == "Nobody has asked for a rematch."
        assert one.ask("rematch")["type"] == "done"
        asked = other.until(lambda m: m["type"] == "rematch")
        assert (asked["by"], asked["declined"]) == ("Ann", [])
        with ann.at(asked["table"]) as waiting:
            hello = waiting.read()
            assert [(seat["name"], seat["line"]) for seat in hello["chairs"]] == [
                ("Ben", "has been asked for a rematch"),
                ("Ann", ""),
            ]
            assert asked["table"] not in listed(Somebody(ann.client.app))
            assert other.ask("rematch")["type"] == "done"
            assert waiting.until(lambda m: m["type"] == "hello" and m["started"])["names"] == ["Ben", "Ann"]
    with ben.at(asked["table"]) as line:
        assert line.read()["seat"] == 0


def test_a_declined_rematch_is_announced_and_frees_the_seat(ann, ben):
    table = finished_table(ann, ben)
    with ann.at(table) as one, ben.at(table) as other:
        one.number = other.number = 100  # a request is known by its id
        one.ask("rematch")
        new = other.until(lambda m: m["type"] == "rematch")["table"]
        assert other.ask("decline_rematch")["type"] == "done"
        assert one.until(lambda m: m["type"] == "rematch" and m["declined"])["declined"] == ["Ben"]
    line = ann.get(f"/api/tables/{new}").json()["chairs"][0]["line"]
    assert line == "has declined the rematch, but can still accept it at the last table"
    with ann.at(table) as line:  # a returning player is told
        assert line.until(lambda m: m["type"] == "rematch")["declined"] == ["Ben"]
    assert ann.post(f"/api/tables/{new}/fill").status_code == 200


def test_a_declined_rematch_can_be_accepted_after_all(ann, ben):
    table = finished_table(ann, ben)
    with ann.at(table) as one, ben.at(table) as other:
        one.number = other.number = 100  # a request is known by its id
        one.ask("rematch")
        new = other.until(lambda m: m["type"] == "rematch")["table"]
        other.ask("decline_rematch")
        assert other.ask("rematch")["type"] == "done"
        assert one.until(lambda m: m["type"] == "rematch" and m["declined"])["declined"] == ["Ben"]
        assert one.until(lambda m: m["type"] == "rematch")["declined"] == []
    with ben.at(new) as line:
        assert line.read()["seat"] == 0


def test_the_host_can_replace_an_absent_player_at_once(ann, ben):
    table, code = hosted(ann)
    ben.post(f"/api/tables/{table}/seat", {"invite": code, "name": "Ben"})
    with ann.at(table) as one:
        with ben.at(table) as other:
            other.until(lambda m: m["type"] == "state")
            assert one.ask("caretaker", seat=1)["type"] == "refused"
        one.until(lambda m: m["type"] == "state" and m["present"] == [True, False])
        assert one.ask("caretaker", seat=1)["type"] == "done"
        assert one.until(lambda m: m["type"] == "state")["caretakers"] == [False, True]


def first_turn(lines):
    """The number of the connection that must choose, the other one's, and the first one's state."""
    states = [line.until(lambda m: m["type"] == "state" and m["scene"]) for line in lines]
    asked = states[0]["waiting"][0]
    return asked, 1 - asked, states[asked]


@pytest.mark.parametrize("allow", [True, False])
def test_a_choice_is_undone_with_the_opponents_consent(ann, ben, allow):
    table, code = hosted(ann)
    ben.post(f"/api/tables/{table}/seat", {"invite": code, "name": "Ben"})
    with ann.at(table) as one, ben.at(table) as other:
        lines = one, other
        asked, answers, before = first_turn(lines)
        line, friend = lines[asked], lines[answers]
        assert not before["ask_undo"]
        assert line.ask("ask_undo")["sentence"] == "There is nothing to undo yet."
        assert friend.ask("answer_undo", allow=True)["sentence"] == "Nobody has asked you to allow an undo."
        line.ask("act", action=before["legal"][0]["action"])
        assert line.until(lambda m: m["type"] == "state" and m["turn"] == 1)["ask_undo"]
        assert line.ask("ask_undo")["type"] == "done"
        assert friend.until(lambda m: m["type"] == "state" and m["undo_asked"] >= 0)["undo_asked"] == asked
        assert line.ask("answer_undo", allow=True)["type"] == "refused"
        assert friend.ask("answer_undo", allow=allow)["type"] == "done"
        if not allow:
            sentence = line.until(lambda m: m["type"] == "refused" and not m["id"])["sentence"]
            assert sentence == f"{['Ann', 'Ben'][answers]} declines: your choice stands."
            return
        after = line.until(lambda m: m["type"] == "state" and m["epoch"] == 1)
        assert (after["legal"], after["undo_asked"], after["ask_undo"]) == (before["legal"], -1, False)
        server = ann.client.app.app_state
        task = server.lobby.table_tasks[table]
        again = type(task)(task.stored, task.services)
        again.begin([entry for entry, _ in ann.client.portal.call(entries, server, table)])
        assert again.session.taken_back  # the journal records it: the game stays unrated after a restart


async def entries(server, table):
    return await server.server_store.read(lambda connection: kept_tables.entries_of(connection, table))


def test_an_unanswered_undo_request_lapses_with_the_next_choice(ann, ben):
    table, code = hosted(ann)
    ben.post(f"/api/tables/{table}/seat", {"invite": code, "name": "Ben"})
    with ann.at(table) as one, ben.at(table) as other:
        lines = one, other
        asked, answers, state = first_turn(lines)
        line, friend = lines[asked], lines[answers]
        line.ask("act", action=state["legal"][0]["action"])
        line.ask("ask_undo")
        state = friend.until(lambda m: m["type"] == "state" and m["undo_asked"] >= 0)
        friend.ask("act", action=state["legal"][0]["action"])
        assert friend.until(lambda m: m["type"] == "state")["undo_asked"] == -1
        sentence = line.until(lambda m: m["type"] == "refused" and not m["id"])["sentence"]
        assert sentence == f"{['Ann', 'Ben'][answers]} has played on: your choice stands."
        assert friend.ask("answer_undo", allow=True)["type"] == "refused"
