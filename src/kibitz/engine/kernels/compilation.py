"""Copies of kernel modules: the same functions with other callees, in plain Python or as machine code.

    copy            a namespace with a module's kernels, rebuilt so that their calls reach copies of the callees
    implementation  a module of a game, such as its ``rules``, whose kernels replace the hooks that a generic module
                    calls; if there are several, the first that has a kernel with the hook's name counts
    override        a single function that replaces a kernel, by name (scripted chance, a planted fault)

``plain`` keeps Python.  ``compiled`` makes machine code through Numba, which is imported on first use; each kernel is
compiled on its first call, as a whole program with all that it reaches (``numba_compiler``).  Modules without hooks are
copied once in a process, and every program that reaches them shares the copy.

Numba's own cache isn't enough.  It doesn't notice edits in other files, or that one generic function was compiled for
two games, and would silently run the wrong machine code.  So every copy has its own directory, named after a hash of
all kernel sources, of the constants that kernels use (which other code may compute), and of their bytecode in this
process: a source may have been edited since it was imported, and a check may have replaced code.
"""

from __future__ import annotations

import hashlib
import importlib
import os
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import CodeType, FunctionType, ModuleType, SimpleNamespace
from typing import Any

from kibitz.engine.reasons import Reasons
from kibitz.kernel import kernel_kind

NUMBA = "numba"
"""The name in the ImportError that is raised where machine code cannot be made."""

_built: dict[tuple[str, ...], SimpleNamespace] = {}
_shared: dict[str, SimpleNamespace] = {}
"""Copies of modules built without implementations, for machine code."""
_lock = threading.RLock()


def plain(module: ModuleType, *implementations: ModuleType, **overrides: Callable[..., object]) -> SimpleNamespace:
    """The kernels of ``module`` as Python functions, with the hooks implemented and the ``overrides`` in place."""
    return _Builder(implementations, overrides, _identity).copy_of(module)


def compiled(module: ModuleType, *implementations: ModuleType) -> SimpleNamespace:
    """The kernels of ``module`` in machine code; the first call of each in a process loads or compiles it.

    Raises ImportError with a clear sentence where Numba is not installed.
    """
    name = tuple(each.__name__ for each in (module, *implementations))
    with _lock:
        if name not in _built:
            _built[name] = _compile(module, implementations)
        return _built[name]


def is_compiled(kernel: str, module: ModuleType, *implementations: ModuleType) -> bool:
    """Whether a kernel of ``module`` can be called without a wait: it was compiled here, or is in the cache."""
    built = _built.get(tuple(each.__name__ for each in (module, *implementations)))
    if built is not None and getattr(built, kernel).signatures:
        return True
    return any(cache_directory(module, *implementations).glob(f"**/*.{kernel}-*.nbc"))


def with_globals(module: ModuleType, **names: object) -> SimpleNamespace:
    """A copy of a module whose own functions see ``names`` among their globals, in place of the module's."""
    globals_ = {**vars(module), **names}
    for name, value in vars(module).items():
        if isinstance(value, FunctionType) and value.__module__ == module.__name__:
            globals_[name] = _Builder.rebuilt(value, globals_)
    return SimpleNamespace(**globals_)


def kernel_modules(module: ModuleType, *implementations: ModuleType) -> list[ModuleType]:
    """Every module whose kernels ``module`` can reach, itself and ``implementations`` included, in name order."""
    modules: dict[str, ModuleType] = {}
    waiting = [module, *implementations]
    while waiting:
        reached = waiting.pop()
        if reached.__name__ in modules:
            continue
        modules[reached.__name__] = reached
        for value in vars(reached).values():
            # Looked up only if it is another module: one that was sent to a worker isn't in sys.modules.
            if kernel_kind(value) and value.__module__ != reached.__name__:
                waiting.append(sys.modules[value.__module__])
    return [modules[name] for name in sorted(modules)]


