"""A student's own machine: the commands for trusted files work without Linux-only parts of Python."""

import os
import select
import signal
import subprocess
import sys
import time
from pathlib import Path
from tempfile import mkdtemp
from types import SimpleNamespace

import pytest

from kibitz.cli.screen import is_full_screen
from kibitz.coursework import aps106, comp10001, cs212
from tests.cli.only_linux import hideable, only_linux
from tests.cli.registry import commands
from tests.tiers import first_fast
from tests.web.program import Guest, my_state, running, until
from tests.web.test_killed_server import finish

pytestmark = pytest.mark.xdist_group("own machine")

HERE = Path(__file__).parent
PLAYERS = HERE.parents[1] / "examples" / "players"
UNCONFINED = "run only what you have written yourself"
LOWEST = PLAYERS / "president" / "lowest.py"
BO = PLAYERS / "bo" / "ladder.py"
VIEW = "play(View(phase='play', hand=['AS']), ['AS', 'pass'])"

WORKS = {
    "best": ["cribbage", "5H 6S 7D JC QD KS", "--crib", "mine"],
    "exploit": ["kuhn", "caller"],
    "new-game": ["trial_game", "-o", mkdtemp()],
    "call": ["president", str(LOWEST), VIEW],
    "check-player": ["kuhn", str(PLAYERS / "poker" / "tight.py"), "--games", "2"],
    "equity": ["AsKs", "QdQh"],
    "template": ["go"],
    "games": [],
    "match": ["bo:rounds=2", str(BO), str(BO), "greedy", "random"],
    "play": ["kuhn:hands=1", "--opponents", str(PLAYERS / "poker" / "caller.py"), "--seed", "1"],
    "puzzle": ["go"],
    "resume": [],
    "rules": ["president"],
    "simulate": ["kuhn", "random", "--games", "4", "-o", str(Path(mkdtemp()) / "games.csv"), "--workers", "1"],
    "solve": ["kuhn"],
    "stats": [str(HERE.parents[1] / "docs" / "examples")],
    "tabulate": [str(HERE.parents[1] / "docs" / "examples"), "-o", str(Path(mkdtemp()) / "rows.csv")],
}
"""Commands that must work everywhere, with arguments; ``resume`` continues the game left by ``play``."""
REFUSED = {"tournament": ["bo", str(BO), str(PLAYERS / "bo" / "first.py"), "--deals", "1"]}
"""Commands for untrusted files, which say that they need Linux."""
SERVED = {"serve", "join"}
"""Commands that run until stopped or need a server; each has its own test below."""
ELSEWHERE = {"arena", "mark", "similar", "assignment", "completion", "check-game"}
ELSEWHERE |= {"ladder", "phh", "review", "show", "verify", "compile"}
"""Commands for running courses, or without player files, which aren't promised to work elsewhere."""


@pytest.fixture(scope="module")
def hidden_list(tmp_path_factory):
    """The file that lists the names to hide."""
    path = tmp_path_factory.mktemp("hidden") / "only_linux.txt"
    path.write_text(hideable(), encoding="utf-8")
    return path


@pytest.fixture
def run(hidden_list):
    """Run ``kibitz`` as on a machine without Linux."""

    def run(words: list[str], typed: str = "") -> subprocess.CompletedProcess[str]:
        line = [sys.executable, str(HERE / "without_linux.py"), str(hidden_list), *words]
        environment = {**os.environ, "COLUMNS": "120"}
        return subprocess.run(line, input=typed, capture_output=True, text=True, timeout=120, env=environment)

    return run


GAME = """
import kibitz
from tests.tui.playing import application, local_game, play_out, run
assert run(application(local_game(kibitz.game("kuhn"))), play_out).record
print("played")
"""
"""Plays a whole game in the application with the keyboard."""


def test_every_command_is_listed_by_how_it_works_without_linux():
    for name in commands():
        assert name.split()[0] in {*WORKS, *REFUSED, *SERVED, *ELSEWHERE}, f"does {name!r} work on Windows and macOS?"


