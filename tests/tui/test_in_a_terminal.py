"""Whole games in a real terminal, under tmux: what is typed is what a person types, what is seen is what one sees."""

import contextlib
import os
import shutil
import subprocess
import sys
import time

import pytest

from kibitz.engine.record import Unfinished, read_any
from tests.cli.test_join import Ann, invited
from tests.web.program import Guest, running

TMUX = shutil.which("tmux")
pytestmark = pytest.mark.skipif(TMUX is None, reason="tmux is not installed, so there is no terminal to look at")

COMMAND = f"{sys.executable} -c 'import sys; from kibitz.start import main; sys.exit(main())'"
PATIENCE = 60


class Terminal:
    """One command in a terminal of its own."""

    def __init__(self, folder, columns, lines, words):
        self.socket = str(folder / f"tmux{len(list(folder.glob('tmux*')))}")
        environment = {k: v for k, v in os.environ.items() if k not in ("TMUX", "NO_COLOR", "COLUMNS", "LINES")}
        self.environment = environment | {"LC_ALL": "C.UTF-8", "XDG_DATA_HOME": str(folder / "data")}
        line = f"{COMMAND} {words}; echo status $?; sleep 100"
        self.tmux("-f", "/dev/null", "new-session", "-d", "-x", str(columns), "-y", str(lines), line)

    def tmux(self, *words):
        command = [TMUX, "-u", "-S", self.socket, *words]
        return subprocess.run(command, env=self.environment, capture_output=True, text=True, check=True).stdout

    def keys(self, *keys):
        self.tmux("send-keys", *keys)

    def screen(self):
        return self.tmux("capture-pane", "-p")

    def wait_for(self, *texts):
        """Wait until one of the texts is on the screen; the screen."""
        until = time.monotonic() + PATIENCE
        while not any(text in " ".join((seen := self.screen()).split()) for text in texts):
            assert time.monotonic() < until, f"none of {texts} is on the screen:\n{seen}"
            time.sleep(0.1)
        return seen


@pytest.fixture
def terminal(tmp_path):
    """Starts a command in a terminal and ends it with the test."""
    opened = []

    def start(words, columns=80, lines=24):
        opened.append(Terminal(tmp_path, columns, lines, words))
        return opened[-1]

    yield start
    for started in opened:
        with contextlib.suppress(subprocess.CalledProcessError):
            started.tmux("kill-server")


def test_a_whole_game_is_played_by_keys_and_its_record_is_true(terminal, tmp_path):
    record = tmp_path / "played.game"
    it = terminal(f"play go-mini --opponents greedy --seed 3 -o {record}")
    first = it.wait_for("which card do you keep?")
    assert "╭───╮" in first
    it.keys("+", "+", "+")
    for _ in range(40):
        seen = it.wait_for("which card do you keep?", "group", "rematch")
        if "rematch" in seen:
            break
        it.keys("Enter")
        time.sleep(0.3)
    over = it.wait_for("rematch")
    assert "The game is over: You" in over
    assert "Winner" in over
    it.keys("q")
    assert "status 0" in it.wait_for("status")
    assert read_any(record).outcome is not None


def test_a_terminal_that_is_closed_loses_nothing_and_resume_goes_on(terminal, tmp_path):
    it = terminal("play eights --opponents random --seed 3")
    it.wait_for("Play ")
    it.keys("Enter")
    it.wait_for("history : write")
    it.tmux("kill-server")
    (saved,) = (tmp_path / "data" / "kibitz" / "games").glob("*.game")
    record = read_any(saved)
    assert isinstance(record, Unfinished)
    again = terminal("resume", columns=40)
    again.wait_for("Crazy Eights")
    again.keys("C-c")
    assert "status 0" in again.wait_for("status")
    assert "the game is saved" in again.screen()


def test_kibitz_alone_opens_the_menu_and_escape_leaves_it(terminal):
    it = terminal("")
    assert "Cribbage" in it.wait_for("Enter chooses")
    it.keys("Escape")
    assert "status 0" in it.wait_for("status")


def test_line_mode_stays_where_it_is_asked_for(terminal):
    it = terminal("play kuhn --plain --opponents random")
    it.wait_for("1)")
    it.keys("q", "Enter", "y", "Enter")
    it.wait_for("status")


def test_a_word_that_is_wrong_is_told_before_anything_is_drawn(terminal):
    it = terminal("play whist")
    assert "There is no game called 'whist'" in " ".join(it.wait_for("status 2").split())


def test_a_table_of_a_server_is_played_at_to_the_end(terminal, tmp_path):
    with running(tmp_path / "server.sqlite") as program:
        ann = Guest(program.address)
        table, link = invited(ann, "go-mini")
        other = Ann(ann, table)
        it = terminal(f"join {link} --name Ben")
        first = it.wait_for("which card do you keep?")
        assert "╭ Guest" in first
        for _ in range(60):
            seen = it.wait_for("which card do you keep?", "group", "rematch", "Waiting", "one choice")
            if "rematch" in seen:
                break
            it.keys("Enter")
            time.sleep(0.3)
        assert "Winner" in it.wait_for("rematch")
        it.keys("q")
        it.wait_for("Goodbye.")
        other.join(20)
