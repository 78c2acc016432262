"""Tournaments: the table, the files, the reasons, and nothing lost."""

import csv
import json
import os
import pty
import re
import signal
import sys
from contextlib import suppress
from types import ModuleType, SimpleNamespace

import msgspec
import pytest

from kibitz.arena.tournament import Tournament
from tests.players.conftest import HONEST

WORDS = ["tournament", "go", "first", "random", "--deals", "2", "--seed", "3", "--workers", "1"]


def test_a_tournament_ends_in_a_table_and_files(kibitz, tmp_path):
    files = ["--json", tmp_path / "x.json", "--csv", tmp_path / "x.csv"]
    answer = kibitz(*WORDS, *files)
    assert answer.status == 0
    assert answer.lines[0].split() == ["#", "player", "games", "wins", "win", "share", "mean", "score", "forfeits"]
    assert answer.lines[1].startswith("1  random ")
    assert answer.lines[2].startswith("2  first ")
    assert answer.err == "played 8 of 8 games\n"
    assert json.loads((tmp_path / "x.json").read_text())["seed"] == 3
    assert len(list(csv.reader((tmp_path / "x.csv").read_text().splitlines()))) == 1 + 8 * 4
    assert "exists already" in kibitz(*WORDS, *files).err


def test_a_folder_stands_for_its_player_files(kibitz, tmp_path, monkeypatch):
    for name in ("b.py", "a.py"):
        (tmp_path / name).write_text(HONEST)
    seen = []
    monkeypatch.setitem(sys.modules, "kibitz.arena.tournament", arena(lambda specs: seen.extend(specs)))
    kibitz("tournament", "go", tmp_path, "first", "--deals", "1")
    assert [spec.name for spec in seen] == ["a", "b", "first"]


@pytest.mark.parametrize("columns", [40, 80])
def test_forfeits_are_told_and_what_was_complete_is_shown(kibitz, monkeypatch, columns):
    monkeypatch.setenv("COLUMNS", str(columns))
    monkeypatch.setitem(sys.modules, "kibitz.arena.tournament", arena(lambda specs: None))
    answer = kibitz("tournament", "go", "first", "--deals", "9")
    assert answer.status == 130
    assert max(map(len, answer.lines)) <= columns
    told = " ".join(answer.out.split())
    assert "12.5 % ± 3.1" in told
    assert "-12.34 ± ?" in told
    assert "2 time" in told
    assert "slow forfeited: 2 x time: It took too long." in told
    assert "No process is to be had." in told
    assert "Stopped early" in told


def arena(look):
    """A stand-in for the arena that was interrupted."""
    standing = SimpleNamespace(
        rank=1,
        name="slow",
        games=8,
        wins=1.0,
        win_share=0.125,
        win_margin=0.031,
        mean_score=-12.34,
        score_margin=None,
        forfeits={"time": 2},
        reasons=("2 x time: It took too long.",),
    )
    module = ModuleType("kibitz.arena.tournament")

    def run(game, specs, deals, seed, workers, progress, in_process):
        look(specs)
        progress(8, 36)
        trouble = "No process is to be had."
        return SimpleNamespace(standings=(standing,), complete=False, trouble=trouble, to_json=str, to_csv=str)

    module.run = run
    return module


def test_trusted_files_run_in_this_process_where_a_debugger_can_stop_them(kibitz, tmp_path):
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


@pytest.mark.parametrize("end", ["term", "terminal"])
def test_a_tournament_that_is_told_to_end_or_loses_its_terminal_keeps_what_was_played(tmp_path, end):
    """SIGTERM, and SIGHUP with every further word to the terminal failing."""
    path = tmp_path / "played.json"
    words = ["tournament", "go-mini", "first", "random", "--deals", "100000", "--seed", "1", "--json", str(path)]
    pid, terminal = pty.fork()
    if not pid:
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
    played = msgspec.json.decode(path.read_bytes(), type=Tournament)
    assert not played.complete
    assert 0 < len(played.results) < 200_000
    assert sum(line.games for line in played.standings) == 2 * len(played.results)
