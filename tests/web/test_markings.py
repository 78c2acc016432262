"""Lecturers' marks outlive the server, are updated after changes, and are private."""

import csv
import json
import time
from pathlib import Path

import pytest

from kibitz.sandbox import tier
from tests.web.serving import Somebody, account, lecturer_of, serving, unzipped, zipped
from tests.web.test_jobs import finished_job

pytestmark = [
    pytest.mark.skipif(not tier().confines, reason="this machine cannot confine player files"),
    pytest.mark.xdist_group("server with marks"),
]

LAB = {"assignment": "cribbage-lab"}
ONLY = """[functions]
generate_deck.weight = 0
deal_card.weight = 0
score_hand.weight = 0
play.weight = 0
"""
PLAN = ("marks", ("marks.toml", f"out_of = 10\nhidden = 2\n{ONLY}".encode()))
NOTHING, RIGHT = "def shuffle(deck):\n    return None\n", "def shuffle(deck):\n    return deck[::-1]\n"
STUDENTS = {"Ann": NOTHING, "Ben": RIGHT, "Cem": "x = ("}


def class_of(**students):
    """A class's archive as the form sends it."""
    return "files", ("class.zip", zipped({f"{name}/lab.py": source for name, source in students.items()}))


def marks_of(job):
    return {sheet["name"]: sheet["mark"] for sheet in job["sheets"]}


def result_times(folder):
    """The modification time of each stored result."""
    return {path.name: path.stat().st_mtime_ns for path in folder.glob("server.sqlite-marks/*/marks/kept/*")}


@pytest.fixture
def marked_class(tmp_path):
    """A class that was marked by an earlier server: its folder, and the finished job."""
    with serving(tmp_path, arena=str(tmp_path / "season.sqlite")) as server:
        lee = lecturer_of(server)
        job = finished_job(lee, lee.post("/api/marks", data=LAB, files=[class_of(**STUDENTS), PLAN]))
        assert job["state"] == "done", job
        assert marks_of(job) == {"Ann": 0, "Ben": 10, "Cem": 0}
    return tmp_path, job


