"""How Numba compiles kernels: each kernel that Python calls becomes one program.

Left to itself, Numba optimises each function together with all that it calls and makes machine code of that, with two
wrappers for Python and C.  A kernel that many others call would be optimised again for each of them, which took most of
the compiler's time.

    inner   a kernel as other kernels call it: LLVM's code, optimised alone and not made into machine code
    entry   a kernel as Python calls it: all that it reaches is linked into it, and optimised there once

The libraries override methods that Numba doesn't document.  ``tests/engine/test_numba_compiler.py`` fails where another
version of Numba no longer calls them; ``tests/test_private_interfaces.py`` says which versions were tried.
"""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType, SimpleNamespace
from typing import Any

import numba
from llvmlite.binding import Linkage
from numba import types
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler
from numba.core.registry import CPUDispatcher
from numba.core.typing.templates import make_concrete_template
from numba.extending import intrinsic, overload_method

from kibitz.engine import kernels

OPTIONS: dict[str, Any] = {"nogil": True, "error_model": "numpy", "_nrt": False, "no_cfunc_wrapper": True}
"""Kernels allocate nothing, so Numba needn't count references to arrays at every call."""


class Library(JITCodeLibrary):
    """Links what the libraries of inner kernels left unlinked."""

    def add_linking_library(self, library: Any) -> None:
        """Link a library, and the libraries that it calls."""
        if library not in self._linking_libraries:
            super().add_linking_library(library)
            if isinstance(library, InnerLibrary):
                for callee in library._linking_libraries:
                    self.add_linking_library(callee)


class InnerLibrary(Library):
    """The code of an inner kernel, which is finished when it is linked."""

    codegen = SimpleNamespace(set_env=lambda name, environment: None)
    """Does nothing where Numba sets an environment for exceptions: kernels raise none, and this code can't hold one."""

    def finalize(self) -> None:
        """Do nothing before linking."""
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        """0: an inner kernel has no machine code."""
        return 0

    def _get_module_for_linking(self) -> Any:
        return self._final_module


class EntryLibrary(Library):
    """The machine code of an entry."""

    def finalize(self) -> None:
        """Link, optimise and make machine code."""
        self.own_functions = {function.name for function in self.get_defined_functions()}
        # From Numba's libraries LLVM links only what the code so far calls, so they come last.
        self._linking_libraries.sort(key=lambda library: not isinstance(library, InnerLibrary))
        super().finalize()

    def _optimize_final_module(self) -> None:
        # Private functions may be inlined entirely, and can't be confused with a function of the same name that another
        # process compiled for another game.
        for function in self._final_module.functions:
            if not function.is_declaration and function.name not in self.own_functions:
                function.linkage = Linkage.internal
            elif function.is_declaration and function.name.startswith("_ZN"):
                raise AssertionError(f"{function.name} wasn't linked: machine code would jump to address 0")
        super()._optimize_final_module()


class InnerCompiler(Compiler):
    """Numba's compiler, with an ``InnerLibrary`` for the code."""

    library: type[Library] = InnerLibrary

    def define_pipelines(self) -> Any:
        """The usual passes, after the library is set."""
        self.state.library = self.library(self.state.targetctx.codegen(), self.state.func_id.func_qualname)
        self.state.library.enable_object_caching()
        return super().define_pipelines()


class EntryCompiler(InnerCompiler):
    """Numba's compiler, with an ``EntryLibrary``."""

    library = EntryLibrary

    def compile_extra(self, func: Any) -> Any:
        """Compile a kernel with all that it reaches, unless its code was cached."""
        with kernels.compile_notice():
            return super().compile_extra(func)


class InnerDispatcher(CPUDispatcher):
    """A kernel that other kernels call, compiled once for all numbers that they pass."""

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """The signature for arguments of these types: only code compiled for exactly these.

        Numba would also consider, with a warning, code compiled for records whose first fields are the same.
        """
        _, pysig, args, kws = super().get_call_template([widened(each) for each in args], kws)
        compiled: Any = self.overloads[tuple(args)]
        name = self.py_func.__name__
        return make_concrete_template(f"CallTemplate({name})", name, [compiled.signature]), pysig, args, kws


def widened(argument_type: Any) -> Any:
    """The type as which an argument is passed: booleans and signed integers become int64.

    Otherwise the kernel would be compiled again for each constant, narrow field and comparison that is passed.
    """
    argument_type = types.unliteral(argument_type)
    return types.int64 if argument_type == types.boolean or argument_type in types.signed_domain else argument_type


def inner(function: FunctionType) -> Any:
    """A kernel that other kernels call. Python must not call it: it would jump to address 0."""
    options = {"nopython": True, "no_cpython_wrapper": True, **OPTIONS}
    return InnerDispatcher(function, targetoptions=options, pipeline_class=InnerCompiler)


def entry(function: Callable[..., object], folder: str) -> Any:
    """A kernel that Python calls; Numba keeps its machine code in ``folder``."""
    config: Any = numba.config
    previous, config.CACHE_DIR = config.CACHE_DIR, folder  # read while dispatchers are made
    try:
        return numba.njit(cache=True, pipeline_class=EntryCompiler, **OPTIONS)(function)
    finally:
        config.CACHE_DIR = previous


# Methods of Python's integers that Numba learns here, so that kernels can use them: ``bit_count`` and ``bit_length``,
# each one instruction when compiled. Importing this module registers them.


@intrinsic
def popcount(typing: Any, value: Any) -> Any:
    """How many bits of an integer are 1, as a signed word."""

    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        count = builder.ctpop(arguments[0])
        return context.cast(builder, count, signature.args[0], signature.return_type)

    return types.int64(value), code


@intrinsic
def leading_zeros(typing: Any, value: Any) -> Any:
    """How many bits of an integer lie above the highest that is 1, as a signed word."""

    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        count = builder.ctlz(arguments[0], context.get_constant(types.boolean, 0))
        return context.cast(builder, count, signature.args[0], signature.return_type)

    return types.int64(value), code


@overload_method(types.Integer, "bit_count")
def bit_count(value: Any) -> Any:
    """``int.bit_count``."""

    def count(value: Any) -> Any:
        return popcount(value)  # type: ignore[call-arg]  # Numba passes ``typing`` itself

    return count


@overload_method(types.Integer, "bit_length")
def bit_length(value: Any) -> Any:
    """``int.bit_length``."""
    width = value.bitwidth

    def length(value: Any) -> Any:
        return width - leading_zeros(value)  # type: ignore[call-arg]

    return length
