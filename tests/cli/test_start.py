"""Starting: fast and quiet, with helpful messages."""

import os
import platform
import resource
import signal
import subprocess
import sys
from types import NoneType

import pytest

import kibitz as package
from tests.cli.registry import commands, parameters
from tests.tiers import first_fast

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
    assert min(help_seconds() for _ in range(3)) < 0.3


def help_seconds():
    """CPU seconds, which other busy processes don't lengthen."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([*KIBITZ, "--help"], check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def test_overview_lists_every_command_and_each_has_help(kibitz):
    from kibitz.cli import COMMANDS

    overview = kibitz().out
    assert overview == kibitz("--help").out
    for name in COMMANDS:
        answer = kibitz(name, "--help")
        assert f"  {name}" in overview
        assert (answer.status, "ARGS" in answer.out, f"kibitz {name}" in answer.out) == (0, False, True), name
    assert kibitz("help", name).out == answer.out


def test_overview_fits_a_phone(kibitz, monkeypatch):
    monkeypatch.setenv("COLUMNS", "40")
    assert max(map(len, kibitz("--help").lines)) <= 40


def test_version_names_kibitz_python_and_platform(kibitz):
    version = kibitz("--version").out
    assert version.startswith(f"kibitz {package.__version__}, Python {platform.python_version()}, {platform.system()}")


def test_help_shows_defaults_but_no_empty_ones(kibitz):
    text = kibitz("check-player", "--help").out
    assert "[default: 20]" in text
    assert "[default: 0]" in text
    assert "False" not in text + kibitz("arena", "submit", "--help").out
    assert "[default: 100]" in kibitz("arena", "submit", "--help").out


@pytest.mark.parametrize("option", ["--json", "--quiet", "--open", "--games"])
def test_option_has_one_type_in_all_commands(option):
    found = {}
    for name, function in commands().items():
        for each in parameters(function):
            if option in each.words:
                found[name] = set(each.kinds) - {NoneType}
    assert all(kinds == next(iter(found.values())) for kinds in found.values()), found
    assert option != "--open" or list(found) == ["serve"]


@pytest.mark.long
def test_bash_completes_commands_and_options(kibitz):
    script = kibitz("completion", "bash").out
    assert completions(script, "kibitz", "tourn") == ["tournament"]
    assert "--seed" in completions(script, "kibitz", "match", "--se")


def completions(script, *words):
    """The completions that bash offers for the last word."""
    call = f"COMP_WORDS=({' '.join(words)}); COMP_CWORD={len(words) - 1}; _kibitz"
    command = f"{call}; printf '%s\\n' \"${{COMPREPLY[@]}}\""
    done = subprocess.run(["bash", "-c", f"{script}\n{command}"], capture_output=True, text=True, check=True)
    return done.stdout.split()


WITHOUT = """
import sys
class Hidden:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in {hidden!r}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)
sys.meta_path.insert(0, Hidden())
from kibitz.cli import main
sys.exit(main())
"""
NEEDS_SERVER = ["serve", "arena ranking", "tournament kuhn random random --deals 1"]


@pytest.mark.parametrize("words", first_fast(["match kuhn random random --quiet", *NEEDS_SERVER], 2))
def test_missing_extra_is_named(words):
    from kibitz.cli import SERVER_MODULES

    code = WITHOUT.format(hidden=set(SERVER_MODULES))
    done = subprocess.run([sys.executable, "-c", code, *words.split()], capture_output=True, text=True, timeout=60)
    assert ("pip install 'kibitz[server]'" in done.stderr) == (words in NEEDS_SERVER), done.stderr
    assert done.returncode == (2 if words in NEEDS_SERVER else 0)
    assert done.stderr.count("\n") <= 1


def test_games_are_listed_with_their_seats(kibitz):
    lines = kibitz("games").lines
    assert any(line.startswith("go ") and " Go " in line and "4 seats" in line for line in lines)
    assert any("players (2 to 4)" in line for line in lines)
    assert any(line.startswith("bo-mini ") and "2 seats" in line for line in lines)


def test_options_of_eights_and_president_are_explained(kibitz):
    assert kibitz("games", "eights:players=2").lines == [
        "eights: Crazy Eights, 4 seats",
        "Be the first to run out of cards: follow suit or value; eights are wild.",
        "players (2 to 5)  How many players? Default: 4.",
        "hand_size (1 to 8)  How many cards are dealt to each? Default: 5.",
        "limit (1 to 40)  How many cards may be drawn in a turn? Default: 3.",
        "For example: kibitz play eights:players=5",
    ]
    lines = kibitz("games", "president").lines
    assert "  1  A player who passes is out until the trick ends." in lines
    assert "  +2  flushes" in lines
    assert "  0  The minimum bet is the big blind." in kibitz("games", "holdem").lines


def test_rules_are_printed_as_written(kibitz):
    from kibitz.engine.registry import game

    assert kibitz("rules", "go").out.strip() == game("go").rules_text.strip()


@pytest.mark.parametrize("words", ["match bo first first first first --seed 1", "play --help"])
def test_closed_pipe_ends_a_command_quietly(words):
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


@pytest.mark.parametrize("words", [["play", "go", "--seed", "1"], ["play"]])
def test_ctrl_c_leaves_with_a_message(words):
    command = subprocess.Popen(
        [*KIBITZ, *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=unbuffered()
    )
    seen = b""
    while not seen.endswith(b"> "):
        seen += command.stdout.read(1)
    command.send_signal(signal.SIGINT)
    out, err = command.communicate(timeout=120)
    assert command.returncode == 130
    assert b"nothing is saved" in out
    assert err == b""


def unbuffered():
    return os.environ | {"PYTHONUNBUFFERED": "1"}


def test_bug_asks_for_a_report_and_debug_shows_the_traceback(kibitz, monkeypatch):
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
