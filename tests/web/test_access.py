"""Names, host names, sessions and access: who is admitted, and for how long."""

import asyncio
import io
import json
import time
from contextlib import nullcontext

import pytest
from starlette.websockets import WebSocketDisconnect

from kibitz.cli import server as serve_command
from kibitz.engine.registry import game
from kibitz.errors import NotationError
from kibitz.web.api import people
from kibitz.web.guards import allowed_hosts
from kibitz.web.live_tables.connection import Connection, Person
from kibitz.web.store.server_store import store_id
from tests.tiers import first_fast
from tests.web.serving import PASSWORD, SOON, Line, Somebody, account, lecturer_of, play_on, serving
from tests.web.test_arena import invitation_codes, roster

COURSE = "kibitz.example"


@pytest.fixture(scope="module")
def grace(server):
    return account(server, "Grace")


@pytest.fixture(scope="module")
def hugo(server):
    return account(server, "Hugo")


# ---------------------------------------------------------------- names


@pytest.mark.parametrize("name", first_fast(["Gr\u0430ce", "Grace", "grace", "GRACE", " Grace "]))
def test_guests_cannot_use_names_similar_to_accounts(server, grace, hugo, name):
    guest = Somebody(server)
    table, invite = grace.inviting()
    for answer in (
        guest.send("PUT", "/api/me", {"name": name}),
        guest.post("/api/tables", {"game": "kuhn", "name": name}),
        guest.post(f"/api/tables/{table}/seat", {"invite": invite, "name": name}),
        hugo.post("/api/tables", {"game": "kuhn", "name": name}),
    ):
        assert answer.status_code == 409, answer.text
        assert "The name Grace belongs to an account" in answer.text
    assert grace.post("/api/tables", {"game": "kuhn", "name": name}).status_code == 201
    assert guest.post(f"/api/tables/{table}/seat", {"invite": invite, "name": "Ben"}).status_code == 200


def test_a_guest_must_change_a_name_that_was_registered_since(server):
    guest = Somebody(server)
    assert guest.send("PUT", "/api/me", {"name": "Ida"}).status_code == 200
    account(server, "Ida")
    assert guest.post("/api/tables", {"game": "kuhn"}).status_code == 409
    assert guest.post("/api/tables", {"game": "kuhn", "name": "Ivy"}).status_code == 201


def test_a_roster_name_is_reserved_before_its_owner_registers(tmp_path):
    with serving(tmp_path, arena=str(tmp_path / "season.sqlite")) as server:
        guest = Somebody(server)
        assert guest.send("PUT", "/api/me", {"name": "Jo"}).status_code == 200
        assert not (tmp_path / "season.sqlite").exists(), "playing creates no season"
        lecturer = lecturer_of(server)
        roster(lecturer, "Jo", "Kim")
        for name in ("Jo", "KIM", "J\u043e"):
            for answer in (
                guest.send("PUT", "/api/me", {"name": name}),
                guest.post("/api/tables", {"game": "kuhn", "name": name}),
            ):
                assert (answer.status_code, "on the roster" in answer.text) == (409, True), answer.text
        assert guest.post("/api/tables", {"game": "kuhn"}).status_code == 409, "a name that one had before, too"
        jo = account(server, "Jo", welcome=invitation_codes(lecturer)["Jo"])
        assert jo.post("/api/tables", {"game": "kuhn"}).status_code == 201


# ---------------------------------------------------------------- addresses


@pytest.fixture(scope="module")
def local_server(tmp_path_factory):
    with serving(tmp_path_factory.mktemp("local"), names=("localhost", COURSE)) as server:
        yield server


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1:8000", "[::1]:8000", COURSE, f"{COURSE}:8000", "192.0.2.7"])
def test_a_server_answers_to_addresses_and_its_own_names(local_server, host):
    assert local_server.client.get("/api/me", headers={"Host": host}).status_code == 200


EVIL = ("evil.example", "evil.example:8000", "localhost.evil.example", "", "[::1", "127.0.0.1.evil.example")


@pytest.mark.parametrize("host", EVIL)
def test_dns_rebinding_is_refused(local_server, host):
    for path in ("/", "/api/me", "/healthz", "/static/js/page.js"):
        answer = local_server.client.get(path, headers={"Host": host, "X-Forwarded-For": "192.0.2.1"})
        assert (answer.status_code, "set-cookie" in answer.headers) == (403, False)
        assert "--hostname" in answer.json()["error"]["sentence"]
    with (
        pytest.raises(WebSocketDisconnect) as closed,
        local_server.client.websocket_connect("/tables/x/live", headers={"Host": host}),
    ):
        pass
    assert closed.value.code == 4003


def test_local_servers_allow_no_other_host_name_by_default():
    assert all(allowed_hosts(host, ()) == ("localhost",) for host in ("127.0.0.1", "::1", "localhost"))
    assert allowed_hosts("127.0.0.1", (COURSE,)) == ("localhost", COURSE)
    assert allowed_hosts("0.0.0.0", ()) is None


# ---------------------------------------------------------------- expiry


def close_code(line):
    """The close code of a connection."""
    try:
        for _ in range(100):
            line.read()
    except WebSocketDisconnect as closed:
        return closed.code
    raise AssertionError("the line is still there")