def constants(module: ModuleType) -> list[tuple[str, object]]:
    """The constants that a module's own kernels use: their names, and values that change if a constant changes."""
    kernels = [
        value
        for value in vars(module).values()
        if kernel_kind(value) == "kernel" and value.__module__ == module.__name__
    ]
    names_used = {name for kernel in kernels for name in kernel.__code__.co_names}
    constants_used = {name: vars(module)[name] for name in sorted(names_used & vars(module).keys())}
    return [(name, constant_key(value)) for name, value in constants_used.items() if not kernel_kind(value)]


def constant_key(value: Any) -> object:
    """A value that is equal for two constants only if they are equal: of an array, for example, all its cells."""
    if isinstance(value, FunctionType):  # its repr has an address, which differs in every process
        return behaviour_of(value)
    if isinstance(value, type) and issubclass(value, Reasons):
        return value.numbers()
    return (str(value.dtype), value.shape, value.tobytes()) if hasattr(value, "tobytes") else value


def behaviour_of(value: Any) -> object:
    """A value that is equal for two functions, code objects or constants only if they behave the same.

    >>> behaviour_of((lambda n: n + 1).__code__) == behaviour_of((lambda n: n + 1).__code__)
    True
    >>> behaviour_of((lambda n: n + 1).__code__) == behaviour_of((lambda n: n + 2).__code__)
    False
    """
    if isinstance(value, FunctionType):
        cells = [cell.cell_contents for cell in value.__closure__ or ()]
        return (
            behaviour_of(value.__code__),
            repr(value.__defaults__),
            repr(value.__kwdefaults__),
            [*map(behaviour_of, cells)],
        )
    if isinstance(value, CodeType):
        names = value.co_names, value.co_varnames, value.co_freevars, value.co_cellvars, value.co_argcount
        return value.co_code, names, [*map(behaviour_of, value.co_consts)]
    return sorted(map(repr, value)) if isinstance(value, frozenset) else repr(constant_key(value))


def cache_directory(module: ModuleType, *implementations: ModuleType) -> Path:
    """The directory for this copy's machine code, which no edit can make stale.

    Its name depends on the Python version and the folder of the sources, as Numba's cache does; otherwise code could
    seem ready when it isn't.
    """
    compiler = (Path(__file__).with_name(name) for name in ("compilation.py", "numba_compiler.py"))
    digest = hashlib.sha256(b"".join(source.read_bytes() for source in compiler))
    for source in kernel_modules(module, *implementations):
        digest.update(f"{source.__file__} {sys.implementation.cache_tag}".encode())
        digest.update(Path(str(source.__file__)).read_bytes())
        digest.update(repr(constants(source)).encode())
        digest.update(
            repr([(name, behaviour_of(value)) for name, value in vars(source).items() if kernel_kind(value)]).encode()
        )
    parts = [m.__name__.removeprefix("kibitz.") for m in (module, *implementations)]
    return cache_root() / f"{'+'.join(parts)}-{digest.hexdigest()[:16]}"


def cache_root() -> Path:
    """The user's cache directory for machine code; ``KIBITZ_CACHE`` names another."""
    if chosen := os.environ.get("KIBITZ_CACHE"):
        return Path(chosen)
    from platformdirs import user_cache_path

    return user_cache_path("kibitz") / "machine-code"


def _compile(module: ModuleType, implementations: tuple[ModuleType, ...]) -> SimpleNamespace:
    try:
        import numba  # noqa: F401
    except ImportError as error:
        raise ImportError("machine code needs Numba: install it with 'pip install numba'", name=NUMBA) from error
    inner = importlib.import_module("kibitz.engine.kernels.numba_compiler").inner

    directory = cache_directory(module, *implementations)
    shared = _Builder((), {}, inner, _shared)
    if not implementations:
        return _Entries(shared.copy_of(module), directory)
    for implementation in implementations:
        shared.copy_of(implementation)
    copies_without_hooks = {
        name: copy for name, copy in _shared.items() if name in sys.modules and not _has_hooks(sys.modules[name])
    }
    return _Entries(_Builder(implementations, {}, inner, copies_without_hooks).copy_of(module), directory)


