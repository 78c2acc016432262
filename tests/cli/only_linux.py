"""The names that Python's standard library has only on Linux, found from the typeshed stubs that mypy ships.

platform    a value of ``sys.platform``; a stub's branches define the names of each
lacking     names that a stub defines on Linux but not on both other platforms; None if the module is missing
"""

import ast
import sys
from functools import cache
from pathlib import Path

import mypy

STUBS = Path(mypy.__file__).parent / "typeshed" / "stdlib"
OTHERS = ("win32", "darwin")
KEPT = {
    "os": {"uname", "getuid"},  # NumPy and Numba ask for them wherever sys.platform says "linux"
    "sys": {"getdlopenflags", "setdlopenflags", "abiflags"},  # Python's own start and sysconfig ask for them
    "_imp": {"extension_suffixes"},
}
"""Linux-only names that are kept, since other packages need them; Kibitz must not use them."""


ALSO_HIDDEN = ("_curses", "curses", "_posixshmem")
"""Modules that Python for Windows lacks although the stubs don't say so."""


class UnknownPlatform(Exception):
    """A condition that doesn't depend on the platform."""


def holds(test: ast.expr, platform: str) -> bool:
    """Whether a branch's condition holds on a platform, for this version of Python."""
    if isinstance(test, ast.BoolOp):
        found = [holds(value, platform) for value in test.values]
        return all(found) if isinstance(test.op, ast.And) else any(found)
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return not holds(test.operand, platform)
    code = ast.unparse(test)
    known = {"sys": type("sys", (), {"platform": platform, "version_info": sys.version_info})}
    if isinstance(test, ast.Name) and test.id == "TYPE_CHECKING":
        return False
    if "sys." not in code:
        raise UnknownPlatform(code)
    return bool(eval(code, {"__builtins__": {}}, known))  # a stub of typeshed, which we have installed ourselves


def names_of(module: str, platform: str) -> set[str]:
    """The names that a module has on a platform."""
    return defined(tree(module).body, platform, module)


def defined(body: list[ast.stmt], platform: str, within: str) -> set[str]:
    """The names that these lines of a stub define on a platform, without imports for the stub's own use."""
    found: set[str] = set()
    for line in body:
        match line:
            case ast.If():
                found |= defined(line.body if holds(line.test, platform) else line.orelse, platform, within)
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                found.add(line.name)
            case ast.AnnAssign(target=ast.Name(id=name)):
                found.add(name)
            case ast.Assign():
                found |= {target.id for target in line.targets if isinstance(target, ast.Name)}
            case ast.ImportFrom(module=module, names=names, level=level):
                for name in names:
                    if name.name == "*":
                        found |= names_of(f"{within}.{module}" if level else str(module), platform)
                    elif name.asname == name.name:
                        found.add(name.name)
            case _:
                pass
    return found


@cache
def tree(module: str) -> ast.Module:
    """The stub of a module."""
    path = STUBS.joinpath(*module.split("."))
    file = path / "__init__.pyi" if path.is_dir() else path.with_suffix(".pyi")
    return ast.parse(file.read_text(encoding="utf-8"))


def modules() -> list[str]:
    """All standard library modules whose stubs depend on the platform."""
    names = []
    for path in sorted(STUBS.rglob("*.pyi")):
        if "sys.platform" in path.read_text(encoding="utf-8"):
            names.append(".".join(path.relative_to(STUBS).with_suffix("").parts).removesuffix(".__init__"))
    return names


def private(name: str) -> bool:
    """Whether a name is private to the stub."""
    return name.startswith("_") and not name.startswith("__") and name not in ("_exit",)


@cache
def only_linux() -> dict[str, frozenset[str] | None]:
    """The names missing elsewhere, by module; None if the whole module is missing."""
    found: dict[str, frozenset[str] | None] = {}
    for module in modules():
        here = {name for name in names_of(module, "linux") if not private(name)}
        if not here:
            continue
        there = [names_of(module, platform) for platform in OTHERS]
        if any(here.isdisjoint(names) for names in there):
            found[module] = None
        elif gone := frozenset(here.difference(set.intersection(*there)) - KEPT.get(module, set())):
            found[module] = gone
    return found


def hideable() -> str:
    """The list that ``without_linux.py`` reads: a line for each module, followed by its names unless all are hidden."""
    lines = []
    for module, names in only_linux().items():
        if names is None:
            lines.append(module)
        else:
            lines.append(f"{module}: {' '.join(sorted(names))}")
    return "\n".join([*lines, *ALSO_HIDDEN])
