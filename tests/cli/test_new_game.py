"""The kit for a new game: its files can be played, and docs/new-game.md turns them into Crazy Eights."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from kibitz.cli.games import new_game, new_game_files
from kibitz.engine.contract import CHECKS
from kibitz.errors import NotationError
from tests.tiers import first_fast

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "new-game.md").read_text(encoding="utf-8")
BUILDING, OPTION = PAGE.split("\n## 9. An option of your own\n")
EIGHTS = ROOT / "src" / "kibitz" / "games" / "eights"
LEFT_TO_TEST_CONTRACT = "check-game"
"""The contract of the finished game, Crazy Eights, runs in tests/contract."""


def run(*words, cwd):
    """Run a command that knows only the games that come with Kibitz."""
    environment = {name: value for name, value in os.environ.items() if name != "KIBITZ_GAMES"}
    command = [sys.executable, "-m", "kibitz", *words]
    return subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, timeout=500)


def kibitz(*words, cwd, status=0):
    """The output of a command, or its error message."""
    ended = run(*words, cwd=cwd)
    assert ended.returncode == status, ended.stdout + ended.stderr
    return ended.stdout if status == 0 else ended.stderr


@pytest.fixture
def kit(tmp_path):
    """A folder with the game ``follow``, as written by the kit."""
    new_game("follow", output=tmp_path)
    return tmp_path


def change(home, block):
    """Apply the changes of one diff block; the old text of each hunk must occur exactly once."""
    first, *hunks = re.split("^@@\n", block, flags=re.MULTILINE)
    path = home / re.fullmatch(r"\+\+\+ (\S+)\n", first)[1]
    for hunk in hunks:
        lines = hunk.splitlines(keepends=True)
        old = "".join(line[1:] for line in lines if line[0] in " -")
        new = "".join(line[1:] for line in lines if line[0] in " +")
        content = path.read_text(encoding="utf-8") if path.exists() else ""
        assert content.count(old) == 1, f"{path}: {old}"
        path.write_text(content.replace(old, new), encoding="utf-8")


def blocks_of(page):
    """The code blocks of a part of the page, with their kinds."""
    return re.findall(r"^```(\w*)\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)


def as_shipped(text):
    """The lines of a file of the page's game, with the name changed to that of the shipped game."""
    text = re.sub(r"^from crazy_eights", "from kibitz.games.eights", text, flags=re.MULTILINE)
    return [line for line in text.replace("crazy_eights", "eights").splitlines() if line]


@pytest.mark.parametrize("commands", first_fast([False, True]))
def test_page_turns_the_kit_into_crazy_eights(tmp_path, commands):
    """With all commands of the page, or only the first, which writes the kit."""
    home = tmp_path / "crazy_eights"
    for kind, block in blocks_of(BUILDING):
        if kind == "diff":
            change(home, block)
            continue
        for line in block.splitlines():
            program, command, *words = shlex.split(line.removeprefix("$ "))
            assert program == "kibitz"
            if not commands and command != "new-game":
                continue
            if command == "play":
                assert "Crazy Eights" in kibitz(command, *words, "--seed", "1", cwd=tmp_path)
            elif command != LEFT_TO_TEST_CONTRACT:
                kibitz(command, *words, cwd=tmp_path)
            else:
                checked = kibitz(command, *words, "--check", "nothing_hidden_leaks", cwd=tmp_path)
                assert "passes nothing_hidden_leaks" in checked
    names = sorted(path.name for path in EIGHTS.iterdir() if path.is_file())
    assert names == sorted(path.name for path in (home / "src" / "crazy_eights").iterdir() if path.is_file())
    for name in names:
        written = (home / "src" / "crazy_eights" / name).read_text(encoding="utf-8")
        shipped = (EIGHTS / name).read_text(encoding="utf-8")
        assert as_shipped(written) == as_shipped(shipped), name


def test_page_adds_an_option_to_crazy_eights(tmp_path):
    """The tests that the page writes pass, and so does a check of the contract."""
    new_game("crazy_eights", output=tmp_path)
    for _, block in filter(lambda block: block[0] == "diff", blocks_of(BUILDING + OPTION)):
        change(tmp_path / "crazy_eights", block)
    tested = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"],
        cwd=tmp_path / "crazy_eights",
        capture_output=True,
        text=True,
        timeout=500,
    )
    assert "3 passed" in tested.stdout, tested.stdout + tested.stderr
    assert "kibitz play ./crazy_eights:players=5" in kibitz("games", "./crazy_eights", cwd=tmp_path)
    checked = kibitz("check-game", "./crazy_eights:queens=1", "--check", "nothing_hidden_leaks", cwd=tmp_path)
    assert "passes nothing_hidden_leaks" in checked


