"""Invalid input to the server is refused with a sentence, changes nothing, and affects nobody else."""

from __future__ import annotations

import json
import logging
import time

import pytest
from starlette.websockets import WebSocketDisconnect

from kibitz.web.access import COOKIE
from tests.web.serving import PASSWORD, Somebody, play_on


@pytest.fixture(scope="module", autouse=True)
def without_rate_limits(server):
    server.app_state.rates.admits = lambda kind, who: True


BAD_MESSAGES = [
    "",
    "null",
    "[]",
    "{",
    "{}",
    '{"type":"act"}',
    '{"type":"act","id":""}',
    '{"type":"act","id":7,"action":1}',
    '{"type":"act","id":"x"}',
    '{"type":"act","id":"x","action":-1}',
    '{"type":"act","id":"x","action":1.5}',
    '{"type":"act","id":"x","action":"1"}',
    '{"type":"act","id":"x","action":99999999999999999999999}',
    '{"type":"act","id":"x","action":1,"text":"AS"}',
    '{"type":"act","id":"x","action":1,"seat":1}',
    '{"type":"act","id":"x","text":"the queen of nothing"}',
    '{"type":"act","id":"x","text":"' + "A" * 500 + '"}',
    '{"type":"act","id":"' + "x" * 100 + '","action":1}',
    '{"type":"win","id":"x"}',
    '{"type":"say","id":"x","phrase":99}',
    '{"type":"say","id":"x","text":"\\u0000\\u0007"}',
    '{"type":"say","id":"x"}',
    '{"type":"mute","id":"x","seat":99}',
    '{"type":"caretaker","id":"x","seat":1}',
    '{"type":"caretaker","id":"x","seat":15}',
    '{"type":"rematch","id":"x"}',
    '{"type":"decline_rematch","id":"x"}',
    '{"type":"ask_undo","id":"x"}',
    '{"type":"answer_undo","id":"x","allow":true}',
    '{"type":"why_not","id":"x","key":"no such thing"}',
    '{"type":"why_not","id":"x","key":"amount:1","taken":["nothing"]}',
    "\ud7ff\x00not json",
]


def test_invalid_messages_are_refused_and_change_nothing(ann):
    table = ann.table("go-mini")
    with ann.at(table) as line:
        before = line.state()
        for number, message in enumerate(BAD_MESSAGES[:19]):
            line.send(message)
            answer = line.until(lambda m: m["type"] in ("refused", "done"))
            assert answer["type"] == "refused", message
            assert len(answer["sentence"]) > 10, (number, answer)
        line.ask("ping")
    with ann.at(table) as line:
        for message in BAD_MESSAGES[19:]:
            line.send(message)
            answer = line.until(lambda m: m["type"] in ("refused", "done", "why_not"))
            assert answer["type"] == "refused", message
        line.ask("auto", on=False)
        after = line.until(lambda m: m["type"] == "state")
        assert (after["turn"], after["legal"], after["events"]) == (before["turn"], before["legal"], before["events"])


def test_wrong_stale_and_foreign_actions_are_refused(ann, ben):
    table, invite = ann.inviting()
    ben.post(f"/api/tables/{table}/seat", {"invite": invite})
    with ann.at(table) as one, ben.at(table) as other:
        state = one.state()
        action = state["legal"][0]["action"]
        assert "'s turn (seat" in other.ask("act", action=action)["sentence"]
        assert "That turn hasn't come yet" in one.ask("act", action=action, turn=7)["sentence"]
        assert one.ask("act", action=action, turn=0)["type"] == "done"
        assert "already been made" in one.ask("act", action=action, turn=0)["sentence"]
        assert one.ask("act", action=10**9)["type"] == "refused"
        assert other.state()["turn"] == 0


def test_double_and_taken_seats_are_refused(ann, ben, server):
    table, invite = ann.inviting()
    path = f"/api/tables/{table}/seat"
    assert ann.post(path, {"invite": invite}).json() == {"seat": 0}
    assert ben.post(path, {"invite": invite}).json() == {"seat": 1}
    late = Somebody(server).post(path, {"invite": invite})
    assert late.status_code == 403
    assert "no longer valid" in late.json()["error"]["sentence"]
    assert ben.post(f"/api/tables/{table}/fill").status_code == 403


BAD_TABLES = [
    {},
    {"game": "bow"},
    {"game": ""},
    {"game": "go", "options": {"players": 99}},
    {"game": "go", "options": {"nonsense": 1}},
    {"game": "go", "options": {"players": "two"}},
    {"game": "kuhn", "chairs": [{"kind": "me"}]},
    {"game": "kuhn", "chairs": [{"kind": "me"}, {"kind": "me"}]},
    {"game": "kuhn", "chairs": [{"kind": "me"}, {"kind": "computer", "player": "nobody"}]},
    {"game": "kuhn", "chairs": [{"kind": "me"}, {"kind": "file"}]},
    {"game": "kuhn", "chairs": [{"kind": "me"}, {"kind": "file", "tournament": "x", "player": "../../etc/passwd"}]},
    {"game": "kuhn", "settings": {"open_hands": True}},
    {"game": "kuhn", "settings": {"bank": -1}},
    {"game": "kuhn", "unknown": 1},
]


