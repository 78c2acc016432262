"""Branch coverage of a game's code, recorded while it runs, without a tracer.

    condition   the test of an ``if``, ``while`` or conditional expression, a part of an ``and`` or ``or``, and every
                comparison; also the body of a ``for``, of a ``case`` and of an ``except``, entered or not
    branch      a condition and its value, as text: ``view.finish: not s.over, false``
    recording   a block in which functions run with code that records every branch

Functions keep their identity: the block replaces their code objects, so all their callers, kernels, methods and
closures alike, run the recording code.  Compile no machine code meanwhile.
"""

from __future__ import annotations
import __future__

import ast
import builtins
import dis
import inspect
import textwrap
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from types import CodeType, FunctionType, MappingProxyType, ModuleType
from typing import Any

from kibitz.engine.game import Game
from kibitz.engine.kernels import hooks
from kibitz.engine.validation import unchecked
from kibitz.kernel import kernel_kind

RECORD = "__branch__"
"""The name in builtins that instrumented code calls during the block."""
ENTERED = "entered"


class Instrumenter(ast.NodeTransformer):
    """Wraps every condition of one function in a recording call; ``branches`` names both outcomes of each."""

    def __init__(self, where: str) -> None:
        self.where = where
        self.branches: list[str] = []
        self.wrapped: set[ast.expr] = set()
        self.name_counts: dict[str, int] = {}

    def name(self, text: str) -> str:
        """A name for a condition that is unique in its function."""
        name = f"{self.where}: {text}"
        self.name_counts[name] = self.name_counts.get(name, 0) + 1
        return name if self.name_counts[name] == 1 else f"{name} ({self.name_counts[name]})"

    def condition(self, test: ast.expr) -> ast.expr:
        """The condition, wrapped to record its outcome; operands of ``and``, ``or``, ``not`` are wrapped one by one."""
        operand = test.operand if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not) else test
        if isinstance(operand, ast.BoolOp | ast.Constant | ast.Tuple):
            return test
        self.wrapped.add(operand)
        name = self.name(ast.unparse(test))
        self.branches += [f"{name}, true", f"{name}, false"]
        return ast.copy_location(recording_call(name, test), test)

    def visit_Compare(self, node: ast.Compare) -> Any:
        """Wrap a comparison outside conditions, whose result is used as a number, an index or a return value."""
        is_wrapped = node in self.wrapped
        self.generic_visit(node)
        return node if is_wrapped else self.condition(node)

    def entry_recorded(self, node: ast.For | ast.match_case | ast.ExceptHandler, name: str) -> Any:
        """The node, whose body records that it is entered."""
        name = self.name(name)
        self.branches.append(f"{name}, {ENTERED}")
        self.generic_visit(node)
        node.body.insert(0, ast.copy_location(ast.Expr(recording_call(name, ast.Constant(ENTERED))), node.body[0]))
        return node

    def visit_test(self, node: Any) -> Any:
        """Wrap the condition of an ``if``, a ``while`` or a conditional expression."""
        node.test = self.condition(node.test)
        self.generic_visit(node)
        return node

    visit_If = visit_While = visit_IfExp = visit_test

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.AST:
        """Wrap the operands of ``and`` and ``or``."""
        node.values = [self.condition(value) for value in node.values]
        self.generic_visit(node)
        return node

    def visit_comprehension(self, node: ast.comprehension) -> ast.AST:
        """Wrap the conditions of a comprehension."""
        node.ifs = [self.condition(test) for test in node.ifs]
        self.generic_visit(node)
        return node

    def visit_For(self, node: ast.For) -> Any:
        """Record when the body of a loop is entered."""
        return self.entry_recorded(node, f"for {ast.unparse(node.target)} in {ast.unparse(node.iter)}")

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> Any:
        """Record when the body of an ``except`` is entered."""
        return self.entry_recorded(node, f"except {ast.unparse(node.type) if node.type else ''}".strip())

    def visit_match_case(self, node: ast.match_case) -> Any:
        """Record when the body of a case is entered."""
        guard = f" if {ast.unparse(node.guard)}" if node.guard else ""
        return self.entry_recorded(node, f"case {ast.unparse(node.pattern)}{guard}")


