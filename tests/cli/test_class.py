"""A class submits players, gets feedback and withdraws, on the command line as a lecturer uses it."""

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from kibitz.arena import open as open_arena
from kibitz.arena.entry import submissions
from kibitz.arena.entry.qualification import Report
from tests.arena.trials import Clock
from tests.players.class_of import ONE, SEVERAL, archive, in_folder, write_files
from tests.players.conftest import HONEST, go_with

pytestmark = pytest.mark.xdist_group("messy class")

SOURCE = Path(sys.modules["kibitz"].__file__).parents[1]
KIBITZ = [sys.executable, "-c", "import sys; from kibitz.cli import main; sys.exit(main())"]
QUICK = ("--games", "2", "--workers", "1")
LATIN = b"# -*- coding: latin-1 -*-\n# caf\xe9\n" + HONEST.encode()
LOUD = HONEST.replace("    return hand[0]", "    print('I hold', hand)\n    return hand[0]")
CLASS = {
    **in_folder("Lee Ann_11_assignsubmission_file", {"my player.py": HONEST}),
    **in_folder("Oz Cem_12_assignsubmission_file", {"latin.py": LATIN}),
    **in_folder("Old Dan_13_assignsubmission_file", {"two.py": "print 'hello'\n" + HONEST}),
    **in_folder("Loud Eve_14_assignsubmission_file", {"eve.py": LOUD}),
    **in_folder("Poe Flo_15_assignsubmission_file", SEVERAL),
    **in_folder("Bad Gus_16_assignsubmission_file", {"gus.py": go_with("return hand[99]")}),
    **in_folder("Two Ida_17_assignsubmission_file", {"a.py": HONEST, "b.py": HONEST}),
}
ROSTER = "Identifier,Full name,Email address\nParticipant 11,Ann Lee,lee@uni\nParticipant 14,Eve Loud,loud@uni\n"
QUITTER = go_with("return hand[99]")
GOOD = ("Lee Ann", "Loud Eve", "Oz Cem", "Poe Flo")


@pytest.fixture(scope="module")
def entered(tmp_path_factory):
    """The folder with the class and its store, and the finished submit command."""
    folder = tmp_path_factory.mktemp("class")
    write_files(folder / "Go project", CLASS)
    words = ["arena", "submit", "go", "Go project", *QUICK, "--store", "season.sqlite"]
    environment = {**os.environ, "PYTHONPATH": str(SOURCE)}
    done = subprocess.run([*KIBITZ, *words], cwd=folder, env=environment, capture_output=True, text=True)
    return folder, done


@pytest.fixture
def season(entered, tmp_path, monkeypatch):
    """A copy of the store that a test may change."""
    folder, _ = entered
    path = tmp_path / "season.sqlite"
    path.write_bytes((folder / "season.sqlite").read_bytes())
    monkeypatch.setenv("KIBITZ_STORE", str(path))
    monkeypatch.chdir(folder)
    return path


def states(out):
    """The outcome of each submission, by player name."""
    found = (
        re.match(r"(accepted|refused|unchanged|left out|interrupted) +(.+?)  +", line) for line in out.splitlines()
    )
    return {match[2]: match[1] for match in found if match}


def test_bad_files_do_not_stop_the_rest_of_a_class(entered):
    _, done = entered
    assert done.returncode == 2, done
    assert "a Moodle export with 7 submissions, 6 of them with exactly one player" in done.stderr
    assert "checked 7 of 7 submissions" in done.stderr
    others = {"Old Dan": "refused", "Bad Gus": "refused", "Two Ida": "left out"}
    assert states(done.stdout) == dict.fromkeys(GOOD, "accepted") | others
    assert "two.py" not in done.stderr
    assert "The file isn't valid Python" in done.stdout
    assert "Two Ida_17_assignsubmission_file: a.py and b.py both define comp10001go_group" in done.stdout
    assert "4 of 7 submissions play go, 4 of them new." in done.stdout.splitlines()


