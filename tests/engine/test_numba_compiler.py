"""What Numba compiles of kernels: each once, and machine code only of what Python calls."""

import sys

import numpy as np
import pytest
from llvmlite.binding import Linkage

from kibitz.cards.chance import philox, word
from kibitz.engine.kernels import compilation
from kibitz.engine.layout import CHANCE, Field, Layout
from kibitz.kernel import kernel


@pytest.fixture(autouse=True)
def nothing_is_compiled_yet(monkeypatch, tmp_path):
    monkeypatch.setenv("KIBITZ_CACHE", str(tmp_path))
    monkeypatch.setattr(compilation, "_built", {})
    monkeypatch.setattr(compilation, "_shared", {})


@kernel
def twice(n):
    return n + n


@kernel
def eight_or_more(n):
    return twice(twice(2)) + twice(twice(n > 0)) + twice(n)


def test_an_inner_kernel_is_compiled_once_for_all_whole_numbers_and_gets_no_machine_code():
    module = sys.modules[__name__]
    entry = compilation.compiled(module).eight_or_more
    assert [entry(n) for n in (-3, 0, 3)] == [eight_or_more(n) for n in (-3, 0, 3)] == [2, 8, 18]

    inner = compilation._shared[__name__].twice
    (compiled,) = inner.overloads.values()
    engine = compiled.library._codegen._engine
    assert not engine.is_symbol_defined(compiled.fndesc.llvm_func_name)
    (whole,) = entry.overloads.values()
    assert engine.is_symbol_defined(whole.fndesc.llvm_func_name)


@kernel
def stirred(n):
    """Calls something long in several places, which LLVM doesn't inline."""
    w0, w1, w2, w3 = philox(n, 1, 2, 3, 4, 5)
    w0, w1, w2, w3 = philox(w3, w2, w1, w0, n, 6)
    w0, w1, w2, w3 = philox(w1, w0, w3, w2, 7, n)
    return w0


def test_what_was_linked_into_machine_code_is_nobody_elses():
    """Another process may have kept another kernel under the same name."""
    entry = compilation.compiled(sys.modules[__name__]).stirred
    assert entry(1) == stirred(1)
    (whole,) = entry.overloads.values()
    linkages = {f.name: f.linkage for f in whole.library.get_defined_functions() if "philox" in f.name}
    assert set(linkages.values()) == {Linkage.internal}


@kernel
def drawn(states):
    return word(states[0])


def test_a_record_is_not_taken_for_another_that_begins_alike():
    """Numba warns where it may be, and warnings are errors here."""
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


def test_a_kernel_is_linked_though_the_first_call_of_it_was_optimised_away():
    assert compilation.compiled(sys.modules[__name__]).both(3) == both(3) == 9
