"""Batches on a GPU: games in Numba's simulator match plain Python, every game compiles to PTX, and refusals."""

import sys
from types import SimpleNamespace

import numpy as np
import pytest

import kibitz
from kibitz.arena.chunks import run_on_gpu
from kibitz.engine.game import seed_words
from kibitz.engine.kernels import batch, gpu
from kibitz.engine.registry import all_games, packages, variants
from kibitz.errors import KibitzError, MachineError, NotationError
from kibitz.games.cribbage.hands import bulk as cribbage_bulk
from kibitz.games.poker.hands import bulk
from tests.engine.gpus import CompilingGpu, check_ptx, compiler, simulated
from tests.tiers import quick_first

pytestmark = pytest.mark.xdist_group("gpu")
MODULE = "tests.engine.gpus"
GAMES = sorted(game.name for game in all_games())
QUICK = quick_first(game.name for game in all_games() if game.variant == "mini")[:2]


@pytest.mark.parametrize("name", QUICK)
def test_games_on_a_simulated_gpu_match_plain_python(name):
    assert simulated(MODULE, 2, *QUICK)[name] == []


@pytest.mark.long
@pytest.mark.parametrize("name", GAMES)
def test_many_games_on_many_simulated_lanes_match_plain_python(name):
    assert simulated(MODULE, 70, name)[name] == []


def test_public_functions_give_the_same_results_on_a_simulated_gpu():
    found = {function: wrong for function, wrong in simulated(MODULE, 2, *QUICK).items() if function not in GAMES}
    named = {function.partition(" ")[0] for function in found}
    assert named == {"random_games", "play_games", "evaluate_many", "show_points"}
    assert not any(found.values()), found


@pytest.fixture
def compiling(monkeypatch):
    """A GPU that compiles; skips the test with the reason if NVIDIA's compiler is not installed."""
    return compiler(monkeypatch)


def contests_on(device, game):
    """Play two games between policies."""
    seats, words = game.seats, np.array([*seed_words(1), *seed_words(2)])
    zeros = [np.zeros(n, np.int64) for n in (2 * seats, 4 * seats, 2 * seats, 2)]
    run_on_gpu(device, game, batch.records(game, 2), zeros[0], words, *zeros[1:])


@pytest.mark.long
@pytest.mark.parametrize("package", packages())
def test_random_games_compile_to_ptx(package, compiling):
    """All variants of a package share kernels and layout, so one is enough."""
    first, *others = variants(package)
    assert all(other.rules is first.rules and other.rules.LAYOUT is first.rules.LAYOUT for other in others)
    batch.on_gpu(compiling, first, 2, 1, None)
    check_ptx(compiling, "play_random_games")


@pytest.mark.long
@pytest.mark.parametrize("package", packages())
def test_games_between_policies_compile_to_ptx(package, compiling):
    contests_on(compiling, variants(package)[0])
    check_ptx(compiling, "play_policy_games")


def test_hands_of_cribbage_compile_to_ptx(compiling):
    given = np.zeros((3, 4), np.int8), np.zeros(3, np.int8)
    cribbage_bulk.points_by_gpu(compiling, *given, 0)
    check_ptx(compiling, "score_hands")


@pytest.mark.parametrize(
    ("arrays", "kernel"), [(1, "evaluate_hands"), pytest.param(3, "evaluate_wild_hands", marks=[pytest.mark.long])]
)
def test_hands_of_poker_compile_to_ptx(arrays, kernel, compiling):
    bulk.write_strengths_by_gpu(compiling, [np.zeros(3, np.int64)] * arrays, np.zeros(3, np.int16))
    check_ptx(compiling, kernel)


def test_sums_match_the_scores_of_all_games():
    game = kibitz.game("kuhn")
    found, sums = kibitz.random_games(game, 300, 4), kibitz.random_games(game, 300, 4, keep="sums")
    assert (sums.scores.tolist(), sums.steps) == (found.scores.sum(axis=0).tolist(), found.steps.sum())


@pytest.mark.parametrize(
    ("keep", "sentence"),
    [("all", r"^keep must be 'scores', 'sums' or 'device', not 'all'\.$"), ("device", r"it needs on='cuda'\.$")],
)
def test_an_unsupported_keep_is_refused(keep, sentence):
    with pytest.raises(NotationError, match=sentence):
        kibitz.random_games(kibitz.game("kuhn"), 3, keep=keep)


class CudaWithoutGpu(SimpleNamespace):
    """numba.cuda on a machine without a GPU."""

    @staticmethod
    def is_available():
        return False


ACTS = {
    "random_games": lambda on: kibitz.random_games(kibitz.game("kuhn"), 3, on=on),
    "evaluate_many": lambda on: bulk.evaluate_many([0b11111], on=on),
    "show_points": lambda on: cribbage_bulk.show_points([[16, 17, 18, 43]], [19], on=on),
    "play_games": lambda on: kibitz.play_games("kuhn", ["quick"], n=2, on=on),
}


@pytest.mark.parametrize("act", ACTS)
@pytest.mark.parametrize("on", ["gpu", "CUDA", "cuda:0", "", 3])
def test_an_unknown_executor_or_device_is_refused(act, on):
    with pytest.raises(NotationError, match=r"isn't a(n executor| device for batches)"):
        ACTS[act](on)


