"""How large Kibitz is: ``python -m tools.size [FOLDER]``, for this checkout or for the one in FOLDER.

code        lines that aren't blank, an import, a docstring or a comment
text        lines of docstrings and comments
median      lines of the median module
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterable
from pathlib import Path
from statistics import median
from typing import NamedTuple


class Size(NamedTuple):
    """The number of lines of a module, in all and of each kind."""

    lines: int
    code: int
    text: int
    imports: int


def size_of(path: Path) -> Size:
    """The size of a module."""
    source = path.read_text(encoding="utf-8")
    text, imports = set[int](), set[int]()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import | ast.ImportFrom):
            imports.update(range(node.lineno, (node.end_lineno or node.lineno) + 1))
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            text.update(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    lines = source.splitlines()
    text.update(number for number, line in enumerate(lines, 1) if line.lstrip().startswith("#"))
    blank = {number for number, line in enumerate(lines, 1) if not line.strip()}
    return Size(len(lines), len(lines) - len(text | imports | blank), len(text), len(imports))


def print_row(name: str, paths: Iterable[Path]) -> None:
    """Print the sizes of some modules together."""
    sizes = [size_of(path) for path in paths]
    cells = [len(sizes), *map(sum, zip(*sizes, strict=True)), round(median(size.lines for size in sizes))]
    print(f"{name:<14}" + "".join(f"{cell:>9,}" for cell in cells))


def main(folder: str = ".") -> None:
    """Print the sizes of the packages, of the whole, and of what is beside it."""
    root = Path(folder)
    package = root / "src" / "kibitz"
    print(f"{'':<14}" + "".join(f"{heading:>9}" for heading in ("modules", *Size._fields, "median")))
    for path in sorted(package.iterdir()):
        if (path / "__init__.py").exists():
            print_row(path.name, path.rglob("*.py"))
    for name in ("src/kibitz", "tests", "benchmarks", "tools"):
        print_row(name, (root / name).rglob("*.py"))


if __name__ == "__main__":
    main(*sys.argv[1:])
