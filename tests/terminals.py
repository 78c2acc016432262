"""A real terminal, under tmux: tests type keys and read the screen as a person does."""

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from random import Random

import pytest

TMUX = shutil.which("tmux")
needs_tmux = pytest.mark.skipif(TMUX is None, reason="tmux is not installed, so there is no terminal to look at")
COMMAND = f"{sys.executable} -c 'import sys; from kibitz.start import main; sys.exit(main())'"
TIMEOUT = 180
"""Seconds to wait for something on the screen of a busy machine."""
STILL = 0.5
"""Seconds without a change after which a screen counts as drawn."""
KEYS = ("Right", "Right", "Left", "Down", "Up", "Space", "Enter", "Enter", "Enter")
ASKED, ENTER, OVER = ("h hint",), ("Press Enter", "Enter continue"), ("r rematch", "n p moments", "status ")
"""Texts on the screen when a choice is asked for, when Enter is expected, and at the end."""


class Terminal:
    """One command in its own terminal; Kibitz keeps its data in the subfolder ``data``."""

    def __init__(self, folder, words, columns=80, lines=24, **variables):
        self.socket = str(folder / f"tmux{len(list(folder.glob('tmux*')))}")
        environment = {k: v for k, v in os.environ.items() if k not in ("TMUX", "NO_COLOR", "COLUMNS", "LINES")}
        self.environment = environment | {"LC_ALL": "C.UTF-8", "XDG_DATA_HOME": str(folder / "data")} | variables
        line = f"{COMMAND} {words}; echo status $?; sleep 1000"
        self.tmux("-f", "/dev/null", "new-session", "-d", "-x", str(columns), "-y", str(lines), line)

    def tmux(self, *words):
        command = [TMUX, "-u", "-S", self.socket, *words]
        return subprocess.run(command, env=self.environment, capture_output=True, text=True, check=True).stdout

    def keys(self, *keys):
        """Press keys, by tmux's names for them."""
        self.tmux("send-keys", *keys)

    def type(self, text):
        """Type a line."""
        self.tmux("send-keys", "-l", text)
        self.keys("Enter")

    def screen(self, *words):
        return self.tmux("capture-pane", "-p", *words)

    def wait_for(self, *texts):
        """The screen, once one of the texts is on it."""
        return self.wait(lambda seen: any(text in " ".join(seen.split()) for text in texts), texts)

    def wait_to_type(self):
        """The screen, once a question is asked."""
        return self.wait(lambda seen: seen.rstrip("\n ").endswith(">"), "a question")

    def wait(self, condition, wanted):
        """The screen, once ``condition`` is true of it."""
        deadline = time.monotonic() + TIMEOUT
        while not condition(seen := self.screen()):
            assert time.monotonic() < deadline, f"{wanted} is not on the screen:\n{seen}"
            time.sleep(0.1)
        return seen

    def settled(self):
        """The screen, once nothing has changed on it for a while, so that it is not half drawn."""
        seen, since = self.screen(), time.monotonic()
        while time.monotonic() - since < STILL:
            time.sleep(0.05)
            if (now := self.screen()) != seen:
                seen, since = now, time.monotonic()
        return seen

    def kill(self):
        """Kill the command with SIGKILL."""
        shell = self.tmux("display-message", "-p", "#{pane_pid}").strip()
        for child in Path(f"/proc/{shell}/task/{shell}/children").read_text().split():
            os.kill(int(child), signal.SIGKILL)

    def close(self):
        """End the command and its terminal, if they are still running."""
        with contextlib.suppress(subprocess.CalledProcessError):
            self.tmux("kill-server")

    def play(self, dice=None, most=3000, look=lambda seen: None):
        """Press at most ``most`` random keys until the game is over; returns the last screen.

        Computer players are set to answer at once. Calls ``look`` with the screen before every key.
        """
        dice, quick = dice or Random(1), False
        for _ in range(most):
            seen = self.wait_for(*ASKED, *ENTER, *OVER)
            look(seen)
            if any(text in seen for text in OVER):
                break
            if any(text in seen for text in ENTER):
                self.keys("Enter")
            elif quick:
                self.keys(dice.choice(KEYS))
            else:
                self.keys("+", "+", "+")
                quick = True
        return seen


@contextlib.contextmanager
def terminals(folder):
    """A function that starts commands in terminals; it takes what ``Terminal`` takes after the folder."""
    opened = []

    def start(*arguments, **variables):
        opened.append(Terminal(folder, *arguments, **variables))
        return opened[-1]

    try:
        yield start
    finally:
        for terminal in opened:
            terminal.close()
