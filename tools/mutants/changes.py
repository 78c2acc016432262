"""All small changes of a module that could matter.

    change      a range of characters of the source, their text, and the text that replaces it

Annotations, docstrings, assertions, messages and code for type checkers alone are left unchanged; so are the argument
``strict`` of ``zip``, which asserts that lengths are equal, and the order of the arguments of ``min`` and ``max``.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

COMPARISONS = {
    "<": "<=",
    "<=": "<",
    ">": ">=",
    ">=": ">",
    "==": "!=",
    "!=": "==",
    "in": "not in",
    "not in": "in",
    "is": "is not",
    "is not": "is",
}
OPERATORS = {"+": "-", "-": "+", "*": "+", "/": "*", "//": "*", "%": "//", "<<": ">>", ">>": "<<", "&": "|", "|": "&"}
NAMES = {"min": "max", "max": "min", "any": "all", "all": "any"}


@dataclass(frozen=True)
class Change:
    """One edit: characters ``start`` to ``end`` of a source become ``new``."""

    start: int
    end: int
    line: int
    old: str
    new: str

    def made(self, source: str) -> str:
        """The source with the change in it."""
        return source[: self.start] + self.new + source[self.end :]

    def shown(self, source: str) -> str:
        """The line and its change."""
        return f"{source.splitlines()[self.line - 1].strip()}   [{self.old!r} -> {self.new!r}]"


def changes(source: str) -> list[Change]:
    """Every change of a source, in order; some do not compile, which callers check for those that they draw."""
    return sorted(set(Finder(source).found()), key=lambda change: (change.start, change.end, change.new))


def compiles(source: str) -> bool:
    """Whether Python can compile a source."""
    try:
        compile(source, "changed", "exec")
    except SyntaxError:
        return False
    return True


class Finder:
    """Finds changes by walking the syntax tree of a source."""

    def __init__(self, source: str) -> None:
        self.source, self.tree = source, ast.parse(source)
        self.starts = [0]
        for line in source.splitlines(keepends=True):
            self.starts.append(self.starts[-1] + len(line))
        self.lines = source.splitlines(keepends=True)

    def found(self) -> Iterator[Change]:
        """The changes of all nodes."""
        yield from self.within(self.tree)

    def within(self, node: ast.AST) -> Iterator[Change]:
        """The changes of a node and of its children."""
        if isinstance(node, (ast.Assert, ast.Raise, ast.JoinedStr, ast.Import, ast.ImportFrom)) or checked_only(node):
            return
        if isinstance(node, ast.keyword) and node.arg == "strict":
            return
        yield from self.of(node)
        for name, value in ast.iter_fields(node):
            if name in {"annotation", "returns", "decorator_list", "bases", "type_params"}:
                continue
            for child in value if isinstance(value, list) else [value]:
                if isinstance(child, ast.AST):
                    yield from self.within(child)

    def of(self, node: ast.AST) -> Iterator[Change]:
        """The changes of one node itself."""
        match node:
            case ast.Compare(left=left, comparators=[right]):
                yield from self.between(left, right, COMPARISONS)
            case ast.BinOp(left=left, right=right) if not textual(left) and not textual(right):
                yield from self.between(left, right, OPERATORS)
            case ast.BoolOp(values=[left, right, *_]):
                yield from self.between(left, right, {"and": "or", "or": "and"})
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                yield self.instead(node, self.text(operand))
            case ast.Constant(value=bool(value)):
                yield self.instead(node, str(not value))
            case ast.Constant(value=int(value)):
                yield self.instead(node, str(value + 1))
            case ast.If(test=test) | ast.While(test=test) | ast.IfExp(test=test):
                yield self.instead(test, f"(not ({self.text(test)}))")
            case ast.Expr(value=ast.Call()) | ast.AugAssign() | ast.Break() | ast.Continue():
                yield self.instead(node, "pass")
            case ast.Name(id=name, ctx=ast.Load()) if name in NAMES:
                yield self.instead(node, NAMES[name])
            case ast.Call(func=ast.Name(id="min" | "max"), keywords=[]):
                return
            case ast.Call(args=[ast.Name() as first, ast.Name() as second, *_]) if first.id != second.id:
                start, end = self.at(first), self.end(second)
                old = self.source[start:end]
                yield Change(start, end, first.lineno, old, f"{second.id}, {first.id}")

    def between(self, left: ast.expr, right: ast.expr, swaps: dict[str, str]) -> Iterator[Change]:
        """The change of the operator between two operands, by ``swaps``."""
        start, end = self.end(left), self.at(right)
        gap = self.source[start:end]
        old = gap.strip().strip("()").strip()
        if old in swaps:
            start += gap.index(old)
            line = self.source.count("\n", 0, start) + 1
            yield Change(start, start + len(old), line, old, swaps[old])

    def instead(self, node: ast.expr | ast.stmt, new: str) -> Change:
        """The change that replaces the text of a node."""
        return Change(self.at(node), self.end(node), node.lineno, self.text(node), new)

    def text(self, node: ast.expr | ast.stmt) -> str:
        """The source text of a node."""
        return self.source[self.at(node) : self.end(node)]

    def at(self, node: ast.expr | ast.stmt) -> int:
        """The offset at which a node begins."""
        return self.offset(node.lineno, node.col_offset)

    def end(self, node: ast.expr | ast.stmt) -> int:
        """The offset at which a node ends."""
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        return self.offset(node.end_lineno, node.end_col_offset)

    def offset(self, line: int, column: int) -> int:
        """The offset of a place, in characters; ``column`` counts bytes, as in the syntax tree."""
        return self.starts[line - 1] + len(self.lines[line - 1].encode()[:column].decode())


def textual(node: ast.expr) -> bool:
    """Whether an operand is a string, for which other operators make no sense."""
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str))


def checked_only(node: ast.AST) -> bool:
    """Whether a node is code for type checkers alone."""
    return isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"