def test_players_have_the_names_and_owners_of_the_export(season):
    with open_arena(season) as arena:
        found = {one.player: (one.owner, one.file, one.state) for one in arena.store.submissions("go")}
    assert found["Lee Ann"] == ("11", "my player.py", "accepted")
    assert found["Poe Flo"] == ("15", "Poe Flo.zip", "accepted")
    assert found["Old Dan"] == ("13", "two.py", "refused")


def test_submitting_a_folder_again_enters_only_new_files(kibitz, season, tmp_path, monkeypatch):
    again = kibitz("arena", "submit", "go", "Go project", *QUICK)
    assert again.status == 2
    assert states(again.out) == dict.fromkeys(GOOD, "unchanged") | {
        "Old Dan": "refused",
        "Bad Gus": "refused",
        "Two Ida": "left out",
    }
    changed = {**CLASS, **in_folder("Bad Gus_16_assignsubmission_file", {"gus.py": f"{HONEST}# 2\n"})}
    changed |= in_folder("Old Dan_13_assignsubmission_file", {"two.py": f"{HONEST}# 3\n"})
    changed |= in_folder("New Zoe_19_assignsubmission_file", {"zoe.py": f"{HONEST}# 4\n"})
    (tmp_path / "next.zip").write_bytes(archive(changed))
    soon = kibitz("arena", "submit", "go", tmp_path / "next.zip", *QUICK)
    assert states(soon.out)["Bad Gus"] == "left out"
    assert "10 minutes after your last one (version 1 of Bad Gus, refused): wait another" in soon.out
    assert states(soon.out)["New Zoe"] == "accepted"
    monkeypatch.setattr(submissions, "COOL_DOWN", 0.0)
    later = kibitz("arena", "submit", "go", tmp_path / "next.zip", *QUICK)
    assert states(later.out) == dict.fromkeys((*GOOD, "New Zoe"), "unchanged") | {
        "Bad Gus": "accepted",
        "Old Dan": "accepted",
        "Two Ida": "left out",
    }
    with open_arena(season) as arena:
        versions = [(one.player, one.version) for one in arena.store.submissions("go") if one.version > 1]
    assert sorted(versions) == [("Bad Gus", 2), ("Old Dan", 2)]


def test_override_chooses_the_player_file(kibitz, tmp_path, monkeypatch):
    monkeypatch.setenv("KIBITZ_STORE", str(tmp_path / "season.sqlite"))
    write_files(tmp_path / "class", in_folder("Ann", ONE) | in_folder("Ida", {"a.py": HONEST, "b.py": LATIN}))
    (tmp_path / "overrides.csv").write_text("student,file\nIda,b.py\n")
    words = ("go", tmp_path / "class", "--overrides", tmp_path / "overrides.csv")
    played = kibitz("tournament", *words, "--deals", "1", "--workers", "1", "-q")
    assert played.status == 0
    assert "left out: " + str(tmp_path / "class/Ida/a.py") in played.err.replace("\n", "")
    answer = kibitz("arena", "submit", *words, *QUICK)
    assert states(answer.out) == {"Ann": "accepted", "Ida": "accepted"}
    with open_arena(tmp_path / "season.sqlite") as arena:
        assert {one.file for one in arena.store.submissions("go", player="Ida")} == {"b.py"}
    (tmp_path / "overrides.csv").write_text("student,file\nIva,b.py\n")
    assert "there is no submission by 'Iva'" in kibitz("arena", "submit", *words, *QUICK).err


