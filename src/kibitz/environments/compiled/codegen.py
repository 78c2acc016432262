"""Translates a game's Python into kernels: the expressions of its views and the functions that they call.

A view is filled by expressions that ``kibitz.engine.views.observation`` generates from its declaration, and by
functions of the game.  Here their source is translated: parts that depend on the state stay expressions, options become
numbers, and lists are never built.

Supported are assignments, ``if``, ``for``, ``while``, comprehensions without nesting, slices, tuples, zip, map,
enumerate, sorted, calls of kernels and of other functions, and structs.  Anything else raises ``Unsupported``, with the
function and the line.
"""

from __future__ import annotations

import ast
import builtins
import inspect
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from types import FunctionType
from typing import Any

import msgspec

from kibitz.cards import cards_of
from kibitz.cards.sets import highest, size
from kibitz.engine.layout import Layout
from kibitz.environments.compiled.codegen_sequences import (
    FilledList,
    Filtered,
    Joined,
    Mapped,
    Reversed,
    Sliced,
    Unordered,
    WithIndex,
    Zipped,
)
from kibitz.environments.compiled.codegen_values import (
    ArraySlice,
    Bits,
    Body,
    Branch,
    CodeLines,
    Constant,
    Items,
    NumberExpr,
    Range,
    State,
    Struct,
    Unsupported,
    Value,
    WholeArray,
    assigns_to_indices,
    fills_a_list,
    reassigned_names,
    returns_reversed,
    source_of,
)
from kibitz.kernel import kernel_kind

Scope = dict[str, Value]

OPERATORS = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.FloorDiv: "//", ast.Mod: "%", ast.LShift: "<<", ast.RShift: ">>",
    ast.BitAnd: "&", ast.BitOr: "|", ast.BitXor: "^", ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=",
    ast.Gt: ">", ast.GtE: ">=", ast.USub: "-", ast.Not: "not ", ast.Invert: "~",
}  # fmt: skip
NO_RETURN_YET = object()


class ListBuilder:
    """A list that a function is filling; ``add`` writes the code for an item at an index."""

    def __init__(self, code: CodeLines, add: Body) -> None:
        self.code, self.add, self.count = code, add, ""

    def start(self, *, counted: bool) -> None:
        """Begin an empty list; if ``counted``, with a variable for the number of items."""
        if counted:
            self.count = self.code.fresh("k")
            self.code.add(f"{self.count} = 0")

    def append(self, item: Value) -> None:
        """Add an item."""
        self.add(self.count, item)
        self.code.add(f"{self.count} += 1")


class ListName(Value):
    """The name of a list that is being filled."""

    def __init__(self, list_builder: ListBuilder) -> None:
        self.list_builder = list_builder


class Variable(NumberExpr):
    """A variable of the kernel."""


