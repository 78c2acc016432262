"""Long work over HTTP: started, followed until it is done, and visible only to those who may see it."""

import time

import pytest

import kibitz
from kibitz.engine.record import text
from kibitz.web import job_process
from kibitz.web.jobs import SubmissionCheck, SubmissionChecks
from tests.web.serving import Somebody, account, lecturer_of, unzipped, zipped
from tests.web.test_arena import submit_files

pytestmark = pytest.mark.xdist_group("server with rounds")

SPEAKS = b"def play(view, legal):\n    print('I hold', view.hand)\n    return legal[0]\n"


@pytest.fixture(scope="module")
def lecturer(server):
    return lecturer_of(server)


@pytest.fixture(scope="module")
def ada(server, lecturer):
    """Ada, whose player has played a round started by the lecturer."""
    ada = account(server, "Ada")
    assert submit_files(ada, "kuhn", "Ada", [("ada.py", SPEAKS)])["state"] == "accepted"
    job = finished_job(lecturer, lecturer.post("/api/arena/kuhn/rounds", {"rounds": 1}))
    assert job["state"] == "done", job
    assert "played and saved" in job["sentence"]
    return ada


def finished_job(somebody, answer, status=202):
    """The finished job."""
    assert answer.status_code == status, answer.text
    begun = answer.json()
    job = begun.get("job", begun)
    job = begun if isinstance(job, str) else job
    for _ in range(2400):
        job = somebody.get(job["path"]).json()
        if job["state"] in ("done", "failed"):
            return job
        time.sleep(0.1)
    raise AssertionError(job)


def test_a_lecturer_starts_rounds_that_can_be_watched_live(server, ada):
    live = ada.get("/api/arena/kuhn/live").json()
    assert (live["round"], live["done"], live["running"]) == (1, live["of"], False)
    assert len(live["matches"]) == 8
    assert ada.get(live["matches"][0]["path"].replace("/games/", "/api/played/")).json()["game"] == "kuhn"
    assert Somebody(server).post("/api/arena/kuhn/rounds", {"rounds": 1}).status_code == 401
    assert ada.post("/api/arena/kuhn/rounds", {"rounds": 1}).status_code == 403


def test_a_lecturer_enters_a_class_and_later_the_next_export(lecturer, ada):
    folder = "{} {}_{}_assignsubmission_file/"
    players = {
        folder.format("Bea", "Bo", 7) + "bea.py": SPEAKS,
        folder.format("Cem", "Co", 8) + "cem.py": b"def play(view, legal):\n    return 'dance'\n",
        folder.format("Dan", "Do", 9) + "old.py": SPEAKS,
        folder.format("Dan", "Do", 9) + "new.py": SPEAKS,
    }
    job = finished_job(
        lecturer, lecturer.post("/api/arena/kuhn/class", files=[("files", ("class.zip", zipped(players)))])
    )
    assert job["sentence"] == "1 of 3 submissions play in kuhn, 1 of them new."
    bea, cem, dan = job["proofs"]
    assert bea == {"ok": True, "sentence": "Bea Bo: accepted, version 1."}
    assert cem["sentence"].startswith("Cem Co: refused, version 1: ")
    assert dan["sentence"] == "Dan Do: left out: new.py and old.py both define play: keep only one."

    table = ("overrides", ("choices.csv", b"student,file\n9,new.py\n"))
    files = [("files", ("next week.zip", zipped(players))), table]
    job = finished_job(lecturer, lecturer.post("/api/arena/kuhn/class", files=files))
    assert job["sentence"] == "2 of 3 submissions play in kuhn, 1 of them new."
    assert [proof["sentence"] for proof in job["proofs"]][::2] == [
        "Bea Bo: unchanged, version 1.",
        "Dan Do: accepted, version 1.",
    ]
    alone = [("files", ("bea.py", SPEAKS))]
    job = finished_job(lecturer, lecturer.post("/api/arena/kuhn/class", files=alone))
    assert (job["state"], job["sentence"]) == ("failed", "this is one player, not a class: use 'Submit a player'.")


def test_a_review_judges_each_decision_and_is_computed_once(server, ada):
    begun = ada.post("/api/played/kuhn.1/review")
    job = finished_job(ada, begun)
    assert job["state"] == "done", job
    verdicts = job["review"]["verdicts"]
    assert verdicts
    assert all(0 <= one["winning_chance"] <= 1 for one in verdicts)
    assert all((one["loss"] > 0) == one["mistake"] for one in verdicts)
    assert len(job["review"]["seat_summaries"]) == 2
    other = Somebody(server)
    again = other.post("/api/played/kuhn.1/review")
    assert again.json()["job"] == begun.json()["job"]
    assert other.get(again.json()["path"]).json()["review"] == job["review"]
    assert other.post("/api/played/nothing/review").status_code == 404


