"""Training with PyTorch as in the tutorial: `make test-learn`."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from random import Random

import numpy as np
import pytest

import kibitz
from kibitz.search import veterans
from kibitz.search.networks import ONE
from kibitz.search.veterans import veteran

pytestmark = pytest.mark.learn

HOME = Path(__file__).parents[2]
PROGRAM = HOME / "examples" / "learning" / "train.py"
ROUNDS = 2000


def start_training(folder, *words, rounds=ROUNDS):
    """The process of a new training."""
    command = [sys.executable, PROGRAM, folder, "--rounds", str(rounds), *words]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def train(folder, *words, rounds=ROUNDS):
    """Run a training to its end, and return its output."""
    process = start_training(folder, *words, rounds=rounds)
    told, errors = process.communicate()
    assert process.returncode == 0, errors
    return told


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """The folder of a short training, and its output."""
    folder = tmp_path_factory.mktemp("whole")
    return folder, train(folder)


def test_a_short_training_writes_a_working_player(whole):
    folder, told = whole
    assert told.count("among three quick") == 20
    assert told.endswith("president.npz is the player.\n")
    mine = veteran(folder / "president.npz")
    games = kibitz.play_games("president", [mine, "greedy", "random", "veteran"], n=4, workers=1)
    assert games.players == ("president", "greedy", "random", "veteran")
    table = (folder / "curve.csv").read_text(encoding="utf-8").splitlines()
    assert table[0] == "player,rounds,share,margin,remark"
    assert len(table) == 21
    assert (folder / "curve.svg").read_text(encoding="utf-8").startswith("<svg")


def test_training_improves_the_player(whole):
    """It wins more at the end than at the first point of the curve."""
    table = (whole[0] / "curve.csv").read_text(encoding="utf-8").splitlines()[1:]
    shares = [float(line.split(",")[2]) for line in table]
    assert max(shares[-3:]) > shares[0] + 0.05


def test_a_killed_training_resumes_to_the_same_result(whole, tmp_path):
    process = start_training(tmp_path)
    while not (tmp_path / "curve.csv").exists() or len((tmp_path / "curve.csv").read_text().splitlines()) < 5:
        assert process.poll() is None
        time.sleep(0.05)
    process.kill()
    process.communicate()
    told = train(tmp_path)
    assert told.startswith("Going on after ")
    for name in ("president.npz", "curve.csv"):
        assert (tmp_path / name).read_bytes() == (whole[0] / name).read_bytes()
    assert {path.name for path in tmp_path.iterdir() if not path.name.startswith(".")} == {
        "president.npz",
        "curve.csv",
        "curve.svg",
        "training.pt",
    }


def test_an_interrupted_training_says_how_to_resume(tmp_path):
    process = start_training(tmp_path, rounds=10**6)
    time.sleep(15)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate()
    assert errors.strip() == "Stopped. The same command goes on from the last point of the curve."


def test_an_incompatible_training_is_not_resumed(whole, tmp_path):
    folder, _ = whole
    process = start_training(folder, "--seed", "2")
    _, errors = process.communicate()
    assert process.returncode == 1
    assert "seed 1, lanes 1024; asked for is game" in errors
    (tmp_path / "training.pt").write_bytes(b"nothing")
    process = start_training(tmp_path)
    _, errors = process.communicate()
    assert errors.strip() == f"{tmp_path / 'training.pt'} is no training that can be gone on with: take another folder."


def test_numpy_agrees_with_pytorch_up_to_rounding(monkeypatch):
    """A PyTorch network and its exported form, which rounds weights and layers to multiples of 1 / ONE."""
    monkeypatch.syspath_prepend(str(PROGRAM.parent))
    monkeypatch.setitem(os.environ, "OMP_NUM_THREADS", "1")
    import torch
    from nets import Net, floats

    torch.manual_seed(3)
    inputs = veterans.inputs()
    net = Net(inputs.view_cells, inputs.taken, (128, 64))
    shipped = net.shipped(inputs.about)
    game, random = kibitz.game("president"), Random(1)
    state, most = game.deal(1), 0.0
    for _ in range(120):
        legal = game.legal(state)
        rows = inputs.of_view(game.view(state, state.player), legal)
        with torch.inference_mode():
            told = net(floats(rows[:, : inputs.view_cells]), floats(rows[:, inputs.view_cells :])).numpy()
        most = max(most, float(np.abs(told - shipped.values(rows) / ONE).max()))
        game.advance(state, random.choice(legal))
    assert 0 < most < 8 / ONE