@pytest.mark.parametrize("name", first_fast(sorted(WORKS, key=lambda name: name != "match")))
def test_commands_for_own_files_work_without_linux(run, name, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    if name == "resume":
        assert "'kibitz resume' continues it" in " ".join(
            run(["play", "holdem:players=2,hands=9", *WORKS["play"][1:]], "1\n").stdout.split()
        )
    ended = run([name, *WORKS[name]], "\n" * 40 if name in ("play", "resume") else "")
    assert ended.returncode == 0, ended.stderr
    assert "Traceback" not in ended.stderr
    assert (UNCONFINED in " ".join(ended.stderr.split())) == (
        name in ("call", "check-player", "match", "play", "resume")
    )


@pytest.mark.long
def test_join_works_without_linux(run):
    ended = run(["join", "http://127.0.0.1:1/"])
    assert (ended.returncode, "can't be reached" in " ".join(ended.stderr.split())) == (2, True), ended.stderr


@pytest.mark.long
def test_tournaments_of_built_in_players_work_without_linux(run):
    ended = run(["tournament", "go-mini", "first", "random", "--deals", "2", "--seed", "1"])
    assert ended.returncode == 0, ended.stderr
    assert "played 4 of 4 games" in ended.stderr
    assert "Seed 1;" in ended.stdout


@pytest.mark.long
def test_server_and_its_processes_work_without_linux(hidden_list, tmp_path, monkeypatch):
    """A game against a computer player, with a hint, verification and review; the arena says that it needs Linux."""
    monkeypatch.setenv("PYTHONPATH", str(HERE / "everywhere"))
    monkeypatch.setenv("KIBITZ_WITHOUT_LINUX", str(hidden_list))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    with running(tmp_path / "server.sqlite") as program:
        guest = Guest(program.address)
        table = guest.ask("POST", "/api/tables", {"game": "kuhn", "settings": {"pace": "skip"}})["table"]
        with guest.connect(table) as socket:
            state = my_state(socket)
            socket.send('{"type":"hint","id":"hint"}')
            assert until(socket, lambda m: m.get("id") == "hint")["type"] == "hint"
            finish(socket, state["turn"])
        assert guest.ask("POST", f"/api/played/{table}/verify")["true"]
        begun = guest.ask("POST", f"/api/played/{table}/review")
        while (job := guest.ask("GET", begun["path"]))["state"] not in ("done", "failed"):
            time.sleep(0.1)
        assert job["review"]["verdicts"], job
        assert "needs Linux" in guest.ask("GET", "/api/arena")["why"]
        assert program.stop() == 0
    assert "Traceback" not in program.logged


@pytest.mark.long
def test_application_opens_and_plays_without_linux(hidden_list):
    """Textual has its own driver for Windows terminals; all of our code runs here."""
    source = f"import runpy; runpy.run_path({str(HERE / 'without_linux.py')!r})['hide_linux']({str(hidden_list)!r})\n"
    source += f"import sys; sys.path.insert(0, {str(HERE.parents[1])!r})\n"
    environment = {**os.environ, "TEXTUAL_DRIVER": "textual.drivers.headless_driver:HeadlessDriver"}
    words = [sys.executable, "-c", source + GAME]
    ended = subprocess.run(words, capture_output=True, text=True, timeout=120, env=environment)
    assert ended.returncode == 0, ended.stderr
    assert ended.stdout == "played\n"


@pytest.mark.parametrize(
    ("platform", "term", "opens"),
    [("win32", None, True), ("win32", "dumb", False), ("linux", None, False), ("darwin", "xterm", True)],
)
def test_application_opens_on_the_terminals_of_every_system(platform, term, opens, monkeypatch):
    monkeypatch.setattr(sys, "platform", platform)
    monkeypatch.delenv("KIBITZ_LINES", raising=False)
    monkeypatch.delenv("TERM", raising=False)
    if term:
        monkeypatch.setenv("TERM", term)
    for stream in ("stdin", "stdout"):
        monkeypatch.setattr(sys, stream, SimpleNamespace(isatty=lambda: True))
    assert is_full_screen(plain=False) == opens


@pytest.mark.parametrize("name", sorted(REFUSED))
def test_commands_for_untrusted_files_say_that_they_need_linux(run, name):
    ended = run([name, *REFUSED[name]])
    assert ended.returncode != 0
    assert "needs Linux" in " ".join(ended.stderr.split())
    assert "Traceback" not in ended.stderr


@pytest.mark.long
@pytest.mark.parametrize(
    ("broken", "message"),
    [
        ("while True:\n        pass", "play used more than 0.2 s of CPU time"),
        ("raise ValueError('no idea')", "play raised ValueError: no idea"),
        ("import os\n    os._exit(3)", "ended itself with exit status 3"),
        ("return 1.5", "play returned something of type float"),
    ],
)
def test_plain_process_enforces_limits_and_reports_failures(run, tmp_path, broken, message):
    file = tmp_path / "broken.py"
    file.write_text(f"def play(view, legal):\n    {broken}\n")
    ended = run(["check-player", "kuhn", str(file), "--games", "1", "--limits", "call=0.2"])
    assert ended.returncode == 2
    assert message in " ".join(ended.stdout.split())


@pytest.mark.long
def test_game_is_the_same_in_plain_and_confined_processes(run):
    words = ["match", "holdem:players=2,hands=90", str(PLAYERS / "poker" / "tight.py"), "random", "--seed", "7"]
    line = [sys.executable, "-m", "kibitz", *words]
    environment = {**os.environ, "COLUMNS": "120"}
    here = subprocess.run(line, capture_output=True, text=True, timeout=120, env=environment)
    assert run(words).stdout == here.stdout


def test_linux_only_list_has_known_names():
    """An empty list would make the other tests meaningless."""
    for module, name in ((os, "fork"), (os, "pidfd_open"), (select, "poll"), (signal, "SIGKILL"), (os, "O_NONBLOCK")):
        assert hasattr(module, name)
        assert name in only_linux()[module.__name__]
    for name in ("fcntl", "pwd", "resource", "termios", "_posixsubprocess"):
        assert only_linux()[name] is None
    assert "getpid" not in only_linux()["os"]


@pytest.mark.long
def test_assignment_functions_import_nothing_linux_only(hidden_list):
    source = f"import runpy; hide = runpy.run_path({str(HERE / 'without_linux.py')!r})['hide']\n"
    source += f"hide(open({str(hidden_list)!r}).read())\nfrom kibitz.coursework import aps106, comp10001, cs212\n"
    source += "print(comp10001.comp10001go_score_group(['AH', 'AS', 'QS', '9H', '7H', 'AC']))\n"
    ended = subprocess.run([sys.executable, "-c", source], capture_output=True, text=True, timeout=60)
    assert ended.stdout == "57\n", ended.stderr
    assert all((aps106, comp10001, cs212))
