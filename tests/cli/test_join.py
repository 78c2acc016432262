"""``kibitz join``: line mode at a table of a server."""

import http.server
import re
import threading
from types import SimpleNamespace

import pytest

import kibitz
from kibitz.cli.line_mode import server_table
from kibitz.engine.registry import all_games
from kibitz.errors import NotationError
from kibitz.remote.client import server_address
from tests.web.program import Guest, running

SOON = {"pace": "skip", "auto": True}


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with running(tmp_path_factory.mktemp("server") / "server.sqlite") as program:
        yield program


@pytest.fixture
def ann(server):
    return Guest(server.address)


@pytest.fixture(autouse=True)
def _home(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("KIBITZ_TOKEN", raising=False)


def invited(ann, game, **settings):
    """A table that Ann has made, and the link to its other seat."""
    chairs = [{"kind": "me"}, {"kind": "open"}]
    made = ann.ask("POST", "/api/tables", {"game": game, "chairs": chairs, "settings": {**SOON, **settings}})
    return made["table"], ann.address + made["invitations"][0]["path"]


class Ann(threading.Thread):
    """Plays the first legal action of her seat until the game is over."""

    def __init__(self, guest, table):
        super().__init__(daemon=True)
        self.guest, self.table, self.heard = guest, table, []
        self.start()

    def run(self):
        import json

        with self.guest.connect(self.table) as socket:
            while True:
                message = json.loads(socket.recv(timeout=60))
                self.heard.append(message)
                if message["type"] != "state":
                    continue
                if message["over"]:
                    return
                if message["mine"] and not message["forced"]:
                    act = {"type": "act", "id": f"t{message['turn']}", "turn": message["turn"]}
                    socket.send(json.dumps({**act, "action": message["legal"][0]["action"]}))


def join_typing(monkeypatch, capsys, words, lines):
    """The status and output of ``kibitz join`` when these lines are join_typing."""
    from kibitz.cli import main

    given = iter(lines)

    def read(prompt=""):
        print(prompt, end="")
        try:
            return next(given)
        except StopIteration:
            raise EOFError from None

    monkeypatch.setattr("builtins.input", read)
    monkeypatch.setattr("kibitz.cli.server.sys.stdin.reconfigure", lambda **_: None, raising=False)
    status = main(["join", *words])
    return status, capsys.readouterr()


def test_whole_game_is_played_by_link_with_line_mode_commands(server, ann, monkeypatch, capsys):
    table, link = invited(ann, "go-mini")
    other = Ann(ann, table)
    status, output = join_typing(
        monkeypatch, capsys, [link, "--plain", "--name", "Ben"], ["what?", "?", "l", "score", *["1"] * 40]
    )
    other.join(60)
    assert status == 0, output.err
    assert "Go (go-mini)" in output.out
    assert "Seats: 0 Guest, 1 you." in output.out
    assert "which card do you keep?" in output.out
    assert "Type a number from 1 to" in output.out  # "what?" is not a choice
    assert "get a hint from a strong player" in output.out
    assert re.search(r"The game is over: Guest [+-]\d+ and You [+-]\d+\.", output.out)
    assert re.search(r"All cards are grouped\. Winners?: (Guest|You)", output.out)
    assert "The seed was" in output.out
    assert any(message.get("names") == ["Guest", "Ben"] for message in other.heard)


def test_final_messages_are_printed_even_if_delayed(monkeypatch):
    """The connection may know that the game is over before the terminal has printed the final messages."""
    output, game = [], kibitz.game("kuhn")
    table = SimpleNamespace(game=game, names=(), lines=["You fold.", "", "The game is over."], state=None)
    table.state = SimpleNamespace(over=True)
    monkeypatch.setattr(
        server_table, "ConnectionThread", lambda caller, table: SimpleNamespace(close=lambda: output.append("closed"))
    )
    monkeypatch.setattr(server_table.ServerGame, "introduce", lambda game: output.append("introduced"))
    monkeypatch.setattr(server_table.ServerGame, "finish", lambda game: output.append("after") or "")
    screen = SimpleNamespace(line=lambda text, *_: output.append(text))
    server_table.ServerGame(screen, None, table).play()
    assert output == ["introduced", "You fold.", "The game is over.", "after", "closed"]


@pytest.mark.long
def test_joining_again_takes_the_same_seat(server, ann, monkeypatch, capsys):
    table, link = invited(ann, "go-mini")
    other = Ann(ann, table)
    first, output = join_typing(monkeypatch, capsys, [link, "--plain"], ["1", "q", "y"])
    assert first == 0
    again = re.search(r"'kibitz join (\S+)'", output.out.split("Goodbye")[1])[1]
    second, output = join_typing(monkeypatch, capsys, [again, "--plain"], ["1"] * 40)
    other.join(60)
    assert (second, "1 you" in output.out, "Winner" in output.out) == (0, True, True)


def test_spectator_watches_without_a_seat(server, ann, monkeypatch, capsys):
    made = ann.ask("POST", "/api/tables", {"game": "kuhn", "chairs": [{"kind": "computer"}] * 2, "settings": SOON})
    status, output = join_typing(monkeypatch, capsys, [ann.address + made["path"], "--plain"], [])
    assert (status, "You are watching." in output.out, "Winner" in output.out) == (0, True, True)


def test_free_seat_is_taken_from_the_servers_list_without_a_link(server, ann, monkeypatch, capsys):
    table, _ = invited(ann, "kuhn", joining="listed")
    other = Ann(ann, table)
    for _ in range(600):
        if other.heard:
            break
        threading.Event().wait(0.05)
    status, output = join_typing(monkeypatch, capsys, [ann.address, "--plain", "--name", "Ben"], ["1", *["1"] * 10])
    other.join(60)
    assert (status, "(1 free)" in output.out, "Winner" in output.out) == (0, True, True), output


def test_hint_comes_from_the_server(server, ann, monkeypatch, capsys):
    table, link = invited(ann, "leduc")
    other = Ann(ann, table)
    status, output = join_typing(monkeypatch, capsys, [link, "--plain"], ["h", *["1"] * 30])
    other.join(60)
    assert status == 0
    assert "Hint: " in output.out
    assert "To do this, type" in output.out


@pytest.mark.parametrize(
    ("address", "why"),
    [
        ("", "is empty"),
        ("not an address", "isn't an address"),
        ("ftp://example.org/", "begins with ftp://"),
        ("http://user:secret@127.0.0.1:1/", "isn't an address"),
        ("http://127.0.0.1:99999/", "isn't an address"),
        ("http://127.0.0.1:1/tables/x", "can't be reached"),
    ],
)
def test_invalid_address_is_rejected_with_the_reason(address, why, monkeypatch, capsys):
    status, output = join_typing(monkeypatch, capsys, [address, "--plain"], [])
    assert status == 2
    assert why in output.err
    assert output.err.count("\n") == 1
    assert "secret" not in output.err or "secret@" in address


def test_error_of_the_server_is_shown(server, ann, monkeypatch, capsys):
    hidden = ann.ask("POST", "/api/tables", {"game": "kuhn", "settings": {"watching": "nobody"}})
    for path, why in (
        ("/tables/0123456789abcdef", "There is no such table here"),
        (hidden["path"], "can't be watched"),
        (f"{hidden['path']}?invite=wrong", "is no longer valid"),
    ):
        status, output = join_typing(monkeypatch, capsys, [ann.address + path, "--plain"], [])
        assert (status, why in output.err) == (2, True), output
    monkeypatch.setenv("KIBITZ_TOKEN", "kbz_stolen")
    status, output = join_typing(monkeypatch, capsys, [ann.address, "--plain"], [])
    assert (status, "This token isn't valid" in output.err) == (2, True)


def test_server_that_is_not_kibitz_is_recognised(monkeypatch, capsys):
    class Other(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(302 if self.path == "/api/me" and self.server.sends else 200)
            self.send_header("Location", "http://127.0.0.1:1/")
            self.end_headers()
            self.wfile.write(b"<html>")

        def log_message(self, *_):
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Other) as other:
        threading.Thread(target=other.serve_forever, daemon=True).start()
        for sends, why in ((False, "no Kibitz server"), (True, "redirects")):
            other.sends = sends
            address = f"http://127.0.0.1:{other.server_port}"
            status, output = join_typing(monkeypatch, capsys, [address, "--plain"], [])
            assert (status, why in output.err) == (2, True), output
        other.shutdown()


def test_address_may_have_a_path_prefix():
    assert server_address("https://a.example/x/y/tables/4f").server == "https://a.example/x/y"
    assert server_address("https://a.example/x/").server == "https://a.example/x"
    assert server_address("http://[::1]:8000/tables/4f").socket_url == "ws://[::1]:8000/tables/4f/live"
    with pytest.raises(NotationError):
        server_address("http://")


def test_views_of_every_game_round_trip_through_json():
    import random

    import msgspec

    from kibitz.table import Table

    for game in all_games():
        table, dice = Table.deal(game, 3), random.Random(1)
        while not table.over and table.step < 10:
            for seat in range(-1, game.seats):
                view = table.view(seat)
                assert msgspec.convert(msgspec.json.decode(msgspec.json.encode(view)), type(view)) == view, game.name
            seat = dice.choice(table.waiting)
            table.act(seat, dice.choice(table.legal(seat)))
