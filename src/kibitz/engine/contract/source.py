"""What a kernel may be made of: everything else is refused, whatever it is.

construct   a node of Python's syntax; ``CONSTRUCTS`` has those that machine code and graphics cards know alike
name        a parameter, a name assigned to, a constant of integers, another kernel, or one of ``BUILTINS``
reason      a member of the game's ``Reason``, by its name
"""

from __future__ import annotations

import ast
import builtins
from types import FunctionType
from typing import Any

from kibitz.engine.contract.branches import source_tree
from kibitz.engine.contract.walks import demand
from kibitz.engine.reasons import Reasons
from kibitz.kernel import mark

BUILTINS = frozenset({"range", "min", "max", "abs", "int", "bool"})
METHODS = frozenset({"bit_count", "bit_length"})
"""What a kernel may ask of an integer (see ``kibitz.engine.numba_overloads``)."""
CONSTRUCTS = (
    *(ast.Return, ast.Assign, ast.AugAssign, ast.For, ast.While, ast.If, ast.Expr, ast.Pass, ast.Break, ast.Continue),
    *(ast.BoolOp, ast.And, ast.Or, ast.BinOp, ast.UnaryOp, ast.IfExp, ast.Compare, ast.Call, ast.Constant),
    *(ast.Attribute, ast.Subscript, ast.Name, ast.Tuple, ast.Load, ast.Store),
    *(ast.Add, ast.Sub, ast.Mult, ast.FloorDiv, ast.Mod, ast.LShift, ast.RShift, ast.BitOr, ast.BitXor, ast.BitAnd),
    *(ast.Not, ast.USub, ast.UAdd, ast.Invert, ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt, ast.GtE),
)


def check_source(function: FunctionType) -> None:
    """Broken unless one kernel's source holds only what Numba's CPU and CUDA targets both compile."""
    where = f"kernel {function.__module__}.{function.__name__}"
    tree = source_tree(function)
    demand(tree, f"{where} has no source that can be read: write it with def")
    assert tree is not None
    given = tree.args
    plain = not (given.vararg or given.kwarg or given.kwonlyargs or given.defaults or given.posonlyargs)
    demand(plain, f"{where} takes more than plain parameters")
    local = {argument.arg for argument in given.args}
    local |= {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    for statement in tree.body[1:] if ast.get_docstring(tree) is not None else tree.body:
        for node in ast.walk(statement):
            here = f"{where}, line {node.lineno} of it" if hasattr(node, "lineno") else where
            demand(isinstance(node, CONSTRUCTS), f"{here} uses {type(node).__name__}")
            odd = oddity(node, local, function.__globals__)
            demand(odd is None, f"{here} uses {odd}")


def oddity(node: ast.AST, local: set[str], space: dict[str, Any]) -> str | None:
    """What is wrong with one construct that may be there in other forms; None if nothing is."""
    match node:
        case ast.Constant(value) if type(value) not in (int, bool):
            return "a constant that is no integer"
        case ast.Attribute(value=ast.Name(name)) if name in local:
            return None
        case ast.Attribute(value=ast.Name(name), attr=reason) if isinstance(space.get(name), type(Reasons)):
            return None if reason in space[name].__members__ else f"{ast.unparse(node)}, which is no reason"
        case ast.Attribute():
            return f"{ast.unparse(node)}, which is no field of a state"
        case ast.Subscript(value=ast.Name() | ast.Attribute(), slice=ast.Tuple()):
            return "a subscript that is no integer"
        case ast.Subscript(value=ast.Name() | ast.Attribute()):
            return None
        case ast.Subscript():
            return f"{ast.unparse(node)}, a part of what has no name"
        case ast.Call(func=ast.Name(name), keywords=[]) if name not in local:
            return None if name in BUILTINS or mark(space.get(name)) else f"{name}, which is no kernel"
        case ast.Call(func=ast.Attribute(value=ast.Name(name), attr=method), args=[], keywords=[]) if name in local:
            return None if method in METHODS else f"{method}, which is nothing to ask of a number"
        case ast.Call():
            return f"{ast.unparse(node)}, which calls no kernel by its name"
        case ast.Name(name, ast.Load()) if name not in local and not isinstance(space.get(name), type(Reasons)):
            value = space.get(name, getattr(builtins, name, None))
            known = name in BUILTINS or mark(value) or is_constant(value)
            return None if known else f"{name}, which is neither a kernel nor a constant of integers"
        case ast.For(iter=ast.Call(func=ast.Name("range")) | ast.Tuple(), orelse=[]):
            return None
        case ast.For(iter=ast.Name(name), orelse=[]) if name not in local:
            return None
        case ast.For():
            return f"a loop over {ast.unparse(node.iter)}"
    return None


def is_constant(value: object) -> bool:
    """Whether a module's value is an integer, or bytes, an array or a tuple of integers."""
    if isinstance(value, tuple):
        return all(map(is_constant, value))
    kind = getattr(getattr(value, "dtype", None), "kind", "")
    return isinstance(value, int | bytes) or kind in ("i", "u")
