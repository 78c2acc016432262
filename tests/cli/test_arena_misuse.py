"""Every error in an arena command is one sentence, and the status is 2."""

import pytest

from kibitz.engine.registry import game
from kibitz.players.built_in import strategies
from tests.strategies.seats import FILES

FIRST = FILES / "go" / "first.py"
BUILT_IN = ", ".join(strategies(game("go")))
WRONG = {
    "arena rankng": "unknown command 'arena rankng': did you mean 'ranking'?",
    "arena xyzzy": "unknown command 'arena xyzzy': see 'kibitz arena --help'",
    "arena submit": "GAME is missing",
    "arena submit go x.py": "--name",
    "arena submit go none.py --name Ann": "no such file",
    "arena submit go {first} --name first": "the name of a built-in player",
    "arena submit go {first} --name =Ann": "isn't a valid player name",
    "arena submit go {first} --name Ann --games 0": "--games must be 1 or more, not 0",
    "arena submit go {first} --name Ann --store /no/folder/x.sqlite": "/no/folder",
    "arena submit go {first} --name Ann --store mysql://host/x": "not mysql://",
    "arena begin gp": "Unknown game 'gp'",
    "arena begin go": "go has already begun",
    "arena begin go-auto --forfeit-share 1": "--forfeit-share must be from 0 to less than 1, not 1",
    "arena begin go-auto --forfeits 0": "--forfeits must be 1 or more",
    "arena begin go-auto --limits calls=1": "unknown limit 'calls'",
    "arena begin go-auto --limits call=0": "the limit call must be from 0.01",
    "arena begin go-auto --seed -1": "--seed must be from 0",
    "arena ranking bo": "there is no tournament",
    "arena ranking go --stage middle": "--stage",
    "arena ranking --store /no/such.sqlite": "there is no store at /no/such.sqlite; the first 'kibitz arena",
    "arena history Nobody": "unknown player 'Nobody'; known players: Ann.",
    "arena failures Nobody": "unknown player 'Nobody'",
    "arena failures Ann --newest 0": "--newest must be 1 or more",
    "arena replay go": "'go' isn't a match: write its tournament and number, such as 'go/17'",
    "arena replay go/0": "isn't a match",
    "arena replay go/17": "the match go/17 has not been played",
    "arena freeze bo": "there is no tournament",
    "arena replay bo/17": "there is no tournament",
    "arena rate /no/such.csv": "cannot be read",
    "arena export go -o /no/folder/x.csv": "cannot be written",
    "arena custom": "GAME is missing",
    "arena custom go": "at least one player",
    "arena custom go Nobody": f"no player called 'Nobody'; known players: Ann, {BUILT_IN}; or give a .py file",
    "arena custom go Ann@7": "no player called 'Ann@7'",
    "arena custom go Ann --deals 0": "--deals must be 1 or more",
    "arena run --rounds 0": "--rounds must be 1 or more",
    "arena run --workers 0": "--workers must be 1 or more",
    "arena run --margin 0": "--margin",
    "arena final go": "--margin",
    "arena final go --margin 20": "go still takes submissions",
    "arena final go --margin 0": "--margin",
}


@pytest.fixture(scope="module")
def season(tmp_path_factory):
    """A store with one player and no games played."""
    from kibitz.arena import open

    path = tmp_path_factory.mktemp("season") / "arena.sqlite"
    with open(path) as arena:
        arena.submit("go", FIRST, "Ann", games=2)
    return path


@pytest.mark.parametrize("words", WRONG)
def test_invalid_command_is_rejected_with_the_reason(refused, season, monkeypatch, words):
    monkeypatch.setenv("KIBITZ_STORE", str(season))
    sentence = refused(*[word.format(first=FIRST) for word in words.split()])
    assert WRONG[words] in sentence


def test_invalid_store_is_rejected_and_unchanged(refused, tmp_path):
    path = tmp_path / "notes.txt"
    path.write_text("hello\n" * 1000)
    assert "notes.txt" in refused("arena", "ranking", "--store", path)
    assert path.read_text() == "hello\n" * 1000


def test_a_read_only_command_creates_no_store(refused, tmp_path):
    refused("arena", "ranking", "--store", tmp_path / "none.sqlite")
    refused("arena", "submit", "gp", "x.py", "--name", "Ann", "--store", tmp_path / "none.sqlite")
    assert not (tmp_path / "none.sqlite").exists()
