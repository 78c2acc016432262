"""The arena's pages: a submitted file is checked and ranked; a broken file is refused with its failing call."""

from __future__ import annotations

import json
import time
import zipfile

import pytest

import kibitz.arena
from tests.players.test_archives import bomb, without_a_name
from tests.web.serving import PASSWORD, Somebody, account, lecturer_of, play_on, serving, zipped

pytestmark = pytest.mark.xdist_group("server with an arena")

FIRST = b"def play(view, legal):\n    print('I choose')\n    return legal[0]\n"
BROKEN = b"def play(view, legal):\n    return -7\n"


@pytest.fixture(scope="module")
def season(tmp_path_factory):
    """A season of Kuhn poker with one round played; Ada's file was submitted through the server."""
    folder = tmp_path_factory.mktemp("season")
    store = folder / "season.sqlite"
    with serving(folder, arena=str(store)) as server:
        ada = account(server, "Ada")
        first = submit_files(ada, "kuhn", "Ada", [("ada.py", FIRST)])
        with kibitz.arena.open(store) as arena:
            arena.run("kuhn", rounds=1, workers=1)
        yield server, ada, first


def submit_files(somebody, tournament, player, files):
    """Submit files and wait for the result."""
    answer = somebody.post(
        f"/api/arena/{tournament}/submissions",
        data={"player": player},
        files=[("files", (name, content)) for name, content in files],
    )
    assert answer.status_code == 202, answer.text
    path = answer.json()["path"]
    for _ in range(600):
        found = somebody.get(path).json()
        if found["state"] in ("accepted", "refused"):
            return found
        time.sleep(0.1)
    raise AssertionError(found)


def test_a_submitted_file_is_checked_and_ranked(season):
    _, ada, first = season
    assert first["state"] == "accepted"
    assert "version 1" in first["sentence"]
    table = ada.get("/api/arena/kuhn").json()
    assert {line["player"] for line in table["lines"]} >= {"Ada"}
    assert table["rounds"] == 1
    names = table["cross"]["players"]
    mine = table["cross"]["cells"][names.index("Ada")]
    assert sum(cell is not None for cell in mine) == len(names) - 1
    listed = ada.get("/api/arena").json()["tournaments"]
    assert [one["name"] for one in listed] == ["kuhn"]
    assert listed[0]["so_far"] == table["so_far"] == ada.get("/api/arena/kuhn/live").json()["so_far"]
    assert table["so_far"].endswith(f", 1 round complete, {table['matches']} matches played")


def test_the_course_page_lists_players_that_are_not_on_the_roster(season):
    server, _, _ = season
    page = lecturer_of(server).get("/arena").text
    assert "0 students, 0 joined; 1 player not on the roster" in page
    assert '<th scope="row">Ada</th><td></td><td>Ada</td><td>not on the roster</td>' in page


@pytest.mark.long
def test_a_player_page_links_to_its_games(season):
    server, ada, _ = season
    page = Somebody(server).get("/api/arena/kuhn/players/Ada").json()
    assert page["mine"] is False
    assert page["versions"][0]["state"] == "accepted"
    assert page["rating"][-1]["round"] == 1
    id = page["games"][0]["path"].rpartition("/")[2]
    played = ada.get(f"/api/played/{id}").json()
    assert "Ada" in played["names"]
    steps = ada.get(f"/api/played/{id}/steps").json()["steps"]
    assert steps[-1]["step"] == played["steps"]
    assert ada.post(f"/api/played/{id}/verify").json()["true"]
    assert ada.get("/api/arena/kuhn/players/Ada/rating.csv").text.startswith("round,rating,margin")
    assert "Ada" in ada.get("/api/arena/kuhn/results.csv").text


def test_an_accepted_player_can_join_a_table(season):
    server, _, _ = season
    ben = Somebody(server)
    table = ben.table("kuhn", chairs=[{"kind": "me"}, {"kind": "file", "tournament": "kuhn", "player": "Ada"}])
    with ben.at(table) as line:
        assert line.read()["names"][1] == "Ada"
        assert play_on(line)["out"] == [False, False]
    gone = [{"kind": "me"}, {"kind": "file", "tournament": "kuhn", "player": "Nobody"}]
    assert ben.post("/api/tables", {"game": "kuhn", "chairs": gone}).status_code == 400