@pytest.mark.long
def test_marks_outlive_the_server_and_only_changes_are_marked_again(marked_class):
    folder, job = marked_class
    before = result_times(folder)
    with serving(folder, arena=str(folder / "season.sqlite")) as server:
        lee = lecturer_of(server)
        (one,) = lee.get("/api/marks").json()["markings"]
        assert (one["state"], one["submissions"], one["mean"], one["runs"]) == ("done", 3, 3.33, 1)
        assert one["given"] == {"files": "class.zip", "marks": "marks.toml"}
        page = lee.get("/arena", headers={"Accept": "text/html"}).text
        assert f"/marks#{job['job']}" in page
        assert lee.get(job["path"]).json()["sheets"] == job["sheets"]

        again = finished_job(lee, lee.post(one["path"], files=[class_of(**STUDENTS | {"Ann": RIGHT})]))
        assert again["job"] == job["job"]
        assert again["marking"]["changes"] == ["Ann: 10, was 0 (another file; shuffle 2/2, was 0/2)."]
        assert before.items() <= result_times(folder).items()

        for wrong, why in (
            ([("marks", ("marks.toml", b"out_of = -1"))], "marks.toml: out_of must be"),
            ([("overrides", ("o.csv", b"student,mark\nZoe,3\n"))], "there is no submission by 'Zoe'"),
            ([("worksheet", ("w.csv", b"a,b\n"))], "a worksheet is for an export from Moodle or Canvas"),
        ):
            refused = finished_job(lee, lee.post(one["path"], files=wrong))
            assert (refused["state"], why in refused["sentence"]) == ("failed", True), refused
            assert str(folder) not in refused["sentence"]
            assert refused["sheets"] == again["sheets"]
            assert lee.get("/api/marks").json()["markings"][0]["given"] == one["given"]
        refused = finished_job(lee, lee.post(one["path"], data={"student": "Zoe"}, files=[("marks", ("", b""))]))
        assert "there is no submission by 'Zoe'" in refused["sentence"]

        then = result_times(folder)
        finished_job(lee, lee.post(one["path"], data={"student": "Cem"}, files=[("marks", ("", b""))]))
        assert sum(then[name] != at for name, at in result_times(folder).items()) == 1

        plan = f"out_of = 10\nhidden = 3\n{ONLY}[rubric]\nstyle = 5\n[tournament]\nqualified = 1\n"
        more = [
            ("marks", ("other.toml", plan.encode())),
            ("table", ("table.csv", b"rank,player,owner,identifier\n1,Ben,,\n")),
            ("overrides", ("choices.csv", b"student,mark,comment\nCem,4,On paper.\n")),
        ]
        job = finished_job(lee, lee.post(one["path"], files=more))
        assert marks_of(job) == {"Ann": 10, "Ben": 11, "Cem": 4}
        shown = [(sheet["rubric"], sheet["tournament"], sheet["by_hand"]) for sheet in job["sheets"]]
        assert shown == [(0, 0, False), (0, 1, False), (0, 0, True)]
        assert "Points are missing for 3 submissions" in job["sentence"]
        assert job["marking"]["changes"] == ["Ben: 11, was 10 (tournament 1, was 0).", "Cem: 4, was 0 (set by hand)."]
        sheet = lee.get(f"{job['path']}/files/rubric.csv").text.replace("Ben,,,", "Ben,,3,")
        job = finished_job(lee, lee.post(one["path"], files=[("rubric", ("rubric.csv", sheet.encode()))]))
        assert job["marking"]["changes"] == ["Ben: 14, was 11 (rubric 3, was 0)."]

        names = set(unzipped(lee.get(f"{job['path']}/file").content))
        assert {"marking.json", "marks.csv", "rubric.csv", "overrides.csv", "feedback/Ann.html"} <= names
        assert {"uploads/files/class.zip", "uploads/marks/other.toml"} <= names
        assert any(name.startswith("kept/") for name in names)
        rows = csv.DictReader(lee.get(f"{job['path']}/files/marks.csv").text.splitlines())
        assert [row["mark"] for row in rows] == ["10", "14", "4"]
        place = folder / "server.sqlite-marks" / job["job"]
        assert (place.stat().st_mode | place.parent.stat().st_mode) & 0o077 == 0
        assert len(list(place.glob("uploads-*"))) == 3, "what isn't needed any more is gone"
        assert lee.send("DELETE", one["path"]).status_code == 200
        assert lee.get(job["path"]).status_code == 404
        assert not place.exists()


def late_class():
    """A Gradescope export with Ann's work, which is right and was submitted on 18 October."""
    submitted = "submission_1:\n  :created_at: 2026-10-18 09:00:00 +1100\n  :submitters:\n  - :name: Ann\n"
    files = {"submission_1/lab.py": RIGHT, "submission_metadata.yml": submitted}
    return "files", ("export.zip", zipped(files))


