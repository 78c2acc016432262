"""Counts functions, comments and unusual names in a Python file, for a person who judges its style.

This runs in a confined process like a player's file, because a file can make the parser run out of memory. It needs
only the standard library.
"""

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from typing import Any

SNAKE_CASE, CONSTANT, CAP_WORDS = r"_*[a-z0-9_]*", r"_*[A-Z0-9_]*", r"_*[A-Z][a-zA-Z0-9]*"
ADDED_COMMENT = re.compile(r"# (coding: |Code cells of |%% cell |left out: )")
"""Comments that Kibitz adds when it reads a notebook as Python."""
MAX_NAMES = 20
FUNCTION_NODES = (ast.FunctionDef, ast.AsyncFunctionDef)


def count_source(text: str, _: Any = None) -> list[Any] | None:
    """The numbers of functions and docstrings, the longest function, the number of comments, and unusual names.

    The longest function is a list: its number of lines and its name. Unusual names are those that don't follow PEP 8.
    ``text`` is the file's bytes as Latin-1. None if the file isn't valid Python. The second argument is ignored.
    """
    content = text.encode("latin-1")
    try:
        tree = ast.parse(content)
        tokens = list(tokenize.tokenize(io.BytesIO(content).readline))
    except (SyntaxError, ValueError, RecursionError, MemoryError, tokenize.TokenError):
        return None
    functions = [node for node in ast.walk(tree) if isinstance(node, FUNCTION_NODES)]
    documented = sum(ast.get_docstring(node) is not None for node in functions)
    longest = max(((node.end_lineno or 0) - node.lineno + 1, node.name) for node in functions) if functions else (0, "")
    comments = sum(token.type == tokenize.COMMENT and not ADDED_COMMENT.match(token.string) for token in tokens)
    names = {name for name, form in names_in(tree) if not re.fullmatch(form, name)}
    return [len(functions), documented, list(longest), comments, sorted(names)[:MAX_NAMES]]


def names_in(tree: ast.AST) -> Iterator[tuple[str, str]]:
    """Every name that a file defines, with a pattern for the form that PEP 8 recommends."""
    for node in ast.walk(tree):
        if isinstance(node, FUNCTION_NODES):
            yield node.name, SNAKE_CASE
        elif isinstance(node, ast.ClassDef):
            yield node.name, CAP_WORDS
        elif isinstance(node, ast.arg):
            yield node.arg, SNAKE_CASE
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id, f"{SNAKE_CASE}|{CONSTANT}"