@pytest.mark.long
def test_a_broken_file_is_refused_with_its_call_for_its_owner_only(season):
    server, ada, _ = season
    bob = account(server, "Bob")
    found = submit_files(bob, "kuhn", "Bob", [("bob.py", BROKEN)])
    assert found["state"] == "refused"
    failed = next(finding for finding in found["findings"] if not finding["ok"])
    assert "-7" in failed["sentence"] + failed["detail"]
    assert "kibitz" in failed["reproduce"]
    assert ada.get(found["path"]).status_code == 404


TURNS = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f\u061c"
TURNING = f"""
print("loaded {TURNS}")
def play(view, legal):
    print("asked {TURNS}")
    raise ValueError("wrong {TURNS}")
"""


@pytest.mark.long
def test_output_of_a_file_contains_no_bidi_controls(season):
    server, _, _ = season
    gil = account(server, "Gil")
    found = submit_files(gil, "kuhn", "Gil", [("gil.py", TURNING.encode())])
    shown = json.dumps(found, ensure_ascii=False) + gil.get("/api/arena/kuhn/players/Gil").text
    shown += gil.get("/api/arena/kuhn/players/Gil/feedback.txt").text
    assert shown.count("wrong ????????????") >= 2
    assert "asked ????????????" in shown
    assert not set(shown) & set(TURNS)


@pytest.mark.long
@pytest.mark.parametrize(
    ("files", "sentence"),
    [
        ([("mine.zip", b"PK\x03\x04 and no archive")], "archive"),
        ([("mine.zip", zipped({"../../up.py": FIRST}))], "up.py"),
        (
            [("mine.zip", bomb(8, zipfile.ZIP_BZIP2, says=10))],
            "compressed by bzip2; pack it as an ordinary ZIP archive",
        ),
        ([("mine.zip", bomb(8, says=10))], "read as a ZIP archive: pack it again"),
        ([("mine.zip", without_a_name())], "a file in it has no name"),
        ([("a.py", FIRST), ("b.py", FIRST)], "define"),
    ],
)
def test_mislabelled_uploads_are_refused(season, files, sentence):
    server, _, _ = season
    eve = account(server, f"Eve {abs(hash(str(files))) % 10**6}")
    found = submit_files(eve, "kuhn", eve.me["name"], files)
    assert found["state"] == "refused"
    assert sentence in found["sentence"]
    assert len(found["sentence"]) > 20


@pytest.mark.long
def test_responses_to_a_lecturer_match_page_and_list(tmp_path):
    with serving(tmp_path, arena=str(tmp_path / "season.sqlite")) as server:
        lecturer = lecturer_of(server)
        assert lecturer.post("/api/arena", {"game": "kuhn"}).json()["phase"] == "open"
        submit_files(lecturer, "kuhn", "Lee", [("lee.py", FIRST)])
        with kibitz.arena.open(tmp_path / "season.sqlite") as arena:
            arena.run("kuhn", rounds=1, workers=1)
        for what, phase, other in (("freeze", "frozen", "thaw"), ("thaw", "open", "freeze")):
            answer = lecturer.post(f"/api/arena/kuhn/{what}").json()
            assert (answer["phase"], answer["rounds"]) == (phase, 1)
            assert [answer] == lecturer.get("/api/arena").json()["tournaments"]
            page = lecturer.get("/arena/kuhn").text
            assert ": 1 round, " in page
            assert f"/arena/kuhn/{other}" in page
            assert f"/arena/kuhn/{what}" not in page
            assert ("Submit a player" in page) == (phase == "open")


