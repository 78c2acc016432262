"""Checks that kernels fit machine words: numbers fit in 64 bits, shifts are by less than 64, indices are in range.

Python's integers have any length, and negative indices count from the end. Machine code assumes that neither occurs; if
one does, the result is undefined. So kernels run here as Python with every operation checked.
"""

from __future__ import annotations

import ast
import copy
import sys
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from functools import cache
from types import CodeType, FunctionType
from typing import Any

from kibitz.engine.contract import lockstep
from kibitz.engine.contract.checking import check, illegal_actions, raising_nothing
from kibitz.engine.contract.coverage import code_for_tree, code_replaced, source_tree
from kibitz.engine.contract.kernel_checks import kernels_of
from kibitz.engine.contract.positions import covering_positions, search
from kibitz.engine.game import Game, seed_words
from kibitz.engine.kernels import compilation

WIDTH = 63
"""Numbers are from -2**63 to 2**63 - 1; a shift is less than 64."""
LOW, HIGH = -1 << WIDTH, (1 << WIDTH) - 1
NUMBER, SHIFT, PLACE, LENGTH = "__number__", "__shift__", "__place__", "__length__"
VALUE = "__value__"
"""The name that holds the value being checked."""


class OperationChecker(ast.NodeTransformer):
    """Rewrites one kernel so that every operation and every index is checked."""

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        """Check an operation on two numbers, and the number of bits of a shift."""
        self.generic_visit(node)
        if isinstance(node.op, ast.LShift | ast.RShift):
            node.right = checked_value(node.right, 0, ast.LtE(), ast.Constant(WIDTH), SHIFT)
        return checked_value(node, LOW, ast.LtE(), ast.Constant(HIGH), NUMBER)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.AST:
        """Check negation and bitwise inversion (``-x``, ``~x``)."""
        self.generic_visit(node)
        return node if isinstance(node.op, ast.Not) else checked_value(node, LOW, ast.LtE(), ast.Constant(HIGH), NUMBER)

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.AST:
        """Rewrite ``x += 1`` as ``x = x + 1``, checked.

        The index in the target is then evaluated twice, so a target with a call, which could draw a random number, is
        left as it is.
        """
        if any(isinstance(part, ast.Call) for part in ast.walk(node.target)):
            self.generic_visit(node)
            return node
        operation = ast.copy_location(ast.BinOp(read_again(node.target), node.op, node.value), node)
        return self.visit(ast.copy_location(ast.Assign([node.target], operation), node))  # type: ignore[no-any-return]

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        """Check the index of an entry of an array."""
        self.generic_visit(node)
        array = read_again(node.value)
        node.slice = checked_value(node.slice, 0, ast.Lt(), helper_call(LENGTH, array), PLACE, array)
        return node


def read_again(target: ast.expr) -> ast.expr:
    """The expression that reads the assigned name, field or entry."""
    read = copy.deepcopy(target)
    read.ctx = ast.Load()  # type: ignore[attr-defined]
    return read


def checked_value(
    value: ast.expr, low: int, upper: ast.LtE | ast.Lt, high: ast.expr, helper: str, *more: ast.expr
) -> ast.expr:
    """An expression for the value, which calls ``helper`` instead if the value isn't from ``low`` up to ``high``.

    ``upper`` says whether ``high`` itself is allowed.
    """
    assignment = ast.NamedExpr(ast.Name(VALUE, ast.Store()), value)
    fits = ast.Compare(ast.Constant(low), [ast.LtE(), upper], [assignment, high])
    named_value = ast.Name(VALUE, ast.Load())
    return ast.copy_location(ast.IfExp(fits, named_value, helper_call(helper, named_value, *more)), value)


def helper_call(helper: str, *values: ast.expr) -> ast.Call:
    """An expression that calls a helper."""
    return ast.Call(ast.Name(helper, ast.Load()), list(values), [])


@cache
def checked_code(function: FunctionType) -> CodeType | None:
    """A kernel's code with every operation checked; None if it has no readable source."""
    tree = source_tree(function)
    if tree is None:
        return None
    tree.decorator_list = []
    ast.increment_lineno(tree, function.__code__.co_firstlineno - 1)
    OperationChecker().generic_visit(tree)
    return code_for_tree(function, tree)


def refuse_number(value: Any) -> None:
    """Raise OverflowError for a number that doesn't fit in a machine word."""
    raise OverflowError(f"{value} does not fit in 64 bits{kernel_line()}")


def refuse_shift(places: Any) -> None:
    """Raise OverflowError for a shift by this number of bits."""
    raise OverflowError(f"a number is shifted by {places} bits{kernel_line()}")


def refuse_index(index: Any, array: Any) -> None:
    """Raise IndexError for an index that an array doesn't have."""
    raise IndexError(f"there is no entry {index} in an array of {len(array)}{kernel_line()}")


def kernel_line() -> str:
    """The kernel, line and file that called the caller of this function, for its error message."""
    frame = sys._getframe(2)
    return f": {frame.f_code.co_name}, line {frame.f_lineno} of {frame.f_code.co_filename}"


@contextmanager
def numbers_checked(functions: Collection[FunctionType]) -> Iterator[None]:
    """A block in which kernels raise OverflowError or IndexError where machine code would be undefined."""
    codes = {function: checked_code(function) for function in functions}
    with code_replaced(codes, {NUMBER: refuse_number, SHIFT: refuse_shift, PLACE: refuse_index, LENGTH: len}):
        yield


@check
def numbers_fit_in_machine_words(game: Game, thorough: int = 1, seed: int | None = None) -> None:
    """No kernel leaves 64 bits or its arrays, even when asked about illegal actions.

    Checked in every game that the search played out and in every position that covers the rules.
    """
    trace = [0] * lockstep.TRACE
    positions, search_result = covering_positions(game, thorough, seed), search(game, thorough)
    with numbers_checked(kernels_of(game.rules)):
        plain = compilation.plain(lockstep, game.rules)
        for line in search_result.lines:
            if seed in (None, line.seed):
                position_game, words = line.game, seed_words(line.seed)
                with raising_nothing("a kernel", line.place):
                    scratch, actions = [0] * position_game.max_legal, [*line.actions, 0]
                    plain.replay_traced([position_game.blank()], scratch, trace, actions, len(line.actions), *words)
        for at, position in enumerate(positions):
            position_game, state = position.game, position.state
            with raising_nothing("a kernel", position.place):
                for action in illegal_actions(
                    position_game, state, position.legal, at % 41, max(41, position_game.first_amount // 20)
                ):
                    position_game.rules.refusal(state, action)
                for seat in range(position_game.seats):
                    position_game.rules.resample(state.copy(), seat)
                position_game.rules.returns(state, [0] * position_game.max_legal)


CHECKS = (numbers_fit_in_machine_words,)