class Translator:
    """Translates expressions over a state of one game.

    ``global_name(value)`` is the name of a kernel or a table of numbers in the generated code.
    """

    def __init__(
        self, layout: Layout, options: Mapping[str, int], code: CodeLines, global_name: Callable[[Any], str]
    ) -> None:
        self.arrays = dict(layout.arrays)
        self.scalars = set(layout.scalars)
        self.options, self.code, self.global_name = options, code, global_name

    # ---------------------------------------------------------- expressions: a method ``of_...`` for each kind of node

    def value(self, node: ast.expr, scope: Scope) -> Value:
        """The value of an expression."""
        translate = getattr(self, f"of_{type(node).__name__.lower()}", None)
        if translate is None:
            raise Unsupported(f"{type(node).__name__} in line {node.lineno}")
        result: Value = translate(node, scope)
        return result

    def of_constant(self, node: ast.Constant, scope: Scope) -> Value:
        """A number, None or a text."""
        return Constant(node.value)

    def of_name(self, node: ast.Name, scope: Scope) -> Value:
        """A name: a variable, a parameter, a global or a built-in."""
        if node.id in scope:
            return scope[node.id]
        if hasattr(builtins, node.id):
            return Constant(getattr(builtins, node.id))
        raise Unsupported(f"the name {node.id}")

    def of_attribute(self, node: ast.Attribute, scope: Scope) -> Value:
        """A field of the state, or an attribute of a struct or constant."""
        owner = self.value(node.value, scope)
        if isinstance(owner, State):
            if node.attr in self.options:
                return Constant(self.options[node.attr])
            if node.attr in self.arrays:
                return WholeArray(node.attr, self.arrays[node.attr])
            if node.attr in self.scalars:
                return NumberExpr(f"s.{node.attr}")
        if isinstance(owner, Struct):
            return owner.fields[node.attr]
        if isinstance(owner, Constant):
            return Constant(getattr(owner.value, node.attr))
        raise Unsupported(f".{node.attr} in line {node.lineno}")

    def of_tuple(self, node: ast.Tuple | ast.List, scope: Scope) -> Value:
        """Several values."""
        return Items(tuple([self.value(element, scope) for element in node.elts]))

    of_list = of_tuple

    def of_binop(self, node: ast.BinOp, scope: Scope) -> Value:
        """Arithmetic on numbers; sequences joined."""
        left, right = self.value(node.left, scope), self.value(node.right, scope)
        if isinstance(node.op, ast.Add) and not is_number(left):
            return Joined((left, right))
        sign = OPERATORS.get(type(node.op))
        if sign is None:
            raise Unsupported(f"{type(node.op).__name__} in line {node.lineno}")
        return fold_constants(f"({left.text} {sign} {right.text})", left, right)

    def of_unaryop(self, node: ast.UnaryOp, scope: Scope) -> Value:
        """A sign, ``not`` or ``~``."""
        operand = self.value(node.operand, scope)
        if isinstance(node.op, ast.Not) and isinstance(operand, Constant):
            return Constant(not operand.value)
        return fold_constants(f"({OPERATORS[type(node.op)]}{operand.text})", operand)

    def of_boolop(self, node: ast.BoolOp, scope: Scope) -> Value:
        """``and`` and ``or`` of truth values; a constant decides the result or is left out."""
        deciding = isinstance(node.op, ast.Or)
        texts: list[str] = []
        for part in node.values:
            value = self.value(part, scope)
            if isinstance(value, Constant):
                if bool(value.value) is deciding:
                    texts.append(str(int(deciding)))
                    break
                continue
            texts.append(value.text)
        if not texts:
            return Constant(not deciding)
        return (
            NumberExpr(texts[0])
            if len(texts) == 1
            else NumberExpr(f"({(' or ' if deciding else ' and ').join(texts)})")
        )

    def of_compare(self, node: ast.Compare, scope: Scope) -> Value:
        """Comparisons of numbers, and ``in`` a tuple."""
        values = [self.value(value, scope) for value in (node.left, *node.comparators)]
        if isinstance(node.ops[0], ast.In | ast.NotIn) and isinstance(values[1], Items):
            among = " or ".join(f"{values[0].text} == {item.text}" for item in values[1].items)
            return NumberExpr(f"({among})" if isinstance(node.ops[0], ast.In) else f"(not ({among}))")
        if isinstance(node.ops[0], ast.Is | ast.IsNot) and all(isinstance(value, Constant) for value in values):
            same = values[0].value is values[1].value  # type: ignore[attr-defined]
            return Constant(same is isinstance(node.ops[0], ast.Is))
        if any(type(op) not in OPERATORS for op in node.ops):
            raise Unsupported(f"a comparison in line {node.lineno}")
        text = values[0].text + "".join(
            f" {OPERATORS[type(op)]} {value.text}" for op, value in zip(node.ops, values[1:], strict=True)
        )
        return fold_constants(f"({text})", *values)

    def of_ifexp(self, node: ast.IfExp, scope: Scope) -> Value:
        """One of two values, by a condition."""
        test = self.value(node.test, scope)
        if isinstance(test, Constant):
            return self.value(node.body if test.value else node.orelse, scope)
        return Branch(test.text, lambda: self.value(node.body, scope), lambda: self.value(node.orelse, scope))

    def of_subscript(self, node: ast.Subscript, scope: Scope) -> Value:
        """An entry, or a slice of entries."""
        owner = self.value(node.value, scope)
        if not isinstance(node.slice, ast.Slice):
            index = self.value(node.slice, scope)
            if isinstance(owner, Constant):
                return (
                    Constant(owner.value[index.value])
                    if isinstance(index, Constant)
                    else NumberExpr(f"{self.global_name(tuple(owner.value))}[{index.text}]")
                )
            return owner.item_at(index.text)
        ends = (node.slice.lower, node.slice.upper, node.slice.step)
        first, last, step = (None if part is None else self.value(part, scope) for part in ends)
        if step is not None:
            if isinstance(step, Constant) and step.value == -1 and first is None and last is None:
                return Reversed(owner)
            raise Unsupported(f"a slice with a step in line {node.lineno}")
        if isinstance(owner, WholeArray):
            return ArraySlice(owner.name, first.text if first else "0", last.text if last else str(owner.size))
        if last is not None:
            return Sliced(owner, first.text if first else "0", last.text)
        raise Unsupported(f"a slice in line {node.lineno}")

    def of_listcomp(self, node: ast.ListComp | ast.GeneratorExp, scope: Scope) -> Value:
        """A comprehension: the value for each item."""
        if len(node.generators) != 1:
            raise Unsupported(f"a nested comprehension in line {node.lineno}")
        loop = node.generators[0]
        items = self.value(loop.iter, scope)

        def inner(item: Value) -> Scope:
            return {**scope, **bind_names(loop.target, item)}

        for test in loop.ifs:
            items = Filtered(items, lambda item, test=test: self.value(test, inner(item)).text)  # type: ignore[misc]
        return Mapped(items, lambda item: self.value(node.elt, inner(item)))

    of_generatorexp = of_listcomp

    # ------------------------------------------------------------ calls

    def of_call(self, node: ast.Call, scope: Scope) -> Value:
        """A call of a kernel, of a function or of a struct."""
        if isinstance(node.func, ast.Attribute) and node.func.attr in ("bit_count", "bit_length"):
            number = self.value(node.func.value, scope).text
            if node.func.attr == "bit_count":
                return NumberExpr(f"{self.global_name(size)}({number})")
            return NumberExpr(f"({self.global_name(highest)}({number}) + 1)")
        function = self.value(node.func, scope)
        if not isinstance(function, Constant) or any(isinstance(argument, ast.Starred) for argument in node.args):
            raise Unsupported(f"a call in line {node.lineno}")
        arguments = [self.value(argument, scope) for argument in node.args]
        keywords = {word.arg: self.value(word.value, scope) for word in node.keywords if word.arg}
        if len(keywords) < len(node.keywords):
            raise Unsupported(f"a call with ** in line {node.lineno}")
        return self.call_result(function.value, arguments, keywords)

    def call_result(self, function: Any, arguments: list[Value], keywords: dict[str, Value]) -> Value:
        """The result of a function called with these values."""
        if hasattr(function, "cache_info"):
            function = inspect.unwrap(function)  # a cached function has the same result
        if kernel_kind(function) == "kernel":
            return NumberExpr(f"{self.global_name(function)}({', '.join(argument.text for argument in arguments)})")
        if function is cards_of:
            return Bits(arguments[0].text)
        if isinstance(function, type) and issubclass(function, msgspec.Struct):
            return Struct(dict(zip(function.__struct_fields__, arguments, strict=False)) | keywords)
        if isinstance(function, FunctionType):
            return self.function(function, arguments, keywords)
        return self.built_in(function, arguments)

    def built_in(self, function: Any, arguments: list[Value]) -> Value:
        """The result of one of Python's built-in functions called with these values."""
        first = arguments[0]
        if function in (tuple, list):
            return first
        if function is sorted:
            return Unordered(first)
        if function is len:
            return first.length(self.code)
        if function is int:
            return first
        if function is bool:
            return fold_constants(f"({first.text} != 0)", first)
        if function is range:
            ends = [argument.text for argument in arguments]
            return Range(ends[0] if len(ends) > 1 else "0", ends[-1])
        if function is enumerate:
            return WithIndex(first)
        if function is zip:
            return Zipped(tuple(arguments))
        if function is map and isinstance(first, Constant):
            return Mapped(arguments[1], lambda item: self.call_result(first.value, [item], {}))
        if function in (min, max) and len(arguments) > 1:
            return NumberExpr(f"{function.__name__}({', '.join(argument.text for argument in arguments)})")
        raise Unsupported(f"a call of {getattr(function, '__name__', function)}")

    def function(self, function: FunctionType, arguments: list[Value], keywords: dict[str, Value]) -> Value:
        """The result of a Python function called with these values: its body is translated."""
        node = source_of(function)
        scope: Scope = {name: Constant(value) for name, value in function.__globals__.items()}
        scope |= {
            name: Constant(cell.cell_contents)
            for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)
        }
        bound = inspect.signature(function).bind(*arguments, **keywords)
        bound.apply_defaults()
        for name, value in bound.arguments.items():
            scope[name] = value if isinstance(value, Value) else Constant(value)
        with name_function_in_errors(function):
            if isinstance(node, ast.Lambda):
                return self.value(node.body, scope)
            if not fills_a_list(node):
                return self.run(node, scope, None)
            backwards = returns_reversed(node)

        def fill(body: Body) -> None:
            with name_function_in_errors(function):
                self.run(node, dict(scope), ListBuilder(self.code, body))

        filled = FilledList(fill, assigns_to_indices(node))
        return Reversed(filled) if backwards else filled

    # ------------------------------------------------------------ statements

    def run(self, node: ast.FunctionDef, scope: Scope, list_builder: ListBuilder | None) -> Value:
        """Write a function's body and return its value; one that fills a list writes each item by ``list_builder``."""
        variables = reassigned_names(node)
        for name in variables & {parameter.arg for parameter in (*node.args.args, *node.args.kwonlyargs)}:
            scope[name] = self.variable(name, scope[name])
        return self.block(node.body, scope, variables, list_builder)

    def variable(self, name: str, value: Value) -> Value:
        """A new variable of the kernel with this value, for a name whose value changes."""
        unique_name = self.code.fresh(name)
        self.code.add(f"{unique_name} = {value.text}")
        return Variable(unique_name)

    def block(self, body: list[ast.stmt], scope: Scope, variables: set[str], list_builder: ListBuilder | None) -> Value:
        """Write statements; return the value that they return, or ``Constant(NO_RETURN_YET)``."""
        for k, statement in enumerate(body):
            match statement:
                case ast.Expr(ast.Constant()):
                    continue
                case ast.Return(value):
                    if list_builder is not None or value is None:
                        return Constant(None)
                    return self.value(value, scope)
                case ast.If(test, [ast.Return()] as then, []) if list_builder is None:
                    return self.early_return(test, then, body[k + 1 :], scope, variables)
                case ast.If(test, then, orelse):
                    self.conditional(test, then, orelse, scope, variables, list_builder)
                case ast.For(target, items, inner, []):
                    self.loop(target, items, inner, scope, variables, list_builder)
                case ast.While(test, inner, []):
                    with self.code.block(f"while {self.value(test, scope).text}:"):
                        self.block(inner, scope, variables, list_builder)
                case _:
                    self.step(statement, scope, variables, list_builder)
        return Constant(NO_RETURN_YET)

    def early_return(
        self, test: ast.expr, then: list[ast.stmt], rest: list[ast.stmt], scope: Scope, variables: set[str]
    ) -> Value:
        """The value of an early return if its test holds, else that of the rest of the function."""
        condition = self.value(test, scope)
        if isinstance(condition, Constant):
            return self.block(then if condition.value else rest, scope, variables, None)
        return Branch(
            condition.text,
            lambda: self.block(then, dict(scope), variables, None),
            lambda: self.block(rest, dict(scope), variables, None),
        )

    def conditional(
        self, test: ast.expr, then: list[ast.stmt], orelse: list[ast.stmt],
        scope: Scope, variables: set[str], list_builder: ListBuilder | None,
    ) -> None:  # fmt: skip
        """Write statements under a condition."""
        condition = self.value(test, scope)
        if isinstance(condition, Constant):
            self.block(then if condition.value else orelse, scope, variables, list_builder)
            return
        with self.code.block(f"if {condition.text}:"):
            self.block(then, scope, variables, list_builder)
        if orelse:
            with self.code.block("else:"):
                self.block(orelse, scope, variables, list_builder)

    def loop(
        self, target: ast.expr, items: ast.expr, inner: list[ast.stmt],
        scope: Scope, variables: set[str], list_builder: ListBuilder | None,
    ) -> None:  # fmt: skip
        """Write a loop over a sequence."""

        def body(_: str, item: Value) -> None:
            scope.update(bind_names(target, item))
            self.block(inner, scope, variables, list_builder)

        self.value(items, scope).for_each(self.code, body)

    def step(self, statement: ast.stmt, scope: Scope, variables: set[str], list_builder: ListBuilder | None) -> None:
        """Write an assignment, or the code for an item added to a list."""
        match statement:
            case ast.AnnAssign(ast.Name(name), _, value) if value is not None:
                self.assign(name, value, scope, variables, list_builder)
            case ast.Assign(names, value) if all(isinstance(target, ast.Name) for target in names):
                for target in names:
                    self.assign(target.id, value, scope, variables, list_builder)  # type: ignore[attr-defined]
            case ast.Assign([ast.Tuple(names)], ast.Tuple(values)):
                for target, value in zip(names, values, strict=True):
                    if not isinstance(target, ast.Name) or variables:
                        raise Unsupported(f"an assignment in line {statement.lineno}")
                    self.assign(target.id, value, scope, variables, list_builder)
            case ast.AugAssign(ast.Name(name), op, value) if name in scope and type(op) in OPERATORS:
                self.code.add(f"{scope[name].text} {OPERATORS[type(op)]}= {self.value(value, scope).text}")
            case ast.Expr(ast.Call(ast.Attribute(ast.Name(name), "append"), [item])):
                self.list_named(name, scope).append(self.value(item, scope))
            case ast.Assign([ast.Subscript(ast.Name(name), index)], value):
                place = self.value(index, scope).text
                self.list_named(name, scope).add(place, self.value(value, scope))
            case _:
                raise Unsupported(f"{type(statement).__name__} in line {statement.lineno}")

    def list_named(self, name: str, scope: Scope) -> ListBuilder:
        """The list that is being filled under this name; ``Unsupported`` if there is none."""
        list_value = scope.get(name)
        if not isinstance(list_value, ListName):
            raise Unsupported(f"a change of {name}")
        return list_value.list_builder

    def assign(
        self, name: str, value: ast.expr, scope: Scope, variables: set[str], list_builder: ListBuilder | None
    ) -> None:
        """Give a name a value: a list to fill, a variable of the kernel, or simply an expression."""
        match value:
            case ast.List([]) if list_builder is not None:
                list_builder.start(counted=True)
                scope[name] = ListName(list_builder)
            case ast.BinOp(ast.List([ast.Constant(None)]), ast.Mult()) if list_builder is not None:
                scope[name] = ListName(list_builder)
            case _:
                translated = self.value(value, scope)
                if not variables or (isinstance(translated, Constant | WholeArray) and name not in variables):
                    scope[name] = translated
                elif not isinstance(translated, NumberExpr | Constant | Branch):
                    raise Unsupported(f"the sequence {name} in a function that reassigns names")
                elif isinstance(old := scope.get(name), Variable):
                    self.code.add(f"{old.text} = {translated.text}")
                else:
                    scope[name] = self.variable(name, translated)