def test_a_lecturer_sets_a_deadline_for_submissions(tmp_path):
    with serving(tmp_path, arena=str(tmp_path / "season.sqlite")) as server:
        lecturer = lecturer_of(server)
        lecturer.post("/api/arena", {"game": "kuhn"})
        path = "/api/arena/kuhn/deadline"
        late = lecturer.send("PUT", path, {"closes_at": "2026-01-01T17:00:00+11:00"})
        assert (late.status_code, "must be in the future" in late.text) == (409, True)
        assert lecturer.send("PUT", path, {"closes_at": "2026-01-01T17:00:00"}).status_code == 400, "without an offset"
        answer = lecturer.send("PUT", path, {"closes_at": "2999-01-01T17:00:00+11:00"}).json()
        assert (answer["phase"], answer["deadline"]) == ("open", 32472165600)
        assert [answer] == lecturer.get("/api/arena").json()["tournaments"]
        assert lecturer.get("/api/arena/kuhn").json()["deadline"] == answer["deadline"]
        with kibitz.arena.open(tmp_path / "season.sqlite", clock=lambda: 0.0) as arena:
            arena.set_deadline("kuhn", 1.0)
        page = lecturer.get("/arena/kuhn").text
        assert "submissions closed" in page
        assert "/arena/kuhn/thaw" in page
        assert "Submit a player" not in page
        assert "<option>kuhn</option>" not in lecturer.get("/submit").text
        assert submit_files(lecturer, "kuhn", "Lee", [("lee.py", FIRST)])["sentence"] == (
            "Submissions to kuhn closed on 1970-01-01 at 00:00 UTC."
        )
        assert lecturer.post("/api/arena/kuhn/thaw").json()["deadline"] is None


def test_unknown_tournaments_players_and_games_are_not_found(season):
    _, ada, _ = season
    for path in ("/api/arena/nowhere", "/api/arena/kuhn/players/Nobody", "/api/played/kuhn.999999"):
        assert ada.get(path).status_code == 404
    markup = {"data": {"player": "<b>X</b>"}, "files": [("files", ("a.py", FIRST))]}
    assert ada.post("/api/arena/kuhn/submissions", **markup).status_code in (202, 400)


def roster(lecturer, *names):
    """Upload a roster: everybody owns the player of their name."""
    lines = "".join(f"{name},{name}\n" for name in names)
    answer = lecturer.send("PUT", "/api/roster", files=[("roster", ("roster.csv", f"player,owner\n{lines}".encode()))])
    assert answer.status_code == 200, answer.text


def invitation_codes(lecturer):
    """The invitation codes of all people, by name."""
    lines = lecturer.get("/api/invitations").text.split()[1:]
    return {line.split(",")[0]: line.rpartition("/")[2].partition("?")[0] for line in lines}


@pytest.fixture
def class_of_three(tmp_path):
    """A server with a lecturer, an earlier stranger, and a roster that includes the stranger's name."""
    with serving(tmp_path, arena=str(tmp_path / "season.sqlite")) as server:
        lecturer = lecturer_of(server)
        early = account(server, "Cem")
        roster(lecturer, "Ada", "Ben", "Cem")
        yield server, lecturer, early


def test_a_lecturer_invites_another_by_a_link_that_works_once(class_of_three):
    server, lecturer, early = class_of_three
    unused, link = (lecturer.post("/api/lecturers").json()["link"] for _ in range(2))
    credentials = {"name": "Kim", "password": PASSWORD}
    for person, code, status in (("Sam", unused, 403), ("Kim", link, 200), ("Tom", link, 403)):
        body = {**credentials, "name": person, "welcome": code.rpartition("/")[2]}
        assert Somebody(server).post("/api/accounts", body).status_code == status, person
    kim = Somebody(server)
    assert kim.post("/api/session", credentials).json()["roles"] == ["student", "lecturer"]
    assert early.post("/api/lecturers").status_code == 403


@pytest.mark.long
def test_a_roster_name_needs_its_invitation(class_of_three):
    server, lecturer, _ = class_of_three
    code = invitation_codes(lecturer)
    assert code.keys() == {"Ada", "Ben", "Cem"}
    stranger = Somebody(server)
    for more in ({}, {"welcome": code["Ben"]}, {"welcome": "x"}):
        for name in ("Ada", "ADA", "\u0410da"):
            said = stranger.post("/api/accounts", {"name": name, "password": PASSWORD, **more})
            assert said.status_code == 403, (name, more)
    assert account(server, "Ada", welcome=code["Ada"]).me["roles"] == ["student", "invited"]
    assert "3 students, 1 joined" in lecturer.get("/arena").text
    assert Somebody(server).get("/api/invitations").status_code in (401, 403)
    assert account(server, "Dan").get("/api/invitations").status_code == 403