@pytest.mark.parametrize("act", sorted(ACTS.keys() - {"play_games"}))
def test_batches_run_on_the_local_executor(act):
    np.testing.assert_array_equal(
        getattr(ACTS[act]("local"), "scores", ACTS[act]("local")), getattr(ACTS[act](None), "scores", ACTS[act](None))
    )


@pytest.mark.parametrize("act", ACTS)
def test_a_missing_gpu_is_reported_in_one_sentence(act, monkeypatch):
    monkeypatch.setattr(gpu, "numba_cuda_module", CudaWithoutGpu)
    with pytest.raises(MachineError, match=r"^on='cuda' needs an NVIDIA GPU with its driver, and there is none here"):
        ACTS[act]("cuda")


@pytest.mark.parametrize("act", ACTS)
def test_missing_numba_cuda_is_reported_with_the_install_command(act, monkeypatch):
    monkeypatch.setitem(sys.modules, "numba_cuda", None)
    with pytest.raises(ImportError, match=r"^on='cuda' needs numba-cuda: pip install 'kibitz\[cuda\]'\.$"):
        ACTS[act]("cuda")


@pytest.mark.parametrize(
    ("players", "arguments", "sentence"),
    [
        (["quick", "random"], {}, r"plays only strategies that are kernels; those of kuhn: quick\."),
        ([lambda view, legal: legal[0]], {}, "only strategies that are kernels"),
        (["quick"], {"records": True}, "a GPU keeps no records"),
        (["quick"], {"workers": 2}, "a GPU has no workers: leave out the number 2"),
    ],
)
def test_a_gpu_plays_only_kernels(players, arguments, sentence):
    with pytest.raises(NotationError, match=sentence):
        kibitz.play_games("kuhn", players, n=2, on="cuda", **arguments)


def test_a_player_file_named_like_a_policy_is_refused_on_a_gpu(tmp_path):
    """Otherwise the built-in player of the same name would play instead."""
    file = tmp_path / "quick.py"
    file.write_text("def play(view, legal):\n    return legal[0]\n", encoding="utf-8")
    with pytest.raises(NotationError, match="only strategies that are kernels"):
        kibitz.play_games("kuhn", [str(file)], n=2, on="cuda")


def test_a_gpu_is_refused_for_anything_but_batches(tmp_path):
    with pytest.raises(NotationError, match="'cuda' works for batches only"):
        kibitz.simulate("kuhn", ["quick"], 2, tmp_path / "games.csv", on="cuda")


def test_lane_count_fits_games_and_memory():
    assert gpu.lane_count(10, 100, 0, None, 1e9) == 10
    assert gpu.lane_count(10**6, 100, 0, None, float("inf")) == gpu.LANES
    assert gpu.lane_count(10**6, 100, 1000, None, 3000) == 10
    assert gpu.lane_count(10**6, 100, 1000, 20, 3000) == 20
    assert gpu.lane_count(3, 100, 0, 20, 3000) == 3


def test_too_many_lanes_for_the_memory_are_refused_with_the_limit():
    sentence = r"21 lanes with their results take 3.05 GiB, and the GPU has 3.00 GiB free: ask for 20 at most\."
    with pytest.raises(MachineError, match=sentence):
        gpu.lane_count(10**6, 100 << 20, 1 << 30, 21, 3.0 * 2**30)
    with pytest.raises(MachineError, match=r"one lane take 3.50 GiB, and the GPU has 3.00 GiB free"):
        gpu.lane_count(10**6, 1 << 30, 5 << 29, None, 3.0 * 2**30)


def test_a_batch_too_large_for_the_memory_is_refused():
    device = CompilingGpu(None)
    device.free = 2.0**20
    with pytest.raises(KibitzError, match=r"the GPU has 1.00 MiB free: ask for less at once"):
        batch.on_gpu(device, kibitz.game("kuhn"), 10**6, 1, None)
    with pytest.raises(MachineError, match=r"1,000 lanes with their results take .*: ask for \d+ at most"):
        batch.on_gpu(device, kibitz.game("kuhn"), 1000, 1, 1000)


@pytest.mark.parametrize(
    ("module", "name", "kind", "sentence"),
    [
        (
            "cuda.pathfinder",
            "DynamicLibNotFoundError",
            ImportError,
            r"NVIDIA's compiler.*kibitz\[cuda\]",
        ),
        ("numba.cuda.cudadrv.error", "NvvmSupportError", ImportError, "^on='cuda' needs NVIDIA's compiler"),
        ("numba.cuda.cudadrv.driver", "CudaAPIError", MachineError, "^the GPU failed: out of memory$"),
        ("builtins", "IndexError", IndexError, "out of\nmemory"),
    ],
)
def test_gpu_failures_are_reported_in_one_sentence(module, name, kind, sentence, monkeypatch):
    error = IndexError if module == "builtins" else type(name, (Exception,), {"__module__": module})

    class Failing(dict):
        def __missing__(self, shape):
            raise error("out of\nmemory")

    monkeypatch.setattr(gpu, "launchable", lambda kernel: Failing())
    with pytest.raises(kind, match=sentence):
        gpu.Gpu(None).run(print, 3)
