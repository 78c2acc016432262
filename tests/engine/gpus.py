"""GPUs for tests: Numba's simulator, and one that compiles kernels instead of running them.

As a program it plays in Numba's simulator of a GPU, which needs NUMBA_ENABLE_CUDASIM=1 in the environment:
``python -m tests.engine.gpus GAMES GAME...`` prints as JSON, by game, the differences to the games in plain Python,
and by public function the differences to its results on the CPU.
"""

import json
import os
import re
import subprocess
import sys
from functools import cache
from random import Random
from types import SimpleNamespace

import numpy as np
import pytest

import kibitz
from kibitz.arena.chunks import contest_results, run_on_gpu
from kibitz.engine.game import seed_words
from kibitz.engine.kernels import batch, compilation, gpu, loops
from kibitz.engine.kernels.policies import hook_modules, policies, scratch_size, seeded_rng
from kibitz.games.cribbage import scoring
from kibitz.games.cribbage.hands import bulk as cribbage_bulk
from kibitz.games.poker.hands import bulk, ranking, wild

SEED = 11


@cache
def simulated(module, count, *names):
    """The output of ``python -m MODULE COUNT NAME...`` in the simulator of a GPU."""
    ran = subprocess.run(
        [sys.executable, "-W", "error", "-m", module, str(count), *names],
        env={**os.environ, "NUMBA_ENABLE_CUDASIM": "1"},
        capture_output=True,
        text=True,
    )
    assert ran.returncode == 0, ran.stderr[-2000:]
    return json.loads(ran.stdout)


class DeviceArray(np.ndarray):
    """An array with the interface of one in GPU memory."""

    def copy_to_host(self, array=None):
        return np.array(self)


class CompilingGpu(gpu.Gpu):
    """A GPU that compiles kernels to PTX for the types of their arguments instead of running them."""

    def __init__(self, cuda, capability=(7, 5)):
        super().__init__(cuda)
        self.capability, self.ptx = capability, {}

    free = 2.0**33

    def put(self, array):
        return np.array(array).view(DeviceArray)

    def empty(self, *shape, dtype="int64", order="C"):
        return np.zeros(shape, dtype, order).view(DeviceArray)

    def run(self, kernel, lanes, *arguments):
        from numba.cuda.typing.typeof import typeof

        given = [np.asarray(each) if isinstance(each, DeviceArray) else np.int64(each) for each in arguments]
        types = [typeof(each) for each in given]
        compiled, _ = self.cuda.compile(kernel.py_func, tuple(types), device=False, abi="numba", cc=self.capability)
        self.ptx[kernel.py_func.__name__] = compiled


def compiler(monkeypatch):
    """A GPU that compiles; skips the test with the reason if NVIDIA's compiler is not installed."""
    pytest.importorskip("numba_cuda", reason="numba-cuda is not installed, so nothing is compiled for a GPU here")
    pathfinder = pytest.importorskip("cuda.pathfinder")
    for library in ("nvvm", "nvrtc"):
        try:
            pathfinder.load_nvidia_dynamic_lib(library)
        except pathfinder.DynamicLibNotFoundError:
            pytest.skip(f"lib{library} is not installed, so nothing is compiled for a GPU here")
    from numba.cuda import dispatcher

    device = CompilingGpu(gpu.numba_cuda_module())
    monkeypatch.setattr(dispatcher, "get_current_device", lambda: of_capability(device.capability))
    return device


def check_ptx(device, *kernels):
    """Check that these kernels were compiled as entry points, each with one copy of its tables in global memory."""
    assert set(device.ptx) == set(kernels)
    for name, code in device.ptx.items():
        assert ".target sm_75" in code
        assert re.search(rf"^\.visible \.entry \w*{name}", code, re.MULTILINE)
        assert not re.search(r"^\.const", code, re.MULTILINE)
        tables = re.findall(r"^\.global .*?(\[\d+\] = .*)$", code, re.MULTILINE)
        assert len(set(tables)) == len(tables), "a table is duplicated"