@pytest.mark.long
def test_unreadable_submission_is_reported_to_its_owner(kibitz, season, tmp_path):
    assert kibitz("arena", "failures", "--all", "-o", tmp_path / "pages").status == 0
    page = (tmp_path / "pages" / "Two Ida.txt").read_text()
    assert "No file has been submitted for Two Ida in go yet." in page
    assert "Refused by go: Two Ida_17_assignsubmission_file" in page
    assert "a.py and b.py both define comp10001go_group: keep only one." in " ".join(page.split())
    alone = kibitz("arena", "failures", "Two Ida")
    assert alone.status == 0
    assert "a.py and b.py both define" in alone.out
    (tmp_path / "ida.zip").write_bytes(b"no archive")
    soon = kibitz("arena", "submit", "go", tmp_path / "ida.zip", "--name", "Two Ida")
    assert "be read as a ZIP archive" in soon.err
    assert "Refused by go: ida.zip" in kibitz("arena", "failures", "Two Ida").out
    assert kibitz("arena", "verify", "go").status == 0


def test_rejected_file_creates_no_store(refused, tmp_path, monkeypatch):
    monkeypatch.setenv("KIBITZ_STORE", str(tmp_path / "none.sqlite"))
    (tmp_path / "ann.zip").write_bytes(b"no archive")
    assert "be read as a ZIP archive" in refused("arena", "submit", "go", tmp_path / "ann.zip", "--name", "Ann")
    assert not (tmp_path / "none.sqlite").exists()


@pytest.mark.long
def test_submissions_without_python_are_named(kibitz, tmp_path, monkeypatch):
    monkeypatch.setenv("KIBITZ_STORE", str(tmp_path / "season.sqlite"))
    files = {path: content for path, content in CLASS.items() if path.startswith(("Lee", "Oz"))}
    files |= in_folder("Pdf Pia_20_assignsubmission_file", {"report.pdf": b"%PDF"})
    write_files(tmp_path / "class", files)
    (tmp_path / "class" / "Void Vic_21_assignsubmission_file").mkdir()
    (tmp_path / "roster.csv").write_text(f"{ROSTER}Participant 22,Jo None,none@uni\n")
    assert kibitz("arena", "roster", tmp_path / "roster.csv").status == 0
    played = kibitz("tournament", "go", tmp_path / "class", "--deals", "1", "--workers", "1")
    entered = kibitz("arena", "submit", "go", tmp_path / "class", *QUICK)
    marked = kibitz("mark", "go", tmp_path / "class", "-o", tmp_path / "marks", "--hidden", "1", "--workers", "1")
    for said in (played, entered, marked):
        for name, why in (("Pdf Pia", "'report.pdf' isn't a Python file"), ("Void Vic", "No Python file found.")):
            assert [line for line in said.out.splitlines() if name in line and why in line], (name, said.out)
    assert "no file     Jo None" in entered.out
    assert "no file     Eve Loud" in entered.out
    assert "no file     Ann Lee" not in entered.out
    assert kibitz("arena", "failures", "--all", "-o", tmp_path / "pages").status == 0
    assert "No Python file found." in (tmp_path / "pages" / "Void Vic.txt").read_text()


def test_roster_gives_names_and_owners_by_number(kibitz, tmp_path, monkeypatch):
    monkeypatch.setenv("KIBITZ_STORE", str(tmp_path / "season.sqlite"))
    (tmp_path / "roster.csv").write_text(ROSTER)
    told = kibitz("arena", "roster", tmp_path / "roster.csv").lines[0]
    assert told.startswith("The roster of all tournaments now has 2 names")
    assert kibitz("arena", "roster").lines == ["Ann Lee  lee@uni", "Eve Loud  loud@uni"]
    two = [path for path in CLASS if path.startswith(("Lee", "Oz", "Loud"))]
    write_files(tmp_path / "class", {path: CLASS[path] for path in two})
    answer = kibitz("arena", "submit", "go", tmp_path / "class", *QUICK)
    assert answer.status == 0
    assert states(answer.out) == dict.fromkeys(("Ann Lee", "Eve Loud", "Oz Cem"), "accepted")
    with open_arena(tmp_path / "season.sqlite") as arena:
        owners = {one.player: one.owner for one in arena.store.submissions("go")}
        assert owners == {"Ann Lee": "lee@uni", "Eve Loud": "loud@uni", "Oz Cem": "12"}
    words = ("arena", "submit", "go", tmp_path / "class" / two[0], "--name", "Ann Lee", "--owner", "zed", *QUICK)
    assert "belongs to lee@uni on the roster" in kibitz(*words).err