@pytest.mark.parametrize("seconds", [60, 0])
def test_a_preliminary_review_is_shown_before_the_search_is_compiled_if_it_is_fast(seconds, monkeypatch, tmp_path):
    ready, statuses = [], []
    for module in ("search.search_players", "arena.reviews"):
        monkeypatch.setattr(f"kibitz.{module}.is_ready", lambda game: bool(ready))
    monkeypatch.setattr("kibitz.search.search_players.compile_search", ready.append)
    monkeypatch.setattr(job_process, "write_status", statuses.append)
    monkeypatch.setattr(job_process, "PRELIMINARY_SECONDS", seconds)
    game = kibitz.play_games("kuhn", ["random"], n=1, workers=1, records=True).records[0]
    last = job_process.ReviewWork(text(game)).carry_out(lambda done, of: None, tmp_path)
    (first,) = statuses
    assert not first.ended
    if seconds:
        assert first.sentence.startswith("Preliminary: 24 simulated games")
        assert "24 simulated games (plain Python)" in first.review.judge
    else:
        assert (first.sentence, first.review) == (job_process.COMPILING, None)
    assert "300 simulated games (compiled)" in last.review.judge
    assert (last.ended, last.good) == (True, True)


@pytest.mark.long
def test_calls_and_output_are_visible_to_owner_and_lecturers_only(server, ada, lecturer):
    path = "/api/arena/kuhn/matches/1/calls"
    for somebody in (ada, lecturer):
        job = finished_job(somebody, somebody.post(path))
        assert job["state"] == "done", job
        asked = [one for one in job["replies"] if one["call"]]
        assert asked
        assert all(one["call"].startswith("play(View(") for one in asked)
        assert all("I hold ['" in one["printed"] for one in asked)
        assert all(one["returned"] for one in asked)
        assert not any(one["chosen"] or one["failure"] for one in asked)
    for stranger in (Somebody(server), account(server, "Ben")):
        assert stranger.post(path).status_code == 403
        assert stranger.get(job["path"]).status_code == 404
    assert lecturer.post("/api/arena/kuhn/matches/999/calls").status_code == 404


def test_a_submission_knows_how_many_are_before_it():
    checks = SubmissionChecks("")
    for id, state in (("a", "done"), ("b", "running"), ("c", "waiting"), ("d", "waiting")):
        checks.by_id[id] = SubmissionCheck(id, id, "", id, state=state)
    assert [checks.before(check) for check in checks.by_id.values()] == [0, 0, 1, 2]


def test_custom_games_take_tournament_players_but_no_paths(server, ada):
    begun = ada.post("/api/arena/kuhn/custom", {"players": ["Ada", "random"], "deals": 2})
    job = finished_job(ada, begun)
    assert (job["state"], begun.json()["tournament"]) == ("done", "custom-1"), job
    table = ada.get("/api/arena/custom-1").json()
    assert (table["phase"], table["matches"]) == ("closed", 4)
    wrong = (
        (["./mine.py", "random"], "not files"),
        (["Nobody", "random"], "no player called"),
        ([], "Choose from 1 to 16 players."),
    )
    for players, why in wrong:
        answer = ada.post("/api/arena/kuhn/custom", {"players": players})
        assert (answer.status_code, why in answer.text) == (400, True), answer.text
    assert Somebody(server).post("/api/arena/kuhn/custom", {"players": ["random"]}).status_code == 401


@pytest.mark.long
def test_a_tournament_is_verified_and_its_final_played_and_closed(ada, lecturer):
    job = finished_job(lecturer, lecturer.post("/api/arena/kuhn/proof", {"replay": 2}))
    assert job["sentence"] == "kuhn is verified."
    assert all(proof["ok"] for proof in job["proofs"])
    assert any("replayed" in proof["sentence"] for proof in job["proofs"])
    early = lecturer.post("/api/arena/kuhn/final", {"rounds": 1})
    assert (early.status_code, "still takes submissions" in early.text) == (409, True)
    lecturer.post("/api/arena/kuhn/freeze")
    job = finished_job(lecturer, lecturer.post("/api/arena/kuhn/final", {"rounds": 1}))
    assert job["state"] == "done", job
    assert lecturer.get("/api/arena/kuhn").json()["phase"] == "closed"