@pytest.mark.parametrize("asked", BAD_TABLES, ids=json.dumps)
def test_an_invalid_table_is_refused_with_advice(ann, asked):
    answer = ann.post("/api/tables", asked)
    assert answer.status_code in (400, 403, 404, 409), answer.text
    assert len(answer.json()["error"]["sentence"]) > 20
    assert ann.get("/api/tables").json()["tables"] == []


@pytest.mark.parametrize(
    "name", ["<script>alert(1)</script>", "\u202eevil", "  ", "a" * 80, "'; DROP TABLE web_tables", "| x"]
)
def test_an_invalid_name_is_refused_unchanged(ann, name):
    table, invite = ann.inviting()
    for answer in (
        ann.post("/api/tables", {"game": "kuhn", "name": name}),
        ann.post(f"/api/tables/{table}/seat", {"invite": invite, "name": name}),
    ):
        assert answer.status_code == 400
        advice = "use at most 40" if len(name) > 40 else "letters, digits, single spaces"
        assert advice in answer.json()["error"]["sentence"]


def test_missing_and_forged_cookies_mean_a_stranger(server, ann):
    table = ann.table("kuhn")
    for cookie in ("", "x.y", f"{ann.client.cookies[COOKIE]}0", "." * 3000):
        stranger = Somebody(server)
        stranger.client.cookies.clear()
        stranger.client.cookies.set(COOKIE, cookie)
        with stranger.at(table) as line, pytest.raises(WebSocketDisconnect) as closed:
            line.read()
        assert closed.value.code == 4001
    forged = ann.send("POST", "/api/tables", {"game": "kuhn"}, headers={"X-Kibitz-CSRF": "0" * 32})
    assert forged.status_code == 403


def test_pages_of_other_sites_cannot_connect(ann):
    table = ann.table("kuhn")
    headers = {"Origin": "http://evil.example"}
    with (
        ann.client.websocket_connect(f"/tables/{table}/live", headers=headers) as socket,
        pytest.raises(WebSocketDisconnect) as closed,
    ):
        socket.receive_text()
    assert closed.value.code == 4003


def test_unknown_tables_and_oversized_messages_close_the_connection(ann):
    with ann.at("nowhere") as line, pytest.raises(WebSocketDisconnect) as closed:
        line.read()
    assert closed.value.code == 4004
    with ann.at(ann.table("kuhn")) as line:
        line.state()
        line.send('{"type":"say","id":"x","text":"' + "A" * 20_000 + '"}')
        with pytest.raises(WebSocketDisconnect) as closed:
            line.until(lambda m: False)
    assert closed.value.code == 1009


def test_tokens_work_until_deleted_or_expired(server, ann, monkeypatch):
    made = ann.post("/api/tokens", {"label": "mine"}).json()
    program = {"Authorization": f"Bearer {made['token']}"}
    bare = Somebody(server)
    bare.client.cookies.clear()
    assert bare.get("/api/me", headers=program).json()["id"] == ann.me["id"]
    assert bare.send("POST", "/api/tables", {"game": "kuhn"}, headers=program).status_code == 201
    for wrong in ("Bearer kbz_stolen", "Basic x", "Bearer", f"Bearer {made['token']}x"):
        answer = bare.get("/api/me", headers={"Authorization": wrong})
        assert answer.status_code == 401
        assert "token" in answer.json()["error"]["sentence"].lower()
    with monkeypatch.context() as patch:
        real = time.time
        patch.setattr("kibitz.web.access.time.time", lambda: real() + 60 * 60 * 24 * 400)
        answer = bare.get("/api/me", headers=program)
        assert answer.status_code == 401
        assert "expired" in answer.json()["error"]["sentence"]
    assert ann.send("DELETE", f"/api/tokens/{made['id']}").status_code == 200
    assert bare.get("/api/me", headers=program).status_code == 401
    assert Somebody(server).send("DELETE", f"/api/tokens/{made['id']}").status_code == 404


@pytest.mark.long
def test_passwords_must_be_long_and_names_distinct(server):
    good = {"name": "Grace", "password": PASSWORD}
    assert Somebody(server).post("/api/accounts", good).status_code == 200
    for name, password, status in (
        ("Grace", PASSWORD, 409),
        ("grace", PASSWORD, 409),
        ("Grасe", PASSWORD, 409),  # two of its letters are Cyrillic
        ("Henry", "short", 400),
        ("<b>", PASSWORD, 400),
        ("Kibitz", PASSWORD, 400),
    ):
        answer = Somebody(server).post("/api/accounts", {"name": name, "password": password})
        assert answer.status_code == status, (name, answer.text)
    ann = Somebody(server)
    for wrong in ({**good, "password": "wrong password"}, {**good, "name": "Nobody"}):
        assert ann.post("/api/session", wrong).status_code == 401
    ann.me = ann.post("/api/session", good).json()
    assert ann.me["name"] == "Grace"
    ann.me = ann.send("DELETE", "/api/session").json()
    assert ann.me["guest"]