def recording_call(name: str, value: ast.expr) -> ast.Call:
    """The syntax tree of a call that records the branch taken by a value, and returns the value."""
    return ast.Call(ast.Name(RECORD, ast.Load()), [ast.Constant(name), value], [])


def source_tree(function: FunctionType) -> ast.FunctionDef | None:
    """The function's syntax tree; None if it has no ``def``, such as a lambda."""
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(function))).body[0]
    except (OSError, TypeError, SyntaxError, IndexError):
        return None
    return tree if isinstance(tree, ast.FunctionDef) and tree.name == function.__code__.co_name else None


@cache
def instrumented(function: FunctionType) -> tuple[CodeType | None, tuple[str, ...]]:
    """The function's instrumented code (None if it has no branches) and all its branches."""
    tree = source_tree(function)
    if tree is None:
        return None, ()
    instrumenter = Instrumenter(
        f"{function.__module__.rpartition('.')[2]}.{function.__qualname__.rpartition('<locals>.')[2]}"
    )
    tree.decorator_list = []
    instrumenter.generic_visit(tree)
    if not instrumenter.branches:
        return None, ()
    return code_for_tree(function, tree), tuple(instrumenter.branches)


def code_for_tree(function: FunctionType, tree: ast.FunctionDef) -> CodeType | None:
    """Code made from ``tree``, the changed source of a function, for the same closure; None if that is impossible."""
    free_names = function.__code__.co_freevars
    # Inside a function that has the same free names as variables, the tree compiles to code with the same closure.
    outer = ast.parse("def outer(): pass").body[0]
    assert isinstance(outer, ast.FunctionDef)
    outer.body = [*(ast.parse(f"{name} = None").body[0] for name in free_names), tree]
    module = ast.fix_missing_locations(ast.Module([outer], []))
    flags = __future__.annotations.compiler_flag
    code = compile(module, function.__code__.co_filename, "exec", flags, dont_inherit=True)
    for name in ("outer", tree.name):
        code = next(c for c in code.co_consts if isinstance(c, CodeType) and c.co_name == name)
    return code if code.co_freevars == free_names else None


@contextmanager
def code_replaced(
    codes: Mapping[FunctionType, CodeType | None], helpers: Mapping[str, Callable[..., Any]]
) -> Iterator[None]:
    """A block in which functions run the code in ``codes`` (None: their own), which may call ``helpers`` by name."""
    before = {function: function.__code__ for function in codes}
    for name, helper in helpers.items():
        setattr(builtins, name, helper)
    try:
        for function, code in codes.items():
            if code is not None:
                function.__code__ = code
        yield
    finally:
        for function, code in before.items():
            function.__code__ = code
        for name in helpers:
            delattr(builtins, name)


@contextmanager
def recording(functions: Collection[FunctionType]) -> Iterator[set[str]]:
    """A block in which ``functions`` record branches: it yields a set, which the caller may clear, of those taken."""
    branches_taken: set[str] = set()
    names: dict[tuple[str, bool], str] = {}

    def record(name: str, value: Any) -> Any:
        if value is ENTERED:
            branches_taken.add(f"{name}, {ENTERED}")
            return value
        try:
            branches_taken.add(names[name, bool(value)])
        except KeyError:
            branch = names[name, bool(value)] = f"{name}, true" if value else f"{name}, false"
            branches_taken.add(branch)
        return value

    with code_replaced({function: instrumented(function)[0] for function in functions}, {RECORD: record}):
        yield branches_taken


def has_unrecordable_branches(function: FunctionType) -> bool:
    """Whether a function of a module has branches that cannot be recorded, because it has no ``def``.

    Lambdas in a view's declaration don't count: positions are chosen for the values of the fields that they compute.
    """
    if not any(value is function for value in function.__globals__.values()):
        return False
    branches = any("_IF_" in step.opname or "COMPARE" in step.opname for step in dis.get_instructions(function))
    return branches and source_tree(function) is None


