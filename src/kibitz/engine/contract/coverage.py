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
from kibitz.kernel import mark

RECORD = "__branch__"
"""The name in builtins that instrumented code calls during the block."""
ENTERED = "entered"


class Instrumenter(ast.NodeTransformer):
    """Wraps every condition of one function in a call; ``branches`` names both outcomes of each."""

    def __init__(self, where: str) -> None:
        self.where = where
        self.branches: list[str] = []
        self.named: set[ast.expr] = set()
        self.used: dict[str, int] = {}

    def name(self, text: str) -> str:
        """A name for a condition that is unique in its function."""
        name = f"{self.where}: {text}"
        self.used[name] = self.used.get(name, 0) + 1
        return name if self.used[name] == 1 else f"{name} ({self.used[name]})"

    def condition(self, test: ast.expr) -> ast.expr:
        """A condition that records its outcome; parts of ``and``, ``or`` and ``not`` are conditions of their own."""
        inside = test.operand if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not) else test
        if isinstance(inside, ast.BoolOp | ast.Constant | ast.Tuple):
            return test
        self.named.add(inside)
        name = self.name(ast.unparse(test))
        self.branches += [f"{name}, true", f"{name}, false"]
        return ast.copy_location(recording_call(name, test), test)

    def visit_Compare(self, node: ast.Compare) -> Any:
        """A comparison whose result is used as a number, an index or a return value."""
        done = node in self.named
        self.generic_visit(node)
        return node if done else self.condition(node)

    def entered(self, node: ast.For | ast.match_case | ast.ExceptHandler, name: str) -> Any:
        """A block that records when it is entered."""
        name = self.name(name)
        self.branches.append(f"{name}, {ENTERED}")
        self.generic_visit(node)
        node.body.insert(0, ast.copy_location(ast.Expr(recording_call(name, ast.Constant(ENTERED))), node.body[0]))
        return node

    def visit_test(self, node: Any) -> Any:
        """An ``if``, a ``while`` or a conditional expression."""
        node.test = self.condition(node.test)
        self.generic_visit(node)
        return node

    visit_If = visit_While = visit_IfExp = visit_test

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.AST:
        """The parts of ``and`` and ``or``."""
        node.values = [self.condition(value) for value in node.values]
        self.generic_visit(node)
        return node

    def visit_comprehension(self, node: ast.comprehension) -> ast.AST:
        """The conditions of a comprehension."""
        node.ifs = [self.condition(test) for test in node.ifs]
        self.generic_visit(node)
        return node

    def visit_For(self, node: ast.For) -> Any:
        """The body of a loop."""
        return self.entered(node, f"for {ast.unparse(node.target)} in {ast.unparse(node.iter)}")

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> Any:
        """The body of an ``except``."""
        return self.entered(node, f"except {ast.unparse(node.type) if node.type else ''}".strip())

    def visit_match_case(self, node: ast.match_case) -> Any:
        """The body of a case."""
        guard = f" if {ast.unparse(node.guard)}" if node.guard else ""
        return self.entered(node, f"case {ast.unparse(node.pattern)}{guard}")


def recording_call(name: str, value: ast.expr) -> ast.Call:
    """The call that records an outcome and returns the value."""
    return ast.Call(ast.Name(RECORD, ast.Load()), [ast.Constant(name), value], [])


def source_tree(function: FunctionType) -> ast.FunctionDef | None:
    """The function as a tree; None if it has no ``def``, such as a lambda."""
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
    return rewritten(function, tree), tuple(instrumenter.branches)


def rewritten(function: FunctionType, tree: ast.FunctionDef) -> CodeType | None:
    """The code of a function whose source was changed to ``tree``, for the same closure; None if that is impossible."""
    free = function.__code__.co_freevars
    outer = ast.parse("def outer(): pass").body[0]
    assert isinstance(outer, ast.FunctionDef)
    outer.body = [*(ast.parse(f"{name} = None").body[0] for name in free), tree]
    whole = ast.fix_missing_locations(ast.Module([outer], []))
    flags = __future__.annotations.compiler_flag
    code = compile(whole, function.__code__.co_filename, "exec", flags, dont_inherit=True)
    for name in ("outer", tree.name):
        code = next(c for c in code.co_consts if isinstance(c, CodeType) and c.co_name == name)
    return code if code.co_freevars == free else None


@contextmanager
def code_replaced(
    codes: Mapping[FunctionType, CodeType | None], helpers: Mapping[str, Callable[..., Any]]
) -> Iterator[None]:
    """A block in which functions run replacement code, where there is any, which may call ``helpers`` from builtins."""
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
    """A block in which ``functions`` record their branches; it yields the set of those taken since it was cleared."""
    taken: set[str] = set()
    names: dict[tuple[str, bool], str] = {}

    def note(name: str, value: Any) -> Any:
        if value is ENTERED:
            taken.add(f"{name}, {ENTERED}")
            return value
        try:
            taken.add(names[name, bool(value)])
        except KeyError:
            branch = names[name, bool(value)] = f"{name}, true" if value else f"{name}, false"
            taken.add(branch)
        return value

    with code_replaced({function: instrumented(function)[0] for function in functions}, {RECORD: note}):
        yield taken


