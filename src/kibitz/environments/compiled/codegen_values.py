"""Values in the source of a kernel that is being generated: constants, and values known only when the kernel runs.

    NumberExpr  an integer or truth value, as the text of an expression
    Constant    known when the kernel is generated: a number, None, a function, a class
    State       the state ``s``; its options are ``Constant``
    Bits        the cards of a set, lowest first
    ArraySlice  entries of an array, from one index to another
    Items       a fixed number of values
    Branch      one of two values, by a test
    Struct      a struct, field by field
    ...         and the sequences derived from others, in ``codegen_sequences``

A sequence is never built: ``for_each`` writes a loop, and the code that takes its items goes inside.
``codegen`` makes these values from a function's source, ``observe_kernel`` writes them into cells.
"""

from __future__ import annotations

import ast
import linecache
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from types import FunctionType
from typing import Any

# The source of a game's functions: finding it, the names that it reassigns, whether it fills a list.


def reassigned_names(node: ast.FunctionDef) -> set[str]:
    """The names that a function assigns more than once, or in a ``while`` loop."""
    assigned = [name for child in ast.walk(node) for name in targets(child)]
    loops = [child for loop in ast.walk(node) if isinstance(loop, ast.While) for child in ast.walk(loop)]
    in_loops = [name for child in loops for name in targets(child)]
    augmented = [name for child in ast.walk(node) if isinstance(child, ast.AugAssign) for name in targets(child)]
    return {name for name in assigned if assigned.count(name) > 1} | {*in_loops, *augmented}


def targets(node: ast.AST) -> list[str]:
    """The names that an assignment sets."""
    nodes = node.targets if isinstance(node, ast.Assign) else []
    if isinstance(node, ast.AugAssign | ast.AnnAssign):
        nodes = [node.target]
    return [
        name.id
        for target in nodes
        for name in ast.walk(target)
        if isinstance(name, ast.Name) and isinstance(name.ctx, ast.Store)
    ]


def fills_a_list(node: ast.FunctionDef) -> bool:
    """Whether a function fills a list step by step and returns it."""
    list_names = {
        target.id
        for child in ast.walk(node)
        if isinstance(child, ast.Assign | ast.AnnAssign) and isinstance(child.value, ast.List | ast.BinOp)
        for target in (child.targets if isinstance(child, ast.Assign) else [child.target])
        if isinstance(target, ast.Name) and is_list(child.value)
    }
    return bool(list_names)


def assigns_to_indices(node: ast.FunctionDef) -> bool:
    """Whether a function assigns items to indices, instead of appending them."""
    return any(
        isinstance(child, ast.Assign) and isinstance(child.targets[0], ast.Subscript) for child in ast.walk(node)
    )


def returns_reversed(node: ast.FunctionDef) -> bool:
    """Whether a function returns its list reversed; ``Unsupported`` if it returns something other than its list."""
    ends = [child.value for child in ast.walk(node) if isinstance(child, ast.Return)]
    match ends if isinstance(node.body[-1], ast.Return) else []:
        case [ast.Name()] | [ast.Call(ast.Name("tuple"), [ast.Name()], [])]:
            return False
        case [ast.Call(ast.Name("tuple"), [ast.Subscript(ast.Name(), ast.Slice(None, None, ast.UnaryOp()))], [])]:
            return True
    raise Unsupported("the return value of a function that fills a list")


def is_list(value: ast.expr) -> bool:
    """Whether an expression is an empty list, or a list of None, such as ``[None] * n``."""
    match value:
        case ast.List([]) | ast.BinOp(ast.List([ast.Constant(None)]), ast.Mult()):
            return True
    return False


@cache
def module_of(file: str) -> ast.Module:
    """The source of a file."""
    return ast.parse("".join(linecache.getlines(file)))


def source_of(function: FunctionType) -> ast.FunctionDef | ast.Lambda:
    """The source of a function; ``Unsupported`` if it cannot be found."""
    code = function.__code__
    for node in ast.walk(module_of(code.co_filename)):
        if isinstance(node, ast.FunctionDef) and node.name == function.__name__:
            if code.co_firstlineno in (node.lineno, *(decorator.lineno for decorator in node.decorator_list)):
                return node
        if isinstance(node, ast.Lambda) and function.__name__ == "<lambda>" and is_code_of(node, code):
            return node
    raise Unsupported(f"{function.__qualname__}, whose source can't be found")