def branches_of(functions: Collection[FunctionType]) -> dict[str, FunctionType]:
    """Every branch of some functions, with the function that has it."""
    return {branch: function for function in functions for branch in instrumented(function)[1]}


# What must have run: everything that a game's rules, views and words reach. Strategies, assignments and the parsing of
# input don't affect a game and are left out.


WORDS = ("text", "label", "prompt", "describe")
"""The functions of a game's words whose text appears in every game; others answer a request, such as for help."""


def package(game: Game) -> str:
    """The package that a game's modules are in."""
    return str(game.rules.__name__).rpartition(".")[0]


def rules_of(game: Game) -> list[FunctionType]:
    """The kernels of the game's package that its rules reach."""
    kernels = [getattr(game.rules, name, None) for name, value in vars(hooks).items() if kernel_kind(value) == "hook"]
    return reachable_functions(game, kernels)


def event_functions_of(game: Game) -> list[FunctionType]:
    """The game's functions that make views, events and outcomes, and that restore positions from views."""
    entries = [unchecked(f) for f in (game.view, game.opening, game.advance, game.restore, game.result)]
    return [function for function in reachable_functions(game, entries) if kernel_kind(function) is None]


def text_functions_of(game: Game) -> list[FunctionType]:
    """The game's functions that make scenes and the texts of ``WORDS``, except those shared by many games."""
    functions = [function for name in WORDS if is_in(function := getattr(game.words, name), package(game))]
    functions += [function for function in (game.scenes.scene, game.scenes.parts) if is_in(function, package(game))]
    return [function for function in reachable_functions(game, functions) if kernel_kind(function) is None]


def reachable_functions(game: Game, entries: list[Any]) -> list[FunctionType]:
    """Every function of the game's package that ``entries`` reach, and ``entries`` themselves, in source order.

    Names are looked up in the globals of the function that uses them; a class adds its methods; an attribute adds the
    functions of that name in imported modules.
    """
    package_name = package(game)
    functions: dict[int, FunctionType] = {}
    queue, visited = (
        [part for entry in entries for part in functions_within(entry, package_name)],
        {id(entry) for entry in entries},
    )
    while queue:
        function = queue.pop()
        if id(function) in functions:
            continue
        functions[id(function)] = function
        modules = [value for value in function.__globals__.values() if isinstance(value, ModuleType)]
        for name in names_in(function.__code__):
            for value in (function.__globals__.get(name), *(vars(module).get(name) for module in modules)):
                if id(value) not in visited:
                    visited.add(id(value))
                    queue += [f for f in functions_within(value, package_name) if is_in(f, package_name)]
        if not is_in(function, package_name):  # a wrapper from elsewhere, around functions of the game
            cells = [cell.cell_contents for cell in function.__closure__ or ()]
            queue += [content for content in cells if isinstance(content, FunctionType)]
    return sorted(functions.values(), key=lambda function: (function.__module__, function.__code__.co_firstlineno))


def functions_within(value: Any, package_name: str, depth: int = 4) -> Iterator[FunctionType]:
    """The functions inside a value: itself, what it wraps or contains, and methods if its class is in the package."""
    if isinstance(value, FunctionType):
        yield value
    if depth == 0:
        return
    parts: list[Any] = [getattr(value, name, None) for name in ("__wrapped__", "__func__", "func", "fget")]
    if isinstance(value, dict | MappingProxyType):
        parts += value.values()
    elif isinstance(value, tuple | list | set | frozenset):
        parts += value
    elif isinstance(value, type) and is_in(value, package_name):
        parts += vars(value).values()
    elif not isinstance(value, type | FunctionType | ModuleType) and is_in(type(value), package_name):
        parts.append(type(value))
    for part in parts:
        if part is not None and not isinstance(part, int | str | bytes):
            yield from functions_within(part, package_name, depth - 1)


def is_in(value: Any, package_name: str) -> bool:
    """Whether a value is a function or class that is defined in a package."""
    return isinstance(value, FunctionType | type) and str(value.__module__).startswith(f"{package_name}.")


def names_in(code: CodeType) -> set[str]:
    """The names that some code uses, including those in nested code."""
    names = set(code.co_names)
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            names |= names_in(constant)
    return names