@contextmanager
def name_function_in_errors(function: FunctionType) -> Iterator[None]:
    """A block in which ``Unsupported`` errors name this function."""
    try:
        yield
    except Unsupported as error:
        if error.function:
            raise
        with_name = Unsupported(f"{error} of {function.__module__}.{function.__qualname__}")
        with_name.function = function.__qualname__
        raise with_name from None


def is_number(value: Value) -> bool:
    """Whether a value is a number."""
    return isinstance(value, NumberExpr) or (isinstance(value, Constant) and isinstance(value.value, int))


def fold_constants(text: str, *parts: Value) -> Value:
    """An expression, or its value if all its parts are constants."""
    if all(isinstance(part, Constant) for part in parts):
        return Constant(eval(text, {"__builtins__": {}}))
    return NumberExpr(text)


def bind_names(target: ast.expr, item: Value) -> Scope:
    """The names that a loop's target binds, with their values for one item."""
    if isinstance(target, ast.Name):
        return {target.id: item}
    if isinstance(target, ast.Tuple):
        result: Scope = {}
        for k, part in enumerate(target.elts):
            result |= bind_names(part, item.item_at(str(k)))
        return result
    raise Unsupported("a loop over something other than names")


def expression(text: str) -> ast.expr:
    """The syntax tree of an expression."""
    return ast.parse(text, mode="eval").body
