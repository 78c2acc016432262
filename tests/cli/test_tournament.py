"""Tournaments: the table, files and messages; nothing is lost."""

import csv
import json
import os
import pty
import re
import signal
import sys
from contextlib import suppress
from inspect import signature
from types import ModuleType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kibitz.arena.model import EndCondition, Threshold
from kibitz.arena.rating.standings import Standing
from kibitz.arena.running.tournament import PlayedTournament
from kibitz.cli.arena.season import begin
from kibitz.cli.matches import number_text, standing_cells, tournament
from tests.players.class_of import SEVERAL, in_folder, write_files
from tests.players.conftest import HONEST
from tests.tiers import first_fast

WORDS = ["tournament", "go", "first", "random", "first", "random", "--deals", "2", "--seed", "3", "--workers", "1"]


def test_tournament_prints_a_table_and_writes_files(kibitz, tmp_path):
    files = ["--csv", tmp_path / "x.csv"]
    answer = kibitz(*WORDS, *files)
    assert answer.status == 0
    assert answer.lines[0].split() == ["#", "player", "games", "wins", "win", "share", "mean", "score", "forfeits"]
    assert [line.split()[1] for line in answer.lines[1:5]] == ["random-2", "random-1", "first-1", "first-2"]
    assert answer.err == "played 8 of 8 games\n"
    assert len(list(csv.reader((tmp_path / "x.csv").read_text().splitlines()))) == 1 + 8 * 4
    assert "already exists" in kibitz(*WORDS, *files).err
    printed = kibitz(*WORDS, "--json", "--quiet")
    assert json.loads(printed.out)["seed"] == 3
    assert printed.err == ""


def test_folder_stands_for_its_player_files(kibitz, tmp_path, monkeypatch):
    for name in ("b.py", "a.py"):
        (tmp_path / name).write_text(HONEST)
    seen = []
    monkeypatch.setitem(sys.modules, "kibitz.arena.running.tournament", arena(lambda specs: seen.extend(specs)))
    kibitz("tournament", "go", tmp_path, "first", "--deals", "1")
    assert [spec.name for spec in seen] == ["a", "b", "first"]


@pytest.mark.parametrize("columns", [40, 80])
def test_forfeits_and_an_incomplete_table_are_reported(kibitz, monkeypatch, columns):
    monkeypatch.setenv("COLUMNS", str(columns))
    monkeypatch.setitem(sys.modules, "kibitz.arena.running.tournament", arena(lambda specs: None))
    answer = kibitz("tournament", "go", "first", "--deals", "9")
    assert answer.status == 130
    assert max(map(len, answer.lines)) <= columns
    output = " ".join(answer.out.split())
    assert "12.5 % ± 3.1" in output
    assert "-12.34 ± ?" in output
    assert "slow forfeited 2 games: It took too long." in output
    assert "No process is to be had." in output
    assert "Stopped early" in output
    assert "?: too few games for an interval." in output
    assert "late did not play: it is not a ZIP archive." in output
    assert "greedy, a built-in player, filled the empty seats." in output


def arena(look):
    """A replacement for the arena module whose tournament is interrupted."""
    slow = Standing(
        rank=1,
        name="slow",
        games=8,
        wins=1.0,
        win_share=0.125,
        win_margin=0.031,
        mean_score=-12.34,
        score_margin=None,
        forfeits={"time": 2},
        reasons=("2 games: It took too long.",),
        unknown="slow has too few games for an interval: that needs 3 deals.",
    )
    late = Standing(0, "late", 0, 0.0, 0.0, None, 0.0, None, {}, (), "late did not play: it is not a ZIP archive.")
    module = ModuleType("kibitz.arena.running.tournament")

    def run(game, specs, deals, seed, workers, progress, **_):
        look(specs)
        progress(8, 36)
        machine_error = "No process is to be had."
        table = {"standings": (slow, late), "results": (), "players": ("slow", "late"), "filler": "greedy"}
        return PlayedTournament(
            "go", 1, 1, EndCondition(9), Threshold(), complete=False, machine_error=machine_error, **table
        )

    module.run = run
    return module


def test_trusted_files_run_in_this_process(kibitz, tmp_path):
    import os

    file = tmp_path / "mine.py"
    file.write_text(
        "import os\n"
        f"def comp10001go_play(history, player, hand):\n    assert os.getpid() == {os.getpid()}\n    return hand[0]\n"
        "def comp10001go_group(history, player):\n    return [[turn[player]] for turn in history]\n"
    )
    answer = kibitz("tournament", "go", file, "--deals", 1, "--seed", 1, "--trusted")
    assert answer.status == 0
    assert "forfeited" not in answer.out


