"""Saved games that are resumed after leaving, a kill or a hang-up."""

import json
import os
import pty
import random
import re
import select
import signal
import subprocess
import sys
import time
from datetime import datetime
from pathlib import Path

import pytest

import kibitz.cli.play  # noqa: F401 -- loaded before a test replaces what it imports
from kibitz.engine import record
from kibitz.engine.record import read_any, read_file
from kibitz.sandbox import Tier
from kibitz.table import Table
from kibitz.table.saved import SavedGame, saved_games
from tests.tiers import first_fast

KIBITZ = [sys.executable, "-c", "import sys; from kibitz.start import main; sys.exit(main())"]
ROOT = Path(__file__).parents[2]
GO = ["play", "go", "--seed", "5", "--opponents", "random"]


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """The folder of saved games, separate for each test."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    return tmp_path / "data" / "kibitz" / "games"


def typed(*lines):
    return "\n".join(map(str, lines)) + "\n"


# ---------------------------------------------------------------- killed


@pytest.mark.long
@pytest.mark.parametrize("name", first_fast(["go-mini", "bo-mini", "cribbage-mini"]))
def test_game_killed_at_any_point_resumes_to_the_same_end(name, tmp_path):
    """Against a random player, whose generator must continue where it was."""
    command = [sys.executable, "-m", "tests.cli.killed", str(tmp_path), name, "random"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True, timeout=500)
    found = json.loads(done.stdout)
    assert len(found["wrong"]) >= 3 * (found["actions"] - 1)  # no person has chosen before the first
    assert {point: wrong for point, wrong in found["wrong"].items() if wrong} == {}


class Terminal:
    """A command on its own terminal, answered with the first choice."""

    def __init__(self, *words):
        self.near, far = pty.openpty()
        environment = os.environ | {"TERM": "xterm", "COLUMNS": "200", "KIBITZ_LINES": "1"}
        self.process = subprocess.Popen(
            [*KIBITZ, *map(str, words)], stdin=far, stdout=far, stderr=far, env=environment, start_new_session=True
        )
        os.close(far)
        self.seen = b""

    def wait(self):
        """Read up to the first question without answering it."""
        while not self.seen.endswith(b"> "):
            self.seen += os.read(self.near, 1 << 16)

    def play(self, seconds):
        """Answer every question for some seconds; return whether the command has ended."""
        until = time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0:
            if not select.select([self.near], [], [], left)[0]:
                continue
            try:
                read = os.read(self.near, 1 << 16)
            except OSError:
                return True
            self.seen += read
            if self.seen.endswith(b"> "):
                os.write(self.near, b"1\n")
        return False

    def end(self, number=None):
        """Send a signal, close the terminal, and return the status."""
        if number is not None:
            self.process.send_signal(number)
        os.close(self.near)
        return self.process.wait(30)


def test_game_on_a_terminal_survives_signals_and_hang_ups(kibitz, tmp_path):
    """Ended repeatedly after random times in four ways, it ends like the uninterrupted game."""
    whole, broken = tmp_path / "whole.game", tmp_path / "broken.game"
    kibitz(*GO, "-o", whole, typed=typed(*[1] * 20))
    random_source, words, ways = random.Random(3), GO, [signal.SIGKILL, signal.SIGHUP, None, signal.SIGTERM]
    for number in range(40):
        terminal = Terminal(*words, "-o", broken)
        over = False
        while not terminal.seen and not over:
            over = terminal.play(0.2)
        if over or terminal.play(random_source.uniform(0.0, 0.6)):
            assert terminal.end() == 0
            break
        terminal.end(ways[number % 4])
        if broken.exists():  # the game has ended; its saved file may not have been deleted yet
            for path in saved_games():
                assert read_file(path) == read_file(whole)
                path.unlink()
            break
        if not saved_games():  # it was ended before the first save
            continue
        words = ["resume"]
    assert read_file(broken) == read_file(whole)
    assert saved_games() == []


# ---------------------------------------------------------------- left and resumed


def test_leaving_says_how_to_resume_and_resume_shows_the_history(kibitz):
    left = kibitz(*GO, typed=typed(1, 1, "q", "y"))
    assert "Leave the game? 'kibitz resume' continues it. (y/n)" in left.lines
    again = kibitz("resume", typed=typed("l", "q", "y"))
    assert "The game continues after move 8." in again.lines
    start = again.lines.index("The game continues after move 8.")
    assert again.lines[start + 2].startswith("You lay ")
    assert sum(line.startswith("Turn 2: You ") for line in again.lines) == 2
    assert any(line.startswith("Turn 3 of 10: ") for line in again.lines)


def test_game_without_any_choice_made_is_not_saved(kibitz):
    answer = kibitz("play", "bo:players=2", "--seat", 1, "--opponents", "first", "--seed", 5, typed=typed("q", "y"))
    assert answer.lines[-1] == "Goodbye: the game has ended, and nothing is saved."
    assert saved_games() == []


def test_looking_at_a_saved_game_keeps_its_modification_time(kibitz):
    kibitz(*GO, typed=typed(1, "q", "y"))
    os.utime(saved_games()[0], (0, 1e9))
    kibitz("resume", typed=typed("q", "y"))
    assert saved_games()[0].stat().st_mtime == 1e9


def test_undo_works_after_resuming(kibitz):
    kibitz("play", "bo", "--seed", 5, "--opponents", "first", typed=typed("2c b1", "q", "y"))
    answer = kibitz("resume", typed=typed("u", "2c b2", "q", "y"))
    assert "You take back: 2♣ to build pile 1." in answer.lines
    assert "You play 2♣ from hand to build pile 2." in answer.lines
    assert Table.resume(read_any(saved_games()[0])).step == 1


def test_hint_is_noted_once_even_after_resuming(kibitz, tmp_path):
    note = "after move 4: Guest has asked for a hint."
    kibitz(*GO, typed=typed(1, "h", "h"))
    assert read_any(saved_games()[0]).notes == (note,)
    assert f"Note: {note}" in kibitz("show", saved_games()[0]).lines
    path = tmp_path / "x.game"
    kibitz("resume", "-o", path, typed=typed("h", *[1] * 20))
    assert read_file(path).notes == (note,)
    assert path.read_text(encoding="utf-8").endswith(f"\nnote: {note}\n")
    assert f"Note: {note}" in kibitz("show", path).lines
    assert kibitz("verify", path).status == 0


def test_shared_game_resumes_with_hidden_hands(kibitz):
    kibitz("play", "go-mini", "--people", "Ann,Ben", "--seed", 3, typed=typed("", 1, "", "q", "y"))
    lines = kibitz("resume", typed=typed("", 1, "", "", 1, "q", "y")).lines
    first = lines.index("Ben, it's your turn. Press Enter when nobody else can see the screen.")
    assert not any("your hand" in line for line in lines[:first])


def test_forfeit_is_shown_again_after_resuming(kibitz, tmp_path):
    (tmp_path / "failing.py").write_text("def play(view, legal):\n    return 1 / 0\n", encoding="utf-8")
    kibitz("play", "go", "--seed", 5, "--opponents", tmp_path / "failing.py", typed=typed(1, "q", "y"))
    lines = kibitz("resume", typed=typed(1, "q", "y")).lines
    assert [line[:28] for line in lines if "out of the game" in line] == [
        f"failing-{p} is out of the game"[:28] for p in (1, 2, 3)
    ]
    assert len(Table.resume(read_any(saved_games()[0])).forfeits) == 3


def test_game_killed_before_its_record_was_written_can_still_be_saved(kibitz, tmp_path, monkeypatch):
    class Killed(BaseException):
        pass

    def killed(*given):
        raise Killed

    monkeypatch.setattr("kibitz.cli.line_mode.local_table.finish", killed)
    with pytest.raises(Killed):
        kibitz(*GO, typed=typed(*[1] * 20))
    monkeypatch.undo()
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    path = tmp_path / "late.game"
    answer = kibitz("resume", typed=typed(path))
    assert any("Winner" in line for line in answer.lines)
    assert read_file(path).seed == 5
    assert saved_games() == []


def test_saved_game_in_any_folder_is_resumed_by_path(kibitz, tmp_path):
    kibitz(*GO, typed=typed(1, "q", "y"))
    path = saved_games()[0].rename(tmp_path / "mine.game")
    assert saved_games() == []
    kibitz("resume", path, typed=typed(1, "q", "y"))
    assert Table.resume(read_any(path)).step == 8
    kibitz("resume", path, typed=typed(*[1] * 20))
    assert read_file(path).game == "go"


def test_unfinished_record_from_python_is_resumed_from_seat_0(kibitz, tmp_path):
    table = Table.deal("go", 5)
    table.act(0, table.legal(0)[0])
    path = tmp_path / "mine.game"
    path.write_text(record.text(table.record), encoding="utf-8")
    lines = kibitz("resume", path, typed=typed(1, "q", "y")).lines
    assert "The game continues after move 1." in lines


def test_saved_games_are_listed_with_the_latest_first(kibitz):
    kibitz(*GO, typed=typed(1, "q", "y"))
    (go,) = saved_games()
    os.utime(go, (0, datetime(2001, 2, 3, 14, 5).timestamp()))
    kibitz("play", "bo", "--seed", 5, "--opponents", "first", typed=typed("2c b1", "q", "y"))
    lines = kibitz("resume", typed=typed(9, "x", 2, "q", "y")).lines
    assert re.fullmatch(r" 1\) today \d\d:\d\d: bo, Guest, first-1, first-2 and first-3, after move 1", lines[1])
    assert lines[2] == " 2) 3 February 2001 14:05: go, Guest, random-1, random-2 and random-3, after move 4"
    assert lines.count("Type a number from 1 to 2, Enter for the first, or q to leave.") == 2
    assert "Go (go)" in lines


def test_resumed_player_file_keeps_its_seat(kibitz, tmp_path, monkeypatch):
    """It was named by a path relative to the earlier folder, and its process hears the whole game first."""
    monkeypatch.chdir(ROOT)
    whole, words = tmp_path / "whole.game", ["play", "go", "--seed", 5, "--opponents"]
    files = ["examples/players/go/first.py"]
    kibitz(*words, *files, "-o", whole, typed=typed(*[1] * 20))
    kibitz(*words, *files, typed=typed(1, 1, 1, "q", "y"))
    monkeypatch.chdir(tmp_path)
    kibitz("resume", "-o", tmp_path / "again.game", typed=typed(*[1] * 20))
    assert read_file(tmp_path / "again.game") == read_file(whole)


# ---------------------------------------------------------------- refused


def test_resume_without_saved_games_says_how_to_start_one(refused):
    assert refused("resume") == "no saved games. 'kibitz play' starts a game and saves it after every action."


def test_game_open_in_another_program_is_not_touched(kibitz, refused, monkeypatch):
    kibitz(*GO, typed=typed(1, "q", "y"))
    other = Terminal("resume")
    other.wait()
    kept = saved_games()[0].read_text()
    assert "is being played by another program" in refused("resume")
    other.end(signal.SIGKILL)
    assert saved_games()[0].read_text().startswith(kept.split("unfinished")[0])
    assert kibitz("resume", typed=typed("q", "y")).status == 0


def test_saved_game_is_released_for_any_descriptor_number(tmp_path):
    """Its lock is descriptor 0 if standard input was closed."""
    standard_input = os.dup(0)
    os.close(0)
    try:
        saved = SavedGame(tmp_path / "one.game")
        assert saved.lock.file == 0
        saved.close()
        assert list(tmp_path.iterdir()) == []
    finally:
        os.dup2(standard_input, 0)
        os.close(standard_input)


DAMAGE = {
    "cut": (lambda text: text[:-90], r":\d+: "),
    "another move": (lambda text: text.replace("4. 3 ", "4. 2 "), r":\d+: this should be move 4 by seat 3"),
    "a newer record": (
        lambda text: text.replace("record 1", "record 2", 1),
        ":1: this is not a record: it should begin",
    ),
    "newer rules": (lambda text: text.replace("rules: 1", "rules: 9"), ":3: this is written for rules 9"),
    "a game that is gone": (lambda text: text.replace("game: go", "game: og"), ":2: Unknown game 'og'"),
    "no such player": (lambda text: text.replace('"random"', '"nobody"'), "no player called 'nobody'"),
    "no such file": (lambda text: text.replace('"random"', '"gone.py"'), r"gone\.py"),
    "too few chairs": (lambda text: text.replace(',"random"]', "]"), "this should be a list of 4 players"),
    "nothing": (lambda text: "", ":1: this is not a record"),
}


@pytest.mark.parametrize("what", DAMAGE)
def test_saved_game_that_cannot_be_resumed_is_kept(what, kibitz, refused, capsys):
    kibitz(*GO, typed=typed(1, "q", "y"))
    (path,) = saved_games()
    damage, sentence = DAMAGE[what]
    path.write_text(damage(path.read_text(encoding="utf-8")), encoding="utf-8")
    before = path.read_bytes()
    assert re.search(sentence, refused("resume"))
    assert path.read_bytes() == before


def test_damaged_game_does_not_hide_the_others(kibitz, refused):
    kibitz(*GO, typed=typed(1, "q", "y"))
    (path,) = saved_games()
    path.with_name("broken.game").write_bytes(b"\xff\xfe")
    lines = kibitz("resume", typed=typed(2, "q", "y")).lines
    assert " 1) broken.game: this is not a record" in lines
    assert "Go (go)" in lines


def test_game_that_cannot_be_saved_continues_with_a_warning(kibitz, tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "file"))
    path = tmp_path / "x.game"
    answer = kibitz(*GO, "-o", path, typed=typed(*[1] * 20))
    assert sum(line.startswith("The game can't be saved any more: ") for line in answer.lines) == 1
    assert read_file(path).seed == 5
    left = kibitz(*GO, typed=typed(1, "q", "y"))
    assert "Leave the game? It is not finished and will not be saved. (y/n)" in left.lines
    assert left.lines[-1] == "Goodbye: the game has ended, and nothing is saved."


def test_files_named_by_another_users_game_need_the_sandbox(kibitz, refused, tmp_path, monkeypatch):
    """Without a sandbox, a game from elsewhere starts none of the files it names."""
    kibitz(*GO, typed=typed(1, "q", "y"))
    (ours,) = saved_games()
    (tmp_path / "evil.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w')\n", encoding="utf-8")
    text = ours.read_text(encoding="utf-8").replace('"random"', json.dumps(str(tmp_path / "evil.py")), 1)
    theirs = tmp_path / "theirs.game"
    theirs.write_text(text, encoding="utf-8")
    unconfined = {
        "kibitz.players.isolation.process.can_confine": lambda: False,
        "kibitz.sandbox.tier": lambda: Tier("none", "There is no Landlock."),
    }
    for name, without in unconfined.items():
        with monkeypatch.context() as patch:
            patch.setattr(name, without)
            assert "run only in the sandbox, which needs Linux" in refused("resume", theirs)
            assert theirs.read_text(encoding="utf-8") == text
    assert not (tmp_path / "ran").exists()


def test_unfinished_game_is_verified_and_shown(kibitz, refused, tmp_path):
    kibitz(*GO, typed=typed(1, "q", "y"))
    (path,) = saved_games()
    verified = (
        f"{path}: verified so far, 4 moves. The game is not finished: Guest, random-1, random-2 and random-3 to move."
    )
    assert verified in " ".join(kibitz("verify", path).out.split("\n"))
    shown = kibitz("show", path)
    assert shown.lines[-1].startswith("The game is not finished: Guest, ")
    assert "Turn 1: Guest " in shown.out
    assert str(read_any(path).seed) not in [line.removeprefix("Seed: ") for line in shown.lines]
    assert "needs a finished game" in refused("show", path, "--seat", 1)
    assert "not finished" in refused("phh", "export", path)
