"""``kibitz mark`` and ``kibitz assignment`` on the command line."""

import csv
import json
import os
import signal
import subprocess
import sys
import time

import pytest

from tests.marking.students import HONEST, hand_in
from tests.players.class_of import write_files
from tests.tiers import first_fast

KIBITZ = [sys.executable, "-c", "import sys; from kibitz.cli import main; sys.exit(main(sys.argv[1:]))"]
STYLED = 'def score_hand(hand):\n    """Count."""\n    return 4  # always\n\n\nbadName = 1\n'
SLOW = "def score_hand(hand):\n    total = 0\n    for i in range(1_000_000):\n        total += i\n    return 4\n"


@pytest.fixture
def moodle(tmp_path, monkeypatch):
    """The example class of ``docs/marking.md``, in the current folder."""
    hand_in(tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def marks_of(path):
    with path.open(newline="", encoding="utf-8") as file:
        return {row["student"]: float(row["mark"]) for row in csv.DictReader(file)}


def test_messy_class_is_marked_into_tables_and_feedback(kibitz, moodle):
    words = "mark", "go", "Project 1", "--marks", "marks.toml", "--hidden", "8", "--seed", "7", "-o", "out"
    answer = kibitz(*words, "--worksheet", "worksheet.csv")
    assert answer.status == 0
    assert answer.lines[0] == "A Moodle export with 10 submissions of COMP10001-Go."
    assert answer.err == "marked 10 of 10 submissions\n"
    found = marks_of(moodle / "out" / "marks.csv")
    assert found.pop("Okafor Ada") == found.pop("Rossi Eve") == 20
    assert 12 < found.pop("Petrov Dan") < 20
    assert 12 < found.pop("Müller Ben") < 20
    assert found.pop("Virtanen Finn") == 12
    assert set(found.values()) == {0}
    assert len(found) == 5
    for name in found:
        assert any(line.startswith(f"{name}: ") for line in answer.lines), name
    assert len(list((moodle / "out" / "feedback").iterdir())) == 20
    assert "scoring ['KC'" in (moodle / "out" / "feedback" / "Petrov Dan.txt").read_text(encoding="utf-8")
    started = time.monotonic()
    again = kibitz(*words, "--worksheet", "worksheet.csv")
    assert again.lines == answer.lines, "kept results are used again"
    assert time.monotonic() - started < 30


def test_errors_are_reported_before_anything_is_written(refused, moodle):
    words = "mark", "go", "Project 1", "-o", "out"
    (moodle / "bad.toml").write_text("[functions.comp10001go_scores]\n")
    (moodle / "bad.csv").write_text("Name,Mark\n")
    assert refused(*words, "--marks", "bad.toml").startswith("bad.toml: unknown function:")
    assert "has no column 'Identifier'" in refused(*words, "--worksheet", "bad.csv")
    assert "a column is for exports from Canvas" in refused(*words, "--column", "Project 1")
    assert "unknown function: 'play'" in refused(*words, "--only", "play")
    assert "unknown assignment 'gо'" in refused("mark", "gо", "Project 1")
    assert "workers" in refused(*words, "--workers", "0")
    assert "hidden must be a whole number from 1 to 10000" in refused(*words, "--hidden", "10001")
    assert refused("mark", "go", "nowhere")
    assert refused("mark", "go", "worksheet.csv")
    assert "'player.py' is listed in its archive as larger than 1 MiB" in refused(
        "mark", "go", "Project 1/Hugo Hugo_1000008_assignsubmission_file/player.zip"
    )
    assert not (moodle / "out").exists()
    assert not list(moodle.glob("*-marks"))


def test_marking_one_file_writes_nothing(kibitz, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").write_text(HONEST)
    answer = kibitz("mark", "go", "mine.py", "--hidden", "5", "--seed", "3")
    assert answer.status == 0
    assert answer.lines[2] == "Mark: 100 of 100"
    assert answer.lines[-1] == "To repeat these hidden cases, add --seed 3."
    assert [path.name for path in tmp_path.iterdir()] == ["mine.py"]


def test_command_on_a_feedback_page_repeats_the_call(kibitz, refused, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    source = "def deal_card(deck, hand):\n    print('dealt')\n    hand.append(deck.pop())\n"
    source += "def score_hand(hand):\n    return [][1]\n"
    (tmp_path / "mine.py").write_text(source)
    (line, *_) = [
        line
        for line in kibitz("mark", "cribbage-lab", "mine.py", "--hidden", "4", "--seed", "1").lines
        if "try it" in line and "deal_card" in line
    ]
    command = line.strip().removeprefix("try it").strip()
    done = subprocess.run(
        ["sh", "-c", command.replace("kibitz", '"$0" -c "$1"', 1), *KIBITZ[::2]],
        capture_output=True,
        text=True,
        cwd=tmp_path,
    )
    assert done.stdout.splitlines()[0] == "    got       It returned None.", done.stderr
    assert "It left its arguments as " in done.stdout
    assert "dealt" in done.stdout
    failed = kibitz("mark", "cribbage-lab", "mine.py", "--call", "score_hand([])")
    assert failed.status == 2
    assert "score_hand raised IndexError: list index out of range." in failed.out
    assert 'File "mine.py", line 5, in score_hand' in failed.out
    missing = kibitz("mark", "cribbage-lab", "mine.py", "--call", "shuffle([])")
    assert (missing.status, "does not define shuffle" in missing.out) == (2, True)
    for call in ("score_hand(", "score_hand(x)", "print(1)", "score_hand(hand=[])", "score_hand(__import__('os'))"):
        assert "score_hand" in refused("mark", "cribbage-lab", "mine.py", "--call", call)


@pytest.mark.long
@pytest.mark.parametrize("number", first_fast([signal.SIGINT, signal.SIGTERM]))
def test_marking_stopped_by_a_signal_is_resumed(tmp_path, number):
    for i in range(4):
        (tmp_path / "class" / f"s{i}").mkdir(parents=True)
        (tmp_path / "class" / f"s{i}" / "mine.py").write_text(SLOW + f"# {i}\n")
    command = [*KIBITZ, "mark", "cribbage-lab", "class", "--only", "score_hand", "--hidden", "6", "--workers", "1"]
    running = subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    kept = tmp_path / "cribbage-lab-marks" / "kept"
    limit = time.monotonic() + 120
    while time.monotonic() < limit and not (kept.is_dir() and list(kept.glob("*.json"))):
        time.sleep(0.02)
    running.send_signal(number)
    out, err = running.communicate(timeout=60)
    assert running.returncode == 130, err
    assert "are marked and kept; the same command resumes." in out
    assert not (tmp_path / "cribbage-lab-marks" / "marks.csv").exists()
    there = len(list(kept.glob("*.json")))
    assert 1 <= there < 4
    seed = json.loads((tmp_path / "cribbage-lab-marks" / "marking.json").read_text())["seed"]
    done = subprocess.run([*command[:-2], "--workers", "2"], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert len(list(kept.glob("*.json"))) == 4
    assert json.loads((tmp_path / "cribbage-lab-marks" / "marking.json").read_text())["seed"] == seed
    assert len(marks_of(tmp_path / "cribbage-lab-marks" / "marks.csv")) == 4


def test_gradescope_results_are_written_for_each_submission(kibitz, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for i in (1, 2):
        (tmp_path / "code" / f"submission_{i}").mkdir(parents=True)
        (tmp_path / "code" / f"submission_{i}" / "mine.py").write_text("def generate_deck():\n    return []\n")
    (tmp_path / "code" / "submission_metadata.yml").write_text(
        "submission_1:\n  :submitters:\n  - :name: Ann Lee\nsubmission_2:\n  :submitters:\n  - :name: Bo Li\n"
    )
    answer = kibitz("mark", "cribbage-lab", "code", "--hidden", "2", "--workers", "1")
    assert answer.lines[0] == "A Gradescope export with 2 submissions of APS106, the cribbage lab."
    for i in (1, 2):
        found = json.loads(
            (tmp_path / "cribbage-lab-marks" / "results" / f"submission_{i}" / "results.json").read_text()
        )
        assert [test["max_score"] for test in found["tests"]] == [20] * 5
    assert set(marks_of(tmp_path / "cribbage-lab-marks" / "marks.csv")) == {"Ann Lee", "Bo Li"}


def test_nothing_is_marked_without_confinement(refused, tmp_path, monkeypatch):
    from kibitz import sandbox
    from kibitz.sandbox import tiers

    (tmp_path / "mine.py").write_text(HONEST)
    none = tiers.Tier("none", "This kernel has no Landlock: it needs Linux 5.13 or newer.")
    monkeypatch.setattr(sandbox, "tier", lambda: none)
    assert refused("mark", "go", tmp_path / "mine.py").startswith(
        "Files are marked only in the sandbox: this kernel has no Landlock"
    )


def test_handout_is_complete_and_overwrites_nothing(kibitz, refused, tmp_path):
    folder = tmp_path / "handout"
    answer = kibitz("assignment", "go", "-o", folder)
    assert answer.out == f"Written to {folder}: statement.md, my_go.py, test_public.py.\n"
    assert sorted(os.listdir(folder)) == ["my_go.py", "statement.md", "test_public.py"]
    (folder / "statement.md").unlink()
    assert "already exists" in refused("assignment", "go", "-o", folder)
    assert not (folder / "statement.md").exists()
    assert kibitz("assignment", "go", "-o", folder, "--force").status == 0
    assert kibitz("assignment", "go").out == (folder / "statement.md").read_text(encoding="utf-8")
    assert "add --output FOLDER" in refused("assignment", "go", "--github")
    assert "did you mean 'huxxy'" in refused("assignment", "huxy", "-o", folder)
    (tmp_path / "marks.toml").write_text("[functions.comp10001go_play]\nweight = 0\n")
    kibitz("assignment", "go", "-o", folder, "--force", "--marks", tmp_path / "marks.toml")
    assert "comp10001go_play(" not in (folder / "statement.md").read_text(encoding="utf-8").partition("## Rules")[0]


@pytest.mark.parametrize("name", first_fast(["cribbage-lab", "go", "bo", "huxxy", "poker"]))
def test_starter_file_is_a_notebook_on_request(kibitz, tmp_path, name):
    kibitz("assignment", name, "-o", tmp_path, "--notebook")
    file = f"my_{name.replace('-', '_')}.ipynb"
    assert sorted(os.listdir(tmp_path)) == [file, "statement.md", "test_public.py"]
    assert f"`python test_public.py {file}`" in (tmp_path / "statement.md").read_text(encoding="utf-8")
    done = subprocess.run([sys.executable, "test_public.py", file], cwd=tmp_path, capture_output=True, text=True)
    assert "NotImplementedError" in done.stdout
    assert "AttributeError" not in done.stdout


@pytest.mark.long
def test_rubric_points_become_marks_and_are_kept(kibitz, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    files = {f"{name}_{i}_assignsubmission_file/x.py": STYLED for i, name in enumerate(["Lee Ann", "Oz Bob"], 1)}
    write_files(tmp_path / "class", files)
    (tmp_path / "marks.toml").write_text("hidden = 1\nout_of = 10\n[rubric]\ncomments = 2\nstyle = 3\n")
    command = ["mark", "cribbage-lab", "class", "--marks", "marks.toml", "-o", "out", "--seed", "1"]
    sheet = tmp_path / "out" / "rubric.csv"
    assert "Points are missing for 2 submissions: fill in out/rubric.csv" in kibitz(*command).out
    assert sheet.read_text().splitlines()[1] == "Lee Ann,1,,,,x.py,1,1,score_hand: 3,1,badName"
    sheet.write_text(sheet.read_text().replace("Lee Ann,1,,,,", "Lee Ann,1,1.5,3,Fine.,"))
    assert "Points are missing for 1 submission: " in kibitz(*command).out
    assert "Lee Ann,1,1.5,3,Fine.,x.py," in sheet.read_text()
    ann, bob = csv.DictReader((tmp_path / "out" / "marks.csv").read_text().splitlines())
    assert float(ann["mark"]) == float(bob["mark"]) + 4.5
    assert (ann["out of"], ann["rubric: comments"], ann["rubric: style"], bob["rubric: style"]) == (
        "15",
        "1.5",
        "3",
        "",
    )
    grades = (tmp_path / "out" / "moodle-worksheet.csv").read_text()
    assert f"Lee Ann,{ann['mark']},15," in grades
    assert "Comments: 1.5 of 2. Style: 3 of 3. Fine." in grades
    (tmp_path / "marks.toml").write_text("hidden = 1\nout_of = 10\n")
    kibitz(*command)
    assert sheet.exists()


def test_later_run_reports_changed_marks(kibitz, refused, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("ann", "bob", "cem"):
        write_files(tmp_path / "class", {f"{name}.py": "def score_hand(hand):\n    return 4\n"})
    (tmp_path / "marks.toml").write_text("hidden = 1\nout_of = 10\n")
    command = ["mark", "cribbage-lab", "class", "--only", "shuffle"]
    command += ["--marks", "marks.toml", "-o", "out", "--seed", "1", "--workers", "1"]
    assert "Changed since" not in kibitz(*command).out
    first = {path.name: path.stat().st_mtime_ns for path in (tmp_path / "out" / "kept").iterdir()}
    (tmp_path / "class" / "bob.py").write_text("def shuffle(deck):\n    return deck[::-1]\n")
    (tmp_path / "class" / "cem.py").unlink()
    (tmp_path / "class" / "dee.py").write_text("x = 1\n")
    lines = kibitz(*command).lines
    where = lines.index("Changed since the last run:")
    assert lines[where + 1 : where + 4] == [
        "bob: 10, was 0 (another file; shuffle 1/1, was 0/1).",
        "dee: 0, new.",
        "cem: no longer there.",
    ]
    assert refused(*command, "--again", "zoe").startswith("there is no submission by 'zoe'")
    kibitz(*command, "--again", "ann")
    then = {path.name: path.stat().st_mtime_ns for path in (tmp_path / "out" / "kept").iterdir()}
    assert len([name for name in first if first[name] != then[name]]) == 1
