"""How Numba compiles kernels: each once, with machine code only for those that Python calls."""

import sys
from contextlib import nullcontext

import numpy as np
import pytest
from llvmlite.binding import Linkage

from kibitz.cards.chance import philox, word
from kibitz.engine import kernels
from kibitz.engine.kernels import compilation
from kibitz.engine.layout import CHANCE, Field, Layout
from kibitz.kernel import kernel


@pytest.fixture(autouse=True)
def empty_cache(monkeypatch, tmp_path):
    monkeypatch.setenv("KIBITZ_CACHE", str(tmp_path))
    monkeypatch.setattr(compilation, "_built", {})
    monkeypatch.setattr(compilation, "_shared", {})


@kernel
def twice(n):
    return n + n


@kernel
def eight_or_more(n):
    return twice(twice(2)) + twice(twice(n > 0)) + twice(n)


def test_an_inner_kernel_is_compiled_once_and_not_emitted():
    module = sys.modules[__name__]
    entry = compilation.compiled(module).eight_or_more
    assert [entry(n) for n in (-3, 0, 3)] == [eight_or_more(n) for n in (-3, 0, 3)] == [2, 8, 18]

    inner = compilation._shared[__name__].twice
    (compiled,) = inner.overloads.values()
    engine = compiled.library._codegen._engine
    assert not engine.is_symbol_defined(compiled.fndesc.llvm_func_name)
    (whole,) = entry.overloads.values()
    assert engine.is_symbol_defined(whole.fndesc.llvm_func_name)


def test_compiling_is_announced_unless_the_code_is_cached(monkeypatch):
    announced = []
    monkeypatch.setattr(kernels, "compile_notice", lambda: nullcontext(announced.append(1)))
    module = sys.modules[__name__]
    assert compilation.compiled(module).eight_or_more(3) == 18
    assert announced == [1]
    monkeypatch.setattr(compilation, "_built", {})
    assert compilation.compiled(module).eight_or_more(3) == 18
    assert announced == [1]


@kernel
def stirred(n):
    """Calls a long kernel in several places, which LLVM doesn't inline."""
    w0, w1, w2, w3 = philox(n, 1, 2, 3, 4, 5)
    w0, w1, w2, w3 = philox(w3, w2, w1, w0, n, 6)
    w0, w1, w2, w3 = philox(w1, w0, w3, w2, 7, n)
    return w0


def test_linked_kernels_have_internal_linkage():
    """Another process may have cached another kernel under the same name."""
    entry = compilation.compiled(sys.modules[__name__]).stirred
    assert entry(1) == stirred(1)
    (whole,) = entry.overloads.values()
    linkages = {f.name: f.linkage for f in whole.library.get_defined_functions() if "philox" in f.name}
    assert set(linkages.values()) == {Linkage.internal}


@kernel
def drawn(states):
    return word(states[0])


def test_records_with_a_common_prefix_are_distinguished():
    """Numba warns if they may be confused, and warnings are errors here."""
    entry = compilation.compiled(sys.modules[__name__]).drawn
    short = Layout("Short", *CHANCE)
    long = Layout("Long", *CHANCE, Field("more"))
    states = [np.zeros(1, each.dtype) for each in (short, long)]
    assert entry(states[0]) == entry(states[1])


@kernel
def never(n):
    return twice(n) if n != n else n


@kernel
def always(n):
    return twice(n)


@kernel
def both(n):
    return never(n) + always(n)


def test_a_kernel_is_linked_even_if_its_first_call_is_optimised_away():
    assert compilation.compiled(sys.modules[__name__]).both(3) == both(3) == 9