def test_page_and_marks_toml_set_the_same_deadline(tmp_path):
    with serving(tmp_path, arena=str(tmp_path / "season.sqlite")) as server:
        lee, sam = lecturer_of(server), account(server, "Sam")
        path, due = "/api/deadlines/cribbage-lab", "2026-10-16T17:00:00+11:00"
        wrong = lee.send("PUT", path, {"due": due, "per_day": 0.1})
        assert (wrong.status_code, "er_day is in per cent" in wrong.text) == (400, True)
        assert lee.send("PUT", path, {"due": due, "grace": 1e300}).status_code == 400
        assert lee.send("PUT", path, {"due": due, "extensions": {"\x7f": due}}).status_code == 400
        assert lee.send("PUT", "/api/deadlines/chess", {"due": due}).status_code == 404
        assert sam.send("PUT", path, {"due": due}).status_code == 403
        lee.send("PUT", path, {"due": due, "per_day": 10, "extensions": {"Bob": due}})
        deadline = {"due": due, "grace": 0, "per_day": 10, "most": 100, "extensions": {"Bob": due}}
        assert lee.get("/api/marks").json()["deadlines"] == {"cribbage-lab": deadline}
        assert sam.get("/api/marks").json()["deadlines"] == {"cribbage-lab": deadline | {"extensions": {}}}

        assert f'APS106, the cribbage lab: due on <time data-due="{due}"' in sam.get("/arena").text

        job = finished_job(lee, lee.post("/api/marks", data=LAB, files=[late_class(), PLAN]))
        assert marks_of(job) == {"Ann": 8}, job
        later = b"[deadline]  # later\ndue = 2026-10-17T17:00:00\nper_day = 5\n"
        changed = ("marks", ("marks.toml", PLAN[1][1] + later))
        job = finished_job(lee, lee.post(job["marking"]["path"], files=[changed]))
        assert marks_of(job) == {"Ann": 9.5}
        assert lee.get("/api/marks").json()["deadlines"]["cribbage-lab"]["due"] == "2026-10-17T17:00:00"
        lee.send("PUT", path, {"due": "2026-10-20T17:00:00+11:00", "per_day": 5})
        job = finished_job(lee, lee.post(job["marking"]["path"], data={"student": ""}, files=[("marks", ("", b""))]))
        assert marks_of(job) == {"Ann": 10}, "the page's deadline counts, although the stored marks.toml had another"
        exported = unzipped(lee.get(f"{job['path']}/file").content)
        assert "due = 2026-10-20T17:00:00+11:00" in exported["uploads/marks/marks.toml"]
        lee.send("DELETE", path)
        assert lee.get("/api/marks").json()["deadlines"] == {}


def test_students_cannot_reach_a_lecturers_marks(marked_class):
    folder, job = marked_class
    with serving(folder, arena=str(folder / "season.sqlite")) as server:
        for somebody in (account(server, "Ada"), Somebody(server)):
            assert somebody.get("/api/marks").json()["markings"] == []
            page = somebody.get("/arena", headers={"Accept": "text/html"}).text
            assert job["job"] not in page
            assert "Roster" not in page
            for path in (job["path"], f"{job['path']}/file", f"{job['path']}/files/marks.csv"):
                assert somebody.get(path).status_code == 404
            mine = job["marking"]["path"]
            for refused in (
                somebody.get(f"{mine}/similar"),
                somebody.post(mine, files=[("marks", ("", b""))]),
                somebody.post(f"{mine}/similar", files=[("starter", ("", b""))]),
                somebody.send("DELETE", mine),
            ):
                assert refused.status_code in (401, 403)
            assert somebody.send("DELETE", job["path"]).status_code == 404
        ada = account(server, "Bob")
        own = finished_job(ada, ada.post("/api/marks", data=LAB, files=[("files", ("lab.py", NOTHING.encode()))]))
        assert own["marking"] is None
        for name in unzipped(ada.get(f"{own['path']}/file").content):
            assert not name.startswith(("kept/", "uploads/", "marking.json"))
        assert lecturer_of(server).post("/api/arena", {"game": "leduc"}).status_code == 201
        assert lecturer_of(server).get("/api/arena/leduc/table.csv").text.startswith("rank,player,owner,identifier,")
        assert ada.get("/api/arena/leduc/table.csv").status_code == 403
        assert [one["job"] for one in lecturer_of(server).get("/api/marks").json()["markings"]] == [job["job"]]


