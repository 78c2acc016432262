"""The vector environment on a GPU: results in Numba's simulator match the CPU, and every kernel compiles to PTX."""

import numpy as np
import pytest

from kibitz.environments import vector
from kibitz.environments.gpu_env import GpuVectorEnv
from kibitz.errors import MachineError, NotationError
from tests.engine.gpus import CompilingGpu, check_ptx, compiler, simulated

pytestmark = pytest.mark.xdist_group("gpu")
MODULE = "tests.environments.gpu_steps"
GAMES = ("leduc", "eights-mini", "holdem:hands=1,players=2", "go-mini", "president-mini")


def test_simulated_gpu_steps_match_the_cpu():
    said = simulated(MODULE, 5, "kuhn")
    assert (said["refused"], said["kuhn"]) == ([], [])
    assert said["sentences"] == [
        "choices must be 3 whole numbers, one for every game, not an array of int64 of shape (2,).",
        "choices must be 3 whole numbers, one for every game, not an array of float64 of shape (3,).",
        "choices must have the shape (3,), not (2,).",
        "choices must be whole numbers, not float64.",
        "on='cuda' takes no options: as soon as a game ends, the next one is dealt.",
    ]


@pytest.mark.long
@pytest.mark.parametrize("name", GAMES)
def test_simulated_gpu_steps_of_other_games_match_the_cpu(name):
    assert simulated(MODULE, 100, name)[name] == []


@pytest.mark.long
@pytest.mark.parametrize("name", ["kuhn", "leduc", "eights", "holdem"])
def test_vector_kernels_compile_to_ptx(name, monkeypatch):
    env = GpuVectorEnv(compiler(monkeypatch), name, 2, None, 1, rotate=False)
    env.masks[:, 0] = 1
    env.step([0, 0])
    env.random_choices(np.random.default_rng(1))
    check_ptx(env.device, "check_choices", "act", "begin", "show_choices", "show_cells", "draw_choices")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"autoreset": "NextStep"}, r"^on='cuda' needs autoreset='SameStep', not 'NextStep'\.$"),
        ({"masks": False}, r"^on='cuda' always gives masks: leave masks=False out\.$"),
        ({"n": 0}, r"^n must be from 1 to 1,048,576 games, not 0\.$"),
    ],
)
def test_unsupported_arguments_on_a_gpu_are_refused(arguments, sentence, monkeypatch):
    monkeypatch.setattr("kibitz.environments.vector_env.gpu_of", lambda on: CompilingGpu(None))
    with pytest.raises(NotationError, match=sentence):
        vector("kuhn", arguments.pop("n", 2), on="cuda", **arguments)


def test_too_many_games_for_the_gpu_memory_are_refused():
    device = CompilingGpu(None)
    device.free = 2.0**20
    with pytest.raises(MachineError, match=r"^100,000 lanes with their results take .*: ask for \d+ at most\.$"):
        GpuVectorEnv(device, "kuhn", 100_000, None, 1, rotate=False)
