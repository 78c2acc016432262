"""Copies of kernels with other callees, and machine code that is never stale or another game's."""

import os
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path

import numpy as np
import pytest

import kibitz
from kibitz.cards import chance, sets
from kibitz.engine.kernels import compilation, loops
from kibitz.engine.kernels.batch import records
from kibitz.engine.registry import all_games, game
from kibitz.games.bo import policies as bo_choosing
from kibitz.games.bo import rules as bo
from kibitz.games.go import policies as go_choosing
from kibitz.games.go import rules as go
from kibitz.kernel import kernel_kind
from kibitz.search import ismcts
from kibitz.search.tree_search import hook_modules


def test_a_plain_copy_gives_the_same_values():
    copy = compilation.plain(sets)
    assert [copy.nth(0b1011000, n) for n in range(3)] == [3, 4, 6]
    assert copy.nth is not sets.nth


def test_an_override_reaches_callees_in_other_modules():
    copy = compilation.plain(go, randbelow=lambda s, n: 0)
    state = game("go-mini").blank()
    copy.deal(state, 1, 2, 3, 4)
    assert state.draws == 0


def test_hooks_are_implemented_by_the_kernels_of_the_game():
    assert compilation.plain(loops, bo).apply.__module__ == bo.__name__
    with pytest.raises(NotImplementedError):
        loops.playout(game("bo").deal(1), [0] * bo.ACTIONS, 1000)


def test_all_kernel_modules_of_a_game_are_found():
    names = {module.__name__ for module in compilation.kernel_modules(loops, bo)}
    assert names == {
        "kibitz.cards.chance",
        "kibitz.engine.kernels.loops",
        "kibitz.engine.kernels.hooks",
        "kibitz.games.bo.hands",
        "kibitz.games.bo.piles",
        "kibitz.games.bo.rules",
    }


def test_each_instantiation_of_a_kernel_has_its_own_cache_directory():
    homes = {compilation.cache_directory(loops, *rules) for rules in ((go,), (bo,), ())}
    assert len(homes) == 3


def test_games_sharing_a_generic_kernel_run_their_own_code():
    """Numba's own cache index would confuse them: same file, line and bytecode."""
    steps = {}
    for name in ("go-auto", "bo"):
        played = game(name)
        out = np.zeros(played.max_legal, np.int64)
        states = records(played, 1)
        step_counts = np.zeros(1, np.int64)
        scores = np.zeros(4, np.int64)
        room = states, out, np.zeros(4, np.int64), scores, step_counts
        compilation.compiled(loops, played.rules).playouts(*room, 1, 0, 0, 1, 4, played.max_length)
        steps[name] = step_counts[0]
        plain = played.deal(1)
        assert compilation.plain(loops, played.rules).playout(plain, out.tolist(), played.max_length) == step_counts[0]
    assert steps["go-auto"] == 40
    assert steps["bo"] != 40


def test_an_edit_in_any_kernel_module_changes_the_cache_directory(tmp_path, monkeypatch):
    before = compilation.cache_directory(loops, bo)
    edited = tmp_path / "chance.py"
    with open(chance.__file__, encoding="utf-8") as source:
        edited.write_text(source.read() + "\n# edited\n", encoding="utf-8")
    monkeypatch.setattr(chance, "__file__", str(edited))
    assert compilation.cache_directory(loops, bo) != before


@pytest.mark.long
def test_machine_code_of_copied_sources_is_not_ready(tmp_path, monkeypatch):
    """Numba would compile it again, so hints would have to wait for it."""
    monkeypatch.setenv("KIBITZ_CACHE", str(tmp_path / "cache"))
    shutil.copytree(Path(kibitz.__file__).parent, tmp_path / "kibitz", ignore=shutil.ignore_patterns("static"))
    program = "from kibitz.cards import sets; from kibitz.engine.kernels import compilation;"
    program += "compilation.compiled(sets).size(6); print(compilation.is_compiled('size', sets), compilation.__file__)"
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    ran = subprocess.run([sys.executable, "-c", program], env=environment, check=True, capture_output=True, text=True)
    assert ran.stdout == f"True {tmp_path / 'kibitz/engine/kernels/compilation.py'}\n"
    monkeypatch.setattr(compilation, "_built", {})
    assert not compilation.is_compiled("size", sets)


@pytest.mark.long
def test_stale_machine_code_is_not_reused(tmp_path):
    """A source edited after its import must not be compiled into the cache of the new source."""
    program = textwrap.dedent(
        """
        import sys
        import plus
        from kibitz.engine.kernels import compilation
        if len(sys.argv) > 1:
            open(plus.__file__, "w").write(sys.argv[1])
        print(compilation.compiled(plus).plus(1), flush=True)
        """
    )
    one, two = (f"from kibitz.kernel import kernel\n\n\n@kernel\ndef plus(n):\n    return n + {i}\n" for i in (1, 2))
    (tmp_path / "plus.py").write_text(one)
    environment = {"KIBITZ_CACHE": str(tmp_path / "cache"), "PYTHONPATH": str(tmp_path), "PYTHONDONTWRITEBYTECODE": "1"}

    def printed(*words):
        command = [sys.executable, "-c", program, *words]
        return subprocess.run(command, env=environment, capture_output=True, check=True, text=True).stdout

    assert [printed(two), printed(), printed(one), printed()] == ["2\n", "3\n", "3\n", "2\n"]