def test_interrupted_marks_are_found_and_finished(tmp_path):
    with serving(tmp_path, processes=True, arena=str(tmp_path / "season.sqlite")) as server:
        lee = lecturer_of(server)
        slow = {f"S{i}": f"def shuffle(deck):\n    while True:\n        {i}\n" for i in range(3)}
        begun = lee.post("/api/marks", data=LAB, files=[class_of(Ann=RIGHT, **slow), PLAN]).json()
        assert lee.post(begun["marking"]["path"], files=[("marks", ("", b""))]).status_code == 409
        assert lee.send("DELETE", begun["marking"]["path"]).status_code == 409
        while not lee.get(begun["path"]).json()["done"]:
            time.sleep(0.05)
    with serving(tmp_path, arena=str(tmp_path / "season.sqlite")) as server:
        lee = lecturer_of(server)
        (one,) = lee.get("/api/marks").json()["markings"]
        assert (one["state"], one["runs"]) == ("interrupted", 0)
        job = lee.get(begun["path"]).json()
        assert (job["state"], "mark again to finish" in job["sentence"]) == ("failed", True)
        there = result_times(tmp_path)
        assert there
        job = finished_job(lee, lee.post(one["path"], files=[class_of(Ann=RIGHT, Ben=RIGHT)]))
        assert (job["state"], marks_of(job), job["marking"]["state"]) == ("done", {"Ann": 10, "Ben": 10}, "done")
        assert result_times(tmp_path) == there, "nothing was marked twice"


def test_a_first_upload_that_fails_leaves_nothing(tmp_path):
    with serving(tmp_path, arena=str(tmp_path / "season.sqlite")) as server:
        lee = lecturer_of(server)
        wrong = finished_job(lee, lee.post("/api/marks", data=LAB, files=[("files", ("class.zip", b"no archive"))]))
        assert (wrong["state"], wrong["marking"]) == ("failed", None), wrong
        assert "class.zip" in wrong["sentence"]
        report = lee.post("/api/marks", data=LAB, files=[("files", ("a b.docx", b"PK"))])
        assert "'a b.docx' isn't a Python file: choose" in report.text
        twice = lee.post(
            "/api/marks", data=LAB, files=[("files", ("lab.py", b"a = 1")), ("files", ("lab.py", b"a = 2"))]
        )
        assert "Two files are called 'lab.py'" in twice.text
        assert lee.get("/api/marks").json()["markings"] == []
        assert list(Path(tmp_path / "server.sqlite-marks").iterdir()) == []


@pytest.mark.long
def test_the_page_of_similar_work_runs_no_scripts(marked_class):
    folder, job = marked_class
    code = "".join(f"def f{i}(a, b):\n    return [a * {i} + b for b in range(a) if b % {i + 2}]\n" for i in range(9))
    evil = f"# <script>alert(1)</script>\n{code}"
    with serving(folder, arena=str(folder / "season.sqlite")) as server:
        lee = lecturer_of(server)
        path = job["marking"]["path"]
        finished_job(lee, lee.post(path, files=[class_of(Ann=evil, Ben=code.replace("f1", "mine"), Cem="x = 1\n")]))
        assert lee.get(f"{path}/similar").status_code == 404
        found = finished_job(lee, lee.post(f"{path}/similar", files=[("starter", ("", b""))]))
        assert found["sentence"] == "3 submissions compared: 1 pair with shared code, 0 groups of identical files."
        page = lee.get(f"{path}/similar")
        assert page.headers["content-security-policy"].startswith("sandbox; default-src 'none'")
        assert "<script>" not in page.text
        assert "Ann and Ben" in page.text
        starter = ("starter", ("given.py", code.encode()))
        assert "0 pairs" in finished_job(lee, lee.post(f"{path}/similar", files=[starter]))["sentence"]
        assert lee.get("/api/marks").json()["markings"][0]["similar"]


def test_queued_work_can_be_cancelled(tmp_path):
    with serving(tmp_path, arena=str(tmp_path / "season.sqlite")) as server:
        lee = lecturer_of(server)
        jobs = server.app_state.jobs
        server.client.portal.call(jobs.slots.acquire)
        server.client.portal.call(jobs.slots.acquire)
        begun = lee.post("/api/marks", data=LAB, files=[class_of(Ann=RIGHT)]).json()
        assert lee.get(begun["path"]).json()["state"] == "waiting"
        assert lee.send("DELETE", begun["path"]).status_code == 200
        job = lee.get(begun["path"]).json()
        assert (job["state"], job["marking"]["state"]) == ("failed", "interrupted"), json.dumps(job)