@pytest.mark.parametrize(
    ("body", "content", "status"),
    [
        (b"{", "application/json", 400),
        (b"\xff\xfe", "application/json", 400),
        (b'{"unknown_field":1}', "application/json", 400),
        (b"game=kuhn", "application/x-www-form-urlencoded", 415),
        (b" " * (1 << 17), "application/json", 413),
    ],
    ids=["cut", "not UTF-8", "unknown field", "form", "large"],
)
def test_invalid_oversized_and_mistyped_bodies_are_refused(ann, body, content, status):
    """``test_admission`` sends invalid bodies to every operation."""
    answer = ann.post("/api/tables", content=body, headers={"Content-Type": content})
    assert answer.status_code == status, answer.text
    assert answer.json()["error"]["sentence"].endswith(".")


@pytest.mark.parametrize("path", ["/api/nothing", "/api/tables/x/nothing", "/api/games/bow/rules", "/api/played/none"])
def test_unknown_addresses_return_404(ann, path):
    answer = ann.get(path)
    assert answer.status_code == 404
    assert answer.json()["error"]["kind"] == "missing"


def test_an_unsupported_method_is_refused(ann):
    answer = ann.send("DELETE", "/api/tables")
    assert answer.status_code == 405
    assert "DELETE" in answer.json()["error"]["sentence"]


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("x.game", b"no record"),
        ("x.game", b"\xff\xfe\x00"),
        ("x.phh", b"variant = 'NT'"),
        ("x.phh", b""),
        ("x.game", b""),
    ],
)
def test_invalid_records_are_refused_one_by_one(ann, name, content):
    answer = ann.post("/api/played", files=[("record", (name, content))])
    assert answer.status_code == 201, answer.text
    assert answer.json()["games"] == []
    assert name in answer.json()["refused"][0]


HAND = """variant = "NT"
antes = [0, 0]
blinds_or_straddles = [1, 2]
min_bet = 2
starting_stacks = [100, 100]
actions = ["d dh p1 ????", "d dh p2 AsKs", "p2 f"]
"""


def test_phh_hands_are_imported_one_by_one(ann):
    broken = HAND.replace("p2 f", "p2 dances")
    several = f"[1]\n{HAND}\n[2]\n{broken}".encode()
    told = ann.post("/api/played", files=[("record", ("night.phhs", several))]).json()
    assert told["sentence"] == "1 game can be replayed now; 1 couldn't be read."
    assert told["refused"][0].startswith("night.phhs, 2: ")
    notes = ann.get(f"/api/played/{told['games'][0]}").json()["notes"]
    assert [note["text"] for note in notes] == ["The file doesn't show the cards of p1; random cards were filled in."]


def test_a_record_can_be_downloaded_and_imported_again(ann, ben):
    table = ann.table("kuhn")
    with ann.at(table) as line:
        play_on(line)
    text = ann.get(f"/api/played/{table}/record.game").text
    changed = text.replace("commitment: ", "commitment: 0")
    files = [("record", ("a.game", text.encode())), ("record", ("b.game", changed.encode()))]
    found = ben.post("/api/played", files=files).json()
    assert len(found["games"]) == len(found["refused"]) == 1
    assert ben.get(f"/api/played/{found['games'][0]}").json()["names"][0] == "Guest"


def test_every_response_has_security_headers(ann):
    for path in ("/api/me", "/healthz", "/nothing", "/metrics"):
        headers = ann.get(path).headers
        policy = headers["content-security-policy"]
        assert "unsafe-inline" not in policy
        assert "script-src 'self'" in policy
        assert headers["x-content-type-options"] == "nosniff"
    assert ann.client.cookies.jar._cookies["testserver.local"]["/"][COOKIE].has_nonstandard_attr("HttpOnly")


def test_secrets_are_not_logged(server, ann, caplog):
    caplog.set_level(logging.DEBUG)
    secret = "four words are enough indeed"
    made = ann.post("/api/tokens", {"label": "x"}).json()["token"]
    ann.post("/api/session", {"name": "Nobody", "password": secret})
    ann.get("/api/me", headers={"Authorization": f"Bearer {made}"})
    table, invite = ann.inviting()
    ann.post(f"/api/tables/{table}/seat", {"invite": "wrong"})
    ours = "\n".join(record.getMessage() for record in caplog.records if record.name.startswith(("kibitz", "uvicorn")))
    for hidden in (secret, made, invite, ann.client.cookies[COOKIE]):
        assert hidden not in ours