def test_replaced_code_changes_the_cache_directory(monkeypatch):
    """The contract replaces the code of kernels while it checks numbers, so this covers each kernel of two games."""
    reached = compilation.kernel_modules(ismcts, go, go_choosing, bo)
    before, tried = compilation.cache_directory(*reached), 0
    assert compilation.cache_directory(*reached) == before
    for module in reached:
        for value in vars(module).copy().values():
            if kernel_kind(value) and value.__module__ == module.__name__ and not value.__code__.co_freevars:
                with monkeypatch.context() as other:
                    other.setattr(value, "__code__", value.__code__.replace(co_consts=(*value.__code__.co_consts, 7)))
                    assert compilation.cache_directory(*reached) != before, value
                tried += 1
    assert compilation.cache_directory(*reached) == before
    assert tried > 100


def test_a_changed_constant_changes_the_cache_directory(monkeypatch):
    """Each constant of each kernel that a search of Go or Bo uses: numbers, tables and reasons."""
    tried = set()
    for implementations in ((go, go_choosing), (bo, bo_choosing)):
        reached = compilation.kernel_modules(ismcts, *implementations)
        before = compilation.cache_directory(*reached)
        for module in reached:
            for name, value in vars(module).copy().items():
                if isinstance(value, int | tuple | bytes) and name in dict(compilation.constants(module)):
                    with monkeypatch.context() as other:
                        other.setattr(module, name, value * 2 + value[:1] if hasattr(value, "__len__") else value + 1)
                        assert compilation.cache_directory(*reached) != before, f"{module.__name__}.{name}"
                    tried.add(f"{module.__name__}.{name}")
        assert compilation.cache_directory(*reached) == before
    assert "kibitz.games.go.policies.WORTHS" in tried, "it is made by drafts.py, which has no kernels"


def test_constants_are_identified_by_value_not_by_address():
    """Otherwise no other process would find the cache of this one."""
    for each in all_games():
        for module in compilation.kernel_modules(ismcts, *hook_modules(each)):
            assert " at 0x" not in repr(compilation.constants(module)), module.__name__
    cells = np.arange(4000)
    assert repr(compilation.constant_key(cells)) != repr(compilation.constant_key(np.where(cells == 2000, 1, cells)))


def test_modules_are_compiled_once():
    assert compilation.compiled(sets) is compilation.compiled(sets)


def test_machine_code_is_cached_for_the_next_process(tmp_path):
    program = textwrap.dedent(
        """
        import json, sys
        from kibitz.engine.kernels import compilation
        from kibitz.cards import sets
        copy = compilation.compiled(sets)
        copy.size(7)
        stats = copy.size.stats
        print(json.dumps([sum(stats.cache_hits.values()), sum(stats.cache_misses.values())]))
        """
    )
    command, environment = [sys.executable, "-c", program], {"KIBITZ_CACHE": str(tmp_path)}
    for found in ("[0, 1]", "[1, 0]"):
        ran = subprocess.run(command, env=environment, capture_output=True, check=True, text=True)
        assert ran.stdout.strip() == found


@pytest.mark.long
def test_machine_code_is_ready_once_the_kernel_is_cached(tmp_path, monkeypatch):
    program = (
        "from kibitz.cards import sets; from kibitz.engine.kernels import compilation; compilation.compiled(sets)."
    )
    environment = {"KIBITZ_CACHE": str(tmp_path)}
    monkeypatch.setattr(compilation, "_built", {})
    monkeypatch.setenv("KIBITZ_CACHE", str(tmp_path))
    for called, ready in (("size(6)", [True, False]), ("nth(6, 1)", [True, True])):
        subprocess.run([sys.executable, "-c", program + called], env=environment, check=True)
        assert [compilation.is_compiled(kernel, sets) for kernel in ("size", "nth")] == ready
    monkeypatch.setenv("KIBITZ_CACHE", str(tmp_path / "another"))
    copy = compilation.compiled(sets)
    assert not compilation.is_compiled("size", sets)
    copy.size(6)
    assert compilation.is_compiled("size", sets)


def test_plain_games_load_neither_numba_nor_numpy():
    program = textwrap.dedent(
        """
        import sys, random
        import kibitz
        kibitz.random_games
        for name in ("go", "bo"):
            played = kibitz.game(name)
            state = played.deal(1)
            while not state.over:
                played.play(state, random.choice(played.legal(state)))
            played.imagine(played.view(played.deal(2), 0), 3)
        assert not {"numba", "numpy", "llvmlite", "rich", "cyclopts"} & set(sys.modules), sorted(sys.modules)
        """
    )
    subprocess.run([sys.executable, "-c", program], check=True)


def test_missing_numba_is_reported_in_one_sentence(monkeypatch):
    monkeypatch.setitem(sys.modules, "numba", None)
    monkeypatch.setattr(compilation, "_built", {})
    with pytest.raises(ImportError, match="machine code needs Numba: install it with"):
        compilation.compiled(sets)