def test_roster_with_an_invalid_row_changes_nothing(kibitz, tmp_path, monkeypatch):
    monkeypatch.setenv("KIBITZ_STORE", str(tmp_path / "season.sqlite"))
    (tmp_path / "good.csv").write_text(ROSTER)
    (tmp_path / "bad.csv").write_text("name;owner\nAnn;a\nAnn;b\n;c\nBob;\n")
    kibitz("arena", "roster", tmp_path / "good.csv")
    answer = kibitz("arena", "roster", tmp_path / "bad.csv")
    assert answer.status == 2
    assert [line.partition(".csv")[2][:12].strip() for line in answer.err.splitlines()[:3]] == [
        ":3: 'Ann' is",
        ":4: the name",
        ":5: 'Bob' ha",
    ]
    assert answer.err.splitlines()[3].endswith("bad.csv and try again; nothing was changed.")
    assert len(kibitz("arena", "roster").lines) == 2, "an invalid roster changes nothing"


def test_invalid_class_is_rejected_with_the_reason(refused, season, tmp_path):
    assert "--name" in refused("arena", "submit", "go", "Go project/Lee Ann_11_assignsubmission_file/my player.py")
    assert "is one player, not a class" in refused(
        "arena", "submit", "go", "Go project/Lee Ann_11_assignsubmission_file"
    )
    assert "--owner needs --name" in refused("arena", "submit", "go", "Go project", "--owner", "x")
    (tmp_path / "empty").mkdir()
    assert "holds no player file" in refused("arena", "submit", "go", tmp_path / "empty")
    unknown = refused("arena", "submit", "chess", "Go project")
    assert unknown == refused("match", "chess", "first"), "the message is the same as for other commands"


def test_feedback_covers_every_player_and_everybody_on_the_roster(kibitz, season, tmp_path):
    (tmp_path / "roster.csv").write_text("name,owner\nLee Ann,11\nNo Show,20\n")
    kibitz("arena", "roster", tmp_path / "roster.csv")
    answer = kibitz("arena", "failures", "--all", "-o", tmp_path / "pages")
    assert answer.status == 0
    assert answer.out == f"8 files, one for each player, in {tmp_path / 'pages'}.\n"
    pages = {path.stem: path.read_text(encoding="utf-8") for path in (tmp_path / "pages").iterdir()}
    assert sorted(pages) == sorted([*GOOD, "Old Dan", "Bad Gus", "Two Ida", "No Show"])
    assert pages["No Show"] == "No file has been submitted for No Show in go yet.\n"
    assert "The file isn't valid Python: Missing parentheses" in pages["Old Dan"]
    assert "comp10001go_play([" in pages["Bad Gus"]
    assert "kibitz call go gus.py " in pages["Bad Gus"]
    assert "I hold ['" in pages["Loud Eve"]
    for text in pages.values():
        assert str(season.parent) not in text
        assert "Go project" not in text, "feedback doesn't reveal paths on the lecturer's machine"
        assert "python " not in text, "feedback suggests no command outside the sandbox"
        assert "\033" not in text
    home = "kibitz check-player go FILE --games 2"
    assert all(text.splitlines()[-1] == home for name, text in pages.items() if name not in ("No Show", "Two Ida"))