def _has_hooks(module: ModuleType) -> bool:
    """Whether the behaviour of a module's kernels depends on the game that implements the hooks."""
    return any(kernel_kind(value) == "hook" for each in kernel_modules(module) for value in vars(each).values())


class _Entries(SimpleNamespace):
    """The compiled kernels of a copy, which keep their machine code in a directory of their own."""

    def __init__(self, copy: SimpleNamespace, directory: Path) -> None:
        self._copy, self._directory = copy, directory

    def __getattr__(self, name: str) -> Any:
        from kibitz.engine.kernels.numba_compiler import entry

        kernel = getattr(self._copy, name)
        with _lock:
            if name not in vars(self):
                setattr(self, name, entry(kernel.py_func, str(self._directory)))
        return vars(self)[name]


def _identity(function: Callable[..., object]) -> Callable[..., object]:
    return function


class _Builder:
    """Rebuilds the kernels of one or more modules, each module once; ``copies`` has the existing copies."""

    def __init__(
        self,
        implementations: Sequence[ModuleType],
        overrides: Mapping[str, Callable[..., object]],
        finish: Callable[[Any], Any],
        copies: dict[str, SimpleNamespace] | None = None,
    ) -> None:
        self.implementations, self.overrides, self.finish = implementations, overrides, finish
        self.copies: dict[str, SimpleNamespace] = {} if copies is None else copies

    def copy_of(self, module: ModuleType) -> SimpleNamespace:
        """The copy of ``module``; callees in other modules are rebuilt first."""
        if module.__name__ in self.copies:
            return self.copies[module.__name__]
        copy = self.copies[module.__name__] = SimpleNamespace()
        names = dict(vars(module))
        own_kernels = []
        for name, value in vars(module).items():
            kind = kernel_kind(value)
            if kind == "hook":
                names[name] = self.hook(name, value)
            elif kind == "kernel" and name in self.overrides:
                names[name] = self.overrides[name]
            elif kind == "kernel" and value.__module__ != module.__name__:
                names[name] = getattr(self.copy_of(sys.modules[value.__module__]), value.__name__)
            elif kind == "kernel":
                own_kernels.append((name, value))
            elif isinstance(value, type) and issubclass(value, Reasons):
                names[name] = value.numbers()
        for name, value in own_kernels:
            names[name] = self.finish(self.rebuilt(value, names))
        for name in names:
            if kernel_kind(getattr(module, name, None)):
                setattr(copy, name, names[name])
        return copy

    def hook(self, name: str, value: Any) -> object:
        """The implementation of a hook: the game's kernel, else the hook's default; the hook itself without a game."""
        if name in self.overrides:
            return self.overrides[name]
        if not self.implementations:
            return value
        for implementation in self.implementations:
            if (result := getattr(self.copy_of(implementation), name, None)) is not None:
                return result
        return self.default(value)

    def default(self, value: Any) -> object:
        """The default of a hook that the game leaves out; its callees are the game's kernels or copies as well."""
        names = dict(vars(sys.modules[value.__module__]))
        for name in value.__code__.co_names:
            callee = names.get(name)
            if kernel_kind(callee) == "hook":
                names[name] = self.hook(name, callee)
            elif kernel_kind(callee) == "kernel" and callee is not None:
                names[name] = getattr(self.copy_of(sys.modules[callee.__module__]), callee.__name__)
        return self.finish(self.rebuilt(value, names))

    @staticmethod
    def rebuilt(function: FunctionType, names: dict[str, object]) -> FunctionType:
        """A copy of the function that looks its globals up in ``names``."""
        copy = FunctionType(function.__code__, names, function.__name__, function.__defaults__, function.__closure__)
        copy.__module__, copy.__qualname__ = function.__module__, function.__qualname__
        copy.__doc__ = function.__doc__
        copy.__kwdefaults__ = function.__kwdefaults__
        copy.__dict__.update(function.__dict__)
        return copy
