"""Marked kernels are untyped, and nothing else is."""

import ast
from pathlib import Path

import pytest

import kibitz

pytestmark = pytest.mark.long

HOME = Path(kibitz.__file__).parent
MARKS = {"kernel", "hook"}


def functions():
    """Every function of the package, with its file and line."""
    for path in sorted(HOME.rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                yield f"{path.relative_to(HOME)}:{node.lineno} {node.name}", node


def is_marked(node):
    return any(isinstance(mark, ast.Name) and mark.id in MARKS for mark in node.decorator_list)


def untyped(node):
    """The parameters of a function without types, and its result if that has none."""
    given = node.args
    every = [*given.posonlyargs, *given.args, *given.kwonlyargs, *filter(None, (given.vararg, given.kwarg))]
    own = {each.arg for each in every if each.annotation is None} - {"self", "cls"}
    return own | ({"the result"} if node.returns is None else set())


def test_only_kernels_are_untyped():
    wrong = {where: untyped(node) for where, node in functions() if untyped(node) and not is_marked(node)}
    assert not wrong, "these need types, or the mark of a kernel"


def test_kernels_are_untyped():
    marked = {where: node for where, node in functions() if is_marked(node)}
    assert len(marked) > 100
    typed = [where for where, node in marked.items() if node.returns or any(each.annotation for each in node.args.args)]
    assert not typed