@pytest.mark.parametrize("end", first_fast(["term", "terminal"]))
def test_tournament_ended_by_a_signal_or_hang_up_keeps_its_games(tmp_path, end):
    """SIGTERM, or SIGHUP with the terminal closed."""
    path = tmp_path / "played.csv"
    words = ["tournament", "go-mini", "first", "random", "--deals", "100000", "--seed", "1", "--csv", str(path)]
    pid, terminal = pty.fork()
    if not pid:
        signal.signal(signal.SIGHUP, signal.SIG_DFL)  # the test runner may ignore it
        os.execv(
            sys.executable, [sys.executable, "-c", "import sys; from kibitz.cli import main; sys.exit(main())", *words]
        )
    seen = b""
    while not re.search(rb"[1-9]\d*/200000", seen):
        seen = seen[-200:] + os.read(terminal, 4096)
    if end == "term":
        os.kill(pid, signal.SIGTERM)
        with suppress(OSError):
            while os.read(terminal, 4096):
                pass
    os.close(terminal)
    status = os.waitpid(pid, 0)[1]
    assert os.waitstatus_to_exitcode(status) in ((130,) if end == "term" else (130, 1, 2))
    rows = list(csv.DictReader(path.read_text().splitlines()))
    assert 0 < len(rows) < 2 * 200_000
    assert len(rows) % 4 == 0, "both seats of both rotations of every deal"


LATIN = HONEST.replace("import random", "# -*- coding: latin-1 -*-\nimport random\nAUTHOR = 'Andr\xe9'").encode(
    "latin-1"
)
UNDECLARED = f"AUTHOR = 'Andr\xe9'\n{HONEST}".encode("latin-1")
PYTHON_2 = HONEST.replace("    return hand[0]", "    print 'my hand is', hand\n    return hand[0]")
LOUD = HONEST.replace("    return hand[0]", "    print('my hand is', hand)\n    return hand[0]")
EXPORT = {
    **in_folder("Able Ann_11_assignsubmission_file/my work", SEVERAL),
    "Basil Ben_12_assignsubmission_file/project two/go player.py": LATIN,
    "Cole Cem_13_assignsubmission_file/player.py": PYTHON_2,
    "Dahl Dot_14_assignsubmission_file/player.py": LOUD,
    "Eich Eve_15_assignsubmission_file/player.py": UNDECLARED,
    "Fox Finn_16_assignsubmission_file/player.zip": b"PK, but no archive",
    "Grant Gus_17_assignsubmission_file/essay.txt": "I did not finish.",
}
"""A class as exported by Moodle."""


@pytest.mark.long
def test_platform_export_becomes_a_ranking(kibitz, tmp_path):
    folder = write_files(tmp_path / "GO 2026 class", EXPORT)
    answer = kibitz("tournament", "go", folder, "--deals", "6", "--seed", "1", "--ranking", tmp_path / "t.csv")
    assert answer.status == 0, answer
    assert "a Moodle export" in answer.err
    rows = {row["player"]: row for row in csv.DictReader((tmp_path / "t.csv").read_text(encoding="utf-8").splitlines())}
    assert set(rows) >= {"Able Ann", "Basil Ben", "Cole Cem", "Dahl Dot", "Eich Eve", "Fox Finn"}
    assert {name for name, row in rows.items() if row["rank"]} - {"greedy"} == {"Able Ann", "Basil Ben", "Dahl Dot"}
    assert all(rows[name]["forfeits"] == "0" for name in ("Able Ann", "Basil Ben", "Dahl Dot"))
    for name, why in (("Cole Cem", "isn't valid Python"), ("Eich Eve", "is not UTF-8 text")):
        assert why in rows[name]["reasons"]
        assert f"{name} is out of the tournament: it forfeited 8 of 8 games" in rows[name]["status"]
    assert rows["Fox Finn"]["games"] == "0"
    assert rows["Fox Finn"]["status"].startswith("Fox Finn did not play: ")
    for row in rows.values():
        assert row["status"] in answer.out
        assert not row["status"] or any(line.startswith(f"–  {row['player']} ") for line in answer.lines)
    assert all(rows[name]["win_margin"] for name in ("Able Ann", "Basil Ben", "Dahl Dot"))
    assert "?: too few games for an interval." in answer.out


def test_default_threshold_is_that_of_the_arena():
    defaults = {name: parameter.default for name, parameter in signature(tournament).parameters.items()}
    assert Threshold(defaults["forfeits"], defaults["forfeit_share"]) == Threshold()
    begun = {name: parameter.default for name, parameter in signature(begin).parameters.items()}
    assert Threshold(begun["forfeits"], begun["forfeit_share"]) == Threshold()


def test_tournament_continues_until_its_intervals_are_narrow(kibitz):
    words = ["tournament", "go-mini", "first", "random", "--margin", "20", "--seed", "1", "--workers", "1"]
    answer = kibitz(*words)
    assert answer.status == 0
    margins = [float(margin) for margin in re.findall(r" % ± +([0-9.]+)", answer.out)]
    assert len(margins) == 2
    assert max(margins) <= 20
    played, of = map(int, re.findall(r"\d+", answer.err))
    assert played == of >= 20


def test_an_unknown_interval_is_explained(kibitz):
    words = ["tournament", "go", "random", "first", "random", "first", "--deals", "1", "--seed", "1", "--workers", "1"]
    answer = kibitz(*words)
    assert "± ?" in answer.out
    assert "95 % confidence intervals; ?: too few games for an interval." in answer.out


@given(st.integers(0, 10**9), st.integers(1, 6))
def test_shares_of_wins_are_rounded_without_trailing_zeros(wins, shared):
    shown = number_text(wins / shared)
    assert re.fullmatch(r"\d+(\.\d?[1-9])?", shown)
    assert float(shown) == pytest.approx(wins / shared, abs=0.005)
    assert standing_cells(Standing(1, "a", 1, wins / shared, 0.0, None, 0.0, None, {}, ()))[3] == shown
