"""A trained network can be named by its path wherever a player can, and invalid files are refused."""

import io
import json
import sqlite3
import zipfile

import numpy as np
import pytest

import kibitz
from kibitz.arena.ladder import ladder
from kibitz.arena.running.blocks import PlayerFile
from kibitz.cli import main
from kibitz.errors import NotationError
from kibitz.players.files.entries import is_player_path
from kibitz.players.limits import STANDARD
from kibitz.players.specs import find_player
from kibitz.search.veterans import PRESIDENT_NETWORK

GAME = "president:rounds=1"
OTHERS = ("greedy", "lowest", "random")


@pytest.fixture
def network_path(tmp_path):
    """The path of a network with a name that no built-in player has."""
    path = tmp_path / "mine.npz"
    path.write_bytes(PRESIDENT_NETWORK.read_bytes())
    return str(path)


def test_a_network_player_plays_alike_after_pickling(network_path):
    import pickle

    game = kibitz.game(GAME)
    spec = find_player(game, network_path)
    assert (spec.name, spec.is_file, spec.built_in) == ("mine", False, "")
    sent, ours = pickle.loads(pickle.dumps(spec)).make(), find_player(game, "veteran").make()
    state = game.deal(3)
    while not state.over:
        view, legal = game.view(state, state.player), game.legal(state)
        assert sent.act(view, legal) == ours.act(view, legal)
        game.play(state, ours.act(view, legal))


def test_a_network_named_like_a_kernel_is_not_replaced_by_it(tmp_path):
    """Otherwise the kernel of that name would play its games."""
    path = tmp_path / "lowest.npz"
    path.write_bytes(PRESIDENT_NETWORK.read_bytes())
    games = kibitz.play_games(GAME, [str(path), *["greedy"] * 3], n=8, seed=2, workers=1)
    as_veteran = kibitz.play_games(GAME, ["veteran", *["greedy"] * 3], n=8, seed=2, workers=1)
    assert (games.scores == as_veteran.scores).all()
    as_kernel = kibitz.play_games(GAME, ["lowest", *["greedy"] * 3], n=8, seed=2, workers=1)
    assert (games.scores != as_kernel.scores).any()


@pytest.mark.parametrize(
    "words",
    [
        ["match", GAME, "MINE", *OTHERS, "--seed", "1"],
        pytest.param(["tournament", GAME, "MINE", *OTHERS, "--deals", "2", "--seed", "1"], marks=pytest.mark.long),
        ["simulate", GAME, "MINE", *OTHERS, "--games", "4", "-o", "OUT.csv", "--seed", "1", "--workers", "1"],
        pytest.param(["ladder", GAME, "MINE", "--deals", "2", "--seed", "1", "--json"], marks=pytest.mark.long),
    ],
    ids=lambda words: words[0],
)
def test_commands_accept_a_network_path(words, network_path, tmp_path, capfd):
    given = [word.replace("MINE", network_path).replace("OUT", str(tmp_path / "out")) for word in words]
    assert not main(given)
    told = capfd.readouterr().out
    if words[0] == "ladder":
        rung = next(rung for rung in json.loads(told)["rungs"] if rung["name"] == "mine")
        assert rung["line"] == network_path
    elif words[0] == "simulate":
        assert "mine" in (tmp_path / "out.csv").read_text()
    else:
        assert "mine" in told


@pytest.mark.long
def test_a_tournament_stores_the_network_and_resumes_with_it(network_path, tmp_path):
    store = str(tmp_path / "kept.sqlite")
    given = ["tournament", GAME, network_path, *OTHERS, "--deals", "2", "--seed", "1", "--store", store]
    assert not main(given)
    assert not main(given), "the same command resumes it"
    with sqlite3.connect(store) as opened:
        kept = dict(opened.execute("select file, content from submissions").fetchall())
    assert kept["mine.npz"] == PRESIDENT_NETWORK.read_bytes()
    submitted = PlayerFile(1, "mine", "mine.npz", kept["mine.npz"])
    assert not submitted.is_code, "a worker without a sandbox may play it"
    assert submitted.spec(kibitz.game(GAME), STANDARD).network == PRESIDENT_NETWORK.read_bytes()


def saved(**arrays):
    """The bytes of a file of arrays."""
    file = io.BytesIO()
    np.savez(file, **arrays)
    return file.getvalue()


def endless():
    """A file with an array whose header declares more numbers than fit in memory."""
    content = saved(about=np.array("mine"), weights0=np.zeros((1, 1), np.int16), biases0=np.zeros(1, np.int16))
    return content.replace(b"'shape': (1, 1), }" + b" " * 12, b"'shape': (1, 1" + b"0" * 12 + b"), }")


def bomb():
    """A small file that declares a small size and unpacks to much more."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_BZIP2) as archive:
        archive.writestr("about.npy", bytes(18 << 20))
    return file.getvalue().replace((18 << 20).to_bytes(4, "little"), (99).to_bytes(4, "little"))


BAD = {
    "code": (saved(about=np.array([print], dtype=object)), "is not a network: it cannot be read"),
    "endless": (endless(), "is not a network: it cannot be read"),
    "bomb": (b"", "it isn't compressed as NumPy does it"),
    "large": (bytes((1 << 24) + 1), "16,777,216 bytes are the most"),
}


@pytest.mark.parametrize("what", BAD)
def test_an_invalid_network_is_refused_in_one_sentence(what, tmp_path, capfd):
    path = tmp_path / "bad.npz"
    content, sentence = BAD[what]
    content = bomb() if what == "bomb" else content
    path.write_bytes(content)
    assert main(["match", GAME, str(path), *OTHERS]) == 2
    told = capfd.readouterr().err
    assert sentence in told
    assert told.count("\n") == 1, "one line, and no traceback"
    with pytest.raises(NotationError, match="players"):
        kibitz.play_games(GAME, [str(path), "greedy"], n=1)


def test_missing_files_and_folders_are_refused(tmp_path):
    (tmp_path / "folder.npz").mkdir()
    for name, sentence in (("nobody.npz", "no such file"), ("folder.npz", "it is not a file")):
        with pytest.raises(NotationError, match=sentence):
            find_player(kibitz.game(GAME), str(tmp_path / name))
    with pytest.raises(NotationError, match="cannot be read"):
        find_player(kibitz.game(GAME), "a\0b.npz")


def test_a_network_is_refused_for_other_games(network_path):
    with pytest.raises(NotationError, match=r"doesn't play go: .*four-player President"):
        find_player(kibitz.game("go"), network_path)


def test_a_network_path_is_recognised_as_a_player_path():
    """Servers refuse player paths, as strangers must not name files of the server."""
    assert is_player_path("mine.npz")


def test_functions_and_files_can_enter_a_ladder(network_path):
    def first(view, legal):
        return legal[0]

    rungs = ladder(kibitz.game(GAME), 2, 1, 1, players=["random", "lowest"], extra_players=[network_path, first]).rungs
    assert {rung.name: rung.line for rung in rungs if rung.name in ("mine", "first")} == {
        "mine": network_path,
        "first": "",
    }