def has_unrecordable_branches(function: FunctionType) -> bool:
    """Whether a function of a module has branches that cannot be recorded, because it has no ``def``.

    Lambdas in a view's declaration don't count: the check picks positions by the values that they take.
    """
    if not any(value is function for value in function.__globals__.values()):
        return False
    branches = any("_IF_" in step.opname or "COMPARE" in step.opname for step in dis.get_instructions(function))
    return branches and source_tree(function) is None


def branches_of(functions: Collection[FunctionType]) -> dict[str, FunctionType]:
    """Every branch of some functions, with the function that has it."""
    return {branch: function for function in functions for branch in instrumented(function)[1]}


# What must have run: everything that a game's rules, views and words reach. Strategies, forms and the parsing of input
# don't affect a game and are left out.


WORDS = ("text", "label", "prompt", "describe")
"""The functions of a game's words whose text is shown without a request."""


def package(game: Game) -> str:
    """The package that a game's modules are in."""
    return str(game.rules.__name__).rpartition(".")[0]


def rules_of(game: Game) -> list[FunctionType]:
    """The kernels of the game's package that its rules reach."""
    kernels = [getattr(game.rules, name, None) for name, value in vars(hooks).items() if mark(value) == "hook"]
    return reachable_functions(game, kernels)


def event_functions_of(game: Game) -> list[FunctionType]:
    """The game's functions that make views, events and outcomes, and read them."""
    made = [unchecked(f) for f in (game.view, game.opening, game.advance, game.restore, game.result)]
    return [function for function in reachable_functions(game, made) if mark(function) is None]


def words_of(game: Game) -> list[FunctionType]:
    """The game's functions that make words and scenes shown without a request, except those shared by many games."""
    shown = [function for name in WORDS if is_in(function := getattr(game.words, name), package(game))]
    shown += [function for function in (game.scenes.scene, game.scenes.parts) if is_in(function, package(game))]
    return [function for function in reachable_functions(game, shown) if mark(function) is None]


def reachable_functions(game: Game, entries: list[Any]) -> list[FunctionType]:
    """Every function of the game's package that some functions reach, and those themselves, in order.

    Names are looked up in the globals of the function that uses them; a class adds its methods; an attribute adds the
    functions of that name in imported modules.
    """
    package_name = package(game)
    functions: dict[int, FunctionType] = {}
    waiting, seen = (
        [part for entry in entries for part in functions_within(entry, package_name)],
        {id(entry) for entry in entries},
    )
    while waiting:
        thing = waiting.pop()
        if id(thing) in functions:
            continue
        functions[id(thing)] = thing
        known = [value for value in thing.__globals__.values() if isinstance(value, ModuleType)]
        for word in names_in(thing.__code__):
            for value in (thing.__globals__.get(word), *(vars(module).get(word) for module in known)):
                if id(value) not in seen:
                    seen.add(id(value))
                    waiting += [f for f in functions_within(value, package_name) if is_in(f, package_name)]
        if not is_in(thing, package_name):
            cells = [cell.cell_contents for cell in thing.__closure__ or ()]
            waiting += [content for content in cells if isinstance(content, FunctionType)]
    return sorted(functions.values(), key=lambda function: (function.__module__, function.__code__.co_firstlineno))


def functions_within(thing: Any, package_name: str, depth: int = 4) -> Iterator[FunctionType]:
    """The functions that a value runs: itself, what it wraps or holds, and the methods of its class in a package."""
    if isinstance(thing, FunctionType):
        yield thing
    if depth == 0:
        return
    parts: list[Any] = [getattr(thing, name, None) for name in ("__wrapped__", "__func__", "func", "fget")]
    if isinstance(thing, dict | MappingProxyType):
        parts += thing.values()
    elif isinstance(thing, tuple | list | set | frozenset):
        parts += thing
    elif isinstance(thing, type) and is_in(thing, package_name):
        parts += vars(thing).values()
    elif not isinstance(thing, type | FunctionType | ModuleType) and is_in(type(thing), package_name):
        parts.append(type(thing))
    for part in parts:
        if part is not None and not isinstance(part, int | str | bytes):
            yield from functions_within(part, package_name, depth - 1)


def is_in(thing: Any, package_name: str) -> bool:
    """Whether a function or class is of a package."""
    return isinstance(thing, FunctionType | type) and str(thing.__module__).startswith(f"{package_name}.")


def names_in(code: CodeType) -> set[str]:
    """The names that some code uses, including those in nested code."""
    words = set(code.co_names)
    for const in code.co_consts:
        if isinstance(const, CodeType):
            words |= names_in(const)
    return words
