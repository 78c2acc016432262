"""A real terminal, under tmux: what is typed is what a person types, what is seen is what a person sees."""

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
"""Seconds in which something that is waited for must come, on a machine that is busy with much else."""
STILL = 0.5
"""Seconds without a change after which a screen is taken to be drawn."""
KEYS = ("Right", "Right", "Left", "Down", "Up", "Space", "Enter", "Enter", "Enter")
ASKED, ENTER, OVER = ("h hint",), ("Press Enter", "Enter continue"), ("r rematch", "n p moments", "status ")
"""What is on the screen while somebody chooses, while Enter is waited for, and once it is over or left."""


class Terminal:
    """One command in a terminal of its own, with its data in the folder ``data``."""

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
        """Press keys, by the names that tmux has for them."""
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
        """The screen, once something is asked and nothing typed yet."""
        return self.wait(lambda seen: seen.rstrip("\n ").endswith(">"), "a question")

    def wait(self, there, wanted):
        """The screen, once it is as ``there`` says."""
        until = time.monotonic() + TIMEOUT
        while not there(seen := self.screen()):
            assert time.monotonic() < until, f"{wanted} is not on the screen:\n{seen}"
            time.sleep(0.1)
        return seen

    def settled(self):
        """The screen, once nothing has been drawn on it for a while: never half of it old and half of it new."""
        seen, since = self.screen(), time.monotonic()
        while time.monotonic() - since < STILL:
            time.sleep(0.05)
            if (now := self.screen()) != seen:
                seen, since = now, time.monotonic()
        return seen

    def kill(self):
        """Kill the command, as nothing else ends a process."""
        shell = self.tmux("display-message", "-p", "#{pane_pid}").strip()
        for child in Path(f"/proc/{shell}/task/{shell}/children").read_text().split():
            os.kill(int(child), signal.SIGKILL)

    def close(self):
        """End the command and its terminal, if that has not been done."""
        with contextlib.suppress(subprocess.CalledProcessError):
            self.tmux("kill-server")

    def play(self, dice=None, most=3000, look=lambda seen: None):
        """Press keys that are drawn at random until the game is over, or ``most`` of them; the screen before the last.

        Computer players are made to answer at once; before every key somebody may ``look`` at the screen.
        """
        dice, quick = dice or Random(1), False
        for _ in range(most):
            seen = self.wait_for(*ASKED, *ENTER, *OVER)
            look(seen)
            if any(said in seen for said in OVER):
                break
            if any(said in seen for said in ENTER):
                self.keys("Enter")
            elif quick:
                self.keys(dice.choice(KEYS))
            else:
                self.keys("+", "+", "+")
                quick = True
        return seen


@contextlib.contextmanager
def terminals(folder):
    """Starts commands in terminals, given what ``Terminal`` takes after a folder, and ends them all."""
    opened = []

    def start(*given, **variables):
        opened.append(Terminal(folder, *given, **variables))
        return opened[-1]

    try:
        yield start
    finally:
        for started in opened:
            started.close()