def random_differences(game, n, lanes):
    """The differences of ``n`` random games on some lanes to plain Python."""
    device = gpu.Gpu(gpu.numba_cuda_module())
    found = batch.on_gpu(device, game, n, SEED, lanes)
    kernels = compilation.plain(loops, game.rules)
    for i in range(n):
        state = game.deal(SEED + (i << 64))
        steps = kernels.playout(state, [0] * game.max_legal, game.max_length)
        if (steps, game.returns(state)) != (found.steps[i], tuple(found.scores[i].tolist())):
            yield f"random game {i}: {steps} actions, {game.returns(state)}; {found.steps[i]}, {found.scores[i]}"
    sums = batch.on_gpu(device, game, n, SEED, lanes, keep="sums")
    if (sums.steps, sums.scores.tolist()) != (found.steps.sum(), found.scores.sum(axis=0).tolist()):
        yield f"the sums of random games: {sums}"


def contest_differences(game, n):
    """The differences of ``n`` games between the game's policies to plain Python."""
    known, seats, device = len(policies(game)), game.seats, gpu.Gpu(gpu.numba_cuda_module())
    if not known:
        return
    words = np.array([word for i in range(n) for word in seed_words(SEED + i)], np.int64)
    seated, keys = np.arange(n * seats) % known, np.arange(2 * n * seats)
    arrays = batch.records(game, n), seated, words, keys, np.zeros(n * seats, np.int64), np.zeros(n, np.int64)
    run_on_gpu(device, game, *arrays)
    states, scores, steps = [game.blank() for _ in range(n)], [0] * (n * seats), [0] * n
    rng, scratch = [seeded_rng(game, 0) for _ in range(seats)], [0] * max(scratch_size(game), seats)
    plain = compilation.plain(loops, *hook_modules(game)).policy_playouts
    given = [array.tolist() for array in (words, keys)]
    plain(states, seated.tolist(), rng, scratch, *given, scores, steps, 0, n, seats, game.max_length)
    if (scores, steps) != (arrays[4].tolist(), arrays[5].tolist()):
        yield f"games between policies: {scores}, {steps}; {arrays[4]}, {arrays[5]}"
    for i, state in enumerate(states):
        yield from differences(f"game {i} between policies", state, game.rules.LAYOUT.load(arrays[0], i))
    if not contest_results(game, arrays[0], arrays[4].reshape(n, seats), arrays[5]):
        yield "no results"


def differences(where, one, other):
    """The fields in which two positions differ."""
    for name, here, there in zip(one.layout.position_fields, one.position(), other.position(), strict=True):
        if here != there:
            yield f"{where}: {name} is {here} in plain Python, and {there}"


