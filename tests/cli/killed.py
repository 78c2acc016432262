"""Kills line mode games at every point where they are saved, and resumes each: for ``test_resume``.

``python -m tests.cli.killed FOLDER GAME OPPONENT`` prints as JSON the number of actions of the uninterrupted game and,
for every point where it was killed, what is wrong, if anything.  Each play runs in a process forked from this one, so
that a hundred of them take only seconds.
"""

import io
import json
import os
import signal
import sys
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

from kibitz.cli import main
from kibitz.engine import file_io
from kibitz.engine.record import read_any
from kibitz.table.saved import SavedGame, saved_games

POINTS = ("before", "within", "after")
"""When the process dies: before a step is saved, while it is written, or after it is saved."""


def kill_at(point, number):
    """From now on, kill this process the ``number``-th time that a game is saved."""
    left = [number]
    write, new, fsync = SavedGame.write, SavedGame.new, os.fsync

    def due(here):
        if here == POINTS[0]:
            left[0] -= 1
        if left[0] == 0 and here == point:
            os.kill(os.getpid(), signal.SIGKILL)

    def killed_write(self, record):
        due("before")
        write(self, record)
        due("after")

    def killed_new(record):
        due("before")
        saved = new(record)
        due("after")
        return saved

    def killed_fsync(file):
        due("within")
        fsync(file)

    SavedGame.write, SavedGame.new, file_io.os.fsync = killed_write, killed_new, killed_fsync


def status_in_fork(words, prepare=lambda: None):
    """The status of ``kibitz`` with these arguments in a forked process, where the person takes first choices."""
    pid = os.fork()
    if not pid:
        prepare()
        status = 1
        try:
            status = status_with_first_choices(words)
        finally:
            os._exit(status)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


def status_with_first_choices(words):
    """The status of ``kibitz`` with these arguments here, where the person always takes the first choice."""
    sys.stdin = io.TextIOWrapper(io.BytesIO(b"1\n" * 2000))
    with open(os.devnull, "w") as nothing, redirect_stdout(nothing), redirect_stderr(nothing):
        return main([str(word) for word in words])


def trial(folder, words, whole_game, point, number):
    """What is wrong after a kill at this point, or None if the game ended before reaching it."""
    os.environ["XDG_DATA_HOME"] = str(folder / f"{point}-{number}")
    record = folder / f"{point}-{number}.game"
    status = status_in_fork([*words, "-o", record], lambda: kill_at(point, number))
    if status == 0:
        return None
    if status != -signal.SIGKILL:
        return f"status {status}"
    if number == 1 and point != "after":
        return "a game was saved before it began" if saved_games() else ""
    (path,) = saved_games()
    kept = read_any(path)
    if kept.actions != whole_game.actions[: len(kept.actions)]:
        return "another game is saved"
    if (status := status_in_fork(["resume", "-o", record])) != 0:
        return f"it can't be resumed: status {status}"
    if read_any(record) != whole_game:
        return "the resumed game differs"
    return "the saved game is still there" if saved_games() else ""


def run(folder, name, opponent):
    """All trials of one game."""
    words = ["play", name, "--seed", 11, "--opponents", opponent]
    os.environ["XDG_DATA_HOME"] = str(folder / "whole")
    record = folder / "whole.game"
    assert status_with_first_choices([*words, "-o", record]) == 0
    whole_game = read_any(record)
    found = {}
    for point in POINTS:
        number = 1
        while (wrong := trial(folder, words, whole_game, point, number)) is not None:
            found[f"{point} {number}"] = wrong
            number += 1
    print(json.dumps({"actions": len(whole_game.actions), "wrong": found}))


if __name__ == "__main__":
    run(Path(sys.argv[1]), *sys.argv[2:4])