@pytest.mark.long
def test_feedback_reports_lost_games_with_commands_to_repeat_them(kibitz, tmp_path, monkeypatch):
    monkeypatch.setenv("KIBITZ_STORE", str(tmp_path / "season.sqlite"))
    fails = go_with("print('nine left')\nreturn hand[0] if len(hand) > 9 else 'AS'")
    with open_arena(tmp_path / "season.sqlite") as arena:
        arena.begin("go", seed=5)
        for name, text in (("Ann", HONEST), ("Bob", f"{HONEST}# b"), ("Cem", f"{HONEST}# c"), ("Bad", fails)):
            made = arena.store.submit("go", name, name, f"{name}.py", text.encode())
            arena.store.record_check(made.id, passed=True, reason="", report="")
        arena.run("go", rounds=1, workers=1)
    assert kibitz("arena", "failures", "--all", "-o", tmp_path / "pages", "--newest", "1").status == 0
    page = (tmp_path / "pages" / "Bad.txt").read_text(encoding="utf-8")
    assert "Bad has forfeited 16 games; the newest:" in page
    assert "It printed last:\n        nine left" in page
    assert "kibitz call go Bad.py " in page
    assert "arena replay" not in page, "students have no store to replay from"
    assert "lost" not in (tmp_path / "pages" / "Ann.txt").read_text(encoding="utf-8")


def test_existing_feedback_is_not_overwritten(kibitz, refused, season, tmp_path):
    (tmp_path / "pages").mkdir()
    (tmp_path / "pages" / "Lee Ann.txt").write_text("mine")
    assert "already exists" in refused("arena", "failures", "--all", "-o", tmp_path / "pages")
    assert (tmp_path / "pages" / "Lee Ann.txt").read_text() == "mine"
    assert kibitz("arena", "failures", "--all", "-o", tmp_path / "pages", "--force").status == 0
    assert (tmp_path / "pages" / "Lee Ann.txt").read_text() != "mine"
    (tmp_path / "file").write_text("x")
    assert "already exists" in refused("arena", "failures", "--all", "-o", tmp_path / "file")
    assert "can't be created" in refused("arena", "failures", "--all", "-o", tmp_path / "file" / "pages")
    assert "give a folder with -o" in refused("arena", "failures", "--all")
    assert "name one player" in refused("arena", "failures")
    assert "name one player" in refused("arena", "failures", "Lee Ann", "-o", tmp_path / "x")


@pytest.mark.long
def test_withdrawn_player_keeps_its_rank_and_plays_no_more(kibitz, refused, season):
    assert kibitz("arena", "run", "go", "--rounds", "1", "--workers", "1").status == 0
    before = kibitz("arena", "ranking", "go").lines
    answer = kibitz("arena", "withdraw", "Oz Cem")
    assert answer.out == "Oz Cem (version 1) is withdrawn from go and plays no more rounds.\n"
    assert kibitz("arena", "ranking", "go").lines == [*before, "Oz Cem has left and will play no more games."]
    assert "isn't in any open tournament" in refused("arena", "withdraw", "Oz Cem")
    assert "already left go" in refused("arena", "withdraw", "Oz Cem", "--tournament", "go")
    assert "unknown player 'Nobody'" in refused("arena", "withdraw", "Nobody")
    assert kibitz("arena", "run", "go", "--rounds", "2", "--workers", "1").status == 0
    assert "greedy is a built-in player" in kibitz("arena", "ranking", "go").out
    assert "greedy is built in, and leaves once" in refused("arena", "withdraw", "greedy")
    again = kibitz("arena", "submit", "go", "Go project", *QUICK)
    assert "Oz Cem was withdrawn; to bring it back, submit its file by itself" in " ".join(again.out.split())
    assert "3 of 7 submissions play go, 0 of them new." in again.lines
    assert kibitz("arena", "verify", "go").status == 0
    with open_arena(season, clock=Clock(time.time() + 3600)) as arena:
        done = arena.submit("go", "latin.py", "Oz Cem", content=LATIN, games=2)
    assert (done.accepted, done.submission.version) == (True, 2)
    assert kibitz("arena", "run", "go", "--rounds", "3", "--workers", "1").status == 0
    assert kibitz("arena", "ranking", "go").lines[-1] != "Oz Cem has left and will play no more games."
    assert kibitz("arena", "verify", "go").status == 0