def public_differences():
    """Functions with ``on``, and the differences of their results to those without."""
    here = kibitz.play_games("go-mini", ["quick"], n=6, seed=2, workers=1)
    there = kibitz.play_games("go-mini", ["quick"], n=6, seed=2, on="cuda")
    fields = "scores", "winners", "lengths", "lineups"
    yield "play_games", [name for name in fields if (getattr(here, name) != getattr(there, name)).any()]
    batch = kibitz.random_games(kibitz.game("kuhn"), 0, on="cuda")
    yield "random_games", [] if batch.scores.shape == (0, 2) else [f"no games have the shape {batch.scores.shape}"]
    for keep in ("scores", "device"):
        found = kibitz.random_games(kibitz.game("kuhn"), 9, 1, on="cuda", keep=keep)
        both = kibitz.random_games(kibitz.game("kuhn"), 9, 1), found
        yield f"random_games with keep={keep}", differing(*(host(each.scores).ravel() for each in both))
    drawn = [sum(1 << card for card in Random(k).sample(range(52), 5 + k % 3)) for k in range(400)]
    worths = [ranking.strength(cards) for cards in drawn]
    yield "evaluate_many", differing(worths, bulk.evaluate_many(drawn, on="cuda"))
    stayed = bulk.evaluate_many(put(drawn).reshape(20, 20))
    yield "evaluate_many of hands on the GPU", differing(worths, host(stayed.reshape(400)))
    fives, black = [cards for cards in drawn if cards.bit_count() == 5][:60], [0, 1, 2] * 20
    jokers = [wild.wild_strength(cards, some, 0) for cards, some in zip(fives, black, strict=True)]
    yield "evaluate_many with jokers", differing(jokers, bulk.evaluate_many(fives, black, on="cuda"))
    for counts in (black, put(black)):
        stayed = bulk.evaluate_many(put(fives), counts)
        yield f"evaluate_many with {type(counts).__name__} of jokers on the GPU", differing(jokers, host(stayed))
    yield (
        "evaluate_many of what is no hand",
        refused(lambda: bulk.evaluate_many([*drawn, 1, 2], on="cuda"), "hands[400]")
        + refused(lambda: bulk.evaluate_many(put([*drawn, 1, 2])), "hands[400]")
        + refused(lambda: bulk.evaluate_many(put(drawn), put([1])), "jokers have the shape (1,), not (400,)")
        + refused(lambda: bulk.evaluate_many(put(drawn)[::2]), "must be C-contiguous")
        + refused(lambda: bulk.evaluate_many(put([0.5])), "must be whole numbers, not float64"),
    )
    rows = [Random(k).sample(range(52), 5) for k in range(300)]
    for crib in (False, True):
        counted = [scoring.show_points(sum(1 << card for card in hand), last, crib) for *hand, last in rows]
        found = cribbage_bulk.show_points([hand[:4] for hand in rows], [hand[4] for hand in rows], crib=crib, on="cuda")
        yield f"show_points with crib={crib}", differing(counted, found)
        stayed = cribbage_bulk.show_points(put([hand[:4] for hand in rows]), [hand[4] for hand in rows], crib=crib)
        yield f"show_points on the GPU with crib={crib}", differing(counted, host(stayed))
    twice, wrong = put([[1, 2, 3, 4]] * 3), put([[1, 2, 3, -1], [1, 2, 3, 77]])
    yield (
        "show_points of what is no hand",
        refused(lambda: cribbage_bulk.show_points(twice, [5, 4, 3]), "row 1 has a card twice")
        + refused(lambda: cribbage_bulk.show_points([[1, 2, 3, 4]], [4], on="cuda"), "row 0 has a card twice")
        + refused(lambda: cribbage_bulk.show_points(wrong, [5, 5]), "cards must be whole numbers from 0")
        + refused(lambda: cribbage_bulk.show_points(twice, [5, 5]), "must have the shape"),
    )
    yield (
        "show_points of no hands",
        differing([], cribbage_bulk.show_points(np.zeros((0, 4), int), np.zeros(0, int), on="cuda")),
    )


def put(numbers):
    """Numbers in the memory of the GPU."""
    return gpu.numba_cuda_module().to_device(np.array(numbers))


def host(array):
    """A copy of an array from the memory of the GPU, or the array itself if it is on the CPU."""
    return array.copy_to_host() if hasattr(array, "copy_to_host") else array


def differing(right, found):
    """The numbers that differ from the expected ones."""
    assert len(right) == len(found)
    return [f"{i}: {a}, not {b}" for i, (a, b) in enumerate(zip(found.tolist(), right, strict=True)) if a != b]


def refused(act, words):
    """An empty list if the call is refused with these words, else the problem."""
    try:
        act()
    except kibitz.KibitzError as error:
        return [] if words in str(error) else [str(error)]
    return ["not refused"]


def main(games, names):
    """Play some games of each kind, and print the differences."""
    found = {}
    for name in names:
        game = kibitz.game(name)
        found[game.name] = [*random_differences(game, games, games), *contest_differences(game, games)]
        found[game.name] += random_differences(game, 2 * games + 1, 2)
    print(json.dumps(found | dict(public_differences())))


def of_capability(capability):
    """A stand-in for numba-cuda's current device."""
    return SimpleNamespace(compute_capability=capability)


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2:])
