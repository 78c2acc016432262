"""Every error in a command is one sentence, and the status is 2."""

import pytest

FIRST = ["first"] * 4
WRONG = {
    "plya": "did you mean 'play'?",
    "nonsense": "unknown command 'nonsense'",
    "rules": "GAME is missing",
    "rules gp": "Unknown game 'gp'",
    "rules go bo": "doesn't take 'bo'",
    "games --sed": "has no option --sed",
    "serve --data X": "did you mean '--store'?",
    "arena ranking --db X": "did you mean '--store'?",
    "best missing.json": "missing.json doesn't exist: name a game or a record",
    "best no/such.game": "no/such.game",
    "play go --seed x": "--seed needs a whole number, not 'x'",
    "play go --seed": "--seed needs a value",
    "play go --seat 4": "has the seats 0 to 3",
    "play go --opponents nobody": "no player called 'nobody'",
    "play go --opponents first,first": "needs 1 opponent (for all seats) or 3, not 2",
    "play go --opponents first,,first": "not a list of players",
    "play go -o /no/folder/x.game": "cannot be written",
    "match go": "has 4 seats",
    "match go first first": "name 4 players, not 2, or play go:players=2.",
    "match go easy easy easy easy": "player called 'easy'; Easy is 'first', Medium is ",
    "match my.py first": "the game comes first: 'kibitz match first my.py",
    "match go first first first fist": "did you mean 'first'?",
    "match go first first first first --seed 1e3": "--seed needs a whole number",
    f"match go first first first first --seed {1 << 128}": "--seed must be from 0 to 2**128 - 1",
    "match go first first first first -o .": "already exists",
    "match go first first first first --force -o /": "cannot be written",
    "tournament go first --deals -3": "--deals must be 1 or more, not -3",
    "tournament go first --deals 2 --workers 0": "--workers must be 1 or more, not 0",
    "tournament go": "at least one player",
    "tournament go first --margin 0": "--margin must be more than 0",
    "tournament go first --forfeit-share 1": "--forfeit-share must be from 0 to less than 1, not 1",
    "tournament go first --forfeits 0": "--forfeits must be 1 or more, not 0",
    "verify": "name at least one record",
    "verify /no/such.game": "cannot be read",
    "check-player my.py": "the game comes first: 'kibitz check-player GAME my.py",
    "mark work/my.py go": "the game comes first: 'kibitz mark go work/my.py",
    "check-player go /no/such.py": "no such file",
    "check-player go x.py --games 0": "--games must be 1 or more, not 0",
}


@pytest.mark.parametrize("words", WRONG)
def test_invalid_command_is_rejected_with_the_reason(refused, words):
    assert WRONG[words] in refused(*words.split())


def test_folder_without_player_files_is_rejected(refused, tmp_path):
    assert "holds no player file" in refused("tournament", "go", tmp_path, "--deals", "1")


def test_existing_file_is_overwritten_only_with_force(refused, kibitz, tmp_path):
    path = tmp_path / "kept.game"
    path.write_text("precious")
    words = ["match", "go", *FIRST, "--seed", "1", "-q", "-o", path]
    assert "already exists" in refused(*words)
    assert path.read_text() == "precious"
    assert kibitz(*words, "--force").status == 0
    assert path.read_text().startswith("Kibitz record 1\n")


def test_rejected_command_leaves_no_file(refused, tmp_path):
    refused("match", "gp", *FIRST, "-o", tmp_path / "x.game")
    refused("match", "go", *FIRST[:3], "fist", "-o", tmp_path / "x.game")
    assert list(tmp_path.iterdir()) == []


def test_full_disk_loses_no_record(kibitz):
    answer = kibitz("match", "go", *FIRST, "--seed", "1", "-q", "--force", "-o", "/dev/full")
    assert answer.status == 2
    assert "Kibitz record 1\n" in answer.out
    assert "no space left" in answer.err