def is_code_of(node: ast.Lambda, code: Any) -> bool:
    """Whether a function's code comes from this lambda, by the source positions of its instructions."""
    positions = [(line, first, last) for line, _, first, last in code.co_positions() if line and first != last]
    body = node.body
    begin, end = (body.lineno, body.col_offset), (body.end_lineno or 0, body.end_col_offset or 0)
    return bool(positions) and all(begin <= (line, first) and (line, last) <= end for line, first, last in positions)


COUNT = re.compile(r" *(k\d+) (= 0|\+= 1)")
"""A line that sets or increments a count of items."""
Body = Callable[[str, "Value"], None]
"""Writes the code for an item, given its index as text."""


class Unsupported(Exception):
    """A game's Python can't be translated into a kernel; ``function`` is the function's name."""

    function = ""


class CodeLines:
    """The lines of a kernel generated so far."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.depth, self.names = 1, 0

    def add(self, line: str) -> None:
        """Add a line."""
        self.lines.append("    " * self.depth + line)

    def fresh(self, start: str) -> str:
        """An unused name."""
        self.names += 1
        return f"{start}{self.names}"

    @contextmanager
    def block(self, head: str) -> Iterator[None]:
        """A block of lines below ``head``."""
        self.add(head)
        self.depth += 1
        before = len(self.lines)
        yield
        if len(self.lines) == before:
            self.lines.append(self.pass_line(0))
        self.depth -= 1

    def pass_line(self, deeper: int) -> str:
        """The line that an empty block needs, ``deeper`` levels below the current one."""
        return "    " * (self.depth + deeper) + "pass"

    def finished_lines(self) -> list[str]:
        """The lines, without those of counts that no other line uses."""
        names_used = {
            name for line in self.lines if not COUNT.fullmatch(line) for name in re.findall(r"\bk\d+\b", line)
        }
        return [line for line in self.lines if not (match := COUNT.fullmatch(line)) or match[1] in names_used]


class Value:
    """A value of the kernel; an operation that it doesn't have raises ``Unsupported``."""

    @property
    def text(self) -> str:
        """The expression of a number."""
        raise Unsupported(f"a {type(self).__name__} where a number is needed")

    def for_each(self, code: CodeLines, body: Body) -> None:
        """Write a loop over its items."""
        raise Unsupported(f"a {type(self).__name__} where a sequence is needed")

    def length(self, code: CodeLines) -> Value:
        """How many items it has: by default they are counted."""
        number = code.fresh("n")
        code.add(f"{number} = 0")
        self.for_each(code, lambda index, item: code.add(f"{number} += 1"))
        return NumberExpr(number)

    def item_at(self, index: str) -> Value:
        """The item at an index; ``Unsupported`` for sequences that can only be iterated."""
        raise Unsupported(f"an item of a {type(self).__name__}")


@dataclass(frozen=True)
class NumberExpr(Value):
    """A number as an expression."""

    expression: str

    @property
    def text(self) -> str:
        """The expression."""
        return self.expression


@dataclass(frozen=True)
class Constant(Value):
    """A value that is known when the kernel is generated."""

    value: Any

    @property
    def text(self) -> str:
        """A number, written out."""
        if not isinstance(self.value, int):
            raise Unsupported(f"{self.value!r} where a number is needed")
        return str(int(self.value))

    def for_each(self, code: CodeLines, body: Body) -> None:
        """The items of a tuple, one after the other."""
        if not isinstance(self.value, tuple | list | range):
            raise Unsupported(f"{self.value!r} where a sequence is needed")
        Items(tuple(map(Constant, self.value))).for_each(code, body)

    def length(self, code: CodeLines) -> Value:
        """The length of a tuple."""
        return Constant(len(self.value))


@dataclass(frozen=True)
class WholeArray(Value):
    """A whole array of the state."""

    name: str
    size: int

    @property
    def text(self) -> str:
        """The array, as kernels take it."""
        return f"s.{self.name}"

    def for_each(self, code: CodeLines, body: Body) -> None:
        """A loop over all entries."""
        ArraySlice(self.name, "0", str(self.size)).for_each(code, body)

    def length(self, code: CodeLines) -> Value:
        """How many entries."""
        return Constant(self.size)

    def item_at(self, index: str) -> Value:
        """One entry."""
        return NumberExpr(f"s.{self.name}[{index}]")


@dataclass(frozen=True)
class State(Value):
    """The state."""

    @property
    def text(self) -> str:
        """The state, as kernels take it."""
        return "s"


