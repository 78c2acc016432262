"""Questions about the source of a game's functions: where it stands, what changes in it, whether it fills a list."""

from __future__ import annotations

import ast
import linecache
from functools import cache
from types import FunctionType
from typing import Any

from kibitz.environments.codegen_values import Unsupported


def changed(node: ast.FunctionDef) -> set[str]:
    """The names of a function that are given a value more than once, or in a loop that goes on while a test holds."""
    given = [name for one in ast.walk(node) for name in targets(one)]
    loops = [one for loop in ast.walk(node) if isinstance(loop, ast.While) for one in ast.walk(loop)]
    again = [name for one in loops for name in targets(one)]
    added = [name for one in ast.walk(node) if isinstance(one, ast.AugAssign) for name in targets(one)]
    return {name for name in given if given.count(name) > 1} | {*again, *added}


def targets(node: ast.AST) -> list[str]:
    """The names that an assignment gives a value."""
    ends = node.targets if isinstance(node, ast.Assign) else []
    if isinstance(node, ast.AugAssign | ast.AnnAssign):
        ends = [node.target]
    return [
        one.id for end in ends for one in ast.walk(end) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)
    ]


def fills(node: ast.FunctionDef) -> bool:
    """Whether a function fills a list step by step and returns it."""
    made = {
        target.id
        for one in ast.walk(node)
        if isinstance(one, ast.Assign | ast.AnnAssign) and isinstance(one.value, ast.List | ast.BinOp)
        for target in (one.targets if isinstance(one, ast.Assign) else [one.target])
        if isinstance(target, ast.Name) and is_list(one.value)
    }
    return bool(made)


def places(node: ast.FunctionDef) -> bool:
    """Whether it puts items in places, instead of adding them at the end."""
    return any(isinstance(one, ast.Assign) and isinstance(one.targets[0], ast.Subscript) for one in ast.walk(node))


def turns(node: ast.FunctionDef) -> bool:
    """Whether it returns its list from the end on; ``Unsupported`` if it returns anything but the list."""
    ends = [one.value for one in ast.walk(node) if isinstance(one, ast.Return)]
    match ends if isinstance(node.body[-1], ast.Return) else []:
        case [ast.Name()] | [ast.Call(ast.Name("tuple"), [ast.Name()], [])]:
            return False
        case [ast.Call(ast.Name("tuple"), [ast.Subscript(ast.Name(), ast.Slice(None, None, ast.UnaryOp()))], [])]:
            return True
    raise Unsupported("what becomes of a list")


def is_list(value: ast.expr) -> bool:
    """Whether an expression is an empty list, or one of None so many times."""
    match value:
        case ast.List([]) | ast.BinOp(ast.List([ast.Constant(None)]), ast.Mult()):
            return True
    return False


@cache
def module_of(file: str) -> ast.Module:
    """The source of a file."""
    return ast.parse("".join(linecache.getlines(file)))


def source_of(function: FunctionType) -> ast.FunctionDef | ast.Lambda:
    """Where a function is written; ``Unsupported`` if that cannot be found."""
    code = function.__code__
    for node in ast.walk(module_of(code.co_filename)):
        if isinstance(node, ast.FunctionDef) and node.name == function.__name__:
            if code.co_firstlineno in (node.lineno, *(one.lineno for one in node.decorator_list)):
                return node
        if isinstance(node, ast.Lambda) and function.__name__ == "<lambda>" and holds(node, code):
            return node
    raise Unsupported(f"{function.__qualname__}, whose source is not there")


def holds(node: ast.Lambda, code: Any) -> bool:
    """Whether a function's code comes from this lambda: its instructions lie inside."""
    at = [(line, first, last) for line, _, first, last in code.co_positions() if line and first != last]
    body = node.body
    begin, end = (body.lineno, body.col_offset), (body.end_lineno or 0, body.end_col_offset or 0)
    return bool(at) and all(begin <= (line, first) and (line, last) <= end for line, first, last in at)
