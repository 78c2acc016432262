"""Finding players by name or path, and the error if there is none."""

import os
import pickle

import pytest

from kibitz.arena.entry.submissions import checked_name
from kibitz.engine.registry import all_games
from kibitz.errors import NotationError
from kibitz.players.built_in import characters
from kibitz.players.file_player import FilePlayer, TrustedFilePlayer
from kibitz.players.files.archives import MAX_FILE_BYTES
from kibitz.players.specs import find_player
from kibitz.table.match import play_match
from kibitz.web.live_tables.live_session import computer_seat
from tests.players.conftest import GO, HONEST
from tests.tiers import tiered


@pytest.fixture
def honest(tmp_path):
    path = tmp_path / "honest player.py"
    path.write_text(HONEST)
    return str(path)


def test_spec_can_be_pickled_and_makes_new_players(honest):
    spec = find_player(GO, honest)
    os.unlink(honest)
    again = pickle.loads(pickle.dumps(spec))
    assert again == spec
    assert spec.name == "honest player"
    assert spec.is_file
    assert len(spec.source_hash) == 64
    assert "def comp" not in repr(spec)
    players = [again.make() for _ in range(4)]
    assert len(set(map(id, players))) == 4
    assert all(type(player) is FilePlayer for player in players)
    assert play_match(GO, players, 3).record.forfeits == ()


def test_trusted_player_has_its_full_path_for_the_debugger(honest):
    player = find_player(GO, honest, trusted=True).make()
    assert type(player) is TrustedFilePlayer
    assert player.file == honest


@pytest.mark.parametrize("name", ["random", "first"])
def test_built_in_players_are_found_by_name(name):
    spec = pickle.loads(pickle.dumps(find_player(GO, name)))
    assert not spec.is_file
    assert spec.make().name == name


def refusal(words):
    with pytest.raises(NotationError) as caught:
        find_player(GO, str(words))
    sentence = str(caught.value)
    assert "\n" not in sentence
    return sentence


def test_invalid_player_is_rejected_with_the_reason(tmp_path):
    (tmp_path / "large.py").write_bytes(b"#" * (MAX_FILE_BYTES + 1))
    (tmp_path / "folder.py").mkdir()
    (tmp_path / "notes.txt").write_text("hello")
    (tmp_path / "loop.py").symlink_to(tmp_path / "loop.py")
    os.mkfifo(tmp_path / "pipe.py")
    assert "did you mean 'random'?" in refusal("randon")
    assert "known players: random, first" in refusal("xyzzy")
    assert "no such file" in refusal("no_such.py")
    assert "no such file" in refusal(tmp_path / "no" / "such.py")
    assert "larger than 1 MiB" in refusal(tmp_path / "large.py")
    assert "regular file" in refusal(tmp_path / "pipe.py")
    assert "no file in it defines comp10001go_play or comp10001go_group" in refusal(tmp_path / "folder.py")
    assert "should end in .py" in refusal(tmp_path / "notes.txt")
    assert "cannot be read" in refusal(tmp_path / "loop.py")
    (tmp_path / "a\nb.py").write_text("")
    assert "an unprintable character" in refusal(tmp_path / "a\nb.py")
    assert "isn't a path" in refusal("a\0b/c.py")


@pytest.mark.parametrize("game", tiered(all_games()))
def test_every_game_offers_to_use_a_player_file(game):
    with pytest.raises(NotationError) as refused:
        find_player(game, "nobody-of-this-name")
    assert "or give a .py file" in str(refused.value)


@pytest.mark.parametrize("game", tiered(all_games()))
def test_best_is_the_strongest_player_of_every_game(game):
    """The name best works for every game; results use the player's own name."""
    strongest = characters(game)[-1].name
    spec = find_player(game, "best")
    assert spec.name == computer_seat(game, "best").player == strongest
    assert spec.make().name == strongest
    assert spec.name_or_path == "best"
    assert computer_seat(game).player == strongest
    with pytest.raises(NotationError, match=r"best|built-in"):
        checked_name(game, "Best")


def test_file_called_best_is_read_as_a_file(tmp_path):
    path = tmp_path / "best.py"
    path.write_text(HONEST)
    assert find_player(GO, str(path)).is_file