@dataclass(frozen=True)
class Range(Value):
    """The numbers from ``first`` to before ``last``."""

    first: str
    last: str

    def for_each(self, code: CodeLines, body: Body) -> None:
        """A loop."""
        i = code.fresh("i")
        with code.block(f"for {i} in range({self.first}, {self.last}):"):
            body(minus(i, self.first), NumberExpr(i))

    def length(self, code: CodeLines) -> Value:
        """How many numbers."""
        return NumberExpr(f"max(0, {minus(self.last, self.first)})")

    def item_at(self, index: str) -> Value:
        """One of the numbers."""
        return NumberExpr(plus(self.first, index))


@dataclass(frozen=True)
class ArraySlice(Value):
    """Entries ``first`` to ``last - 1`` of an array."""

    name: str
    first: str
    last: str

    def for_each(self, code: CodeLines, body: Body) -> None:
        """A loop."""
        Range(self.first, self.last).for_each(
            code, lambda index, i: body(index, NumberExpr(f"s.{self.name}[{i.text}]"))
        )

    def length(self, code: CodeLines) -> Value:
        """How many entries."""
        return NumberExpr(minus(self.last, self.first))

    def item_at(self, index: str) -> Value:
        """One of the entries."""
        return NumberExpr(f"s.{self.name}[{plus(self.first, index)}]")


@dataclass(frozen=True)
class Bits(Value):
    """The cards of a set."""

    cards: str

    def for_each(self, code: CodeLines, body: Body) -> None:
        """A loop that removes them one by one."""
        remaining, k = code.fresh("left"), code.fresh("k")
        code.add(f"{remaining} = {self.cards}")
        code.add(f"{k} = 0")
        with code.block(f"while {remaining}:"):
            body(k, NumberExpr(f"lowest({remaining})"))
            code.add(f"{remaining} &= {remaining} - 1")
            code.add(f"{k} += 1")

    def length(self, code: CodeLines) -> Value:
        """How many cards."""
        return NumberExpr(f"size({self.cards})")


@dataclass(frozen=True)
class Items(Value):
    """Several values."""

    items: tuple[Value, ...]

    def for_each(self, code: CodeLines, body: Body) -> None:
        """One after the other, without a loop."""
        for k, item in enumerate(self.items):
            body(str(k), item)

    def length(self, code: CodeLines) -> Value:
        """How many values."""
        return Constant(len(self.items))

    def item_at(self, index: str) -> Value:
        """One of the values; ``Unsupported`` unless the index is a constant."""
        if not index.isdigit():
            raise Unsupported("an item of a tuple by a variable index")
        return self.items[int(index)]


@dataclass(frozen=True)
class Branch(Value):
    """``yes()`` if the test holds, else ``no()``; called only where the value is used, so no unused code is written."""

    test: str
    yes: Callable[[], Value]
    no: Callable[[], Value]

    @property
    def text(self) -> str:
        """The expression of one of two numbers."""
        return f"({self.yes().text} if {self.test} else {self.no().text})"

    def either(self, code: CodeLines, use: Callable[[Value], None]) -> None:
        """Write the code for both."""
        with code.block(f"if {self.test}:"):
            use(self.yes())
        with code.block("else:"):
            use(self.no())

    def for_each(self, code: CodeLines, body: Body) -> None:
        """The loop over one or the other."""
        self.either(code, lambda value: value.for_each(code, body))

    def length(self, code: CodeLines) -> Value:
        """The length of one or the other."""
        return NumberExpr(f"({self.yes().length(code).text} if {self.test} else {self.no().length(code).text})")

    def item_at(self, index: str) -> Value:
        """An item of one or the other."""
        yes, no = self.yes(), self.no()
        if isinstance(no, Items) and not no.items:
            return yes.item_at(index)
        return Branch(self.test, lambda: yes.item_at(index), lambda: no.item_at(index))


@dataclass(frozen=True)
class Struct(Value):
    """A struct."""

    fields: dict[str, Value]


def plus(a: str, b: str) -> str:
    """A sum as text."""
    if a.isdigit() and b.isdigit():
        return str(int(a) + int(b))
    return a if b == "0" else b if a == "0" else f"{a} + {b}"


def minus(a: str, b: str) -> str:
    """A difference as text."""
    if a.isdigit() and b.isdigit() and int(a) >= int(b):
        return str(int(a) - int(b))
    return a if b == "0" else f"{a} - ({b})"