@pytest.mark.long
def test_second_tournament_has_its_own_ranking_in_every_command(kibitz, refused, season, tmp_path):
    begun = kibitz("arena", "begin", "go:hand_size=4,players=2", "--as", "bonus", "--seed", "3", "--limits", "call=1")
    assert (
        begun.lines[0]
        == "Tournament bonus has begun, an additional tournament of go:hand_size=4,players=2 with 2 seats."
    )
    assert "'kibitz check-player go:hand_size=4,players=2 FILE --limits call=1'" in begun.lines[1]
    assert states(kibitz("arena", "submit", "bonus", "Go project", *QUICK).out)["Lee Ann"] == "accepted"
    alone = ("Go project/Lee Ann_11_assignsubmission_file/my player.py", "--name", "Zoe", "--games", "2")
    last = kibitz("arena", "submit", "bonus", *alone).lines[-1]
    assert last.endswith("will play in tournament bonus from the next round on.")
    assert kibitz("arena", "run", "bonus", "--rounds", "1", "--workers", "1").status == 0
    ranked = kibitz("arena", "ranking", "bonus").lines[0]
    assert ranked.startswith("bonus (additional tournament, submissions open): 1 regular round, ")
    assert kibitz("arena", "ranking", "go").lines[0] == "go (submissions open): 0 regular rounds, 0 matches"
    assert "in bonus" in kibitz("arena", "history", "Zoe", "--tournament", "bonus").lines[0]
    assert kibitz("arena", "withdraw", "Oz Cem", "--tournament", "bonus").status == 0
    assert kibitz("arena", "custom", "bonus", "Zoe", "Lee Ann", "--workers", "1").status == 0
    assert kibitz("arena", "replay", "bonus/1", "-q").status == 0
    assert kibitz("arena", "failures", "--all", "-o", tmp_path / "pages", "--tournament", "bonus").status == 0
    assert kibitz("arena", "export", "bonus", "-o", tmp_path / "bonus.csv").status == 0
    assert kibitz("arena", "rate", tmp_path / "bonus.csv").lines == kibitz("arena", "ranking", "bonus").lines[1:-1]
    assert kibitz("arena", "seeds", "bonus").status == 0
    assert kibitz("arena", "freeze", "bonus").status == 0
    assert "needs an end: give --rounds or --margin" in refused("arena", "final", "bonus")
    final = kibitz("arena", "final", "bonus", "--rounds", "2", "--workers", "1")
    assert final.status == 0
    assert "bonus (additional tournament, finished): 2 final rounds" in final.out
    assert kibitz("arena", "verify", "bonus").status == 0


def test_invalid_names_of_second_tournaments_are_rejected(kibitz, refused, season):
    assert "is a game: choose another name" in refused("arena", "begin", "go", "--as", "bo")
    assert "is a game: choose another name" in refused("arena", "begin", "go", "--as", "huxxy-bonus")
    assert "is reserved for custom games" in refused("arena", "begin", "go", "--as", "custom-7")
    assert "isn't a valid tournament name" in refused("arena", "begin", "go", "--as", "a/b")
    assert kibitz("arena", "begin", "go", "--as", "bonus").status == 0
    assert "has already begun" in refused("arena", "begin", "go", "--as", "bonus")
    assert "is already a tournament of go: choose another name" in refused("arena", "begin", "bo", "--as", "bonus")
    assert "There are also the tournaments bonus." in refused("arena", "ranking", "bonis")