def test_signing_out_closes_only_that_persons_connections(server):
    ann = account(server, "Ann")
    token = ann.post("/api/tokens", {"label": "program"}).json()
    table = ann.table("kuhn", settings={"pace": "usual", "auto": False})
    headers = {"Authorization": f"Bearer {token['token']}"}
    with ann.at(table) as page, ann.client.websocket_connect(f"/tables/{table}/live", headers=headers) as program:
        page.state()
        assert json.loads(program.receive_text())["type"] == "hello"
        assert ann.send("DELETE", "/api/session").status_code == 200
        assert close_code(page) == 4001
        program.send_text(json.dumps({"type": "ping", "id": "p1"}))
        while json.loads(program.receive_text())["type"] != "pong":
            pass
        again = Somebody(server)
        again.me = again.post("/api/session", {"name": "Ann", "password": PASSWORD}).json()
        assert again.send("DELETE", f"/api/tokens/{token['id']}").status_code == 200
        assert close_code(Line(program)) == 4001


@pytest.mark.parametrize("end", ["token", "session"])
def test_connections_end_when_their_session_or_token_expires(server, monkeypatch, end):
    ann = account(server, f"Ann {end}")
    table = ann.table("kuhn", settings={"pace": "usual", "auto": False})
    monkeypatch.setattr(people, "TOKEN_SECONDS" if end == "token" else "SESSION_SECONDS", 1.5)
    headers = {}
    if end == "token":
        headers["Authorization"] = f"Bearer {ann.post('/api/tokens', {'label': 'short'}).json()['token']}"
    else:
        ann.me = ann.post("/api/session", {"name": f"Ann {end}", "password": PASSWORD}).json()
    with ann.client.websocket_connect(f"/tables/{table}/live", headers=headers) as line:
        assert close_code(Line(line)) == 4001


def test_a_stream_pings_and_ends_with_its_token():
    line = Connection(Person("p", "P"), 0, ends_at=time.time() + 0.5)
    line.send(b"first")

    async def read():
        return [message async for message in line.messages(0.2)]

    assert asyncio.run(read()) == [b"first", b"", b""]
    assert line.expelled
    assert "expired" in line.why_cut


# ---------------------------------------------------------------- stores


def test_a_running_server_is_recognised_by_its_store(server, tmp_path, monkeypatch):
    store = server.config.store
    answer = server.client.get("/healthz").json()
    assert answer["store"] == store_id(store)
    assert str(store) not in json.dumps(answer)

    monkeypatch.setattr("urllib.request.urlopen", lambda *_, **__: io.BytesIO(json.dumps(answer).encode()))
    assert serve_command.running_address("127.0.0.1", store) == "http://127.0.0.1:8000/"
    assert serve_command.running_address("127.0.0.1", str(tmp_path / "other.sqlite")) == ""


# ---------------------------------------------------------------- duplicate and invalid input


def test_duplicate_query_parameters_are_refused(server):
    answer = server.client.get("/api/played/x/steps?from=1&from=2")
    assert (answer.status_code, "'from' twice" in answer.text) == (400, True)


def test_duplicate_options_are_refused():
    with pytest.raises(NotationError, match="twice"):
        game("go:players=2,players=3")


def test_invalid_rosters_are_reported_by_line_without_paths(server):
    lecturer = lecturer_of(server)
    for content, why in (
        (b"name,owner\nAnn,a1\nAnn,a2\n", "The roster, line 3: 'Ann' is already in line 2"),
        (b"first\n", "The roster, line 1: no column holds names"),
        (b"\xff", "The roster isn't UTF-8 text"),
    ):
        answer = lecturer.send("PUT", "/api/roster", files=[("roster", ("class.csv", content))])
        assert (answer.status_code, answer.json()["error"]["sentence"].startswith(why)) == (400, True), answer.text
        assert "/" not in answer.json()["error"]["sentence"]


@pytest.mark.parametrize("connected", [True, False])
def test_a_guest_keeps_seats_and_games_on_signing_up_and_in(server, ben, connected):
    guest = Somebody(server)
    table, invite = guest.inviting("kuhn", name="Nan", settings=SOON)
    finished = guest.table("kuhn", chairs=[{"kind": "me"}, {"kind": "computer"}])
    with guest.at(finished) as line:
        play_on(line)
    words = {"name": f"Nan{connected}", "password": PASSWORD}
    with guest.at(table) if connected else nullcontext() as line:
        guest.me = guest.post("/api/accounts", words).json()
        assert ben.post(f"/api/tables/{table}/seat", {"invite": invite, "name": "Ben"}).status_code == 200
        if line is not None:
            assert line.until(lambda m: m["type"] == "hello" and m["chairs"][1]["kind"] == "person")["seat"] == 0
    own = {each["table"]: each for each in guest.get("/api/tables").json()["tables"]}[table]
    assert (own["seat"], own["mine"]) == (0, True)
    assert [each["game_id"] for each in guest.get("/api/played").json()["games"]] == [finished]
    guest.me = guest.send("DELETE", "/api/session").json()
    second, _ = guest.inviting("kuhn", name="Nan", settings=SOON)
    guest.me = guest.post("/api/session", words).json()
    assert {table, second} <= {each["table"] for each in guest.get("/api/tables").json()["tables"] if each["mine"]}
    with guest.at(second) as line:
        assert line.read()["seat"] == 0
