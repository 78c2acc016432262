"""What Python has on Linux and lacks on Windows or on macOS, by the types that typeshed gives its standard library.

    platform    a value of ``sys.platform``; a stub's branches say what is there on which
    lacking     names that a stub defines on Linux and not on every other platform; None: the module is not there at all

The stubs are those that mypy ships.  So nobody has to think of a name for it to be hidden.
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
"""What is left although only Linux has it, since others than Kibitz would break; no file of Kibitz may use it."""


BESIDES = ("_curses", "curses", "_posixshmem")
"""Modules that Python for Windows comes without, of which the stubs say nothing."""


class UnknownPlatform(Exception):
    """A condition that says nothing of platforms."""


def holds(test: ast.expr, platform: str) -> bool:
    """Whether the condition of a branch holds on a platform, for the Python that runs this."""
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
    """The names that some lines of a module's stub define on a platform; imports for the stub's own use are none."""
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
    """All modules of the standard library that have a stub, and whose names may differ by platform."""
    names = []
    for path in sorted(STUBS.rglob("*.pyi")):
        if "sys.platform" in path.read_text(encoding="utf-8"):
            names.append(".".join(path.relative_to(STUBS).with_suffix("").parts).removesuffix(".__init__"))
    return names


def private(name: str) -> bool:
    """Whether a name is the stub's own."""
    return name.startswith("_") and not name.startswith("__") and name not in ("_exit",)


@cache
def only_linux() -> dict[str, frozenset[str] | None]:
    """What is lacking elsewhere, by module; None for a module that is not there at all."""
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
    """The list as ``without_linux.py`` reads it: a line for each module, with what is taken out of it, if not all."""
    lines = []
    for module, names in only_linux().items():
        if names is None:
            lines.append(module)
        else:
            lines.append(f"{module}: {' '.join(sorted(names))}")
    return "\n".join([*lines, *BESIDES])