@pytest.mark.long
@pytest.mark.parametrize("which", [signal.SIGINT, signal.SIGTERM])
def test_stopped_submission_of_a_class_is_resumed_by_the_same_command(kibitz, tmp_path, monkeypatch, which):
    slow = HONEST.replace("    return hand[0]", "    sum(range(10 ** 5))\n    return hand[0]")
    write_files(tmp_path / "class", {f"P{n}.py": f"{QUITTER if n == 0 else slow}# {n}\n" for n in range(3)})
    store = tmp_path / "season.sqlite"
    words = ["arena", "submit", "go", str(tmp_path / "class"), "--games", "300", "--workers", "1"]
    words += ["--store", str(store)]
    environment = {**os.environ, "PYTHONPATH": str(SOURCE)}
    running = subprocess.Popen(
        [*KIBITZ, *words], env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline and player_states(store).get("P1") != "waiting":
        time.sleep(0.05)
    running.send_signal(which)
    out, err = running.communicate(timeout=60)
    assert running.returncode == 130, (out, err)
    assert states(out) == {"P0": "refused", "P1": "interrupted"}
    assert "Stopped; the same command enters the rest" in err
    assert player_states(store) == {"P0": "refused", "P1": "refused"}
    monkeypatch.setenv("KIBITZ_STORE", str(store))
    again = kibitz("arena", "submit", "go", tmp_path / "class", *QUICK)
    assert again.status == 2
    assert states(again.out) == {"P0": "refused"} | dict.fromkeys(("P1", "P2"), "accepted")


def player_states(store):
    """The states of all players in a store that may be in use."""
    if not store.exists():
        return {}
    with open_arena(store) as arena:
        return {one.player: one.state for name in arena.tournaments() for one in arena.store.submissions(name.name)}


@pytest.mark.parametrize("words", [("mark", "go"), ("arena", "submit", "go"), ("tournament", "go")])
def test_missing_folder_is_rejected(refused, tmp_path, monkeypatch, words):
    monkeypatch.setenv("KIBITZ_STORE", str(tmp_path / "none.sqlite"))
    assert "no such file or folder" in refused(*words, tmp_path / "Go projekt")
    assert list(tmp_path.iterdir()) == []


def test_feedback_without_players_is_rejected(kibitz, refused, tmp_path, monkeypatch):
    monkeypatch.setenv("KIBITZ_STORE", str(tmp_path / "season.sqlite"))
    assert kibitz("arena", "begin", "go").status == 0
    assert "no players and no roster yet" in refused("arena", "failures", "--all", "-o", tmp_path / "pages")
    assert not (tmp_path / "pages").exists()


OWN = "def play(view, legal):\n    return legal[0]\n"
LATER = "def play(view, legal):\n    return legal[0] if len(view.hand) > 1 else 'castle'\n"


@pytest.mark.long
def test_own_form_files_work_in_every_arena_command(kibitz, tmp_path, monkeypatch):
    monkeypatch.setenv("KIBITZ_STORE", str(tmp_path / "season.sqlite"))
    write_files(tmp_path / "class", {**in_folder("Ann", {"own.py": OWN}), "Ben.py": f"{OWN}# Ben\n"})
    played = kibitz("tournament", "president-mini", tmp_path / "class", "--deals", "1", "--workers", "1")
    assert played.status == 0
    assert not [line for line in played.lines if "forfeited" in line]
    with open_arena(tmp_path / "season.sqlite") as arena:
        arena.begin("president-mini", seed=5)
        made = arena.store.submit("president-mini", "Cem", "Cem", "cem.py", LATER.encode())
        report = Report("president-mini", "cem.py", made.sha256, 0, ())
        arena.store.record_check(made.id, passed=True, reason="", report=report.to_json())
    entered = kibitz("arena", "submit", "president-mini", tmp_path / "class", *QUICK)
    assert states(entered.out) == {"Ann": "accepted", "Ben": "accepted"}
    assert kibitz("arena", "run", "president-mini", "--rounds", "1", "--workers", "1").status == 0
    page = " ".join(kibitz("arena", "failures", "Cem").out.split())
    assert "'castle'" in page
    assert "is identical" in kibitz("arena", "replay", "president-mini/1").out
    assert "president-mini is verified." in kibitz("arena", "verify", "president-mini", "--replay", "2").out