WEIGHTS = b"out_of = 20\nhidden = 3\n[functions.generate_deck]\nweight = 3\n"
WORKSHEET = b"""Identifier,Full name,Email address,Status,Grade,Maximum Grade,Feedback comments
Participant 101,Ann Lee,101@x.example,Submitted,,100,
Participant 102,Ben Ray,102@x.example,Submitted,,100,
"""
LAB, SEVEN = {"assignment": "cribbage-lab"}, b"def generate_deck():\n    return 7\n"


@pytest.mark.long
def test_students_mark_files_and_only_lecturers_mark_a_class(server, ada, lecturer):
    mine = [("files", ("lab.py", SEVEN))]
    job = finished_job(ada, ada.post("/api/marks", data=LAB, files=mine))
    (sheet,) = job["sheets"]
    assert sheet["out_of"] == 100
    assert "generate_deck" in sheet["page"]
    assert "marks.csv" in unzipped(ada.get(f"{job['path']}/file").content)
    assert Somebody(server).get(f"{job['path']}/file").status_code == 404
    for data, files, status, why in (
        ({"assignment": "chess"}, mine, 400, "Unknown assignment 'chess'"),
        ({**LAB, "hidden": "5"}, mine, 403, "Only lecturers"),
    ):
        wrong = ada.post("/api/marks", data=data, files=files)
        assert (wrong.status_code, why in wrong.text) == (status, True), wrong.text

    folder = "{}_assignsubmission_file_/lab.py"
    whole = zipped({folder.format("Ann Lee_101"): SEVEN, folder.format("Ben Ray_102"): SEVEN})
    files = [("files", ("class.zip", whole)), ("worksheet", ("grades.csv", WORKSHEET))]
    refused = finished_job(ada, ada.post("/api/marks", data=LAB, files=files[:1]))
    assert (refused["state"], "only your own files" in refused["sentence"]) == ("failed", True), refused
    given = [*files, ("marks", ("weights.toml", WEIGHTS))]
    job = finished_job(lecturer, lecturer.post("/api/marks", data=LAB, files=given))
    assert [(one["name"], one["out_of"]) for one in job["sheets"]] == [("Ann Lee", 20), ("Ben Ray", 20)]
    assert all(mark["cases"] == 3 for mark in job["sheets"][0]["marks"])
    assert {"marks.csv", "moodle-worksheet.csv", "moodle-feedback.zip"} <= set(job["tables"])
    assert "Participant 101,Ann Lee" in lecturer.get(f"{job['path']}/files/moodle-worksheet.csv").text
    assert lecturer.get(f"{job['path']}/files/marks.csv").text.count("\n") == 3
    assert lecturer.get(f"{job['path']}/files/..%2Fsecret").status_code == 404
    assert ada.get(f"{job['path']}/files/marks.csv").status_code == 404
    for more, why in (
        (("marks", ("weights.toml", b"out_of = -1")), "weights.toml: out_of must be a number"),
        (("marks", ("weights.toml", b"[functions.dance]")), "unknown function: 'dance'"),
        (("worksheet", ("grades.csv", b"a,b\n1,2\n")), "grades.csv"),
    ):
        refused = finished_job(lecturer, lecturer.post("/api/marks", data=LAB, files=[files[0], more]))
        assert (refused["state"], why in refused["sentence"]) == ("failed", True), refused
        assert "/" not in refused["sentence"].replace("and/or", ""), refused


@pytest.mark.long
def test_player_feedback_is_visible_to_its_owner_only(server, ada, lecturer):
    path = "/api/arena/kuhn/players/Ada/feedback.txt"
    mine = ada.get(path)
    assert mine.headers["content-disposition"].startswith("attachment")
    assert mine.text.startswith("Ada in kuhn")
    assert "kibitz check-player kuhn FILE" in mine.text
    assert Somebody(server).get(path).status_code == 403
    assert lecturer.get(path).text == mine.text
    job = finished_job(lecturer, lecturer.post("/api/arena/kuhn/feedback"))
    assert unzipped(lecturer.get(f"{job['path']}/file").content)["Ada.txt"] == mine.text
    assert ada.post("/api/arena/kuhn/feedback").status_code == 403
    assert ada.get(f"{job['path']}/file").status_code == 404