@pytest.mark.long
def test_a_name_taken_before_the_roster_is_blocked_until_invited(class_of_three):
    _, lecturer, early = class_of_three
    asked = {"data": {"player": "Cem"}, "files": [("files", ("cem.py", FIRST))]}
    refused = early.post("/api/arena/kuhn/submissions", **asked)
    assert refused.status_code == 403
    assert "open the link from your lecturer" in refused.json()["error"]["sentence"]
    password = {"name": "Cem", "password": PASSWORD}
    assert early.post("/api/session", {**password, "welcome": invitation_codes(lecturer)["Ada"]}).json()["roles"] == [
        "student"
    ]
    told = early.post("/api/session", {**password, "welcome": invitation_codes(lecturer)["Cem"]}).json()
    assert told["roles"] == ["student", "invited"]
    assert early.post("/api/arena/kuhn/submissions", **asked).status_code == 202


@pytest.mark.long
def test_an_invited_account_owns_players_from_the_command_line(tmp_path):
    store = tmp_path / "season.sqlite"
    file = tmp_path / "first.py"
    file.write_bytes(FIRST)
    with kibitz.arena.open(store) as arena:
        arena.submit("kuhn", file, "lucky", owner="Eve")
    with serving(tmp_path, arena=str(store)) as server:
        said = Somebody(server).post("/api/accounts", {"name": "Eve", "password": PASSWORD})
        assert said.status_code == 403
        assert "sign up by the link that your lecturer sends you" in said.json()["error"]["sentence"]
        lecturer = lecturer_of(server)
        eve = account(server, "Eve", welcome=invitation_codes(lecturer)["Eve"])
        assert eve.get("/api/arena/kuhn/players/lucky").json()["mine"] is True


@pytest.mark.long
def test_an_account_owns_only_what_it_submitted(tmp_path):
    store = tmp_path / "season.sqlite"
    file = tmp_path / "first.py"
    file.write_bytes(FIRST)
    with serving(tmp_path, arena=str(store)) as server:
        lecturer = lecturer_of(server)
        squatter, cem = account(server, "Ann"), account(server, "Cem")
        mine = submit_files(cem, "kuhn", "early", [("cem.py", FIRST)])
        with kibitz.arena.open(store, clock=lambda: time.time() + 3600) as arena:
            arena.submit("kuhn", file, "Ann", owner="Ann")
            arena.submit("kuhn", file, "late", owner="Cem")
            arena.run("kuhn", rounds=1, workers=1)
            match = next(one.match for one in arena.results("kuhn") if "Ann" in {seat.player for seat in one.seats})
        for somebody, player in ((squatter, "Ann"), (cem, "late")):
            assert somebody.get(f"/api/arena/kuhn/players/{player}").json()["mine"] is False
            assert somebody.get(f"/api/arena/kuhn/players/{player}/feedback.txt").status_code == 403
            refused = somebody.post(
                "/api/arena/kuhn/submissions", data={"player": player}, files=[("files", ("a.py", FIRST + b"#"))]
            )
            assert refused.status_code == 403
            assert "open the link from your lecturer" in refused.json()["error"]["sentence"]
        assert squatter.post(f"/api/arena/kuhn/matches/{match}/calls").status_code == 403
        assert cem.get("/api/arena/kuhn/players/early").json()["mine"] is True
        assert cem.get(mine["path"]).status_code == 200
        password = {"name": "Ann", "password": PASSWORD, "welcome": invitation_codes(lecturer)["Ann"]}
        squatter.me = squatter.post("/api/session", password).json()
        assert squatter.get("/api/arena/kuhn/players/Ann").json()["mine"] is True


@pytest.mark.long
def test_an_unchecked_file_loses_its_owner_when_the_name_is_claimed(tmp_path):
    with serving(tmp_path, arena=str(tmp_path / "season.sqlite")) as server:
        lecturer = lecturer_of(server)
        early = account(server, "Ann")
        assert lecturer.post("/api/arena", {"game": "kuhn"}).status_code == 201
        begun = early.post(
            "/api/arena/kuhn/submissions", data={"player": "Ann"}, files=[("files", ("ann.py", FIRST))]
        ).json()
        roster(lecturer, "Ann")
        for _ in range(600):
            if (found := early.get(begun["path"]).json())["state"] in ("accepted", "refused"):
                break
            time.sleep(0.1)
        assert found["state"] == "refused"
        assert "open the link" in found["sentence"]