def test_new_game_replaces_every_name_in_the_kit():
    for path, content in new_game_files("old_maid").items():
        assert not re.search(r"\b(NAME|TITLE)\b", path + content), path


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("go", "There is already a game called go"),
        ("holdem", "There is already a game called holdem"),
        ("random", "random is the name of a module"),
        ("numpy", "numpy is the name of a module"),
        ("Old-Maid", "'Old-Maid' can't name a game: use small letters"),
        ("class", "'class' can't name a game"),
        ("../x", "can't name a game"),
        ("7up", "'7up' can't name a game"),
    ],
)
def test_invalid_game_name_is_rejected(name, sentence, tmp_path):
    with pytest.raises(NotationError, match=re.escape(sentence)):
        new_game(name, output=tmp_path)
    assert not any(tmp_path.iterdir())


def test_existing_folder_is_not_changed(kit):
    (kit / "follow" / "mine.txt").write_text("kept")
    assert "already exists: choose another name" in kibitz("new-game", "follow", cwd=kit, status=2)
    assert (kit / "follow" / "mine.txt").read_text() == "kept"


@pytest.mark.long
def test_game_folder_can_be_played_by_path_in_every_command(kit):
    assert "# Follow" in kibitz("rules", "./follow", cwd=kit)
    assert "Winner" in kibitz("match", "./follow:players=2", "greedy", "random", "--seed", "1", cwd=kit)
    table = kibitz(
        *["tournament", "./follow", "greedy", "random", "--deals", "3", "--seed", "1", "--workers", "2"], cwd=kit
    )
    assert "greedy" in table
    assert "passes advance_agrees_with_apply" in kibitz(
        "check-game", "./follow", "--check", "advance_agrees_with_apply", cwd=kit
    )
    assert "view.top" in kibitz("template", "./follow", cwd=kit)


@pytest.mark.long
def test_printed_commands_name_a_game_folder_by_its_path(kit):
    (kit / "bad.py").write_text("def play(view, legal):\n    return 3\n")
    failed = run("check-player", "./follow:players=2", "bad.py", cwd=kit).stdout
    printed = [shlex.split(line)[1:] for line in failed.splitlines() if line.startswith("kibitz ")]
    assert [words[:2] for words in printed] == [
        ["check-player", "./follow:players=2"],
        ["call", "./follow:players=2"],
    ]
    again, alone = (run(*words, cwd=kit) for words in printed)
    assert "play must return" in again.stdout, again.stderr
    assert "3" in alone.stdout, alone.stderr


@pytest.mark.long
def test_tests_and_contract_of_a_new_game_run_under_pytest(kit):
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--kibitz-game", "."]
    tested = subprocess.run(command, cwd=kit / "follow", capture_output=True, text=True, timeout=500)
    summary = f"{1 + 2 * len(CHECKS)} passed"  # the game's own test, and the contract of its two variants
    assert summary in tested.stdout, tested.stdout + tested.stderr


@pytest.mark.long
def test_broken_contract_is_a_failed_test_with_its_message(kit):
    view = kit / "follow" / "src" / "follow" / "view.py"
    content = view.read_text(encoding="utf-8")
    view.write_text(content.replace('return f"Play {', 'return "" and f"Play {'), encoding="utf-8")
    words = ["-q", "-p", "no:cacheprovider", "--kibitz-game", ".", "-k", "every_position_has_words"]
    tested = subprocess.run(
        [sys.executable, "-m", "pytest", *words], cwd=kit / "follow", capture_output=True, text=True, timeout=500
    )
    assert tested.returncode == 1
    assert "2 failed, " in tested.stdout, "-k selects checks too"
    for name in (".", "./.-mini"):
        assert f"to repeat: kibitz check-game {name} --check every_position_has_words" in tested.stdout
    assert "Traceback" not in tested.stdout


def test_unwritable_folder_is_rejected(refused):
    assert "/proc/mine can't be created" in refused("new-game", "mine", "-o", "/proc")


@pytest.mark.parametrize(
    "words",
    first_fast(
        [
            ["match", "./follow", "random", "random", "random", "-q", "--seed", "1"],
            ["ladder", "./follow", "--deals", "1", "--seed", "1"],
            ["tournament", "./follow", "random", "greedy", "--deals", "1", "--seed", "1"],
            ["simulate", "./follow", "random", "greedy", "random", "--games", "2", "--seed", "1", "-o", "games.csv"],
        ]
    ),
    ids=lambda words: words[0],
)
def test_error_in_a_users_game_is_not_reported_as_a_bug(kit, words):
    source = kit / "follow" / "src" / "follow" / "rules.py"
    head, found, tail = source.read_text().partition('    """Carry out a legal action."""\n')
    assert found
    source.write_text(f"{head}{found}    s.passes = s.passes // 0\n{tail}")
    ended = run(*words, cwd=kit)
    line = head.count("\n") + 2
    message = f"follow failed: ZeroDivisionError: integer division or modulo by zero ({source}, line {line}); "
    given, of_workers = "./follow", kit / "follow" / "src" / "follow"
    assert any(f"{message}'kibitz check-game {path}' finds out more." in ended.stderr for path in (given, of_workers))
    assert "fault in Kibitz" not in ended.stderr
    assert "Traceback" not in ended.stderr
    assert ended.returncode == 2
