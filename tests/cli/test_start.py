"""Starting: fast, quiet, and helpful about what was mistyped."""

import os
import resource
import signal
import subprocess
import sys

import pytest

import kibitz as package

KIBITZ = [sys.executable, "-c", "import sys; from kibitz.cli import main; sys.exit(main())"]


def test_help_loads_no_game_and_no_heavy_library():
    code = (
        "import sys; from kibitz.cli import main; main(['--help']); "
        "print([m for m in sys.modules if m.split('.')[0] in ('numba', 'numpy', 'rich') "
        "or m.startswith(('kibitz.games.', 'kibitz.engine.', 'kibitz.players.'))])"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert out.splitlines()[-1] == "[]"


def test_help_takes_less_than_a_third_of_a_second():
    assert min(help_seconds() for _ in range(5)) < 0.3


def help_seconds():
    """Processor seconds, which busy neighbours do not lengthen."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([*KIBITZ, "--help"], check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def test_every_command_is_in_the_overview_and_explains_itself(kibitz):
    from kibitz.cli import COMMANDS

    overview = kibitz().out
    assert overview == kibitz("--help").out
    for name in COMMANDS:
        assert f"  {name}" in overview
        assert kibitz(name, "--help").status == 0
        assert f"kibitz {name}" in kibitz("help", name).out.partition("\n")[0] + kibitz(name, "--help").out


def test_the_overview_fits_a_phone(kibitz, monkeypatch):
    monkeypatch.setenv("COLUMNS", "40")
    assert max(map(len, kibitz("--help").lines)) <= 40


def test_the_version_is_told(kibitz):
    assert kibitz("--version").out.strip() == package.__version__


def test_games_are_listed_with_their_seats(kibitz):
    lines = kibitz("games").lines
    assert any(line.startswith("go ") and "COMP10001-Go" in line and "4 seats" in line for line in lines)
    assert any("players=2..4" in line for line in lines)
    assert any(line.startswith("bo-mini ") and "2 seats" in line for line in lines)


def test_rules_are_printed_as_they_are_written(kibitz):
    from kibitz.engine.registry import game

    assert kibitz("rules", "go").out.strip() == game("go").rules_text.strip()


@pytest.mark.parametrize("words", ["match bo first first first first --seed 1", "games", "play --help"])
def test_a_closed_pipe_ends_a_command_quietly(words):
    command = subprocess.Popen(
        [*KIBITZ, *words.split()],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    command.stdout.close()
    assert command.stderr.read() == ""
    command.stderr.close()
    assert command.wait(20) == 141


@pytest.mark.parametrize(
    ("words", "said"), [(["play", "go", "--seed", "1"], b"the game is saved"), (["play"], b"nothing is saved")]
)
def test_ctrl_c_leaves_politely(words, said):
    command = subprocess.Popen(
        [*KIBITZ, *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=unbuffered()
    )
    seen = b""
    while not seen.endswith(b"> "):
        seen += command.stdout.read(1)
    command.send_signal(signal.SIGINT)
    out, err = command.communicate(timeout=20)
    assert command.returncode == 130
    assert said in out
    assert err == b""


def unbuffered():
    return os.environ | {"PYTHONUNBUFFERED": "1"}


def test_a_fault_of_ours_asks_for_a_report_and_shows_its_traceback_on_demand(kibitz, monkeypatch):
    def broken():
        raise RuntimeError("the\nreason")

    monkeypatch.setattr("kibitz.engine.registry.all_games", broken)
    answer = kibitz("games")
    assert answer.status == 1
    assert answer.err.count("\n") == 1
    assert "please report it" in answer.err
    assert "Traceback" in kibitz("games", "--debug").err
    monkeypatch.setenv("KIBITZ_DEBUG", "1")
    assert "Traceback" in kibitz("games").err
